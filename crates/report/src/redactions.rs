//! What of a snapshot is not what it was, by which rule, and where.

use crate::class_name::class_name;
use crate::style::{Style, printable, shortened};
use crate::wording::counted;
use recrash_heap::manifest::{Manifest, ObjectId, Redaction, RedactionKind, Value};
use recrash_heap::{Form, Heap, Snapshot};
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::fmt::Write as _;

/// Redactions, to be asked by object and place.
#[derive(Debug, Default)]
pub(crate) struct Redacted<'a> {
    /// Objects of which the contents changed.
    contents: HashMap<u32, &'a Redaction>,
    /// Fields and elements, and under the object 0 places in the manifest.
    slots: HashMap<(u32, &'a str), &'a Redaction>,
}

impl<'a> Redacted<'a> {
    pub(crate) fn of(manifest: &'a Manifest) -> Self {
        let mut redacted = Self::default();
        for redaction in all(manifest) {
            let object = redaction.object.0;
            if is_contents(redaction) {
                redacted.contents.entry(object).or_insert(redaction);
            } else {
                let place = (object, redaction.place.as_str());
                redacted.slots.entry(place).or_insert(redaction);
            }
        }
        redacted
    }

    /// The mark behind an object's contents; empty where nothing was redacted.
    pub(crate) fn contents(&self, object: ObjectId) -> String {
        self.contents
            .get(&object.0)
            .map_or_else(String::new, |redaction| mark(redaction))
    }

    /// The mark behind a field, or a place of the manifest.
    pub(crate) fn slot(&self, object: ObjectId, place: &str) -> String {
        self.slots
            .get(&(object.0, place))
            .map_or_else(String::new, |redaction| mark(redaction))
    }
}

fn mark(redaction: &Redaction) -> String {
    let remark = match redaction.kind {
        RedactionKind::Equivalent => ", the crash remains",
        _ => "",
    };
    format!("  (redacted: {}{remark})", printable(&redaction.rule))
}

fn all(manifest: &Manifest) -> &[Redaction] {
    manifest
        .privacy
        .as_ref()
        .map_or(&[], |privacy| &privacy.redactions)
}

/// Whether it is about characters or elements, not about a slot.
pub(crate) fn is_contents(redaction: &Redaction) -> bool {
    redaction.object.0 != 0 && (redaction.place.is_empty() || redaction.place.contains(".."))
}

/// One line for the usual report.
pub(crate) fn summary(manifest: &Manifest) -> Option<String> {
    let privacy = manifest.privacy.as_ref()?;
    let places = privacy.redactions.len() + privacy.unlisted as usize;
    (places > 0).then(|| {
        format!(
            "{} redacted (--redactions lists them)",
            counted(places, "place was", "places were")
        )
    })
}

/// The report of `recrash show --redactions`: by rule, where something was redacted.
pub fn redactions(snapshot: &Snapshot, style: Style) -> String {
    let manifest = &snapshot.manifest;
    let Some(privacy) = &manifest.privacy else {
        return "no privacy rules were applied; `recrash redact` applies them\n".to_owned();
    };
    let mut out = String::new();
    for rule in &privacy.rules {
        let _ = writeln!(out, "rule of the user: {}", printable(rule));
    }
    if privacy.redactions.is_empty() {
        out.push_str("nothing was redacted\n");
        return out;
    }
    let wanted: HashSet<u32> = privacy.redactions.iter().map(|r| r.object.0).collect();
    let ways = ways(snapshot, &wanted);
    let mut by_rule: BTreeMap<(&str, RedactionKind), Vec<&Redaction>> = BTreeMap::new();
    for redaction in &privacy.redactions {
        let rule = (redaction.rule.as_str(), redaction.kind);
        by_rule.entry(rule).or_default().push(redaction);
    }
    for ((rule, kind), redactions) in by_rule {
        let done = match kind {
            RedactionKind::Drop => "dropped",
            RedactionKind::Mask => "masked",
            RedactionKind::Hash => "hashed",
            RedactionKind::Equivalent => "replaced by a value with which the crash remains",
        };
        let places = counted(redactions.len(), "place", "places");
        let head = format!("{}: {places} {done}", printable(rule));
        let _ = writeln!(out, "{}", style.bold(&head));
        for redaction in redactions {
            let line = place(snapshot, redaction, &ways);
            let room = style.width.saturating_sub(4).max(20);
            let _ = writeln!(out, "  {}", shortened(&printable(&line), room));
        }
    }
    if privacy.unlisted > 0 {
        let _ = writeln!(out, "and {} more places", privacy.unlisted);
    }
    out
}

