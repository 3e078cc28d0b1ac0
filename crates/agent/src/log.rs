//! One line per message, to standard error or the file that `log=` names.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;
use std::sync::OnceLock;

struct Sink {
    file: Option<PathBuf>,
    verbose: bool,
}

static SINK: OnceLock<Sink> = OnceLock::new();

pub fn configure(file: Option<PathBuf>, verbose: bool) {
    let _ = SINK.set(Sink { file, verbose });
}

/// Says something the user needs to know.
pub fn say(message: &str) {
    // One write call per line, so that lines of several threads and of the program itself do not mix.
    let line = format!("recrash: {}\n", message.replace(['\n', '\r'], " "));
    if let Some(file) = SINK.get().and_then(|sink| sink.file.as_ref()) {
        let opened = OpenOptions::new().create(true).append(true).open(file);
        if opened.is_ok_and(|mut file| file.write_all(line.as_bytes()).is_ok()) {
            return;
        }
    }
    let _ = std::io::stderr().write_all(line.as_bytes());
}

/// Says something only `verbose=1` asks for.
pub fn detail(message: impl FnOnce() -> String) {
    if SINK.get().is_some_and(|sink| sink.verbose) {
        say(&message());
    }
}
