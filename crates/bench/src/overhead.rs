use std::fmt::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use clap::Args;
use recrash_jvm::Jdk;

use crate::place::{Place, jdks};
use crate::programs::Programs;
use crate::progress;
use crate::sample::{Cost, measure};
use crate::statistics::{Random, Ratio, median, ratio};
use crate::table::Table;

#[derive(Args)]
pub struct Options {
    /// Two repetitions of everything: shows that it runs, not what it costs
    #[arg(long)]
    quick: bool,
    /// Only this program (ecj, h2, closure, calls); may be repeated
    #[arg(long, value_name = "NAME")]
    program: Vec<String>,
    /// Only this JDK; may be repeated
    #[arg(long, value_name = "HOME")]
    jdk: Vec<PathBuf>,
    /// Only whole runs, or only rounds of a warm process
    #[arg(long, value_name = "cold|steady")]
    mode: Option<Mode>,
    /// An option for `recrash run`, as in `--with=--second-chance`; may be repeated
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    with: Vec<String>,
    /// A figure is done when its spread (CPU) is below this share
    #[arg(long, value_name = "SHARE", default_value_t = 0.05)]
    spread: f64,
    /// ... or when it was repeated so often
    #[arg(long, value_name = "N", default_value_t = 40)]
    repetitions: usize,
}

/// Fewer pairs than this have no spread worth printing.
const LEAST_REPETITIONS: usize = 7;

/// The same for every run: a heap that does not grow makes garbage collection repeat.
const JVM_OPTIONS: [&str; 2] = ["-Xms1g", "-Xmx1g"];

struct Program {
    name: &'static str,
    class: &'static str,
    arguments: fn(&Programs) -> Vec<PathBuf>,
    /// Rounds of a warm process, and how many of the last ones are counted.
    rounds: usize,
    counted: usize,
    /// A real program, which the medians are over; not the micro benchmark.
    real: bool,
}

