use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args;
use recrash_jvm::Jdk;

use crate::folder;
use crate::place::{Place, jdks};
use crate::progress;
use crate::sample::{Sample, measure};
use crate::table::Table;
use crate::verdicts::{Captured, FrameVerdict, captured};

#[derive(Args)]
pub struct Options {
    /// A folder with `drivers.tsv` and the `run-driver` that fetches, compiles and runs one of them
    #[arg(long, value_name = "DIR")]
    corpus: PathBuf,
    /// Only this crash; may be repeated
    #[arg(long, value_name = "ID")]
    only: Vec<String>,
    /// The JDK that compiles and runs; the first one found when not given
    #[arg(long, value_name = "HOME")]
    jdk: Option<PathBuf>,
    /// An option for `recrash run`, as in `--with=--strategy=undo`; may be repeated
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    with: Vec<String>,
    /// Where snapshots, tests and logs of each crash are left
    #[arg(long, value_name = "DIR", default_value = "target/corpus")]
    keep: PathBuf,
}

/// No driver runs longer than seconds; this ends one that hangs.
const LIMIT: Duration = Duration::from_secs(600);

/// A folder of drivers, with its jars fetched, and where its runs leave their results.
pub struct Corpus {
    folder: PathBuf,
    keep: PathBuf,
    cache: PathBuf,
    jdk: Jdk,
    pub drivers: Vec<Driver>,
}

pub struct Driver {
    pub id: String,
    exception: String,
}

/// What one driver gave.
pub struct Outcome {
    pub candidates: usize,
    pub reproduced: usize,
    /// Frames that were handed the exception, and so are no candidates.
    passing: Vec<String>,
    /// Those of them that needed no second look.
    pub at_first: usize,
    /// Those whose tests are source alone.
    self_contained: usize,
    /// Why the others are not, with how many they are.
    obstacles: Vec<(String, usize)>,
    best: String,
    pub kilobytes: u64,
    seconds: f64,
    reason: String,
}

pub fn run(place: &Place, options: &Options) -> Result<()> {
    let recrash = place.recrash()?;
    let jdk = jdks(options.jdk.as_slice())?
        .into_iter()
        .next()
        .context("no JDK")?;
    let corpus = Corpus::open(&options.corpus, &options.keep, &options.only, jdk)?;
    println!(
        "Java {} ({}), {} crashes; details in {}",
        corpus.jdk.version,
        corpus.jdk.home.display(),
        corpus.drivers.len(),
        corpus.keep.display()
    );
    let headings = [
        "crash",
        "exception",
        "candidates ",
        "reproduced ",
        "self-contained ",
        "best frame",
        "KB ",
        "seconds ",
        "reason where not reproduced, then where not self-contained",
    ];
    let mut table = Table::new(&headings);
    let mut outcomes = Vec::new();
    for (number, each) in corpus.drivers.iter().enumerate() {
        progress::show(&format!(
            "{} of {}: {}",
            number + 1,
            corpus.drivers.len(),
            each.id
        ));
        let outcome = corpus.crash(each, recrash, &options.with, LIMIT)?;
        table.row(row(each, &outcome));
        outcomes.push(outcome);
    }
    progress::clear();
    print!("{}", table.text());
    println!("\n{}", totals(&outcomes));
    Ok(())
}

