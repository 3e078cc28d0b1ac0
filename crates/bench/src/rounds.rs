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
    /// A real program, which the medians are over; not the micro benchmark.
    pub real: bool,
}

pub const PROGRAMS: [Program; 4] = [
    Program {
        name: "ecj",
        class: "EcjRounds",
        arguments: |programs, output| vec![programs.library_sources(), output.join("ecj-out")],
        real: true,
    },
    Program {
        name: "h2",
        class: "H2Rounds",
        arguments: |_, _| Vec::new(),
        real: true,
    },
    Program {
        name: "closure",
        class: "ClosureRounds",
        arguments: |programs, _| vec![programs.script()],
        real: true,
    },
    Program {
        name: "calls",
        class: "CallRounds",
        arguments: |_, _| Vec::new(),
        real: false,
    },
];

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
}

/// What a run gave.
pub struct Run {
    /// Of the whole process.
    pub cost: Cost,
    /// One per round, which must not depend on the company.
    pub checksums: Vec<String>,
}

impl fmt::Display for Stage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (program, jdk) = (self.program.name, self.jdk.version.feature);
        write!(f, "{program} on {jdk}")
    }
}

impl Stage<'_> {
    /// A process of its own for so many rounds.
    pub fn run(&self, company: &Company, rounds: usize) -> Result<Run> {
        let folder = &self.programs.folder;
        let mut command = Command::new(self.recrash_or_java(company));
        self.complete(&mut command, company, &[], rounds, folder);
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
        Ok(Run {
            cost: sample.cost,
            checksums: rounds.into_iter().map(|round| round.checksum).collect(),
        })
    }

    /// The same on one core of the machine, for as long as it is let, with its files in `output`. It says when it is warm.
    pub fn on_core(&self, core: usize, company: &Company, output: &Path) -> Command {
        let mut command = Command::new("taskset");
        command
            .args(["-c", &core.to_string()])
            .arg(self.recrash_or_java(company));
        let options = ["-Dbench.warm=true"];
        self.complete(&mut command, company, &options, i32::MAX as usize, output);
        without_foreign_options(&mut command);
        command
    }

    fn recrash_or_java(&self, company: &Company) -> PathBuf {
        match company {
            Company::Recrash(_) => self.recrash.to_owned(),
            Company::Options(_) | Company::Nobody => self.jdk.java(),
        }
    }

    fn complete(
        &self,
        command: &mut Command,
        company: &Company,
        options: &[&str],
        rounds: usize,
        output: &Path,
    ) {
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
            .args(options)
            .arg("-cp")
            .arg(&self.programs.class_path)
            .arg(self.program.class)
            .arg(rounds.to_string())
            .args((self.program.arguments)(self.programs, output));
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Round {
    pub cpu: Duration,
    pub checksum: String,
}

impl Round {
    /// A line `round CPU CHECKSUM` of `bench/overhead/Rounds.java`, in microseconds.
    pub fn of(line: &str) -> Option<Round> {
        let (cpu, checksum) = line.strip_prefix("round ")?.split_once(' ')?;
        Some(Round {
            cpu: Duration::from_micros(cpu.parse().ok()?),
            checksum: checksum.to_owned(),
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
        let rounds = rounds_of("hello\nround 20 -7\nwarm\nround 30 -7\n").unwrap();
        assert_eq!(rounds.len(), 2);
        assert_eq!(rounds[1].cpu.as_micros(), 30);
        assert_eq!(rounds[0].checksum, "-7");
    }

    #[test]
    fn output_without_rounds_is_no_measurement() {
        assert!(rounds_of("").is_none());
        assert!(rounds_of("round x y\n").is_none());
    }

    #[test]
    fn an_unknown_program_is_named() {
        assert_eq!(programs(&[]).unwrap().len(), PROGRAMS.len());
        let refused = programs(&["vim".to_owned()]).err().unwrap();
        assert!(refused.to_string().contains("'vim'"), "{refused}");
    }
}
