import java.util.Map;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.apache.logging.log4j.ThreadContext;
import org.apache.logging.log4j.core.Filter;
import org.apache.logging.log4j.core.appender.ConsoleAppender;
import org.apache.logging.log4j.core.config.Configurator;
import org.apache.logging.log4j.core.config.builder.api.AppenderComponentBuilder;
import org.apache.logging.log4j.core.config.builder.api.ConfigurationBuilder;
import org.apache.logging.log4j.core.config.builder.api.ConfigurationBuilderFactory;
import org.apache.logging.log4j.core.config.builder.impl.BuiltConfiguration;

/** Argument: a file. Log4j 2 writes to it and to the console: patterns, filters, context data, and stack traces of exceptions. */
public final class LogLines {
    public static void main(String[] args) {
        ConfigurationBuilder<BuiltConfiguration> builder = ConfigurationBuilderFactory.newConfigurationBuilder();
        String pattern = "%-5level %c{1.} [%t] %X{user} %replace{%msg}{[0-9]+}{#}%n%throwable{4}";
        AppenderComponentBuilder console = builder.newAppender("console", "Console").addAttribute("target", ConsoleAppender.Target.SYSTEM_OUT);
        console.add(builder.newLayout("PatternLayout").addAttribute("pattern", pattern));
        console.add(builder.newFilter("ThresholdFilter", Filter.Result.ACCEPT, Filter.Result.DENY).addAttribute("level", Level.WARN));
        AppenderComponentBuilder file = builder.newAppender("file", "File").addAttribute("fileName", args[0]);
        file.add(builder.newLayout("PatternLayout").addAttribute("pattern", pattern));
        builder.add(console).add(file);
        builder.add(builder.newRootLogger(Level.DEBUG).add(builder.newAppenderRef("console")).add(builder.newAppenderRef("file")));
        Configurator.initialize(builder.build());

        Logger logger = LogManager.getLogger("bench.verify.LogLines");
        for (int i = 0; i < 200; i++) {
            ThreadContext.put("user", "u" + i % 7);
            logger.debug("line {} of {}", i, Map.of("lines", 200));
            if (i % 20 == 0) {
                logger.warn("every twentieth: {}", i);
            }
            if (i % 50 == 0) {
                logger.error("failed", new IllegalStateException("at " + i, new NumberFormatException("cause")));
            }
        }
        LogManager.shutdown();
    }
}
