package java.lang;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import jdk.internal.misc.Unsafe;

/**
 * The log of the run: tables that all threads share, and the way to the file. Chunks go to the agent, which writes them at
 * once: what is with it survives the end of the JVM, however that comes.
 */
final class $RecrashLog {
    static final Object LOCK = new Object();
    private static final int TEXTS = 1 << 12;
    private static final int LONGEST_TEXT = 1 << 24;

    private static final Unsafe U = Unsafe.getUnsafe();
    private static final long THREAD_NAME = U.objectFieldOffset(Thread.class, "name");

    private static volatile boolean on;
    private static final AtomicLong ORDER = new AtomicLong();

    /** What no chunk has defined yet. */
    private static $RecrashLogBytes definitions = new $RecrashLogBytes();
    private static int texts;
    private static int types;
    private static int objects;
    private static int threads;
    /** Texts that were defined lately, by hash. */
    private static final String[] KNOWN_TEXTS = new String[TEXTS];
    private static final int[] TEXT_IDS = new int[TEXTS];
    /** Those of threads that live, and of some that do not any more. */
    private static $RecrashLogWriter[] writers = new $RecrashLogWriter[16];
    private static int writerCount;

    private $RecrashLog() {}

    static void start() {
        on = true;
    }

    static boolean isOn() {
        return on;
    }

    static long nextOrder() {
        return ORDER.getAndIncrement();
    }

    static long orders() {
        return ORDER.get();
    }

    /** Something has no room. What is there stays. */
    static void giveUp(Throwable why) {
        on = false;
        try {
            $RecrashAgent.say("recording ends: " + why.getClass().getName());
        } catch (Throwable again) {
            // Nothing more can be told.
        }
    }

    /** The number of a thread that begins to write. */
    static int enlist($RecrashLogWriter writer, Thread thread) {
        synchronized (LOCK) {
            if (writerCount == writers.length) {
                int alive = 0;
                for (int i = 0; i < writerCount; i++) {
                    if (writers[i].isInUse()) {
                        writers[alive++] = writers[i];
                    } else {
                        writers[i].writeWhole();
                    }
                }
                Arrays.fill(writers, alive, writerCount, null);
                writerCount = alive;
                if (alive > writers.length / 2) {
                    writers = Arrays.copyOf(writers, writers.length * 2);
                }
            }
            writers[writerCount++] = writer;
            int number = threads++;
            definitions.add($RecrashLogTag.DEFINE_THREAD);
            definitions.unsigned(number);
            // The field, because getName may be overridden.
            define(String.valueOf(U.getReference(thread, THREAD_NAME)));
            return number;
        }
    }

    /** A text inside of a definition. */
    private static void define(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        definitions.unsigned(bytes.length);
        definitions.add(bytes);
    }

    /** The number of a text; -1 where it is too long. */
    static int text(String text) {
        if (text.length() > LONGEST_TEXT) {
            return -1;
        }
        text = $RecrashSecrets.without(text);
        synchronized (LOCK) {
            int slot = text.hashCode();
            slot = (slot ^ slot >>> 12) & TEXTS - 1;
            String known = KNOWN_TEXTS[slot];
            if (known != null && known.equals(text)) {
                return TEXT_IDS[slot];
            }
            if (isWellFormed(text)) {
                definitions.add($RecrashLogTag.DEFINE_TEXT);
                define(text);
            } else {
                definitions.add($RecrashLogTag.DEFINE_UNITS);
                definitions.unsigned(text.length());
                for (int i = 0; i < text.length(); i++) {
                    definitions.add(text.charAt(i));
                    definitions.add(text.charAt(i) >> 8);
                }
            }
            int number = texts++;
            if (text.length() <= 64) {
                KNOWN_TEXTS[slot] = text;
                TEXT_IDS[slot] = number;
            }
            return number;
        }
    }

    private static boolean isWellFormed(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isSurrogate(c)) {
                boolean pair = Character.isHighSurrogate(c) && i + 1 < text.length()
                        && Character.isLowSurrogate(text.charAt(i + 1));
                if (!pair) {
                    return false;
                }
                i++;
            }
        }
        return true;
    }

    static int type(int side, int flags, String name, int superclass, int[] interfaces) {
        synchronized (LOCK) {
            definitions.add($RecrashLogTag.DEFINE_TYPE);
            definitions.add(side);
            definitions.add(flags);
            define(name);
            definitions.add(superclass < 0 ? 0 : 1);
            if (superclass >= 0) {
                definitions.unsigned(superclass);
            }
            definitions.unsigned(interfaces.length);
            for (int i = 0; i < interfaces.length; i++) {
                definitions.unsigned(interfaces[i]);
            }
            return types++;
        }
    }

    static int object(int type, int kind) {
        synchronized (LOCK) {
            definitions.add($RecrashLogTag.DEFINE_OBJECT);
            definitions.unsigned(type);
            definitions.add(kind);
            return objects++;
        }
    }

    /** Hands a chunk to the agent, after what it refers to. */
    static void write(int kind, $RecrashLogBytes content) {
        write(kind, content.finish());
    }

    static void write(int kind, byte[] content) {
        synchronized (LOCK) {
            if (!on) {
                return;
            }
            if (definitions.length() > 0 && !$RecrashAgent.record($RecrashLogTag.CHUNK_DEFINITIONS, definitions.finish())) {
                on = false;
            }
            definitions.clear();
            if (on && !$RecrashAgent.record(kind, content)) {
                on = false;
            }
        }
    }

    /** What threads have not written yet is written now, and nothing any more. */
    static void end() {
        synchronized (LOCK) {
            for (int i = 0; i < writerCount; i++) {
                writers[i].writeWhole();
            }
            $RecrashLogBytes last = new $RecrashLogBytes();
            last.unsigned(0);
            write($RecrashLogTag.CHUNK_END, last);
            on = false;
        }
    }
}
