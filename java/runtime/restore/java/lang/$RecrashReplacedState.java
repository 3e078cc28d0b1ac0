package java.lang;

import java.lang.reflect.Array;
import java.util.Arrays;
import jdk.internal.misc.Unsafe;

/**
 * The state that static fields and live objects of this JVM had before a frame was restored over them. The next restore puts
 * it back first: the tests of a class share a JVM, and one that takes static state as it comes must not meet the state
 * of another's crash.
 */
final class $RecrashReplacedState {
    private static final Unsafe U = Unsafe.getUnsafe();
    /** In the place of a field's type: the whole array. */
    private static final byte ARRAY = '[';
    /** In the place of a field's type: a thread local, whose bits say whether it had a value. */
    private static final byte LOCAL = 'T';

    private static $RecrashReplacedState last;

    private Object[] targets = new Object[256];
    private Object[] references = new Object[256];
    private long[] offsets = new long[256];
    private long[] bits = new long[256];
    private byte[] types = new byte[256];
    private int count;
    /** The thread whose locals were replaced, and all that it had: key, value, key, value … */
    private Thread thread;
    private Object[] locals;

    private $RecrashReplacedState() {}

    /** Puts back what the last restore replaced, and starts anew. */
    static synchronized $RecrashReplacedState begin() {
        end();
        last = new $RecrashReplacedState();
        return last;
    }

    /** Puts back what the last restore replaced. */
    static synchronized void end() {
        if (last != null) {
            last.putBack();
            last = null;
        }
    }

    void keep(Object target, long offset, byte type) {
        int i = add(target, type);
        offsets[i] = offset;
        switch (type) {
            case 'L':
                references[i] = U.getReferenceVolatile(target, offset);
                break;
            case 'I':
            case 'F':
                bits[i] = U.getInt(target, offset);
                break;
            case 'J':
            case 'D':
                bits[i] = U.getLong(target, offset);
                break;
            case 'Z':
            case 'B':
                bits[i] = U.getByte(target, offset);
                break;
            default:
                bits[i] = U.getShort(target, offset);
        }
    }

    void keepArray(Object array) {
        int length = Array.getLength(array);
        Object copy = Array.newInstance(array.getClass().getComponentType(), length);
        System.arraycopy(array, 0, copy, 0, length);
        int i = add(array, ARRAY);
        references[i] = copy;
    }

    /** Not by asking the local itself: that would give it a value. */
    void keepLocal(ThreadLocal<?> key) {
        if (thread == null) {
            thread = Thread.currentThread();
            Object[] plain = $RecrashStatics.threadLocals(thread, false);
            Object[] inherited = $RecrashStatics.threadLocals(thread, true);
            locals = Arrays.copyOf(plain, plain.length + inherited.length);
            System.arraycopy(inherited, 0, locals, plain.length, inherited.length);
        }
        int i = add(key, LOCAL);
        for (int at = 0; at < locals.length; at += 2) {
            if (locals[at] == key) {
                references[i] = locals[at + 1];
                bits[i] = 1;
            }
        }
    }

    private int add(Object target, byte type) {
        if (count == targets.length) {
            targets = Arrays.copyOf(targets, count * 2);
            references = Arrays.copyOf(references, count * 2);
            offsets = Arrays.copyOf(offsets, count * 2);
            bits = Arrays.copyOf(bits, count * 2);
            types = Arrays.copyOf(types, count * 2);
        }
        targets[count] = target;
        types[count] = type;
        return count++;
    }

    private void putBack() {
        for (int i = count - 1; i >= 0; i--) {
            Object target = targets[i];
            switch (types[i]) {
                case ARRAY:
                    System.arraycopy(references[i], 0, target, 0, Array.getLength(target));
                    break;
                case LOCAL:
                    putBackLocal((ThreadLocal<?>) target, references[i], bits[i] != 0);
                    break;
                case 'L':
                    U.putReferenceVolatile(target, offsets[i], references[i]);
                    if (target == Thread.currentThread()) {
                        $RecrashScopedValues.forgetCached();
                    }
                    break;
                case 'I':
                case 'F':
                    U.putIntVolatile(target, offsets[i], (int) bits[i]);
                    break;
                case 'J':
                case 'D':
                    U.putLongVolatile(target, offsets[i], bits[i]);
                    break;
                case 'Z':
                case 'B':
                    U.putByteVolatile(target, offsets[i], (byte) bits[i]);
                    break;
                default:
                    U.putShortVolatile(target, offsets[i], (short) bits[i]);
            }
        }
    }

    @SuppressWarnings("unchecked")
    private void putBackLocal(ThreadLocal<?> key, Object value, boolean had) {
        if (Thread.currentThread() != thread) {
            // Locals of another thread are out of reach, and will do no harm here.
            return;
        }
        try {
            if (had) {
                ((ThreadLocal<Object>) key).set(value);
            } else {
                key.remove();
            }
        } catch (RuntimeException refused) {
            // A sub class of the program's own that does not want to.
        }
    }
}
