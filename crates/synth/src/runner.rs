//! The JVM that runs programs (java/worker, package recrash.synth). `wire` declares what travels between.

use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;

use recrash_jvm::{FOREIGN_OPTIONS, SHORT_LIVED};
use recrash_trace::TraceLine;
use recrash_wire::record::{Bytes, Wire};
use recrash_wire::synth as wire;
use tempfile::TempDir;

use crate::error::{Error, Result};
use crate::probes::FIRST_ASKED;
use crate::sequence::{Literal, Sequence, Statement, Var};
use crate::stand_in::{Open, StandIn};
use crate::world::{CallKind, binary_name};

/// An answer larger than this cannot be one.
const MESSAGE_LIMIT: u32 = 64 << 20;

/// For the program's classes.
pub(crate) const ENABLE_ASSERTIONS: &str = "-ea";

/// How to start it.
#[derive(Debug, Clone)]
pub(crate) struct RunnerOptions {
    pub(crate) java: PathBuf,
    /// recrash-worker.jar
    pub(crate) worker: PathBuf,
    pub(crate) class_path: Vec<PathBuf>,
    pub(crate) directory: PathBuf,
    /// The JDK still has a security manager, which must be asked for (17 to 23).
    pub(crate) guarded: bool,
    /// The crash is a failed `assert`, which the JVM must be told to look at.
    pub(crate) assertions: bool,
    /// A program that runs longer ends the JVM.
    pub(crate) milliseconds: u32,
}

/// What became of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ran {
    pub(crate) end: End,
    /// The statement that ended it.
    pub(crate) statement: usize,
    /// Statements of the program.
    pub(crate) length: usize,
    /// What it was not allowed to do.
    pub(crate) refused: Option<String>,
    pub(crate) passed: Vec<u16>,
    /// Probes of stand-ins' methods.
    pub(crate) asked: Vec<u16>,
    /// Of the statements that ran: which gave something else than null.
    pub(crate) gave: Vec<bool>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum End {
    Passed,
    Threw {
        class: String,
        message: String,
        trace: Vec<TraceLine>,
    },
    TooLong,
    /// A class is missing or a value does not fit: nothing of the program's own.
    Impossible(String),
}

pub(crate) struct Runner {
    options: RunnerOptions,
    woven: Vec<(String, Vec<u8>)>,
    running: Option<Running>,
    pub(crate) starts: u32,
    pub(crate) runs: u64,
}

/// Kind, owner, name, descriptor.
type Member = (u8, Arc<str>, Arc<str>, Arc<str>);

struct Running {
    child: Child,
    /// For temporary files; gone with the JVM.
    _scratch: TempDir,
    input: BufWriter<ChildStdin>,
    output: BufReader<ChildStdout>,
    members: HashMap<Member, u32>,
    /// Classes that the JVM was told of.
    stand_ins: HashSet<Arc<str>>,
}

impl Runner {
    pub(crate) fn new(options: RunnerOptions, woven: Vec<(String, Vec<u8>)>) -> Runner {
        Runner {
            options,
            woven,
            running: None,
            starts: 0,
            runs: 0,
        }
    }

    /// Runs programs one after the other, static state kept; after one that took too long it starts anew.
    pub(crate) fn run(&mut self, programs: &[Sequence]) -> Result<Vec<Ran>> {
        let mut answers = Vec::with_capacity(programs.len());
        while let Some(rest) = programs
            .get(answers.len()..)
            .filter(|rest| !rest.is_empty())
        {
            let mut running = match self.running.take() {
                Some(running) => running,
                None => self.start()?,
            };
            let before = answers.len();
            let survived = running.run(rest, self.options.milliseconds, &mut answers);
            if survived.is_ok() && answers.len() == programs.len() {
                self.running = Some(running);
            } else if answers.len() == before {
                // The JVM died of the first program.
                answers.push(Ran {
                    end: End::TooLong,
                    statement: 0,
                    length: 0,
                    refused: None,
                    passed: Vec::new(),
                    asked: Vec::new(),
                    gave: Vec::new(),
                });
            }
        }
        self.runs += programs.len() as u64;
        Ok(answers)
    }

    /// Static state starts anew with the next program.
    pub(crate) fn fresh(&mut self) {
        let Some(mut running) = self.running.take() else {
            return;
        };
        if running.tell(&wire::Command::Fresh {}).is_ok() {
            self.running = Some(running);
        }
    }

