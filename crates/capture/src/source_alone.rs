//! Which tests can do without the snapshot: each way to write one is compiled, run and compared with what was captured.

use crate::Listener;
use crate::bench::{Bench, Ran, candidate, compile_troubles};
use crate::error::{Error, Result};
use crate::verdicts::{FrameReport, Verdicts};
use recrash_desk::{Desk, Needs, Tried};
use recrash_javagen::{Building, Candidate, Classes, Form, Obstacle, Place, Style, TestClass};
use recrash_judge::{Verdict, Words};
use recrash_junit::{TestOutcome, TestResult};
use recrash_jvm::Outcome;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, Instant};

/// A test with more lines than this says less than one line that loads the snapshot.
const MOST_LINES: usize = 60;

/// The same when nothing may be loaded.
const MOST_LINES_SELF_CONTAINED: usize = 400;

/// How much more may be tried to find out what the frames need when nothing may be loaded.
const EFFORT_SELF_CONTAINED: usize = 10;

/// All second looks of a snapshot together get so much at a time.
const TIME_FOR_LOOKS: Duration = Duration::from_secs(10);

/// Obstacles of one frame that are cleared one by one.
const MOST_OBSTACLES: usize = 12;

/// javac reports a part of the errors at a time.
const MOST_ROUNDS: usize = 6;

/// How the tests of a snapshot do without it.
#[derive(Default)]
pub(crate) struct SourceAlone {
    /// By frame: the way that reproduces.
    pub(crate) chosen: BTreeMap<usize, Style>,
    /// Frames whose objects are those that were captured.
    pub(crate) proven: BTreeSet<usize>,
    pub(crate) left_out: BTreeMap<usize, BTreeSet<Place>>,
    /// By frame: the static fields that the test sets, by their place in the manifest.
    pub(crate) statics: BTreeMap<usize, BTreeSet<usize>>,
    /// By frame: what stands in the way.
    pub(crate) obstacles: BTreeMap<usize, String>,
}

impl SourceAlone {
    pub(crate) fn building<'b>(
        &self,
        classes: &'b Classes<'b>,
        self_contained: bool,
    ) -> Building<'b> {
        Building {
            classes,
            most_lines: if self_contained {
                MOST_LINES_SELF_CONTAINED
            } else {
                MOST_LINES
            },
            left_out: self.left_out.clone(),
            statics: self.statics.clone(),
            proven: self.proven.clone(),
        }
    }
}

