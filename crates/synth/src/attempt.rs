//! One trace from beginning to end: does the class path fit, what was found, and does the written test do it, too.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use recrash_junit::{JunitRun, JunitVersion, TestOutcome, run_junit};
use recrash_jvm::{ClassPath, Jdk, Tools};
use recrash_program::Program;
use recrash_trace::Trace;
use serde::Serialize;

use crate::error::{Error, Result};
use crate::fit::{Fit, Goal};
use crate::found::{Finding, Found, Tried};
use crate::given::Given;
use crate::index::Index;
use crate::missing;
use crate::options::SearchOptions;
use crate::runner::{ENABLE_ASSERTIONS, RunnerOptions};
use crate::score;
use crate::search::search;
use crate::sequence::Statement;
use crate::source::{self, Source};
use crate::summaries::Summaries;
use crate::unfit;
use crate::verdict::Verdict;
use crate::world::World;
use recrash_javagen::ProgramFacts;

/// A single program may take so long.
const PROGRAM_LIMIT: u32 = 1_000;
const UNREACHABLE: &str = "every way to the crash contradicts itself: the classes are of another version than the trace, or \
                           another thread takes part";
const REFLECTS: &str = "the test uses reflection where no call does, and marks it; such a state may never come about in the \
                        program";
/// JUnit, with the program's start-up.
const TEST_LIMIT: Duration = Duration::from_secs(60);

/// What to try a trace with.
pub struct Setting<'a> {
    pub program: &'a Program,
    pub class_path: &'a ClassPath,
    pub jdk: &'a Jdk,
    pub tools: &'a Tools,
    /// Below it each test class gets its package's folder.
    pub out: &'a Path,
    /// Of the trace among those of one text: test classes are told apart by it.
    pub number: usize,
    pub budget: Duration,
    pub seed: u64,
    pub given: &'a Given,
    pub summaries: &'a Summaries,
    /// Tests may set fields and call methods of the trace that source cannot name.
    pub allow_reflection: bool,
    /// Each searches with programs and a JVM of its own.
    pub threads: usize,
    /// Once true, the search ends with what there is.
    pub stop: &'a AtomicBool,
    /// Told what is being tried.
    pub progress: &'a (dyn Fn(&str) + Sync),
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
    /// Questions to the solver.
    pub checks: u64,
    /// In the test.
    pub calls: usize,
    /// The innermost first.
    pub levels: Vec<Level>,
    /// What is wrong with the class path beside what the verdict says.
    pub notes: Vec<String>,
}

