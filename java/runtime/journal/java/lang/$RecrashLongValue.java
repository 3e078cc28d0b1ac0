package java.lang;

/** An old value of 64 bits in a {@link $RecrashJournal}, where most have half as many. */
final class $RecrashLongValue {
    final long bits;

    $RecrashLongValue(long bits) {
        this.bits = bits;
    }
}
