//! `recrash minimize` over a folder of long failing runs: what is left of each, how fast, and whether the test is green
//! with the release that has the fix.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use clap::Args;
use recrash_jvm::Jdk;
use serde::Deserialize;

use crate::place::{Place, jdks};
use crate::progress;
use crate::sample::{Cost, measure};
use crate::statistics::median;
use crate::table::Table;

#[derive(Args)]
pub struct Options {
    /// A folder with cases.tsv and run-case, which compiles a case and prints its class path
    #[arg(long, value_name = "DIR")]
    corpus: PathBuf,
    /// Only this case; may be repeated
    #[arg(long, value_name = "ID")]
    only: Vec<String>,
    /// The JDK to run on
    #[arg(long, value_name = "HOME")]
    jdk: Option<PathBuf>,
    /// An option for `recrash minimize`, as in `--with=--budget=60`; may be repeated
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    with: Vec<String>,
    /// Where the tests are left
    #[arg(long, value_name = "DIR", default_value = "target/minimized")]
    keep: PathBuf,
}

/// What `recrash minimize --json` says.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Minimized {
    verdict: String,
    reason: String,
    wrong_value: bool,
    calls_before: usize,
    calls: usize,
    test: Option<PathBuf>,
    trials: u64,
    seconds: f64,
}

/// A row of cases.tsv, by heading.
type Case = HashMap<String, String>;

pub fn run(place: &Place, options: &Options) -> Result<()> {
    let recrash = place.recrash()?;
    let homes: Vec<PathBuf> = options.jdk.clone().into_iter().collect();
    let jdk = jdks(&homes)?
        .into_iter()
        .next()
        .context("there is no JDK")?;
    let cases = cases(options)?;
    let mut table = Table::new(&[
        "case",
        "kind",
        "calls ",
        "left ",
        "trials/s ",
        "seconds ",
        "plain s ",
        "fixed",
        "",
    ]);
    let mut left = Vec::new();
    let mut seconds = Vec::new();
    let (mut reproduced, mut green, mut with_fix) = (0, 0, 0);
    for (number, case) in cases.iter().enumerate() {
        let id = field(case, "id");
        progress::show(&format!("{} of {}: {id}", number + 1, cases.len()));
        let (done, plain) = one(recrash, options, &jdk, case)?;
        let fixed = match &done.test {
            Some(test) if !field(case, "fixed").is_empty() => {
                with_fix += 1;
                let is_green = is_green(place, options, &jdk, case, test)?;
                green += usize::from(is_green);
                if is_green { "green" } else { "red" }
            }
            _ => "",
        };
        if done.verdict == "reproduced" {
            reproduced += 1;
            left.push(done.calls as f64);
        }
        seconds.push(done.seconds);
        table.row(vec![
            id.to_owned(),
            if done.wrong_value {
                "wrong value"
            } else {
                "crash"
            }
            .to_owned(),
            done.calls_before.to_string(),
            done.calls.to_string(),
            format!("{:.0}", done.trials as f64 / done.seconds.max(0.001)),
            format!("{:.1}", done.seconds),
            format!("{:.1}", plain.wall.as_secs_f64()),
            fixed.to_owned(),
            if done.verdict == "reproduced" {
                String::new()
            } else {
                done.reason
            },
        ]);
    }
    progress::clear();
    print!("{}", table.text());
    println!(
        "\n{reproduced} of {} have a test, {green} of {with_fix} of them green with the fix; medians: {:.0} calls, {:.1} seconds",
        cases.len(),
        median(&left),
        median(&seconds),
    );
    Ok(())
}

fn field<'a>(case: &'a Case, name: &str) -> &'a str {
    case.get(name).map_or("", String::as_str)
}

fn cases(options: &Options) -> Result<Vec<Case>> {
    let file = options.corpus.join("cases.tsv");
    let text = std::fs::read_to_string(&file).with_context(|| file.display().to_string())?;
    let mut lines = text.lines();
    let headings: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
    let cases = lines.map(|line| {
        let cells = line.split('\t').map(str::to_owned);
        headings
            .iter()
            .map(|heading| (*heading).to_owned())
            .zip(cells)
            .collect::<Case>()
    });
    let wanted = |case: &Case| {
        options.only.is_empty() || options.only.iter().any(|only| only == field(case, "id"))
    };
    let cases: Vec<Case> = cases.filter(wanted).collect();
    if cases.is_empty() {
        bail!("{} names no such case", file.display());
    }
    Ok(cases)
}

