//! From published stack traces, and from those of the corpus, to tests.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args;
use serde_json::Value;

use crate::ablation;
use crate::artifacts::class_path;
use crate::corpus::Corpus;
use crate::place::{Place, jdks};
use crate::progress;
use crate::statistics::median;
use crate::table::Table;

#[derive(Args)]
pub struct Options {
    /// A folder with `traces.tsv` (id, origin, coordinates, …) and a text per trace, `ID.log`
    #[arg(long, value_name = "DIR", required_unless_present = "corpus")]
    traces: Option<PathBuf>,
    /// The stack traces of the crash drivers of this folder, see `./x bench corpus`
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,
    /// Only this trace; may be repeated
    #[arg(long, value_name = "ID")]
    only: Vec<String>,
    /// Seconds for each trace
    #[arg(long, value_name = "SECONDS", default_value_t = 120)]
    budget: u64,
    /// The JDK that tries and tests; the first one found when not given
    #[arg(long, value_name = "HOME")]
    jdk: Option<PathBuf>,
    /// Instead of searching, solve each trace's conditions with and without each optimisation of the solver
    #[arg(long)]
    ablation: bool,
    /// Where tests and jars are left
    #[arg(long, value_name = "DIR", default_value = "target/synth")]
    keep: PathBuf,
}

/// A trace to try.
struct Subject {
    id: String,
    origin: String,
    trace: PathBuf,
    class_path: String,
}

/// What the published tools reproduced of the collections that the traces are from.
const PUBLISHED: [(&str, &str); 3] = [
    ("star", "STAR (TSE'14): 31 of 52 of its own crashes"),
    ("evocrash", "EvoCrash: 43 % of JCrashPack"),
    (
        "jcrashpack",
        "EvoCrash: 43 % of JCrashPack; Botsing: 59 % of an easier 122",
    ),
];

pub fn run(place: &Place, options: &Options) -> Result<()> {
    let recrash = place.recrash()?;
    let jdk = jdks(options.jdk.as_slice())?
        .into_iter()
        .next()
        .context("no JDK")?;
    fs::create_dir_all(&options.keep)?;
    let keep = options.keep.canonicalize()?;
    let mut subjects = Vec::new();
    if let Some(folder) = &options.traces {
        subjects.extend(published(folder, &options.only, &keep)?);
    }
    if let Some(folder) = &options.corpus {
        let corpus = Corpus::open(folder, &keep.join("corpus"), &options.only, jdk.clone())?;
        for driver in &corpus.drivers {
            progress::show(&format!("running {}", driver.id));
            let (class_path, printed) = corpus.trace(driver)?;
            // To call the driver's own main would be no feat: only the jars of the library are given.
            let jars: Vec<&str> = class_path
                .split(':')
                .filter(|entry| Path::new(entry).is_file())
                .collect();
            let class_path = jars.join(":");
            let trace = keep.join(format!("{}.log", driver.id));
            fs::write(&trace, printed)?;
            subjects.push(Subject {
                id: driver.id.clone(),
                origin: "corpus".to_owned(),
                trace,
                class_path,
            });
        }
    }
    if options.ablation {
        let subjects: Vec<_> = subjects
            .iter()
            .map(|it| (it.id.as_str(), it.trace.as_path(), it.class_path.as_str()))
            .collect();
        let budget = Duration::from_secs(options.budget);
        return ablation::run(&subjects, &jdk, budget);
    }
    let headings = [
        "trace",
        "exception",
        "frames ",
        "level ",
        "verdict",
        "seconds ",
        "programs ",
        "checks ",
        "calls ",
        "reason",
    ];
    let mut table = Table::new(&headings);
    let mut results: Vec<(String, Value)> = Vec::new();
    for (number, subject) in subjects.iter().enumerate() {
        progress::show(&format!(
            "{} of {}: {}",
            number + 1,
            subjects.len(),
            subject.id
        ));
        let mut command = Command::new("timeout");
        command
            .args(["--kill-after=5", &(options.budget + 90).to_string()])
            .arg(recrash)
            .arg("synth")
            .arg(&subject.trace)
            .args(["--classpath", &subject.class_path, "--json"])
            .args(["--budget", &options.budget.to_string()])
            .arg("--jdk")
            .arg(&jdk.home)
            .arg("--out")
            .arg(keep.join(&subject.id))
            .current_dir(&keep);
        let output = command.output()?;
        let all: Value = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
        // The first trace of the text is the one it is about.
        let mut result = all.get(0).cloned().unwrap_or(Value::Null);
        if result.is_null() {
            let said = String::from_utf8_lossy(&output.stderr);
            let last = said.lines().last().unwrap_or("no answer").to_owned();
            result = serde_json::json!({"verdict": "failed", "reason": last});
        }
        table.row(row(&subject.id, &result));
        results.push((subject.origin.clone(), result));
        // It takes long: what there is can be looked at.
        fs::write(keep.join("so-far.txt"), table.text() + &sums(&results))?;
    }
    progress::clear();
    print!("{}", table.text());
    print!("{}", sums(&results));
    Ok(())
}

