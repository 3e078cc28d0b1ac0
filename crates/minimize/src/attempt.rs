//! One failing program from beginning to end: its run, what is left of it, the test.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use recrash_junit::{JunitRun, JunitVersion, TestOutcome, run_junit};
use recrash_jvm::{ClassPath, Jdk, Tools};
use recrash_program::Program;
use recrash_reduce::Budget;
use recrash_wire::retrace::Steps;
use serde::Serialize;

use crate::cut::{Crash, Cutting, WrongValue};
use crate::error::{Error, Result};
use crate::failure::Thrown;
use crate::player::{Drove, Player, PlayerOptions};
use crate::rounds;
use crate::script::pinned;
use crate::simpler::compact;
use crate::source::{self, Ending, Source, Writing};
use crate::verdict::wrong;
use recrash_javagen::ProgramFacts;

/// JUnit, with the program's start-up.
const TEST_LIMIT: Duration = Duration::from_secs(60);

/// What to reduce, and with what.
pub struct Setting<'a> {
    pub program: &'a Program,
    pub class_path: &'a ClassPath,
    pub jdk: &'a Jdk,
    pub tools: &'a Tools,
    pub player: PlayerOptions,
    /// Below it the test class gets its package's folder.
    pub out: &'a Path,
    pub budget: Duration,
    /// For the first run.
    pub run_limit: Duration,
    /// For a trial.
    pub trial_limit: Duration,
    /// Once true, it ends with what there is.
    pub stop: Arc<AtomicBool>,
    /// Told what is being done.
    pub progress: &'a (dyn Fn(&str) + Sync),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The test fails in the same way.
    Reproduced,
    NotReproduced,
}

/// What became of it.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Minimized {
    pub verdict: Verdict,
    /// Why, in words.
    pub reason: String,
    /// The failure, as it was printed.
    pub failure: String,
    /// A check of the driver's found a wrong value.
    pub wrong_value: bool,
    /// What the driver did before it failed.
    pub calls_before: usize,
    /// In the test.
    pub calls: usize,
    pub test: Option<PathBuf>,
    pub trials: u64,
    pub seconds: f64,
}

/// Runs the driver, and goes on until there is a test or a reason why not.
pub fn minimize(setting: &Setting<'_>) -> Result<Minimized> {
    let begun = Instant::now();
    let limit = setting.trial_limit.as_millis() as u32;
    let mut player = Player::new(setting.player.clone(), limit);
    (setting.progress)("running the program step by step");
    let run_limit = setting.run_limit.as_millis() as u32;
    let first = player.drive(None, true, true, Some(run_limit))?;
    let first = first.ok_or(Error::TooLong {
        seconds: setting.run_limit.as_secs(),
    })?;
    let thrown = first.thrown.clone().ok_or(Error::NoFailure)?;
    let mut budget = Budget::unlimited()
        .until(begun + setting.budget)
        .stop(Arc::clone(&setting.stop));
    let steps = first.steps.clone().unwrap_or(Steps {
        members: Vec::new(),
        steps: Vec::new(),
    });
    let before = steps.steps.iter().filter(|step| step.inside).count();
    let mut minimized = Minimized {
        verdict: Verdict::NotReproduced,
        reason: String::new(),
        failure: match &thrown.message {
            Some(message) => format!("{}: {message}", thrown.class),
            None => thrown.class.clone(),
        },
        wrong_value: first.by_driver,
        calls_before: before,
        calls: 0,
        test: None,
        trials: 0,
        seconds: 0.0,
    };
    let mut work = Work {
        setting,
        player: &mut player,
        budget: &mut budget,
        before,
    };
    let found = if first.by_driver {
        work.wrong_value(&first, &thrown)?
    } else {
        work.crash(&first, &steps, &thrown)?
    };
    match found {
        Ok((source, calls)) => {
            minimized.verdict = Verdict::Reproduced;
            minimized.reason = format!("{calls} of {before} calls");
            minimized.calls = calls;
            minimized.test = Some(write(setting.out, &source)?);
        }
        Err(reason) => minimized.reason = reason,
    }
    minimized.trials = player.trials;
    minimized.seconds = begun.elapsed().as_secs_f64();
    Ok(minimized)
}

/// A test and how many calls it has, or why there is none.
type Found = std::result::Result<(Source, usize), String>;

struct Work<'a> {
    setting: &'a Setting<'a>,
    player: &'a mut Player,
    budget: &'a mut Budget,
    before: usize,
}

