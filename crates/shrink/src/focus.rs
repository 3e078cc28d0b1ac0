//! The snapshot of some frames only.

use recrash_heap::manifest::{FrameInfo, Patch};
use recrash_heap::{Edits, Error, ObjectId, Part, Snapshot, Value};
use std::collections::BTreeMap;

/// What becomes of the frames that are not wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Others {
    /// They count as never captured.
    Forgotten,
    /// Their methods stay known, so that a second look can still find out what they saw.
    Emptied,
}

/// Leaves out what was captured of other frames than `wanted`, and the exceptions' own objects, which no frame is
/// restored with.
pub(crate) fn focus(
    snapshot: &Snapshot,
    wanted: &[usize],
    others: Others,
) -> Result<Snapshot, Error> {
    let mut focused = snapshot.clone();
    move_patches(&mut focused.manifest.frames, wanted);
    for (number, info) in focused.manifest.frames.iter_mut().enumerate() {
        if wanted.contains(&number) {
            continue;
        }
        match others {
            Others::Forgotten => info.captured = None,
            Others::Emptied => empty(info),
        }
    }
    let mut edits = Edits::new();
    for index in 0..focused.manifest.throwables.len() {
        edits.leave_out(Part::Throwable(index));
    }
    Ok(edits.apply(&focused)?.snapshot)
}

/// Patches lead a frame further out part of the way, too ([`recrash_heap::EntryState`]): those of a frame that goes
/// become those of the next wanted one, unless that one knows better.
fn move_patches(frames: &mut [FrameInfo], wanted: &[usize]) {
    type Place = (ObjectId, String, String);
    let place = |patch: &Patch| (patch.object, patch.class.clone(), patch.field.clone());
    let mut moved: BTreeMap<Place, Patch> = BTreeMap::new();
    for (number, info) in frames.iter_mut().enumerate() {
        let Some(captured) = &mut info.captured else {
            continue;
        };
        let own = std::mem::take(&mut captured.patches);
        moved.extend(own.into_iter().map(|patch| (place(&patch), patch)));
        if wanted.contains(&number) {
            captured.patches = std::mem::take(&mut moved).into_values().collect();
        }
        // Patches of a frame that goes are found further out.
        let inner = captured.back_to.take();
        captured.back_to = inner
            .and_then(|inner| wanted.iter().copied().filter(|kept| *kept >= inner).min())
            .filter(|kept| *kept < number);
    }
}

fn empty(info: &mut FrameInfo) {
    let Some(captured) = &mut info.captured else {
        return;
    };
    captured.receiver = Value::Null;
    for argument in &mut captured.arguments {
        if let Value::Ref(_) = argument.value {
            argument.value = Value::Null;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patch(field: &str, value: i32) -> serde_json::Value {
        serde_json::json!({
            "object": 1, "class": "A", "field": field, "descriptor": "I", "value": {"int": value}
        })
    }

    fn frame(patches: &[serde_json::Value]) -> FrameInfo {
        serde_json::from_value(serde_json::json!({
            "throwable": 0,
            "element": {"class": "A", "method": "f", "file": null, "line": 1, "module": null},
            "captured": {
                "descriptor": "()V", "access": 0, "place": "body", "receiver": {"ref": 1}, "arguments": [],
                "patches": patches, "reads": [], "class_hash": null, "source": null
            }
        }))
        .unwrap()
    }

    #[test]
    fn a_frame_that_goes_leaves_its_patches_to_the_next_one_out() {
        let mut frames = vec![
            frame(&[patch("count", 3), patch("total", 30)]),
            frame(&[patch("count", 2)]),
            frame(&[]),
        ];
        let before = frames.clone();
        move_patches(&mut frames, &[1, 2]);
        let left = |frame: &FrameInfo| -> Vec<(String, Value)> {
            let patches = &frame.captured.as_ref().unwrap().patches;
            patches.iter().map(|p| (p.field.clone(), p.value)).collect()
        };
        assert_eq!(left(&frames[0]), []);
        assert_eq!(
            left(&frames[1]),
            [
                ("count".to_owned(), Value::Int(2)),
                ("total".to_owned(), Value::Int(30))
            ]
        );
        assert_eq!(left(&frames[2]), []);
        // What a wanted frame saw is as it was.
        for wanted in [1, 2] {
            let state = |frames: &[FrameInfo]| -> Vec<Patch> {
                let entry = recrash_heap::EntryState::of(frames, wanted);
                entry.patches().cloned().collect()
            };
            assert_eq!(state(&before), state(&frames));
        }
    }
}
