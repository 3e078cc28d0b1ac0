//! The whole snapshot for a reader at a terminal.

use crate::class_name::class_name;
use crate::describe::describe;
use crate::error::Error;
use crate::findings::Findings;
use crate::frame::{captured_at, frame_at};
use crate::graph::{Graph, place};
use crate::path::Path;
use crate::redactions::{Redacted, summary};
use crate::style::{Style, printable, shortened};
use crate::table::table;
use crate::tree::{Bounds, Trees};
use crate::wording::{
    argument_name, captured_frame, counted, is_emptied, parameter_types, place_note, shrunk,
    source, thread, timestamp, trace_line,
};
use recrash_heap::manifest::{CapturedFrame, FrameInfo, Manifest, Value};
use recrash_heap::{EntryState, Snapshot};
use std::fmt::Write as _;

#[derive(Debug, Clone, Copy)]
pub struct ShowOptions<'a> {
    pub style: Style,
    /// Only this frame.
    pub frame: Option<usize>,
    /// Only the value at the end of this path, from the frame, or from the innermost one that was captured.
    pub path: Option<&'a str>,
    /// Levels of objects below a receiver or an argument.
    pub depth: usize,
    /// Elements or fields shown per object.
    pub items: usize,
    /// Everything: statics one by one, unwoven classes, system properties.
    pub verbose: bool,
}

impl Default for ShowOptions<'_> {
    fn default() -> Self {
        ShowOptions {
            style: Style::default(),
            frame: None,
            path: None,
            depth: 3,
            items: 12,
            verbose: false,
        }
    }
}

/// Lines of one frame's trees.
const LINES_PER_FRAME: usize = 120;

/// Whoever names a path wants to see what is there.
const LINES_AT_PATH: usize = 2_000;
const ITEMS_AT_PATH: usize = 200;
/// Changes between a frame's entry and the failure that are listed.
const MOST_CHANGES: usize = 24;

/// The report of `recrash show`.
pub fn show(
    snapshot: &Snapshot,
    findings: &Findings,
    options: &ShowOptions<'_>,
) -> Result<String, Error> {
    let mut report = Report {
        snapshot,
        findings,
        options,
        out: String::new(),
    };
    if let Some(path) = options.path {
        report.path(path)?;
        return Ok(report.out);
    }
    if let Some(frame) = options.frame {
        frame_at(&snapshot.manifest, frame)?;
    } else {
        report.exception();
        report.circumstances();
    }
    report.frames();
    if options.frame.is_none() {
        report.verdicts();
        report.statics();
        report.environment();
        report.what_is_missing();
    }
    Ok(report.out.trim_start_matches('\n').to_owned())
}

struct Report<'a> {
    snapshot: &'a Snapshot,
    findings: &'a Findings,
    options: &'a ShowOptions<'a>,
    out: String,
}

