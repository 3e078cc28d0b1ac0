import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** The failing class and its superclass are made at run time, before anything is watched. */
public class Made extends ClassLoader {
    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        try (InputStream in = Made.class.getResourceAsStream(name.replace("Tailored", "Template") + ".class")) {
            String template = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
            byte[] made = template.replace("Template", "Tailored").getBytes(StandardCharsets.ISO_8859_1);
            return defineClass(name, made, 0, made.length);
        } catch (java.io.IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    public static void main(String[] args) throws Exception {
        var constructor = new Made().loadClass("LowTailored").getDeclaredConstructor();
        constructor.setAccessible(true);
        for (int i = 0; i < 2; i++) {
            Thread thread = new Thread((Runnable) constructor.newInstance());
            thread.start();
            thread.join();
        }
    }
}

class HighTemplate {
    int[] numbers = {1, 2};
}

class LowTemplate extends HighTemplate implements Runnable {
    public void run() {
        System.out.println(numbers[numbers.length]);
    }
}
