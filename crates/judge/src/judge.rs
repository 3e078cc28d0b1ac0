//! Types and place: does what a candidate threw equal what was recorded?

use std::collections::BTreeMap;

use recrash_heap::manifest::{FrameInfo, Manifest, ThrowableInfo};
use recrash_jvm::{Outcome, Thrown};

use crate::location::{Location, in_jdk, is_recrash, same_class};
use crate::verdict::Verdict;

/// What a frame must throw to count as reproduced.
#[derive(Debug, Clone, Copy)]
pub struct Expected<'a> {
    pub manifest: &'a Manifest,
    /// Index into the manifest's frames.
    pub frame: usize,
    /// The candidate ran on exactly the recorded JDK: lines inside the JDK count, too.
    pub same_jdk: bool,
}

/// The verdict, and a sentence where it is not `Reproduced`.
pub(crate) fn judge(expected: &Expected<'_>, outcome: &Outcome) -> (Verdict, Option<String>) {
    match outcome {
        Outcome::Returned => {
            let class = expected
                .chain()
                .first()
                .map_or("an exception", |throwable| throwable.class.as_str());
            let reason = match expected.chain().first().and_then(ThrowableInfo::label) {
                Some(label) => {
                    format!("the method returned without reaching the capture point \"{label}\"")
                }
                None => format!("the method returned instead of throwing {class}"),
            };
            (Verdict::Passes, Some(reason))
        }
        Outcome::Threw(thrown) => expected.compare(thrown),
        Outcome::NotRestored(sentence) => (Verdict::NotRunnable, Some(sentence.clone())),
        Outcome::TimedOut { at } => {
            let at = at
                .as_ref()
                .map(|at| format!("; it was at {at}"))
                .unwrap_or_default();
            (
                Verdict::TimedOut,
                Some(format!("the method did not end within its time{at}")),
            )
        }
        Outcome::Exited { by } => {
            let by = by
                .as_ref()
                .map(|by| format!(" (from {by})"))
                .unwrap_or_default();
            (
                Verdict::NotRunnable,
                Some(format!("the method ends the JVM with System.exit{by}")),
            )
        }
        Outcome::Died(how) => (
            Verdict::NotRunnable,
            Some(format!("the JVM died while it ran the method: {how}")),
        ),
    }
}

