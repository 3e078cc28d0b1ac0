//! What each strategy captures well enough, over the drivers of a folder.

use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use recrash_jvm::Jdk;

use super::{Options, Row, Way};
use crate::corpus::{Corpus, Outcome};
use crate::progress;
use crate::statistics::median;
use crate::table::Table;

pub fn reproduced(
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
        "as captured ",
        "share ",
        "with second looks ",
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
        at_first.to_string(),
        share(at_first),
        tests.to_string(),
        share(tests),
        format!("{:.0}", median(&sizes)),
        format!("{:.0}", sizes.iter().sum::<f64>()),
    ]
}
