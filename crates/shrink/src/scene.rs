//! A snapshot looked at for what could be simpler.

use recrash_heap::{EntryState, Heap, Kind, ObjectId, Part, Slot, Snapshot, Text, Value};
use std::collections::{HashMap, HashSet, VecDeque};

use crate::collection::Collection;
use crate::collections::Collections;
use crate::step::Step;

/// A primitive array's elements are simplified in so many groups at most.
const GROUPS: usize = 256;

/// What was found in one snapshot.
pub(crate) struct Scene {
    pub(crate) snapshot: Snapshot,
    pub(crate) collections: Collections,
    /// Without them the method cannot be called.
    receivers: HashSet<ObjectId>,
}

impl Scene {
    pub(crate) fn new(snapshot: Snapshot) -> Self {
        let frames = snapshot.manifest.frames.iter();
        let receivers = frames
            .filter_map(|info| info.captured.as_ref())
            .filter_map(|captured| reference(captured.receiver))
            .collect();
        Scene {
            collections: Collections::of(&snapshot.heap),
            snapshot,
            receivers,
        }
    }

    fn heap(&self) -> &Heap {
        &self.snapshot.heap
    }

    fn objects(&self) -> impl Iterator<Item = ObjectId> + use<> {
        (1..=self.snapshot.heap.len()).map(ObjectId)
    }

    /// Every part of the state around the frames.
    pub(crate) fn around(&self) -> Vec<Step> {
        let manifest = &self.snapshot.manifest;
        let statics = (0..manifest.statics.len()).map(Part::Static);
        let locals = (0..manifest.thread_locals.len()).map(Part::ThreadLocal);
        let patches = manifest
            .frames
            .iter()
            .enumerate()
            .flat_map(|(frame, info)| {
                let patches = info.captured.as_ref().map_or(0, |c| c.patches.len());
                (0..patches).map(move |index| Part::Patch { frame, index })
            });
        statics
            .chain(locals)
            .chain(patches)
            .map(Step::LeaveOut)
            .collect()
    }

    /// The static fields, those of each class together.
    pub(crate) fn statics_by_class(&self) -> Vec<Vec<Step>> {
        let mut classes: Vec<(&str, Vec<Step>)> = Vec::new();
        for (index, field) in self.snapshot.manifest.statics.iter().enumerate() {
            let step = Step::LeaveOut(Part::Static(index));
            match classes.last_mut() {
                Some((class, steps)) if *class == field.class => steps.push(step),
                _ => classes.push((&field.class, vec![step])),
            }
        }
        classes.into_iter().map(|(_, steps)| steps).collect()
    }

    /// How many references lead from a frame or static field to each object, by its number; the nodes of a collection
    /// are where the collection is.
    pub(crate) fn depths(&self) -> Vec<u32> {
        let manifest = &self.snapshot.manifest;
        let mut search = Search {
            depths: vec![u32::MAX; self.snapshot.heap.len() as usize + 1],
            waiting: VecDeque::new(),
        };
        for captured in manifest.frames.iter().filter_map(|f| f.captured.as_ref()) {
            search.root(captured.receiver);
            for argument in &captured.arguments {
                search.root(argument.value);
            }
        }
        for field in &manifest.statics {
            search.root(field.value);
        }
        for local in &manifest.thread_locals {
            search.root(Value::Ref(local.key));
            search.root(local.value);
        }
        let outermost = manifest.frames.len().saturating_sub(1);
        for patch in EntryState::of(&manifest.frames, outermost).patches() {
            search.root(patch.value);
        }
        while let Some((id, depth)) = search.waiting.pop_front() {
            if search.depths.get(id as usize) != Some(&depth) {
                continue;
            }
            self.heap().each_reference(ObjectId(id), |target| {
                let part = self.collections.is_inside(ObjectId(target));
                search.reach(target, depth + u32::from(!part), part);
            });
        }
        search.depths
    }

    /// Objects, and members of collections, so many references away from where they can be reached first.
    pub(crate) fn level(&self, depths: &[u32], wanted: impl Fn(u32) -> bool) -> Vec<Step> {
        let mut steps = Vec::new();
        for id in self.objects() {
            let depth = depths.get(id.0 as usize).copied().unwrap_or(u32::MAX);
            if !wanted(depth) {
                continue;
            }
            if !self.collections.is_inside(id) && !self.receivers.contains(&id) {
                steps.push(Step::Remove(id));
            }
            steps.extend(self.members(id));
        }
        steps
    }

