package java.lang;

import java.lang.ref.SoftReference;
import jdk.internal.misc.Unsafe;

/**
 * What the frames of a throwable refer to. It hangs on the throwable itself, behind the JVM's notes for the stack trace, where
 * no program looks: so it goes in the very collection that the throwable goes in. Held from elsewhere it would survive one
 * collection more, and a program that catches many exceptions would have everything they passed moved among the old objects.
 *
 * <p>All of it is held softly: an exception that a program keeps must not keep what the program has dropped when memory is
 * needed.
 */
final class $RecrashValues {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    /** HotSpot's, an array of arrays of which it reads the first elements. */
    private static final long BACKTRACE = UNSAFE.objectFieldOffset(Throwable.class, "backtrace");

    private SoftReference<Object[]> array;
    /** The outermost of the constructors that were inside {@code super(...)}. */
    private SoftReference<$RecrashOuterConstructor> constructors;
    private SoftReference<$RecrashUnwound> unwound;
    /** Those of another record of the same throwable. */
    private $RecrashValues next;

    $RecrashValues(Object[] array) {
        this(new SoftReference<Object[]>(array));
    }

    private $RecrashValues(SoftReference<Object[]> array) {
        this.array = array;
    }

    void set(Object[] values) {
        array = new SoftReference<Object[]>(values);
    }

    /** Null when the memory was needed. */
    Object[] get() {
        return array.get();
    }

    /** The same array for another throwable; nothing is left to this one. */
    $RecrashValues moved() {
        $RecrashValues moved = new $RecrashValues(array);
        array = new SoftReference<Object[]>(null);
        return moved;
    }

    $RecrashOuterConstructor constructors() {
        return constructors == null ? null : constructors.get();
    }

    void setConstructors($RecrashOuterConstructor outermost) {
        constructors = outermost == null ? null : new SoftReference<$RecrashOuterConstructor>(outermost);
    }

    $RecrashUnwound unwound() {
        return unwound == null ? null : unwound.get();
    }

    void setUnwound($RecrashUnwound objects) {
        unwound = objects == null ? null : new SoftReference<$RecrashUnwound>(objects);
    }

    /** A throwable without a stack trace has no place for it; then it goes in the next collection. */
    void hangOn(Throwable t) {
        Object trace = UNSAFE.getReference(t, BACKTRACE);
        if (trace == null || trace.getClass() != Object[].class) {
            return;
        }
        Object[] notes = (Object[]) trace;
        int end = notes.length;
        if (end > 0 && notes[end - 1] instanceof $RecrashValues) {
            $RecrashValues hanging = ($RecrashValues) notes[end - 1];
            if (!hanging.leadsTo(this)) {
                next = hanging;
                notes[end - 1] = this;
            }
            return;
        }
        Object[] longer = new Object[end + 1];
        System.arraycopy(notes, 0, longer, 0, end);
        longer[end] = this;
        UNSAFE.putReference(t, BACKTRACE, longer);
    }

    private boolean leadsTo($RecrashValues wanted) {
        $RecrashValues each = this;
        while (each != null && each != wanted) {
            each = each.next;
        }
        return each != null;
    }
}
