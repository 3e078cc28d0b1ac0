package java.lang;

import jdk.internal.misc.Unsafe;

/** The start of the recorder, once the JVM is up. */
final class $RecrashStart {
    private $RecrashStart() {}

    /**
     * Called by the agent: everything a handler touches gets loaded, linked and run once, because a handler may run with no
     * stack left to load a class. The walker's classes wait for a failure: some of them need reflection, which would cost
     * every start some milliseconds.
     */
    static void start(int objects, long bytes, int millis, boolean near) {
        Class<?>[] used = {$RecrashFailure.class, $RecrashChain.class, $RecrashBytes.class, $RecrashEnvironment.class};
        for (Class<?> type : used) {
            Unsafe.getUnsafe().ensureClassInitialized(type);
        }
        Throwable rehearsal = new $RecrashRehearsalThrowable();
        for (int site = 0; site < $RecrashFrames.FIRST + 3 * $RecrashFrames.LAST; site++) {
            $RecrashFrames frames = $Recrash.enter(rehearsal, site, null, null, null, null, null, 1, 1);
            frames.put((Object) null);
            frames.put(1);
            frames.put(1L);
            frames.put(1.0f);
            frames.put(1.0);
        }
        $Recrash.enter(new OutOfMemoryError(), 0).put((Object) null);
        $RecrashThread.current().forgetAll();
        $RecrashAgent.listen(objects, bytes, millis, near);
    }
}