const PROGRAMS: [Program; 4] = [
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

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Mode {
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

#[derive(Clone, Copy, PartialEq, Eq)]
enum Variant {
    Plain,
    Woven,
}

/// One line of the table: a program, a JDK, a mode, and the pairs measured so far.
struct Cell<'a> {
    jdk: &'a Jdk,
    programs: &'a Programs,
    program: &'a Program,
    mode: Mode,
    pairs: Vec<(Cost, Cost)>,
    checksum: Option<String>,
}

impl Cell<'_> {
    fn cpu(&self) -> Ratio {
        ratio(
            &self
                .pairs
                .iter()
                .map(|(plain, woven)| (plain.cpu.as_secs_f64(), woven.cpu.as_secs_f64()))
                .collect::<Vec<_>>(),
        )
    }

    fn wall(&self) -> Ratio {
        ratio(
            &self
                .pairs
                .iter()
                .map(|(plain, woven)| (plain.wall.as_secs_f64(), woven.wall.as_secs_f64()))
                .collect::<Vec<_>>(),
        )
    }

    fn done(&self, options: &Options) -> bool {
        if options.quick {
            return self.pairs.len() >= 2;
        }
        self.pairs.len() >= options.repetitions
            || self.pairs.len() >= LEAST_REPETITIONS && self.cpu().spread < options.spread
    }

    /// Both variants, one right after the other, in the order given.
    fn measure_pair(&mut self, recrash: &Path, with: &[String], woven_first: bool) -> Result<()> {
        let (plain, woven) = if woven_first {
            let woven = self.measure_one(recrash, with, Variant::Woven)?;
            (self.measure_one(recrash, with, Variant::Plain)?, woven)
        } else {
            (
                self.measure_one(recrash, with, Variant::Plain)?,
                self.measure_one(recrash, with, Variant::Woven)?,
            )
        };
        self.pairs.push((plain, woven));
        Ok(())
    }

    fn measure_one(&mut self, recrash: &Path, with: &[String], variant: Variant) -> Result<Cost> {
        let folder = &self.programs.folder;
        let mut command = match variant {
            Variant::Plain => Command::new(self.jdk.java()),
            Variant::Woven => {
                let mut command = Command::new(recrash);
                command
                    .args(["run", "--no-tests", "--out"])
                    .arg(folder.join("crashes"))
                    .args(with)
                    .arg("--")
                    .arg(self.jdk.java());
                command
            }
        };
        let rounds = if self.mode == Mode::Cold {
            1
        } else {
            self.program.rounds
        };
        command
            .args(JVM_OPTIONS)
            .arg("-cp")
            .arg(&self.programs.class_path)
            .arg(self.program.class);
        command
            .arg(rounds.to_string())
            .args((self.program.arguments)(self.programs));
        let sample = measure(&mut command, folder)?;
        if sample.status != Some(0) {
            bail!(
                "{} failed: {}",
                self.program.name,
                std::fs::read_to_string(&sample.stderr)?.trim_end()
            );
        }
        let lines = rounds_of(&std::fs::read_to_string(&sample.stdout)?)
            .with_context(|| format!("{} prints no rounds", self.program.name))?;
        let checksum = lines
            .iter()
            .map(|round| round.checksum.as_str())
            .collect::<Vec<_>>()
            .join(" ");
        match &self.checksum {
            Some(expected) if *expected != checksum => bail!(
                "{} computes something else when it is monitored",
                self.program.name
            ),
            _ => self.checksum = Some(checksum),
        }
        if self.mode == Mode::Cold {
            return Ok(sample.cost);
        }
        let counted = lines.iter().rev().take(self.program.counted);
        Ok(counted.fold(Cost::default(), |sum, round| Cost {
            wall: sum.wall + round.cost.wall,
            cpu: sum.cpu + round.cost.cpu,
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
            let mut time = || {
                Some(std::time::Duration::from_micros(
                    fields.next()?.parse().ok()?,
                ))
            };
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

pub fn run(place: &Place, options: &Options) -> Result<()> {
    let recrash = place.recrash()?;
    if let Some(unknown) = options
        .program
        .iter()
        .find(|name| !PROGRAMS.iter().any(|program| program.name == **name))
    {
        bail!("there is no program '{unknown}': ecj, h2, closure, calls");
    }
    let jdks = jdks(&options.jdk)?;
    let scratch = tempfile::tempdir()?;
    let mut prepared = Vec::new();
    for jdk in &jdks {
        let folder = scratch.path().join(jdk.version.feature.to_string());
        std::fs::create_dir_all(&folder)?;
        prepared.push((jdk, Programs::prepare(place, jdk, &folder)?));
    }
    let mut cells = Vec::new();
    for (jdk, programs) in &prepared {
        for program in PROGRAMS.iter().filter(|each| {
            options.program.is_empty() || options.program.iter().any(|name| name == each.name)
        }) {
            for mode in [Mode::Cold, Mode::Steady]
                .into_iter()
                .filter(|mode| options.mode.is_none_or(|only| only == *mode))
            {
                cells.push(Cell {
                    jdk,
                    programs,
                    program,
                    mode,
                    pairs: Vec::new(),
                    checksum: None,
                });
            }
        }
    }
    repeat(&mut cells, recrash, options)?;
    print!("{}", report(&cells));
    Ok(())
}

/// Repetition by repetition over every unfinished cell, in a new order each time, so that no cell owns a quiet hour.
fn repeat(cells: &mut [Cell<'_>], recrash: &Path, options: &Options) -> Result<()> {
    let mut random = Random(0x5eed);
    for repetition in 1.. {
        let mut open: Vec<&mut Cell<'_>> = cells
            .iter_mut()
            .filter(|cell| !cell.done(options))
            .collect();
        if open.is_empty() {
            break;
        }
        random.shuffle(&mut open);
        for cell in open {
            let (name, jdk, mode) = (cell.program.name, cell.jdk.version.feature, cell.mode);
            progress::show(&format!("repetition {repetition}: {name} on {jdk}, {mode}"));
            cell.measure_pair(recrash, &options.with, random.below(2) == 0)?;
        }
    }
    progress::clear();
    Ok(())
}

fn report(cells: &[Cell<'_>]) -> String {
    let mut table = Table::new(&[
        "program",
        "JDK ",
        "mode",
        "plain CPU s ",
        "CPU ",
        "± ",
        "plain wall s ",
        "wall ",
        "± ",
        "pairs ",
    ]);
    for cell in cells {
        let (cpu, wall) = (cell.cpu(), cell.wall());
        let plain = |of: fn(&Cost) -> f64| {
            median(
                &cell
                    .pairs
                    .iter()
                    .map(|(plain, _)| of(plain))
                    .collect::<Vec<_>>(),
            )
        };
        table.row(vec![
            cell.program.name.to_owned(),
            cell.jdk.version.feature.to_string(),
            cell.mode.to_string(),
            format!("{:.2}", plain(|cost| cost.cpu.as_secs_f64())),
            format!("{:.3}x", cpu.value),
            format!("{:.1} %", cpu.spread * 100.0),
            format!("{:.2}", plain(|cost| cost.wall.as_secs_f64())),
            format!("{:.3}x", wall.value),
            format!("{:.1} %", wall.spread * 100.0),
            cell.pairs.len().to_string(),
        ]);
    }
    let mut text = table.text();
    text.push('\n');
    for mode in [Mode::Cold, Mode::Steady] {
        let real: Vec<&Cell<'_>> = cells
            .iter()
            .filter(|cell| cell.mode == mode && cell.program.real)
            .collect();
        if !real.is_empty() {
            let over = |of: fn(&Cell<'_>) -> f64| {
                median(&real.iter().map(|cell| of(cell)).collect::<Vec<_>>())
            };
            let (cpu, wall) = (
                over(|cell| cell.cpu().value),
                over(|cell| cell.wall().value),
            );
            let _ = writeln!(
                text,
                "median over the real programs, {mode}: CPU {cpu:.3}x, wall {wall:.3}x"
            );
        }
    }
    text.push_str("Ratios of medians, woven over plain; ± is half the 90 % bootstrap interval over the pairs.\n");
    text
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
        assert!(rounds_of("nothing").is_none());
        assert!(rounds_of("round one two three").is_none());
    }
}
