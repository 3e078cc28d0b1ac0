// crash: java.lang.IllegalStateException
// main: Stages
// options: --strategy undo

/** The stages with the strategy undo. */
final class Undone {}
