package java.lang;

/**
 * Exceptions that the user has named, captured when they leave the first monitored method, whether they are caught further
 * out or not.
 *
 * <p>At that moment everything is as it was at the throw, and all other frames are still on the stack, from where their
 * values are read. To wait for the exception to be caught would need to know when that is.
 */
final class $RecrashNamedExceptions extends ClassValue<Boolean> {
    private static final $RecrashNamedExceptions TYPES = new $RecrashNamedExceptions();
    private static final byte NAMED = 1;
    private static final byte OTHER = 2;

    /** By site, as far as asked. */
    private static volatile byte[] sites = new byte[1024];

    private $RecrashNamedExceptions() {}

    /** Whether an exception is meant that is about to leave its first monitored frame. */
    static boolean means(Throwable t, int site) {
        if (!$RecrashHandledFailures.hears($RecrashFailureKind.NAMED)) {
            return false;
        }
        try {
            // These leave no room to read a stack.
            return !(t instanceof VirtualMachineError) && $RecrashAgent.listening() && (TYPES.get(t.getClass()) || means(site));
        } catch (Throwable exhausted) {
            return false;
        }
    }

    private static boolean means(int site) {
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
            known[site] = $RecrashAgent.namesSite(site) ? NAMED : OTHER;
        }
        return known[site] == NAMED;
    }

    @Override
    protected Boolean computeValue(Class<?> type) {
        for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
            if ($RecrashAgent.namesType(each.getName())) {
                return true;
            }
        }
        return false;
    }

    /** The values of the first frame were handed over, as far as the call took them. */
    static void capture($RecrashFrames begun) {
        begun.due = false;
        try {
            Throwable t = begun.get();
            if (t != null && !$RecrashThread.current().capturing && $RecrashRateLimit.admits()) {
                long way = begun.way($RecrashSeenPaths.step($RecrashFailureKind.NAMED, t));
                $RecrashHandledFailures.capture(t, $RecrashFailureKind.NAMED, way, begun.origin(t), begun);
            }
        } catch (Throwable trouble) {
            // The exception goes its way as if recrash were not here.
        }
    }
}
