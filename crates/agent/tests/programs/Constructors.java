// exit 0
// snapshot after java.lang.IllegalStateException
//   0 Constructors$Base.check(this=Constructors$After, 1)
//   0 Constructors$After.<init>(this=Constructors$After, 1, "after")
//   0 Constructors.run(this=Constructors)
// snapshot before java.lang.NumberFormatException
//   0 Constructors$Before.number("x1")
//   0 Constructors$Before.<init>#before-super("x1", 2)
//   0 Constructors.run(this=Constructors)
// snapshot inside java.lang.IllegalStateException
//   0 Constructors$Base.check(this=Constructors$Inside, -5)
//   0 Constructors$Base.<init>(this=Constructors$Inside, -5)
//   0 Constructors$Middle.<init>#inside-super("middle", -5)
//   0 Constructors$Inside.<init>#inside-super("inside", 5)
//   0 Constructors.run(this=Constructors)
public class Constructors implements Runnable {
    static class Base {
        final int number;

        Base(int number) {
            this.number = number;
            check(number);
        }

        Base() {
            this.number = 0;
        }

        final void check(int value) {
            if (value < 0 || number == 0) {
                throw new IllegalStateException("bad " + value);
            }
        }
    }

    static class Middle extends Base {
        final String name;

        Middle(String name, int number) {
            super(number);
            this.name = name;
        }
    }

    static class Inside extends Middle {
        Inside(String text, int number) {
            super("middle", -number);
            System.out.println("never " + text);
        }
    }

    static class Before extends Base {
        Before(String text, int more) {
            super(number(text) + more);
            System.out.println("never");
        }

        static int number(String text) {
            String trimmed = text.trim();
            int number = Integer.parseInt(trimmed);
            return number;
        }
    }

    static class After extends Base {
        final String text;

        After(int number, String text) {
            super();
            this.text = text;
            check(number);
        }
    }

    @Override
    public void run() {
        String name = Thread.currentThread().getName();
        for (int i = 0; i < 100; i++) {
            try {
                // Entries that failed attempts leave behind must not be taken for the last one.
                new Inside("attempt", i);
            } catch (IllegalStateException expected) {
                continue;
            }
        }
        if (name.equals("before")) {
            new Before("x1", 2);
        } else if (name.equals("inside")) {
            new Inside("inside", 5);
        } else {
            new After(1, "after");
        }
    }

    public static void main(String[] args) throws Exception {
        for (String name : new String[] {"before", "inside", "after"}) {
            Thread thread = new Thread(new Constructors(), name);
            thread.start();
            thread.join();
        }
    }
}
