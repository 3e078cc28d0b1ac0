//! States between entry and failure: frames that fail as they did from a state that a frame inside them saw.
//!
//! A frame's patches lead back what it and its callees overwrote as far as that was kept. Half of a change can be worse
//! than none: a list emptied again, whose index by name still is full. Then neither the state on entry, as far as it is
//! known, nor the state at the failure leads there again, but often one between them does, in which the frame finds part
//! of its work done. What goes through a list is tried with the elements that were left to do (`left_to_do.rs`).

use recrash_heap::manifest::{CapturedFrame, FrameInfo, Patch};
use recrash_heap::{Crash, EntryState, PlanOptions, Snapshot, plan};
use recrash_judge::Verdict;
use recrash_jvm::Loader;

use crate::desk::Desk;
use crate::error::Result;
use crate::event::{Event, Stage};
use crate::ladder::variants;
use crate::left_to_do::{Rest, rests};
use crate::trials::Trials;
use crate::verdict::{Variant, Verification};

/// So many half-done lists are tried.
const MOST_RESTS: usize = 3;

/// So many states are tried for a frame, those nearest to its entry first.
const MOST_STATES: usize = 6;

/// Tries the frames that did not reproduce. Where that helps, the verdicts change and so does the snapshot. Whether it did.
pub fn between_states(
    desk: &Desk,
    crash: &mut Crash,
    verification: &mut Verification,
    tell: &mut dyn FnMut(&Event<'_>),
) -> Result<bool> {
    // A second look is better.
    let open = |number: usize| crash.looks.is_empty() && ran_otherwise(verification, number);
    let open: Vec<usize> = (0..verification.frames.len())
        .filter(|n| open(*n))
        .collect();
    if open.is_empty() {
        return Ok(false);
    }
    let mut snapshot = crash.snapshot.clone();
    let mut trials = Trials::new(desk, crash);
    let mut helped = false;
    for (done, &number) in open.iter().enumerate() {
        let Some(verdict) = verification.frames.get_mut(number) else {
            continue;
        };
        let Some((variant, note)) = other_state(&mut trials, desk, &mut snapshot, verdict.frame)?
        else {
            continue;
        };
        verdict.verdict = Verdict::Reproduced;
        verdict.variant = variant;
        verdict.reason = None;
        verdict.notes.push(note);
        tell(&Event {
            stage: Stage::BetweenStates,
            done: done + 1,
            of: open.len(),
            verdict,
        });
        helped = true;
    }
    drop(trials);
    crash.snapshot = snapshot;
    Ok(helped)
}

/// A state from which the frame fails as it did, which the snapshot then says it was entered with; how it does, and a note.
fn other_state(
    trials: &mut Trials<'_>,
    desk: &Desk,
    snapshot: &mut Snapshot,
    frame: usize,
) -> Result<Option<(Variant, String)>> {
    let states = states(&snapshot.manifest.frames, frame);
    for inner in states.into_iter().take(MOST_STATES) {
        set_back_to(snapshot, frame, Some(inner));
        if let Some(variant) = reproduces(trials, desk, snapshot, frame)? {
            return Ok(Some((
                variant,
                format!("with objects as frame {inner} found them"),
            )));
        }
        set_back_to(snapshot, frame, None);
    }
    for Rest { patches, done, of } in rests(snapshot, frame).into_iter().take(MOST_RESTS) {
        let before = set_patches(snapshot, frame, patches);
        if let Some(variant) = reproduces(trials, desk, snapshot, frame)? {
            let note =
                format!("without the first {done} of {of} elements of a list, which were done");
            return Ok(Some((variant, note)));
        }
        if let Some(before) = before {
            restore_patches(snapshot, frame, before);
        }
    }
    Ok(None)
}

/// Adds patches to those of a frame, in whose place they count; what there was before.
fn set_patches(snapshot: &mut Snapshot, frame: usize, patches: Vec<Patch>) -> Option<Vec<Patch>> {
    let info = snapshot.manifest.frames.get_mut(frame)?;
    let captured = info.captured.as_mut()?;
    let before = captured.patches.clone();
    captured.patches.extend(patches);
    Some(before)
}

fn restore_patches(snapshot: &mut Snapshot, frame: usize, before: Vec<Patch>) {
    let info = snapshot.manifest.frames.get_mut(frame);
    if let Some(captured) = info.and_then(|info| info.captured.as_mut()) {
        captured.patches = before;
    }
}

fn ran_otherwise(verification: &Verification, number: usize) -> bool {
    let verdict = verification.frames.get(number);
    verdict.is_some_and(|verdict| verdict.verdict.ran_otherwise())
}

/// The frames inside `frame` whose entry states differ from one another, from its own, and from the failure's.
fn states(frames: &[FrameInfo], frame: usize) -> Vec<usize> {
    let captured = |number: usize| frames.get(number)?.captured.as_ref();
    let differs = |number: &usize| captured(*number).is_some_and(|c| !c.patches.is_empty());
    (0..=frame)
        .rev()
        .filter(differs)
        .filter_map(|changed| (0..changed).rev().find(|inner| captured(*inner).is_some()))
        .filter(|inner| !EntryState::of(frames, *inner).is_empty())
        .collect()
}

fn set_back_to(snapshot: &mut Snapshot, frame: usize, inner: Option<usize>) {
    let info = snapshot.manifest.frames.get_mut(frame);
    if let Some(CapturedFrame { back_to, .. }) = info.and_then(|info| info.captured.as_mut()) {
        *back_to = inner;
    }
}

/// With static state or without: how it does, if it does.
fn reproduces(
    trials: &mut Trials<'_>,
    desk: &Desk,
    snapshot: &Snapshot,
    frame: usize,
) -> Result<Option<Variant>> {
    let variants = variants(&snapshot.manifest, frame);
    for variant in variants.into_iter().filter(|variant| variant.patches()) {
        let restored = PlanOptions {
            statics: variant.statics(),
            patches: true,
        };
        let plan = plan(snapshot, frame, restored)?;
        let trial = trials.run(frame, plan, Loader::Own, desk.limit())?;
        if trial.verdict == Verdict::Reproduced {
            return Ok(Some(variant));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use recrash_heap::ObjectId;
    use recrash_heap::manifest::{FramePlace, Patch, TraceElement, Value};

    /// Captured frames, each with so many patches; `None` was not captured.
    fn stack(patches: &[Option<usize>]) -> Vec<FrameInfo> {
        let patch = |number| Patch {
            object: ObjectId(1),
            class: "A".to_owned(),
            field: format!("f{number}"),
            descriptor: "I".to_owned(),
            value: Value::Int(1),
        };
        let frame = |patches: &Option<usize>| FrameInfo {
            throwable: 0,
            element: TraceElement {
                class: "A".to_owned(),
                method: "m".to_owned(),
                file: None,
                line: 1,
                module: None,
            },
            captured: patches.map(|count| CapturedFrame {
                descriptor: "()V".to_owned(),
                access: 0,
                place: FramePlace::Body,
                receiver: Value::Null,
                arguments: Vec::new(),
                patches: (0..count).map(patch).collect(),
                back_to: None,
                reads: Vec::new(),
                class_hash: None,
                source: None,
                entry: None,
            }),
        };
        patches.iter().map(frame).collect()
    }

    #[test]
    fn the_states_between_are_those_before_frames_that_changed_something() {
        let frames = stack(&[Some(1), None, Some(0), Some(2), Some(0), Some(1), Some(0)]);
        // 6 saw what 5 saw; before 5 changed anything there was 4's state, and 3's; before 3, that of 2, which is 0's.
        assert_eq!(states(&frames, 6), [4, 2]);
        assert_eq!(states(&frames, 3), [2]);
        assert!(states(&frames, 2).is_empty());
        assert!(states(&stack(&[Some(0), Some(3)]), 1).is_empty());
    }
}
