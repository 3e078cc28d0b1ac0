//! A second look: what a frame of a crash was entered with, captured when the crash was had again.

use crate::manifest::{CapturedFrame, Cause, FrameInfo, Manifest, ObjectId};
use crate::snapshot::Snapshot;

/// The frame that a snapshot was taken at the entry of.
#[derive(Debug, Clone, Copy)]
pub struct Entered<'s> {
    snapshot: &'s Snapshot,
    pub info: &'s FrameInfo,
    pub captured: &'s CapturedFrame,
}

impl<'s> Entered<'s> {
    /// `None` for a snapshot that was taken for another cause.
    pub fn of(snapshot: &'s Snapshot) -> Option<Self> {
        let manifest = &snapshot.manifest;
        let mut frames = manifest.frames.iter();
        let entered = frames.find_map(|info| {
            let captured = info.captured.as_ref()?;
            Some(Entered {
                snapshot,
                info,
                captured,
            })
        });
        entered.filter(|_| manifest.cause == Cause::Entry)
    }

    /// The look at `frame` of a crash: the roots and the world are those of the entry, and what is to come of it, the stack and
    /// the environment are those of the crash.
    pub fn look(&self, crash: &Manifest, frame: usize) -> Snapshot {
        let mut manifest = crash.clone();
        manifest.cause = Cause::Entry;
        for throwable in &mut manifest.throwables {
            // Nothing was thrown yet.
            throwable.object = ObjectId(0);
        }
        for (number, info) in manifest.frames.iter_mut().enumerate() {
            let recorded = info.captured.take().filter(|_| number == frame);
            info.captured = recorded.map(|recorded| {
                info.element.class.clone_from(&self.info.element.class);
                CapturedFrame {
                    receiver: self.captured.receiver,
                    arguments: self.captured.arguments.clone(),
                    patches: Vec::new(),
                    back_to: None,
                    ..recorded
                }
            });
        }
        let entry = &self.snapshot.manifest;
        manifest.statics.clone_from(&entry.statics);
        manifest.thread_locals.clone_from(&entry.thread_locals);
        manifest.limits.clone_from(&entry.limits);
        manifest.privacy.clone_from(&entry.privacy);
        Snapshot {
            manifest,
            heap: self.snapshot.heap.clone(),
            classes: self.snapshot.classes.clone(),
        }
    }
}