impl<'a> Expected<'a> {
    fn frame(&self) -> Option<&'a FrameInfo> {
        self.manifest.frames.get(self.frame)
    }

    /// The throwable that unwound the frame, and its causes.
    fn chain(&self) -> &'a [ThrowableInfo] {
        let first = self.frame().map_or(0, |frame| frame.throwable as usize);
        self.manifest.throwables.get(first..).unwrap_or_default()
    }

    fn compare(&self, thrown: &[Thrown]) -> (Verdict, Option<String>) {
        let chain = original(
            self.chain(),
            |throwable| &throwable.class,
            |throwable| throwable.trace.iter().map(Location::recorded).collect(),
        );
        let thrown = original(
            self.without_initializer_wrapper(thrown),
            |thrown| &thrown.class,
            |thrown| thrown.trace.iter().map(Location::replayed).collect(),
        );
        let (Some(head), Some(actual_head)) = (chain.first(), thrown.first()) else {
            return (
                Verdict::OtherException,
                Some("the snapshot names no exception for this frame".to_owned()),
            );
        };
        if !same_throwable(head, actual_head) {
            return (
                Verdict::OtherException,
                Some(other_exception(head, actual_head)),
            );
        }
        if let Some(difference) = different_cause(chain, thrown) {
            return (Verdict::OtherException, Some(difference));
        }
        let (Some(root), Some(actual_root)) = (chain.last(), thrown.last()) else {
            return (Verdict::OtherException, None);
        };
        match self.different_place(root, actual_root) {
            None => (Verdict::Reproduced, None),
            Some(difference) => (Verdict::SameExceptionElsewhere, Some(difference)),
        }
    }

    /// A class initialiser can only be called by initialising its class, and so can a method that it calls in its own
    /// class; the JVM wraps what it throws, unless it is an `Error` already (JVM specification 5.5, step 10).
    fn without_initializer_wrapper<'t>(&self, thrown: &'t [Thrown]) -> &'t [Thrown] {
        let initializer = self.manifest.initialises_its_class(self.frame);
        let expects_wrapper = self
            .chain()
            .first()
            .is_some_and(|head| head.class == INITIALIZER_ERROR);
        match thrown {
            [wrapper, causes @ ..]
                if initializer
                    && !expects_wrapper
                    && !causes.is_empty()
                    && wrapper.class == INITIALIZER_ERROR =>
            {
                causes
            }
            whole => whole,
        }
    }

    fn different_place(&self, recorded: &ThrowableInfo, actual: &Thrown) -> Option<String> {
        let recorded_trace: Vec<Location<'_>> =
            recorded.trace.iter().map(Location::recorded).collect();
        let actual_trace: Vec<Location<'_>> = actual
            .trace
            .iter()
            .map(Location::replayed)
            .filter(|location| !is_recrash(location.class))
            .collect();
        if recorded_trace.is_empty() {
            return self.different_method(&actual_trace);
        }
        if recorded.class == STACK_OVERFLOW {
            return different_recursion(&recorded_trace, &actual_trace);
        }
        let (wanted, got) = (recorded_trace.first(), actual_trace.first());
        // Another JDK may reach the same failure through other methods of its own.
        let comparable = self.same_jdk || !wanted.is_some_and(|location| in_jdk(location));
        if comparable && !same_top(wanted, got, self.same_jdk) {
            return Some(elsewhere(&recorded.class, got, wanted));
        }
        let wanted = recorded_trace.iter().find(|location| !in_jdk(location));
        let got = actual_trace.iter().find(|location| !in_jdk(location));
        match (wanted, got) {
            (None, _) => None,
            (Some(wanted), Some(got)) if wanted.same_line(got) => None,
            _ => Some(elsewhere(&recorded.class, got, wanted)),
        }
    }

    /// A throwable without a trace (the JIT compiler's preallocated ones, or made so) still unwound known frames.
    fn different_method(&self, actual: &[Location<'_>]) -> Option<String> {
        let root = self.manifest.throwables.len().saturating_sub(1);
        let mut unwound = self
            .manifest
            .frames
            .iter()
            .filter(|frame| frame.throwable as usize == root);
        let innermost = unwound.find(|frame| frame.captured.is_some())?;
        let wanted = Location::recorded(&innermost.element);
        if actual.is_empty() || actual.iter().any(|location| wanted.same_method(location)) {
            return None;
        }
        let class = self
            .manifest
            .throwables
            .last()
            .map_or("", |throwable| throwable.class.as_str());
        Some(elsewhere(class, actual.first(), Some(&wanted)))
    }
}

/// `ForkJoinTask` throws, in the thread that waits, a copy of what a worker threw, with the original as its cause; in the
/// worker that happens to wait for itself, the original. Which of the two is chance. And JUnit, which calls tests by
/// reflection, shows what an `InvocationTargetException` wraps. In both cases only the original counts.
fn original<'c, T>(
    mut chain: &'c [T],
    class: impl Fn(&T) -> &str,
    trace: impl for<'t> Fn(&'t T) -> Vec<Location<'t>>,
) -> &'c [T] {
    const REFLECTION: [&str; 2] = ["jdk.internal.reflect.", "java.lang.reflect."];
    while let [copy, rest @ ..] = chain {
        let trace = trace(copy);
        let maker = trace.iter().find(|location| {
            !REFLECTION
                .iter()
                .any(|start| location.class.starts_with(start))
        });
        let reflective = trace.first() != maker;
        let copied = reflective
            && maker.is_some_and(|maker| maker.class == "java.util.concurrent.ForkJoinTask");
        if rest.is_empty() || !copied && class(copy) != INVOCATION {
            break;
        }
        chain = rest;
    }
    chain
}

const INVOCATION: &str = "java.lang.reflect.InvocationTargetException";
const INITIALIZER_ERROR: &str = "java.lang.ExceptionInInitializerError";
const STACK_OVERFLOW: &str = "java.lang.StackOverflowError";

fn same_top(wanted: Option<&Location<'_>>, got: Option<&Location<'_>>, same_jdk: bool) -> bool {
    match (wanted, got) {
        (Some(wanted), Some(got)) if in_jdk(wanted) && !same_jdk => wanted.same_method(got),
        (Some(wanted), Some(got)) => wanted.same_line(got),
        (wanted, got) => wanted.is_none() && got.is_none(),
    }
}

