//! The objects of the page: those that a reader can come to, in the form in which they read.
//!
//! One line per object, `12[shape,kind,…]`: its id, then a JSON array. A shape is what objects of a class share, its title
//! and the names of its fields. A value is a number for a reference, 0 for null, and a string for a primitive, as it reads:
//!
//! ```text
//! [shape,0,[value…]]          fields, in the order of the shape's names
//! [shape,1,"text",length]     a string; the text may be shorter than the length
//! [shape,2,"text"]            a value with a text of its own: a date, an enum constant
//! [shape,3,size,[value…]]     elements
//! [shape,4,size,[key,value…]] entries
//! [shape,5,"reason"]          a stand-in
//! [shape,6,"reason"]          cut by the capture's budget
//! ```
//!
//! What a frame saw otherwise on entry is an overlay: lines of the same form, for the objects that differ.

use crate::describe::{head_around_size, scalar};
use crate::graph::Graph;
use crate::literal::primitive;
use crate::style::printable;
use crate::tree::title;
use crate::view::{View, view};
use recrash_heap::manifest::{ObjectId, Value};
use recrash_heap::{EntryState, Heap, Kind, Object, Snapshot};
use serde::Serialize;
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::fmt::Write as _;

/// Characters of a string that the page holds.
const MOST_TEXT: usize = 20_000;

/// What objects of a class have in common.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub(super) struct Shape {
    /// Around the size, for what has one; else the whole title and nothing.
    title: (String, String),
    class: String,
    names: Vec<String>,
}

/// The objects as the page holds them.
#[derive(Debug, Default)]
pub(super) struct Objects {
    pub(super) shapes: Vec<Shape>,
    pub(super) lines: String,
    pub(super) count: usize,
    /// How many did not fit.
    pub(super) left_out: usize,
}

/// The objects of a snapshot, and for each frame the lines of its overlay, in at most `room` bytes.
pub(super) fn encode(snapshot: &Snapshot, room: usize) -> (Objects, Vec<String>) {
    let mut encoder = Encoder {
        heap: &snapshot.heap,
        shapes: HashMap::new(),
        objects: Objects::default(),
        seen: BTreeSet::new(),
        waiting: VecDeque::new(),
        room,
    };
    let overlays = encoder.overlays(snapshot);
    encoder.roots(snapshot);
    encoder.close();
    (encoder.objects, overlays)
}

struct Encoder<'a> {
    heap: &'a Heap,
    shapes: HashMap<Shape, usize>,
    objects: Objects,
    seen: BTreeSet<u32>,
    waiting: VecDeque<u32>,
    room: usize,
}

