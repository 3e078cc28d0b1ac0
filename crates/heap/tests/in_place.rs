//! Contents are overwritten where they are, and nothing else can be.

#![allow(clippy::unwrap_used, reason = "a test ends at the first surprise")]

use recrash_heap::{ClassSpec, Form, Heap, HeapBuilder, Kind, ObjectId, StandInReason, Value};

/// 1: Order{name -> 2, total: 7}, 2: "tea", 3: char[] "ab", 4: a thread.
fn heap() -> Heap {
    let mut builder = HeapBuilder::new();
    let mut class = |name, fields| {
        builder.class(&ClassSpec {
            name,
            fields,
            ..ClassSpec::default()
        })
    };
    let string = class("java.lang.String", &[][..]);
    let chars = class("[C", &[]);
    let thread = class("java.lang.Thread", &[]);
    let order = class("Order", &[("name", "Ljava/lang/String;"), ("total", "J")]);
    builder.instance(order, &[Value::Ref(ObjectId(2)), Value::Long(7)]);
    builder.string(string, "tea");
    builder.array(chars, false, &[Value::Char(97), Value::Char(98)]);
    builder.stand_in(thread, StandInReason::OtherThread, "main");
    Heap::parse(builder.finish(), 10).unwrap()
}

#[test]
fn fields_characters_and_elements_change_in_place() {
    let mut heap = heap();
    let order = heap.contents(ObjectId(1)).unwrap();
    let layout: Vec<(String, usize)> = heap
        .layout(order.class)
        .iter()
        .map(|slot| (slot.name.to_owned(), slot.offset))
        .collect();
    assert_eq!(layout, [("name".to_owned(), 0), ("total".to_owned(), 4)]);
    assert_eq!(heap.value_at(&order, 4, "J"), Some(Value::Long(7)));
    assert!(heap.set_value(&order, 4, Value::Long(8)));
    assert!(heap.set_value(&order, 0, Value::Null));
    let text = heap.contents(ObjectId(2)).unwrap();
    assert_eq!(
        (text.form, heap.bytes_of(&text)),
        (Form::Latin1, &b"tea"[..])
    );
    assert!(heap.overwrite(&text, 1, b"xx"));
    let chars = heap.contents(ObjectId(3)).unwrap();
    assert!(heap.overwrite(&chars, 2, &[99, 0]));
    let again = Heap::parse(heap.bytes().to_vec(), 10).unwrap();
    assert_eq!(again, heap);
    let order = heap.object(ObjectId(1)).unwrap();
    let values: Vec<Value> = order
        .kind
        .fields()
        .iter()
        .map(|field| field.value)
        .collect();
    assert_eq!(values, [Value::Null, Value::Long(8)]);
    assert!(
        matches!(heap.object(ObjectId(2)).unwrap().kind, Kind::String(text) if text.to_string() == "txx")
    );
}

#[test]
fn what_would_not_fit_is_refused() {
    let mut heap = heap();
    let before = heap.clone();
    let order = heap.contents(ObjectId(1)).unwrap();
    assert!(
        !heap.set_value(&order, 0, Value::Ref(ObjectId(5))),
        "no such object"
    );
    assert!(!heap.set_value(&order, 8, Value::Long(1)), "beyond its end");
    assert!(!heap.overwrite(&order, 0, &[1]), "fields are no text");
    let text = heap.contents(ObjectId(2)).unwrap();
    assert!(!heap.overwrite(&text, 2, b"xx"), "beyond its end");
    let thread = heap.contents(ObjectId(4)).unwrap();
    assert!(!heap.overwrite(&thread, 0, &[0xff]), "not UTF-8");
    assert_eq!(heap.value_at(&order, 8, "J"), None);
    assert_eq!(heap, before);
}

#[test]
fn of_what_is_cut_only_the_class_is_left() {
    let cut = heap().cut(|id| id != ObjectId(2)).unwrap();
    let text = cut.object(ObjectId(2)).unwrap();
    assert_eq!((text.class, text.kind), ("java.lang.String", Kind::Cut));
    assert_eq!(cut.len(), 4);
    assert_eq!(cut.contents(ObjectId(1)).unwrap().form, Form::Fields);
}
