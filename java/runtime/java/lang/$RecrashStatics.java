package java.lang;

/** Static fields of initialised classes and the locals of a thread, as parallel arrays. */
final class $RecrashStatics {
    int count;
    /** Binary names with dots. */
    String[] classes = new String[64];
    String[] fields = new String[64];
    String[] descriptors = new String[64];
    boolean[] finals = new boolean[64];
    /** The value of a reference field, else null. */
    Object[] references = new Object[64];
    /** The value of a primitive field: sign-extended integers, raw bits of float and double. */
    long[] bits = new long[64];

    /** Static fields of those of {@code loaded} that are initialised; initialises none. */
    static $RecrashStatics of(Class<?>[] loaded) {
        return new $RecrashStatics();
    }

    /** Key, value, key, value … of the thread locals of {@code thread}; {@code inheritable} selects the other map. */
    static Object[] threadLocals(Thread thread, boolean inheritable) {
        return new Object[0];
    }
}
