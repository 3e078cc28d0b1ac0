//! One crash as reports for other programs tell it: what happened, where, and what became of each frame.
//!
//! The reports of `github.rs`, `sarif.rs` and `junit_xml.rs` are all made of this, so that they say the same.

use crate::findings::Findings;
use crate::sources::Excerpt;
use crate::table::{Row, Standing};
use crate::wording::{counted, trace_line};
use crate::{class_name, printable};
use recrash_heap::manifest::{FrameInfo, Manifest};
use std::fmt::Write as _;

/// A snapshot and its findings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Crash {
    /// Where the snapshot lies, as the reader of the report would look for it.
    pub snapshot: String,
    pub manifest: Manifest,
    pub findings: Findings,
    /// Qualified name of the generated class, where there is one.
    pub test_class: Option<String>,
}

impl Crash {
    /// The class of what was thrown.
    pub(crate) fn exception(&self) -> &str {
        let first = self.manifest.throwables.first();
        first.map_or("unknown", |throwable| throwable.class.as_str())
    }

    /// `java.lang.NullPointerException: its message`, on one line.
    pub(crate) fn headline(&self) -> String {
        let first = self.manifest.throwables.first();
        match first.and_then(|throwable| throwable.message.as_deref()) {
            Some(message) => printable(&format!("{}: {message}", self.exception())),
            None => printable(self.exception()),
        }
    }

    /// `NullPointerException in PriceList.price`.
    pub(crate) fn title(&self) -> String {
        let exception = class_name(self.exception());
        match self.frame_to_look_at() {
            Some(frame) => format!("{exception} in {}", method(frame)),
            None => exception,
        }
    }

    /// The innermost frame that is the program's own: one whose source was found, else one that was captured.
    pub(crate) fn frame_to_look_at(&self) -> Option<&FrameInfo> {
        let frames = &self.manifest.frames;
        match self.place() {
            Some(excerpt) => frames.get(excerpt.frame),
            None => frames.iter().find(|frame| frame.captured.is_some()),
        }
    }

    /// The innermost line whose source was found.
    pub(crate) fn place(&self) -> Option<&Excerpt> {
        let excerpts = self.findings.excerpts.iter();
        excerpts.min_by_key(|excerpt| excerpt.frame)
    }

    pub(crate) fn reproduced(&self) -> impl Iterator<Item = &Row> {
        let rows = self.findings.rows.iter();
        rows.filter(|row| row.standing == Standing::Reproduced)
    }

    /// What became of the frames, as one sentence.
    pub(crate) fn outcome(&self) -> String {
        let rows = self.findings.rows.iter();
        let candidates = rows.filter(|row| row.standing != Standing::Aside).count();
        let reproduced = self.reproduced().count();
        if self.findings.rows.is_empty() {
            return format!("captured in {}", printable(&self.snapshot));
        }
        let frames = counted(candidates, "frame", "frames");
        match self.findings.tests.first() {
            Some(test) => format!(
                "{reproduced} of {frames} reproduce it; tests: {}",
                printable(&test.path)
            ),
            None => format!(
                "{reproduced} of {frames} reproduce it; snapshot: {}",
                printable(&self.snapshot)
            ),
        }
    }

    /// The stack trace, causes included, as the JVM would print it.
    pub(crate) fn trace(&self) -> String {
        let mut text = String::new();
        for (index, throwable) in self.manifest.throwables.iter().enumerate() {
            let lead = if index == 0 { "" } else { "Caused by: " };
            let message = throwable.message.as_deref();
            let message = message.map_or_else(String::new, |message| format!(": {message}"));
            let line = format!("{lead}{}{message}", throwable.class);
            let _ = writeln!(text, "{}", printable(&line));
            for element in &throwable.trace {
                let _ = writeln!(text, "\tat {}", printable(&trace_line(element)));
            }
        }
        text
    }
}

/// `Order.total`, the class without its package.
pub(crate) fn method(frame: &FrameInfo) -> String {
    let element = &frame.element;
    printable(&format!(
        "{}.{}",
        class_name(&element.class),
        element.method
    ))
}