    fn start(&mut self) -> Result<Running> {
        self.starts += 1;
        let token = format!("{:016x}", RandomState::new().build_hasher().finish());
        let mut java = Command::new(&self.options.java);
        java.args(SHORT_LIVED)
            .args(["-Xmx1g", "-Djava.awt.headless=true"]);
        let scratch = tempfile::tempdir().map_err(|error| Error::Runner(error.to_string()))?;
        let mut option = OsString::from("-Djava.io.tmpdir=");
        option.push(scratch.path());
        java.arg(option);
        if self.options.guarded {
            java.arg("-Djava.security.manager=allow");
        }
        if self.options.assertions {
            java.arg(ENABLE_ASSERTIONS);
        }
        java.arg("-cp").arg(&self.options.worker);
        java.args(["recrash.synth.Main", &token]);
        java.current_dir(&self.options.directory);
        for variable in FOREIGN_OPTIONS {
            java.env_remove(variable);
        }
        java.stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let start = |error: std::io::Error| Error::Runner(error.to_string());
        let mut child = java.spawn().map_err(start)?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(Error::Runner("it has no streams".to_owned()));
        };
        let mut running = Running {
            child,
            _scratch: scratch,
            input: BufWriter::new(input),
            output: BufReader::new(output),
            members: HashMap::new(),
            stand_ins: HashSet::new(),
        };
        let greeting: wire::Greeting = running.message().map_err(start)?;
        if greeting.token != token {
            return Err(Error::Runner("it greets in another way".to_owned()));
        }
        if greeting.version != wire::VERSION {
            return Err(Error::Runner(format!(
                "it speaks version {} of the protocol and recrash version {}: they come from different builds",
                greeting.version,
                wire::VERSION
            )));
        }
        running.prepare(&self.options, &self.woven).map_err(start)?;
        Ok(running)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may hang in a program's code; nothing in it is worth waiting for.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Running {
    fn prepare(
        &mut self,
        options: &RunnerOptions,
        woven: &[(String, Vec<u8>)],
    ) -> std::io::Result<()> {
        self.tell(&wire::Command::Begin {
            version: wire::VERSION,
            class_path: options
                .class_path
                .iter()
                .map(|entry| entry.to_string_lossy().into_owned())
                .collect(),
        })?;
        woven
            .iter()
            .try_for_each(|(name, bytes)| self.define(name, bytes))
    }

    fn tell(&mut self, command: &wire::Command) -> std::io::Result<()> {
        self.input.write_all(&command.encode())
    }

    fn define(&mut self, name: &str, bytes: &[u8]) -> std::io::Result<()> {
        self.tell(&wire::Command::Define {
            name: name.to_owned(),
            bytes: Bytes(bytes.to_vec()),
        })
    }

    fn run(
        &mut self,
        programs: &[Sequence],
        limit: u32,
        answers: &mut Vec<Ran>,
    ) -> std::io::Result<()> {
        let mut encoded = Vec::new();
        for program in programs {
            encoded.push(Bytes(self.statements(program)?.encode()));
        }
        self.tell(&wire::Command::Run {
            limit_millis: limit,
            programs: encoded,
        })?;
        self.input.flush()?;
        for program in programs {
            let mut ran = self.answer()?;
            ran.length = program.statements.len();
            let over = ran.end == End::TooLong;
            answers.push(ran);
            if over {
                return Err(std::io::ErrorKind::TimedOut.into());
            }
        }
        Ok(())
    }

    fn statements(&mut self, program: &Sequence) -> std::io::Result<Vec<wire::Statement>> {
        program
            .statements
            .iter()
            .map(|statement| self.statement(statement))
            .collect()
    }

    fn statement(&mut self, statement: &Statement) -> std::io::Result<wire::Statement> {
        Ok(match statement {
            Statement::Literal(literal) => self.literal(literal)?,
            Statement::Call {
                callable,
                receiver,
                arguments,
            } => {
                let owner = binary_name(&callable.owner).into();
                let number = |kind| self.member(kind, owner, &callable.name, &callable.descriptor);
                let arguments = arguments.clone();
                match callable.kind {
                    CallKind::Constructor | CallKind::InnerConstructor => wire::Statement::New {
                        member: number(wire::MEMBER_CONSTRUCTOR)?,
                        arguments,
                    },
                    CallKind::Static | CallKind::Instance => wire::Statement::Call {
                        member: number(wire::MEMBER_METHOD)?,
                        receiver: object(*receiver),
                        arguments,
                    },
                }
            }
            Statement::Constant(constant) => wire::Statement::StaticField {
                member: self.field(binary_name(&constant.owner).into(), &constant.name)?,
            },
            Statement::Array {
                component,
                elements,
            } => wire::Statement::Array {
                member: self.ty(component)?,
                elements: elements.clone(),
            },
            Statement::StandIn {
                class,
                answered,
                operands,
            } => self.stand_in(class, answered, operands)?,
            Statement::Set {
                field,
                object: of,
                value,
            } => wire::Statement::SetField {
                member: self.field(binary_name(&field.owner).into(), &field.name)?,
                object: object(*of),
                value: *value,
            },
        })
    }

