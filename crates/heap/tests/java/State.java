import java.io.FileOutputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The state around a frame: statics, thread locals, entry values. Prints one line per fact that does not hold. */
public class State {
    static class Parent {
        int inherited = 1;
    }

    static class App extends Parent {
        static int counter = 1;
        static final Map<String, Integer> CACHE = new HashMap<>();
        static final List<String> ALIAS = new ArrayList<>();
        static List<String> sameAsAlias = ALIAS;
        static String mode = "start";
        static final String NAME = String.valueOf("constant").intern();
        static final Thread WATCHER = new Thread("watcher");
        static final ThreadLocal<String> CONTEXT = new ThreadLocal<>();
        static long ticks;
        static double rate;
        static long visits;
        static Runnable action = () -> mode = "ran";
        static final App MAIN = new App(1);
        static final Service SERVICE = new Service();
        static java.util.Locale locale = java.util.Locale.getDefault();
        static final java.util.concurrent.ExecutorService POOL = java.util.concurrent.Executors.newFixedThreadPool(1, r -> {
            Thread t = new Thread(r);
            t.setDaemon(true);
            return t;
        });

        int field;
        String text = "entry";
        int[] numbers = {1, 2, 3};
        Object[] things = {"a", null};

        App(int field) {
            this.field = field;
        }
    }

    static class Service {
        final Sink sink = new Sink();
        final Map<Object, Object> seen = new HashMap<>();
    }

    static class Sink {
        final OutputStream out = open();
        int written;

        private static OutputStream open() {
            try {
                return new FileOutputStream("/dev/null");
            } catch (java.io.IOException impossible) {
                throw new IllegalStateException(impossible);
            }
        }
    }

    static class Broken {
        static int value = 7;

        static {
            if (System.getProperty("broken") != null) {
                throw new IllegalStateException("no luck");
            }
        }
    }

    public static void main(String[] args) throws Exception {
        if (args[0].equals("capture")) {
            capture(args[1], args[2]);
        } else {
            restore(args[1]);
        }
    }

    private static void capture(String file, String facts) throws Exception {
        App.counter = 42;
        App.CACHE.put("k", 1);
        App.ALIAS.add("logged");
        App.mode = "late";
        App.CONTEXT.set("request 7");
        App.ticks = -5;
        App.rate = 2.5;
        App.MAIN.field = 99;
        App.MAIN.text = "changed";
        App.MAIN.numbers[1] = 20;
        App.MAIN.things[1] = "late";
        App.visits = 9;
        App.SERVICE.sink.written = 17;
        App.SERVICE.seen.put(Thread.State.RUNNABLE, "runnable");
        App.locale = new java.util.Locale("de", "AT");
        App.POOL.submit(() -> { }).get();
        Broken.value = 8;
        $RecrashTestDoor walker = new $RecrashTestDoor(1_000_000, 1L << 28, 60_000);
        StringBuilder out = new StringBuilder();
        int main = walker.root(App.MAIN);
        out.append("arg ").append(main).append('\n');
        for (Object row : $RecrashTestDoor.statics(App.class, Broken.class)) {
            Object[] r = (Object[]) row;
            boolean reference = ((String) r[2]).startsWith("L");
            out.append("static ").append(r[0]).append(' ').append(r[1]).append(' ').append(r[2]).append(' ')
                    .append(reference ? walker.root(r[3]) : r[4]).append('\n');
        }
        Object[] locals = $RecrashTestDoor.threadLocals();
        for (int i = 0; i < locals.length; i += 2) {
            out.append("local ").append(walker.root(locals[i])).append(' ').append(walker.root(locals[i + 1])).append('\n');
        }
        out.append("patch ").append(main).append(" State$App field I 5\n");
        out.append("patch ").append(main).append(" State$App inherited I 6\n");
        out.append("patch ").append(main).append(" State$App text Ljava/lang/String; ").append(walker.root("entry"))
                .append('\n');
        out.append("patch ").append(walker.root(App.MAIN.numbers)).append(" [I [1] I 2\n");
        out.append("patch ").append(walker.root(App.MAIN.things)).append(" [Ljava.lang.Object; [0] Ljava/lang/Object; ")
                .append(walker.root("first")).append('\n');
        out.append("patch ").append(walker.root(App.MAIN.things)).append(" [Ljava.lang.Object; [1] Ljava/lang/Object; 0\n");
        out.append("patch 0 State$App visits J 8\n");
        try (OutputStream heap = new FileOutputStream(file)) {
            for (byte[] piece : walker.finish()) {
                heap.write(piece);
            }
        }
        Files.write(Paths.get(facts), out.toString().getBytes());
    }

    private static void restore(String file) throws Exception {
        Object cache = App.CACHE;
        Object alias = App.ALIAS;
        Object thread = App.WATCHER;
        App main = App.MAIN;
        Runnable action = App.action;
        Service service = App.SERVICE;
        OutputStream out = service.sink.out;
        java.util.Locale locale = java.util.Locale.getDefault();
        String tag = locale.toLanguageTag();
        Thread.State.RUNNABLE.hashCode();
        byte[] plan = Files.readAllBytes(Paths.get(file));
        Object[] restored = $RecrashRestorer.restore(plan, State.class.getClassLoader());
        fact("the argument is the live object", restored[1] == main && App.MAIN == main);
        fact("counter " + App.counter, App.counter == 42);
        fact("cache " + App.CACHE, App.CACHE == cache && App.CACHE.get("k") == 1);
        fact("alias " + App.ALIAS, App.ALIAS == alias && App.sameAsAlias == alias && App.ALIAS.contains("logged"));
        fact("mode " + App.mode, App.mode.equals("late"));
        fact("name", App.NAME == "constant");
        fact("thread", App.WATCHER == thread);
        fact("context " + App.CONTEXT.get(), "request 7".equals(App.CONTEXT.get()));
        fact("ticks", App.ticks == -5 && App.rate == 2.5);
        fact("entry value of field " + main.field, main.field == 5);
        fact("entry value of an inherited field " + main.inherited, main.inherited == 6);
        fact("entry value of text " + main.text, main.text.equals("entry"));
        fact("entry value of an element", java.util.Arrays.equals(main.numbers, new int[] {1, 2, 3}));
        fact("entry values of references", "first".equals(main.things[0]) && main.things[1] == null);
        fact("entry value of a static field " + App.visits, App.visits == 8);
        fact("the lambda is the live one", App.action == action);
        fact("the live service took over", App.SERVICE == service && service.sink.out == out);
        out.write(1);
        fact("written " + service.sink.written, service.sink.written == 17);
        fact("seen " + service.seen, "runnable".equals(service.seen.get(Thread.State.RUNNABLE)));
        fact("locale " + App.locale, App.locale.equals(new java.util.Locale("de", "AT")));
        fact("the JVM's locale", java.util.Locale.getDefault() == locale && locale.toLanguageTag().equals(tag));
        fact("pool", App.POOL.submit(() -> 3).get(20, java.util.concurrent.TimeUnit.SECONDS) == 3);
        App.action.run();
        fact("the lambda runs", App.mode.equals("ran"));
        if (System.getProperty("broken") == null) {
            fact("Broken", Broken.value == 8);
        }
        for (String note : $RecrashRestorer.notes()) {
            System.out.println(note);
        }
    }

    private static void fact(String text, boolean holds) {
        if (!holds) {
            System.out.println("NOT " + text);
        }
    }
}
