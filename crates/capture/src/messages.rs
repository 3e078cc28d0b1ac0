//! The agent's message file, followed while the child runs.

use crate::Listener;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use recrash_wire::passed::Passed;

/// How often the file is looked at.
const INTERVAL: Duration = Duration::from_millis(50);

/// The program prints its stack trace right after the agent's message: a program that ends shows its own words first,
/// one that goes on is heard of without much delay.
const COURTESY: Duration = Duration::from_millis(700);

/// Everything that was in the file.
#[derive(Debug, Default)]
pub(crate) struct Messages {
    /// How many lines were handed on.
    pub lines: usize,
    /// What is not for reading: exceptions that passed unheard.
    pub passed: Vec<Passed>,
}

/// Reads lines that JVMs append to `path` and hands them on, a moment later, until `done`.
pub(crate) fn follow(path: &Path, done: &AtomicBool, listener: &dyn Listener) -> Messages {
    let mut follower = Follower::default();
    let mut grown: Option<Instant> = None;
    while !done.load(Ordering::Acquire) {
        let longer = path
            .metadata()
            .is_ok_and(|file| file.len() > follower.position);
        let since = longer.then(|| *grown.get_or_insert_with(Instant::now));
        if since.is_some_and(|since| since.elapsed() >= COURTESY) {
            follower.read(path, listener);
            grown = None;
        }
        std::thread::park_timeout(INTERVAL);
    }
    follower.read(path, listener);
    follower.finish(listener);
    follower.messages
}

#[derive(Default)]
struct Follower {
    position: u64,
    /// A line whose end is not written yet.
    partial: Vec<u8>,
    messages: Messages,
}

impl Follower {
    fn read(&mut self, path: &Path, listener: &dyn Listener) {
        // Gone or unreadable means no messages; the snapshots speak for themselves.
        let Ok(mut file) = File::open(path) else {
            return;
        };
        let mut bytes = Vec::new();
        if file.seek(SeekFrom::Start(self.position)).is_err()
            || file.read_to_end(&mut bytes).is_err()
        {
            return;
        }
        self.position += bytes.len() as u64;
        self.partial.extend_from_slice(&bytes);
        while let Some(end) = self.partial.iter().position(|&byte| byte == b'\n') {
            let line: Vec<u8> = self.partial.drain(..=end).collect();
            self.hand_on(&line, listener);
        }
    }

    fn finish(&mut self, listener: &dyn Listener) {
        let rest = std::mem::take(&mut self.partial);
        self.hand_on(&rest, listener);
    }

    fn hand_on(&mut self, line: &[u8], listener: &dyn Listener) {
        let text = String::from_utf8_lossy(line);
        let text = text.trim_end();
        let text = text.strip_prefix("recrash: ").unwrap_or(text);
        if let Some(passed) = Passed::read(text) {
            self.messages.passed.push(passed);
        } else if !text.is_empty() {
            self.messages.lines += 1;
            listener.line(text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::sync::Mutex;

    #[derive(Default)]
    struct Heard(Mutex<Vec<String>>);

    impl Listener for Heard {
        fn line(&self, text: &str) {
            self.0.lock().unwrap().push(text.to_owned());
        }

        fn progress(&self, _: &str) {}
    }

    #[test]
    fn what_passed_unheard_is_kept_and_not_handed_on() {
        let passed = Passed {
            class: "a.B".to_owned(),
            method: "a.C.d".to_owned(),
            is_unchecked: true,
            times: 2,
            latest: 7,
        };
        let mut file = tempfile::NamedTempFile::new().unwrap();
        writeln!(file, "recrash: one\nrecrash: {}", passed.line()).unwrap();
        let heard = Heard::default();
        let mut follower = Follower::default();
        follower.read(file.path(), &heard);
        assert_eq!(*heard.0.lock().unwrap(), ["one"]);
        assert_eq!(follower.messages.lines, 1);
        assert_eq!(follower.messages.passed, [passed]);
    }

    #[test]
    fn lines_are_handed_on_once_and_half_lines_only_at_the_end() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        let heard = Heard::default();
        let mut follower = Follower::default();
        write!(file, "recrash: one\nrecrash: tw").unwrap();
        follower.read(file.path(), &heard);
        assert_eq!(*heard.0.lock().unwrap(), ["one"]);
        write!(file, "o\nthree").unwrap();
        follower.read(file.path(), &heard);
        follower.finish(&heard);
        assert_eq!(*heard.0.lock().unwrap(), ["one", "two", "three"]);
    }
}
