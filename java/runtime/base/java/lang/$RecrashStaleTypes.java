package java.lang;

/**
 * The types whose fields stay as they were at the failure, because a class that wrote them has given way: journals know a
 * part of such writes only, and a state that never was is worse than a late one.
 */
final class $RecrashStaleTypes {
    private static final int NEVER = Integer.MAX_VALUE;

    private final $RecrashIdentities known;
    private final $RecrashIdentities late;
    /** Journals tell of objects of one class in a row. */
    private Class<?> latest;
    private boolean isLate;

    /** {@code hashed} says that all classes have been asked for their identity hash before. */
    $RecrashStaleTypes(boolean hashed) {
        known = hashed ? new $RecrashIdentities() : new $RecrashIdentities(NEVER);
        late = hashed ? new $RecrashIdentities() : new $RecrashIdentities(NEVER);
    }

    /** An object of that class has the fields of all that it extends. */
    boolean is(Class<?> type) {
        if (type != latest) {
            isLate = known.add(type) ? find(type) && late.add(type) : late.contains(type);
            latest = type;
        }
        return isLate;
    }

    private static boolean find(Class<?> type) {
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            if ($RecrashAgent.isLate(c.getName())) {
                return true;
            }
        }
        return false;
    }
}
