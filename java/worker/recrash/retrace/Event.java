package recrash.retrace;

/** One thing that the driver did: it called, made or fetched something. */
final class Event {
    static final int NEW = 0;
    static final int CALL = 1;
    static final int FIELD = 2;
    static final int ARRAY = 3;
    static final int LAMBDA = 4;
    static final int PUT = 5;

    final int kind;
    final Member member;
    /** Null for static members. */
    final Object receiver;
    /** A {@link Ref}, or a value as it is. */
    final Object[] arguments;
    /** Whether it reached the code that is looked into. */
    boolean inside;
    /** The number of the object that it gave; -1 for none. */
    int result = -1;
    /** What it gave, if that is no object. */
    Object value;
    boolean threw;

    Event(int kind, Member member, Object receiver, Object[] arguments) {
        this.kind = kind;
        this.member = member;
        this.receiver = receiver;
        this.arguments = arguments;
    }

    /** An object of the trace. */
    static final class Ref {
        final int number;

        Ref(int number) {
            this.number = number;
        }
    }

    /** A class by its name. */
    static final class TypeName {
        final String name;

        TypeName(String name) {
            this.name = name;
        }
    }

    /** A constructor, a method or a field by name; a type in {@code owner} alone. */
    static final class Member {
        final String owner;
        final String name;
        final String descriptor;
        Object found;

        Member(String owner, String name, String descriptor) {
            this.owner = owner;
            this.name = name;
            this.descriptor = descriptor;
        }
    }
}
