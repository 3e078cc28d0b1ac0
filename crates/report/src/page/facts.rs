//! Everything on the page but the objects, as one JSON document.

use super::objects::{Objects, Shape, value_json};
use crate::class_name::class_name;
use crate::findings::Findings;
use crate::redactions::is_contents;
use crate::sources::Excerpt;
use crate::style::printable;
use crate::table::Standing;
use crate::wording::{
    argument_name, captured_frame, parameter_type, parameter_types, place_note, shrunk, source,
    thread, timestamp,
};
use recrash_heap::manifest::{CapturedFrame, FrameInfo, Manifest, ObjectId, ThrowableInfo, Value};
use recrash_heap::{EntryState, Snapshot};
use serde::Serialize;
use serde_json::Value as Json;
use std::collections::BTreeMap;

#[derive(Debug, Serialize)]
pub(super) struct Facts<'a> {
    throwables: Vec<Throwable>,
    thread: String,
    when: String,
    label: Option<String>,
    recrash: String,
    fingerprint: String,
    frames: Vec<Frame>,
    frames_total: usize,
    /// The frame that is chosen when the page opens.
    chosen: Option<usize>,
    objects: u32,
    embedded: usize,
    left_out: usize,
    shapes: &'a [Shape],
    statics: Vec<Static>,
    thread_locals: Vec<(Json, Json)>,
    environment: Vec<(&'static str, String)>,
    class_path: Vec<String>,
    properties: Vec<(String, String)>,
    limits: Vec<String>,
    /// By object, 0 for the manifest: the place and the rule. An empty place is the whole object.
    redactions: BTreeMap<u32, Vec<(String, String)>>,
    unwoven: Vec<(String, String)>,
    notes: Vec<String>,
    tests: Vec<Test<'a>>,
}

#[derive(Debug, Serialize)]
struct Throwable {
    class: String,
    message: Option<String>,
    object: u32,
    trace: Vec<TraceLine>,
    more: usize,
}

#[derive(Debug, Serialize)]
struct TraceLine {
    class: String,
    method: String,
    place: String,
    frame: Option<usize>,
}

#[derive(Debug, Serialize)]
struct Frame {
    class: String,
    method: String,
    place: String,
    types: String,
    captured: bool,
    note: &'static str,
    values: Vec<NamedValue>,
    overlay: String,
    verdict: Option<Verdict>,
    source: Option<Source>,
}

/// What a frame begins with.
#[derive(Debug, Serialize)]
struct NamedValue {
    name: String,
    /// The declared one of an argument.
    #[serde(rename = "type")]
    kind: String,
    value: Json,
    /// Of a static field that has changed: what it was at the failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    now: Option<Json>,
}

#[derive(Debug, Serialize)]
struct Verdict {
    standing: &'static str,
    name: String,
    reason: String,
    test: Option<String>,
}

#[derive(Debug, Serialize)]
struct Source {
    path: String,
    first: usize,
    line: usize,
    lines: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Static {
    class: String,
    name: String,
    value: Json,
    /// Whether a captured frame reads it.
    read: bool,
}

#[derive(Debug, Serialize)]
struct Test<'a> {
    path: String,
    text: &'a str,
}

impl<'a> Facts<'a> {
    pub(super) fn new(
        snapshot: &Snapshot,
        findings: &'a Findings,
        chosen: Option<usize>,
        objects: &'a Objects,
        overlays: Vec<String>,
    ) -> Self {
        let manifest = &snapshot.manifest;
        let environment = &manifest.environment;
        let frames = manifest.frames.iter().zip(overlays).enumerate();
        Facts {
            throwables: throwables(manifest),
            thread: thread(manifest),
            when: timestamp(manifest.captured_at),
            label: manifest.label.as_deref().map(printable),
            recrash: printable(&manifest.recrash),
            fingerprint: printable(&manifest.fingerprint),
            frames: frames
                .map(|(index, (frame, overlay))| {
                    Frame::new(index, frame, overlay, manifest, findings)
                })
                .collect(),
            frames_total: manifest.frames.len().max(manifest.frames_total as usize),
            chosen,
            objects: snapshot.heap.len(),
            embedded: objects.count,
            left_out: objects.left_out,
            shapes: &objects.shapes,
            statics: statics(manifest),
            thread_locals: manifest
                .thread_locals
                .iter()
                .map(|local| (value_json(Value::Ref(local.key)), value_json(local.value)))
                .collect(),
            environment: vec![
                ("Java", printable(&environment.java_version)),
                ("Java home", printable(&environment.java_home)),
                ("Directory", printable(&environment.working_directory)),
                (
                    "JVM options",
                    printable(&environment.jvm_arguments.join(" ")),
                ),
                ("Locale", printable(&environment.locale)),
                ("Time zone", printable(&environment.time_zone)),
                ("Charset", printable(&environment.charset)),
            ],
            class_path: printed(
                environment
                    .class_path
                    .iter()
                    .chain(&environment.module_path),
            ),
            properties: environment
                .system_properties
                .iter()
                .map(|(key, value)| (printable(key), printable(value)))
                .collect(),
            limits: printed(manifest.limits.iter().chain(shrunk(manifest).as_ref())),
            redactions: redactions(manifest),
            unwoven: manifest
                .unwoven
                .iter()
                .map(|class| (printable(&class.class), printable(&class.reason)))
                .collect(),
            notes: printed(&findings.notes),
            tests: findings
                .tests
                .iter()
                .map(|test| Test {
                    path: printable(&test.path),
                    text: &test.text,
                })
                .collect(),
        }
    }

