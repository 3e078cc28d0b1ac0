package java.lang;

import java.nio.Buffer;
import java.util.HashSet;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import jdk.internal.misc.Unsafe;

/** Repairs of single JDK classes: those that compute addresses from their fields, and those that wait for threads. */
final class $RecrashRareRepairs {
    private static final Unsafe U = Unsafe.getUnsafe();

    private $RecrashRareRepairs() {}

    /** The address inside a heap buffer is an offset into its array, and arrays start elsewhere in other JVMs. */
    static void buffer(Buffer buffer) {
        Class<?> declaring = buffer.getClass();
        while (declaring != null && declaring.getSuperclass() != Buffer.class) {
            declaring = declaring.getSuperclass();
        }
        Object array = $RecrashMemory.reference(buffer, $RecrashMemory.offset(declaring, "hb"));
        long shift = $RecrashMemory.offset(declaring, "offset");
        int start = shift < 0 ? -1 : U.getInt(buffer, shift);
        long position = int32(buffer, "position");
        long limit = int32(buffer, "limit");
        long capacity = int32(buffer, "capacity");
        boolean right = array != null && start >= 0 && position >= 0 && position <= limit && limit <= capacity
                && start + capacity <= java.lang.reflect.Array.getLength(array);
        if (!right) {
            U.putInt(buffer, $RecrashMemory.offset(Buffer.class, "position"), 0);
            U.putInt(buffer, $RecrashMemory.offset(Buffer.class, "limit"), 0);
            U.putInt(buffer, $RecrashMemory.offset(Buffer.class, "capacity"), 0);
            throw new IllegalStateException("its bounds lie outside its array");
        }
        U.putLong(buffer, $RecrashMemory.offset(Buffer.class, "address"), $RecrashArrays.base(array.getClass())
                + ((long) start << $RecrashFieldType.shiftOf(array.getClass().getComponentType())));
    }

    private static int int32(Buffer buffer, String field) {
        return U.getInt(buffer, $RecrashMemory.offset(Buffer.class, field));
    }

    /** Compiled code trusts a builder's length and coder. */
    static void stringBuilder(Object builder) {
        long value = $RecrashMemory.offset(AbstractStringBuilder.class, "value");
        long coder = $RecrashMemory.offset(AbstractStringBuilder.class, "coder");
        long count = $RecrashMemory.offset(AbstractStringBuilder.class, "count");
        byte[] bytes = (byte[]) U.getReference(builder, value);
        int units = U.getByte(builder, coder);
        int length = U.getInt(builder, count);
        if (bytes == null || units < 0 || units > 1 || length < 0 || (long) length << units > bytes.length) {
            U.putReference(builder, value, new byte[16]);
            U.putByte(builder, coder, (byte) 1);
            U.putInt(builder, count, 0);
            throw new IllegalStateException("its length lies outside its array");
        }
        if (units == 0 && !String.COMPACT_STRINGS) {
            byte[] wide = new byte[bytes.length * 2];
            for (int i = 0; i < bytes.length; i++) {
                wide[2 * i] = bytes[i];
            }
            U.putReference(builder, value, wide);
            U.putByte(builder, coder, (byte) 1);
        }
    }

    /** No worker of the pool runs here: it starts its first one when a task comes. */
    static void executor(Object pool) {
        Class<?> type = ThreadPoolExecutor.class;
        ReentrantLock lock = new ReentrantLock();
        U.putReference(pool, $RecrashMemory.offset(type, "mainLock"), lock);
        U.putReference(pool, $RecrashMemory.offset(type, "termination"), lock.newCondition());
        U.putReference(pool, $RecrashMemory.offset(type, "workers"), new HashSet<>());
        long container = $RecrashMemory.offset(type, "container");
        if (container >= 0) {
            U.putReference(pool, container, container());
        }
        Object control = $RecrashMemory.reference(pool, $RecrashMemory.offset(type, "ctl"));
        // The run state is in the three highest bits, the number of workers in the others.
        int state = control instanceof AtomicInteger ? ((AtomicInteger) control).get() & 0xe0000000 : 0xe0000000;
        U.putReference(pool, $RecrashMemory.offset(type, "ctl"), new AtomicInteger(state));
    }

    /** What newer JDKs count a pool's threads with. */
    private static Object container() {
        try {
            return Class.forName("jdk.internal.vm.SharedThreadContainer", true, null)
                    .getMethod("create", String.class).invoke(null, "recrash");
        } catch (ReflectiveOperationException absent) {
            throw new IllegalStateException(absent);
        }
    }

    /** A lock that another thread held is free here, or the test would wait for ever. */
    static void lock(Object lock) {
        long owner = $RecrashMemory.offset(
                java.util.concurrent.locks.AbstractOwnableSynchronizer.class, "exclusiveOwnerThread");
        Object holder = $RecrashMemory.reference(lock, owner);
        String name = lock.getClass().getName();
        boolean readWrite = name.startsWith("java.util.concurrent.locks.ReentrantReadWriteLock$");
        if (holder == Thread.currentThread()
                || !readWrite && !name.startsWith("java.util.concurrent.locks.ReentrantLock$") && holder == null) {
            return;
        }
        long state = $RecrashMemory.offset(
                java.util.concurrent.locks.AbstractQueuedSynchronizer.class, "state");
        U.putReference(lock, owner, null);
        if (lock instanceof java.util.concurrent.locks.AbstractQueuedSynchronizer) {
            U.putInt(lock, state, 0);
        }
    }
}
