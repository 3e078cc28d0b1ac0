import java.lang.ref.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

/** Objects that belong to a running JVM: whole where that is possible, harmless stand-ins where not. */
class JvmCases {
    static class Worker extends Thread {
        final List<String> log = new ArrayList<>();
        int count = 3;

        @Override
        public void run() {
            log.add("ran " + count);
        }
    }

    static class Holder {
        Thread current = Thread.currentThread();
        Thread other = new Thread("other");
        ClassLoader loader = JvmCases.class.getClassLoader();
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        Object lock = new Object();
        String after = String.valueOf("after");
    }

    static List<Case> all() {
        return Arrays.asList(
                Case.<Holder>of("threads and loaders", Holder::new, o -> {
                    Case.that(o.current == Thread.currentThread());
                    Case.same("other", o.other.getName());
                    Case.that(o.loader == JvmCases.class.getClassLoader());
                    Case.that(o.group != null);
                    Case.same("after", o.after);
                }),
                Case.<Worker>of("a thread class of the program", Worker::new, o -> {
                    Case.same(3, o.count);
                    o.run();
                    o.start();
                    o.join();
                    Case.same(Arrays.asList("ran 3", "ran 3"), o.log);
                }),
                Case.<ReentrantLock>of("a free lock", ReentrantLock::new, o -> {
                    o.lock();
                    o.unlock();
                }),
                Case.<ReentrantLock>of("a lock held by the failing thread", () -> {
                    ReentrantLock l = new ReentrantLock();
                    l.lock();
                    return l;
                }, o -> {
                    Case.that(o.isHeldByCurrentThread());
                    o.unlock();
                    Case.that(!o.isLocked());
                }),
                Case.<ReentrantLock>of("a lock held by another thread", () -> {
                    ReentrantLock l = new ReentrantLock();
                    Thread t = new Thread(l::lock);
                    t.start();
                    t.join();
                    return l;
                }, o -> Case.that(o.tryLock())),
                Case.<ReentrantReadWriteLock>of("a read-write lock", ReentrantReadWriteLock::new, o -> {
                    o.readLock().lock();
                    o.readLock().unlock();
                    o.writeLock().lock();
                }),
                Case.<CountDownLatch>of("CountDownLatch", () -> new CountDownLatch(2), o -> {
                    o.countDown();
                    Case.same(1L, o.getCount());
                }),
                Case.<ExecutorService>of("an executor", () -> {
                    ExecutorService e = Executors.newFixedThreadPool(1, r -> {
                        Thread t = new Thread(r);
                        t.setDaemon(true);
                        return t;
                    });
                    e.submit(() -> 1).get();
                    return e;
                }, o -> Case.same(2, o.submit(() -> 2).get(20, TimeUnit.SECONDS))),
                Case.<CompletableFuture<?>>of("CompletableFuture", () -> CompletableFuture.completedFuture("done"),
                        o -> Case.same("done", o.get())),
                Case.<WeakReference<?>[]>of("references", () -> {
                    Object o = new Object[0];
                    keep.add(o);
                    return new WeakReference<?>[] {new WeakReference<>(o, new ReferenceQueue<>())};
                }, o -> Case.that(o[0] != null)),
                Case.<SoftReference<?>>of("SoftReference", () -> new SoftReference<>("soft"),
                        o -> Case.same("soft", o.get())),
                Case.<java.io.PrintStream[]>of("System.out", () -> new java.io.PrintStream[] {System.out},
                        o -> Case.that(o[0] == System.out)),
                Case.<Object[]>of("an open file", () -> new Object[] {
                    new java.io.BufferedReader(new java.io.InputStreamReader(
                            new java.io.FileInputStream("/proc/self/status"))), "next"}, o -> {
                    try {
                        ((java.io.Reader) o[0]).read();
                    } catch (java.io.IOException expected) {
                        // the stand-in is a closed file
                    }
                    Case.same("next", o[1]);
                }),
                Case.<java.util.logging.Logger>of("a logger", () -> java.util.logging.Logger.getLogger("a.b"),
                        o -> Case.that(o == java.util.logging.Logger.getLogger("a.b"))),
                Case.<Object[]>of("a direct buffer",
                        () -> new Object[] {java.nio.ByteBuffer.allocateDirect(64), "next"}, o -> {
                            Case.same(64, ((java.nio.ByteBuffer) o[0]).capacity());
                            Case.same("next", o[1]);
                        }),
                Case.<ThreadLocal<?>>of("ThreadLocal", () -> ThreadLocal.withInitial(() -> "initial"),
                        o -> Case.same("initial", o.get())),
                Case.<Object[]>of("a stream not yet consumed",
                        () -> new Object[] {Arrays.asList(3, 1, 2).stream().map(x -> x * 2).sorted()},
                        o -> Case.same("[2, 4, 6]", Arrays.toString(((java.util.stream.Stream<?>) o[0]).toArray()))),
                Case.<Object[]>of("file systems and their paths", () -> new Object[] {
                    java.nio.file.FileSystems.getDefault(),
                    java.nio.file.FileSystems.getFileSystem(java.net.URI.create("jrt:/")),
                    java.nio.file.Paths.get(java.net.URI.create("jrt:/java.base/java/lang/Object.class"))}, o -> {
                    Case.that(o[0] == java.nio.file.FileSystems.getDefault());
                    Case.that(((java.nio.file.FileSystem) o[1]).isOpen());
                    Case.that(java.nio.file.Files.size((java.nio.file.Path) o[2]) > 100);
                }),
                Case.<Object[]>of("the file system of a JDK that was named, and its paths", () -> {
                    java.nio.file.FileSystem image = java.nio.file.FileSystems.newFileSystem(
                            java.net.URI.create("jrt:/"), Map.of("java.home", System.getProperty("java.home")));
                    return new Object[] {image, image.getPath("/modules/java.base/java/lang/Object.class")};
                }, o -> {
                    Case.that(((java.nio.file.FileSystem) o[0]).isOpen());
                    Case.that(java.nio.file.Files.size((java.nio.file.Path) o[1]) > 100);
                }),
                Case.<Object[]>of("archives, an open one and a closed one", () -> {
                    String archive = System.getProperty("java.home") + "/lib/jrt-fs.jar";
                    java.util.jar.JarFile closed = new java.util.jar.JarFile(archive);
                    closed.close();
                    return new Object[] {new java.util.zip.ZipFile(archive), closed};
                }, o -> {
                    Case.that(((java.util.zip.ZipFile) o[0]).getEntry("META-INF/MANIFEST.MF") != null);
                    try {
                        ((java.util.jar.JarFile) o[1]).size();
                        Case.that(false);
                    } catch (IllegalStateException expected) {
                        // it stays closed
                    }
                }),
                Case.<Object[]>of("a class loader of a class path of its own",
                        () -> new java.net.URLClassLoader[] {new java.net.URLClassLoader(new java.net.URL[0])},
                        o -> Case.same(JvmCases.class, ((ClassLoader) o[0]).loadClass("JvmCases"))),
                Case.<Timer>of("Timer", () -> new Timer(true), o -> Case.that(o != null)),
                Case.<Runtime>of("Runtime", Runtime::getRuntime, o -> Case.that(o == Runtime.getRuntime())));
    }

    static final List<Object> keep = new ArrayList<>();
}
