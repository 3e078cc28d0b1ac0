//! One trace from beginning to end: does the class path fit, what was found, and does the written test do it, too.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use recrash_jvm::{ClassPath, Jdk};
use recrash_program::Program;
use recrash_trace::{Thrown, Trace};
use recrash_verify::{JunitRun, JunitVersion, TestOutcome, Tools, run_junit};
use serde::Serialize;

use crate::error::{Error, Result};
use crate::fit::{Fit, Goal, printed};
use crate::runner::RunnerOptions;
use crate::score;
use crate::search::{Found, SearchOptions, search};
use crate::source::Source;

/// A single program may take so long.
const PROGRAM_LIMIT: u32 = 1_000;
/// JUnit, with the program's start-up.
const TEST_LIMIT: Duration = Duration::from_secs(60);

const NOT_IN_JUNIT: &str = "a program was found, but its test does not reproduce it in JUnit";

/// What to try a trace with.
#[derive(Debug)]
pub struct Setting<'a> {
    pub program: &'a Program,
    pub class_path: &'a ClassPath,
    pub jdk: &'a Jdk,
    pub tools: &'a Tools,
    /// Below it each test class gets its package's folder.
    pub out: &'a Path,
    pub budget: Duration,
    pub seed: u64,
}

/// What became of a trace.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Attempt {
    pub exception: Option<String>,
    pub frames: usize,
    pub verdict: Verdict,
    /// Why, in words.
    pub reason: String,
    /// Frames reproduced.
    pub level: usize,
    pub test: Option<PathBuf>,
    pub seconds: f64,
    pub programs: u64,
    /// In the test.
    pub calls: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    Reproduced,
    NotFound,
    /// The class path is not of the program that printed the trace.
    Misfit,
    /// All frames are the JDK's.
    NothingToCall,
}

/// Tries the root cause of a trace: that is where the bug showed first.
pub fn attempt(setting: &Setting<'_>, trace: &Trace) -> Result<Attempt> {
    let chain = trace.chain();
    let Some(thrown) = chain.last() else {
        return Err(Error::Runner("the trace is empty".to_owned()));
    };
    let goal = Goal::of(setting.program, thrown);
    if let Some(early) = unfit(&goal, thrown) {
        return Ok(early);
    }
    let options = SearchOptions {
        runner: RunnerOptions {
            java: setting.jdk.java(),
            worker: setting.tools.worker.clone(),
            class_path: setting.class_path.entries().to_vec(),
            directory: setting.out.to_owned(),
            guarded: (17..24).contains(&setting.jdk.version.feature),
            milliseconds: PROGRAM_LIMIT,
        },
        budget: setting.budget,
        seed: setting.seed,
    };
    fs::create_dir_all(setting.out).map_err(Error::io(setting.out))?;
    let found = search(setting.program, &goal, &options)?;
    let mut attempt = Attempt {
        exception: thrown.class.clone(),
        frames: goal.frames.len(),
        verdict: Verdict::NotFound,
        reason: missed(&goal, &found),
        level: 0,
        test: None,
        seconds: found.took.as_secs_f64(),
        programs: found.tried,
        calls: found.calls(),
    };
    let Some(source) = found.source(setting.program, &goal) else {
        return Ok(attempt);
    };
    let file = write(setting.out, &source)?;
    let seen = level_by_junit(setting, &goal, &source)?;
    if seen >= found.level {
        attempt.verdict = Verdict::Reproduced;
        attempt.level = seen;
        attempt.reason = format!("{} of {} frames", seen, goal.frames.len());
        attempt.test = Some(file);
    } else {
        NOT_IN_JUNIT.clone_into(&mut attempt.reason);
        fs::remove_file(&file).map_err(Error::io(&file))?;
    }
    Ok(attempt)
}

/// What can be said without a search.
fn unfit(goal: &Goal, thrown: &Thrown) -> Option<Attempt> {
    let (verdict, reason) = if let Some((frame, misfit)) = innermost_misfit(goal) {
        let frame = printed(&frame.printed);
        (Verdict::Misfit, format!("{frame}: {misfit}"))
    } else if goal
        .frames
        .iter()
        .all(|frame| matches!(frame.fit, Fit::Jdk | Fit::MadeAtRunTime))
    {
        let reason = "no frame is of the program: there is nothing a test could call";
        (Verdict::NothingToCall, reason.to_owned())
    } else {
        return None;
    };
    Some(Attempt {
        exception: thrown.class.clone(),
        frames: goal.frames.len(),
        verdict,
        reason,
        level: 0,
        test: None,
        seconds: 0.0,
        programs: 0,
        calls: 0,
    })
}

/// A misfit further out only ends the levels; one in the innermost frame of the program ends the search.
fn innermost_misfit(goal: &Goal) -> Option<(&crate::fit::GoalFrame, &crate::fit::Misfit)> {
    let first = goal
        .frames
        .iter()
        .find(|frame| !matches!(frame.fit, Fit::Jdk | Fit::MadeAtRunTime))?;
    match &first.fit {
        Fit::Misfit(misfit) => Some((first, misfit)),
        _ => None,
    }
}

fn missed(goal: &Goal, found: &Found) -> String {
    let refused = found.refused.as_ref().map_or_else(String::new, |refused| {
        format!("; programs that came nearest wanted to: {refused}")
    });
    let how = if found.nearest.is_infinite() {
        "the method could not be called".to_owned()
    } else if found.nearest < 1.0 {
        "the line was reached, but the exception was not thrown there".to_owned()
    } else {
        let line = goal.frames.first().map(|frame| printed(&frame.printed));
        format!("the line was not reached: {}", line.unwrap_or_default())
    };
    how + &refused
}

fn write(out: &Path, source: &Source) -> Result<PathBuf> {
    let file = out
        .join(source.class.replace('.', "/"))
        .with_extension("java");
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder).map_err(Error::io(folder))?;
    }
    fs::write(&file, &source.text).map_err(Error::io(&file))?;
    Ok(file)
}

/// The last word: how many frames the test itself reproduces, compiled and run by JUnit.
fn level_by_junit(setting: &Setting<'_>, goal: &Goal, source: &Source) -> Result<usize> {
    let alone = tempfile::tempdir().map_err(Error::io(setting.out))?;
    write(alone.path(), source)?;
    let results = run_junit(&JunitRun {
        tools: setting.tools,
        jdk: setting.jdk,
        version: JunitVersion::Five,
        source_dir: alone.path().to_owned(),
        test_classes: vec![source.class.clone()],
        class_path: setting.class_path.clone(),
        jvm_arguments: Vec::new(),
        working_directory: setting.out.to_owned(),
        limit: TEST_LIMIT,
        trial: None,
    });
    // Source that does not compile reproduces nothing.
    let Ok(results) = results else {
        return Ok(0);
    };
    let levels = results.iter().map(|result| match &result.outcome {
        TestOutcome::Failed(thrown) => thrown
            .iter()
            .map(|thrown| score::level(goal, &thrown.class, &thrown.trace))
            .max()
            .unwrap_or(0),
        _ => 0,
    });
    Ok(levels.max().unwrap_or(0))
}
