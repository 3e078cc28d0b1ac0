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

    private $RecrashAgent() {}

    /**
     * Begins a capture unless another one is under way, for whose end the patient wait, within bounds. False when it is
     * still not over.
     */
    static native boolean begin(boolean patient);

    static native void end();

    /**
     * Takes the description of a failure. Null when it is not to be captured, else the static fields that the frames'
     * code reads, as {@code class.field}.
     */
    static native String[] wanted(byte[] description);

    /** Completes the failure last described and writes it down. */
    static native void store(byte[] values, byte[][] heap);

    /** The initialised classes of the program. */
    static native Class<?>[] classes();

    /** The classes that the sites' methods belong to; null where a class was unloaded. */
    static native Class<?>[] classesOf(int[] sites);

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

    /** The recorder is ready: failures are captured from now on, within these budgets. */
    static void listen(int objects, long bytes, int millis) {
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
