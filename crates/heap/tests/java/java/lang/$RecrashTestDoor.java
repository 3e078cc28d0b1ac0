package java.lang;

/** Lets the test programs, which live outside java.base, use the walker the way the agent does. */
public final class $RecrashTestDoor {
    private final $RecrashWalker walker;

    public $RecrashTestDoor(int maxObjects, long maxBytes, int maxMillis) {
        walker = new $RecrashWalker(maxObjects, maxBytes, maxMillis, Thread.currentThread(), null);
    }

    public int root(Object o) {
        return walker.root(o);
    }

    public byte[][] finish() {
        return walker.finish();
    }

    public String[] limits() {
        return walker.limits();
    }

    public static Object[] statics(Class<?>... types) {
        $RecrashStatics statics = $RecrashStatics.of(types);
        Object[] rows = new Object[statics.count];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = new Object[] {
                statics.classes[i], statics.fields[i], statics.descriptors[i], statics.references[i], statics.bits[i]
            };
        }
        return rows;
    }

    public static Object[] threadLocals() {
        return $RecrashStatics.threadLocals(Thread.currentThread(), false);
    }
}
