//! The second look: exact entry states for the frames inside one that reproduces.
//!
//! A snapshot shows objects as they were at the failure, led back to a frame's entry as far as its own writes go; what
//! its callees changed before they returned stays changed. But once *any* outer frame reproduces, the failure can be had
//! again at the desk, where time is cheap. So that frame runs twice more under the agent: the first run counts the entries
//! into the methods inside it and tells which of those entries were on the stack at the failure; the second captures
//! exactly these entries while they happen. Nothing of this costs the monitored program anything.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use recrash_heap::manifest::{CapturedFrame, FrameInfo, FramePlace};
use recrash_heap::{Crash, Entered, Manifest, Snapshot, plan};
use recrash_judge::{Verdict, glob, same_class};
use recrash_jvm::{AgentSettings, Loader, Privacy, Request, agent_option, run};

use crate::desk::Desk;
use crate::error::{Error, Result};
use crate::event::{Event, Stage};
use crate::ladder::climb_all;
use crate::trials::subject_of;
use crate::verdict::{FrameVerdict, Variant, Verification};

/// The JVM starts cold and takes whole snapshots on the way, so it gets this many times a candidate's limit.
const PATIENCE: u32 = 4;

/// Looks at the frames that did not reproduce. Where that helps, the verdicts change and the crash carries the looks. The
/// frames it helped.
pub fn second_look(
    desk: &Desk,
    crash: &mut Crash,
    verification: &mut Verification,
    tell: &mut dyn FnMut(&Event<'_>),
) -> Result<Vec<usize>> {
    let Some(outer) = outermost_reproduced(verification) else {
        return Ok(Vec::new());
    };
    let mut open: Vec<usize> = verification
        .frames
        .iter()
        .filter(|verdict| verdict.frame < outer.frame && verdict.verdict != Verdict::Reproduced)
        .map(|verdict| verdict.frame)
        .collect();
    if open.is_empty() {
        return Ok(Vec::new());
    }
    let folder = tempfile::Builder::new()
        .prefix("recrash-look-")
        .tempdir()
        .map_err(Error::Scratch)?;
    let mut helped = Vec::new();
    for variant in variants(&crash.snapshot.manifest, &outer) {
        if open.is_empty() {
            break;
        }
        let runs = OuterRuns {
            desk,
            crash,
            manifest: &crash.snapshot.manifest,
            outer: &outer,
            folder: folder.path(),
        };
        let looks = runs.look(&open, variant)?;
        let better = adopt_looks(desk, crash, looks, tell)?;
        open.retain(|frame| !better.iter().any(|verdict| verdict.frame == *frame));
        helped.extend(better.iter().map(|verdict| verdict.frame));
        adopt(better, verification);
    }
    helped.sort_unstable();
    Ok(helped)
}

/// How the outer frame is run: as it reproduces, then with fresh static state. Static counters and caches as they were at
/// the failure lead the outermost frames another way: names of generated classes, things that are made only once.
fn variants(manifest: &Manifest, outer: &FrameVerdict) -> Vec<Variant> {
    let variant = outer.variant;
    let fresh =
        (variant.statics() && !manifest.statics.is_empty()).then(|| variant.without_statics());
    [variant].into_iter().chain(fresh).collect()
}

/// Tries the frames with their looks, and keeps the looks with which they reproduce.
fn adopt_looks(
    desk: &Desk,
    crash: &mut Crash,
    looks: Vec<(usize, Snapshot)>,
    tell: &mut dyn FnMut(&Event<'_>),
) -> Result<Vec<FrameVerdict>> {
    if looks.is_empty() {
        return Ok(Vec::new());
    }
    let looked: Vec<usize> = looks.iter().map(|(frame, _)| *frame).collect();
    let mut before = Vec::new();
    for (frame, look) in looks {
        before.push((frame, crash.looks.insert(frame, look)));
    }
    let tried = climb_all(desk, crash, &looked, Stage::SecondLook, tell)?;
    let mut better = tried.frames;
    better.retain(|verdict| verdict.verdict == Verdict::Reproduced);
    for (frame, known) in before {
        if better.iter().all(|verdict| verdict.frame != frame) {
            match known {
                Some(look) => crash.looks.insert(frame, look),
                None => crash.looks.remove(&frame),
            };
        }
    }
    Ok(better)
}

/// Puts the new verdicts in the place of the old ones.
fn adopt(better: Vec<FrameVerdict>, verification: &mut Verification) {
    for mut verdict in better {
        if let Some(before) = verification
            .frames
            .iter_mut()
            .find(|before| before.frame == verdict.frame)
        {
            verdict.notes.push(SECOND_LOOK.to_owned());
            verdict.notes.append(&mut before.notes);
            *before = verdict;
        }
    }
}

const SECOND_LOOK: &str = "entry state from a second look";

fn outermost_reproduced(verification: &Verification) -> Option<FrameVerdict> {
    verification
        .frames
        .iter()
        .rfind(|verdict| verdict.verdict == Verdict::Reproduced)
        .cloned()
}

/// Runs of the frame that reproduces, under the agent.
struct OuterRuns<'a> {
    desk: &'a Desk,
    crash: &'a Crash,
    manifest: &'a Manifest,
    outer: &'a FrameVerdict,
    folder: &'a Path,
}

/// A method to count, with the entries of it to capture.
struct Watched<'a> {
    /// A glob, since the run to come may name generated classes anew.
    class: String,
    method: &'a str,
    descriptor: &'a str,
    due: Vec<u32>,
}

