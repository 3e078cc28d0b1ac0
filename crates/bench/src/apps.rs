//! Everyday applications: what of their bugs is captured, what becomes a test, and what it costs those who wait.
//!
//! A folder of applications has a `run-app` beside them: `run-app --list` prints their ids, `run-app ID [PREFIX…]` builds one,
//! starts it with PREFIX in front, provokes its bugs and prints answers (`… [500 0.031 s]`), output and `exit STATUS`. Each is
//! run plain, then under `recrash run --no-tests`, where recrash's closing line names an option with that option once more;
//! then the tests of each snapshot are made, one after the other, as `recrash run` would.

mod answers;
mod bug;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args;
use recrash_jvm::Jdk;

use crate::place::{Place, jdks};
use crate::progress;
use crate::sample::measure;
use crate::table::Table;
use answers::Printed;
use bug::Bug;

#[derive(Args)]
pub struct Options {
    /// A folder of applications with the `run-app` that builds, starts and provokes one of them
    #[arg(long, value_name = "DIR")]
    apps: PathBuf,
    /// Only this application; may be repeated
    #[arg(long, value_name = "ID")]
    only: Vec<String>,
    /// A JDK to try an application with; the first one that it runs in counts. Every one found, the oldest first, when not given
    #[arg(long, value_name = "HOME")]
    jdk: Vec<PathBuf>,
    /// An option for `recrash run`, as in `--with=--strategy=undo`; may be repeated
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    with: Vec<String>,
    /// Where snapshots, tests and logs of each application are left
    #[arg(long, value_name = "DIR", default_value = "target/apps")]
    keep: PathBuf,
}

/// No application takes longer, its build included.
const LIMIT: Duration = Duration::from_secs(900);

const HEADINGS: [&str; 13] = [
    "application",
    "bug",
    "captured",
    "own frames ",
    "captured ",
    "reproduce ",
    "first test",
    "objects ",
    "KB ",
    "capture ms ",
    "tests s ",
    "all s ",
    "only pass on ",
];

pub fn run(place: &Place, options: &Options) -> Result<()> {
    let recrash = place.recrash()?;
    std::fs::create_dir_all(&options.keep)?;
    let runner = Runner {
        folder: options
            .apps
            .canonicalize()
            .with_context(|| format!("--apps {}", options.apps.display()))?,
        keep: options.keep.canonicalize()?,
        jdks: oldest_first(&options.jdk)?,
    };
    let mut bugs = Table::new(&HEADINGS);
    let mut runs = Table::new(&[
        "application",
        "Java",
        "plain ms ",
        "watched ms ",
        "worst more ms ",
        "output",
        "exit",
    ]);
    let mut all: Vec<Bug> = Vec::new();
    for id in runner.ids(&options.only)? {
        progress::show(&id);
        let (plain, jdk) = runner.plain(&id)?;
        let (watched, found) = runner.watched(&id, recrash, &options.with, jdk)?;
        let mut seconds = 0.0;
        for bug in &found {
            seconds += bug.seconds;
            bugs.row(bug.row(&id, seconds));
        }
        if found.is_empty() {
            bugs.row(vec![id.clone(), "-".to_owned(), "nothing".to_owned()]);
        }
        runs.row(watched.beside(&id, jdk, &plain));
        all.extend(found);
    }
    progress::clear();
    print!("{}\n{}\n{}\n", bugs.text(), runs.text(), totals(&all));
    Ok(())
}

fn oldest_first(homes: &[PathBuf]) -> Result<Vec<Jdk>> {
    let mut found = jdks(homes)?;
    if homes.is_empty() {
        found.sort_by_key(|jdk| jdk.version.feature);
        found.dedup_by_key(|jdk| jdk.version.feature);
    }
    Ok(found)
}

struct Runner {
    folder: PathBuf,
    keep: PathBuf,
    jdks: Vec<Jdk>,
}

impl Runner {
    fn command(&self, jdk: Option<&Jdk>) -> Command {
        let mut command = Command::new("timeout");
        command
            .arg("--kill-after=10")
            .arg(LIMIT.as_secs().to_string())
            .arg(self.folder.join("run-app"));
        if std::env::var_os("APPS_CACHE").is_none() {
            command.env("APPS_CACHE", self.keep.join("cache"));
        }
        if let Some(jdk) = jdk {
            command.env("JAVA_HOME", &jdk.home);
        }
        command
    }

    fn ids(&self, only: &[String]) -> Result<Vec<String>> {
        let listed = self.command(None).arg("--list").output()?;
        let listed = String::from_utf8_lossy(&listed.stdout);
        let ids: Vec<String> = listed.split_whitespace().map(str::to_owned).collect();
        match only.iter().find(|wanted| !ids.contains(wanted)) {
            Some(unknown) => bail!("{} has no application '{unknown}'", self.folder.display()),
            None if only.is_empty() => Ok(ids),
            None => Ok(only.to_vec()),
        }
    }

