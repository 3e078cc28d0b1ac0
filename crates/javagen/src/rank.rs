//! Which frame helps most: the innermost one that is not simply told the bad value, and the whole program last.

use crate::request::{Candidate, Form};
use recrash_classfile::access;
use recrash_heap::manifest::{CapturedFrame, FrameInfo, Manifest, Value};
use recrash_heap::{is_of_a_runtime, module_of};

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
/// `main` comes last, because a test of it is the program over again. Of what failed in a test, frames of the module that is
/// tested come before those of other modules, and those of the test itself behind all.
pub(crate) fn ranked<'c, T>(
    manifest: &Manifest,
    candidates: &'c [T],
    frame: impl Fn(&T) -> usize,
) -> Vec<&'c T> {
    let own = manifest.own_frames();
    let tested = own.iter().rev().find_map(|frame| {
        let module = module_of(source(manifest, *frame)?)?;
        module.tests.then_some(module.root)
    });
    let mut order: Vec<&'c T> = candidates.iter().collect();
    order.sort_by_key(|candidate| {
        let frame = frame(candidate);
        let (main, foreign) = (is_main(manifest, frame), !own.contains(&frame));
        let elsewhere = distance_from_tests(manifest, tested, frame);
        (main, foreign, elsewhere, is_trivial(manifest, frame), frame)
    });
    order
}

/// 0 for the module whose tests lie in the folder `tested`, 1 for other modules, 2 for the tests themselves.
fn distance_from_tests(manifest: &Manifest, tested: Option<&str>, frame: usize) -> u8 {
    let (Some(tested), Some(place)) = (tested, source(manifest, frame)) else {
        return 0;
    };
    match module_of(place) {
        Some(module) if module.tests => 2,
        Some(module) if module.root == tested => 0,
        _ => 1,
    }
}

/// Where the class of a frame came from.
fn source(manifest: &Manifest, frame: usize) -> Option<&str> {
    let info = manifest.frames.get(frame)?;
    info.captured.as_ref()?.source.as_deref()
}

/// Puts the test first that others would write: where a hidden method fails, the one of the same class that they call, if
/// source alone can call it as the program did. `ranked` is as [`ranked`] made it.
pub(crate) fn entrance_first(manifest: &Manifest, ranked: &mut Vec<&Candidate>) {
    let tests: Vec<Ranked<'_>> = ranked
        .iter()
        .filter_map(|candidate| {
            let info = manifest.frames.get(candidate.frame)?;
            Some(Ranked {
                class: outer(&info.element.class),
                hidden: hidden(info),
                is_plain: matches!(candidate.form, Form::Built(_)),
                is_main: is_main(manifest, candidate.frame),
            })
        })
        .collect();
    let first = entrance(&tests);
    if tests.len() == ranked.len() && first < ranked.len() {
        let entrance = ranked.remove(first);
        ranked.insert(0, entrance);
    }
}

/// What decides which test comes first.
struct Ranked<'a> {
    class: &'a str,
    hidden: u8,
    /// Source alone makes what it needs.
    is_plain: bool,
    is_main: bool,
}

/// Which of the tests to put first.
fn entrance(tests: &[Ranked<'_>]) -> usize {
    let Some(first) = tests.first() else { return 0 };
    let mut best = (first.hidden, 0);
    for (number, test) in tests.iter().enumerate() {
        let calls_it = test.class == first.class && !test.is_main;
        if calls_it && test.is_plain && test.hidden < best.0 {
            best = (test.hidden, number);
        }
    }
    best.1
}

/// How hidden a method is: 0 for a public one, 3 for a private one, 4 for what the compiler made.
fn hidden(info: &FrameInfo) -> u8 {
    let access = info.captured.as_ref().map_or(0, |captured| captured.access);
    match access {
        access if access & access::SYNTHETIC != 0 => 4,
        access if access & access::PRIVATE != 0 => 3,
        access if access & access::PROTECTED != 0 => 1,
        access if access & access::PUBLIC != 0 => 0,
        _ => 2,
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn first(tests: &[(&str, u8, bool)]) -> usize {
        let ranked: Vec<Ranked<'_>> = tests
            .iter()
            .map(|&(class, hidden, is_plain)| Ranked {
                class,
                hidden,
                is_plain,
                is_main: false,
            })
            .collect();
        entrance(&ranked)
    }

    #[test]
    fn a_hidden_method_gives_way_to_the_one_that_others_call_where_source_can_call_it() {
        assert_eq!(first(&[("A", 3, true), ("A", 2, true), ("A", 0, true)]), 2);
        assert_eq!(first(&[("A", 3, true), ("A", 0, false)]), 0);
        assert_eq!(first(&[("A", 3, true), ("B", 0, true)]), 0);
        assert_eq!(first(&[("A", 0, true), ("A", 0, true)]), 0);
    }
}