impl<'a> OuterRuns<'a> {
    /// Snapshots of the entries into the frames, as far as the runs go alike.
    fn look(&self, frames: &[usize], variant: Variant) -> Result<Vec<(usize, Snapshot)>> {
        let mut watched: Vec<Watched<'a>> = Vec::new();
        for (info, captured) in self.namesakes(frames) {
            if !watched.iter().any(|known| known.is(info, captured)) {
                watched.push(Watched {
                    class: glob(&info.element.class),
                    method: &info.element.method,
                    descriptor: &captured.descriptor,
                    due: Vec::new(),
                });
            }
        }
        let entries = self.count(&watched, frames, variant)?;
        for &(frame, number) in &entries {
            if let Some((info, captured)) = self.frame(frame)
                && let Some(watched) = watched.iter_mut().find(|known| known.is(info, captured))
            {
                watched.due.push(number);
            }
        }
        if entries.is_empty() {
            return Ok(Vec::new());
        }
        let captured = self.run("capture", &watched, variant)?;
        let entered: Vec<Entered<'_>> = captured.iter().filter_map(Entered::of).collect();
        let mut looks = Vec::new();
        for (frame, number) in entries {
            if let Some((info, captured)) = self.frame(frame)
                && let Some(entered) = entered
                    .iter()
                    .find(|entered| is_meant(entered, info, captured, number))
            {
                looks.push((frame, entered.look(self.manifest, frame)));
            }
        }
        Ok(looks)
    }

    /// The frames, and those of methods with the same names: a stack trace does not tell overloaded methods apart, so all of
    /// them or none are counted.
    fn namesakes(&self, frames: &[usize]) -> Vec<(&'a FrameInfo, &'a CapturedFrame)> {
        let wanted = |info: &FrameInfo| {
            frames.iter().any(|&frame| {
                self.frame(frame).is_some_and(|(wanted, _)| {
                    wanted.element.method == info.element.method
                        && same_class(&wanted.element.class, &info.element.class)
                })
            })
        };
        (0..self.outer.frame)
            .filter_map(|frame| self.frame(frame))
            .filter(|(info, _)| wanted(info))
            .collect()
    }

    fn frame(&self, frame: usize) -> Option<(&'a FrameInfo, &'a CapturedFrame)> {
        with_handler(self.manifest.frames.get(frame)?)
    }

