//! What single lines look like, whatever a logger, a mail client or a web page did to them.

use std::borrow::Cow;

use crate::frame::TraceLine;

/// The frames a physical line tells of: most often one. Logs of one JSON object per line have whole traces in one.
pub fn frames_in(line: &str) -> Vec<TraceLine> {
    let lines = unescaped(line);
    lines.lines().filter_map(frame).collect()
}

/// Line ends and tabs that were escaped, and what web pages do to angle brackets, quotes and blanks.
pub(crate) fn unescaped(text: &str) -> Cow<'_, str> {
    const ESCAPES: [(&str, &str); 8] = [
        ("\\r\\n", "\n"),
        ("\\n", "\n"),
        ("\\t", "\t"),
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&nbsp;", " "),
        ("\u{a0}", " "),
    ];
    let mut text = Cow::Borrowed(text);
    for (escaped, plain) in ESCAPES {
        // `C:\new` is a path, not a line end: only texts with frames behind an escaped end are taken apart.
        let is_escape = escaped.starts_with('\\');
        if text.contains(escaped) && (!is_escape || text.contains("at ")) {
            text = Cow::Owned(text.replace(escaped, plain));
        }
    }
    text
}

/// The frame a line tells of, whatever stands in front of it or behind.
pub(crate) fn frame(line: &str) -> Option<TraceLine> {
    line.match_indices("at ").find_map(|(at, word)| {
        let before = line.get(..at)?;
        let frame = line.get(at + word.len()..)?.trim_start();
        let end = frame.find(')')? + 1;
        let frame = frame.get(..end)?;
        let (name, place) = frame.split_once('(')?;
        (stands_alone(before) && is_method(name) && is_place(place.trim_end_matches(')')))
            .then(|| TraceLine::parse(frame))
            .flatten()
    })
}

fn stands_alone(before: &str) -> bool {
    let last = before.chars().next_back();
    last.is_none_or(|last| last.is_whitespace() || "|>]:".contains(last))
}

fn blanks_behind(text: &str) -> usize {
    let blank = |c: &char| c.is_whitespace();
    text.chars().rev().take_while(blank).count()
}

/// `com.acme.Shop.<init>`, behind a class loader and a module.
fn is_method(name: &str) -> bool {
    name.contains('.') && !name.contains(|c: char| c.is_whitespace() || "\"';,=".contains(c))
}

/// `Shop.java:12`, and the few things that stand there instead. .NET writes parameters, scripts a column.
fn is_place(place: &str) -> bool {
    const INSTEAD: [&str; 4] = [
        "Native Method",
        "Unknown Source",
        "Compiled Code",
        "Inlined Compiled Code",
    ];
    INSTEAD.contains(&place)
        || (!place.is_empty()
            && !place.contains(|c: char| c.is_whitespace() || ",(".contains(c))
            && place.matches(':').count() <= 1)
}

/// The beginning of a frame whose end is on the next line: `at`, `at com.acme.Shop.`, `at com.acme.Shop.open(`.
pub(crate) fn is_torn_frame(line: &str) -> bool {
    let line = line.trim();
    let Some(name) = line.strip_prefix("at") else {
        return false;
    };
    if name.is_empty() {
        return true;
    }
    let name = name.strip_prefix(' ').map(str::trim_start);
    name.is_some_and(|name| {
        let method = name.split('(').next().unwrap_or(name);
        !name.contains(')') && is_method(method)
    })
}

/// How many frames `... 12 more` (or `... 12 common frames omitted`) leaves out.
pub(crate) fn left_out(line: &str) -> Option<usize> {
    let (_, rest) = line.split_once("... ")?;
    let (number, rest) = rest.trim_start().split_once(' ')?;
    let known = [
        "more",
        "common frames omitted",
        "frames omitted",
        "frames excluded",
    ];
    let rest = rest.trim_end();
    known
        .iter()
        .any(|words| rest.starts_with(words))
        .then(|| number.parse().ok())
        .flatten()
}

/// What an exception is to the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Relation {
    CauseOf,
    SuppressedBy,
    /// Some loggers print the root cause first.
    Wraps,
}

/// A line that names an exception.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Head<'t> {
    pub(crate) class: &'t str,
    pub(crate) message: Option<&'t str>,
    pub(crate) thread: Option<&'t str>,
    pub(crate) column: usize,
}

/// `Caused by: java.io.IOException: disk full`, and what stands behind the words.
pub(crate) fn related(line: &str) -> Option<(Relation, usize, &str)> {
    const WORDS: [(&str, Relation); 3] = [
        ("Caused by: ", Relation::CauseOf),
        ("Suppressed: ", Relation::SuppressedBy),
        ("Wrapped by: ", Relation::Wraps),
    ];
    WORDS.iter().find_map(|(words, relation)| {
        let at = line.find(words.trim_end())?;
        let before = line.get(..at)?;
        let behind = line.get(at + words.len() - 1..)?.trim_start();
        stands_alone(before).then_some((*relation, blanks_behind(before), behind))
    })
}

/// The exception that `text` begins with: `java.lang.IllegalStateException: closed`.
pub(crate) fn head_at_start(text: &str) -> Option<(&str, Option<&str>)> {
    let text = text.trim();
    // Class loaders of some servers print what they wrap in brackets.
    let text = text
        .strip_prefix("[CIRCULAR REFERENCE:")
        .unwrap_or(text)
        .trim_start();
    let end = text
        .find(|c: char| c == ':' || c.is_whitespace())
        .unwrap_or(text.len());
    let (class, rest) = text.split_at(end);
    let class = class.rsplit('/').next().unwrap_or(class);
    if !is_exception(class) {
        return None;
    }
    let rest = match rest.trim_start().strip_prefix(':') {
        Some(message) => message.trim(),
        None if rest.trim().is_empty() => "",
        // A sentence: `com.acme.Shop is closed`.
        None => return None,
    };
    Some((class, (!rest.is_empty()).then_some(rest)))
}

/// The exception that a line names: at its start, behind `Exception in thread "main" `, or behind what a logger wrote.
pub(crate) fn head(line: &str) -> Option<Head<'_>> {
    const IN_THREAD: &str = "Exception in thread \"";
    if let Some((before, rest)) = line.split_once(IN_THREAD) {
        let (thread, rest) = rest.split_once('"')?;
        let (class, message) = head_at_start(rest)?;
        return Some(Head {
            class,
            message,
            thread: Some(thread),
            column: blanks_behind(before),
        });
    }
    let start = line.trim_start();
    let column = line.len() - start.len();
    if let Some((class, message)) = head_at_start(start) {
        return Some(Head {
            class,
            message,
            thread: None,
            column,
        });
    }
    // Behind a logger's words only what is called an exception counts: everything has dots and colons there.
    line.match_indices(' ').find_map(|(blank, _)| {
        let rest = line.get(blank + 1..)?;
        let (class, message) = head_at_start(rest)?;
        is_called_exception(class).then_some(Head {
            class,
            message,
            thread: None,
            column: 1,
        })
    })
}

fn is_called_exception(class: &str) -> bool {
    ["Exception", "Error", "Throwable", "Failure"]
        .iter()
        .any(|word| class.ends_with(word))
}

/// A class name with a package, or one that is called an exception.
fn is_exception(class: &str) -> bool {
    let names = |part: &str| {
        let mut characters = part.chars();
        characters
            .next()
            .is_some_and(|c| c.is_alphabetic() || c == '_' || c == '$')
            && characters.all(|c| c.is_alphanumeric() || c == '_' || c == '$')
    };
    class.split('.').all(names) && (is_called_exception(class) || class.contains('.'))
}
