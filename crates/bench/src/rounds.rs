//! One run of a program that works in rounds: plain, under recrash, or under another agent.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use recrash_jvm::Jdk;

use crate::programs::Programs;
use crate::sample::{Cost, measure, without_foreign_options};

/// The same for every run: a heap that does not grow makes garbage collection repeat, and what the JVM thinks of the machine
/// does not depend on how many cores a run has.
const JVM_OPTIONS: [&str; 4] = [
    "-Xms1g",
    "-Xmx1g",
    "-XX:+UseG1GC",
    "-XX:ActiveProcessorCount=2",
];

pub struct Program {
    pub name: &'static str,
    class: &'static str,
    /// Given the folder for what it writes.
    arguments: fn(&Programs, &Path) -> Vec<PathBuf>,
    /// Rounds of a warm process, and how many of the last ones are counted. On one core the compilers of the JVM need most of a
    /// minute: a round of ecj takes a second of CPU after ten of them, and a third of that in the end.
    pub rounds: usize,
    counted: usize,
    /// A real program, which the medians are over; not the micro benchmark.
    pub real: bool,
}

pub const PROGRAMS: [Program; 4] = [
    Program {
        name: "ecj",
        class: "EcjRounds",
        arguments: |programs, output| vec![programs.library_sources(), output.join("ecj-out")],
        rounds: 80,
        counted: 20,
        real: true,
    },
    Program {
        name: "h2",
        class: "H2Rounds",
        arguments: |_, _| Vec::new(),
        rounds: 400,
        counted: 100,
        real: true,
    },
    Program {
        name: "closure",
        class: "ClosureRounds",
        arguments: |programs, _| vec![programs.script()],
        rounds: 60,
        counted: 12,
        real: true,
    },
    Program {
        name: "calls",
        class: "CallRounds",
        arguments: |_, _| Vec::new(),
        rounds: 20,
        counted: 10,
        real: false,
    },
];

impl Program {
    /// What the last of its rounds took, and what all of them computed.
    pub fn warm(&self, rounds: &[Round]) -> Run {
        let checksums: Vec<&str> = rounds.iter().map(|round| round.checksum.as_str()).collect();
        let counted = rounds.iter().rev().take(self.counted);
        Run {
            cost: counted.map(|round| round.cost).sum(),
            checksum: checksums.join(" "),
        }
    }
}

/// The programs named, or all of them.
pub fn programs(names: &[String]) -> Result<Vec<&'static Program>> {
    let known = |name: &str| PROGRAMS.iter().any(|program| program.name == name);
    if let Some(unknown) = names.iter().find(|name| !known(name)) {
        bail!("there is no program '{unknown}': ecj, h2, closure, calls");
    }
    let wanted =
        |program: &&Program| names.is_empty() || names.iter().any(|name| name == program.name);
    Ok(PROGRAMS.iter().filter(wanted).collect())
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Mode {
    /// One round: the whole process, start-up and weaving included
    Cold,
    /// The last rounds of a process that ran many
    Steady,
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Mode::Cold => "cold",
            Mode::Steady => "steady",
        })
    }
}

/// What runs beside the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Company {
    Nobody,
    /// `recrash run` with these options.
    Recrash(Vec<String>),
    /// Options of the JVM.
    Options(Vec<String>),
}

/// A program on a JDK.
#[derive(Clone, Copy)]
pub struct Stage<'a> {
    pub recrash: &'a Path,
    pub jdk: &'a Jdk,
    pub programs: &'a Programs,
    pub program: &'a Program,
    pub mode: Mode,
}

/// What a run gave.
pub struct Run {
    /// Of the counted rounds, or of the whole process.
    pub cost: Cost,
    /// Must not depend on the company.
    pub checksum: String,
}

impl fmt::Display for Stage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (program, jdk) = (self.program.name, self.jdk.version.feature);
        write!(f, "{program} on {jdk}, {}", self.mode)
    }
}