/// Where exactly the stack ends is chance; that the same methods recur is not.
fn different_recursion(recorded: &[Location<'_>], actual: &[Location<'_>]) -> Option<String> {
    let wanted = recurring(recorded);
    let got = recurring(actual);
    if got.keys().any(|method| wanted.contains_key(method)) {
        return None;
    }
    let first = |methods: &BTreeMap<(&str, &str), usize>| {
        methods.iter().max_by_key(|(_, count)| **count).map_or_else(
            || "no method".to_owned(),
            |((class, method), _)| format!("{class}.{method}"),
        )
    };
    Some(format!(
        "the recursion is in {} instead of {}",
        first(&got),
        first(&wanted)
    ))
}

/// Methods that occur more than once, those of the program if it has any.
fn recurring<'t>(trace: &[Location<'t>]) -> BTreeMap<(&'t str, &'t str), usize> {
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let program = trace.iter().any(|location| !in_jdk(location));
    for location in trace
        .iter()
        .filter(|location| !(program && in_jdk(location)))
    {
        *counts.entry((location.class, location.method)).or_default() += 1;
    }
    let once = counts.values().all(|count| *count < 2);
    counts.retain(|_, count| once || *count >= 2);
    counts
}

/// By class; one whose printed name is not its class is known by where it was made.
fn same_throwable(recorded: &ThrowableInfo, actual: &Thrown) -> bool {
    let made_at_the_same_place = || match (recorded.trace.first(), actual.trace.first()) {
        (Some(wanted), Some(got)) => Location::recorded(wanted).same_line(&Location::replayed(got)),
        _ => false,
    };
    let same = same_class(&recorded.class, &actual.class);
    match recorded.label() {
        Some(label) => same && actual.message.as_deref() == Some(label),
        None => same || actual.printed && made_at_the_same_place(),
    }
}

fn other_exception(expected: &ThrowableInfo, actual: &Thrown) -> String {
    let at = actual
        .trace
        .iter()
        .map(Location::replayed)
        .find(|location| !is_recrash(location.class))
        .map(|location| format!(" at {location}"))
        .unwrap_or_default();
    if let Some(class) = missing_class(actual) {
        return format!(
            "{class} is not on the class path{at}; pass the jar that ran with --classpath"
        );
    }
    format!(
        "it threw {}{at} instead of {}",
        described(actual),
        expected.class
    )
}

fn described(thrown: &Thrown) -> String {
    match thrown
        .message
        .as_deref()
        .and_then(|message| message.lines().next())
    {
        Some(message) if !message.is_empty() => {
            let short: String = message.chars().take(200).collect();
            format!("{} ({short})", thrown.class)
        }
        _ => thrown.class.clone(),
    }
}

/// The class that a linkage failure names, in dots.
fn missing_class(thrown: &Thrown) -> Option<String> {
    let message = thrown.message.as_deref()?;
    let linkage = matches!(
        thrown.class.as_str(),
        "java.lang.NoClassDefFoundError" | "java.lang.ClassNotFoundException"
    );
    let is_name = !message.is_empty() && !message.contains(char::is_whitespace);
    (linkage && is_name).then(|| message.replace('/', "."))
}

fn different_cause(chain: &[ThrowableInfo], thrown: &[Thrown]) -> Option<String> {
    let difference = chain
        .iter()
        .map(Some)
        .chain(std::iter::repeat(None))
        .zip(thrown.iter().map(Some).chain(std::iter::repeat(None)))
        .take(chain.len().max(thrown.len()))
        .find(|(wanted, got)| match (wanted, got) {
            (Some(wanted), Some(got)) => !same_throwable(wanted, got),
            _ => true,
        })?;
    let head = thrown.first().map_or("it", |head| head.class.as_str());
    Some(match difference {
        (Some(wanted), Some(got)) => {
            format!(
                "{head} was caused by {} instead of {}",
                described(got),
                wanted.class
            )
        }
        (Some(wanted), None) => format!("{head} had no cause {}", wanted.class),
        (None, got) => format!(
            "{head} had a cause that was not recorded, {}",
            got.map(described).unwrap_or_default()
        ),
    })
}

fn elsewhere(class: &str, got: Option<&Location<'_>>, wanted: Option<&Location<'_>>) -> String {
    let place = |location: Option<&Location<'_>>| {
        location.map_or_else(|| "an unknown place".to_owned(), ToString::to_string)
    };
    format!(
        "{class} was thrown at {} instead of {}",
        place(got),
        place(wanted)
    )
}
