package recrash.retrace;

/** Where a value is from: a call, or a step of arithmetic or a comparison over other values. */
final class Tag {
    /** The value of this event; -1 for one that was computed. */
    final int event;
    /** What computed it: {@code +}, {@code equals}; null for the value of an event. */
    final String operation;
    final Tag[] of;
    final Object[] values;

    private Tag(int event, String operation, Tag[] of, Object[] values) {
        this.event = event;
        this.operation = operation;
        this.of = of;
        this.values = values;
    }

    static Tag of(int event) {
        return new Tag(event, null, null, null);
    }

    /** Null where none of the operands has one: that is a constant. */
    static Tag computed(String operation, Object[] values, Tag... of) {
        for (Tag one : of) {
            if (one != null) {
                return new Tag(-1, operation, of, values);
            }
        }
        return null;
    }

    static Tag compared(String operation, Object[] values, Tag... of) {
        return new Tag(-1, operation, of, values);
    }
}