    /// Which entry each of the frames was when the failure comes again, as far as the two stacks agree.
    fn count(
        &self,
        watched: &[Watched<'_>],
        frames: &[usize],
        variant: Variant,
    ) -> Result<Vec<(usize, u32)>> {
        let failures = self.run("count", watched, variant)?;
        let root = |manifest: &Manifest| manifest.throwables.last().map(|root| root.class.clone());
        // A failure that passes from thread to thread is told of more than once, and not every time with all its frames.
        let entries = failures
            .iter()
            .map(|failure| &failure.manifest)
            .filter(|failure| root(failure) == root(self.manifest))
            .map(|failure| {
                let mut entries = self.entries(failure);
                entries.retain(|(frame, _)| frames.contains(frame));
                entries
            })
            .max_by_key(Vec::len);
        Ok(entries.unwrap_or_default())
    }

    fn entries(&self, failure: &Manifest) -> Vec<(usize, u32)> {
        let recorded = self.manifest.frames.get(..self.outer.frame);
        paired(recorded.unwrap_or_default(), &failure.frames)
            .into_iter()
            .filter_map(|(frame, found)| {
                let (_, captured) = self.frame(frame)?;
                let (_, counted) = with_handler(failure.frames.get(found)?)?;
                let same = captured.descriptor == counted.descriptor;
                same.then_some((frame, counted.entry?))
            })
            .collect()
    }

    /// Runs the reproducing frame once more under the agent; the snapshots it left.
    fn run(&self, name: &str, watched: &[Watched<'_>], variant: Variant) -> Result<Vec<Snapshot>> {
        let name = format!("{name}-{}", u8::from(variant.statics()));
        let out = self.folder.join(&name);
        fs::create_dir_all(&out).map_err(Error::Scratch)?;
        let list = self.folder.join(format!("{name}.tsv"));
        let lines: String = watched.iter().map(Watched::line).collect();
        fs::write(&list, lines).map_err(Error::Scratch)?;

        let agent = AgentSettings {
            out: out.clone(),
            log: Some(self.folder.join("log")),
            look: Some(list),
            repeat: true,
            privacy: match &self.manifest.privacy {
                None => Privacy::Off,
                Some(privacy) if privacy.rules.is_empty() => Privacy::Defaults,
                Some(privacy) => Privacy::Rules(privacy.rules.clone()),
            },
            // What was put there instead of something else must not be redacted again.
            known: self
                .manifest
                .privacy
                .as_ref()
                .map(|_| self.crash.path.clone()),
            ..AgentSettings::default()
        };
        let limit = self.desk.limit() * PATIENCE;
        let frame = self.outer.frame;
        let snapshot = self.crash.for_frame(frame);
        let request = Request {
            subject: Arc::new(subject_of(self.crash, frame)),
            class_path: Vec::new(),
            limit,
            stack_size: 0,
            loader: Loader::System,
            plan: plan(snapshot, frame, variant.plan_options())?,
        };
        let option = agent_option(&self.desk.tools().library, &agent);
        let launch = self
            .desk
            .launch(option)
            .argument("recrash.worker.Look")
            .input(request.message())
            .limit(limit);
        run(&launch)?;
        let files = fs::read_dir(&out).map_err(Error::Scratch)?;
        let found = files
            .filter_map(|entry| entry.ok().map(|entry| entry.path()))
            .filter(|path| path.extension().is_some_and(|end| end == "recrash"))
            .map(|path| Snapshot::read(&path))
            .collect::<std::result::Result<_, _>>()?;
        Ok(found)
    }
}

/// Frames of two stacks that are the same method, in order: as many as possible, since generated code and reflection
/// leave frames in one of them that the other lacks.
fn paired(recorded: &[FrameInfo], again: &[FrameInfo]) -> Vec<(usize, usize)> {
    let methods = |frames: &'_ [FrameInfo]| -> Vec<(String, String)> {
        let method = |frame: &FrameInfo| (glob(&frame.element.class), frame.element.method.clone());
        frames.iter().map(method).collect()
    };
    let (recorded, again) = (methods(recorded), methods(again));
    // longest[i][j]: how many pairs there are in recorded[i..] and again[j..].
    let mut longest = vec![vec![0_u32; again.len() + 1]; recorded.len() + 1];
    let at = |table: &[Vec<u32>], i: usize, j: usize| {
        table
            .get(i)
            .and_then(|row| row.get(j))
            .copied()
            .unwrap_or(0)
    };
    for (i, a) in recorded.iter().enumerate().rev() {
        for (j, b) in again.iter().enumerate().rev() {
            let best = if a == b {
                at(&longest, i + 1, j + 1) + 1
            } else {
                at(&longest, i + 1, j).max(at(&longest, i, j + 1))
            };
            if let Some(cell) = longest.get_mut(i).and_then(|row| row.get_mut(j)) {
                *cell = best;
            }
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut pairs = Vec::new();
    while let (Some(a), Some(b)) = (recorded.get(i), again.get(j)) {
        if a == b {
            pairs.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if at(&longest, i + 1, j) >= at(&longest, i, j + 1) {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}

impl Watched<'_> {
    fn is(&self, info: &FrameInfo, captured: &CapturedFrame) -> bool {
        self.method == info.element.method
            && self.descriptor == captured.descriptor
            && self.class == glob(&info.element.class)
    }

    fn line(&self) -> String {
        let due: Vec<String> = self.due.iter().map(u32::to_string).collect();
        format!(
            "{}\t{}\t{}\t{}\n",
            self.class,
            self.method,
            self.descriptor,
            due.join(",")
        )
    }
}

/// Only a handler knows the number of the entry, and inside `super(...)` there is none.
fn with_handler(info: &FrameInfo) -> Option<(&FrameInfo, &CapturedFrame)> {
    let captured = info.captured.as_ref()?;
    (captured.place != FramePlace::InsideSuper).then_some((info, captured))
}

/// Whether a frame was captured on the entry that is meant.
fn is_meant(
    entered: &Entered<'_>,
    info: &FrameInfo,
    captured: &CapturedFrame,
    number: u32,
) -> bool {
    same_class(&entered.info.element.class, &info.element.class)
        && entered.info.element.method == info.element.method
        && entered.captured.descriptor == captured.descriptor
        && entered.captured.entry == Some(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use recrash_heap::manifest::TraceElement;

    fn stack(names: &[&str]) -> Vec<FrameInfo> {
        let frame = |name: &&str| {
            let (class, method) = name.rsplit_once('.').unwrap();
            FrameInfo {
                throwable: 0,
                element: TraceElement {
                    class: class.to_owned(),
                    method: method.to_owned(),
                    file: None,
                    line: 1,
                    module: None,
                },
                captured: None,
            }
        };
        names.iter().map(frame).collect()
    }

    #[test]
    fn frames_of_generated_code_do_not_keep_the_others_from_being_paired() {
        let recorded = stack(&[
            "Run.get",
            "gen.Script_1.total",
            "Run.call",
            "gen.Script_1.run",
            "Run.exec",
        ]);
        let again = stack(&[
            "Run.get",
            "gen.Script_2.total",
            "Run.call",
            "Reflection.invoke",
            "gen.Script_2.run",
            "Run.exec",
            "Look.main",
        ]);
        assert_eq!(paired(&recorded, &again), [(0, 0), (2, 2), (4, 5)]);
    }

    #[test]
    fn a_generated_class_that_has_another_name_each_time_is_paired() {
        let recorded = stack(&["Run.get", "app.Map$$EnhancerByCGLIB$$71cacb3.put"]);
        let again = stack(&["app.Map$$EnhancerByCGLIB$$5e0d.put", "Look.main"]);
        assert_eq!(paired(&recorded, &again), [(1, 0)]);
    }

    #[test]
    fn a_recursion_is_paired_from_the_innermost_frame_on() {
        let recorded = stack(&["A.leaf", "A.down", "A.down"]);
        let again = stack(&["A.leaf", "A.down", "A.down", "A.down", "A.start"]);
        assert_eq!(paired(&recorded, &again), [(0, 0), (1, 1), (2, 2)]);
    }
}
