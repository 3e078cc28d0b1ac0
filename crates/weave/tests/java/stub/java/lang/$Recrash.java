package java.lang;

/** Stands in for the runtime: prints what woven code hands over, one line per frame, and does nothing else. */
public final class $Recrash {
    private $Recrash() {}

    public static $RecrashFrames enter(Throwable t, int site) {
        return $RecrashFrames.start("enter " + site);
    }

    public static $RecrashFrames enter(Throwable t, int site, int i) {
        return enter(t, site).with(i);
    }

    public static $RecrashFrames enter(Throwable t, int site, int i, int j) {
        return enter(t, site, i).with(j);
    }

    public static $RecrashFrames enter(Throwable t, int site, Object a) {
        return enter(t, site).with(a);
    }

    public static $RecrashFrames enter(Throwable t, int site, Object a, int i) {
        return enter(t, site, a).with(i);
    }

    public static $RecrashFrames enter(Throwable t, int site, Object a, int i, int j) {
        return enter(t, site, a, i).with(j);
    }

    public static $RecrashFrames enter(Throwable t, int site, Object a, Object b) {
        return enter(t, site, a).with(b);
    }

    public static $RecrashFrames enter(Throwable t, int site, Object a, Object b, int i) {
        return enter(t, site, a, b).with(i);
    }

    public static $RecrashFrames enter(Throwable t, int site, Object a, Object b, int i, int j) {
        return enter(t, site, a, b, i).with(j);
    }

    public static $RecrashFrames enter(Throwable t, int site, Object a, Object b, Object c) {
        return enter(t, site, a, b).with(c);
    }

    public static $RecrashFrames enter(Throwable t, int site, Object a, Object b, Object c, int i) {
        return enter(t, site, a, b, c).with(i);
    }

    public static $RecrashFrames enter(Throwable t, int site, Object a, Object b, Object c, int i, int j) {
        return enter(t, site, a, b, c, i).with(j);
    }

    public static $RecrashFrames enter(Throwable t, int site, Object a, Object b, Object c, Object d) {
        return enter(t, site, a, b, c).with(d);
    }

    public static $RecrashFrames enter(Throwable t, int site, Object a, Object b, Object c, Object d, int i) {
        return enter(t, site, a, b, c, d).with(i);
    }

    public static $RecrashFrames enter(Throwable t, int site, Object a, Object b, Object c, Object d, int i, int j) {
        return enter(t, site, a, b, c, d, i).with(j);
    }

    public static $RecrashFrames enter(Throwable t, int site, Object a, Object b, Object c, Object d, Object e) {
        return enter(t, site, a, b, c, d).with(e);
    }

    public static $RecrashFrames enter(Throwable t, int site, Object a, Object b, Object c, Object d, Object e, int i) {
        return enter(t, site, a, b, c, d, e).with(i);
    }

    public static $RecrashFrames enter(
            Throwable t, int site, Object a, Object b, Object c, Object d, Object e, int i, int j) {
        return enter(t, site, a, b, c, d, e, i).with(j);
    }

    public static void uncaught(Thread thread, Throwable t) {
        System.err.println("uncaught " + thread.getName() + " " + t);
    }
}