impl Encoder<'_> {
    /// Innermost frames first: what they refer to is nearest when there is not room for all.
    fn roots(&mut self, snapshot: &Snapshot) {
        let manifest = &snapshot.manifest;
        for frame in manifest.frames.iter().filter_map(|f| f.captured.as_ref()) {
            self.reach(frame.receiver);
            for argument in &frame.arguments {
                self.reach(argument.value);
            }
        }
        for throwable in &manifest.throwables {
            self.reach(Value::Ref(throwable.object));
        }
        for field in &manifest.statics {
            self.reach(field.value);
        }
        for local in &manifest.thread_locals {
            self.reach(Value::Ref(local.key));
            self.reach(local.value);
        }
    }

    fn reach(&mut self, value: Value) {
        if let Value::Ref(ObjectId(id)) = value
            && id != 0
            && self.seen.insert(id)
        {
            self.waiting.push_back(id);
        }
    }

    /// Writes what is reached, nearest first.
    fn close(&mut self) {
        let graph = Graph::at_failure(self.heap);
        while let Some(id) = self.waiting.pop_front() {
            let Some(object) = graph.object(ObjectId(id)) else {
                continue;
            };
            let json = self.object(graph, &object);
            if json.len() + 12 > self.room {
                self.objects.left_out += 1;
                continue;
            }
            self.room -= json.len() + 12;
            self.objects.count += 1;
            let _ = writeln!(self.objects.lines, "{id}{json}");
        }
    }

    fn overlays(&mut self, snapshot: &Snapshot) -> Vec<String> {
        let frames = &snapshot.manifest.frames;
        let mut holders = None;
        let mut overlays = Vec::new();
        for (index, frame) in frames.iter().enumerate() {
            let mut overlay = String::new();
            let entry = EntryState::of(frames, index);
            if frame.captured.is_some() && !entry.is_empty() {
                let holders = holders.get_or_insert_with(|| Holders::of(self.heap));
                let patched = entry.patches().map(|patch| patch.object.0).collect();
                let then = Graph::on_entry(self.heap, &entry);
                for id in holders.above(patched) {
                    self.overlaid(then, ObjectId(id), &mut overlay);
                }
                for patch in entry.of_object(ObjectId(0)) {
                    self.reach(patch.value);
                }
            }
            overlays.push(overlay);
        }
        overlays
    }

    fn overlaid(&mut self, then: Graph<'_>, id: ObjectId, overlay: &mut String) {
        let now = Graph::at_failure(self.heap);
        let (Some(before), Some(after)) = (then.object(id), now.object(id)) else {
            return;
        };
        let json = self.object(then, &before);
        if json.len() + 12 < self.room && json != self.object(now, &after) {
            self.room -= json.len() + 12;
            let _ = writeln!(overlay, "{}{json}", id.0);
        }
    }

    /// The JSON array of an object; what it refers to is reached.
    fn object(&mut self, graph: Graph<'_>, object: &Object<'_>) -> String {
        let readable = view(graph, object);
        let names = match &readable {
            View::Fields(fields) => fields.iter().map(|(name, _)| printable(name)).collect(),
            _ => Vec::new(),
        };
        let title = match &readable {
            View::Sequence { .. } | View::Table { .. } => head_around_size(object.class),
            _ => (title(object), String::new()),
        };
        let shape = self.shape(Shape {
            title,
            class: printable(object.class),
            names,
        });
        let mut out = format!("[{shape},");
        match readable {
            View::Fields(fields) => {
                out.push_str("0,[");
                self.values(&mut out, fields.into_iter().map(|(_, value)| value));
                out.push(']');
            }
            View::String(text) => {
                out.push_str("1,");
                push_units(&mut out, text.units().take(MOST_TEXT));
                let _ = write!(out, ",{}", text.len());
            }
            View::Scalar(text) => {
                out.push_str("2,");
                push_text(&mut out, &scalar(object, &text));
            }
            View::Sequence { elements, size } => {
                let _ = write!(out, "3,{size},[");
                self.values(&mut out, elements.into_iter());
                out.push(']');
            }
            View::Table { entries, size } => {
                let _ = write!(out, "4,{size},[");
                self.values(&mut out, entries.into_iter().flat_map(|(k, v)| [k, v]));
                out.push(']');
            }
            View::Absent(reason) => {
                let cut = matches!(object.kind, Kind::Cut);
                out.push_str(if cut { "6," } else { "5," });
                push_text(&mut out, &printable(&reason));
            }
        }
        out.push(']');
        out
    }

    fn shape(&mut self, shape: Shape) -> usize {
        let next = self.shapes.len();
        let index = *self.shapes.entry(shape.clone()).or_insert(next);
        if index == next {
            self.objects.shapes.push(shape);
        }
        index
    }

    fn values(&mut self, out: &mut String, values: impl Iterator<Item = Value>) {
        for (index, value) in values.enumerate() {
            if index > 0 {
                out.push(',');
            }
            push_value(out, value);
            self.reach(value);
        }
    }
}

/// A number for a reference, 0 for null, a string for a primitive.
fn push_value(out: &mut String, value: Value) {
    match value {
        Value::Null => out.push('0'),
        Value::Ref(ObjectId(id)) => {
            let _ = write!(out, "{id}");
        }
        _ => push_text(out, &primitive(value)),
    }
}

/// For the facts, in the same form.
pub(super) fn value_json(value: Value) -> serde_json::Value {
    match value {
        Value::Null => 0.into(),
        Value::Ref(ObjectId(id)) => id.into(),
        _ => primitive(value).into(),
    }
}

fn push_text(out: &mut String, text: &str) {
    push_units(out, text.encode_utf16());
}

/// A JSON string from UTF-16 units: one without its partner has no other form than an escape.
fn push_units(out: &mut String, units: impl Iterator<Item = u16>) {
    out.push('"');
    for c in char::decode_utf16(units) {
        match c {
            Ok('"') => out.push_str("\\\""),
            Ok('\\') => out.push_str("\\\\"),
            Ok('\n') => out.push_str("\\n"),
            // `<` could end the element around it.
            Ok(c) if c.is_control() || c == '<' => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            Ok(c) => out.push(c),
            Err(error) => {
                let _ = write!(out, "\\u{:04x}", error.unpaired_surrogate());
            }
        }
    }
    out.push('"');
}

/// Who holds an object on behalf of somebody else: arrays, and objects of the JDK such as the nodes of a map. When one of
/// them changes, what is above it reads differently.
struct Holders(HashMap<u32, Vec<u32>>);

