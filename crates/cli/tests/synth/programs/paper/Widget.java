package paper;

/** Three crashes in the manner of the motivating example of STAR (TSE'14, figure 2), each with a `// trace:`. */
public class Widget {
    /** Nobody implements it. */
    public interface Part {
        int number();
    }

    /** Needs somebody to write. */
    public abstract static class Journal {
        protected abstract void write(Object what);
    }

    static final class Paint {
        final int number;
        boolean ready;

        Paint(int number) {
            this.number = number;
        }

        void prepare() {
            ready = true;
        }
    }

    private int width;
    private int length;
    private boolean logging;
    private Journal journal;
    private Paint usual;
    private Part[] parts;

    public Widget(int width, int length, Part[] parts) {
        this.width = width;
        this.length = length;
        this.parts = parts;
        this.usual = new Paint(1);
    }

    public void log(Journal journal) {
        this.journal = journal;
        this.logging = journal != null;
    }

    public void forgetPaint() {
        usual = null;
    }

    public void check() {
        for (Part part : parts) {
            if (part == null) {
                width += 0;
            }
        }
        if (length != width) {
            throw new IllegalStateException();
            // trace: java.lang.IllegalStateException | check
        }
    }

    public Object paint(int number) {
        Paint paint = new Paint(number);
        if (logging) {
            journal.write(paint);
        }
        Paint made;
        if (number > 0) {
            made = paint;
        } else {
            made = usual;
        }
        made.prepare();
        // trace: java.lang.NullPointerException | paint
        return made;
    }

    public int join(Part one, Part other) {
        if (logging) {
            journal.write(one);
        }
        if (one != other) {
            if (logging) {
                journal.write(other);
            }
        }
        int sum = one.number();
        sum += other.number();
        // trace: java.lang.NullPointerException | join
        return sum;
    }
}
