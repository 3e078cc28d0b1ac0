package java.lang;

/** The journal of a thread that has noted nothing yet. */
final class $RecrashEmptyJournal extends $RecrashEntryState {
    static final $RecrashEmptyJournal INSTANCE = new $RecrashEmptyJournal();

    private $RecrashEmptyJournal() {}

    @Override
    boolean isFirst() {
        return true;
    }

    @Override
    int primitives() {
        return 1;
    }

    /** Nothing was different, but it was asked. */
    @Override
    void tell(int mark, $RecrashChanges changes) {
        if (mark != 0) {
            changes.reached(this, 0, 0);
        }
    }
}
