use std::io::{IsTerminal, Write, stderr};

/// Shows what is being done, over the last such line; nothing where nobody watches.
pub fn show(text: &str) {
    if stderr().is_terminal() {
        eprint!("\r\x1b[K{text}");
        // A progress line that cannot be written is not worth an error.
        let _ = stderr().flush();
    }
}

/// Takes the last line away.
pub fn clear() {
    show("");
}
