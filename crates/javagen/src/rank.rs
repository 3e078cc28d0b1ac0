//! Which frame helps most: the innermost one that is not simply told the bad value, and the whole program last.

use recrash_heap::manifest::{CapturedFrame, FrameInfo, Manifest, Value};

/// Whether the frame fails only because its own argument is null: a test of it shows the symptom, not the bug.
pub fn is_trivial(manifest: &Manifest, frame: usize) -> bool {
    let Some(info) = manifest.frames.get(frame) else {
        return false;
    };
    let Some(captured) = &info.captured else {
        return false;
    };
    let Some(throwable) = manifest.throwables.get(info.throwable as usize) else {
        return false;
    };
    throwable.class == "java.lang.NullPointerException"
        && info.throwable as usize + 1 == manifest.throwables.len()
        && captured
            .arguments
            .iter()
            .any(|argument| argument.value == Value::Null)
        && throws_itself(info, &throwable.trace)
}

/// The throw is in the frame, or in a null check of the JDK that the frame calls.
fn throws_itself(info: &FrameInfo, trace: &[recrash_heap::manifest::TraceElement]) -> bool {
    trace
        .iter()
        .find(|element| {
            !(element.class == "java.util.Objects" && element.method.starts_with("requireNonNull"))
        })
        .is_some_and(|element| *element == info.element)
}

/// The given frames, most useful first: innermost first, then the trivial ones; `main` comes last, because a test of
/// it is the program over again.
pub(crate) fn ranked<'c, T>(
    manifest: &Manifest,
    candidates: &'c [T],
    frame: impl Fn(&T) -> usize,
) -> Vec<&'c T> {
    let mut order: Vec<&'c T> = candidates.iter().collect();
    order.sort_by_key(|candidate| {
        let frame = frame(candidate);
        (is_main(manifest, frame), is_trivial(manifest, frame), frame)
    });
    order
}

fn is_main(manifest: &Manifest, frame: usize) -> bool {
    let Some(info) = manifest.frames.get(frame) else {
        return false;
    };
    let takes_arguments =
        |captured: &CapturedFrame| captured.descriptor == "([Ljava/lang/String;)V";
    info.element.method == "main" && info.captured.as_ref().is_some_and(takes_arguments)
}