    fn members(&self, collection: ObjectId) -> impl Iterator<Item = Step> + use<> {
        let count = self.collections.get(collection).map_or(0, Collection::len);
        (0..count).map(move |position| Step::Member {
            collection,
            position,
        })
    }

    /// Single references to objects that others refer to, too; those to the others are the levels' matter.
    pub(crate) fn references(&self) -> Vec<Step> {
        let mut counts: HashMap<u32, u32> = HashMap::new();
        let mut count = |value: Value| {
            if let Value::Ref(id) = value {
                *counts.entry(id.0).or_default() += 1;
            }
        };
        let frames = &self.snapshot.manifest.frames;
        for captured in frames.iter().filter_map(|info| info.captured.as_ref()) {
            count(captured.receiver);
            captured.arguments.iter().for_each(|a| count(a.value));
            captured.patches.iter().for_each(|p| count(p.value));
        }
        for id in self.objects() {
            self.heap()
                .each_reference(id, |target| count(Value::Ref(ObjectId(target))));
        }
        let shared = |value: Value| {
            reference(value).is_some_and(|id| counts.get(&id.0).is_some_and(|count| *count > 1))
        };
        let mut steps = self.arguments(shared, |_| Value::Null);
        for id in self.objects().filter(|id| !self.collections.is_closed(*id)) {
            let Some(object) = self.heap().object(id) else {
                continue;
            };
            let null = |slot| Step::Set(slot, Value::Null);
            match &object.kind {
                Kind::Array { elements, .. } => {
                    let places = elements.iter().enumerate();
                    steps.extend(
                        places
                            .filter(|(_, value)| shared(**value))
                            .map(|(index, _)| {
                                null(Slot::Element {
                                    array: id,
                                    index: index as u32,
                                })
                            }),
                    );
                }
                kind => {
                    let places = kind.fields().iter().enumerate();
                    steps.extend(places.filter(|(_, field)| shared(field.value)).map(
                        |(index, _)| {
                            null(Slot::Field {
                                object: id,
                                index: index as u32,
                            })
                        },
                    ));
                }
            }
        }
        steps
    }

    fn arguments(
        &self,
        wanted: impl Fn(Value) -> bool,
        simpler: impl Fn(Value) -> Value,
    ) -> Vec<Step> {
        let mut steps = Vec::new();
        for (frame, info) in self.snapshot.manifest.frames.iter().enumerate() {
            let arguments = info.captured.iter().flat_map(|c| &c.arguments).enumerate();
            for (index, argument) in arguments.filter(|(_, argument)| wanted(argument.value)) {
                let slot = Slot::Argument { frame, index };
                steps.push(Step::Set(slot, simpler(argument.value)));
            }
        }
        steps
    }

    /// Numbers to 0, texts and arrays to empty ones.
    pub(crate) fn values(&self) -> Vec<Step> {
        let is_number = |value: Value| zero(value).is_some_and(|zero| zero != value);
        let mut steps = self.arguments(is_number, |value| zero(value).unwrap_or(value));
        for id in self.objects() {
            let Some(object) = self.heap().object(id) else {
                continue;
            };
            let open = !self.collections.is_closed(id) || is_wrapper(object.class);
            match &object.kind {
                Kind::String(text) if open && !text.is_empty() && !is_place(*text) => {
                    steps.push(Step::Text(id, Vec::new()));
                }
                Kind::Boxed(value) if is_number(*value) => steps.push(Step::Zero(id)),
                Kind::Array { elements, .. } if open && !elements.is_empty() => {
                    steps.push(Step::Cut(id, 0));
                }
                Kind::Enum { .. } => {}
                kind if open => {
                    let fields = kind.fields().iter().enumerate();
                    for (index, field) in fields.filter(|(_, field)| is_number(field.value)) {
                        let slot = Slot::Field {
                            object: id,
                            index: index as u32,
                        };
                        steps.extend(zero(field.value).map(|zero| Step::Set(slot, zero)));
                    }
                }
                _ => {}
            }
        }
        steps
    }

