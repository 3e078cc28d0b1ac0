package java.lang;

import java.util.Arrays;

/**
 * One thread at the border: on which side it is, which calls are open, and what is being passed.
 *
 * <p>Woven code puts values one after the other, the last of them by {@link #go} or what ends a put of its kind. Until then
 * nothing is decided, and nothing is written.
 */
public final class $RecrashTalk {
    static final int NOTHING = 0;
    static final int SURE = 1;
    static final int PERHAPS = 2;
    static final int MAKING = 3;
    static final int QUESTION = 4;
    static final int FIELD_READ = 5;
    static final int FIELD_WRITE = 6;
    static final int ELEMENT = 7;
    private static final int CALLBACK = 8;
    private static final int ARRIVAL = 9;
    private static final int RETURN = 10;
    static final int READING = 11;

    /** An open call that is no event. */
    private static final int SILENT = 1;
    /** The thread was inside before. */
    private static final int FROM_INSIDE = 2;

    /** Inside code runs, or the JDK for it. */
    boolean inside = true;
    /** So many calls are open. */
    int depth;
    private int[] sites = new int[16];
    private byte[] flags = new byte[16];

    private int mode;
    private int site;
    private boolean hasReceiver;
    private int count;
    private char[] kinds = new char[8];
    private Object[] objects = new Object[8];
    private long[] numbers = new long[8];
    private final $RecrashLogWriter writer = new $RecrashLogWriter();

    $RecrashTalk gather(int site, int mode) {
        if (mode == FIELD_READ && depth > 0 && sites[depth - 1] == site && (flags[depth - 1] & SILENT) != 0) {
            inside = (flags[--depth] & FROM_INSIDE) != 0;
        }
        boolean wrongSide = mode != QUESTION && inside;
        this.mode = wrongSide || !$RecrashLog.isOn() ? NOTHING : mode;
        this.site = site;
        return this;
    }

    public $RecrashTalk on(Object receiver) {
        hasReceiver = true;
        return put(receiver);
    }

    public $RecrashTalk put(Object value) {
        if (mode != NOTHING) {
            next('L');
            objects[count++] = value;
        }
        return this;
    }

    /** Puts what must not leave the program. */
    public $RecrashTalk hide(Object value) {
        return put(mode == NOTHING ? null : $RecrashSecrets.hidden(value));
    }

    public $RecrashTalk put(boolean value) {
        return put('Z', value ? 1 : 0);
    }

    public $RecrashTalk put(byte value) {
        return put('B', value);
    }

    public $RecrashTalk put(short value) {
        return put('S', value);
    }

    public $RecrashTalk put(char value) {
        return put('C', value);
    }

    public $RecrashTalk put(int value) {
        return put('I', value);
    }

    public $RecrashTalk put(long value) {
        return put('J', value);
    }

    public $RecrashTalk put(float value) {
        return put('F', Float.floatToRawIntBits(value));
    }

    public $RecrashTalk put(double value) {
        return put('D', Double.doubleToRawLongBits(value));
    }

    private $RecrashTalk put(char kind, long value) {
        if (mode != NOTHING) {
            next(kind);
            numbers[count++] = value;
        }
        return this;
    }

    private void next(char kind) {
        if (count == kinds.length) {
            kinds = Arrays.copyOf(kinds, count * 2);
            objects = Arrays.copyOf(objects, count * 2);
            numbers = Arrays.copyOf(numbers, count * 2);
        }
        kinds[count] = kind;
    }

    /** Everything is put. */
    public void go() {
        int what = mode;
        if (what != NOTHING) {
            mode = NOTHING;
            try {
                act(what);
            } catch (Throwable full) {
                $RecrashLog.giveUp(full);
            }
            for (int i = 0; i < count; i++) {
                objects[i] = null;
            }
        }
        count = 0;
        hasReceiver = false;
    }

    /** There is nothing to put. */
    void nothing() {
        go();
    }

    private void act(int what) {
        switch (what) {
            case SURE:
                write($RecrashLogTag.EVENT_CALL, false);
                open(0, true);
                break;
            case PERHAPS:
            case MAKING:
            case READING:
                if (matters(what)) {
                    write($RecrashLogTag.EVENT_CALL, false);
                    open(0, true);
                }
                break;
            case CALLBACK:
                write($RecrashLogTag.EVENT_CALLBACK, true);
                break;
            case ARRIVAL:
                write($RecrashLogTag.EVENT_CALL, false);
                break;
            case RETURN:
                close();
                break;
            case QUESTION:
                writeAnswer();
                break;
            case FIELD_READ:
                writeAccess($RecrashLogTag.EVENT_READ, true);
                break;
            case FIELD_WRITE:
                writeAccess($RecrashLogTag.EVENT_WRITE, false);
                break;
            default:
                if ($RecrashKnown.has(objects[0])) {
                    writeElement();
                }
        }
    }