    /// What it prints by itself, and the first JDK that it runs in: built once, then run.
    fn plain(&self, id: &str) -> Result<(Printed, &Jdk)> {
        for jdk in &self.jdks {
            let built = self.printed(id, "build", Some(jdk), &[])?;
            if built.status.is_some() {
                return Ok((self.printed(id, "plain", Some(jdk), &[])?, jdk));
            }
        }
        bail!(
            "{id} runs in none of the JDKs found; its output is in {}",
            self.keep.join(id).display()
        )
    }

    /// What it prints under recrash, and its bugs; those that take an option more behind those that do not.
    fn watched(
        &self,
        id: &str,
        recrash: &Path,
        with: &[String],
        jdk: &Jdk,
    ) -> Result<(Printed, Vec<Bug>)> {
        let (printed, mut bugs) = self.captured(id, "watched", recrash, with, jdk, "by default")?;
        for (number, option) in printed.named_options().into_iter().enumerate() {
            let mut with = with.to_vec();
            with.extend(option.split_whitespace().map(str::to_owned));
            let place = format!("option-{number}");
            let (_, more) = self.captured(id, &place, recrash, &with, jdk, &option)?;
            let known = |bug: &Bug| bugs.iter().any(|known| known.name == bug.name);
            let new: Vec<Bug> = more.into_iter().filter(|bug| !known(bug)).collect();
            bugs.extend(new);
        }
        Ok((printed, bugs))
    }

    fn captured(
        &self,
        id: &str,
        place: &str,
        recrash: &Path,
        with: &[String],
        jdk: &Jdk,
        how: &str,
    ) -> Result<(Printed, Vec<Bug>)> {
        let out = self.keep.join(id).join(format!("{place}-out"));
        if out.exists() {
            std::fs::remove_dir_all(&out)?;
        }
        std::fs::create_dir_all(&out)?;
        let mut prefix: Vec<String> = vec![recrash.display().to_string(), "run".to_owned()];
        prefix.extend([
            "--no-tests".to_owned(),
            "--out".to_owned(),
            out.display().to_string(),
        ]);
        prefix.extend(with.iter().cloned());
        prefix.push("--".to_owned());
        let printed = self.printed(id, place, Some(jdk), &prefix)?;
        let mut snapshots = Vec::new();
        for entry in std::fs::read_dir(&out)? {
            let path = entry?.path();
            if path
                .extension()
                .is_some_and(|extension| extension == "recrash")
            {
                snapshots.push((path.metadata()?.modified()?, path));
            }
        }
        snapshots.sort();
        let mut bugs = Vec::new();
        for (_, snapshot) in snapshots {
            progress::show(&format!("{id}: tests of bug {}", bugs.len() + 1));
            bugs.push(Bug::of(recrash, &snapshot, how, &printed)?);
        }
        Ok((printed, bugs))
    }

    fn printed(
        &self,
        id: &str,
        place: &str,
        jdk: Option<&Jdk>,
        prefix: &[String],
    ) -> Result<Printed> {
        let folder = self.keep.join(id).join(place);
        std::fs::create_dir_all(&folder)?;
        let mut command = self.command(jdk);
        command.arg(id).args(prefix).current_dir(&folder);
        let sample = measure(&mut command, &folder)?;
        let read =
            |path: &Path| std::fs::read(path).map(|it| String::from_utf8_lossy(&it).into_owned());
        let mut messages = read(&sample.stderr)?;
        // What a server says goes into files where it was built.
        let cache =
            std::env::var_os("APPS_CACHE").map_or_else(|| self.keep.join("cache"), PathBuf::from);
        if prefix.is_empty() {
            return Ok(Printed::of(&read(&sample.stdout)?, &messages));
        }
        for name in ["server.out", "server.err"] {
            let file = cache.join(id).join(name);
            if file.is_file() {
                messages.push_str(&read(&file)?);
            }
        }
        Ok(Printed::of(&read(&sample.stdout)?, &messages))
    }
}

fn totals(bugs: &[Bug]) -> String {
    let of = |wanted: fn(&Bug) -> bool| bugs.iter().filter(|bug| wanted(bug)).count();
    let passing: usize = bugs.iter().map(|bug| bug.passing.len()).sum();
    let named: Vec<&str> = bugs
        .iter()
        .flat_map(|bug| bug.passing.iter().map(String::as_str))
        .collect();
    let mut text = format!(
        "{} bugs captured, {} of them by default; {} have a test of the application's own frames; {passing} candidates only pass the failure on",
        bugs.len(),
        of(|bug| bug.how == "by default"),
        of(|bug| bug.own_reproduced > 0),
    );
    if passing > 0 {
        text.push_str(": ");
        text.push_str(&named.join(", "));
    }
    text
}
