//! The agent's message file, followed while the child runs.

use crate::Listener;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How often the file is looked at.
const INTERVAL: Duration = Duration::from_millis(50);

/// The program prints its stack trace right after the agent's message: a program that ends shows its own words first,
/// one that goes on is heard of without much delay.
const COURTESY: Duration = Duration::from_millis(700);

/// Reads lines that JVMs append to `path` and hands them on, a moment later, until `done`; how many there were.
pub(crate) fn follow(path: &Path, done: &AtomicBool, listener: &dyn Listener) -> usize {
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
    follower.lines
}

#[derive(Default)]
struct Follower {
    position: u64,
    /// A line whose end is not written yet.
    partial: Vec<u8>,
    lines: usize,
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
        if !text.is_empty() {
            self.lines += 1;
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
