//! The JVM that runs the driver step by step and plays its calls again (java/worker, package recrash.retrace).

use std::ffi::OsString;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use recrash_jvm::{FOREIGN_OPTIONS, SHORT_LIVED};
use recrash_wire::record::{Bytes, Wire};
use recrash_wire::retrace::{self, Compared, Operand, Retrace, Retraced, Steps};
use recrash_wire::synth::Greeting;
use tempfile::TempDir;

use crate::error::{Error, Result};
use crate::failure::Thrown;

/// An answer larger than this cannot be one.
const MESSAGE_LIMIT: u32 = 1 << 30;

/// What the JVM's packages are opened for: whether a call changed anything is read from the fields of what it reached.
const OPENED: [&str; 5] = [
    "java.base/java.util=ALL-UNNAMED",
    "java.base/java.lang=ALL-UNNAMED",
    "java.base/java.io=ALL-UNNAMED",
    "java.base/java.text=ALL-UNNAMED",
    "java.base/java.util.concurrent=ALL-UNNAMED",
];

/// How to start it.
#[derive(Debug, Clone)]
pub struct PlayerOptions {
    pub java: PathBuf,
    /// recrash-worker.jar
    pub worker: PathBuf,
    pub class_path: Vec<PathBuf>,
    pub directory: PathBuf,
    /// The JDK still has a security manager, which must be asked for (17 to 23).
    pub guarded: bool,
    /// The program's own options of its JVM.
    pub jvm_arguments: Vec<String>,
    /// With dots.
    pub main: String,
    pub arguments: Vec<String>,
}

/// How a run of the driver ended.
#[derive(Debug, Clone)]
pub(crate) struct Drove {
    pub(crate) thrown: Option<Thrown>,
    /// Its own code threw it.
    pub(crate) by_driver: bool,
    /// The place in the driver that it came from.
    pub(crate) site: String,
    /// The event that threw it.
    pub(crate) failing: Option<usize>,
    /// Rounds of loops that can be left out: of which loop of the main method each is, 0 for those inside others.
    pub(crate) rounds: Vec<u16>,
    pub(crate) decision: Vec<Compared>,
    pub(crate) steps: Option<Steps>,
}

/// How events that were played ended.
#[derive(Debug, Clone, Default)]
pub(crate) struct Played {
    /// The event that failed.
    pub(crate) at: Option<usize>,
    pub(crate) thrown: Option<Thrown>,
    pub(crate) unresolved: Option<String>,
    /// Every call gave what it had given.
    pub(crate) same: bool,
    pub(crate) gave: Vec<Operand>,
    /// By place among the events: it changed nothing.
    pub(crate) pure: Vec<bool>,
    /// The last event changed what the roots lead to.
    pub(crate) changed: bool,
    /// What the JDK's collections gave for the last call.
    pub(crate) model: Option<Operand>,
    pub(crate) too_long: bool,
}

/// What to play.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Play<'a> {
    pub(crate) kept: &'a [u32],
    pub(crate) watched: &'a [u32],
    pub(crate) fresh: bool,
    pub(crate) looks: bool,
    /// The same calls are made on collections of the JDK.
    pub(crate) models: bool,
    /// Objects that the last event may have changed.
    pub(crate) roots: &'a [u32],
}

pub(crate) struct Player {
    options: PlayerOptions,
    limit: u32,
    running: Option<Running>,
    /// What a JVM that starts anew has to know.
    loaded: Option<Steps>,
    pub(crate) trials: u64,
}

struct Running {
    child: Child,
    /// For temporary files; gone with the JVM.
    _scratch: TempDir,
    input: BufWriter<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may hang in a program's code; nothing in it is worth waiting for.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Player {
    /// A single trial may take `limit` milliseconds.
    pub(crate) fn new(options: PlayerOptions, limit: u32) -> Player {
        Player {
            options,
            limit,
            running: None,
            loaded: None,
            trials: 0,
        }
    }

    /// Runs the driver from its beginning; `left` is what to leave out, `None` finds out what can be.
    pub(crate) fn drive(
        &mut self,
        left: Option<&[u8]>,
        adopt: bool,
        fresh: bool,
        limit: Option<u32>,
    ) -> Result<Option<Drove>> {
        let command = Retrace::Drive {
            limit_millis: limit.unwrap_or(self.limit),
            fresh,
            adopt,
            left: left.map(|left| Bytes(left.to_vec())),
        };
        match self.ask(&command)? {
            Retraced::Drove {
                class_name,
                message,
                trace,
                by_driver,
                site,
                failing,
                rounds,
                decision,
                events,
            } => {
                let steps: Option<Steps> = events.map(|bytes| decode(&bytes)).transpose()?;
                let decision = decision.map(|bytes| decode(&bytes)).transpose()?;
                if steps.is_some() {
                    self.loaded.clone_from(&steps);
                }
                Ok(Some(Drove {
                    thrown: class_name.map(|class| Thrown::new(class, message, &trace)),
                    by_driver,
                    site,
                    failing: usize::try_from(failing).ok(),
                    rounds,
                    decision: decision.unwrap_or_default(),
                    steps,
                }))
            }
            Retraced::Unsupported { what } => Err(Error::Unsupported {
                main: self.options.main.clone(),
                what,
            }),
            Retraced::Late {} => Ok(None),
            Retraced::TooLong {} => {
                self.running = None;
                Ok(None)
            }
            Retraced::Played { .. } => Err(Error::Answer("it played".to_owned())),
        }
    }

