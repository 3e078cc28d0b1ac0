package java.lang;

/** An old value of 64 bits in a {@link $RecrashJournal}, where most have half as many. */
final class $RecrashWide {
    final long bits;

    $RecrashWide(long bits) {
        this.bits = bits;
    }
}