impl<'a> Report<'a> {
    fn manifest(&self) -> &'a Manifest {
        &self.snapshot.manifest
    }

    fn style(&self) -> Style {
        self.options.style
    }

    fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn exception(&mut self) {
        /// Trace lines per throwable; the frames below have their own list.
        const MOST_TRACE_LINES: usize = 60;
        for (index, throwable) in self.manifest().throwables.iter().enumerate() {
            let message = throwable
                .message
                .as_deref()
                .map(|text| format!(": {}", printable(text)));
            let cause = if index == 0 { "" } else { "Caused by: " };
            let head = format!(
                "{cause}{}{}",
                printable(&throwable.class),
                message.unwrap_or_default()
            );
            self.line(&self.style().bold(&self.style().red(&head)));
            for element in throwable.trace.iter().take(MOST_TRACE_LINES) {
                let captured = captured_frame(self.manifest(), index, element);
                let mark = captured
                    .map_or_else(|| "       ".to_owned(), |frame| format!("  {frame:>3} →"));
                self.line(&format!(
                    "{} at {}",
                    self.style().green(&mark),
                    printable(&trace_line(element))
                ));
            }
            if throwable.trace.len() > MOST_TRACE_LINES {
                self.line(&format!(
                    "        … {} more",
                    throwable.trace.len() - MOST_TRACE_LINES
                ));
            }
        }
    }

    fn circumstances(&mut self) {
        let manifest = self.manifest();
        let mut text = format!(
            "\nOn {}, {}, by recrash {}",
            thread(manifest),
            timestamp(manifest.captured_at),
            printable(&manifest.recrash)
        );
        if let Some(label) = &manifest.label {
            let _ = write!(text, ", label {}", printable(label));
        }
        if !manifest.strategy.is_empty() {
            let _ = write!(text, ", strategy {}", printable(&manifest.strategy));
        }
        self.line(&text);
        let captured = manifest
            .frames
            .iter()
            .filter(|frame| frame.captured.is_some())
            .count();
        let frames = manifest.frames.len().max(manifest.frames_total as usize);
        self.line(&format!(
            "{} of {} captured, {} objects, fingerprint {}",
            captured,
            counted(frames, "frame", "frames"),
            self.snapshot.heap.len(),
            printable(&manifest.fingerprint)
        ));
        if let Some(shrunk) = shrunk(manifest) {
            self.line(&shrunk);
        }
    }

    fn frames(&mut self) {
        let bounds = Bounds {
            depth: self.options.depth,
            items: self.options.items,
            lines: LINES_PER_FRAME,
        };
        let redacted = Redacted::of(self.manifest());
        for (index, frame) in self.manifest().frames.iter().enumerate() {
            if self.options.frame.is_some_and(|only| only != index) {
                continue;
            }
            let Some(captured) = &frame.captured else {
                if self.options.frame.is_some() {
                    let place = printable(&trace_line(&frame.element));
                    self.line(&format!(
                        "frame {index}  {place} was not captured (JDK, trivial or excluded method)"
                    ));
                }
                continue;
            };
            self.frame_head(index, frame, captured);
            self.excerpt(index);
            if is_emptied(self.manifest(), index) {
                self.line("  what it saw was left out by recrash shrink");
                continue;
            }
            let entry = EntryState::of(&self.manifest().frames, index);
            let mut trees = Trees::new(
                Graph::on_entry(&self.snapshot.heap, &entry),
                self.style(),
                bounds,
                &redacted,
            );
            if captured.receiver != Value::Null {
                trees.add("this", captured.receiver, "");
            }
            for (number, argument) in captured.arguments.iter().enumerate() {
                let name = argument_name(captured, number);
                let place = format!("frames[{index}].{name}");
                trees.add(&name, argument.value, &place);
            }
            let lines = std::mem::take(&mut trees.lines);
            for line in lines {
                self.line(&line);
            }
            self.changes(&entry);
        }
    }

    /// The value that a path leads to, and what is below it.
    fn path(&mut self, text: &str) -> Result<(), Error> {
        let path = Path::parse(text)?;
        let manifest = self.manifest();
        let innermost = || manifest.frames.iter().position(|f| f.captured.is_some());
        let chosen = self.options.frame.or_else(innermost);
        let index = chosen.ok_or(Error::NothingCaptured)?;
        let (frame, captured) = captured_at(manifest, index)?;
        let entry = EntryState::of(&manifest.frames, index);
        let graph = Graph::on_entry(&self.snapshot.heap, &entry);
        let value = path.follow(self.snapshot, graph, index, captured)?;
        self.line(&format!(
            "frame {index}  {}.{}({})",
            printable(&frame.element.class),
            printable(&frame.element.method),
            parameter_types(captured)
        ));
        let bounds = Bounds {
            depth: self.options.depth,
            items: ITEMS_AT_PATH,
            lines: LINES_AT_PATH,
        };
        let redacted = Redacted::of(manifest);
        let mut trees = Trees::new(graph, self.style(), bounds, &redacted);
        trees.add(text, value, "");
        let lines = std::mem::take(&mut trees.lines);
        for line in lines {
            self.line(&line);
        }
        Ok(())
    }

    /// The source around the frame's line.
    fn excerpt(&mut self, frame: usize) {
        let Some(excerpt) = self.findings.excerpt(frame) else {
            return;
        };
        let room = self.style().width.saturating_sub(10).max(20);
        for (number, line) in (excerpt.first..).zip(&excerpt.lines) {
            let text = shortened(&printable(&line.replace('\t', "    ")), room);
            let (mark, text) = if number == excerpt.line {
                (">", self.style().bold(&text))
            } else {
                (" ", self.style().dim(&text))
            };
            self.line(format!("{mark}{number:>5} | {text}").trim_end());
        }
    }

    /// What `recrash tests` found out, where it has been run.
    fn verdicts(&mut self) {
        if self.findings.rows.is_empty() {
            return;
        }
        let text = table(&self.findings.rows, self.style());
        self.line("");
        self.out.push_str(&text);
        for note in &self.findings.notes {
            self.line(&format!("note: {}", printable(note)));
        }
        for test in &self.findings.tests {
            self.line(&format!("tests: {}", printable(&test.path)));
        }
    }

    fn frame_head(&mut self, index: usize, frame: &FrameInfo, captured: &CapturedFrame) {
        let title = format!(
            "frame {index}  {}.{}({})",
            printable(&frame.element.class),
            printable(&frame.element.method),
            parameter_types(captured)
        );
        let place = match place_note(frame, captured) {
            "" => String::new(),
            note => format!("  ({note})"),
        };
        let head = format!(
            "\n{}  {}{place}",
            self.style().bold(&title),
            printable(&source(&frame.element))
        );
        self.line(&head);
    }

    /// What changed between entry, which the trees show, and the failure.
    fn changes(&mut self, entry: &EntryState<'_>) {
        let graph = Graph::at_failure(&self.snapshot.heap);
        let changed = entry.patches().filter_map(|patch| {
            let mut object = graph.object(patch.object)?;
            let owner = class_name(object.class);
            let now = *place(&mut object.kind, patch)?;
            // Saved in case it would change, and perhaps it did not.
            (now != patch.value).then_some((patch, owner, now))
        });
        let changed: Vec<_> = changed.collect();
        for (patch, owner, now) in changed.iter().take(MOST_CHANGES) {
            let dot = if patch.element().is_some() { "" } else { "." };
            let text = format!(
                "  at the failure {owner} #{}{dot}{} = {}",
                patch.object.0,
                printable(&patch.field),
                describe(graph, *now, 60)
            );
            self.line(&self.style().yellow(&text));
        }
        if let Some(more) = changed
            .len()
            .checked_sub(MOST_CHANGES)
            .filter(|&more| more > 0)
        {
            self.line(&format!("  and {more} more changes"));
        }
    }

    fn statics(&mut self) {
        /// Static fields listed without `--verbose`: those the captured frames read.
        const MOST_STATICS: usize = 20;
        let manifest = self.manifest();
        if manifest.statics.is_empty() {
            return;
        }
        let read: Vec<&String> = manifest
            .frames
            .iter()
            .filter_map(|frame| frame.captured.as_ref())
            .flat_map(|frame| &frame.reads)
            .collect();
        let verbose = self.options.verbose;
        let listed: Vec<_> = manifest
            .statics
            .iter()
            .filter(|field| {
                verbose
                    || read
                        .iter()
                        .any(|read| **read == format!("{}.{}", field.class, field.field))
            })
            .collect();
        self.line(&format!(
            "\n{} static fields captured",
            manifest.statics.len()
        ));
        let most = if verbose { usize::MAX } else { MOST_STATICS };
        for field in listed.iter().take(most) {
            let name = format!(
                "  {}.{} = ",
                class_name(&field.class),
                printable(&field.field)
            );
            let room = self.style().width.saturating_sub(name.len()).max(20);
            let value = describe(Graph::at_failure(&self.snapshot.heap), field.value, room);
            self.line(&format!("{name}{value}"));
        }
        if !verbose && manifest.statics.len() > listed.len().min(most) {
            let rest = manifest.statics.len() - listed.len().min(most);
            self.line(&self.style().dim(&format!("  … {rest} more with --verbose")));
        }
    }

    fn environment(&mut self) {
        let environment = &self.manifest().environment;
        self.line("\nenvironment");
        let mut rows = vec![
            (
                "java",
                format!("{} in {}", environment.java_version, environment.java_home),
            ),
            (
                "class path",
                counted(environment.class_path.len(), "entry", "entries"),
            ),
            ("directory", environment.working_directory.clone()),
            (
                "settings",
                format!(
                    "locale {}, zone {}, charset {}",
                    environment.locale, environment.time_zone, environment.charset
                ),
            ),
        ];
        if !environment.jvm_arguments.is_empty() {
            rows.push(("jvm options", environment.jvm_arguments.join(" ")));
        }
        if self.options.verbose {
            rows.extend(
                environment
                    .class_path
                    .iter()
                    .map(|entry| ("", entry.clone())),
            );
            rows.extend(
                environment
                    .system_properties
                    .iter()
                    .map(|(key, value)| ("property", format!("{key}={value}"))),
            );
        }
        let room = self.style().width.saturating_sub(15).max(20);
        for (name, value) in rows {
            self.line(&format!(
                "  {name:11}  {}",
                shortened(&printable(&value), room)
            ));
        }
    }

    fn what_is_missing(&mut self) {
        let manifest = self.manifest();
        for limit in &manifest.limits {
            self.line(&self.style().yellow(&format!("limit: {}", printable(limit))));
        }
        if let Some(summary) = summary(manifest) {
            self.line(&self.style().yellow(&summary));
        }
        if manifest.unwoven.is_empty() {
            return;
        }
        self.line(&format!(
            "{} not woven{}",
            counted(manifest.unwoven.len(), "class was", "classes were"),
            if self.options.verbose {
                ":"
            } else {
                " (--verbose lists them)"
            }
        ));
        if self.options.verbose {
            for class in &manifest.unwoven {
                self.line(&format!(
                    "  {}: {}",
                    printable(&class.class),
                    printable(&class.reason)
                ));
            }
        }
    }
}
