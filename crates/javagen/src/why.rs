//! Which value the code did not expect, as far as the exception's own words and the captured values tell.

use crate::flow::{Source, parameter, sources_of_text};
use recrash_heap::manifest::{Argument, CapturedFrame, Manifest, ObjectId, ThrowableInfo, Value};
use recrash_heap::{EntryState, Heap, Kind};
use recrash_program::Program;
use recrash_report::{Graph, View, view};
use std::collections::{BTreeSet, VecDeque};

/// Objects looked at to find a way to the value.
const MOST_LOOKED_AT: usize = 5_000;

/// A longer way explains nothing.
const MOST_STEPS: usize = 5;

/// What stands behind the failure, seen from a frame.
enum Culprit {
    /// A field that is null: its object and its name.
    NullField(ObjectId, String),
    /// A string, and what is wrong with it.
    Text(String, &'static str),
    /// A sentence of its own.
    Told(String),
}

/// `order.customer is null`, for the test of frame `frame`; `None` when it cannot be told, as of texts without the code that
/// hands them on.
pub(crate) fn why(
    manifest: &Manifest,
    heap: &Heap,
    graph: Graph<'_>,
    frame: usize,
    program: Option<&Program>,
) -> Option<String> {
    let root = manifest.throwables.last()?;
    let captured = manifest.frames.get(frame)?.captured.as_ref()?;
    let named = names(captured);
    match culprit(manifest, heap, root)? {
        Culprit::Told(sentence) => Some(sentence),
        Culprit::NullField(object, field) => {
            let path = path_to(graph, &named, |id| id == object)?;
            Some(format!("{path}.{field} is null"))
        }
        Culprit::Text(text, defect) => {
            let sources = sources_of_text(program?, manifest, frame);
            text_at_fault(graph, captured, &sources, &text, defect)
        }
    }
}

/// The text itself, or the one text that it was made of.
fn text_at_fault(
    graph: Graph<'_>,
    captured: &CapturedFrame,
    sources: &[Source],
    wanted: &str,
    defect: &str,
) -> Option<String> {
    let mut made_of: Vec<(String, String)> = Vec::new();
    for source in sources {
        let Some((path, text)) = text_of(graph, captured, source) else {
            continue;
        };
        if !source.changed && text == wanted {
            return Some(format!("{path} {defect}"));
        }
        if source.changed && made_of.iter().all(|(known, _)| *known != path) {
            made_of.push((path, text));
        }
    }
    match made_of.as_slice() {
        [(path, text)] if text.chars().count() <= MOST_SHOWN => {
            let shown = crate::literal::string(&text.encode_utf16().collect::<Vec<_>>());
            Some(format!("{path} is {shown}"))
        }
        [(path, _)] => Some(format!("what becomes of {path} {defect}")),
        _ => None,
    }
}

/// A longer text is named and not shown.
const MOST_SHOWN: usize = 60;

/// How the program calls the source, and the string that it was on entry.
fn text_of(
    graph: Graph<'_>,
    captured: &CapturedFrame,
    source: &Source,
) -> Option<(String, String)> {
    let (mut path, mut value) = parameter(captured, source.parameter)?;
    for name in &source.fields {
        let Value::Ref(id) = value else { return None };
        let object = graph.object(id)?;
        let fields = object.kind.fields();
        value = fields.iter().rev().find(|field| field.name == *name)?.value;
        path = format!("{path}.{name}");
    }
    let Value::Ref(id) = value else { return None };
    match graph.object(id)?.kind {
        Kind::String(text) => Some((path, text.to_string())),
        _ => None,
    }
}

/// The names under which a frame knows values.
fn names(captured: &CapturedFrame) -> Vec<(String, Value)> {
    let receiver = ("this".to_owned(), captured.receiver);
    let arguments = captured.arguments.iter();
    let named = arguments.filter_map(|Argument { name, value, .. }| Some((name.clone()?, *value)));
    std::iter::once(receiver).chain(named).collect()
}

fn culprit(manifest: &Manifest, heap: &Heap, root: &ThrowableInfo) -> Option<Culprit> {
    let message = root.message.as_deref()?;
    match root.class.as_str() {
        "java.lang.NullPointerException" => null_field(manifest, heap, root, message),
        "java.lang.NumberFormatException" => {
            let text = quoted(message.split_once("For input string: ")?.1)?;
            Some(Culprit::Text(text, "is no number"))
        }
        "java.lang.ClassCastException" => {
            let (found, rest) = message
                .strip_prefix("class ")?
                .split_once(" cannot be cast to class ")?;
            let wanted = rest.split([' ', '(']).next()?;
            Some(Culprit::Told(format!(
                "{} is found where {} is expected",
                article(found),
                article(wanted)
            )))
        }
        "java.lang.ArrayIndexOutOfBoundsException" | "java.lang.IndexOutOfBoundsException" => {
            let (index, length) = message
                .strip_prefix("Index ")?
                .split_once(" out of bounds for length ")?;
            Some(Culprit::Told(format!("index {index} of {length}")))
        }
        "java.lang.StringIndexOutOfBoundsException" => {
            let (index, length) = message
                .strip_prefix("index ")
                .and_then(|rest| rest.split_once(", length "))
                .or_else(|| {
                    message
                        .strip_prefix("Index ")?
                        .split_once(" out of bounds for length ")
                })?;
            Some(Culprit::Told(format!("character {index} of {length}")))
        }
        "java.lang.ArithmeticException" if message == "/ by zero" => {
            Some(Culprit::Told("a divisor is 0".to_owned()))
        }
        _ => None,
    }
}

/// The JVM says `because "this.order.customer" is null`; the captured values of the innermost frame say whose field that is.
fn null_field(
    manifest: &Manifest,
    heap: &Heap,
    root: &ThrowableInfo,
    message: &str,
) -> Option<Culprit> {
    let (_, because) = message.split_once(" because \"")?;
    let expression = because.strip_suffix("\" is null")?;
    let top = root.trace.first()?;
    let innermost = manifest
        .frames
        .iter()
        .position(|frame| frame.element == *top && frame.captured.is_some())?;
    let captured = manifest.frames.get(innermost)?.captured.as_ref()?;
    let entry = EntryState::of(&manifest.frames, innermost);
    let graph = Graph::on_entry(heap, &entry);
    let mut parts = expression.split('.');
    let first = parts.next()?;
    let known = names(captured);
    let mut value = known.iter().find(|(name, _)| name == first)?.1;
    let mut owner = None;
    for part in parts {
        let Value::Ref(id) = value else {
            return None;
        };
        let object = graph.object(id)?;
        let field = object
            .kind
            .fields()
            .iter()
            .rev()
            .find(|field| field.name == part)?;
        owner = Some((id, part.to_owned()));
        value = field.value;
    }
    if value != Value::Null {
        return None;
    }
    match owner {
        Some((object, field)) => Some(Culprit::NullField(object, field)),
        None => Some(Culprit::Told(format!("{first} is null"))),
    }
}

/// The shortest way to an object, in the words of the program: `order.lines[2].item`.
fn path_to(
    graph: Graph<'_>,
    named: &[(String, Value)],
    wanted: impl Fn(ObjectId) -> bool,
) -> Option<String> {
    let mut seen = BTreeSet::new();
    let mut waiting: VecDeque<(String, Value, usize)> = named
        .iter()
        .map(|(name, value)| (name.clone(), *value, 0))
        .collect();
    while let Some((path, value, steps)) = waiting.pop_front() {
        let Value::Ref(id) = value else {
            continue;
        };
        if !seen.insert(id) {
            continue;
        }
        if wanted(id) {
            return Some(path);
        }
        if seen.len() > MOST_LOOKED_AT || steps >= MOST_STEPS {
            continue;
        }
        let Some(object) = graph.object(id) else {
            continue;
        };
        match view(graph, &object) {
            View::Fields(fields) => {
                for (name, value) in fields {
                    waiting.push_back((format!("{path}.{name}"), value, steps + 1));
                }
            }
            View::Sequence { elements, .. } => {
                for (index, value) in elements.into_iter().enumerate() {
                    waiting.push_back((format!("{path}[{index}]"), value, steps + 1));
                }
            }
            View::Table { entries, .. } => {
                for (_, value) in entries {
                    waiting.push_back((format!("a value of {path}"), value, steps + 1));
                }
            }
            View::String(_) | View::Scalar(_) | View::Absent(_) => {}
        }
    }
    None
}

/// The text between the first quote and the last.
fn quoted(text: &str) -> Option<String> {
    let inner = text.strip_prefix('"')?;
    let end = inner.rfind('"')?;
    inner.get(..end).map(str::to_owned)
}

fn article(class: &str) -> String {
    let simple = recrash_report::class_name(class);
    let vowel = simple.starts_with(['A', 'E', 'I', 'O', 'U']);
    format!("{} {simple}", if vowel { "an" } else { "a" })
}
