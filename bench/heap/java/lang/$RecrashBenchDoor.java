package java.lang;

/** Lets the benchmark, which lives outside java.base, use walker and restorer the way recrash does. */
public final class $RecrashBenchDoor {
    private $RecrashBenchDoor() {}

    /** The heap part of the graph behind {@code root}, which gets id 1. */
    public static byte[][] capture(Object root, int maxObjects) {
        $RecrashWalker walker = new $RecrashWalker(maxObjects, 1L << 30, 60_000, Thread.currentThread());
        walker.root(root);
        byte[][] pieces = walker.finish();
        if (walker.limits().length != 0) {
            throw new IllegalStateException(walker.limits()[0]);
        }
        return pieces;
    }

    /** How many objects a heap part has. */
    public static int objects(byte[][] pieces) {
        byte[] header = pieces[0];
        return header[12] & 0xff | (header[13] & 0xff) << 8 | (header[14] & 0xff) << 16 | header[15] << 24;
    }

    /** The plan that recrash makes of such a heap part for a static method with the root as its argument. */
    public static byte[] plan(byte[][] pieces) {
        int heap = 0;
        for (int i = 0; i < pieces.length; i++) {
            heap += pieces[i].length;
        }
        $RecrashPieces out = new $RecrashPieces(heap + objects(pieces) / 8 + 100);
        out.put4($RecrashPlanFormat.MAGIC);
        out.put4($RecrashPlanFormat.VERSION);
        out.putText("HeapRounds");
        out.put4(0);
        out.put4(heap);
        for (int i = 0; i < pieces.length; i++) {
            out.putBytes(pieces[i], pieces[i].length);
        }
        int bits = objects(pieces) / 8 + 1;
        out.put4(bits);
        for (int i = 0; i < bits; i++) {
            out.put1(0xff);
        }
        out.put2(2);
        out.put1('L');
        out.put8(0);
        out.put1('L');
        out.put8(1);
        out.put4(0);
        out.put4(0);
        out.put4(0);
        return out.finish(0)[0];
    }
}