impl Bench<'_> {
    /// Tries all frames that reproduce in one compilation and one run, and in another those that need static fields.
    pub(crate) fn without_snapshot(
        &self,
        verdicts: &Verdicts,
        classes: &Classes<'_>,
        listener: &dyn Listener,
    ) -> Result<SourceAlone> {
        let mut found = SourceAlone::default();
        if self.desk.jdk().javac.is_none() {
            return Ok(found);
        }
        let mut reproduced: Vec<&FrameReport> = verdicts
            .frames
            .iter()
            .filter(|frame| frame.verdict == Verdict::Reproduced)
            .collect();
        self.attempt(&reproduced, classes, &mut found, listener)?;
        reproduced
            .retain(|frame| frame.variant.statics() && !found.chosen.contains_key(&frame.frame));
        self.find_statics(&reproduced, &mut found, listener)?;
        reproduced.retain(|frame| found.statics.contains_key(&frame.frame));
        for frame in &reproduced {
            found.obstacles.remove(&frame.frame);
        }
        self.attempt(&reproduced, classes, &mut found, listener)?;
        Ok(found)
    }

    /// Which static fields the frames need.
    fn find_statics(
        &self,
        frames: &[&FrameReport],
        found: &mut SourceAlone,
        listener: &dyn Listener,
    ) -> Result<()> {
        let hurried = self.hurried();
        let mut whole = Needs::new(self.desk, &self.crash, self.effort());
        for report in frames {
            let frame = report.frame;
            listener.progress(&format!("which static fields frame {frame} needs"));
            let needed = if self.crash.looks.contains_key(&frame) {
                let mut needs = Needs::of_frame(&hurried, &self.crash, frame, self.effort());
                needs.statics(frame, report.variant)?
            } else {
                whole.statics(frame, report.variant)?
            };
            if let Some(statics) = needed {
                found.statics.insert(frame, statics);
            }
        }
        Ok(())
    }

    /// The desk for second looks: each has objects of its own to find out about; large ones are as many as the stack is deep,
    /// and somebody waits.
    fn hurried(&self) -> Desk {
        let until = Instant::now() + TIME_FOR_LOOKS * self.effort() as u32;
        self.desk.not_after(until)
    }

    fn effort(&self) -> usize {
        if self.options.self_contained {
            EFFORT_SELF_CONTAINED
        } else {
            1
        }
    }

    /// One compilation and one run. No snapshot is restored before the tests have run, so what they show they show by
    /// themselves.
    fn attempt(
        &self,
        frames: &[&FrameReport],
        classes: &Classes<'_>,
        found: &mut SourceAlone,
        listener: &dyn Listener,
    ) -> Result<()> {
        let mut entries: Vec<Candidate> = frames
            .iter()
            .flat_map(|frame| {
                [Style::Constructors, Style::Fields]
                    .map(|style| candidate(frame, Form::Built(style)))
            })
            .collect();
        let all = entries.clone();
        self.plan(&mut entries, classes, found)?;
        let mut blocked: Vec<Candidate> = all
            .into_iter()
            .filter(|candidate| entries.iter().all(|entry| entry.frame != candidate.frame))
            .collect();
        self.leave_out(&blocked, frames, classes, found, listener)?;
        blocked.retain(|candidate| found.left_out.contains_key(&candidate.frame));
        self.plan(&mut blocked, classes, found)?;
        entries.extend(blocked);
        if entries.is_empty() {
            return Ok(());
        }
        let building = found.building(classes, self.options.self_contained);
        listener.progress(&format!(
            "trying {} tests without the snapshot",
            entries.len()
        ));
        for _ in 0..MOST_ROUNDS {
            if entries.is_empty() {
                return Ok(());
            }
            // A folder of its own: the class may have another name in the next round.
            let scratch = tempfile::Builder::new()
                .prefix("recrash-source-")
                .tempdir()
                .map_err(Error::out(&std::env::temp_dir()))?;
            if self.round(&mut entries, &building, scratch.path(), found)? {
                return Ok(());
            }
        }
        for entry in entries {
            let known = found.obstacles.entry(entry.frame);
            known.or_insert_with(|| "javac does not compile it".to_owned());
        }
        Ok(())
    }

    /// Finds out what the crash does not need of state that source alone cannot make.
    fn leave_out(
        &self,
        blocked: &[Candidate],
        frames: &[&FrameReport],
        classes: &Classes<'_>,
        found: &mut SourceAlone,
        listener: &dyn Listener,
    ) -> Result<()> {
        let effort = self.effort();
        let hurried = self.hurried();
        let mut whole = Needs::new(self.desk, &self.crash, effort);
        for candidate in blocked
            .iter()
            .filter(|candidate| candidate.form == Form::Built(Style::Constructors))
        {
            let frame = candidate.frame;
            let Some(report) = frames.iter().find(|report| report.frame == frame) else {
                continue;
            };
            listener.progress(&format!("what frame {frame} needs to crash"));
            if self.crash.looks.contains_key(&frame) {
                let mut needs = Needs::of_frame(&hurried, &self.crash, frame, effort);
                self.leave_out_of(*candidate, report, classes, &mut needs, found)?;
            } else {
                self.leave_out_of(*candidate, report, classes, &mut whole, found)?;
            }
        }
        Ok(())
    }

    /// One obstacle after the other; where there is just too much, everything that is not needed.
    fn leave_out_of(
        &self,
        candidate: Candidate,
        report: &FrameReport,
        classes: &Classes<'_>,
        needs: &mut Needs<'_>,
        found: &mut SourceAlone,
    ) -> Result<()> {
        let frame = candidate.frame;
        let statics = found.statics.get(&frame).cloned().unwrap_or_default();
        let tried = Tried {
            frame,
            variant: report.variant,
            statics: &statics,
        };
        let mut left_out = BTreeSet::new();
        for _ in 0..MOST_OBSTACLES {
            let Some(obstacle) = self.obstacle(candidate, classes, found)? else {
                return Ok(());
            };
            if obstacle.too_much {
                let constructs = report.method == "<init>";
                if let Some(unneeded) = needs.unneeded(tried, constructs)? {
                    found.left_out.insert(frame, unneeded);
                }
                return Ok(());
            }
            if !needs.drop_object(tried, &obstacle.path, &mut left_out)? {
                found.left_out.remove(&frame);
                return Ok(());
            }
            found.left_out.insert(frame, left_out.clone());
        }
        Ok(())
    }

    /// What stands in the way of one candidate.
    fn obstacle(
        &self,
        candidate: Candidate,
        classes: &Classes<'_>,
        found: &SourceAlone,
    ) -> Result<Option<Obstacle>> {
        let building = found.building(classes, self.options.self_contained);
        let planned = self.generate(&[candidate], Some(&building), false)?;
        let mut methods = planned.methods.into_iter();
        Ok(methods.find_map(|method| method.blocked))
    }

    /// Keeps the candidates for which there is source, and what stands in the way of the others.
    fn plan(
        &self,
        entries: &mut Vec<Candidate>,
        classes: &Classes<'_>,
        found: &mut SourceAlone,
    ) -> Result<()> {
        if entries.is_empty() {
            return Ok(());
        }
        let building = found.building(classes, self.options.self_contained);
        let planned = self.generate(entries, Some(&building), false)?;
        for method in &planned.methods {
            if let Some(obstacle) = &method.blocked {
                found
                    .obstacles
                    .insert(method.frame, obstacle.reason.clone());
            }
        }
        entries.retain(|entry| {
            let mut methods = planned.methods.iter();
            methods.any(|method| {
                method.frame == entry.frame && method.form == entry.form && method.self_contained
            })
        });
        for entry in entries.iter() {
            found.obstacles.remove(&entry.frame);
        }
        Ok(())
    }

    /// One compilation and one run; false when candidates that do not compile were dropped instead.
    fn round(
        &self,
        entries: &mut Vec<Candidate>,
        building: &Building<'_>,
        scratch: &Path,
        found: &mut SourceAlone,
    ) -> Result<bool> {
        let tests = self.generate(entries, Some(building), false)?;
        let proofs = self.generate(entries, Some(building), true)?;
        for class in [&tests, &proofs] {
            let path = scratch.join(format!("{}.java", class.name));
            std::fs::write(&path, &class.source).map_err(Error::out(&path))?;
            for (file, contents) in &class.files {
                let path = scratch.join(file);
                std::fs::write(&path, contents).map_err(Error::out(&path))?;
            }
        }
        let snapshot = scratch.join(self.file);
        let from = self.folder.path().join(self.file);
        std::fs::copy(&from, &snapshot).map_err(Error::out(&snapshot))?;
        let results = match self.run(scratch, &[&tests, &proofs], true)? {
            Ran::Results(results) => results,
            Ran::NotCompiled(output) => {
                let before = entries.len();
                for class in [&tests, &proofs] {
                    let troubles = compile_troubles(class, &output);
                    drop_those(entries, class, &troubles, found);
                }
                // An error that is nobody's is everybody's.
                if entries.len() == before {
                    for entry in entries.drain(..) {
                        let known = found.obstacles.entry(entry.frame);
                        known.or_insert_with(|| "javac does not compile it".to_owned());
                    }
                }
                return Ok(false);
            }
        };
        for entry in entries.iter() {
            self.judge_entry(*entry, &tests, &proofs, &results, found);
        }
        Ok(true)
    }

    fn judge_entry(
        &self,
        entry: Candidate,
        tests: &TestClass,
        proofs: &TestClass,
        results: &[TestResult],
        found: &mut SourceAlone,
    ) {
        let Form::Built(style) = entry.form else {
            return;
        };
        let outcome = |class: &TestClass| {
            let mut methods = class.methods.iter();
            let method =
                methods.find(|method| method.frame == entry.frame && method.form == entry.form)?;
            let qualified = class.qualified();
            let mut results = results.iter();
            let result =
                results.find(|result| result.class == qualified && result.method == method.name)?;
            Some(&result.outcome)
        };
        let Some(outcome_of_test) = outcome(tests) else {
            return;
        };
        if let Some(trouble) = self.trouble(entry.frame, Some(outcome_of_test)) {
            let lacking = if found.statics.contains_key(&entry.frame) {
                "environment"
            } else {
                "statics and environment"
            };
            found
                .obstacles
                .entry(entry.frame)
                .or_insert(format!("without the captured {lacking} {trouble}"));
            return;
        }
        let left_out = found.left_out.contains_key(&entry.frame);
        let is_proven = !left_out && outcome(proofs) == Some(&TestOutcome::Passed);
        if let TestOutcome::Failed(thrown) = outcome_of_test
            && !is_proven
            && !Words::recorded(&self.crash.snapshot.manifest)
                .are_those_of(&Outcome::Threw(thrown.clone()))
        {
            let obstacle = "the objects that source makes are not the captured ones, and the message is another";
            let known = found.obstacles.entry(entry.frame);
            known.or_insert_with(|| obstacle.to_owned());
            return;
        }
        let has_better = found.chosen.contains_key(&entry.frame)
            && (found.proven.contains(&entry.frame) || !is_proven);
        if !has_better {
            found.chosen.insert(entry.frame, style);
            if is_proven {
                found.proven.insert(entry.frame);
            }
        }
    }
}

/// Drops the candidates that javac complains about.
fn drop_those(
    entries: &mut Vec<Candidate>,
    class: &TestClass,
    troubles: &BTreeMap<String, String>,
    found: &mut SourceAlone,
) {
    for method in &class.methods {
        if let Some(trouble) = troubles.get(&method.name) {
            entries.retain(|entry| entry.frame != method.frame || entry.form != method.form);
            found
                .obstacles
                .entry(method.frame)
                .or_insert_with(|| trouble.clone());
        }
    }
}
