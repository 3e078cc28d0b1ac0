//! The JVM that runs programs (java/worker, package recrash.synth).

use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;

use recrash_jvm::{FOREIGN_OPTIONS, SHORT_LIVED};
use recrash_trace::TraceLine;
use tempfile::TempDir;

use crate::error::{Error, Result};
use crate::probes::FIRST_ASKED;
use crate::sequence::{Literal, Sequence, Statement, Var};
use crate::stand_in::{Open, StandIn};
use crate::world::{CallKind, binary_name};

mod command {
    pub(super) const CLASS_PATH: u8 = 1;
    pub(super) const CLASS: u8 = 2;
    pub(super) const MEMBER: u8 = 3;
    pub(super) const FRESH: u8 = 4;
    pub(super) const RUN: u8 = 5;
}

mod member {
    pub(super) const TYPE: u8 = 0;
    pub(super) const CONSTRUCTOR: u8 = 1;
    pub(super) const METHOD: u8 = 2;
    pub(super) const FIELD: u8 = 3;
}

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
        if running.input.write_all(&[command::FRESH]).is_ok() {
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
        if running.text().map_err(start)? != token {
            return Err(Error::Runner("it greets in another way".to_owned()));
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
        let mut message = vec![command::CLASS_PATH];
        message.extend((options.class_path.len() as u32).to_be_bytes());
        for entry in &options.class_path {
            put_text(&mut message, &entry.to_string_lossy());
        }
        for (name, bytes) in woven {
            message.extend(class_message(name, bytes));
        }
        self.input.write_all(&message)
    }

    fn run(
        &mut self,
        programs: &[Sequence],
        limit: u32,
        answers: &mut Vec<Ran>,
    ) -> std::io::Result<()> {
        let mut encoded = Vec::new();
        for program in programs {
            encoded.push(self.encode(program)?);
        }
        let mut message = vec![command::RUN];
        message.extend((programs.len() as u32).to_be_bytes());
        message.extend(limit.to_be_bytes());
        for program in &encoded {
            put_bytes(&mut message, program);
        }
        self.input.write_all(&message)?;
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

    fn encode(&mut self, program: &Sequence) -> std::io::Result<Vec<u8>> {
        let mut out = Vec::new();
        out.extend((program.statements.len() as u16).to_be_bytes());
        for statement in &program.statements {
            match statement {
                Statement::Literal(literal) => self.literal(&mut out, literal)?,
                Statement::Call {
                    callable,
                    receiver,
                    arguments,
                } => {
                    let (opcode, kind) = match callable.kind {
                        CallKind::Constructor | CallKind::InnerConstructor => {
                            (7, member::CONSTRUCTOR)
                        }
                        CallKind::Static | CallKind::Instance => (8, member::METHOD),
                    };
                    let owner = binary_name(&callable.owner).into();
                    let number = self.member(kind, owner, &callable.name, &callable.descriptor)?;
                    out.push(opcode);
                    out.extend(number.to_be_bytes());
                    if opcode == 8 {
                        put_receiver(&mut out, *receiver);
                    }
                    put_vars(&mut out, arguments);
                }
                Statement::Constant(constant) => {
                    let owner = binary_name(&constant.owner).into();
                    let number = self.member(member::FIELD, owner, &constant.name, &"".into())?;
                    out.push(9);
                    out.extend(number.to_be_bytes());
                }
                Statement::Array {
                    component,
                    elements,
                } => {
                    let number = self.ty(component)?;
                    out.push(10);
                    out.extend(number.to_be_bytes());
                    put_vars(&mut out, elements);
                }
                Statement::StandIn {
                    class,
                    answered,
                    operands,
                } => self.stand_in(&mut out, class, answered, operands)?,
                Statement::Set {
                    field,
                    object,
                    value,
                } => {
                    let owner = binary_name(&field.owner).into();
                    let number = self.member(member::FIELD, owner, &field.name, &"".into())?;
                    out.push(12);
                    out.extend(number.to_be_bytes());
                    put_receiver(&mut out, *object);
                    out.extend(value.to_be_bytes());
                }
            }
        }
        Ok(out)
    }

    fn stand_in(
        &mut self,
        out: &mut Vec<u8>,
        class: &StandIn,
        answered: &[u8],
        operands: &[Var],
    ) -> std::io::Result<()> {
        if self.stand_ins.insert(Arc::clone(&class.class)) {
            self.input
                .write_all(&class_message(&class.class, &class.bytes))?;
        }
        let constructor = self.member(
            member::CONSTRUCTOR,
            Arc::clone(&class.class),
            &"<init>".into(),
            &class.descriptor,
        )?;
        let (arguments, answers) = operands.split_at(class.parameters.len().min(operands.len()));
        let mut fields = Vec::with_capacity(answered.len());
        for number in answered {
            let field: Arc<str> = Open::field(usize::from(*number)).into();
            fields.push(self.member(
                member::FIELD,
                Arc::clone(&class.class),
                &field,
                &"".into(),
            )?);
        }
        out.push(11);
        out.extend(constructor.to_be_bytes());
        put_vars(out, arguments);
        out.push(fields.len() as u8);
        for (field, answer) in fields.iter().zip(answers) {
            out.extend(field.to_be_bytes());
            out.extend(answer.to_be_bytes());
        }
        Ok(())
    }

    fn literal(&mut self, out: &mut Vec<u8>, literal: &Literal) -> std::io::Result<()> {
        match literal {
            Literal::Null(_) => out.push(0),
            Literal::Int(kind, number) => {
                out.push(1);
                out.extend((*kind as u16).to_be_bytes());
                out.extend(number.to_be_bytes());
            }
            Literal::Long(number) => {
                out.push(2);
                out.extend(number.to_be_bytes());
            }
            Literal::Float(number) => {
                out.push(3);
                out.extend(number.to_be_bytes());
            }
            Literal::Double(number) => {
                out.push(4);
                out.extend(number.to_be_bytes());
            }
            Literal::String(text) => {
                out.push(5);
                put_text(out, text);
            }
            Literal::Class(descriptor) => {
                let number = self.ty(descriptor)?;
                out.push(6);
                out.extend(number.to_be_bytes());
            }
        }
        Ok(())
    }

    fn ty(&mut self, descriptor: &Arc<str>) -> std::io::Result<u32> {
        self.member(member::TYPE, Arc::clone(descriptor), &"".into(), &"".into())
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
        let mut message = vec![command::MEMBER, kind];
        put_text(&mut message, &key.1);
        put_text(&mut message, name);
        put_text(&mut message, descriptor);
        self.input.write_all(&message)?;
        let number = self.members.len() as u32;
        self.members.insert(key, number);
        Ok(number)
    }

    fn answer(&mut self) -> std::io::Result<Ran> {
        let outcome = self.byte()?;
        let statement = usize::from(self.short()?);
        let refused = Some(self.text()?).filter(|text| !text.is_empty());
        let probes = self.int()?;
        let (mut passed, mut asked) = (Vec::new(), Vec::new());
        for _ in 0..probes {
            let probe = self.short()?;
            if probe < FIRST_ASKED {
                passed.push(probe);
            } else {
                asked.push(probe);
            }
        }
        let mut gave = Vec::new();
        for _ in 0..self.short()? {
            gave.push(self.byte()? != 0);
        }
        let mut end = End::Passed;
        if outcome != 0 {
            let class = self.text()?;
            let message = self.text()?;
            let mut trace = Vec::new();
            for _ in 0..self.byte()? {
                trace.push(TraceLine {
                    class: self.text()?,
                    method: self.text()?,
                    line: self.int()? as i32,
                    ..TraceLine::default()
                });
            }
            end = match outcome {
                1 => End::Threw {
                    class,
                    message,
                    trace,
                },
                2 => End::TooLong,
                _ => End::Impossible(format!("{class}: {message}")),
            };
        }
        Ok(Ran {
            end,
            statement,
            length: 0,
            refused,
            passed,
            asked,
            gave,
        })
    }

    fn bytes<const N: usize>(&mut self) -> std::io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.output.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    fn byte(&mut self) -> std::io::Result<u8> {
        Ok(u8::from_be_bytes(self.bytes()?))
    }

    fn short(&mut self) -> std::io::Result<u16> {
        Ok(u16::from_be_bytes(self.bytes()?))
    }

    fn int(&mut self) -> std::io::Result<u32> {
        Ok(u32::from_be_bytes(self.bytes()?))
    }

    fn text(&mut self) -> std::io::Result<String> {
        let mut bytes = vec![0; usize::from(self.short()?)];
        self.output.read_exact(&mut bytes)?;
        Ok(recrash_classfile::text(&bytes))
    }
}

fn class_message(name: &str, bytes: &[u8]) -> Vec<u8> {
    let mut message = vec![command::CLASS];
    put_text(&mut message, name);
    put_bytes(&mut message, bytes);
    message
}

/// As `DataInput.readUTF` wants it: modified UTF-8 behind its length.
fn put_text(out: &mut Vec<u8>, text: &str) {
    let mut bytes = recrash_classfile::modified(text);
    bytes.truncate(usize::from(u16::MAX));
    out.extend((bytes.len() as u16).to_be_bytes());
    out.extend(bytes);
}

fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend((bytes.len() as u32).to_be_bytes());
    out.extend_from_slice(bytes);
}

fn put_receiver(out: &mut Vec<u8>, receiver: Option<Var>) {
    let receiver = receiver.map_or(-1, |var| var as i16);
    out.extend(receiver.to_be_bytes());
}

fn put_vars(out: &mut Vec<u8>, vars: &[u16]) {
    out.push(vars.len() as u8);
    for var in vars {
        out.extend(var.to_be_bytes());
    }
}
