//! The way back from the failure to the entry of a frame.

use crate::manifest::{Manifest, ObjectId, Patch};
use std::collections::BTreeMap;

/// What was different when a frame was entered, laid over the heap part, which is as of the failure.
///
/// The frames inside it were entered later, so their patches lead part of the way: those of the innermost frame count
/// first, and each frame further out knows better.
#[derive(Debug, Clone, Default)]
pub struct EntryState<'a> {
    /// By object, class and field.
    patches: BTreeMap<(ObjectId, &'a str, &'a str), &'a Patch>,
}

impl<'a> EntryState<'a> {
    /// The state on entry to frame `frame`.
    pub fn of(manifest: &'a Manifest, frame: usize) -> Self {
        let inside = manifest.frames.iter().take(frame.saturating_add(1));
        let captured = inside.filter_map(|frame| frame.captured.as_ref());
        let patches = captured
            .flat_map(|captured| &captured.patches)
            .map(|patch| {
                let place = (patch.object, patch.class.as_str(), patch.field.as_str());
                (place, patch)
            })
            .collect();
        Self { patches }
    }

    pub fn is_empty(&self) -> bool {
        self.patches.is_empty()
    }

    /// In the order of the objects' ids.
    pub fn patches(&self) -> impl Iterator<Item = &'a Patch> {
        self.patches.values().copied()
    }

    pub fn of_object(&self, id: ObjectId) -> impl Iterator<Item = &'a Patch> {
        let from = self.patches.range((id, "", "")..);
        from.map(|(_, patch)| *patch)
            .take_while(move |patch| patch.object == id)
    }
}