impl Corpus {
    /// Fetches what the drivers need.
    pub fn open(folder: &Path, keep: &Path, only: &[String], jdk: Jdk) -> Result<Corpus> {
        std::fs::create_dir_all(keep)?;
        let keep = keep.canonicalize()?;
        let folder = writable(folder, &keep)?;
        let cache =
            std::env::var_os("CORPUS_CACHE").map_or_else(|| keep.join("cache"), PathBuf::from);
        let corpus = Corpus {
            drivers: read_drivers(&folder.join("drivers.tsv"), only)?,
            folder,
            keep,
            cache,
            jdk,
        };
        if only.is_empty() {
            let count = corpus.drivers.len();
            progress::show(&format!("fetching the jars of {count} drivers"));
            finish(
                &measure(&mut corpus.command(&["--fetch-all"]), &corpus.keep)?,
                "run-driver --fetch-all",
            )?;
        }
        Ok(corpus)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.folder.join("run-driver"));
        command.args(arguments);
        self.settle(&mut command);
        command
    }

    fn settle(&self, command: &mut Command) {
        command
            .env("CORPUS_CACHE", &self.cache)
            .env("JAVA_HOME", &self.jdk.home);
    }

    /// The class path of a driver, and what it prints when it crashes by itself.
    pub fn trace(&self, driver: &Driver) -> Result<(String, Vec<u8>)> {
        let class_path = self.command(&["--classpath", &driver.id]).output()?;
        let printed = self.command(&[&driver.id]).output()?;
        let class_path = String::from_utf8_lossy(&class_path.stdout);
        let last = class_path.lines().last().unwrap_or_default().to_owned();
        Ok((last, printed.stderr))
    }

    /// Runs a driver under `recrash run` with some options more.
    pub fn crash(
        &self,
        driver: &Driver,
        recrash: &Path,
        with: &[String],
        limit: Duration,
    ) -> Result<Outcome> {
        let out = self.keep.join(&driver.id);
        if out.exists() {
            std::fs::remove_dir_all(&out)?;
        }
        std::fs::create_dir_all(&out)?;
        // Compiled beforehand, so that the run has nothing in it but the driver.
        finish(
            &measure(&mut self.command(&["--classpath", &driver.id]), &out)?,
            &format!("run-driver --classpath {}", driver.id),
        )?;
        let mut command = Command::new("timeout");
        command
            .arg("--kill-after=10")
            .arg(limit.as_secs().to_string())
            .arg(recrash)
            .arg("run")
            .arg("--out")
            .arg(&out)
            // The library is what is tried here, and the driver is no application.
            .arg("--all-frames")
            .args(with)
            .arg("--")
            .arg(self.folder.join("run-driver"))
            .arg(&driver.id)
            .current_dir(&out);
        self.settle(&mut command);
        outcome(
            &measure(&mut command, &out)?,
            &out,
            &driver.exception,
            limit,
        )
    }
}

/// The folder itself where `run-driver` can write beside itself, else a copy.
fn writable(corpus: &Path, keep: &Path) -> Result<PathBuf> {
    let corpus = corpus
        .canonicalize()
        .with_context(|| format!("--corpus {}", corpus.display()))?;
    if tempfile::tempfile_in(&corpus).is_ok() {
        return Ok(corpus);
    }
    let copy = keep.join("drivers");
    folder::copy(&corpus, &copy)?;
    Ok(copy)
}

fn finish(sample: &Sample, what: &str) -> Result<()> {
    if sample.status != Some(0) {
        bail!(
            "{what} failed: {}",
            std::fs::read_to_string(&sample.stderr)?.trim_end()
        );
    }
    Ok(())
}

/// The rows of `drivers.tsv`, all of them or those named, found by the headings of its first line.
fn read_drivers(file: &Path, only: &[String]) -> Result<Vec<Driver>> {
    let text = std::fs::read_to_string(file)
        .with_context(|| format!("{} could not be read", file.display()))?;
    let mut lines = text
        .lines()
        .map(|line| line.split('\t').collect::<Vec<_>>());
    let headings = lines.next().unwrap_or_default();
    let drivers: Vec<Driver> = lines
        .filter_map(|cells| {
            let row: HashMap<_, _> = headings.iter().copied().zip(cells).collect();
            Some(Driver {
                id: (*row.get("id")?).to_owned(),
                exception: (*row.get("exception")?).to_owned(),
            })
        })
        .filter(|driver| only.is_empty() || only.contains(&driver.id))
        .collect();
    if let Some(unknown) = only
        .iter()
        .find(|id| !drivers.iter().any(|driver| driver.id == **id))
    {
        bail!("{} has no driver '{unknown}'", file.display());
    }
    Ok(drivers)
}

