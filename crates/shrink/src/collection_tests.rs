//! Members taken out of collections.

use crate::collection::{Inside, field_of};
use crate::collections::Collections;
use recrash_heap::{ClassIndex, ClassSpec, Edits, Heap, HeapBuilder, ObjectId, Value};
use std::collections::BTreeSet;

fn class(heap: &mut HeapBuilder, name: &str, fields: &[(&str, &str)]) -> ClassIndex {
    heap.class(&ClassSpec {
        name,
        fields,
        ..ClassSpec::default()
    })
}

fn to(id: u32) -> Value {
    match id {
        0 => Value::Null,
        id => Value::Ref(ObjectId(id)),
    }
}

/// A snapshot of these objects whose only root is the object with this number.
fn snapshot(heap: HeapBuilder, root: u32) -> recrash_heap::Snapshot {
    let frame = serde_json::json!({
        "throwable": 0,
        "element": {"class": "A", "method": "f", "file": null, "line": 1, "module": null},
        "captured": {
            "descriptor": "()V", "access": 0, "place": "body", "receiver": {"ref": root}, "arguments": [],
            "patches": [], "reads": [], "class_hash": null, "source": null
        }
    });
    let manifest = serde_json::json!({
        "format": 1, "recrash": "0", "label": null, "session": null, "captured_at": 0, "fingerprint": "0",
        "throwables": [], "thread": {"name": "main", "id": 1, "daemon": false, "virtual": false},
        "frames": [frame], "frames_total": 1, "statics": [], "thread_locals": [],
        "environment": {
            "java_home": "", "java_version": "", "class_path": [], "module_path": [], "jvm_arguments": [],
            "working_directory": "", "locale": "en", "time_zone": "UTC", "charset": "UTF-8", "system_properties": []
        },
        "limits": [], "unwoven": []
    });
    recrash_heap::Snapshot {
        manifest: serde_json::from_value(manifest).unwrap(),
        heap: Heap::parse(heap.finish(), u32::MAX).unwrap(),
        classes: Vec::new(),
    }
}

/// The collection without the members at these positions, read again.
fn without(before: &recrash_heap::Snapshot, gone: &[usize]) -> (Heap, Collections) {
    let found = Collections::of(&before.heap);
    let collection = found.by_id.values().next().unwrap();
    let mut edits = Edits::new();
    collection.without(&gone.iter().copied().collect(), &mut edits);
    let after = edits.apply(before).unwrap().snapshot.heap;
    let found = Collections::of(&after);
    (after, found)
}

#[test]
fn a_list_closes_up() {
    let mut heap = HeapBuilder::new();
    let list = class(
        &mut heap,
        "java.util.ArrayList",
        &[("elementData", "[Ljava/lang/Object;"), ("size", "I")],
    );
    let array = class(&mut heap, "[Ljava.lang.Object;", &[]);
    let string = class(&mut heap, "java.lang.String", &[]);
    heap.instance(list, &[to(2), Value::Int(3)]);
    heap.array(array, true, &[to(3), to(4), to(5), to(0), to(0)]);
    for text in ["a", "b", "c"] {
        heap.string(string, text);
    }
    let (after, found) = without(&snapshot(heap, 1), &[1]);
    assert_eq!(after.len(), 4);
    let Inside::List { values, .. } = &found.get(ObjectId(1)).unwrap().inside else {
        panic!("{found:?}");
    };
    assert_eq!(*values, [to(3), to(4)]);
    assert_eq!(after.array_length(ObjectId(2)), Some(2));
}

#[test]
fn a_hash_table_unlinks_nodes_and_counts_the_rest() {
    let mut heap = HeapBuilder::new();
    let map = class(
        &mut heap,
        "java.util.HashMap",
        &[("table", "[Ljava/util/HashMap$Node;"), ("size", "I")],
    );
    let array = class(&mut heap, "[Ljava.util.HashMap$Node;", &[]);
    let node = class(
        &mut heap,
        "java.util.HashMap$Node",
        &[("hash", "I"), ("next", "Ljava/util/HashMap$Node;")],
    );
    heap.instance(map, &[to(2), Value::Int(4)]);
    heap.array(array, true, &[to(3), to(0), to(6)]);
    // One chain of three, one of one.
    heap.instance(node, &[Value::Int(1), to(4)]);
    heap.instance(node, &[Value::Int(2), to(5)]);
    heap.instance(node, &[Value::Int(3), to(0)]);
    heap.instance(node, &[Value::Int(4), to(0)]);
    let before = snapshot(heap, 1);
    let (after, found) = without(&before, &[1, 3]);
    // Reading checks that the count is right.
    assert_eq!(found.get(ObjectId(1)).unwrap().len(), 2);
    let hashes: Vec<Value> = after
        .objects()
        .filter_map(|object| object.kind.fields().first().map(|field| field.value))
        .filter(|value| matches!(value, Value::Int(_)))
        .collect();
    assert_eq!(hashes, [Value::Int(1), Value::Int(3)]);
    let (after, _) = without(&before, &[0, 1, 2, 3]);
    assert_eq!(after.len(), 2);
}

#[test]
fn a_tree_is_planted_anew_in_order_and_in_balance() {
    let mut heap = HeapBuilder::new();
    let map = class(
        &mut heap,
        "java.util.TreeMap",
        &[("root", "Ljava/util/TreeMap$Entry;"), ("size", "I")],
    );
    let entry = class(
        &mut heap,
        "java.util.TreeMap$Entry",
        &[
            ("key", "J"),
            ("left", "Ljava/util/TreeMap$Entry;"),
            ("right", "Ljava/util/TreeMap$Entry;"),
            ("parent", "Ljava/util/TreeMap$Entry;"),
            ("color", "Z"),
        ],
    );
    heap.instance(map, &[to(2), Value::Int(20)]);
    // Every entry to the right of the one before it.
    for number in 0..20u32 {
        let right = if number < 19 { number + 3 } else { 0 };
        let parent = if number > 0 { number + 1 } else { 0 };
        heap.instance(
            entry,
            &[
                Value::Long(number.into()),
                to(0),
                to(right),
                to(parent),
                Value::Boolean(true),
            ],
        );
    }
    let gone: Vec<usize> = (0..20).filter(|number| number % 3 == 0).collect();
    let (after, found) = without(&snapshot(heap, 1), &gone);
    let Inside::Tree { nodes, .. } = &found.get(ObjectId(1)).unwrap().inside else {
        panic!("{found:?}");
    };
    let field = |id, name| field_of(&after, id, name).unwrap().1;
    let keys: Vec<Value> = nodes.iter().map(|node| field(*node, "key")).collect();
    let expected: Vec<Value> = (0..20).filter(|n| n % 3 != 0).map(Value::Long).collect();
    assert_eq!(keys, expected);
    // Every way down meets as many black entries as any other, and no red entry has a red child.
    let mut blacks = BTreeSet::new();
    let mut waiting = vec![(field(ObjectId(1), "root"), Value::Null, 0, false)];
    while let Some((at, above, black, red)) = waiting.pop() {
        let Value::Ref(id) = at else {
            blacks.insert(black);
            continue;
        };
        assert_eq!(field(id, "parent"), above);
        let is_red = field(id, "color") == Value::Boolean(false);
        assert!(!(red && is_red));
        for side in ["left", "right"] {
            waiting.push((field(id, side), at, black + u32::from(!is_red), is_red));
        }
    }
    assert_eq!(blacks.len(), 1, "{blacks:?}");
}
