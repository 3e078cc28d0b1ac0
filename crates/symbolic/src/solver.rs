//! The solver: Z3 as a process that reads SMT-LIB 2. A process that dies or does not answer in time is ended, and the next
//! question starts another one. Libraries that drive solvers wait for answers without end, so the few lines it takes are here.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use crate::error::{Error, Result};
use crate::sexp::Sexp;

/// What the solver says of a set of conditions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    Satisfiable,
    Unsatisfiable,
    /// It gave up, was not in time, or died.
    Unknown,
}

pub struct Solver {
    program: String,
    process: Option<Process>,
    /// Deaths since the last answer.
    deaths: u32,
    /// Scopes that are open.
    scopes: u32,
    /// Outermost scopes that the process has seen.
    asked: u32,
    pub(crate) checks: u64,
}

struct Process {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

/// How much longer than its own limit a check may take before the process is ended.
const GRACE: Duration = Duration::from_millis(500);
/// What an answer other than that of a check may take.
const PATIENCE: Duration = Duration::from_secs(5);
const MOST_DEATHS: u32 = 5;
/// What a process has been asked slows it down, even after it was taken back: reading a model of three numbers took 150 ms
/// after 2,500 questions about texts. Another process starts in 10 ms.
const MOST_ASKED: u32 = 50;
const OPTIONS: &str = "(set-option :print-success false)\n(set-option :produce-models true)\n\
    (set-option :produce-unsat-cores true)\n(set-option :smt.random_seed 7)\n";

impl Drop for Process {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Solver {
    /// Starts Z3: that of `RECRASH_Z3`, or the one on the path.
    pub fn start() -> Result<Solver> {
        let program = std::env::var("RECRASH_Z3").unwrap_or_else(|_| "z3".to_owned());
        Solver::of(&program)
    }

    /// Starts this program, which has to speak as Z3 does.
    pub fn of(program: &str) -> Result<Solver> {
        let mut solver = Solver {
            program: program.to_owned(),
            process: None,
            deaths: 0,
            scopes: 0,
            asked: 0,
            checks: 0,
        };
        solver.process()?;
        Ok(solver)
    }

    fn process(&mut self) -> Result<&mut Process> {
        if self.process.is_none() {
            let mut process = Process::start(&self.program)?;
            // Some questions take any process down, which is no reason not to ask others.
            if self.deaths >= MOST_DEATHS && process.answers() {
                self.deaths = 0;
            }
            if self.deaths >= MOST_DEATHS {
                let program = self.program.clone();
                return Err(Error::SolverDies { program });
            }
            self.asked = 0;
            self.process = Some(process);
        }
        self.process.as_mut().ok_or_else(|| Error::SolverDies {
            program: self.program.clone(),
        })
    }

    fn lost(&mut self) {
        self.process = None;
        self.deaths += 1;
    }

    /// Opens a scope. An outermost one may find another process, which knows nothing of what was told outside of scopes.
    pub fn push(&mut self) -> Result<()> {
        if self.scopes == 0 {
            if self.asked >= MOST_ASKED {
                self.process = None;
            }
            self.asked += 1;
        }
        self.scopes += 1;
        self.tell("(push 1)\n")
    }

    /// Closes a scope. In a process that was started since there is none.
    pub fn pop(&mut self) -> Result<()> {
        self.scopes = self.scopes.saturating_sub(1);
        if self.process.is_some() {
            self.tell("(pop 1)\n")?;
        }
        Ok(())
    }

    /// Declarations and assertions. When the process dies of them, the check that follows says so.
    pub fn tell(&mut self, script: &str) -> Result<()> {
        let process = self.process()?;
        if process.input.write_all(script.as_bytes()).is_err() {
            self.lost();
        }
        Ok(())
    }

    /// Whether all that was asserted can be true at once.
    pub fn check(&mut self, limit: Duration) -> Result<Answer> {
        self.checks += 1;
        if self.process.is_none() {
            return Ok(Answer::Unknown);
        }
        let script = format!("(set-option :timeout {})\n(check-sat)\n", limit.as_millis());
        self.tell(&script)?;
        let Some(said) = self.line(limit + GRACE) else {
            self.lost();
            return Ok(Answer::Unknown);
        };
        let answer = match said.as_str() {
            "sat" => Answer::Satisfiable,
            "unsat" => Answer::Unsatisfiable,
            "unknown" | "timeout" => Answer::Unknown,
            _ => {
                self.process = None;
                return Err(Error::Solver(said));
            }
        };
        self.deaths = 0;
        Ok(answer)
    }

    /// The names of assertions that contradict each other, after `Unsatisfiable`.
    pub fn core(&mut self) -> Result<Vec<String>> {
        let answer = self.ask("(get-unsat-core)\n")?;
        Ok(answer
            .iter()
            .flat_map(Sexp::list)
            .map(|name| name.word().to_owned())
            .collect())
    }

    /// What the names stand for, after `Satisfiable`; none if the process is gone.
    pub(crate) fn values(&mut self, names: &[String]) -> Result<Vec<Sexp>> {
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let answer = self.ask(&format!("(get-value ({}))\n", names.join(" ")))?;
        Ok(answer
            .iter()
            .flat_map(Sexp::list)
            .filter_map(|pair| pair.list().get(1).cloned())
            .collect())
    }

    fn ask(&mut self, question: &str) -> Result<Option<Sexp>> {
        if self.process.is_none() {
            return Ok(None);
        }
        self.tell(question)?;
        let mut said = String::new();
        while let Some(line) = self.line(PATIENCE) {
            said.push_str(&line);
            said.push('\n');
            if let Some(answer) = Sexp::parse(&said) {
                if answer.list().first().is_some_and(|it| it.word() == "error") {
                    return Err(Error::Solver(said.trim().to_owned()));
                }
                return Ok(Some(answer));
            }
        }
        self.lost();
        Ok(None)
    }

    fn line(&mut self, limit: Duration) -> Option<String> {
        let process = self.process.as_mut()?;
        process.lines.recv_timeout(limit).ok()
    }
}

impl Process {
    fn start(program: &str) -> Result<Process> {
        let missing = |reason: &dyn std::fmt::Display| Error::NoSolver {
            program: program.to_owned(),
            reason: reason.to_string(),
        };
        let mut child = Command::new(program)
            .arg("-in")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| missing(&error))?;
        let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(missing(&"it has no pipes"));
        };
        // If it died at once, the first check tells.
        let _ = input.write_all(OPTIONS.as_bytes());
        let (send, lines) = channel();
        // A read cannot be given a limit; a channel can.
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                let Ok(line) = line else { break };
                if send.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Process {
            child,
            input,
            lines,
        })
    }

    /// Whether it answers the easiest question there is.
    fn answers(&mut self) -> bool {
        let said = self.input.write_all(b"(check-sat)\n");
        said.is_ok() && self.lines.recv_timeout(PATIENCE).as_deref() == Ok("sat")
    }
}
