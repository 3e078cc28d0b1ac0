//! Edits: what is changed is changed, what is reachable stays as it was, what is not goes.
use crate::support::manifest;

use manifest::manifest;
use proptest::prelude::*;
use recrash_heap::manifest::{
    Patch, Privacy, Redaction, RedactionKind, StaticField, ThreadLocalEntry, ThrowableInfo,
};
use recrash_heap::{
    ClassIndex, ClassSpec, Edits, Error, Heap, HeapBuilder, Kind, ObjectId, Part, Slot, Snapshot,
    Value,
};

fn reference(id: ObjectId) -> Value {
    Value::Ref(id)
}

fn patch(object: ObjectId, field: &str, value: Value) -> Patch {
    Patch {
        object,
        class: "a.Node".into(),
        field: field.into(),
        descriptor: "La/Node;".into(),
        value,
    }
}

fn static_field(name: &str, value: Value) -> StaticField {
    StaticField {
        class: "a.Main".into(),
        field: name.into(),
        descriptor: "Ljava/lang/Object;".into(),
        value,
        is_final: false,
    }
}

/// Classes that the tests share.
struct World {
    heap: HeapBuilder,
    node: ClassIndex,
    sub: ClassIndex,
    objects: ClassIndex,
    ints: ClassIndex,
    string: ClassIndex,
    integer: ClassIndex,
}

impl World {
    fn new() -> Self {
        let mut heap = HeapBuilder::new();
        let mut class = |name, super_class, fields| {
            heap.class(&ClassSpec {
                name,
                super_class,
                fields,
                ..ClassSpec::default()
            })
        };
        // Nothing is of this class, so its row goes.
        class("a.Unused", None, &[("x", "I")]);
        let node = class("a.Node", None, &[("next", "La/Node;"), ("count", "J")]);
        let sub = class("a.Sub", Some(node), &[("name", "Ljava/lang/String;")]);
        let objects = class("[Ljava.lang.Object;", None, &[]);
        let ints = class("[I", None, &[]);
        let string = class("java.lang.String", None, &[]);
        let integer = class("java.lang.Integer", None, &[]);
        World {
            heap,
            node,
            sub,
            objects,
            ints,
            string,
            integer,
        }
    }

    fn snapshot(self, arguments: &[Value]) -> Snapshot {
        Snapshot {
            manifest: manifest(arguments),
            heap: Heap::parse(self.heap.finish(), u32::MAX).unwrap(),
            classes: vec![],
        }
    }
}

fn argument(snapshot: &Snapshot, index: usize) -> Value {
    let captured = snapshot.manifest.frames[0].captured.as_ref().unwrap();
    captured.arguments[index].value
}

fn patches(snapshot: &Snapshot) -> &[Patch] {
    let captured = snapshot.manifest.frames[0].captured.as_ref().unwrap();
    &captured.patches
}

#[test]
fn a_field_set_to_null_takes_along_what_only_it_led_to() {
    let mut world = World::new();
    let shared = ObjectId(4);
    let first =
        world
            .heap
            .instance_with_hash(world.node, 77, &[reference(ObjectId(2)), Value::Long(1)]);
    world
        .heap
        .instance(world.node, &[reference(ObjectId(3)), Value::Long(2)]);
    world
        .heap
        .instance(world.node, &[reference(shared), Value::Long(3)]);
    world
        .heap
        .instance(world.node, &[reference(first), Value::Long(4)]);
    let mut before = world.snapshot(&[reference(first), reference(shared)]);
    let redaction = |object: ObjectId| Redaction {
        object,
        place: "value".to_owned(),
        rule: "drop field value".to_owned(),
        kind: RedactionKind::Drop,
    };
    before.manifest.privacy = Some(Privacy {
        redactions: [ObjectId(0), ObjectId(2), shared].map(redaction).to_vec(),
        ..Privacy::default()
    });
    let mut edits = Edits::new();
    edits.set(
        Slot::Field {
            object: first,
            index: 0,
        },
        Value::Null,
    );
    let edited = edits.apply(&before).unwrap();
    let after = &edited.snapshot;
    let remarks = &after.manifest.privacy.as_ref().unwrap().redactions;
    assert_eq!(*remarks, [ObjectId(0), ObjectId(2)].map(redaction));
    assert_eq!(after.heap.len(), 2);
    assert_eq!(edited.object(ObjectId(2)), None);
    assert_eq!(edited.object(shared), Some(ObjectId(2)));
    assert_eq!(argument(after, 1), reference(ObjectId(2)));
    let kept = after.heap.object(ObjectId(1)).unwrap();
    assert_eq!(kept.identity_hash, Some(77));
    assert_eq!(kept.kind.fields()[0].value, Value::Null);
    let last = after.heap.object(ObjectId(2)).unwrap();
    assert_eq!(last.kind.fields()[0].value, reference(ObjectId(1)));
    assert_eq!(last.kind.fields()[1].value, Value::Long(4));
    let names: Vec<&str> = after
        .heap
        .classes()
        .iter()
        .map(|c| c.name.as_str())
        .collect();
    assert_eq!(names, ["a.Node"]);
}