    /// These are the events from now on.
    pub(crate) fn load(&mut self, steps: &Steps) -> Result<()> {
        self.loaded = Some(steps.clone());
        if self.running.is_none() {
            self.running = Some(self.start()?);
        }
        let told = match self.running.as_mut() {
            Some(running) => running.load(steps),
            None => Ok(()),
        };
        told.map_err(|error| Error::Player(error.to_string()))
    }

    pub(crate) fn play(&mut self, play: Play<'_>) -> Result<Played> {
        self.trials += 1;
        let command = Retrace::Play {
            limit_millis: self.limit,
            fresh: play.fresh,
            looks: play.looks,
            models: play.models,
            kept: play.kept.to_vec(),
            watched: play.watched.to_vec(),
            roots: play.roots.to_vec(),
        };
        match self.ask(&command)? {
            Retraced::Played {
                at,
                class_name,
                message,
                trace,
                unresolved,
                same,
                gave,
                pure_events,
                changed,
                model,
            } => Ok(Played {
                at: usize::try_from(at).ok(),
                thrown: class_name.map(|class| Thrown::new(class, message, &trace)),
                unresolved,
                same,
                gave: decode(&gave)?,
                pure: bits(&pure_events.0, play.kept.len()),
                changed,
                model: model.map(|model| decode(&model)).transpose()?,
                too_long: false,
            }),
            Retraced::TooLong {} => {
                self.running = None;
                Ok(Played {
                    too_long: true,
                    ..Played::default()
                })
            }
            _ => Err(Error::Answer("it did not play".to_owned())),
        }
    }

    /// A JVM that ended without a word did so of what it was asked.
    fn ask(&mut self, command: &Retrace) -> Result<Retraced> {
        let mut running = match self.running.take() {
            Some(running) => running,
            None => self.start()?,
        };
        let answered = running
            .tell(command)
            .and_then(|()| running.message::<Retraced>());
        match answered {
            Ok(answer) => {
                self.running = Some(running);
                Ok(answer)
            }
            Err(error) if error.kind() == std::io::ErrorKind::InvalidData => {
                Err(Error::Answer(error.to_string()))
            }
            Err(_) => Ok(Retraced::TooLong {}),
        }
    }

    fn start(&self) -> Result<Running> {
        let token = format!("{:016x}", RandomState::new().build_hasher().finish());
        let mut java = Command::new(&self.options.java);
        java.args(SHORT_LIVED)
            .args(["-Xmx1g", "-Djava.awt.headless=true"]);
        let scratch = tempfile::tempdir().map_err(|error| Error::Player(error.to_string()))?;
        let mut option = OsString::from("-Djava.io.tmpdir=");
        option.push(scratch.path());
        java.arg(option);
        if self.options.guarded {
            java.arg("-Djava.security.manager=allow");
        }
        for package in OPENED {
            java.args(["--add-opens", package]);
        }
        java.args(&self.options.jvm_arguments);
        java.arg("-cp").arg(&self.options.worker);
        java.args(["recrash.retrace.Main", &token]);
        java.current_dir(&self.options.directory);
        for variable in FOREIGN_OPTIONS {
            java.env_remove(variable);
        }
        java.stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let start = |error: std::io::Error| Error::Player(error.to_string());
        let mut child = java.spawn().map_err(start)?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(Error::Player("it has no streams".to_owned()));
        };
        let mut running = Running {
            child,
            _scratch: scratch,
            input: BufWriter::new(input),
            output: BufReader::new(output),
        };
        let greeting: Greeting = running.message().map_err(start)?;
        if greeting.token != token || greeting.version != retrace::VERSION {
            return Err(Error::Player(
                "it is of another build of recrash".to_owned(),
            ));
        }
        let paths = self.options.class_path.iter();
        running
            .tell(&Retrace::Begin {
                class_path: paths
                    .map(|entry| entry.to_string_lossy().into_owned())
                    .collect(),
                driver: self.options.main.clone(),
                arguments: self.options.arguments.clone(),
            })
            .map_err(start)?;
        if let Some(steps) = &self.loaded {
            running.load(steps).map_err(start)?;
        }
        Ok(running)
    }
}

impl Running {
    fn tell(&mut self, command: &Retrace) -> std::io::Result<()> {
        self.input.write_all(&command.encode())?;
        self.input.flush()
    }

    fn load(&mut self, steps: &Steps) -> std::io::Result<()> {
        let last = steps.steps.iter().map(|step| step.result).max();
        self.tell(&Retrace::Load {
            objects: last.map_or(0, |last| (last + 1) as u32),
            steps: Bytes(steps.encode()),
        })
    }

    /// Reads a message behind its length.
    fn message<T: Wire>(&mut self) -> std::io::Result<T> {
        let mut length = [0; 4];
        self.output.read_exact(&mut length)?;
        let length = u32::from_be_bytes(length);
        if length > MESSAGE_LIMIT {
            return Err(std::io::ErrorKind::InvalidData.into());
        }
        let mut bytes = vec![0; length as usize];
        self.output.read_exact(&mut bytes)?;
        T::decode(retrace::WHAT, &bytes)
            .map_err(|error| std::io::Error::new(std::io::ErrorKind::InvalidData, error))
    }
}

fn decode<T: Wire>(bytes: &Bytes) -> Result<T> {
    T::decode(retrace::WHAT, &bytes.0).map_err(|error| Error::Answer(error.to_string()))
}

/// As `java.util.BitSet` writes them.
fn bits(bytes: &[u8], count: usize) -> Vec<bool> {
    (0..count)
        .map(|at| {
            bytes
                .get(at / 8)
                .is_some_and(|byte| byte >> (at % 8) & 1 == 1)
        })
        .collect()
}
