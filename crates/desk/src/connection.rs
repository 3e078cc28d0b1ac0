//! Connections that a frame was given: what it goes on to when the failing call returns, a repaired program's answer for
//! instance, would need them open, and they are restored closed.

use recrash_heap::manifest::{Manifest, ObjectId, Value};
use recrash_heap::{Kind, Snapshot, StandInReason};
use std::collections::{BTreeSet, VecDeque};

/// So far from what a frame was given a connection belongs to it: farther away there is always one.
const MOST_STEPS: u32 = 8;
const MOST_OBJECTS: usize = 20_000;

/// Whether the frame called the application and holds a socket or a channel: a server, on its way to an answer. Of the
/// application's own frames and of what they called, nobody can tell what they would do with one.
pub(crate) fn serves_one(snapshot: &Snapshot, frame: usize) -> bool {
    called_the_application(&snapshot.manifest, frame) && reaches_one(snapshot, frame)
}

fn called_the_application(manifest: &Manifest, frame: usize) -> bool {
    let own = manifest.own_frames();
    manifest.application.is_some()
        && !own.contains(&frame)
        && own.first().is_some_and(|innermost| *innermost < frame)
}

fn reaches_one(snapshot: &Snapshot, frame: usize) -> bool {
    let info = snapshot.manifest.frames.get(frame);
    let Some(captured) = info.and_then(|info| info.captured.as_ref()) else {
        return false;
    };
    let arguments = captured.arguments.iter().map(|argument| argument.value);
    let mut waiting: VecDeque<(u32, u32)> = std::iter::once(captured.receiver)
        .chain(arguments)
        .filter_map(|value| match value {
            Value::Ref(ObjectId(id)) => Some((id, 0)),
            _ => None,
        })
        .collect();
    let mut seen: BTreeSet<u32> = waiting.iter().map(|(id, _)| *id).collect();
    while let Some((id, steps)) = waiting.pop_front() {
        let object = snapshot.heap.object(ObjectId(id));
        if object.is_some_and(|object| is_connection(&object.kind)) {
            return true;
        }
        if steps < MOST_STEPS && seen.len() < MOST_OBJECTS {
            snapshot.heap.each_reference(ObjectId(id), |target| {
                if target != 0 && seen.insert(target) {
                    waiting.push_back((target, steps + 1));
                }
            });
        }
    }
    false
}

fn is_connection(kind: &Kind<'_>) -> bool {
    let Kind::StandIn { reason, .. } = kind else {
        return false;
    };
    matches!(reason, StandInReason::Socket | StandInReason::Channel)
}
