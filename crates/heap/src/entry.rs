//! The way back from the failure to the entry of a frame.

use crate::manifest::{FrameInfo, ObjectId, Patch};
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
    /// The state on entry to frame `frame` of a manifest's frames.
    pub fn of(frames: &'a [FrameInfo], frame: usize) -> Self {
        let captured = frames.get(frame).and_then(|info| info.captured.as_ref());
        let back_to = captured.and_then(|captured| captured.back_to);
        Self::on_the_way(frames, back_to.map_or(frame, |inner| inner.min(frame)))
    }

    /// As far back as the patches of `frame` and of the frames inside it lead.
    fn on_the_way(frames: &'a [FrameInfo], frame: usize) -> Self {
        let inside = frames.iter().take(frame.saturating_add(1));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::{CapturedFrame, FramePlace, TraceElement, Value};

    fn patch(object: u32, field: &str, value: i32) -> Patch {
        Patch {
            object: ObjectId(object),
            class: "A".to_owned(),
            field: field.to_owned(),
            descriptor: "I".to_owned(),
            value: Value::Int(value),
        }
    }

    fn frame(patches: Vec<Patch>) -> FrameInfo {
        FrameInfo {
            throwable: 0,
            element: TraceElement {
                class: "A".to_owned(),
                method: "f".to_owned(),
                file: None,
                line: 1,
                module: None,
            },
            captured: Some(CapturedFrame {
                descriptor: "()V".to_owned(),
                access: 0,
                place: FramePlace::Body,
                receiver: Value::Null,
                arguments: Vec::new(),
                patches,
                back_to: None,
                reads: Vec::new(),
                class_hash: None,
                source: None,
                entry: None,
            }),
        }
    }

    #[test]
    fn frames_inside_lead_part_of_the_way_and_the_frame_itself_knows_best() {
        let frames = vec![
            frame(vec![patch(1, "count", 3), patch(2, "[0]", 30)]),
            frame(vec![patch(1, "count", 2)]),
            frame(vec![patch(1, "total", 7)]),
        ];
        let at = |frame| {
            let state = EntryState::of(&frames, frame);
            let told = |patch: &Patch| (patch.object.0, patch.field.clone(), patch.value);
            state.patches().map(told).collect::<Vec<_>>()
        };
        let count = |value| (1, "count".to_owned(), Value::Int(value));
        let element = (2, "[0]".to_owned(), Value::Int(30));
        assert_eq!(at(0), [count(3), element.clone()]);
        assert_eq!(at(1), [count(2), element.clone()]);
        assert_eq!(
            at(2),
            [count(2), (1, "total".to_owned(), Value::Int(7)), element]
        );
        let state = EntryState::of(&frames, 2);
        assert_eq!(state.of_object(ObjectId(1)).count(), 2);
        assert_eq!(state.of_object(ObjectId(3)).count(), 0);
    }

    #[test]
    fn a_frame_can_take_the_state_of_one_inside_it_for_its_own() {
        let mut frames = vec![
            frame(vec![patch(1, "count", 3)]),
            frame(vec![patch(1, "count", 2)]),
            frame(vec![patch(1, "total", 7)]),
            frame(vec![]),
        ];
        frames[2].captured.as_mut().unwrap().back_to = Some(0);
        let values = |frames: &[FrameInfo], frame| -> Vec<Value> {
            let state = EntryState::of(frames, frame);
            state.patches().map(|patch| patch.value).collect()
        };
        assert_eq!(values(&frames, 2), [Value::Int(3)]);
        // Frames further out have a way of their own.
        assert_eq!(values(&frames, 3), [Value::Int(2), Value::Int(7)]);
        frames[2].captured.as_mut().unwrap().back_to = Some(9);
        assert_eq!(values(&frames, 2), [Value::Int(2), Value::Int(7)]);
    }

    #[test]
    fn an_element_is_told_from_a_field() {
        assert_eq!(patch(1, "[12]", 0).element(), Some(12));
        assert_eq!(patch(1, "count", 0).element(), None);
    }
}
