package java.lang;

/**
 * Which objects are only represented, and which fields are left out, because their state lives outside the Java heap
 * or belongs to the JVM that runs. The restorer asks the same questions, so a forged snapshot cannot bring such an
 * object into being.
 */
final class $RecrashOpaque {
    private static final ClassLoader PLATFORM = ClassLoader.getPlatformClassLoader();

    private $RecrashOpaque() {}

    /** Whether the class belongs to the JDK and not to the program. */
    static boolean isJdk(Class<?> type) {
        ClassLoader loader = type.getClassLoader();
        return loader == null || loader == PLATFORM;
    }

    /** The reason for a stand-in ({@link $RecrashTag}), or 0 when instances of the class are captured. */
    static int reason(Class<?> type) {
        if (type.isArray()) {
            return 0;
        }
        if (ClassLoader.class.isAssignableFrom(type)) {
            // A loader class of the program keeps its own fields; the part that is the JDK's is made anew.
            return isJdk(type) ? $RecrashTag.CLASS_LOADER : 0;
        }
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            if (isJdk(c)) {
                int reason = jdkReason(c, type);
                if (reason != 0) {
                    return reason;
                }
            }
        }
        return 0;
    }

    private static int jdkReason(Class<?> c, Class<?> type) {
        String name = c.getName();
        switch (name) {
            case "java.lang.Object":
                return 0;
            case "java.lang.Thread":
                // A thread class of the program keeps its own fields; the part inside java.lang.Thread is made anew.
                return isJdk(type) && !type.getName().equals("java.util.TimerThread") ? $RecrashTag.OTHER_THREAD : 0;
            case "java.lang.ThreadGroup":
                return $RecrashTag.THREAD_GROUP;
            case "java.lang.Module":
            case "java.lang.ModuleLayer":
            case "java.lang.NamedPackage":
            case "java.lang.Package":
            case "java.lang.module.Configuration":
                return $RecrashTag.MODULE;
            case "java.util.logging.Logger":
            case "java.util.logging.LogManager":
                return $RecrashTag.LOGGER;
            case "java.io.FileDescriptor":
            case "java.io.FileInputStream":
            case "java.io.FileOutputStream":
            case "java.io.RandomAccessFile":
            case "java.io.Console":
            case "java.util.zip.ZipFile":
                return $RecrashTag.STREAM;
            case "java.net.Socket":
            case "java.net.ServerSocket":
            case "java.net.DatagramSocket":
            case "java.net.SocketImpl":
            case "java.net.DatagramSocketImpl":
                return $RecrashTag.SOCKET;
            case "java.nio.channels.spi.AbstractInterruptibleChannel":
            case "java.nio.channels.Selector":
            case "java.nio.channels.SelectionKey":
            case "java.nio.channels.AsynchronousChannelGroup":
            case "sun.nio.ch.NativeThreadSet":
                return $RecrashTag.CHANNEL;
            case "java.lang.Process":
            case "java.lang.ProcessHandleImpl":
                return $RecrashTag.PROCESS;
            case "java.util.zip.Inflater":
            case "java.util.zip.Deflater":
            case "java.nio.MappedByteBuffer":
                return $RecrashTag.NATIVE_MEMORY;
            case "java.lang.invoke.MethodHandle":
            case "java.lang.invoke.VarHandle":
            case "java.lang.invoke.CallSite":
            case "java.lang.invoke.MethodType":
            case "java.lang.invoke.LambdaForm":
            case "java.lang.invoke.MemberName":
            case "java.lang.invoke.MethodHandles$Lookup":
            case "java.util.concurrent.atomic.AtomicIntegerFieldUpdater":
            case "java.util.concurrent.atomic.AtomicLongFieldUpdater":
            case "java.util.concurrent.atomic.AtomicReferenceFieldUpdater":
                return $RecrashTag.METHOD_HANDLE;
            case "java.security.SecureRandom":
            case "java.security.Provider":
            case "java.security.ProtectionDomain":
            case "java.security.AccessControlContext":
            case "java.lang.SecurityManager":
                return $RecrashTag.SECURITY;
            case "java.util.concurrent.ForkJoinPool":
            case "java.util.concurrent.ThreadPerTaskExecutor":
                return $RecrashTag.EXECUTOR;
            case "java.lang.ref.Cleaner":
            case "java.lang.ref.Finalizer":
            case "java.lang.ref.PhantomReference":
            case "java.lang.StackWalker":
            case "java.lang.LiveStackFrame":
            case "java.lang.ProcessEnvironment$Variable":
            case "java.nio.file.FileSystem":
            case "java.nio.file.spi.FileSystemProvider":
            case "java.nio.file.attribute.UserPrincipalLookupService":
            case "java.util.Currency":
            case "jdk.internal.misc.Unsafe":
            case "sun.misc.Unsafe":
            case "jdk.internal.reflect.ConstantPool":
                return $RecrashTag.JVM_INTERNAL;
            default:
                break;
        }
        if (name.startsWith("java.nio.Direct") || name.startsWith("java.nio.ByteBufferAs")
                || name.startsWith("java.lang.foreign.") || name.startsWith("jdk.internal.foreign.")) {
            return $RecrashTag.NATIVE_MEMORY;
        }
        if (name.startsWith("sun.nio.ch.")) {
            return $RecrashTag.CHANNEL;
        }
        if (name.startsWith("jdk.internal.loader.") || name.startsWith("jdk.internal.module.")
                || name.startsWith("jdk.internal.vm.") || name.startsWith("jdk.internal.ref.")
                || name.startsWith("jdk.internal.reflect.") || name.startsWith("java.lang.invoke.")
                || name.startsWith("jdk.internal.access.") || name.startsWith("java.lang.$Recrash")) {
            return $RecrashTag.JVM_INTERNAL;
        }
        return 0;
    }

    /** Whether a field is left out of instances: links into the JVM, caches, and queues of waiting threads. */
    static boolean skips(Class<?> declaring, String field) {
        if (!isJdk(declaring)) {
            return false;
        }
        switch (declaring.getName()) {
            case "java.lang.Thread":
            case "java.lang.Enum":
                return true;
            case "java.lang.Throwable":
                return field.equals("backtrace") || field.equals("depth");
            case "java.lang.ref.Reference":
                return field.equals("next") || field.equals("discovered");
            case "java.lang.ref.ReferenceQueue":
                return field.equals("head") || field.equals("queueLength");
            case "java.util.concurrent.locks.AbstractQueuedSynchronizer":
            case "java.util.concurrent.locks.AbstractQueuedLongSynchronizer":
                return field.equals("head") || field.equals("tail");
            case "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject":
            case "java.util.concurrent.locks.AbstractQueuedLongSynchronizer$ConditionObject":
                return field.equals("firstWaiter") || field.equals("lastWaiter");
            case "java.util.concurrent.FutureTask":
                return field.equals("runner") || field.equals("waiters");
            case "java.util.concurrent.ThreadPoolExecutor":
                return field.equals("workers");
            case "java.util.regex.Pattern":
                return !field.equals("pattern") && !field.equals("flags");
            case "java.nio.Buffer":
                return field.equals("address") || field.equals("segment");
            default:
                return false;
        }
    }
}
