use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use clap::Args;
use recrash_jvm::Jdk;

use crate::place::{Place, jdks};
use crate::programs::succeed;
use crate::progress;
use crate::sample::measure;
use crate::statistics::median;
use crate::table::Table;

#[derive(Args)]
pub struct Options {
    /// Only this JDK; may be repeated
    #[arg(long, value_name = "HOME")]
    jdk: Vec<PathBuf>,
    /// Crashes of each program
    #[arg(long, value_name = "N", default_value_t = 9)]
    repetitions: usize,
}

/// Programs that crash, as sources and main class.
const PROGRAMS: [(&str, &str); 4] = [
    ("examples/random-crash", "RandomCrash"),
    ("examples/bst", "CastOnInsert"),
    ("examples/modern", "Modern"),
    ("bench/crash", "MillionObjects"),
];

pub fn run(place: &Place, options: &Options) -> Result<()> {
    let recrash = place.recrash()?;
    let mut table = Table::new(&[
        "program",
        "JDK ",
        "snapshot KB ",
        "crash to file ms ",
        "slowest ms ",
    ]);
    for jdk in jdks(&options.jdk)? {
        for (sources, class) in PROGRAMS {
            progress::show(&format!("{class} on Java {}", jdk.version));
            let scratch = tempfile::tempdir()?;
            compile(place, &jdk, sources, scratch.path())?;
            let captures = (0..options.repetitions)
                .map(|_| capture(recrash, &jdk, class, scratch.path()))
                .collect::<Result<Vec<Capture>>>()?;
            let times: Vec<f64> = captures
                .iter()
                .map(|capture| capture.milliseconds)
                .collect();
            table.row(vec![
                class.to_owned(),
                jdk.version.feature.to_string(),
                captures
                    .last()
                    .map_or(0, |capture| capture.kilobytes)
                    .to_string(),
                format!("{:.0}", median(&times)),
                format!("{:.0}", times.iter().copied().fold(0.0, f64::max)),
            ]);
        }
    }
    progress::clear();
    print!("{}", table.text());
    println!(
        "Medians of {} crashes, from the end of the failing thread to the file on the disk.",
        options.repetitions
    );
    Ok(())
}

struct Capture {
    milliseconds: f64,
    kilobytes: u64,
}

fn compile(place: &Place, jdk: &Jdk, sources: &str, scratch: &Path) -> Result<()> {
    let mut javac = Command::new(jdk.javac()?);
    javac
        .args(["-g", "-nowarn", "-encoding", "UTF-8", "-d"])
        .arg(scratch.join("classes"));
    for entry in std::fs::read_dir(place.root.join(sources))? {
        javac.arg(entry?.path());
    }
    succeed(&mut javac, scratch)?;
    Ok(())
}

fn capture(recrash: &Path, jdk: &Jdk, class: &str, scratch: &Path) -> Result<Capture> {
    let out = scratch.join("crashes");
    if out.exists() {
        std::fs::remove_dir_all(&out)?;
    }
    let mut command = Command::new(recrash);
    command
        .args(["run", "--no-tests", "--out"])
        .arg(&out)
        .arg("--")
        .arg(jdk.java());
    command
        .arg("-cp")
        .arg(scratch.join("classes"))
        .arg(class)
        .current_dir(scratch);
    let sample = measure(&mut command, scratch)?;
    let messages = std::fs::read_to_string(&sample.stderr)?;
    let (milliseconds, file) = messages
        .lines()
        .find_map(captured)
        .with_context(|| format!("{class} was not captured:\n{messages}"))?;
    Ok(Capture {
        milliseconds,
        kilobytes: std::fs::metadata(file)?.len().div_ceil(1024),
    })
}

/// `recrash: captured … in 48 ms: /path/X.recrash`.
fn captured(line: &str) -> Option<(f64, &str)> {
    let (before, file) = line
        .strip_prefix("recrash: captured ")?
        .split_once(" ms: ")?;
    Some((before.rsplit(' ').next()?.parse().ok()?, file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_and_the_file_are_read_from_the_agents_message() {
        let line = "recrash: captured java.lang.Error with 2 frames in 48 ms: /a b/E.recrash";
        assert_eq!(captured(line), Some((48.0, "/a b/E.recrash")));
        assert_eq!(captured("recrash: watching"), None);
    }
}
