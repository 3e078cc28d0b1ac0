use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args;
use recrash_jvm::Jdk;

use crate::corpus::{Corpus, Outcome};
use crate::place::{Place, jdks};
use crate::programs::{Programs, succeed};
use crate::progress;
use crate::rounds::{Company, Mode, Program, Stage, programs};
use crate::shadow;
use crate::statistics::{Random, median, ratio};
use crate::table::Table;

#[derive(Args)]
pub struct Options {
    /// Also run the crash drivers of this folder with each strategy, see `./x bench corpus`
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,
    /// Only what is reproduced, not what it costs
    #[arg(long, requires = "corpus")]
    only_corpus: bool,
    /// Only this row (`auto`, `undo`, `second chance`, …); may be repeated
    #[arg(long, value_name = "NAME")]
    strategy: Vec<String>,
    /// Only this program (ecj, h2, closure, calls); may be repeated. The real ones when not given
    #[arg(long, value_name = "NAME")]
    program: Vec<String>,
    /// Only this JDK; may be repeated. The corpus runs on the first one
    #[arg(long, value_name = "HOME")]
    jdk: Vec<PathBuf>,
    /// So many runs of everything
    #[arg(long, value_name = "N", default_value_t = 7)]
    repetitions: usize,
    /// A run that takes longer is ended, and its ratio is a lower bound
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    limit: u64,
    /// Where snapshots, tests and logs of each crash are left
    #[arg(long, value_name = "DIR", default_value = "target/strategies")]
    keep: PathBuf,
}

/// A way to keep what methods were given.
struct Row {
    name: &'static str,
    way: Way,
    /// What the ReCrash paper measured for it (ECOOP'08, figure 13): whole runs, as ratios.
    paper: &'static str,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Strategy(&'static str),
    /// Second chance, with an empty list or with one stack of the program on it.
    SecondChance {
        watching: bool,
    },
    ShadowStack,
}

const ROWS: [Row; 8] = [
    Row {
        name: "reference",
        way: Way::Strategy("reference"),
        paper: "1.11-1.42x",
    },
    Row {
        name: "auto",
        way: Way::Strategy("auto"),
        paper: "-",
    },
    Row {
        name: "shallow+used-fields",
        way: Way::Strategy("shallow+used-fields"),
        paper: "1.13-1.60x",
    },
    Row {
        name: "deep",
        way: Way::Strategy("deep"),
        paper: "120-6,380x",
    },
    Row {
        name: "undo",
        way: Way::Strategy("undo"),
        paper: "-",
    },
    Row {
        name: "second chance",
        way: Way::SecondChance { watching: false },
        paper: "1.00x",
    },
    Row {
        name: "second chance, after a failure",
        way: Way::SecondChance { watching: true },
        paper: "1.00-1.02x",
    },
    Row {
        name: "classic shadow stack",
        way: Way::ShadowStack,
        paper: "1.11-1.42x",
    },
];

pub fn run(place: &Place, options: &Options) -> Result<()> {
    let recrash = place.recrash()?;
    if let Some(unknown) = options
        .strategy
        .iter()
        .find(|name| !ROWS.iter().any(|row| row.name == **name))
    {
        let known: Vec<&str> = ROWS.iter().map(|row| row.name).collect();
        bail!("there is no row '{unknown}': {}", known.join(", "));
    }
    let rows: Vec<&Row> = ROWS
        .iter()
        .filter(|row| {
            options.strategy.is_empty() || options.strategy.iter().any(|name| name == row.name)
        })
        .collect();
    let jdks = jdks(&options.jdk)?;
    if !options.only_corpus {
        let chosen: Vec<&Program> = programs(&options.program)?
            .into_iter()
            .filter(|program| program.real || !options.program.is_empty())
            .collect();
        print!("{}", costs(place, recrash, &jdks, &chosen, &rows, options)?);
    }
    if let Some(corpus) = &options.corpus {
        let jdk = jdks.into_iter().next().context("no JDK")?;
        print!("{}", reproduced(recrash, corpus, jdk, &rows, options)?);
    }
    Ok(())
}

/// A program on a JDK, and what was measured of it: per row the CPU seconds of each repetition beside the plain ones.
struct Cell<'a> {
    stage: Stage<'a>,
    companies: Vec<Company>,
    checksum: Option<String>,
    plain: Vec<f64>,
    by_row: Vec<Measured>,
}

#[derive(Clone)]
enum Measured {
    /// CPU seconds.
    Runs(Vec<f64>),
    /// It took more than so many times the plain run.
    MoreThan(f64),
}

