use std::path::PathBuf;
use std::time::Duration;

use crate::channel::{Channel, Received};
use crate::class_path::ClassPath;
use crate::error::{Error, Result};
use crate::jdk::Jdk;
use crate::message::{Message, Outcome, PROTOCOL, Request, decode};
use crate::process::Launch;

/// A JVM that has not greeted by then never will.
const START_LIMIT: Duration = Duration::from_secs(60);
/// The worker watches a candidate's time itself, and gives one that computes on a busy machine so many times as much; this
/// much later it is taken for hung and killed.
const GRACE: Duration = Duration::from_secs(10);
/// The most that a computing candidate's time is stretched on a busy machine.
const MOST_TIMES: u32 = 4;

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
    running: Option<Channel>,
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
        match running.receive(request.limit * MOST_TIMES + GRACE)? {
            Received::Message(bytes) => match decode(&bytes)? {
                Message::Done {
                    outcome,
                    restart,
                    output,
                } => {
                    if !restart {
                        self.running = Some(running);
                    }
                    Ok(Answer { outcome, output })
                }
                Message::Ready { .. } => Err(Error::Protocol("a second greeting".to_owned())),
            },
            Received::Nothing => Ok(Answer {
                outcome: Outcome::TimedOut { at: None },
                output: String::new(),
            }),
            Received::Closed(how) => Ok(Answer {
                outcome: Outcome::Died(how),
                output: String::new(),
            }),
        }
    }

    fn start(&mut self) -> Result<Channel> {
        self.starts += 1;
        start(&self.options)
    }

    /// Ends the JVM; the next request starts a new one.
    pub fn stop(&mut self) {
        self.running = None;
    }
}

fn start(options: &WorkerOptions) -> Result<Channel> {
    let launch = Launch::new(&options.jdk.java())
        .arguments(&options.jvm_arguments)
        .argument("-classpath")
        .argument(options.class_path.joined())
        .argument("recrash.worker.Main")
        .directory(&options.directory);
    let mut channel = Channel::open(launch)?;
    match channel.receive(START_LIMIT)? {
        Received::Message(bytes) => match decode(&bytes)? {
            Message::Ready { protocol: PROTOCOL } => Ok(channel),
            Message::Ready { protocol } => Err(Error::WorkerStart(format!(
                "it speaks version {protocol} of the protocol and recrash version {PROTOCOL}: they come from different builds"
            ))),
            Message::Done { .. } => Err(Error::WorkerStart("it greets in another way".to_owned())),
        },
        Received::Nothing => Err(Error::WorkerStart(format!(
            "no greeting in {START_LIMIT:?}"
        ))),
        Received::Closed(how) => Err(Error::WorkerStart(how)),
    }
}
