package java.lang;

/** The native side: functions of the agent library, and what it tells the Java side when the JVM starts. */
final class $RecrashAgent {
    /** False in a JVM that loaded the library only to restore objects. */
    private static volatile boolean listening;

    private static final int HEADROOM = 256 << 10;
    private static byte[] headroom;
    private static int maxObjects;
    private static long maxBytes;
    private static int maxMillis;
    private static boolean near;

    private $RecrashAgent() {}

    /**
     * Begins a capture unless another one is under way, for whose end the patient wait, within bounds. False when it is
     * still not over.
     */
    static native boolean begin(boolean patient);

    static native void end();

    /** One more failure is to be captured later, for which the end of the program waits a moment; false when it ends now. */
    static native boolean expect();

    /** Begins the capture of an expected failure; false when another one takes too long. Either way it is expected no more. */
    static native boolean beginExpected();

    /** Whether failures count that concern libraries alone: nobody knows the application's code, or the user asked for other. */
    static native boolean hearsLibraries();

    /** Whether the method of a site is the application's own. */
    static native boolean isOwn(int site);

    /**
     * Takes the description of a failure. Null when it is not to be captured, else the static fields that the frames'
     * code reads, as {@code class.field}.
     */
    static native String[] wanted(byte[] description);

    /** Completes the failure last described and writes it down. */
    static native void store(byte[] values, byte[][] heap);

    /**
     * Three arrays: the classes that the sites' methods belong to, null where one was unloaded; the initialised classes of the
     * program; and of these the application's own with those that have one of the static fields {@code class.field}.
     */
    static native Class<?>[][] classes(int[] sites, String[] fields);

    /**
     * Where monitored methods keep what they were called with, as {@code $RecrashFrameLayout.name} names them; null for methods
     * that are not monitored.
     */
    static native String[] layouts(String[] methods);

    /** The class that declares the instance field of that number, from {@code type} upwards; null when none is certain. */
    static native Class<?> declaring(int field, Class<?> type);

    /** Class (binary name, as the code names it), name and descriptor of the field of that number. */
    static native String[] place(int field);

    /** Whether a capture point has not been reached this way before, and more ways are worth a look. */
    static native boolean isNewPoint(long way);

    /** Whether the user named exceptions of a type, by its name. */
    static native boolean namesType(String type);

    /** Whether the class of this name is the application's own, as against a library's or the JDK's. */
    static native boolean owns(String type);

    /** Whether the user named exceptions that come from the method of a site. */
    static native boolean namesSite(int site);

    /** Makes the objects that compiled code has done without so far: on the stack they would read as null. */
    static native void makeObjects();

    /** {@code Throwable.getStackTrace}, whatever the throwable's own class makes of that method. */
    static native StackTraceElement[] trace(Throwable t);

    /** A throwable in a field of a subclass that predates {@code Throwable.cause}, or null. */
    static native Throwable legacyCause(Throwable t);

    /**
     * Of each field that the class declares the name, the descriptor, and {@code static}, {@code final} or nothing; null
     * when they cannot be had. Loads no class, unlike reflection.
     */
    static native String[] fields(Class<?> type);

    /** Called once in a great many notes: whoever writes more than notes are worth has to do without. */
    static native void writes();

    /** Whether journals know a part at most of what is written to fields of the class of that name. */
    static native boolean isLate(String type);

    /** The same of the static field of that number. */
    static native boolean isLateStatic(int place);

    static native void say(String message);

    /** Appends a chunk to the recording; false when it has no room, and nothing follows. */
    static native boolean record(int kind, byte[] content);

    /** Whether texts of that name, a field's or a key's, must not leave the program. */
    static native boolean isSecret(String name);

    /** Values that must not leave the program wherever they are. */
    static native String[] secrets();

    /** Whether the class of that name, which is the program's, is on the outside of a recording. */
    static native boolean isOutside(String type);

    static boolean listening() {
        return listening;
    }

    static int maxObjects() {
        return maxObjects;
    }

    static long maxBytes() {
        return maxBytes;
    }

    static int maxMillis() {
        return maxMillis;
    }

    /** Whether a framework's objects are captured as far only as they are near the application's data. */
    static boolean near() {
        return near;
    }

    /** The recorder is ready: failures are captured from now on, within these budgets. */
    static void listen(int objects, long bytes, int millis, boolean nearOnly) {
        near = nearOnly;
        maxObjects = objects;
        maxBytes = bytes;
        maxMillis = millis;
        headroom = new byte[HEADROOM];
        listening = true;
    }

    /** Frees what was set aside for the first failure, which may find the heap full. */
    static void useHeadroom() {
        headroom = null;
    }
}
