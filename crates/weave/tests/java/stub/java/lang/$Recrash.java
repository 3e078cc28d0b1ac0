package java.lang;

/** Stands in for the runtime: counts what woven code hands over, and does nothing else. */
public final class $Recrash {
    private static final $RecrashFrames FRAMES = new $RecrashFrames();
    public static int entered;
    public static int depth;

    private $Recrash() {}

    public static $RecrashFrames enter(Throwable t, int site) {
        entered++;
        return FRAMES;
    }

    public static $RecrashFrames constructing(int site) {
        depth++;
        return FRAMES;
    }

    public static void constructed(int site) {
        depth--;
    }

    public static void uncaught(Thread thread, Throwable t) {}
}