    /// Strings that are left, and what is in them.
    pub(crate) fn texts(&self) -> Vec<(ObjectId, Vec<u16>)> {
        let strings = self.objects().filter(|id| !self.collections.is_closed(*id));
        strings
            .filter_map(|id| match self.heap().object(id)?.kind {
                Kind::String(text) if !text.is_empty() && !is_place(text) => {
                    Some((id, text.units().collect()))
                }
                _ => None,
            })
            .collect()
    }

    /// Arrays that are left and could be shorter, with their lengths.
    pub(crate) fn arrays(&self) -> Vec<(ObjectId, u32)> {
        let arrays = self.objects().filter(|id| !self.collections.is_closed(*id));
        arrays
            .filter_map(|id| Some((id, self.heap().array_length(id)?)))
            .filter(|(_, length)| *length > 0)
            .collect()
    }

    /// Elements of a primitive array that are not 0, in groups.
    pub(crate) fn elements(&self, array: ObjectId) -> Vec<Vec<Step>> {
        let Some(Kind::Array { elements, .. }) = self.heap().object(array).map(|o| o.kind) else {
            return Vec::new();
        };
        let steps: Vec<Step> = elements
            .iter()
            .enumerate()
            .filter_map(|(index, value)| {
                let slot = Slot::Element {
                    array,
                    index: index as u32,
                };
                let zero = zero(*value).filter(|zero| zero != value)?;
                Some(Step::Set(slot, zero))
            })
            .collect();
        let group = steps.len().div_ceil(GROUPS).max(1);
        steps.chunks(group).map(<[Step]>::to_vec).collect()
    }
}

struct Search {
    depths: Vec<u32>,
    waiting: VecDeque<(u32, u32)>,
}

impl Search {
    fn root(&mut self, value: Value) {
        if let Some(id) = reference(value) {
            self.reach(id.0, 1, false);
        }
    }

    /// Nearer ones wait in front, so that the first way that is found is the shortest.
    fn reach(&mut self, id: u32, depth: u32, nearer: bool) {
        if let Some(known) = self.depths.get_mut(id as usize)
            && depth < *known
        {
            *known = depth;
            if nearer {
                self.waiting.push_front((id, depth));
            } else {
                self.waiting.push_back((id, depth));
            }
        }
    }
}

fn reference(value: Value) -> Option<ObjectId> {
    match value {
        Value::Ref(id) => Some(id),
        _ => None,
    }
}

/// Whether a text may name a file or an address. Such a text stays whole or goes whole: what a method does to `/data/old`
/// it must not do to `/data`.
fn is_place(text: Text<'_>) -> bool {
    let text = text.to_string();
    text.contains(['/', '\\'])
        && !text.contains(|c: char| c.is_whitespace() || "<>{}\"".contains(c))
}

/// A wrapper that is no cached one has its number in a field.
fn is_wrapper(class: &str) -> bool {
    const WRAPPERS: [&str; 7] = [
        "Byte",
        "Character",
        "Double",
        "Float",
        "Integer",
        "Long",
        "Short",
    ];
    class
        .strip_prefix("java.lang.")
        .is_some_and(|name| WRAPPERS.contains(&name))
}

/// The simplest number of the same type; `None` for references.
fn zero(value: Value) -> Option<Value> {
    let is_number = !matches!(value, Value::Null | Value::Ref(_));
    is_number.then(|| value.zero())
}

#[cfg(test)]
mod tests {
    use super::*;
    use recrash_heap::{ClassSpec, HeapBuilder};

    #[test]
    fn texts_that_may_name_files_or_addresses_are_known() {
        for (text, expected) in [
            ("/data/old", true),
            ("build\\classes", true),
            ("https://acme.com/orders", true),
            ("<p>one</p>", false),
            ("either / or", false),
            ("Grace", false),
        ] {
            let mut heap = HeapBuilder::new();
            let class = heap.class(&ClassSpec {
                name: "java.lang.String",
                ..ClassSpec::default()
            });
            let id = heap.string(class, text);
            let heap = Heap::parse(heap.finish(), 1).unwrap();
            let Some(Kind::String(found)) = heap.object(id).map(|object| object.kind) else {
                panic!("no string");
            };
            assert_eq!(is_place(found), expected, "{text}");
        }
    }
}