    /// For the window: the exception, and where it was thrown.
    pub(super) fn title(&self) -> String {
        let first = self.throwables.first();
        let class = first.map_or("", |throwable| throwable.class.as_str());
        let place = first
            .and_then(|throwable| throwable.trace.first())
            .map(|line| format!(" at {}", line.place));
        format!("{class}{}", place.unwrap_or_default())
    }
}

fn redactions(manifest: &Manifest) -> BTreeMap<u32, Vec<(String, String)>> {
    let mut by_object: BTreeMap<u32, Vec<(String, String)>> = BTreeMap::new();
    let all = manifest
        .privacy
        .iter()
        .flat_map(|privacy| &privacy.redactions);
    for redaction in all {
        let place = if is_contents(redaction) {
            String::new()
        } else {
            printable(&redaction.place)
        };
        by_object
            .entry(redaction.object.0)
            .or_default()
            .push((place, printable(&redaction.rule)));
    }
    by_object
}

fn printed<'t>(texts: impl IntoIterator<Item = &'t String>) -> Vec<String> {
    texts.into_iter().map(|text| printable(text)).collect()
}

fn throwables(manifest: &Manifest) -> Vec<Throwable> {
    /// A stack overflow has a thousand lines and more.
    const MOST_LINES: usize = 400;
    let throwable = |(index, throwable): (usize, &ThrowableInfo)| Throwable {
        class: printable(&throwable.class),
        // The line breaks of a message are its author's; the page shows them.
        message: throwable.message.clone(),
        object: throwable.object.0,
        trace: throwable
            .trace
            .iter()
            .take(MOST_LINES)
            .map(|element| TraceLine {
                class: printable(&element.class),
                method: printable(&element.method),
                place: printable(&source(element)),
                frame: captured_frame(manifest, index, element),
            })
            .collect(),
        more: throwable.trace.len().saturating_sub(MOST_LINES),
    };
    manifest
        .throwables
        .iter()
        .enumerate()
        .map(throwable)
        .collect()
}

fn statics(manifest: &Manifest) -> Vec<Static> {
    let frames = manifest.frames.iter();
    let read: std::collections::BTreeSet<&str> = frames
        .filter_map(|frame| frame.captured.as_ref())
        .flat_map(|frame| frame.reads.iter().map(String::as_str))
        .collect();
    let fields = manifest.statics.iter().map(|field| Static {
        class: printable(&field.class),
        name: printable(&field.field),
        value: value_json(field.value),
        read: read.contains(format!("{}.{}", field.class, field.field).as_str()),
    });
    let mut fields: Vec<Static> = fields.collect();
    fields.sort_by_key(|field| !field.read);
    fields
}

impl Frame {
    fn new(
        index: usize,
        frame: &FrameInfo,
        overlay: String,
        manifest: &Manifest,
        findings: &Findings,
    ) -> Self {
        let captured = frame.captured.as_ref();
        Frame {
            class: printable(&frame.element.class),
            method: printable(&frame.element.method),
            place: printable(&source(&frame.element)),
            types: captured.map(parameter_types).unwrap_or_default(),
            captured: captured.is_some(),
            note: captured.map_or("", |captured| place_note(frame, captured)),
            values: captured.map_or_else(Vec::new, |captured| values(manifest, index, captured)),
            overlay,
            verdict: findings.row(index).map(|row| Verdict {
                standing: match row.standing {
                    Standing::Reproduced => "reproduced",
                    Standing::Near | Standing::Aside => "near",
                    Standing::Failed => "failed",
                },
                name: printable(&row.verdict),
                reason: printable(&row.reason),
                test: row.test.as_deref().map(printable),
            }),
            source: findings.excerpt(index).map(Source::new),
        }
    }
}

impl Source {
    fn new(excerpt: &Excerpt) -> Self {
        Source {
            path: printable(&excerpt.path),
            first: excerpt.first,
            line: excerpt.line,
            lines: excerpt.lines.clone(),
        }
    }
}

/// Receiver, arguments, and static fields that were otherwise on entry.
fn values(manifest: &Manifest, frame: usize, captured: &CapturedFrame) -> Vec<NamedValue> {
    let receiver = (captured.receiver != Value::Null).then(|| NamedValue {
        name: "this".to_owned(),
        kind: String::new(),
        value: value_json(captured.receiver),
        now: None,
    });
    let arguments = captured.arguments.iter().enumerate();
    let arguments = arguments.map(|(number, argument)| NamedValue {
        name: printable(&argument_name(captured, number)),
        kind: parameter_type(argument),
        value: value_json(argument.value),
        now: None,
    });
    let entry = EntryState::of(&manifest.frames, frame);
    let statics = entry.of_object(ObjectId(0)).filter_map(|patch| {
        let mut fields = manifest.statics.iter();
        let field = fields.find(|f| f.class == patch.class && f.field == patch.field)?;
        (field.value != patch.value).then(|| NamedValue {
            name: format!("{}.{}", class_name(&patch.class), printable(&patch.field)),
            kind: "static".to_owned(),
            value: value_json(patch.value),
            now: Some(value_json(field.value)),
        })
    });
    receiver
        .into_iter()
        .chain(arguments)
        .chain(statics)
        .collect()
}
