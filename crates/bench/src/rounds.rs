//! One run of a program that works in rounds: plain, under recrash, or under another agent.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use recrash_jvm::Jdk;

use crate::programs::Programs;
use crate::sample::{Cost, measure};

/// The same for every run: a heap that does not grow makes garbage collection repeat.
const JVM_OPTIONS: [&str; 2] = ["-Xms1g", "-Xmx1g"];

pub struct Program {
    pub name: &'static str,
    class: &'static str,
    arguments: fn(&Programs) -> Vec<PathBuf>,
    /// Rounds of a warm process, and how many of the last ones are counted.
    rounds: usize,
    counted: usize,
    /// A real program, which the medians are over; not the micro benchmark.
    pub real: bool,
}

pub const PROGRAMS: [Program; 4] = [
    Program {
        name: "ecj",
        class: "EcjRounds",
        arguments: |programs| vec![programs.library_sources(), programs.folder.join("ecj-out")],
        rounds: 10,
        counted: 5,
        real: true,
    },
    Program {
        name: "h2",
        class: "H2Rounds",
        arguments: |_| Vec::new(),
        rounds: 60,
        counted: 30,
        real: true,
    },
    Program {
        name: "closure",
        class: "ClosureRounds",
        arguments: |programs| vec![programs.script()],
        rounds: 10,
        counted: 5,
        real: true,
    },
    Program {
        name: "calls",
        class: "CallRounds",
        arguments: |_| Vec::new(),
        rounds: 20,
        counted: 10,
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
    /// A run that takes longer is ended.
    pub limit: Option<Duration>,
}

/// What a run gave.
pub struct Run {
    /// Of the counted rounds, or of the whole process.
    pub cost: Cost,
    /// Of the whole process.
    pub whole: Cost,
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
    /// `None` when the run was ended at the limit.
    pub fn run(&self, company: &Company) -> Result<Option<Run>> {
        let folder = &self.programs.folder;
        let mut words: Vec<std::ffi::OsString> = Vec::new();
        if let Some(limit) = self.limit {
            let seconds = limit.as_secs().to_string();
            words.extend(["timeout".into(), "--kill-after=5".into(), seconds.into()]);
        }
        if let Company::Recrash(with) = company {
            words.push(self.recrash.into());
            words.extend(["run", "--no-tests", "--out"].map(Into::into));
            words.push(folder.join("crashes").into());
            words.extend(with.iter().map(Into::into));
            words.push("--".into());
        }
        words.push(self.jdk.java().into());
        if let Company::Options(options) = company {
            words.extend(options.iter().map(Into::into));
        }
        let rounds = match self.mode {
            Mode::Cold => 1,
            Mode::Steady => self.program.rounds,
        };
        let mut words = words.into_iter();
        let mut command = Command::new(words.next().unwrap_or_default());
        command
            .args(words)
            .args(JVM_OPTIONS)
            .arg("-cp")
            .arg(&self.programs.class_path)
            .arg(self.program.class)
            .arg(rounds.to_string())
            .args((self.program.arguments)(self.programs));
        let sample = measure(&mut command, folder)?;
        if self.limit.is_some() && matches!(sample.status, Some(124 | 137)) {
            return Ok(None);
        }
        if sample.status != Some(0) {
            bail!(
                "{} failed: {}",
                self.program.name,
                std::fs::read_to_string(&sample.stderr)?.trim_end()
            );
        }
        let rounds = rounds_of(&std::fs::read_to_string(&sample.stdout)?)
            .with_context(|| format!("{} prints no rounds", self.program.name))?;
        let checksums: Vec<&str> = rounds.iter().map(|round| round.checksum.as_str()).collect();
        let checksum = checksums.join(" ");
        let cost = match self.mode {
            Mode::Cold => sample.cost,
            Mode::Steady => {
                let counted = rounds.iter().rev().take(self.program.counted);
                counted.fold(Cost::default(), |sum, round| Cost {
                    wall: sum.wall + round.cost.wall,
                    cpu: sum.cpu + round.cost.cpu,
                })
            }
        };
        Ok(Some(Run {
            cost,
            whole: sample.cost,
            checksum,
        }))
    }
}

struct Round {
    cost: Cost,
    checksum: String,
}

/// The lines `round WALL CPU CHECKSUM` of `bench/overhead/Rounds.java`, in microseconds.
fn rounds_of(output: &str) -> Option<Vec<Round>> {
    let rounds: Option<Vec<Round>> = output
        .lines()
        .filter_map(|line| line.strip_prefix("round "))
        .map(|line| {
            let mut fields = line.split(' ');
            let mut time = || Some(Duration::from_micros(fields.next()?.parse().ok()?));
            let cost = Cost {
                wall: time()?,
                cpu: time()?,
            };
            Some(Round {
                cost,
                checksum: fields.next()?.to_owned(),
            })
        })
        .collect();
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
    fn an_unknown_program_is_named() {
        assert_eq!(programs(&[]).unwrap().len(), PROGRAMS.len());
        let refused = programs(&["vim".to_owned()]).err().unwrap();
        assert!(refused.to_string().contains("'vim'"), "{refused}");
    }
}
