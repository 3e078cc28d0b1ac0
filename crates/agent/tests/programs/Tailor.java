// exit 1
// snapshot main java.lang.ArithmeticException
//   0 TailoredSuit.fit(this=TailoredSuit, 0)
//   0 Tailor.order(TailoredSuit, 0)
//   0 Tailor.main([Ljava.lang.String;)
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.nio.charset.StandardCharsets;

/** Its class TailoredSuit and the super class of that one exist in no file. */
public class Tailor extends ClassLoader {
    public abstract static class Wear {
        public abstract int fit(int size);
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        try (InputStream in = getResourceAsStream(name.replace("Tailored", "Template") + ".class")) {
            String template = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
            byte[] made = template.replace("Template", "Tailored").getBytes(StandardCharsets.ISO_8859_1);
            return defineClass(name, made, 0, made.length);
        } catch (java.io.IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    private Object make(String name) throws ReflectiveOperationException {
        Constructor<?> constructor = loadClass(name).getDeclaredConstructor();
        constructor.setAccessible(true);
        return constructor.newInstance();
    }

    static int order(Wear wear, int size) {
        int fitting = wear.fit(size);
        return Math.max(fitting, size) * 2;
    }

    public static void main(String[] args) throws ReflectiveOperationException {
        Tailor tailor = new Tailor();
        tailor.make("TailoredUnused");
        order((Wear) tailor.make("TailoredSuit"), 0);
    }
}

abstract class TemplateCloth extends Tailor.Wear {
    int price;
}

class TemplateSuit extends TemplateCloth {
    @Override
    public int fit(int size) {
        price += 1;
        return 40 / size + size * 2 + price;
    }
}

class TemplateUnused {}
