// crash: java.lang.NumberFormatException
// main: Consumed
// options: --no-second-look

/** The same without a second look: only what was captured counts. */
final class OneLook {}
