//! Frames by number, as people ask for them.

use crate::class_name::class_name;
use crate::error::Error;
use crate::path::listed;
use crate::style::printable;
use recrash_heap::manifest::{CapturedFrame, FrameInfo, Manifest};

/// The frame, or which ones there are instead.
pub(crate) fn frame_at(manifest: &Manifest, frame: usize) -> Result<&FrameInfo, Error> {
    manifest.frames.get(frame).ok_or_else(|| Error::NoFrame {
        frame,
        known: captured_frames(manifest),
    })
}

/// The same, with its values.
pub(crate) fn captured_at(
    manifest: &Manifest,
    frame: usize,
) -> Result<(&FrameInfo, &CapturedFrame), Error> {
    let info = frame_at(manifest, frame)?;
    let captured = info.captured.as_ref().ok_or_else(|| Error::NotCaptured {
        frame,
        method: short_method(info),
        known: captured_frames(manifest),
    })?;
    Ok((info, captured))
}

/// `1 Order.total, 2 Shop.main`.
fn captured_frames(manifest: &Manifest) -> String {
    let frames = manifest.frames.iter().enumerate();
    listed(
        frames
            .filter(|(_, frame)| frame.captured.is_some())
            .map(|(index, frame)| format!("{index} {}", short_method(frame))),
    )
}

fn short_method(frame: &FrameInfo) -> String {
    let element = &frame.element;
    format!(
        "{}.{}",
        class_name(&element.class),
        printable(&element.method)
    )
}