    /** Whether a call of the JDK's is one of the inside's, or concerns something that the inside knows. */
    private boolean matters(int what) {
        for (int i = 0; i < count; i++) {
            Object o = kinds[i] == 'L' ? objects[i] : null;
            if (o == null) {
                continue;
            }
            $RecrashSide side = $RecrashSide.of(o.getClass());
            if (i == 0 && hasReceiver && side.side == $RecrashLogTag.SIDE_INSIDE) {
                return true;
            }
            if (what == READING) {
                return false;
            }
            if (i == 0 && hasReceiver && o instanceof java.lang.reflect.Member && side.form == $RecrashSide.LITERAL) {
                Class<?> declaring = ((java.lang.reflect.Member) o).getDeclaringClass();
                return $RecrashSide.of(declaring).side == $RecrashLogTag.SIDE_INSIDE;
            }
            boolean isReceiver = i == 0 && hasReceiver;
            if (side.form == $RecrashSide.VALUE || side.form == $RecrashSide.LITERAL
                    || side.side != $RecrashLogTag.SIDE_JDK) {
                // What the JDK calls of the inside tells itself.
                continue;
            }
            if (!isReceiver && (what == MAKING || hasReceiver) && side.isCollection()) {
                // It is read at most.
                continue;
            }
            if ($RecrashKnown.has(o)) {
                return true;
            }
        }
        return false;
    }

    private void write(int tag, boolean fromInside) {
        resolve(fromInside);
        writer.begin(tag);
        writer.unsigned(site);
        int first = hasReceiver ? 1 : 0;
        if (hasReceiver) {
            value(0);
        }
        writer.unsigned(count - first);
        for (int i = first; i < count; i++) {
            value(i);
        }
        writer.end();
    }

    private void writeAccess(int tag, boolean fromInside) {
        resolve(fromInside);
        writer.begin(tag);
        writer.unsigned(site);
        for (int i = 0; i < count; i++) {
            value(i);
        }
        writer.end();
    }

    private void writeElement() {
        resolve(false);
        writer.begin($RecrashLogTag.EVENT_ELEMENT_WRITE);
        writer.unsigned(site);
        value(0);
        writer.signed(numbers[1]);
        value(2);
        writer.end();
    }

    /** The answer is what was put last. */
    private void writeAnswer() {
        resolve(true);
        writer.begin($RecrashLogTag.EVENT_ANSWER);
        writer.unsigned(site);
        int first = hasReceiver ? 1 : 0;
        if (hasReceiver) {
            value(0);
        }
        writer.unsigned(count - 1 - first);
        for (int i = first; i < count; i++) {
            value(i);
        }
        writer.end();
    }

    private void resolve(boolean fromInside) {
        for (int i = 0; i < count; i++) {
            if (kinds[i] == 'L') {
                numbers[i] = writer.resolve(objects[i], fromInside);
            }
        }
        writer.writeContents();
    }

    private void value(int i) {
        if (kinds[i] == 'L') {
            writer.value(objects[i], numbers[i]);
        } else {
            writer.primitive(kinds[i], numbers[i]);
        }
    }

    private void open(int flag, boolean inside) {
        if (depth == sites.length) {
            sites = Arrays.copyOf(sites, depth * 2);
            flags = Arrays.copyOf(flags, depth * 2);
        }
        sites[depth] = site;
        flags[depth++] = (byte) (flag | (this.inside ? FROM_INSIDE : 0));
        this.inside = inside;
    }

    void touch(int site) {
        if (!inside) {
            this.site = site;
            open(SILENT, true);
        }
    }

    /** Outside code is called by the inside. */
    int callback(int site) {
        if (!$RecrashLog.isOn()) {
            return depth;
        }
        this.site = site;
        mode = CALLBACK;
        open(0, false);
        return ~(depth - 1);
    }

    int arrival(int site) {
        if (!$RecrashLog.isOn()) {
            return depth;
        }
        this.site = site;
        mode = ARRIVAL;
        open(0, true);
        return ~(depth - 1);
    }

    $RecrashTalk returning(int site) {
        if (depth > 0 && sites[depth - 1] == site) {
            mode = RETURN;
        }
        return this;
    }

    $RecrashTalk leaving(int ticket) {
        if (ticket < 0 && depth > ~ticket) {
            unwind(null, ~ticket + 1);
            mode = RETURN;
        }
        return this;
    }

    private void close() {
        int flag = flags[--depth];
        boolean wasInside = inside;
        inside = (flag & FROM_INSIDE) != 0;
        if ((flag & SILENT) != 0 || !$RecrashLog.isOn()) {
            return;
        }
        if (count == 0) {
            writer.begin($RecrashLogTag.EVENT_RETURN_NOTHING);
            writer.end();
            return;
        }
        resolve(wasInside);
        writer.begin($RecrashLogTag.EVENT_RETURN);
        value(0);
        writer.end();
    }

    /** All calls above {@code depth} are over, by an exception or unseen. */
    void unwind(Throwable t, int depth) {
        mode = NOTHING;
        count = 0;
        hasReceiver = false;
        while (this.depth > depth) {
            int flag = flags[--this.depth];
            boolean wasInside = inside;
            inside = (flag & FROM_INSIDE) != 0;
            if ((flag & SILENT) == 0 && $RecrashLog.isOn()) {
                try {
                    thrown(t, wasInside);
                } catch (Throwable full) {
                    $RecrashLog.giveUp(full);
                }
            }
        }
    }

    private void thrown(Throwable t, boolean fromInside) {
        long resolved = writer.resolve(t, fromInside);
        writer.writeContents();
        writer.begin($RecrashLogTag.EVENT_THROW);
        writer.value(t, resolved);
        writer.end();
    }

    void failed(Throwable t) {
        try {
            unwind(t, 0);
            long resolved = writer.resolve(t, true);
            writer.writeContents();
            writer.fail(t, resolved);
        } catch (Throwable full) {
            $RecrashLog.giveUp(full);
        }
    }
}