fn outcome(sample: &Sample, out: &Path, exception: &str, limit: Duration) -> Result<Outcome> {
    let seconds = sample.cost.wall.as_secs_f64();
    let nothing = |kilobytes, reason| Outcome {
        candidates: 0,
        reproduced: 0,
        passing: Vec::new(),
        at_first: 0,
        self_contained: 0,
        obstacles: Vec::new(),
        best: String::new(),
        kilobytes,
        seconds,
        reason,
    };
    let messages = std::fs::read_to_string(&sample.stderr).unwrap_or_default();
    let last_word = || {
        let mut lines = messages
            .lines()
            .filter(|line| line.starts_with("recrash: "));
        lines.next_back().map_or_else(
            || "no snapshot, no message".to_owned(),
            |line| line.trim_start_matches("recrash: ").to_owned(),
        )
    };
    if sample.status == Some(124) {
        return Ok(nothing(
            0,
            format!("did not end within {} seconds", limit.as_secs()),
        ));
    }
    let Some(Captured { snapshot, verdicts }) = of_exception(captured(out)?, exception) else {
        return Ok(nothing(0, last_word()));
    };
    let kilobytes = std::fs::metadata(snapshot)?.len().div_ceil(1024);
    let Some(verdicts) = verdicts else {
        return Ok(nothing(kilobytes, last_word()));
    };
    let reproduced: Vec<_> = verdicts
        .frames
        .iter()
        .filter(|frame| frame.reproduced())
        .collect();
    let mut others = verdicts
        .frames
        .iter()
        .filter(|frame| !frame.reproduced() && frame.counts());
    let reason = others.next().map_or_else(String::new, |frame| {
        let more = others.count();
        let more = if more == 0 {
            String::new()
        } else {
            format!(" (and {more} more)")
        };
        format!(
            "{}: {}{more}",
            frame.name(),
            frame.reason.as_deref().unwrap_or(&frame.verdict)
        )
    });
    Ok(Outcome {
        candidates: verdicts
            .frames
            .iter()
            .filter(|frame| frame.counts())
            .count(),
        passing: verdicts
            .frames
            .iter()
            .filter(|frame| frame.passes_on())
            .map(FrameVerdict::name)
            .collect(),
        reproduced: reproduced.len(),
        at_first: reproduced.iter().filter(|frame| !frame.looked()).count(),
        self_contained: reproduced
            .iter()
            .filter(|frame| frame.self_contained)
            .count(),
        obstacles: obstacles(&reproduced),
        best: reproduced
            .first()
            .map_or_else(String::new, |frame| frame.name()),
        kilobytes,
        seconds,
        reason,
    })
}

/// The reasons why tests load the snapshot, the commonest first.
fn obstacles(reproduced: &[&FrameVerdict]) -> Vec<(String, usize)> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for frame in reproduced.iter().filter(|frame| !frame.self_contained) {
        *counts
            .entry(frame.obstacle.as_deref().unwrap_or("not known"))
            .or_default() += 1;
    }
    let mut counts: Vec<(String, usize)> = counts
        .into_iter()
        .map(|(reason, count)| (reason.to_owned(), count))
        .collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts
}

/// The snapshot of the crash the driver is about: named after its exception; else whichever has most frames.
fn of_exception(mut captured: Vec<Captured>, exception: &str) -> Option<Captured> {
    let simple = exception.rsplit(['.', '$']).next().unwrap_or(exception);
    let named = |one: &Captured| {
        one.snapshot
            .file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with(simple))
    };
    captured.sort_by_key(|one| {
        (
            named(one),
            one.verdicts
                .as_ref()
                .map_or(0, |verdicts| verdicts.frames.len()),
        )
    });
    captured.pop()
}

