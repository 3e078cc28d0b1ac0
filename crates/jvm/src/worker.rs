use std::collections::VecDeque;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use crate::class_path::ClassPath;
use crate::error::{Error, Result};
use crate::jdk::Jdk;
use crate::message::{Message, Outcome, PROTOCOL, Request, decode};
use crate::process::{Launch, wait};

/// A JVM that has not greeted by then never will.
const START_LIMIT: Duration = Duration::from_secs(60);
/// The worker watches a candidate's time itself, and gives one that computes on a busy machine so many times as much; this
/// much later it is taken for hung and killed.
const GRACE: Duration = Duration::from_secs(10);
const MOST_TIMES: u32 = 4;
/// An answer larger than this cannot be one.
const MESSAGE_LIMIT: u32 = 64 << 20;
/// How much of the worker's standard error is kept to explain a death.
const TAIL: usize = 4096;

/// How to start a worker JVM.
#[derive(Debug, Clone)]
pub struct WorkerOptions {
    pub jdk: Jdk,
    /// recrash-worker.jar and recrash-junit.jar, and the program's own class path for system-loader requests.
    pub class_path: ClassPath,
    /// Options of the recorded JVM that decide behaviour.
    pub jvm_arguments: Vec<String>,
    /// Used when it exists.
    pub directory: PathBuf,
}

/// The worker's answer to one request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    pub outcome: Outcome,
    /// The last lines the candidate printed.
    pub output: String,
}

/// A warm JVM that runs candidates. It is started by the first request and again after each death.
#[derive(Debug)]
pub struct Worker {
    options: WorkerOptions,
    running: Option<Running>,
    starts: u32,
}

impl Worker {
    pub fn new(options: WorkerOptions) -> Worker {
        Worker {
            options,
            running: None,
            starts: 0,
        }
    }

    /// How many JVMs were started so far.
    pub fn starts(&self) -> u32 {
        self.starts
    }

    /// Runs one candidate. An `Err` means that no worker can be had at all; whatever the candidate does, death of the
    /// JVM included, is an [`Outcome`].
    pub fn ask(&mut self, request: &Request) -> Result<Answer> {
        let mut running = self.running.take().map_or_else(|| self.start(), Ok)?;
        let message = request.message();
        if running.send(&message).is_err() {
            // It died between two requests, for a reason that belongs to an earlier candidate: start afresh once.
            running = self.start()?;
            running
                .send(&message)
                .map_err(|error| Error::WorkerStart(error.to_string()))?;
        }
        match running
            .messages
            .recv_timeout(request.limit * MOST_TIMES + GRACE)
        {
            Ok(Ok(Message::Done {
                outcome,
                restart,
                output,
            })) => {
                if !restart {
                    self.running = Some(running);
                }
                Ok(Answer { outcome, output })
            }
            Ok(Ok(Message::Ready { .. })) => Err(Error::Protocol("a second greeting".to_owned())),
            Ok(Err(error)) => Err(error),
            Err(RecvTimeoutError::Timeout) => Ok(Answer {
                outcome: Outcome::TimedOut { at: None },
                output: String::new(),
            }),
            Err(RecvTimeoutError::Disconnected) => Ok(Answer {
                outcome: Outcome::Died(running.obituary()),
                output: String::new(),
            }),
        }
    }

    fn start(&mut self) -> Result<Running> {
        self.starts += 1;
        Running::start(&self.options)
    }

    /// Ends the JVM; the next request starts a new one.
    pub fn stop(&mut self) {
        self.running = None;
    }
}

#[derive(Debug)]
struct Running {
    child: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Result<Message>>,
    errors: Arc<Mutex<Vec<u8>>>,
}

impl Running {
    fn start(options: &WorkerOptions) -> Result<Running> {
        let token = token();
        let launch = Launch::new(&options.jdk.java())
            .arguments(&options.jvm_arguments)
            .argument("-classpath")
            .argument(options.class_path.joined())
            .argument("recrash.worker.Main")
            .argument(&token)
            .directory(&options.directory);
        let mut child = launch.spawn(Stdio::piped())?;
        let messages = read_messages(child.stdout.take(), token.into_bytes());
        let errors = read_tail(child.stderr.take());
        let mut running = Running {
            input: child.stdin.take(),
            child,
            messages,
            errors,
        };
        match running.messages.recv_timeout(START_LIMIT) {
            Ok(Ok(Message::Ready { protocol: PROTOCOL })) => Ok(running),
            Ok(Ok(Message::Ready { protocol })) => Err(Error::WorkerStart(format!(
                "it speaks version {protocol} of the protocol and recrash version {PROTOCOL}: they come from different builds"
            ))),
            Ok(Ok(Message::Done { .. })) => {
                Err(Error::WorkerStart("it greets in another way".to_owned()))
            }
            Ok(Err(error)) => Err(error),
            Err(RecvTimeoutError::Timeout) => Err(Error::WorkerStart(format!(
                "no greeting in {START_LIMIT:?}"
            ))),
            Err(RecvTimeoutError::Disconnected) => Err(Error::WorkerStart(running.obituary())),
        }
    }

    fn send(&mut self, message: &[u8]) -> std::io::Result<()> {
        let Some(input) = &mut self.input else {
            return Err(std::io::ErrorKind::BrokenPipe.into());
        };
        input.write_all(message)?;
        input.flush()
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

impl Drop for Running {
    fn drop(&mut self) {
        // Closing its input asks it to end; the kill makes sure, even of shutdown hooks that hang.
        self.input = None;
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
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
) -> Receiver<Result<Message>> {
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
fn read_message(stream: &mut impl Read, token: &[u8]) -> Option<Result<Message>> {
    skip_to(stream, token).ok()?;
    let mut length = [0; 4];
    stream.read_exact(&mut length).ok()?;
    let length = u32::from_be_bytes(length);
    if length > MESSAGE_LIMIT {
        return Some(Err(Error::Protocol(format!("a message of {length} bytes"))));
    }
    let mut bytes = vec![0; length as usize];
    stream.read_exact(&mut bytes).ok()?;
    Some(decode(&bytes))
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
        assert_eq!(next(), Some(Message::Ready { protocol: 1 }));
        assert_eq!(next(), Some(Message::Ready { protocol: 2 }));
        assert_eq!(next(), None);
    }
}