#[test]
fn fields_of_super_classes_are_counted_first() {
    let mut world = World::new();
    let name = world.heap.string(world.string, "order");
    let object = world
        .heap
        .instance(world.sub, &[Value::Null, Value::Long(9), reference(name)]);
    let before = world.snapshot(&[reference(object)]);
    let mut edits = Edits::new();
    edits.set(Slot::Field { object, index: 1 }, Value::Long(-5));
    let after = edits.apply(&before).unwrap().snapshot;
    let kept = after.heap.object(ObjectId(2)).unwrap();
    assert_eq!(kept.class, "a.Sub");
    let values: Vec<Value> = kept.kind.fields().iter().map(|field| field.value).collect();
    assert_eq!(
        values,
        [Value::Null, Value::Long(-5), reference(ObjectId(1))]
    );
}

#[test]
fn a_removed_object_is_null_wherever_it_was_referred_to() {
    let mut world = World::new();
    let gone = world
        .heap
        .instance(world.node, &[Value::Null, Value::Long(1)]);
    let array = world
        .heap
        .array(world.objects, true, &[reference(gone), Value::Null]);
    let holder = world
        .heap
        .instance(world.node, &[reference(gone), Value::Long(2)]);
    let mut before = world.snapshot(&[reference(gone), reference(array), reference(holder)]);
    before.manifest.statics = vec![static_field("cache", reference(gone))];
    before.manifest.thread_locals = vec![ThreadLocalEntry {
        key: gone,
        value: reference(holder),
        inheritable: false,
    }];
    let captured = before.manifest.frames[0].captured.as_mut().unwrap();
    captured.patches = vec![
        patch(gone, "next", Value::Null),
        patch(holder, "next", reference(gone)),
    ];
    let mut edits = Edits::new();
    edits.remove(gone);
    let after = edits.apply(&before).unwrap().snapshot;
    assert_eq!(after.heap.len(), 2);
    assert_eq!(argument(&after, 0), Value::Null);
    assert_eq!(after.manifest.statics[0].value, Value::Null);
    assert!(after.manifest.thread_locals.is_empty());
    assert_eq!(patches(&after), [patch(ObjectId(2), "next", Value::Null)]);
    let array = after.heap.object(ObjectId(1)).unwrap();
    assert!(matches!(array.kind, Kind::Array { elements, .. } if elements == [Value::Null; 2]));
}

#[test]
fn an_array_is_cut_with_the_patches_behind_its_end() {
    let mut world = World::new();
    let numbers = [7, 8, 9].map(Value::Int);
    let ints = world.heap.array(world.ints, false, &numbers);
    let mut before = world.snapshot(&[reference(ints)]);
    let captured = before.manifest.frames[0].captured.as_mut().unwrap();
    captured.patches = vec![
        patch(ints, "[0]", Value::Int(1)),
        patch(ints, "[2]", Value::Int(2)),
    ];
    let mut edits = Edits::new();
    edits.cut(ints, 2);
    edits.set(
        Slot::Element {
            array: ints,
            index: 1,
        },
        Value::Int(0),
    );
    let after = edits.apply(&before).unwrap().snapshot;
    let array = after.heap.object(ObjectId(1)).unwrap();
    assert!(
        matches!(array.kind, Kind::Array { elements, .. } if elements == [7, 0].map(Value::Int))
    );
    assert_eq!(patches(&after), [patch(ObjectId(1), "[0]", Value::Int(1))]);
}

#[test]
fn strings_and_boxed_values_are_replaced() {
    let mut world = World::new();
    let narrow = world.heap.string(world.string, "secret");
    let wide = world.heap.string(world.string, "日本");
    let boxed = world.heap.boxed(world.integer, 42);
    let before = world.snapshot(&[reference(narrow), reference(wide), reference(boxed)]);
    let mut edits = Edits::new();
    edits.replace_text(narrow, "мир".encode_utf16().collect());
    edits.replace_text(wide, vec![]);
    edits.replace_boxed(boxed, 0);
    let after = edits.apply(&before).unwrap().snapshot;
    let text = |id| match after.heap.object(ObjectId(id)).unwrap().kind {
        Kind::String(text) => text.to_string(),
        other => panic!("{other:?}"),
    };
    assert_eq!([text(1), text(2)], ["мир", ""]);
    let boxed = after.heap.object(ObjectId(3)).unwrap().kind;
    assert_eq!(boxed, Kind::Boxed(Value::Int(0)));
}