fn row(driver: &Driver, outcome: &Outcome) -> Vec<String> {
    let exception = driver
        .exception
        .rsplit('.')
        .next()
        .unwrap_or(&driver.exception)
        .to_owned();
    vec![
        driver.id.clone(),
        exception,
        outcome.candidates.to_string(),
        outcome.reproduced.to_string(),
        outcome.self_contained.to_string(),
        outcome.best.clone(),
        outcome.kilobytes.to_string(),
        format!("{:.1}", outcome.seconds),
        reasons(outcome),
    ]
}

fn reasons(outcome: &Outcome) -> String {
    let mut parts = Vec::new();
    if !outcome.reason.is_empty() {
        parts.push(shortened(&outcome.reason));
    }
    let obstacles = outcome.obstacles.iter();
    parts.extend(obstacles.map(|(reason, count)| format!("{count} load: {}", shortened(reason))));
    parts.join("; ")
}

/// The table is for reading; the whole sentence stands in `verdicts.json`.
fn shortened(reason: &str) -> String {
    const WIDTH: usize = 120;
    if reason.chars().count() <= WIDTH {
        return reason.to_owned();
    }
    reason.chars().take(WIDTH - 1).chain(['…']).collect()
}

fn totals(outcomes: &[Outcome]) -> String {
    let crashes = outcomes.len();
    let reproduced = outcomes
        .iter()
        .filter(|outcome| outcome.reproduced > 0)
        .count();
    let candidates: usize = outcomes.iter().map(|outcome| outcome.candidates).sum();
    let tests: usize = outcomes.iter().map(|outcome| outcome.reproduced).sum();
    let alone: usize = outcomes.iter().map(|outcome| outcome.self_contained).sum();
    let passing: Vec<&str> = outcomes
        .iter()
        .flat_map(|outcome| outcome.passing.iter().map(String::as_str))
        .collect();
    let passing = match passing.len() {
        0 => String::new(),
        count => format!(
            "; {count} frames that only pass the failure on are no candidates: {}",
            passing.join(", ")
        ),
    };
    format!(
        "{reproduced} of {crashes} crashes reproduced by at least one test ({}); {tests} of {candidates} candidates reproduce ({}); {alone} of {tests} tests are self-contained ({}){passing}",
        percent(reproduced, crashes),
        percent(tests, candidates),
        percent(alone, tests)
    )
}

fn percent(part: usize, whole: usize) -> String {
    if whole == 0 {
        return "-".to_owned();
    }
    format!("{:.1} %", part as f64 * 100.0 / whole as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drivers_are_read_by_the_headings_of_the_table() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("drivers.tsv");
        std::fs::write(
            &file,
            "id\tmain\texception\na\tA\tjava.lang.Error\nb\tB\tx.Y\n",
        )
        .unwrap();
        let only = read_drivers(&file, &["b".to_owned()]).unwrap();
        assert_eq!(only.len(), 1);
        assert_eq!(only[0].exception, "x.Y");
        assert!(read_drivers(&file, &["c".to_owned()]).is_err());
    }

    #[test]
    fn totals_count_crashes_and_tests_apart() {
        let outcome = |candidates, reproduced| Outcome {
            candidates,
            reproduced,
            passing: vec!["Failure.get".to_owned()],
            at_first: reproduced,
            self_contained: 1,
            obstacles: Vec::new(),
            best: String::new(),
            kilobytes: 1,
            seconds: 1.0,
            reason: String::new(),
        };
        assert_eq!(
            totals(&[outcome(4, 3), outcome(2, 0)]),
            "1 of 2 crashes reproduced by at least one test (50.0 %); 3 of 6 candidates reproduce (50.0 %); 2 of 3 tests are self-contained (66.7 %); 2 frames that only pass the failure on are no candidates: Failure.get, Failure.get"
        );
    }
}
