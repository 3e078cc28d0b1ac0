//! A JVM of ours that answers messages: the process, what goes to it, and what comes back.
//!
//! Each answer follows a token that only the two of us know, so that what a program prints is never taken for one.

use std::collections::VecDeque;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{BufReader, Read, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use crate::error::{Error, Result};
use crate::process::{Launch, wait};

/// An answer larger than this cannot be one.
const MESSAGE_LIMIT: u32 = 64 << 20;
/// Bytes of the process's standard error that are kept to explain its death.
const TAIL: usize = 4096;

/// A running JVM with its streams. Dropping it ends the JVM.
#[derive(Debug)]
pub(crate) struct Channel {
    child: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Result<Vec<u8>>>,
    errors: Arc<Mutex<Vec<u8>>>,
}

/// The outcome of waiting for an answer.
#[derive(Debug)]
pub(crate) enum Received {
    Message(Vec<u8>),
    /// Nothing came in time.
    Nothing,
    /// The process ended, or closed its output; in words.
    Closed(String),
}

impl Channel {
    /// Starts the JVM; the token is the last argument of its main class.
    pub(crate) fn open(launch: Launch) -> Result<Channel> {
        let token = token();
        let mut child = launch.argument(&token).spawn(Stdio::piped())?;
        let messages = read_messages(child.stdout.take(), token.into_bytes());
        let errors = read_tail(child.stderr.take());
        Ok(Channel {
            input: child.stdin.take(),
            child,
            messages,
            errors,
        })
    }

    /// Sends what [`framed`] gives.
    pub(crate) fn send(&mut self, message: &[u8]) -> std::io::Result<()> {
        let Some(input) = &mut self.input else {
            return Err(std::io::ErrorKind::BrokenPipe.into());
        };
        input.write_all(message)?;
        input.flush()
    }

    /// Waits for the next answer.
    pub(crate) fn receive(&mut self, limit: Duration) -> Result<Received> {
        match self.messages.recv_timeout(limit) {
            Ok(message) => Ok(Received::Message(message?)),
            Err(RecvTimeoutError::Timeout) => Ok(Received::Nothing),
            Err(RecvTimeoutError::Disconnected) => Ok(Received::Closed(self.obituary())),
        }
    }

    /// How it died, in words.
    fn obituary(&mut self) -> String {
        let status = wait(&mut self.child, Duration::from_secs(5));
        let how = match status {
            Ok((Some(code), false)) => format!("it ended with status {code}"),
            Ok((None, false)) => "a signal ended it".to_owned(),
            _ => "it closed its output".to_owned(),
        };
        let tail = self
            .errors
            .lock()
            .map(|bytes| String::from_utf8_lossy(&bytes).trim().to_owned());
        match tail {
            Ok(tail) if !tail.is_empty() => format!("{how}: {tail}"),
            _ => how,
        }
    }
}

impl Drop for Channel {
    fn drop(&mut self) {
        // Closing its input asks it to end; the kill makes sure, even of shutdown hooks that hang.
        self.input = None;
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A message behind its length, as both sides send it.
pub(crate) fn framed(payload: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(payload.len() + 4);
    bytes.extend((payload.len() as u32).to_be_bytes());
    bytes.extend(payload);
    bytes
}

/// Precedes each answer, so that what a candidate writes to file descriptor 1 is never taken for one.
fn token() -> String {
    let mut hasher = RandomState::new().build_hasher();
    hasher.write_u32(std::process::id());
    format!("recrash-{:016x}:", hasher.finish())
}

fn read_messages<R: Read + Send + 'static>(
    stream: Option<R>,
    token: Vec<u8>,
) -> Receiver<Result<Vec<u8>>> {
    let (sender, receiver) = mpsc::channel();
    if let Some(stream) = stream {
        thread::spawn(move || {
            let mut stream = BufReader::new(stream);
            while let Some(message) = read_message(&mut stream, &token) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
    }
    receiver
}

/// `None` at the end of the stream, whole or torn.
fn read_message(stream: &mut impl Read, token: &[u8]) -> Option<Result<Vec<u8>>> {
    skip_to(stream, token).ok()?;
    let mut length = [0; 4];
    stream.read_exact(&mut length).ok()?;
    let length = u32::from_be_bytes(length);
    if length > MESSAGE_LIMIT {
        return Some(Err(Error::Protocol(format!("a message of {length} bytes"))));
    }
    let mut bytes = vec![0; length as usize];
    stream.read_exact(&mut bytes).ok()?;
    Some(Ok(bytes))
}

fn skip_to(stream: &mut impl Read, token: &[u8]) -> std::io::Result<()> {
    let mut window = VecDeque::with_capacity(token.len() + 1);
    let mut byte = [0; 1];
    while !window.iter().eq(token) {
        stream.read_exact(&mut byte)?;
        window.extend(byte);
        if window.len() > token.len() {
            window.pop_front();
        }
    }
    Ok(())
}

fn read_tail<R: Read + Send + 'static>(stream: Option<R>) -> Arc<Mutex<Vec<u8>>> {
    let tail = Arc::new(Mutex::new(Vec::new()));
    if let Some(mut stream) = stream {
        let kept = Arc::clone(&tail);
        thread::spawn(move || {
            let mut buffer = [0; 1024];
            while let Ok(count) = stream.read(&mut buffer) {
                let Ok(mut kept) = kept.lock() else { return };
                match buffer.get(..count) {
                    Some(read) if !read.is_empty() => kept.extend_from_slice(read),
                    _ => return,
                }
                let excess = kept.len().saturating_sub(TAIL);
                kept.drain(..excess);
            }
        });
    }
    tail
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_before_and_between_answers_is_skipped() {
        let mut stream: &[u8] =
            b"noise re recrash-1:\0\0\0\x05\0\0\0\0\x01more recrash-1:\0\0\0\x05\0\0\0\0\x02";
        let token = b"recrash-1:";
        let mut next = || read_message(&mut stream, token).map(|message| message.unwrap());
        assert_eq!(next(), Some(vec![0, 0, 0, 0, 1]));
        assert_eq!(next(), Some(vec![0, 0, 0, 0, 2]));
        assert_eq!(next(), None);
    }
}