impl Work<'_> {
    fn crash(&mut self, first: &Drove, steps: &Steps, thrown: &Thrown) -> Result<Found> {
        let Some(failing) = first.failing else {
            return Err(Error::NothingObserved(thrown.class.clone()));
        };
        let goal = Crash(thrown);
        let mut cutting = Cutting {
            player: self.player,
            budget: self.budget,
            progress: self.setting.progress,
        };
        let Some(slice) = cutting.slice(steps, failing, &goal)? else {
            return Ok(Err("the calls of the driver do not fail in the same way when they are made again without it".to_owned()));
        };
        let stay = pinned(steps, &slice);
        let kept = cutting.reduce(steps, &slice, &stay, &goal)?;
        if !cutting.holds(&goal, &kept, true)? {
            return Ok(Err(
                "what was left does not fail when static state starts anew".to_owned(),
            ));
        }
        let small = compact(steps, &kept);
        let polished = cutting.polish(small.clone(), &goal, thrown.is_of_the_jvm())?;
        self.player.load(&polished)?;
        let found = self.test(&polished, thrown, &Ending::Throws)?;
        if found.is_ok() || polished == small {
            return Ok(found);
        }
        self.test(&small, thrown, &Ending::Throws)
    }

    fn wrong_value(&mut self, first: &Drove, thrown: &Thrown) -> Result<Found> {
        let reduced = rounds::reduce(self.player, self.budget, first, self.setting.progress)?;
        let Some(reduced) = reduced else {
            return Ok(Err("the driver's check does not fail again".to_owned()));
        };
        let Some(steps) = &reduced.steps else {
            return Ok(Err("the driver's calls are not known".to_owned()));
        };
        let thrown = reduced.thrown.as_ref().unwrap_or(thrown);
        let wrong = match wrong(steps, &reduced.decision, thrown.message.as_deref()) {
            Ok(wrong) => wrong,
            Err(reason) => return Ok(Err(reason)),
        };
        let goal = WrongValue(&wrong.value);
        let mut cutting = Cutting {
            player: self.player,
            budget: self.budget,
            progress: self.setting.progress,
        };
        let Some(slice) = cutting.slice(steps, wrong.event, &goal)? else {
            return Ok(Err("the calls of the driver do not give the wrong value when they are made again without it".to_owned()));
        };
        let kept = cutting.without_pure(steps, &slice, &goal)?;
        if let Some((fewer, expected)) = cutting.by_model(steps, &kept, &wrong.expected)? {
            let found = self.test(&fewer, thrown, &Ending::Gives(expected))?;
            if found.is_ok() {
                return Ok(found);
            }
            self.player.load(steps)?;
        }
        let small = compact(steps, &kept);
        self.test(&small, thrown, &Ending::Gives(wrong.expected))
    }

    /// Writes the test and runs it.
    fn test(&mut self, steps: &Steps, thrown: &Thrown, ending: &Ending) -> Result<Found> {
        let facts = ProgramFacts::of(self.setting.program);
        let main = &self.setting.player.main;
        let package = main.rsplit_once('.').map_or("", |(package, _)| package);
        let written = source::write(&Writing {
            facts: &facts,
            package,
            driver: main,
            steps,
            failure: thrown,
            ending,
            before: self.before,
        });
        let source = match written {
            Ok(source) => source,
            Err(reason) => return Ok(Err(reason)),
        };
        Ok(match self.by_junit(&source, thrown, ending)? {
            Ok(()) => Ok((
                source,
                steps.steps.iter().filter(|step| step.inside).count(),
            )),
            Err(reason) => Err(reason),
        })
    }

    /// The last word: whether the test itself, compiled and run by JUnit, fails in the same way.
    fn by_junit(
        &self,
        source: &Source,
        thrown: &Thrown,
        ending: &Ending,
    ) -> Result<std::result::Result<(), String>> {
        let setting = self.setting;
        let alone = tempfile::tempdir().map_err(Error::io(setting.out))?;
        write(alone.path(), source)?;
        let results = run_junit(&JunitRun {
            tools: setting.tools,
            jdk: setting.jdk,
            version: JunitVersion::Five,
            source_dir: alone.path().to_owned(),
            test_classes: vec![source.class.clone()],
            class_path: setting.class_path.clone(),
            jvm_arguments: setting.player.jvm_arguments.clone(),
            working_directory: setting.player.directory.clone(),
            limit: TEST_LIMIT,
            trial: None,
        });
        let results = match results {
            Ok(results) => results,
            // Such a source reproduces nothing; whatever else went wrong says nothing about it.
            Err(recrash_junit::Error::Jvm(
                error @ (recrash_jvm::Error::Compile(_) | recrash_jvm::Error::TimeLimit { .. }),
            )) => {
                return Ok(Err(format!(
                    "the test was written, but: {}",
                    first_line(&error)
                )));
            }
            Err(error) => return Err(error.into()),
        };
        let fails = results.iter().any(|result| match &result.outcome {
            TestOutcome::Failed(failed) => failed.iter().any(|failed| match ending {
                Ending::Throws => {
                    failed.class == thrown.class
                        && thrown.place().is_some_and(|place| {
                            failed.trace.iter().any(|line| {
                                line.class == place.class && line.method == place.method
                            })
                        })
                }
                Ending::Gives(_) => failed.class.ends_with("AssertionFailedError"),
            }),
            _ => false,
        });
        Ok(if fails {
            Ok(())
        } else {
            Err("a test was written, but it does not fail in the same way in JUnit".to_owned())
        })
    }
}

/// A compiler says much, and the first line what it is about.
fn first_line(error: &recrash_jvm::Error) -> String {
    let text = error.to_string();
    let line = text.lines().find(|line| line.contains("error:"));
    let line = line.or_else(|| text.lines().next()).unwrap_or_default();
    line.rsplit("error:")
        .next()
        .unwrap_or(line)
        .trim()
        .to_owned()
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
