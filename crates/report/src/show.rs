//! The whole snapshot for a reader at a terminal.

use crate::describe::{class_name, describe};
use crate::graph::{Graph, place};
use crate::style::{Style, printable, shortened};
use crate::tree::{Bounds, Trees};
use recrash_heap::manifest::{CapturedFrame, FrameInfo, FramePlace, Manifest, TraceElement, Value};
use recrash_heap::{EntryState, Snapshot};
use std::fmt::Write as _;

#[derive(Debug, Clone, Copy)]
pub struct ShowOptions {
    pub style: Style,
    /// Only this frame.
    pub frame: Option<usize>,
    /// Levels of objects below a receiver or an argument.
    pub depth: usize,
    /// Elements or fields shown per object.
    pub items: usize,
    /// Everything: statics one by one, unwoven classes, system properties.
    pub verbose: bool,
}

impl Default for ShowOptions {
    fn default() -> Self {
        ShowOptions {
            style: Style::default(),
            frame: None,
            depth: 3,
            items: 12,
            verbose: false,
        }
    }
}

/// Lines of one frame's trees.
const LINES_PER_FRAME: usize = 120;

/// Changes between a frame's entry and the failure that are listed.
const MOST_CHANGES: usize = 24;

/// The report of `recrash show`.
pub fn show(snapshot: &Snapshot, options: &ShowOptions) -> String {
    let mut report = Report {
        snapshot,
        options,
        out: String::new(),
    };
    if options.frame.is_none() {
        report.exception();
        report.circumstances();
    }
    report.frames();
    if options.frame.is_none() {
        report.statics();
        report.environment();
        report.what_is_missing();
    }
    report.out.trim_start_matches('\n').to_owned()
}

struct Report<'a> {
    snapshot: &'a Snapshot,
    options: &'a ShowOptions,
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
                let captured = self.captured_frame(index, element);
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

    fn captured_frame(&self, throwable: usize, element: &TraceElement) -> Option<usize> {
        self.manifest().frames.iter().position(|frame| {
            frame.captured.is_some()
                && frame.throwable as usize == throwable
                && frame.element == *element
        })
    }

    fn circumstances(&mut self) {
        let manifest = self.manifest();
        let thread = &manifest.thread;
        let mut kind = String::new();
        if thread.is_virtual {
            kind.push_str("virtual ");
        } else if thread.daemon {
            kind.push_str("daemon ");
        }
        let mut text = format!(
            "\nOn {kind}thread \"{}\", {}, by recrash {}",
            printable(&thread.name),
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
        self.line(&format!(
            "{} of {} frames captured, {} objects, fingerprint {}",
            captured,
            manifest.frames_total.max(manifest.frames.len() as u32),
            self.snapshot.heap.len(),
            printable(&manifest.fingerprint)
        ));
    }

    fn frames(&mut self) {
        let bounds = Bounds {
            depth: self.options.depth,
            items: self.options.items,
            lines: LINES_PER_FRAME,
        };
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
            let entry = EntryState::of(&self.manifest().frames, index);
            let mut trees = Trees::new(
                Graph::on_entry(&self.snapshot.heap, &entry),
                self.style(),
                bounds,
            );
            if captured.receiver != Value::Null {
                trees.add("this", captured.receiver);
            }
            for (number, argument) in captured.arguments.iter().enumerate() {
                let name = argument
                    .name
                    .clone()
                    .unwrap_or_else(|| format!("argument {number}"));
                trees.add(&name, argument.value);
            }
            let lines = std::mem::take(&mut trees.lines);
            for line in lines {
                self.line(&line);
            }
            self.changes(&entry);
        }
    }

    fn frame_head(&mut self, index: usize, frame: &FrameInfo, captured: &CapturedFrame) {
        let types: Vec<String> = captured
            .arguments
            .iter()
            .map(|argument| class_name(&dotted(&argument.descriptor)))
            .collect();
        let title = format!(
            "frame {index}  {}.{}({})",
            printable(&frame.element.class),
            printable(&frame.element.method),
            types.join(", ")
        );
        let place = match captured.place {
            FramePlace::Body if frame.element.method == "<init>" => "  (receiver partly built)",
            FramePlace::Body => "",
            FramePlace::BeforeSuper => "  (before super(...), no receiver yet)",
            FramePlace::InsideSuper => "  (inside super(...) or this(...), no receiver yet)",
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

fn counted(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// `com.acme.Order.total(Order.java:12)`.
fn trace_line(element: &TraceElement) -> String {
    format!("{}.{}({})", element.class, element.method, source(element))
}

fn source(element: &TraceElement) -> String {
    match (&element.file, element.line) {
        (_, -2) => "native method".to_owned(),
        (Some(file), line) if line >= 0 => format!("{file}:{line}"),
        (Some(file), _) => file.clone(),
        (None, _) => "unknown source".to_owned(),
    }
}

/// A field descriptor in the spelling of `Class.getName`, which [`class_name`] reads.
fn dotted(descriptor: &str) -> String {
    let name = descriptor.replace('/', ".");
    if name.starts_with('[') {
        return name;
    }
    let element = crate::class_name(&format!("[{name}"));
    element.trim_end_matches("[]").to_owned()
}

/// `2026-11-15 04:20:31 UTC`.
fn timestamp(millis: u64) -> String {
    let seconds = millis / 1000;
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Civil date from a day count: years of 365.2425 days, counted from March so that leap days come last.
    let shifted = days + 719_468;
    let era = shifted / 146_097;
    let day_of_era = shifted % 146_097;
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_index = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_index + 2) / 5 + 1;
    let month = if month_index < 10 {
        month_index + 3
    } else {
        month_index - 9
    };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    format!(
        "{year:04}-{month:02}-{day:02} {:02}:{:02}:{:02} UTC",
        rest / 3600,
        rest / 60 % 60,
        rest % 60
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timestamps_read_as_dates() {
        assert_eq!(timestamp(0), "1970-01-01 00:00:00 UTC");
        assert_eq!(timestamp(951_782_399_000), "2000-02-28 23:59:59 UTC");
        assert_eq!(timestamp(951_782_400_000), "2000-02-29 00:00:00 UTC");
        assert_eq!(timestamp(u64::MAX / 1000), timestamp(u64::MAX / 1000));
    }

    #[test]
    fn parameter_types_read_as_in_source() {
        let read = |descriptor: &str| class_name(&dotted(descriptor));
        assert_eq!(
            ["I", "[J", "Ljava/lang/String;", "[[La/B$C;"].map(read),
            ["int", "long[]", "String", "B.C[][]"]
        );
    }
}