/// What came of one level.
#[derive(Debug, Clone, Serialize)]
pub struct Level {
    pub level: usize,
    pub frame: String,
    pub verdict: LevelVerdict,
    /// Empty where the verdict says it all.
    pub reason: String,
    /// What has to hold at the entry of the method, as far as the solver found out.
    pub condition: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LevelVerdict {
    Reproduced,
    /// The same exception came from another line.
    Elsewhere,
    /// The line ran without it.
    NotThrown,
    NotReached,
    /// Every way to the crash contradicts itself.
    Unreachable,
    /// No program could call it.
    NotCalled,
    /// A file, a network, another process.
    EnvironmentNeeded,
    Misfit,
    /// A level further in or out was enough, or time was up.
    NotTried,
}

/// Tries the root cause of a trace: that is where the bug showed first.
pub fn attempt(setting: &Setting<'_>, trace: &Trace) -> Result<Attempt> {
    let goal = Goal::of(setting.program, &trace.root());
    if let Some(early) = without_search(setting, &goal) {
        return Ok(early);
    }
    let options = SearchOptions {
        runner: RunnerOptions {
            java: setting.jdk.java(),
            worker: setting.tools.worker.clone(),
            class_path: setting.class_path.entries().to_vec(),
            directory: setting.out.to_owned(),
            guarded: (17..24).contains(&setting.jdk.version.feature),
            assertions: needs_assertions(&goal),
            milliseconds: PROGRAM_LIMIT,
        },
        budget: setting.budget,
        seed: setting.seed,
        threads: setting.threads,
        given: setting.given,
        summaries: setting.summaries,
        allow_reflection: setting.allow_reflection,
        closes: &|class| {
            let feature = setting.jdk.version.feature;
            let closes = setting.class_path.closes_package_of(class, feature);
            closes.unwrap_or(false)
        },
        stop: setting.stop,
        progress: setting.progress,
    };
    fs::create_dir_all(setting.out).map_err(Error::io(setting.out))?;
    let mut test = None;
    let found = search(setting.program, &goal, &options, |finding, conditions| {
        let condition = conditions.of(finding.level).and_then(|known| known.first());
        let Some(source) = source(setting, &goal, finding, condition.as_deref()) else {
            return Ok(false);
        };
        let level = level_by_junit(setting, &goal, &source)?;
        let holds = level >= finding.level;
        if holds {
            test = Some((level, source));
        }
        Ok(holds)
    })?;
    let mut attempt = Attempt {
        exception: goal.exception.clone(),
        frames: goal.frames.len(),
        verdict: Verdict::NotFound,
        reason: missed(&goal, &found),
        level: 0,
        test: None,
        seconds: found.took.as_secs_f64(),
        programs: found.tried,
        checks: found.conditions.checks(),
        calls: 0,
        levels: Vec::new(),
        notes: unfit::copies(setting.program, &goal),
    };
    if let (Some((level, source)), Some(finding)) = (test, found.findings.last()) {
        attempt.verdict = Verdict::Reproduced;
        attempt.level = level;
        attempt.reason = format!("{level} of {} frames", goal.frames.len());
        attempt.calls = finding.sequence.calls();
        attempt.test = Some(write(setting.out, &source)?);
        if finding.sequence.statements.iter().any(Statement::reflects) {
            attempt.notes.push(REFLECTS.to_owned());
        }
    } else {
        let broken = found
            .levels
            .iter()
            .filter_map(|tried| tried.broken.as_deref());
        let missing = missing::notes(setting.program, &goal, broken);
        attempt.notes.extend(missing);
    }
    attempt.levels = levels(setting.program, &goal, &found, attempt.level);
    Ok(attempt)
}

fn source(
    setting: &Setting<'_>,
    goal: &Goal,
    finding: &Finding,
    condition: Option<&str>,
) -> Option<Source> {
    let program = setting.program;
    let facts = ProgramFacts::of(program);
    // To write what was found, nothing has to be found again.
    let index = Index::default();
    let world = World::new(program, &facts, finding.package.as_bytes(), index.into());
    source::write(&world, goal, finding, condition, setting.number)
}

/// Build tools run tests with assertions; a crash that is none must not be hidden by one.
fn needs_assertions(goal: &Goal) -> bool {
    goal.exception.as_deref() == Some("java.lang.AssertionError")
}

/// What can be said without a search.
fn without_search(setting: &Setting<'_>, goal: &Goal) -> Option<Attempt> {
    let (verdict, reason) = unfit::verdict(setting.program, setting.jdk, goal)?;
    Some(Attempt {
        exception: goal.exception.clone(),
        frames: goal.frames.len(),
        verdict,
        reason,
        level: 0,
        test: None,
        seconds: 0.0,
        programs: 0,
        checks: 0,
        calls: 0,
        levels: levels(setting.program, goal, &Found::default(), 0),
        notes: unfit::copies(setting.program, goal),
    })
}

/// Why there is no test, told by the innermost level that was tried.
fn missed(goal: &Goal, found: &Found) -> String {
    if found.unconfirmed {
        return "a program was found, but its test does not reproduce it in JUnit".to_owned();
    }
    match found.levels.first() {
        Some(tried) => why(goal, found, tried).1,
        None => "there was no time to try anything; give more with --budget".to_owned(),
    }
}

/// What the search and the solver came to at a level.
fn why(goal: &Goal, found: &Found, tried: &Tried) -> (LevelVerdict, String) {
    if found.is_unreachable(tried.level) {
        return (LevelVerdict::Unreachable, UNREACHABLE.to_owned());
    }
    let (verdict, reason) = nearest(goal, tried);
    let known = found.conditions.of(tried.level);
    match known.and_then(|known| known.gave_up) {
        Some(gave_up) => (verdict, format!("{reason}; {gave_up}")),
        None => (verdict, reason),
    }
}

/// How near the programs came.
fn nearest(goal: &Goal, tried: &Tried) -> (LevelVerdict, String) {
    let frame = goal.frames.get(tried.level.saturating_sub(1));
    let frame = frame.map_or_else(String::new, |frame| frame.printed.to_string());
    if let Some(refused) = tried.refused.as_ref().filter(|_| tried.nearest >= 0.3) {
        let reason = format!("programs that came near wanted to: {refused}");
        return (LevelVerdict::EnvironmentNeeded, reason);
    }
    if tried.nearest.is_infinite() {
        let reason = match &tried.broken {
            Some(broken) => format!("a class could not be loaded: {broken}"),
            None => format!("nothing could be made to call {frame}"),
        };
        return (LevelVerdict::NotCalled, reason);
    }
    if let Some(elsewhere) = &tried.elsewhere {
        let reason = format!("the exception was thrown elsewhere: {elsewhere}");
        return (LevelVerdict::Elsewhere, reason);
    }
    if tried.nearest < 1.0 {
        let reason = "the lines were reached, but the exception was not thrown there";
        return (LevelVerdict::NotThrown, reason.to_owned());
    }
    let reason = match &tried.broken {
        Some(broken) => format!("a class could not be loaded: {broken}"),
        None => "the lines were not reached".to_owned(),
    };
    (LevelVerdict::NotReached, reason)
}

/// For each frame of the program: what was tried there, and what came of it.
fn levels(program: &Program, goal: &Goal, found: &Found, reproduced: usize) -> Vec<Level> {
    let mut levels = Vec::new();
    for (number, frame) in (1..).zip(&goal.frames) {
        if matches!(frame.fit, Fit::Jdk | Fit::MadeAtRunTime) {
            continue;
        }
        let tried = found.levels.iter().find(|tried| tried.level == number);
        let known = found.conditions.of(number);
        let (verdict, reason) = match (&frame.fit, tried) {
            _ if number <= reproduced => (LevelVerdict::Reproduced, String::new()),
            (Fit::Misfit(misfit), _) => {
                (LevelVerdict::Misfit, unfit::words(program, frame, misfit))
            }
            (_, Some(tried)) => why(goal, found, tried),
            _ if found.is_unreachable(number) => {
                (LevelVerdict::Unreachable, UNREACHABLE.to_owned())
            }
            (_, None) => (LevelVerdict::NotTried, String::new()),
        };
        levels.push(Level {
            level: number,
            frame: frame.printed.to_string(),
            verdict,
            reason,
            condition: known.and_then(|known| known.first()),
        });
    }
    levels
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
        jvm_arguments: if needs_assertions(goal) {
            vec![ENABLE_ASSERTIONS.to_owned()]
        } else {
            Vec::new()
        },
        working_directory: setting.out.to_owned(),
        limit: TEST_LIMIT,
        trial: None,
    });
    let results = match results {
        Ok(results) => results,
        // Such a source reproduces nothing; whatever else went wrong says nothing about it.
        Err(recrash_junit::Error::Jvm(
            recrash_jvm::Error::Compile(_) | recrash_jvm::Error::TimeLimit { .. },
        )) => return Ok(0),
        Err(error) => return Err(error.into()),
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
