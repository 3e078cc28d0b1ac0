package java.lang;

/** The sites of the application's own methods, as far as the agent was asked. */
final class $RecrashOwnCode {
    private static final byte OWN = 1;
    private static final byte OTHER = 2;

    private static volatile byte[] sites = new byte[1024];

    private $RecrashOwnCode() {}

    static boolean has(int site) {
        byte[] known = sites;
        if (site < 0) {
            return false;
        }
        if (site >= known.length) {
            byte[] larger = new byte[Math.max(site + 1, known.length * 2)];
            System.arraycopy(known, 0, larger, 0, known.length);
            known = larger;
            sites = larger;
        }
        if (known[site] == 0) {
            known[site] = $RecrashAgent.isOwn(site) ? OWN : OTHER;
        }
        return known[site] == OWN;
    }
}