#[test]
fn parts_of_the_manifest_go_with_their_objects() {
    let mut world = World::new();
    let objects: Vec<ObjectId> = (0..4)
        .map(|n| {
            world
                .heap
                .instance(world.node, &[Value::Null, Value::Long(n)])
        })
        .collect();
    let mut before = world.snapshot(&[reference(objects[0])]);
    before.manifest.statics = vec![
        static_field("first", reference(objects[1])),
        static_field("second", reference(objects[2])),
    ];
    before.manifest.throwables = vec![ThrowableInfo {
        class: "a.Problem".into(),
        message: None,
        object: objects[3],
        trace: vec![],
    }];
    let mut edits = Edits::new();
    edits.leave_out(Part::Static(0));
    edits.leave_out(Part::Throwable(0));
    edits.set(Slot::Argument { frame: 0, index: 0 }, Value::Null);
    let after = edits.apply(&before).unwrap().snapshot;
    assert_eq!(after.heap.len(), 1);
    assert_eq!(
        after.manifest.statics,
        [static_field("second", reference(ObjectId(1)))]
    );
    assert_eq!(after.manifest.throwables[0].object, ObjectId(0));
    let mut edits = Edits::new();
    edits.leave_out(Part::Captured(0));
    let after = edits.apply(&before).unwrap().snapshot;
    assert_eq!(after.manifest.frames[0].captured, None);
    assert_eq!(after.heap.len(), 3);
}

#[test]
fn what_does_not_fit_is_refused() {
    let mut world = World::new();
    let node = world
        .heap
        .instance(world.node, &[Value::Null, Value::Long(1)]);
    let ints = world.heap.array(world.ints, false, &[Value::Int(1)]);
    let before = world.snapshot(&[reference(node), reference(ints)]);
    let refused = |edit: &dyn Fn(&mut Edits)| {
        let mut edits = Edits::new();
        edit(&mut edits);
        matches!(edits.apply(&before), Err(Error::BadEdit { .. }))
    };
    let field = |index| Slot::Field {
        object: node,
        index,
    };
    assert!(refused(&|edits| edits.set(field(0), Value::Int(1))));
    assert!(refused(&|edits| edits.set(field(2), Value::Null)));
    assert!(refused(&|edits| edits.cut(ints, 2)));
    assert!(refused(&|edits| edits.replace_boxed(ObjectId(9), 1)));
}

proptest! {
    #[test]
    fn what_is_still_reachable_is_as_it_was(
        links in prop::collection::vec((any::<u32>(), any::<u32>()), 1..40),
        removed in prop::collection::vec(any::<u32>(), 0..6),
    ) {
        let count = links.len() as u32;
        let any = |number: u32| match number % (count + 1) {
            0 => Value::Null,
            id => reference(ObjectId(id)),
        };
        let mut world = World::new();
        for (index, (left, right)) in links.iter().enumerate() {
            if index % 2 == 0 {
                // A reference of another class than the field's is the restorer's matter, not the format's.
                world.heap.instance(world.node, &[any(*left), Value::Long(index as i64)]);
            } else {
                world.heap.array(world.objects, true, &[any(*left), any(*right)]);
            }
        }
        let before = world.snapshot(&[reference(ObjectId(1))]);
        let mut edits = Edits::new();
        let removed: Vec<u32> = removed.iter().map(|id| id % count + 1).collect();
        for id in &removed {
            edits.remove(ObjectId(*id));
        }
        let edited = edits.apply(&before).unwrap();
        let mut found = 0;
        for old in before.heap.objects() {
            let Some(id) = edited.object(old.id) else { continue };
            found += 1;
            prop_assert!(!removed.contains(&old.id.0));
            let new = edited.snapshot.heap.object(id).unwrap();
            prop_assert_eq!(old.class, new.class);
            let moved = |value: Value| match value {
                Value::Ref(id) => edited.object(id).map_or(Value::Null, Value::Ref),
                other => other,
            };
            match (old.kind, new.kind) {
                (Kind::Array { elements: old, .. }, Kind::Array { elements: new, .. }) => {
                    prop_assert_eq!(old.into_iter().map(moved).collect::<Vec<_>>(), new);
                }
                (old, new) => {
                    let old: Vec<Value> = old.fields().iter().map(|field| moved(field.value)).collect();
                    let new: Vec<Value> = new.fields().iter().map(|field| field.value).collect();
                    prop_assert_eq!(old, new);
                }
            }
        }
        prop_assert_eq!(found, edited.snapshot.heap.len());
        // Once more changes nothing.
        let again = Edits::new().apply(&edited.snapshot).unwrap();
        prop_assert_eq!(again.snapshot, edited.snapshot);
    }
}