/// The class path of a case, compiled when needed.
fn class_path(options: &Options, jdk: &Jdk, case: &Case) -> Result<String> {
    let script = std::path::absolute(options.corpus.join("run-case"))?;
    let output = Command::new(script)
        .args(["--classpath", field(case, "id")])
        .env("JAVA_HOME", &jdk.home)
        .output()?;
    if !output.status.success() {
        bail!("run-case: {}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// How the run of a case is started, without the class path: as run-case does it.
fn options_of(case: &Case) -> Vec<String> {
    let always = [
        "-Duser.timezone=UTC",
        "-Duser.language=en",
        "-Duser.country=US",
    ];
    let own = field(case, "options").split_whitespace();
    always.into_iter().chain(own).map(str::to_owned).collect()
}

fn one(recrash: &Path, options: &Options, jdk: &Jdk, case: &Case) -> Result<(Minimized, Cost)> {
    let keep = std::path::absolute(options.keep.join(field(case, "id")))?;
    let _ = std::fs::remove_dir_all(&keep);
    std::fs::create_dir_all(&keep)?;
    let class_path = class_path(options, jdk, case)?;
    let started = |command: &mut Command| {
        command
            .args(options_of(case))
            .args(["-cp", &class_path])
            .arg(field(case, "main"))
            .current_dir(&keep);
    };
    let mut plain = Command::new(jdk.java());
    started(&mut plain);
    let plain = measure(&mut plain, &keep)?.cost;
    let mut command = Command::new(recrash);
    command
        .args(["minimize", "--json", "--out"])
        .arg(keep.join("test"))
        .args(&options.with)
        .arg("--")
        .arg(jdk.java());
    started(&mut command);
    let sample = measure(&mut command, &keep)?;
    let said = std::fs::read(&sample.stdout)?;
    let done = serde_json::from_slice(&said).unwrap_or_else(|_| Minimized {
        verdict: "none".to_owned(),
        reason: std::fs::read_to_string(&sample.stderr).unwrap_or_default(),
        wrong_value: field(case, "kind") == "oracle",
        calls_before: 0,
        calls: 0,
        test: None,
        trials: 0,
        seconds: sample.cost.wall.as_secs_f64(),
    });
    Ok((done, plain))
}

/// Whether the test passes with the release that has the fix.
fn is_green(place: &Place, options: &Options, jdk: &Jdk, case: &Case, test: &Path) -> Result<bool> {
    let class_path = class_path(options, jdk, case)?;
    let Some(fixed) = fixed_class_path(options, jdk, case, &class_path)? else {
        return Ok(false);
    };
    let folder = tempfile::tempdir()?;
    let console = place.jar("junit-platform-console-standalone.jar")?;
    let parts = std::env::split_paths(&fixed).chain([console.clone()]);
    let compiled = Command::new(jdk.javac()?)
        .args(["-nowarn", "-proc:none", "-encoding", "UTF-8", "-d"])
        .arg(folder.path())
        .arg("-cp")
        .arg(std::env::join_paths(parts)?)
        .arg(test)
        .output()?;
    if !compiled.status.success() {
        return Ok(false);
    }
    let ran = Command::new(jdk.java())
        .args(options_of(case))
        .arg("-jar")
        .arg(console)
        .args(["execute", "--details=none", "--scan-classpath"])
        .arg(folder.path())
        .arg("-cp")
        .arg(format!("{}:{fixed}", folder.path().display()))
        .output()?;
    Ok(ran.status.success())
}

/// The jars of the release with the fix, beside those of the release without it, or the classes that run-case compiled of the sources with the
/// fix.
fn fixed_class_path(
    options: &Options,
    jdk: &Jdk,
    case: &Case,
    class_path: &str,
) -> Result<Option<String>> {
    let id = field(case, "id");
    let script = std::path::absolute(options.corpus.join("run-case"))?;
    let ran = Command::new(script)
        .args(["--fixed", id])
        .env("JAVA_HOME", &jdk.home)
        .output()?;
    if !ran.status.success() {
        return Ok(None);
    }
    let file_name = |coordinates: &str| {
        let mut parts = coordinates.split(':').skip(1);
        Some(format!("{}-{}.jar", parts.next()?, parts.next()?))
    };
    let names = |column: &str| -> Vec<String> {
        field(case, column)
            .split(';')
            .filter_map(file_name)
            .collect()
    };
    let jars: HashMap<String, String> =
        names("artifacts").into_iter().zip(names("fixed")).collect();
    let parts = std::env::split_paths(class_path).map(|part| {
        let name = part
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        match jars.get(&name) {
            Some(fixed) => part.with_file_name(fixed),
            None if name == format!("{id}-artifacts") => part.with_file_name(format!("{id}-fixed")),
            None => part,
        }
    });
    let parts: Vec<String> = parts.map(|part| part.display().to_string()).collect();
    Ok(Some(parts.join(":")))
}
