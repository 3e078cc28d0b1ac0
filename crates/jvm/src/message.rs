//! Candidates and what became of them, as messages to and from the worker JVM (java/worker). `wire` declares the bytes.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use recrash_trace::TraceLine;
use recrash_wire::record::{Bytes, Wire};
use recrash_wire::worker::{self, Subject};

use crate::channel::framed;
use crate::error::{Error, Result};

/// Both sides name it in their greeting; a jar of another version is refused.
pub(crate) const PROTOCOL: u32 = worker::VERSION;

/// One candidate to run: restore a frame by a plan and call its method.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    pub subject: Arc<Subject>,
    pub class_path: Vec<PathBuf>,
    pub limit: Duration,
    /// Bytes of stack for the thread that runs the candidate; 0 for the JVM's default.
    pub stack_size: u64,
    pub loader: Loader,
    /// The restore plan, which says what the method is called with.
    pub plan: Vec<u8>,
}

/// Which class loader has the candidate's classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loader {
    /// One made for this request: static state is as class initialisation leaves it.
    Own,
    /// The worker's own system class loader; the worker must have been started with the program's class path.
    System,
    /// One that stays for further requests of the same class path. Faster by far, but what earlier candidates did to
    /// static state that no plan replaces is still done.
    Kept,
    /// As `Kept`, but a new one takes the place of the old.
    KeptAnew,
}

impl Loader {
    fn code(self) -> u8 {
        match self {
            Loader::Own => worker::OWN_LOADER,
            Loader::System => worker::SYSTEM_LOADER,
            Loader::Kept => worker::KEPT_LOADER,
            Loader::KeptAnew => worker::KEPT_LOADER_ANEW,
        }
    }
}

/// What became of a candidate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    Returned,
    /// The throwable and its causes, outermost first.
    Threw(Vec<Thrown>),
    /// The frame could not be brought to life; a sentence.
    NotRestored(String),
    /// Where it was when its time was up.
    TimedOut {
        at: Option<String>,
    },
    /// `System.exit` or the like, and who called it.
    Exited {
        by: Option<String>,
    },
    /// The worker JVM died; what is known about it.
    Died(String),
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Thrown {
    pub class: String,
    /// `class` was read from a printed trace, where a program's own `toString` may have put something else.
    pub printed: bool,
    pub message: Option<String>,
    /// Its own methods fail when it is to be printed: a test that throws it could not be reported.
    pub unprintable: bool,
    /// The object of the snapshot that it is, where it was restored and not made anew; 0 where it was, or nobody knows.
    pub restored: u32,
    pub trace: Vec<TraceLine>,
}

/// A message of the worker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Message {
    Ready {
        protocol: u32,
    },
    Done {
        outcome: Outcome,
        restart: bool,
        output: String,
    },
}

impl Request {
    /// The request as it travels, its length first.
    pub fn message(&self) -> Vec<u8> {
        let text = |path: &PathBuf| path.to_string_lossy().into_owned();
        let message = worker::Request {
            version: PROTOCOL,
            subject: (*self.subject).clone(),
            class_path: self.class_path.iter().map(text).collect(),
            limit_millis: self.limit.as_millis() as u64,
            stack_size: self.stack_size,
            loader: self.loader.code(),
            plan: Bytes(self.plan.clone()),
        };
        framed(&message.encode())
    }
}

pub(crate) fn decode(bytes: &[u8]) -> Result<Message> {
    use worker::Answer;
    let answer = Answer::decode(worker::WHAT, bytes);
    let (outcome, restart, output) =
        match answer.map_err(|error| Error::Protocol(error.to_string()))? {
            Answer::Ready { version } => return Ok(Message::Ready { protocol: version }),
            Answer::Returned { restart, output } => (Outcome::Returned, restart, output),
            Answer::Threw {
                chain,
                restart,
                output,
            } => {
                let chain = chain.into_iter().map(thrown).collect();
                (Outcome::Threw(chain), restart, output)
            }
            Answer::NotRestored {
                reason,
                restart,
                output,
            } => (Outcome::NotRestored(reason), restart, output),
            Answer::TimedOut {
                place,
                restart,
                output,
            } => (Outcome::TimedOut { at: place }, restart, output),
            Answer::Exited {
                caller,
                restart,
                output,
            } => (Outcome::Exited { by: caller }, restart, output),
        };
    Ok(Message::Done {
        outcome,
        restart,
        output,
    })
}

fn thrown(thrown: worker::Thrown) -> Thrown {
    Thrown {
        class: thrown.class_name,
        printed: false,
        message: thrown.message,
        unprintable: !thrown.printable,
        restored: thrown.restored,
        trace: thrown.trace.into_iter().map(trace_line).collect(),
    }
}

fn trace_line(line: worker::TraceLine) -> TraceLine {
    TraceLine {
        class: line.class_name,
        method: line.method,
        file: line.file,
        line: line.line,
        module: line.module,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_cut_anywhere_is_an_error_and_never_a_panic() {
        let bytes = worker::Answer::Threw {
            chain: vec![worker::Thrown {
                class_name: "java.lang.Error".into(),
                message: None,
                printable: true,
                restored: 0,
                trace: Vec::new(),
            }],
            restart: true,
            output: "tail".into(),
        }
        .encode();
        let whole = decode(&bytes).unwrap();
        let thrown = Thrown {
            class: "java.lang.Error".into(),
            ..Thrown::default()
        };
        assert_eq!(
            whole,
            Message::Done {
                outcome: Outcome::Threw(vec![thrown]),
                restart: true,
                output: "tail".into()
            }
        );
        for end in 0..bytes.len() {
            decode(&bytes[..end]).unwrap_err();
        }
    }

    #[test]
    fn a_huge_count_reserves_nothing() {
        decode(&[2, 0xff, 0xff, 0xff, 0xff]).unwrap_err();
    }
}
