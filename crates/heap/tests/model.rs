//! Whatever the builder writes, the reader gives back; the reader survives whatever else it is given.
use proptest::prelude::*;
use recrash_heap::{ClassSpec, Heap, HeapBuilder, Kind, ObjectId, StandInReason, Value};

#[derive(Debug, Clone)]
enum Made {
    Instance {
        values: [u32; 2],
        number: i64,
        hash: Option<u32>,
    },
    References(Vec<u32>),
    Ints(Vec<i32>),
    Text(String),
    Boxed(i32),
    Constant(String),
    Name(String),
    Thread(String),
    Cut,
}

fn made() -> impl Strategy<Value = Made> {
    prop_oneof![
        (any::<[u32; 2]>(), any::<i64>(), any::<Option<u32>>()).prop_map(
            |(values, number, hash)| Made::Instance {
                values,
                number,
                hash
            }
        ),
        prop::collection::vec(any::<u32>(), 0..20).prop_map(Made::References),
        prop::collection::vec(any::<i32>(), 0..20).prop_map(Made::Ints),
        any::<String>().prop_map(Made::Text),
        any::<i32>().prop_map(Made::Boxed),
        "[A-Z]{1,8}".prop_map(Made::Constant),
        "[a-z.]{1,12}".prop_map(Made::Name),
        any::<String>().prop_map(Made::Thread),
        Just(Made::Cut),
    ]
}

/// Any number as a reference to one of `count` objects or null.
fn reference(number: u32, count: usize) -> Value {
    match number % (count as u32 + 1) {
        0 => Value::Null,
        id => Value::Ref(ObjectId(id)),
    }
}

proptest! {
    #[test]
    fn every_object_is_read_as_it_was_written(all in prop::collection::vec(made(), 0..60)) {
        let mut heap = HeapBuilder::new();
        let base = heap.class(&ClassSpec { name: "a.Base", fields: &[("x", "La/Base;"), ("n", "J")], ..ClassSpec::default() });
        let sub = heap.class(&ClassSpec {
            name: "a.Sub",
            super_class: Some(base),
            fields: &[("y", "[I")],
            ..ClassSpec::default()
        });
        let objects = heap.class(&ClassSpec { name: "[Ljava.lang.Object;", ..ClassSpec::default() });
        let ints = heap.class(&ClassSpec { name: "[I", ..ClassSpec::default() });
        let string = heap.class(&ClassSpec { name: "java.lang.String", ..ClassSpec::default() });
        let integer = heap.class(&ClassSpec { name: "java.lang.Integer", ..ClassSpec::default() });
        let count = all.len();
        for one in &all {
            match one {
                Made::Instance { values: [x, y], number, hash } => {
                    let values = [reference(*x, count), Value::Long(*number), reference(*y, count)];
                    match hash {
                        Some(hash) => heap.instance_with_hash(sub, *hash, &values),
                        None => heap.instance(sub, &values),
                    }
                }
                Made::References(ids) => {
                    let ids: Vec<Value> = ids.iter().map(|id| reference(*id, count)).collect();
                    heap.array(objects, true, &ids)
                }
                Made::Ints(numbers) => {
                    let numbers: Vec<Value> = numbers.iter().map(|n| Value::Int(*n)).collect();
                    heap.array(ints, false, &numbers)
                }
                Made::Text(text) => heap.string(string, text),
                Made::Boxed(v) => heap.boxed(integer, i64::from(*v) as u64),
                Made::Constant(name) => heap.enum_constant(string, name, &[]),
                Made::Name(name) => heap.class_object(string, name),
                Made::Thread(name) => heap.stand_in(base, StandInReason::OtherThread, name),
                Made::Cut => heap.cut(base),
            };
        }
        let bytes = heap.finish();
        let heap = Heap::parse(bytes.clone(), 1000).unwrap();
        prop_assert_eq!(heap.bytes(), &bytes[..]);
        prop_assert_eq!(heap.len() as usize, count);
        for (object, one) in heap.objects().zip(&all) {
            match (object.kind, one) {
                (Kind::Instance { fields }, Made::Instance { values: [x, y], number, hash }) => {
                    prop_assert_eq!(object.class, "a.Sub");
                    prop_assert_eq!(object.identity_hash, *hash);
                    let found: Vec<_> = fields.iter().map(|f| (f.declared_in, f.name, f.value)).collect();
                    prop_assert_eq!(found, vec![
                        ("a.Base", "x", reference(*x, count)),
                        ("a.Base", "n", Value::Long(*number)),
                        ("a.Sub", "y", reference(*y, count)),
                    ]);
                }
                (Kind::Array { component, elements }, Made::References(ids)) => {
                    prop_assert_eq!(component, "Ljava.lang.Object;");
                    let ids: Vec<Value> = ids.iter().map(|id| reference(*id, count)).collect();
                    prop_assert_eq!(elements, ids);
                }
                (Kind::Array { component, elements }, Made::Ints(numbers)) => {
                    prop_assert_eq!(component, "I");
                    let numbers: Vec<Value> = numbers.iter().map(|n| Value::Int(*n)).collect();
                    prop_assert_eq!(elements, numbers);
                }
                (Kind::String(found), Made::Text(text)) => {
                    prop_assert_eq!(&found.to_string(), text);
                    prop_assert_eq!(found.len(), text.encode_utf16().count());
                }
                (Kind::Boxed(found), Made::Boxed(v)) => prop_assert_eq!(found, Value::Int(*v)),
                (Kind::Enum { constant, .. }, Made::Constant(name)) => prop_assert_eq!(constant, name),
                (Kind::Class { name: found }, Made::Name(name)) => prop_assert_eq!(found, name),
                (Kind::StandIn { reason, text }, Made::Thread(name)) => {
                    prop_assert_eq!(reason, StandInReason::OtherThread);
                    prop_assert_eq!(text, name);
                }
                (Kind::Cut, Made::Cut) => {}
                (kind, one) => prop_assert!(false, "{:?} came back as {:?}", one, kind),
            }
        }
    }

    #[test]
    fn arbitrary_bytes_never_panic(mut bytes in prop::collection::vec(any::<u8>(), 0..400), count in 0u8..6) {
        if bytes.len() >= 24 {
            bytes[..4].copy_from_slice(b"RCHP");
            bytes[4..8].copy_from_slice(&1u32.to_le_bytes());
            bytes[8..12].copy_from_slice(&u32::from(count % 3).to_le_bytes());
            bytes[12..16].copy_from_slice(&u32::from(count).to_le_bytes());
        }
        if let Ok(heap) = Heap::parse(bytes, 1000) {
            prop_assert_eq!(heap.objects().count() as u32, heap.len());
        }
    }
}