fn text(result: &Value, key: &str) -> String {
    match result.get(key) {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Number(number)) => number.to_string(),
        _ => String::new(),
    }
}

fn number(result: &Value, key: &str) -> f64 {
    result.get(key).and_then(Value::as_f64).unwrap_or(0.0)
}

fn row(id: &str, result: &Value) -> Vec<String> {
    let exception = text(result, "exception");
    let simple = exception.rsplit('.').next().unwrap_or_default().to_owned();
    let reason: String = text(result, "reason").chars().take(90).collect();
    vec![
        id.to_owned(),
        simple,
        text(result, "frames"),
        text(result, "level"),
        text(result, "verdict"),
        format!("{:.1}", number(result, "seconds")),
        text(result, "programs"),
        text(result, "checks"),
        text(result, "calls"),
        reason,
    ]
}

/// Per origin, beside what was published.
fn sums(results: &[(String, Value)]) -> String {
    let mut origins: Vec<&str> = results.iter().map(|(origin, _)| origin.as_str()).collect();
    origins.sort_unstable();
    origins.dedup();
    let mut text = String::new();
    for origin in origins {
        let of: Vec<&Value> = results
            .iter()
            .filter(|(from, _)| from == origin)
            .map(|(_, result)| result)
            .collect();
        let reproduced: Vec<&&Value> = of
            .iter()
            .filter(|result| number(result, "level") >= 1.0)
            .collect();
        let deeper = reproduced
            .iter()
            .filter(|result| number(result, "level") >= 2.0)
            .count();
        let could = reproduced
            .iter()
            .filter(|result| number(result, "frames") >= 2.0)
            .count();
        let seconds: Vec<f64> = reproduced
            .iter()
            .map(|result| number(result, "seconds"))
            .collect();
        let published = PUBLISHED
            .iter()
            .find(|(name, _)| *name == origin)
            .map_or("", |(_, figures)| figures);
        let _ = write!(
            text,
            "\n{origin}: {} of {} reproduced, {deeper} of {could} at level 2 or higher, median {:.1} s. {published}",
            reproduced.len(),
            of.len(),
            if seconds.is_empty() {
                0.0
            } else {
                median(&seconds)
            },
        );
    }
    text.push('\n');
    text
}

/// The traces of a folder, with the jars they belong to.
fn published(folder: &Path, only: &[String], keep: &Path) -> Result<Vec<Subject>> {
    let list = folder.join("traces.tsv");
    let table = fs::read_to_string(&list).with_context(|| list.display().to_string())?;
    let mut class_paths: HashMap<String, String> = HashMap::new();
    let mut subjects = Vec::new();
    for line in table.lines().skip(1) {
        let mut cells = line.split('\t');
        let (Some(id), Some(origin), Some(coordinates)) =
            (cells.next(), cells.next(), cells.next())
        else {
            bail!(
                "{}: a line without id, origin and coordinates: {line}",
                list.display()
            );
        };
        if !only.is_empty() && !only.iter().any(|wanted| wanted == id) {
            continue;
        }
        if !class_paths.contains_key(coordinates) {
            progress::show(&format!("fetching {coordinates}"));
            let found = class_path(coordinates, keep)
                .with_context(|| format!("{id}: {coordinates} cannot be had"))?;
            class_paths.insert(coordinates.to_owned(), found);
        }
        let class_path = class_paths.get(coordinates).cloned().unwrap_or_default();
        subjects.push(Subject {
            id: id.to_owned(),
            origin: origin.to_owned(),
            trace: folder.join(format!("{id}.log")).canonicalize()?,
            class_path,
        });
    }
    Ok(subjects)
}
