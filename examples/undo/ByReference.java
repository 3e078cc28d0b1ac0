// crash: java.lang.IllegalStateException
// main: Stages
// options: --strategy reference

/** The stages with the strategy reference. */
final class ByReference {}
