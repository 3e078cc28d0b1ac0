package java.lang;

/** The constants of the heap part; crates/heap/src/format.rs describes the layout. */
final class $RecrashTag {
    static final int HEADER = 24;
    static final int VERSION = 1;
    static final int HAS_HASH = 0x80;

    static final byte INSTANCE = 1;
    static final byte OBJECT_ARRAY = 2;
    static final byte PRIMITIVE_ARRAY = 3;
    static final byte STRING = 4;
    static final byte BOXED = 5;
    static final byte ENUM = 6;
    static final byte CLASS = 7;
    static final byte WELL_KNOWN = 8;
    static final byte STAND_IN = 9;
    static final byte MEMBER = 10;
    static final byte CUT = 11;

    static final byte PLAIN_CLASS = 0;
    static final byte ARRAY_CLASS = 1;
    static final byte LAMBDA_CLASS = 2;
    static final byte PROXY_CLASS = 3;
    static final byte OPAQUE_CLASS = 4;

    static final int CRASHING_THREAD = 1;
    static final int OTHER_THREAD = 2;
    static final int THREAD_GROUP = 3;
    static final int CLASS_LOADER = 4;
    static final int MODULE = 5;
    static final int LOGGER = 6;
    static final int STREAM = 7;
    static final int SOCKET = 8;
    static final int CHANNEL = 9;
    static final int PROCESS = 10;
    static final int NATIVE_MEMORY = 11;
    static final int METHOD_HANDLE = 12;
    static final int HIDDEN_CLASS = 13;
    static final int SECURITY = 14;
    static final int EXECUTOR = 15;
    static final int JVM_INTERNAL = 16;

    private $RecrashTag() {}
}
