// crash: java.lang.NumberFormatException

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.nio.charset.StandardCharsets;

/**
 * The class that fails is made under another name in each run, as mocks and proxies are. What its method was given is used
 * up at the crash: a second look brings it back, at a class that is the same in all but its name.
 */
public class Renamed {
    public static final class Words {
        private final String[] words;
        private int next;

        Words(String... words) {
            this.words = words;
        }

        public String word() {
            String word = words[next];
            next++;
            return word;
        }
    }

    public abstract static class Sum {
        public abstract int of(Words words);
    }

    private static final class Renamer extends ClassLoader {
        private static final String TEMPLATE = "Sum$$EnhancerByRenamer$$0000";

        Renamer() {
            super(Renamed.class.getClassLoader());
        }

        Class<?> rename() throws IOException {
            String name = TEMPLATE.replace("0000", String.format("%04x", System.nanoTime() & 0xffff));
            try (InputStream in = getResourceAsStream(TEMPLATE + ".class")) {
                String template = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
                byte[] made = template.replace(TEMPLATE, name).getBytes(StandardCharsets.ISO_8859_1);
                return defineClass(name, made, 0, made.length);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Constructor<?> made = new Renamer().rename().getDeclaredConstructor();
        made.setAccessible(true);
        Sum sum = (Sum) made.newInstance();
        System.out.println(sum.of(new Words("1", "2", "+", "39", ".")));
        sum.of(new Words("1", "+", "two", ".")); // frame: reproduced
    }
}

class Sum$$EnhancerByRenamer$$0000 extends Renamed.Sum {
    @Override
    public int of(Renamed.Words words) {
        int total = 0;
        for (String word = words.word(); !word.equals("."); word = words.word()) {
            total += word.equals("+") ? 0 : Integer.parseInt(word); // frame: reproduced
        }
        return total;
    }
}