impl Holders {
    fn of(heap: &Heap) -> Self {
        let mut above: HashMap<u32, Vec<u32>> = HashMap::new();
        for id in 1..=heap.len() {
            let class = heap.class_name(ObjectId(id)).unwrap_or_default();
            if class.starts_with("java.") || class.starts_with('[') {
                heap.each_reference(ObjectId(id), |target| {
                    above.entry(target).or_default().push(id);
                });
            }
        }
        Holders(above)
    }

    /// The objects, and all that may read differently because of them.
    fn above(&self, objects: BTreeSet<u32>) -> BTreeSet<u32> {
        let mut waiting: Vec<u32> = objects.iter().copied().collect();
        let mut all = objects;
        while let Some(id) = waiting.pop() {
            for holder in self.0.get(&id).into_iter().flatten() {
                if all.insert(*holder) {
                    waiting.push(*holder);
                }
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use recrash_heap::{ClassSpec, HeapBuilder};
    use serde_json::json;

    /// `this` is a list of "tea" (3) and "milk" (4); on entry "cake" (5) was in the place of "tea".
    fn snapshot() -> Snapshot {
        let mut builder = HeapBuilder::new();
        let mut class = |name, fields| {
            builder.class(&ClassSpec {
                name,
                fields,
                ..ClassSpec::default()
            })
        };
        let string = class("java.lang.String", &[][..]);
        let array = class("[Ljava.lang.Object;", &[]);
        let fields = [("elementData", "[Ljava/lang/Object;"), ("size", "I")];
        let list = class("java.util.ArrayList", &fields);
        let reference = |id| Value::Ref(ObjectId(id));
        builder.instance(list, &[reference(2), Value::Int(2)]);
        builder.array(array, true, &[reference(3), reference(4)]);
        for text in ["tea", "milk", "cake"] {
            builder.string(string, text);
        }
        let patch = json!({
            "object": 2, "class": "[Ljava.lang.Object;", "field": "[0]",
            "descriptor": "Ljava/lang/Object;", "value": {"ref": 5},
        });
        let element = json!({"class": "A", "method": "f", "file": null, "line": 1, "module": null});
        let captured = json!({
            "descriptor": "()V", "access": 1, "place": "body", "receiver": {"ref": 1}, "arguments": [],
            "patches": [patch], "reads": [], "class_hash": null, "source": null,
        });
        let manifest = json!({
            "format": 1, "recrash": "", "label": null, "session": null, "captured_at": 0, "fingerprint": "",
            "throwables": [], "thread": {"name": "", "id": 1, "daemon": false, "virtual": false},
            "frames": [{"throwable": 0, "element": element, "captured": captured}], "frames_total": 1,
            "statics": [], "thread_locals": [], "limits": [], "unwoven": [],
            "environment": {
                "java_home": "", "java_version": "", "class_path": [], "module_path": [], "jvm_arguments": [],
                "working_directory": "", "locale": "", "time_zone": "", "charset": "", "system_properties": [],
            },
        });
        Snapshot {
            manifest: serde_json::from_value(manifest).unwrap(),
            heap: Heap::parse(builder.finish(), u32::MAX).unwrap(),
            classes: Vec::new(),
        }
    }

    #[test]
    fn a_list_reads_otherwise_on_entry_when_its_array_was_otherwise() {
        let (objects, overlays) = encode(&snapshot(), usize::MAX);
        assert!(
            objects.lines.contains("\n1[0,3,2,[3,4]]\n"),
            "{}",
            objects.lines
        );
        assert!(
            overlays[0].starts_with("1[0,3,2,[5,4]]\n"),
            "{}",
            overlays[0]
        );
        // Only on entry was it there; the page has it all the same.
        assert!(objects.lines.contains("\"cake\""), "{}", objects.lines);
    }

    #[test]
    fn what_does_not_fit_is_counted() {
        let (all, _) = encode(&snapshot(), usize::MAX);
        let (some, _) = encode(&snapshot(), 100);
        assert_eq!((all.left_out, some.left_out + some.count), (0, all.count));
        assert!(some.count > 0 && some.left_out > 0 && some.lines.len() <= 100);
    }

    #[test]
    fn any_text_is_json_that_stays_in_its_element() {
        let units = [0x3c, 0x2f, 0xd83d, 0x22, 0x5c, 0x0a, 0x00, 0x2028];
        let mut out = String::new();
        push_units(&mut out, units.into_iter());
        assert_eq!(out, "\"\\u003c/\\ud83d\\\"\\\\\\n\\u0000\u{2028}\"");
        assert!(!out.contains(['<', '\n']));
    }
}
