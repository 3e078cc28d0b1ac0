// crash: java.lang.NumberFormatException
// main: Closed
// options: --strategy reference

/** The same as the paper keeps it by default: as it was when all was over. */
final class ClosedByReference {}
