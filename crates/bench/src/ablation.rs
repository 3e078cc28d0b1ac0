//! What the three optimisations of the solver save, as in STAR's table 6: each trace with all, without one, with one only, and
//! without any, for as many preconditions as synth asks for.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};
use recrash_jvm::Jdk;
use recrash_program::{ClassPath, Program};
use recrash_symbolic::{Options, Outcome, Session, Solver, Verdict};
use recrash_synth::{Goal, target};

use crate::progress;
use crate::table::Table;

/// Frames further out are not tried: their conditions are those of the frames inside and many more.
const HIGHEST: usize = 4;

/// A way to solve, by what is switched off.
const WAYS: [(&str, [bool; 3]); 8] = [
    ("all three", [true, true, true]),
    ("no path pruning", [false, true, true]),
    ("no unsat cores", [true, false, true]),
    ("no checks at merges", [true, true, false]),
    ("only path pruning", [true, false, false]),
    ("only unsat cores", [false, true, false]),
    ("only checks at merges", [false, false, true]),
    ("none", [false, false, false]),
];

/// What one way took for all traces.
#[derive(Default)]
struct Sum {
    found: usize,
    paths: u64,
    checks: u64,
    branches: u64,
    seconds: f64,
}

/// The traces, each a name, a text and a class path.
pub fn run(subjects: &[(&str, &Path, &str)], jdk: &Jdk, budget: Duration) -> Result<()> {
    let mut solver = Solver::start()?;
    let mut table = Table::new(&[
        "trace",
        "level ",
        "optimised",
        "found ",
        "paths ",
        "checks ",
        "branches ",
        "seconds ",
        "result",
    ]);
    let mut sums: [Sum; WAYS.len()] = Default::default();
    let mut count = 0_u32;
    for (number, (id, trace, class_path)) in subjects.iter().enumerate() {
        progress::show(&format!("{} of {}: {id}", number + 1, subjects.len()));
        let text = fs::read_to_string(trace).with_context(|| trace.display().to_string())?;
        let parts: Vec<&str> = class_path.split(':').collect();
        let opened = ClassPath::open(&parts, Some(&jdk.home), jdk.version.feature)?;
        let program = Program::new(opened);
        let traces = recrash_trace::parse(&text);
        let goal = traces
            .first()
            .map(|trace| Goal::of(&program, &trace.root()));
        let Some(target) = goal.as_ref().and_then(target) else {
            continue;
        };
        count += 1;
        let session = Session::new(&program);
        let level = target.frames.len().min(HIGHEST);
        let mut solve = |[prune_paths, unsat_core, merge_contradictions]: [bool; 3]| {
            let options = Options {
                prune_paths,
                unsat_core,
                merge_contradictions,
                budget,
                // That takes the same time for all.
                wish_limit: Duration::ZERO,
                ..Options::default()
            };
            session.solve(&target, level, &options, &mut solver)
        };
        // Whoever comes first reads the classes and finds out what their methods write, for all; this one looks at the most.
        solve([false; 3])?;
        for ((name, switches), sum) in WAYS.iter().zip(&mut sums) {
            let outcome = solve(*switches)?;
            sum.add(&outcome);
            table.row(row(id, level, name, &outcome));
        }
    }
    progress::clear();
    print!("{}", table.text());
    print!(
        "\nAverages over {count} traces:\n{}",
        averages(&sums, count)
    );
    Ok(())
}

impl Sum {
    fn add(&mut self, outcome: &Outcome) {
        let statistics = &outcome.statistics;
        self.found += outcome.preconditions.len();
        self.paths += statistics.paths;
        self.checks += statistics.checks;
        self.branches += statistics.branches;
        self.seconds += statistics.time.as_secs_f64();
    }
}

fn row(id: &str, level: usize, name: &str, outcome: &Outcome) -> Vec<String> {
    let statistics = &outcome.statistics;
    let result = match &outcome.verdict {
        Verdict::Found => "precondition".to_owned(),
        Verdict::Unreachable => "unreachable".to_owned(),
        Verdict::GaveUp(reason) => reason.to_string(),
    };
    vec![
        id.to_owned(),
        level.to_string(),
        name.to_owned(),
        outcome.preconditions.len().to_string(),
        statistics.paths.to_string(),
        statistics.checks.to_string(),
        statistics.branches.to_string(),
        format!("{:.2}", statistics.time.as_secs_f64()),
        result,
    ]
}

fn averages(sums: &[Sum], count: u32) -> String {
    let mut table = Table::new(&[
        "optimised",
        "found ",
        "paths ",
        "checks ",
        "branches ",
        "seconds ",
    ]);
    #[allow(clippy::cast_precision_loss, reason = "counts are small")]
    let average = |sum: u64| format!("{:.1}", sum as f64 / f64::from(count.max(1)));
    for ((name, _), sum) in WAYS.iter().zip(sums) {
        table.row(vec![
            (*name).to_owned(),
            sum.found.to_string(),
            average(sum.paths),
            average(sum.checks),
            average(sum.branches),
            format!("{:.2}", sum.seconds / f64::from(count.max(1))),
        ]);
    }
    table.text()
}
