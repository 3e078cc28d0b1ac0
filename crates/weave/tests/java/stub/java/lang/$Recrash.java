package java.lang;

/** Stands in for the runtime: prints what woven code hands over, one line per frame, and does nothing else. */
public final class $Recrash {
    private $Recrash() {}

    public static $RecrashFrames enter(Throwable t, int site) {
        return $RecrashFrames.start("enter " + site);
    }

    public static $RecrashFrames constructing(int site) {
        return $RecrashFrames.start("constructing " + site);
    }

    public static void constructed(int site) {
        $RecrashFrames.start("constructed " + site);
    }

    public static void uncaught(Thread thread, Throwable t) {
        System.err.println("uncaught " + thread.getName() + " " + t);
    }
}
