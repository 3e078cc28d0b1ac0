package recrash;

import java.lang.reflect.AnnotatedElement;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Reads the annotations of tests by the names they had before tests had a package of their own.
 *
 * @deprecated new tests name {@code recrash.junit.Crash}
 */
@Deprecated
public final class RecrashExtension extends recrash.junit.RecrashExtension {
    @Override
    protected Optional<Asked> asked(AnnotatedElement test) {
        return AnnotationSupport.findAnnotation(test, Crash.class).map(crash -> new Asked(crash.value(), crash.frame()));
    }

    @Override
    protected boolean isReceiver(ParameterContext parameter) {
        return parameter.isAnnotated(Receiver.class);
    }

    @Override
    protected OptionalInt argument(ParameterContext parameter) {
        Optional<Argument> argument = parameter.findAnnotation(Argument.class);
        return argument.isPresent() ? OptionalInt.of(argument.get().value()) : OptionalInt.empty();
    }

    @Override
    protected boolean isFrame(Class<?> type) {
        return type == Frame.class;
    }

    @Override
    protected Object shown(recrash.junit.Frame frame) {
        return new Frame(frame);
    }
}
