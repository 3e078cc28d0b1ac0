use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use clap::Args;
use serde::Deserialize;

use crate::place::Place;
use crate::progress;
use crate::sample::measure;
use crate::statistics::median;
use crate::table::Table;
use crate::verdicts::{Captured, Verdicts, captured};

#[derive(Args)]
pub struct Options {
    /// What `./x bench corpus` left: a folder per crash, each with its snapshot
    #[arg(long, value_name = "DIR", default_value = "target/corpus")]
    snapshots: PathBuf,
    /// Only this crash; may be repeated
    #[arg(long, value_name = "ID")]
    only: Vec<String>,
    /// Keep only the innermost frame that reproduces and is not trivial, instead of all that reproduce
    #[arg(long)]
    one_frame: bool,
    /// Make the tests of each shrunk snapshot, too, and count those that reproduce
    #[arg(long)]
    tests: bool,
    /// An option for `recrash shrink`, as in `--with=--limit=60`; may be repeated
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    with: Vec<String>,
    /// Where the shrunk snapshots are left
    #[arg(long, value_name = "DIR", default_value = "target/shrunk")]
    keep: PathBuf,
}

/// What `recrash shrink --json` says.
#[derive(Debug, Deserialize)]
struct Shrunk {
    objects_before: u32,
    objects: u32,
    trials: u64,
    milliseconds: u64,
    frames: Vec<usize>,
    minimal: bool,
}

impl Shrunk {
    fn cut(&self) -> f64 {
        let before = f64::from(self.objects_before.max(1));
        (before - f64::from(self.objects)) * 100.0 / before
    }

    fn per_minute(&self) -> f64 {
        self.trials as f64 * 60_000.0 / self.milliseconds.max(1) as f64
    }
}

pub fn run(place: &Place, options: &Options) -> Result<()> {
    let recrash = place.recrash()?;
    let crashes = crashes(options)?;
    let mut table = Table::new(&[
        "crash",
        "objects ",
        "left ",
        "cut % ",
        "frames ",
        "reproduce ",
        "trials ",
        "per minute ",
        "seconds ",
        "",
    ]);
    let mut done = Vec::new();
    for (number, (crash, snapshot)) in crashes.iter().enumerate() {
        let count = crashes.len();
        progress::show(&format!("{} of {count}: {crash}", number + 1));
        match shrink(recrash, options, crash, snapshot)? {
            Err(reason) => {
                let mut row = vec![String::new(); 10];
                row.splice(..1, [crash.clone()]);
                row.splice(9.., [reason]);
                table.row(row);
            }
            Ok((shrunk, reproduced)) => {
                table.row(vec![
                    crash.clone(),
                    shrunk.objects_before.to_string(),
                    shrunk.objects.to_string(),
                    format!("{:.1}", shrunk.cut()),
                    shrunk.frames.len().to_string(),
                    reproduced.to_string(),
                    shrunk.trials.to_string(),
                    format!("{:.0}", shrunk.per_minute()),
                    format!("{:.1}", shrunk.milliseconds as f64 / 1000.0),
                    if shrunk.minimal { "" } else { "time was up" }.to_owned(),
                ]);
                done.push(shrunk);
            }
        }
    }
    progress::clear();
    print!("{}", table.text());
    let of = |value: fn(&Shrunk) -> f64| median(&done.iter().map(value).collect::<Vec<_>>());
    println!(
        "\n{} of {} crashes stay; medians: {:.1} % of the objects cut, {:.0} trials per minute, {:.1} seconds",
        done.len(),
        crashes.len(),
        of(Shrunk::cut),
        of(Shrunk::per_minute),
        of(|shrunk| shrunk.milliseconds as f64 / 1000.0),
    );
    Ok(())
}

/// Name and snapshot of each crash.
fn crashes(options: &Options) -> Result<Vec<(String, Captured)>> {
    let folder = &options.snapshots;
    let mut crashes = Vec::new();
    let entries = std::fs::read_dir(folder).with_context(|| {
        format!(
            "{} cannot be read; ./x bench corpus fills it",
            folder.display()
        )
    })?;
    for entry in entries {
        let entry = entry?;
        let crash = entry.file_name().to_string_lossy().into_owned();
        if !entry.path().is_dir() || !options.only.is_empty() && !options.only.contains(&crash) {
            continue;
        }
        if let Some(first) = captured(&entry.path())?.into_iter().next() {
            crashes.push((crash, first));
        }
    }
    if crashes.is_empty() {
        bail!(
            "{} holds no folder with a snapshot; ./x bench corpus fills it",
            folder.display()
        );
    }
    crashes.sort_by(|(a, _), (b, _)| a.cmp(b));
    Ok(crashes)
}

/// What was done and how many frames reproduce then; `Err` with the sentence of a crash that could not be shrunk.
fn shrink(
    recrash: &Path,
    options: &Options,
    crash: &str,
    captured: &Captured,
) -> Result<std::result::Result<(Shrunk, usize), String>> {
    let folder = options.keep.join(crash);
    std::fs::create_dir_all(&folder)?;
    let out = folder.join(format!("{crash}.recrash"));
    let mut command = Command::new(recrash);
    command
        .arg("shrink")
        .arg(&captured.snapshot)
        .arg("--json")
        .arg("-o")
        .arg(&out)
        .args(&options.with);
    if options.one_frame
        && let Some(frame) = innermost(captured.verdicts.as_ref())
    {
        command.arg(format!("--frame={frame}"));
    }
    let sample = measure(&mut command, &folder)?;
    if sample.status != Some(0) {
        let messages = std::fs::read_to_string(&sample.stderr)?;
        return Ok(Err(messages.lines().last().unwrap_or_default().to_owned()));
    }
    let shrunk: Shrunk = serde_json::from_str(&std::fs::read_to_string(&sample.stdout)?)?;
    if !options.tests {
        let frames = shrunk.frames.len();
        return Ok(Ok((shrunk, frames)));
    }
    let mut command = Command::new(recrash);
    command.arg("tests").arg(&out).arg("--json");
    let sample = measure(&mut command, &folder)?;
    // Without an answer, none: the reason is in the folder's `err`.
    let verdicts: Option<Verdicts> =
        serde_json::from_str(&std::fs::read_to_string(&sample.stdout)?).ok();
    let frames = verdicts.iter().flat_map(|verdicts| &verdicts.frames);
    let reproduced = frames
        .filter(|verdict| verdict.reproduced() && shrunk.frames.contains(&verdict.frame))
        .count();
    Ok(Ok((shrunk, reproduced)))
}

fn innermost(verdicts: Option<&Verdicts>) -> Option<usize> {
    let frames = verdicts?.frames.iter();
    frames
        .filter(|verdict| verdict.reproduced() && !verdict.looked())
        .min_by_key(|verdict| (verdict.trivial, verdict.frame))
        .map(|verdict| verdict.frame)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_and_rates_are_of_what_was_there() {
        let shrunk = Shrunk {
            objects_before: 200,
            objects: 10,
            trials: 500,
            milliseconds: 15_000,
            frames: vec![0],
            minimal: true,
        };
        assert!((shrunk.cut() - 95.0).abs() < 1e-9);
        assert!((shrunk.per_minute() - 2000.0).abs() < 1e-9);
    }
}