    fn stand_in(
        &mut self,
        class: &StandIn,
        answered: &[u8],
        operands: &[Var],
    ) -> std::io::Result<wire::Statement> {
        if self.stand_ins.insert(Arc::clone(&class.class)) {
            self.define(&class.class, &class.bytes)?;
        }
        let constructor = self.member(
            wire::MEMBER_CONSTRUCTOR,
            Arc::clone(&class.class),
            &"<init>".into(),
            &class.descriptor,
        )?;
        let (arguments, values) = operands.split_at(class.parameters.len().min(operands.len()));
        let mut answers = Vec::with_capacity(answered.len());
        for (number, value) in answered.iter().zip(values) {
            let field: Arc<str> = Open::field(usize::from(*number)).into();
            answers.push(wire::Prepared {
                member: self.field(Arc::clone(&class.class), &field)?,
                value: *value,
            });
        }
        Ok(wire::Statement::StandIn {
            member: constructor,
            arguments: arguments.to_vec(),
            answers,
        })
    }

    fn literal(&mut self, literal: &Literal) -> std::io::Result<wire::Statement> {
        Ok(match literal {
            Literal::Null(_) => wire::Statement::Null {},
            Literal::Int(kind, number) => wire::Statement::Int {
                kind: *kind as u16,
                value: *number,
            },
            Literal::Long(number) => wire::Statement::Long { value: *number },
            Literal::Float(number) => wire::Statement::Float { value: *number },
            Literal::Double(number) => wire::Statement::Double { value: *number },
            Literal::String(text) => wire::Statement::Text {
                value: text.to_string(),
            },
            Literal::Class(descriptor) => wire::Statement::Type {
                member: self.ty(descriptor)?,
            },
        })
    }

    fn field(&mut self, owner: Arc<str>, name: &Arc<str>) -> std::io::Result<u32> {
        self.member(wire::MEMBER_FIELD, owner, name, &"".into())
    }

    fn ty(&mut self, descriptor: &Arc<str>) -> std::io::Result<u32> {
        self.member(
            wire::MEMBER_TYPE,
            Arc::clone(descriptor),
            &"".into(),
            &"".into(),
        )
    }

    /// The number of a member, told to the JVM when it is new.
    fn member(
        &mut self,
        kind: u8,
        owner: Arc<str>,
        name: &Arc<str>,
        descriptor: &Arc<str>,
    ) -> std::io::Result<u32> {
        let key = (kind, owner, Arc::clone(name), Arc::clone(descriptor));
        if let Some(known) = self.members.get(&key) {
            return Ok(*known);
        }
        self.tell(&wire::Command::Member {
            kind,
            owner: key.1.to_string(),
            name: name.to_string(),
            descriptor: descriptor.to_string(),
        })?;
        let number = self.members.len() as u32;
        self.members.insert(key, number);
        Ok(number)
    }

    fn answer(&mut self) -> std::io::Result<Ran> {
        Ok(match self.message()? {
            wire::Ran::Passed { progress } => ran(End::Passed, progress),
            wire::Ran::Threw {
                progress,
                class_name,
                message,
                trace,
            } => {
                let end = End::Threw {
                    class: class_name,
                    message,
                    trace: trace.into_iter().map(trace_line).collect(),
                };
                ran(end, progress)
            }
            wire::Ran::TooLong {} => Ran {
                end: End::TooLong,
                statement: 0,
                length: 0,
                refused: None,
                passed: Vec::new(),
                asked: Vec::new(),
                gave: Vec::new(),
            },
            wire::Ran::Impossible {
                progress,
                class_name,
                message,
            } => ran(
                End::Impossible(format!("{class_name}: {message}")),
                progress,
            ),
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
        T::decode(wire::WHAT, &bytes)
            .map_err(|error| std::io::Error::new(std::io::ErrorKind::InvalidData, error))
    }
}

fn ran(end: End, progress: wire::Progress) -> Ran {
    let (passed, asked) = progress
        .probes
        .into_iter()
        .partition(|probe| *probe < FIRST_ASKED);
    Ran {
        end,
        statement: progress.statement as usize,
        length: 0,
        refused: progress.refused,
        passed,
        asked,
        gave: progress.gave,
    }
}

fn trace_line(line: wire::Line) -> TraceLine {
    TraceLine {
        class: line.class_name,
        method: line.method,
        line: line.line,
        ..TraceLine::default()
    }
}

/// The number of the variable that a member belongs to; -1 for static ones.
fn object(object: Option<Var>) -> i32 {
    object.map_or(-1, i32::from)
}
