// crash: java.lang.ArithmeticException

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.nio.charset.StandardCharsets;

/** The rule that fails is of a class that the program makes while it runs: no jar has it, it travels with the snapshot. */
public class Rules {
    public abstract static class Rule {
        public abstract int apply(int value);
    }

    /** Makes classes from templates, as generators of proxies and mocks do. */
    private static final class Tailor extends ClassLoader {
        Tailor() {
            super(Rules.class.getClassLoader());
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            try (InputStream in = getResourceAsStream(name.replace("Tailored", "Template") + ".class")) {
                String template = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
                byte[] made = template.replace("Template", "Tailored").getBytes(StandardCharsets.ISO_8859_1);
                return defineClass(name, made, 0, made.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    static int price(Rule rule, int cents) {
        int whole = rule.apply(cents); // frame: reproduced
        return Math.max(whole, cents / 2) + 1;
    }

    public static void main(String[] args) throws ReflectiveOperationException {
        Constructor<?> made = new Tailor().loadClass("DeepTailored").getDeclaredConstructor();
        made.setAccessible(true);
        Rule rule = (Rule) made.newInstance();
        rule.apply(500);
        price(rule, 500); // frame: reproduced
    }
}

abstract class RuleTemplate extends Rules.Rule {
    /** A static field of a made class, which decides about the crash. */
    static int last;

    int share(int value, int parts) {
        int rounded = value / parts; // frame: reproduced
        last = value;
        return rounded * parts + value % parts;
    }
}

class DeepTemplate extends RuleTemplate {
    @Override
    public int apply(int value) {
        int parts = value - last;
        return share(value, parts) + parts; // frame: reproduced
    }
}