impl Stage<'_> {
    pub fn run(&self, company: &Company) -> Result<Run> {
        let rounds = match self.mode {
            Mode::Cold => 1,
            Mode::Steady => self.program.rounds,
        };
        let folder = &self.programs.folder;
        let mut command = Command::new(self.recrash_or_java(company));
        self.complete(&mut command, company, rounds, folder);
        let sample = measure(&mut command, folder)?;
        if sample.status != Some(0) {
            bail!(
                "{} failed: {}",
                self.program.name,
                std::fs::read_to_string(&sample.stderr)?.trim_end()
            );
        }
        let rounds = rounds_of(&std::fs::read_to_string(&sample.stdout)?)
            .with_context(|| format!("{} prints no rounds", self.program.name))?;
        let warm = self.program.warm(&rounds);
        Ok(match self.mode {
            Mode::Cold => Run {
                cost: sample.cost,
                ..warm
            },
            Mode::Steady => warm,
        })
    }

    /// The same on one core of the machine, for as long as it is let, with its files in `output`.
    pub fn on_core(&self, core: usize, company: &Company, output: &Path) -> Command {
        let mut command = Command::new("taskset");
        command
            .args(["-c", &core.to_string()])
            .arg(self.recrash_or_java(company));
        self.complete(&mut command, company, i32::MAX as usize, output);
        without_foreign_options(&mut command);
        command
    }

    fn recrash_or_java(&self, company: &Company) -> PathBuf {
        match company {
            Company::Recrash(_) => self.recrash.to_owned(),
            Company::Options(_) | Company::Nobody => self.jdk.java(),
        }
    }

    fn complete(&self, command: &mut Command, company: &Company, rounds: usize, output: &Path) {
        match company {
            Company::Recrash(with) => command
                .args(["run", "--no-tests", "--out"])
                .arg(output.join("crashes"))
                .args(with)
                .arg("--")
                .arg(self.jdk.java()),
            Company::Options(options) => command.args(options),
            Company::Nobody => command,
        };
        command
            .args(JVM_OPTIONS)
            .arg("-cp")
            .arg(&self.programs.class_path)
            .arg(self.program.class)
            .arg(rounds.to_string())
            .args((self.program.arguments)(self.programs, output));
    }
}

pub struct Round {
    pub cost: Cost,
    pub checksum: String,
}

impl Round {
    /// A line `round WALL CPU CHECKSUM` of `bench/overhead/Rounds.java`, in microseconds.
    pub fn of(line: &str) -> Option<Round> {
        let mut fields = line.strip_prefix("round ")?.split(' ');
        let mut time = || Some(Duration::from_micros(fields.next()?.parse().ok()?));
        let cost = Cost {
            wall: time()?,
            cpu: time()?,
        };
        Some(Round {
            cost,
            checksum: fields.next()?.to_owned(),
        })
    }
}

/// The rounds among other lines; `None` where there are none, or one that cannot be read.
fn rounds_of(output: &str) -> Option<Vec<Round>> {
    let lines = output.lines().filter(|line| line.starts_with("round "));
    let rounds: Option<Vec<Round>> = lines.map(Round::of).collect();
    rounds.filter(|rounds| !rounds.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_are_read_among_other_lines() {
        let rounds = rounds_of("hello\nround 10 20 -7\nround 11 30 -7\n").unwrap();
        assert_eq!(rounds.len(), 2);
        assert_eq!(rounds[1].cost.cpu.as_micros(), 30);
        assert_eq!(rounds[0].checksum, "-7");
    }

    #[test]
    fn output_without_rounds_is_no_measurement() {
        assert!(rounds_of("").is_none());
        assert!(rounds_of("round x y z\n").is_none());
    }

    #[test]
    fn the_last_rounds_are_counted_and_all_are_compared() {
        let lines = |round: usize| format!("round 1 {round} {round}\n");
        let output: String = (1..=PROGRAMS[0].rounds).map(lines).collect();
        let warm = PROGRAMS[0].warm(&rounds_of(&output).unwrap());
        assert_eq!(warm.cost.wall.as_micros(), 20);
        assert_eq!(warm.cost.cpu.as_micros(), (61..=80).sum::<u128>());
        assert!(warm.checksum.starts_with("1 2 3 "), "{}", warm.checksum);
    }

    #[test]
    fn an_unknown_program_is_named() {
        assert_eq!(programs(&[]).unwrap().len(), PROGRAMS.len());
        let refused = programs(&["vim".to_owned()]).err().unwrap();
        assert!(refused.to_string().contains("'vim'"), "{refused}");
    }
}