impl Cell<'_> {
    /// The plain program runs first and last: a machine that becomes slower meanwhile does so for both sides of a ratio, and
    /// a chance in one plain run would be in every ratio.
    fn repeat(&mut self, random: &mut Random) -> Result<()> {
        let (first, whole) = self.plain()?;
        let mut order: Vec<usize> = (0..self.companies.len()).collect();
        random.shuffle(&mut order);
        for row in order {
            let (Some(company), Some(Measured::Runs(_))) =
                (self.companies.get(row), self.by_row.get(row))
            else {
                continue;
            };
            let run = self.stage.run(company)?;
            if let Some(run) = &run {
                self.check(&run.checksum)?;
            }
            match (self.by_row.get_mut(row), run) {
                (Some(Measured::Runs(runs)), Some(run)) => runs.push(run.cost.cpu.as_secs_f64()),
                (Some(measured), None) => {
                    let limit = self.stage.limit.unwrap_or_default().as_secs_f64();
                    *measured = Measured::MoreThan(limit / whole.as_secs_f64());
                }
                _ => {}
            }
        }
        let (last, _) = self.plain()?;
        self.plain.push(f64::midpoint(first, last));
        Ok(())
    }

    /// CPU seconds of a plain run, and how long it took as a whole.
    fn plain(&mut self) -> Result<(f64, Duration)> {
        let plain = self
            .stage
            .run(&Company::Nobody)?
            .context("the plain run took longer than --limit")?;
        self.check(&plain.checksum)?;
        Ok((plain.cost.cpu.as_secs_f64(), plain.whole.wall))
    }

    fn check(&mut self, checksum: &str) -> Result<()> {
        let expected = self.checksum.get_or_insert_with(|| checksum.to_owned());
        if expected != checksum {
            bail!("{} computes something else", self.stage);
        }
        Ok(())
    }

    /// The ratio, and how it is printed.
    fn ratio(&self, row: usize) -> (f64, String) {
        match self.by_row.get(row) {
            Some(Measured::Runs(runs)) => {
                let pairs: Vec<(f64, f64)> = self.plain.iter().copied().zip(runs.clone()).collect();
                let ratio = ratio(&pairs);
                let spread = ratio.spread * 100.0;
                (ratio.value, format!("{:.3}x ±{spread:.0} %", ratio.value))
            }
            Some(Measured::MoreThan(times)) => (*times, format!("> {times:.0}x")),
            None => (f64::NAN, String::new()),
        }
    }
}

fn costs(
    place: &Place,
    recrash: &Path,
    jdks: &[Jdk],
    chosen: &[&Program],
    rows: &[&Row],
    options: &Options,
) -> Result<String> {
    let scratch = tempfile::tempdir()?;
    let mut prepared = Vec::new();
    for jdk in jdks {
        let folder = scratch.path().join(jdk.version.feature.to_string());
        std::fs::create_dir_all(&folder)?;
        let programs = Programs::prepare(place, jdk, &folder)?;
        prepared.push((jdk, programs, shadow::agent(place, jdk, &folder)?));
    }
    let mut cells = Vec::new();
    for (jdk, programs, shadow) in &prepared {
        for program in chosen {
            let stage = Stage {
                recrash,
                jdk,
                programs,
                program,
                mode: Mode::Steady,
                limit: Some(Duration::from_secs(options.limit)),
            };
            let companies = rows.iter().map(|row| company(row.way, &stage, shadow));
            cells.push(Cell {
                stage,
                companies: companies.collect::<Result<_>>()?,
                checksum: None,
                plain: Vec::new(),
                by_row: vec![Measured::Runs(Vec::new()); rows.len()],
            });
        }
    }
    let mut random = Random(0x5eed);
    for repetition in 1..=options.repetitions {
        for cell in &mut cells {
            progress::show(&format!("repetition {repetition}: {}", cell.stage));
            cell.repeat(&mut random)?;
        }
        if repetition < options.repetitions {
            // It takes an hour and more: whoever has to stop it keeps what there is.
            progress::clear();
            eprintln!(
                "after repetition {repetition}:\n{}",
                cost_table(&cells, rows)
            );
        }
    }
    progress::clear();
    Ok(cost_table(&cells, rows))
}

fn company(way: Way, stage: &Stage<'_>, shadow: &Path) -> Result<Company> {
    Ok(match way {
        Way::Strategy(name) => Company::Recrash(vec![format!("--strategy={name}")]),
        Way::ShadowStack => Company::Options(vec![format!("-javaagent:{}", shadow.display())]),
        Way::SecondChance { watching } => {
            let what = if watching { "watching" } else { "empty" };
            let list = stage
                .programs
                .folder
                .join(format!("{}-{what}.txt", stage.program.name));
            if watching {
                watch_one_stack(stage, &list)?;
            }
            Company::Recrash(vec![format!("--second-chance={}", list.display())])
        }
    })
}

