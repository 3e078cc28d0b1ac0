package java.lang;

import java.lang.ref.WeakReference;

/** The events of one thread, and the values in them. */
final class $RecrashLogWriter {
    private static final int FULL = 1 << 14;

    private static final int TEXTS = 1 << 9;

    /** Texts that the thread told of lately, by hash. */
    private final String[] texts = new String[TEXTS];
    private final int[] numbers = new int[TEXTS];
    private final $RecrashLogBytes bytes = new $RecrashLogBytes();
    private final WeakReference<Thread> owner = new WeakReference<Thread>(Thread.currentThread());
    private int thread = -1;
    /** So many bytes are complete events. */
    private volatile int whole;
    /** The order of the thread's next event, if no other thread comes in between; negative where a chunk begins. */
    private long expected = -1;
    private int lastObject;
    private int lastText;
    /** Objects whose content is to be written. */
    private final $RecrashContentQueue queue = new $RecrashContentQueue(this);

    void begin(int tag) {
        long order = $RecrashLog.nextOrder();
        if (expected < 0) {
            if (thread < 0) {
                thread = $RecrashLog.enlist(this, Thread.currentThread());
            }
            bytes.unsigned(thread);
            bytes.unsigned(order);
            lastObject = 0;
            lastText = 0;
        } else if (order != expected) {
            bytes.add($RecrashLogTag.EVENT_ORDER);
            bytes.unsigned(order - expected);
        }
        expected = order + 1;
        bytes.add(tag);
    }

    void end() {
        whole = bytes.length();
        if (whole >= FULL) {
            flush();
        }
    }

    private void flush() {
        synchronized ($RecrashLog.LOCK) {
            writeWhole();
            bytes.clear();
            expected = -1;
        }
    }

    /** Writes the events that are complete, also for another thread when nothing follows them. */
    void writeWhole() {
        if (whole > 0) {
            $RecrashLog.write($RecrashLogTag.CHUNK_EVENTS, bytes.first(whole));
            whole = 0;
        }
    }

    /** Whether the thread that writes is still there. */
    boolean isInUse() {
        Thread writing = owner.get();
        return writing != null && writing.isAlive();
    }

    /** The exception that ends the run. */
    void fail(Throwable t, long resolved) {
        flush();
        if (thread < 0) {
            thread = $RecrashLog.enlist(this, Thread.currentThread());
        }
        lastObject = 0;
        lastText = 0;
        bytes.unsigned(thread);
        bytes.unsigned($RecrashLog.orders());
        value(t, resolved);
        $RecrashLog.write($RecrashLogTag.CHUNK_FAILURE, bytes);
        bytes.clear();
    }

    /** What {@link #value} needs to know of an object: its number, or that of its text, or -1. */
    long resolve(Object o, boolean fromInside) {
        if (o == null) {
            return -1;
        }
        if (o instanceof String) {
            return numberOf((String) o);
        }
        $RecrashSide side = $RecrashSide.of(o.getClass());
        if (side.form == $RecrashSide.VALUE) {
            return -1;
        }
        if (side.form == $RecrashSide.LITERAL) {
            String text = $RecrashSide.literal(o);
            return text == null ? -1 : $RecrashLog.text(text);
        }
        return $RecrashKnown.number(o, side, fromInside, queue);
    }

    /** The number of a text, that of the latest ones without a lock. */
    private int numberOf(String text) {
        int slot = text.hashCode();
        slot = (slot ^ slot >>> 9 ^ slot >>> 18) & TEXTS - 1;
        String known = texts[slot];
        if (known != null && (known == text || known.equals(text))) {
            return numbers[slot];
        }
        int number = $RecrashLog.text(text);
        if (text.length() <= 64 && number >= 0) {
            texts[slot] = text;
            numbers[slot] = number;
        }
        return number;
    }

    void writeContents() {
        queue.drain();
    }

    void value(Object o, long resolved) {
        if (o == null) {
            bytes.add($RecrashLogTag.VALUE_NULL);
        } else if (o instanceof String) {
            if (resolved < 0) {
                bytes.add($RecrashLogTag.VALUE_UNKNOWN);
            } else {
                bytes.add($RecrashLogTag.VALUE_TEXT);
                text((int) resolved);
            }
        } else {
            $RecrashSide side = $RecrashSide.of(o.getClass());
            if (side.form == $RecrashSide.VALUE) {
                bytes.add($RecrashLogTag.VALUE_BOXED);
                boxed(o);
            } else if (resolved < 0) {
                bytes.add($RecrashLogTag.VALUE_UNKNOWN);
            } else if (side.form == $RecrashSide.LITERAL) {
                bytes.add($RecrashLogTag.VALUE_LITERAL);
                bytes.unsigned(side.literalType(o));
                text((int) resolved);
            } else {
                bytes.add($RecrashLogTag.VALUE_OBJECT);
                object((int) resolved);
            }
        }
    }

    private void boxed(Object o) {
        if (o instanceof Integer) {
            primitive('I', (Integer) o);
        } else if (o instanceof Long) {
            primitive('J', (Long) o);
        } else if (o instanceof Boolean) {
            primitive('Z', (Boolean) o ? 1 : 0);
        } else if (o instanceof Character) {
            primitive('C', (Character) o);
        } else if (o instanceof Double) {
            primitive('D', Double.doubleToRawLongBits((Double) o));
        } else if (o instanceof Float) {
            primitive('F', Float.floatToRawIntBits((Float) o));
        } else if (o instanceof Byte) {
            primitive('B', (Byte) o);
        } else {
            primitive('S', (Short) o);
        }
    }

    void primitive(char kind, long value) {
        switch (kind) {
            case 'I':
                if (value >= $RecrashLogTag.SMALLEST && value <= $RecrashLogTag.LARGEST) {
                    bytes.add((int) value + $RecrashLogTag.SMALL_ZERO);
                } else {
                    bytes.add($RecrashLogTag.VALUE_INT);
                    bytes.signed(value);
                }
                break;
            case 'Z':
                bytes.add(value == 0 ? $RecrashLogTag.VALUE_FALSE : $RecrashLogTag.VALUE_TRUE);
                break;
            case 'C':
                bytes.add($RecrashLogTag.VALUE_CHAR);
                bytes.unsigned(value);
                break;
            case 'J':
                bytes.add($RecrashLogTag.VALUE_LONG);
                bytes.signed(value);
                break;
            case 'D':
                bytes.add($RecrashLogTag.VALUE_DOUBLE);
                bytes.fixed(value, 8);
                break;
            case 'F':
                bytes.add($RecrashLogTag.VALUE_FLOAT);
                bytes.fixed(value, 4);
                break;
            case 'B':
                bytes.add($RecrashLogTag.VALUE_BYTE);
                bytes.signed(value);
                break;
            default:
                bytes.add($RecrashLogTag.VALUE_SHORT);
                bytes.signed(value);
        }
    }

    void object(int number) {
        bytes.signed((long) number - lastObject);
        lastObject = number;
    }

    void text(int number) {
        bytes.signed((long) number - lastText);
        lastText = number;
    }

    void unsigned(long value) {
        bytes.unsigned(value);
    }

    void signed(long value) {
        bytes.signed(value);
    }

    void add(int value) {
        bytes.add(value);
    }

    void fixed(long value, int width) {
        bytes.fixed(value, width);
    }
}
