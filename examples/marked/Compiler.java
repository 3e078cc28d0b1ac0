/**
 * A compiler's last phase in miniature, in the manner of the crash in figure 12 of the paper: what is resolved is marked,
 * by callees that return before the crash. Called again as things are at the crash, every method here finds its work
 * done and returns.
 */
final class Compiler implements Runnable {
    private final Unit[] units;
    private int next;

    Compiler(Unit... units) {
        this.units = units;
    }

    /** Compiles `new outer[].Inner()` on a thread of its own, so that no `main` can begin anew. */
    static void crash() throws InterruptedException {
        Type outer = new Type("Outer", false, new Type("Inner", false));
        Type array = new Type("Outer[]", true);
        Unit good = new Unit(new Allocation(outer, "Inner"));
        Unit bad = new Unit(new Allocation(outer, "Missing"), new Allocation(array, "Inner"));
        Thread thread = new Thread(new Compiler(good, bad), "compiler");
        thread.start();
        thread.join();
    }

    @Override
    public void run() {
        while (next < units.length) {
            take().resolve(new Problems()); // frame in ByReference: passes // frame in ByDefault, ByCopies: reproduced
        }
    }

    private Unit take() {
        return units[next++];
    }
}

final class Unit {
    private final Allocation[] statements;
    private boolean resolved;

    Unit(Allocation... statements) {
        this.statements = statements;
    }

    void resolve(Problems problems) {
        if (resolved) {
            return;
        }
        begin();
        for (Allocation statement : statements) {
            statement.resolve(problems); // frame in ByReference: passes // frame in ByDefault, ByCopies: reproduced
        }
    }

    private void begin() {
        resolved = true;
    }
}

/** `outer.new Inner()` */
final class Allocation {
    private final Type outer;
    private final String inner;
    private int bits;

    Allocation(Type outer, String inner) {
        this.outer = outer;
        this.inner = inner;
    }

    Type resolve(Problems problems) {
        if ((bits & 1) != 0) {
            return outer;
        }
        mark(1);
        Type type = null;
        boolean hasError = false;
        if (outer.isArray) {
            problems.add("an array has no instances of " + inner);
            // hasError = true; is missing.
        } else if ((type = outer.member(inner)) == null) {
            problems.add("there is no " + inner);
            hasError = true;
        }
        if (hasError) {
            return null;
        }
        if (!type.canBeInstantiated()) { // frame in ByReference: passes // frame in ByDefault, ByCopies: reproduced
            problems.add(inner + " is abstract");
        }
        return type;
    }

    private void mark(int bit) {
        bits |= bit;
    }
}

final class Type {
    final String name;
    final boolean isArray;
    private final Type[] members;

    Type(String name, boolean isArray, Type... members) {
        this.name = name;
        this.isArray = isArray;
        this.members = members;
    }

    Type member(String wanted) {
        for (Type member : members) {
            if (member.name.equals(wanted)) {
                return member;
            }
        }
        return null;
    }

    boolean canBeInstantiated() {
        return !isArray;
    }
}

final class Problems {
    private int count;

    void add(String text) {
        count++;
        System.out.println(count + ": " + text);
    }
}