/// Puts the deepest stack that the program was seen with on the list: as if it had failed in the middle of its work.
fn watch_one_stack(stage: &Stage<'_>, list: &Path) -> Result<()> {
    let trace = list.with_extension("trace");
    let option = format!("-Dbench.trace={}", trace.display());
    stage
        .run(&Company::Options(vec![option]))?
        .context("the plain run took longer than --limit")?;
    let mut command = Command::new(stage.recrash);
    command.args(["watch", "add"]).arg(&trace).arg(list);
    succeed(&mut command, &stage.programs.folder)?;
    Ok(())
}

fn cost_table(cells: &[Cell<'_>], rows: &[&Row]) -> String {
    let mut headings = vec!["CPU, steady state".to_owned()];
    headings.extend(cells.iter().map(|cell| {
        let (program, jdk) = (cell.stage.program.name, cell.stage.jdk.version.feature);
        format!("{program} {jdk} ")
    }));
    headings.extend(["median ".to_owned(), "paper ".to_owned()]);
    let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
    let mut table = Table::new(&headings);
    for (number, row) in rows.iter().enumerate() {
        let ratios: Vec<(f64, String)> = cells.iter().map(|cell| cell.ratio(number)).collect();
        let values: Vec<f64> = ratios.iter().map(|(value, _)| *value).collect();
        let mut line = vec![row.name.to_owned()];
        line.extend(ratios.into_iter().map(|(_, text)| text));
        line.push(format!("{:.3}x", median(&values)));
        line.push(row.paper.to_owned());
        table.row(line);
    }
    format!(
        "{}Ratios of median CPU seconds to the plain run; ± is half the 90 % bootstrap interval. Paper: ReCrash (ECOOP'08), \
         figure 13, whole runs, wall.\n",
        table.text()
    )
}

/// What each strategy captures well enough, over the drivers of a folder.
fn reproduced(
    recrash: &Path,
    folder: &Path,
    jdk: Jdk,
    rows: &[&Row],
    options: &Options,
) -> Result<String> {
    let title = format!("corpus on Java {}", jdk.version.feature);
    let mut table = Table::new(&[
        &title,
        "crashes ",
        "candidates ",
        "reproduced ",
        "share ",
        "without a second look ",
        "share ",
        "KB, median ",
        "KB, sum ",
    ]);
    let corpus = Corpus::open(folder, &options.keep, &[], jdk)?;
    let limit = Duration::from_secs(options.limit.max(120));
    let mut by_row = Vec::new();
    for row in rows {
        let Way::Strategy(name) = row.way else {
            continue;
        };
        let with = [format!("--strategy={name}")];
        let mut outcomes = Vec::new();
        for (number, driver) in corpus.drivers.iter().enumerate() {
            let (of, id) = (corpus.drivers.len(), &driver.id);
            progress::show(&format!("{name}: {} of {of}, {id}", number + 1));
            outcomes.push(corpus.crash(driver, recrash, &with, limit)?);
        }
        by_row.push((row.name, outcomes));
    }
    progress::clear();
    // The same for all: a strategy under which a program does not get as far as its crash has not one candidate less.
    let most = |driver: usize| {
        let found = by_row
            .iter()
            .filter_map(|(_, outcomes)| outcomes.get(driver));
        found.map(|outcome| outcome.candidates).max().unwrap_or(0)
    };
    let candidates = (0..corpus.drivers.len()).map(most).sum();
    for (name, outcomes) in &by_row {
        table.row(summary(name, outcomes, candidates));
    }
    Ok(format!("\n{}", table.text()))
}

fn summary(name: &str, outcomes: &[Outcome], candidates: usize) -> Vec<String> {
    let sum = |of: fn(&Outcome) -> usize| outcomes.iter().map(of).sum::<usize>();
    let share = |part: usize| format!("{:.1} %", part as f64 * 100.0 / candidates as f64);
    let tests = sum(|outcome| outcome.reproduced);
    let at_first = sum(|outcome| outcome.at_first);
    let crashes = outcomes.iter().filter(|outcome| outcome.reproduced > 0);
    let sizes: Vec<f64> = outcomes
        .iter()
        .map(|outcome| outcome.kilobytes as f64)
        .collect();
    vec![
        name.to_owned(),
        format!("{} of {}", crashes.count(), outcomes.len()),
        candidates.to_string(),
        tests.to_string(),
        share(tests),
        at_first.to_string(),
        share(at_first),
        format!("{:.0}", median(&sizes)),
        format!("{:.0}", sizes.iter().sum::<f64>()),
    ]
}
