//! Which frame helps most: the innermost one that is not simply told the bad value, and the whole program last.

use recrash_heap::is_of_a_runtime;
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

/// The given frames, most useful first: the application's before those of libraries, innermost first, then the trivial ones;
/// `main` comes last, because a test of it is the program over again.
pub(crate) fn ranked<'c, T>(
    manifest: &Manifest,
    candidates: &'c [T],
    frame: impl Fn(&T) -> usize,
) -> Vec<&'c T> {
    let own = manifest.own_frames();
    let mut order: Vec<&'c T> = candidates.iter().collect();
    order.sort_by_key(|candidate| {
        let frame = frame(candidate);
        let (main, foreign) = (is_main(manifest, frame), !own.contains(&frame));
        (main, foreign, is_trivial(manifest, frame), frame)
    });
    order
}

/// The class that the tests are called after, where `best` is the frame whose test comes first: its own where that is the
/// application's, else that of the application's frame nearest to the throw. Who is `main` has called a library on purpose:
/// then the library is what is tested, unless it is the runtime of a language.
pub(crate) fn namesake(manifest: &Manifest, best: usize) -> Option<&str> {
    let own = manifest.own_frames();
    let class = |frame: usize| Some(manifest.frames.get(frame)?.element.class.as_str());
    let of_best = class(best)?;
    if own.contains(&best) || manifest.application.is_none() {
        return Some(of_best);
    }
    let runtime = is_of_a_runtime(of_best);
    let start = manifest.application.as_ref()?.start.main.as_deref();
    let is_start = |class: &str| start.is_some_and(|start| outer(class) == outer(start));
    let mut nearest = own.iter().filter_map(|frame| class(*frame));
    let found = nearest.find(|class| runtime || !is_start(class));
    found.or(Some(of_best))
}

fn outer(class: &str) -> &str {
    class.split('$').next().unwrap_or(class)
}

fn is_main(manifest: &Manifest, frame: usize) -> bool {
    let Some(info) = manifest.frames.get(frame) else {
        return false;
    };
    let takes_arguments =
        |captured: &CapturedFrame| captured.descriptor == "([Ljava/lang/String;)V";
    info.element.method == "main" && info.captured.as_ref().is_some_and(takes_arguments)
}