fn place(snapshot: &Snapshot, redaction: &Redaction, ways: &HashMap<u32, String>) -> String {
    let object = redaction.object;
    if object.0 == 0 {
        return redaction.place.clone();
    }
    let class = snapshot.heap.class_name(object).map(class_name);
    let way = ways
        .get(&object.0)
        .map_or("not reachable any more", String::as_str);
    let slot = match redaction.place.as_str() {
        "" => String::new(),
        range if range.starts_with('[') => range.to_owned(),
        field => format!(".{field}"),
    };
    format!("{way}{slot}  {} #{}", class.unwrap_or_default(), object.0)
}

/// A short way to each of the objects, from a frame or a static field.
fn ways(snapshot: &Snapshot, wanted: &HashSet<u32>) -> HashMap<u32, String> {
    let heap = &snapshot.heap;
    // For each object where it was met first: a root by its text, else the object above.
    let mut roots: HashMap<u32, String> = HashMap::new();
    let mut above: HashMap<u32, u32> = HashMap::new();
    let mut waiting = VecDeque::new();
    for (name, value) in named_roots(&snapshot.manifest) {
        if let Value::Ref(ObjectId(id)) = value
            && id != 0
            && !roots.contains_key(&id)
        {
            roots.insert(id, name);
            waiting.push_back(id);
        }
    }
    while let Some(id) = waiting.pop_front() {
        heap.each_reference(ObjectId(id), |target| {
            if !roots.contains_key(&target) && !above.contains_key(&target) {
                above.insert(target, id);
                waiting.push_back(target);
            }
        });
    }
    wanted
        .iter()
        .filter_map(|&id| Some((id, way(heap, id, &roots, &above)?)))
        .collect()
}

fn way(
    heap: &Heap,
    id: u32,
    roots: &HashMap<u32, String>,
    above: &HashMap<u32, u32>,
) -> Option<String> {
    let mut steps = Vec::new();
    let mut at = id;
    while !roots.contains_key(&at) {
        let holder = *above.get(&at)?;
        steps.push(step(heap, holder, at));
        at = holder;
    }
    let mut way = roots.get(&at)?.clone();
    way.extend(steps.into_iter().rev());
    Some(way)
}

/// How `holder` leads to `target`.
fn step(heap: &Heap, holder: u32, target: u32) -> String {
    let found = heap.contents(ObjectId(holder)).and_then(|contents| {
        let is_target = |offset| {
            let value = heap.value_at(&contents, offset, "L");
            value == Some(Value::Ref(ObjectId(target)))
        };
        if contents.form == Form::Fields {
            let layout = heap.layout(contents.class);
            let mut slots = layout
                .iter()
                .filter(|slot| slot.descriptor.starts_with(['L', '[']));
            let slot = slots.find(|slot| is_target(slot.offset))?;
            Some(format!(".{}", slot.name))
        } else {
            let length = heap.bytes_of(&contents).len() / 4;
            let index = (0..length).find(|index| is_target(4 * index))?;
            Some(format!("[{index}]"))
        }
    });
    found.unwrap_or_else(|| ".?".to_owned())
}

fn named_roots(manifest: &Manifest) -> Vec<(String, Value)> {
    let mut roots = Vec::new();
    for (number, frame) in manifest.frames.iter().enumerate() {
        let Some(captured) = &frame.captured else {
            continue;
        };
        roots.push((format!("frame {number} this"), captured.receiver));
        for (index, argument) in captured.arguments.iter().enumerate() {
            let name = argument
                .name
                .clone()
                .unwrap_or_else(|| format!("[{index}]"));
            roots.push((format!("frame {number} {name}"), argument.value));
        }
    }
    for field in &manifest.statics {
        let name = format!("{}.{}", class_name(&field.class), field.field);
        roots.push((name, field.value));
    }
    for thrown in &manifest.throwables {
        roots.push(("the exception".to_owned(), Value::Ref(thrown.object)));
    }
    for local in &manifest.thread_locals {
        roots.push(("a thread local".to_owned(), local.value));
        roots.push(("a thread local's key".to_owned(), Value::Ref(local.key)));
    }
    for frame in manifest.frames.iter().filter_map(|f| f.captured.as_ref()) {
        for patch in &frame.patches {
            roots.push((format!("on entry {}", patch.field), patch.value));
        }
    }
    roots
}
