package java.lang;

/** Tells the application's own classes from those of libraries and of the JDK. */
final class $RecrashWhose {
    private static final byte OWN = 1;
    private static final byte OTHER = 2;

    /** Open addressing by identity of the class. */
    private Class<?>[] types = new Class<?>[512];
    private byte[] answers = new byte[512];
    private int known;

    /** Whether those who wrote the application wrote the class; a subclass that a library made of such a class counts, too. */
    boolean isOwn(Class<?> type) {
        int slot = slot(type);
        if (types[slot] == null) {
            byte answer = ask(type) ? OWN : OTHER;
            if (2 * ++known > types.length) {
                grow();
            }
            slot = slot(type);
            types[slot] = type;
            answers[slot] = answer;
        }
        return answers[slot] == OWN;
    }

    private static boolean ask(Class<?> type) {
        Class<?> component = type;
        while (component.isArray()) {
            component = component.getComponentType();
        }
        for (Class<?> c = component; c != null && !$RecrashOpaque.isJdk(c); c = c.getSuperclass()) {
            if ($RecrashAgent.owns((c.isHidden() ? c.getNestHost() : c).getName())) {
                return true;
            }
        }
        return false;
    }

    private int slot(Class<?> type) {
        int mask = types.length - 1;
        int slot = System.identityHashCode(type) & mask;
        while (types[slot] != null && types[slot] != type) {
            slot = slot + 1 & mask;
        }
        return slot;
    }

    private void grow() {
        Class<?>[] old = types;
        byte[] told = answers;
        types = new Class<?>[old.length * 2];
        answers = new byte[types.length];
        for (int i = 0; i < old.length; i++) {
            if (old[i] != null) {
                int slot = slot(old[i]);
                types[slot] = old[i];
                answers[slot] = told[i];
            }
        }
    }
}
