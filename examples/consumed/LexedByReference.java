// crash: java.lang.NumberFormatException
// main: Lexed
// options: --strategy reference

/** The same with nothing kept but references. */
final class LexedByReference {}
