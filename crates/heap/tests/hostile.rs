//! Files a stranger could hand over: each is refused with the exact reason, quickly and without a panic.
use crate::support::manifest as synthetic;

use recrash_heap::{
    ClassSpec, Error, Heap, HeapBuilder, Limits, ObjectId, PlanOptions, Snapshot, Value, plan,
};
use std::io::{Cursor, Write};
use std::path::Path;
use synthetic::manifest;

fn sample() -> Vec<u8> {
    let mut heap = HeapBuilder::new();
    let string = heap.class(&ClassSpec {
        name: "java.lang.String",
        ..ClassSpec::default()
    });
    let node = heap.class(&ClassSpec {
        name: "com.acme.Node",
        fields: &[
            ("next", "Lcom/acme/Node;"),
            ("name", "Ljava/lang/String;"),
            ("size", "J"),
        ],
        ..ClassSpec::default()
    });
    let array = heap.class(&ClassSpec {
        name: "[Lcom.acme.Node;",
        ..ClassSpec::default()
    });
    let ints = heap.class(&ClassSpec {
        name: "[I",
        ..ClassSpec::default()
    });
    let name = ObjectId(3);
    let first = heap.instance(
        node,
        &[Value::Ref(ObjectId(1)), Value::Ref(name), Value::Long(-1)],
    );
    heap.array(array, true, &[Value::Ref(first), Value::Null]);
    heap.string(string, "name");
    heap.array(ints, false, &[Value::Int(1), Value::Int(2)]);
    heap.finish()
}

fn parse(bytes: Vec<u8>) -> Result<Heap, Error> {
    Heap::parse(bytes, 1_000_000)
}

fn container(manifest: &[u8], heap: &[u8]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options =
        zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for (name, bytes) in [("manifest.json", manifest), ("heap.bin", heap)] {
        zip.start_file(name, options).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn read(bytes: Vec<u8>) -> Result<Snapshot, Error> {
    Snapshot::read_from(
        Cursor::new(bytes),
        Path::new("x.recrash"),
        &Limits::default(),
    )
}

fn json(values: &[Value]) -> Vec<u8> {
    serde_json::to_vec(&manifest(values)).unwrap()
}

#[test]
fn the_sample_is_read() {
    let heap = parse(sample()).unwrap();
    assert_eq!(heap.len(), 4);
    let snapshot = read(container(&json(&[Value::Ref(ObjectId(2))]), &sample())).unwrap();
    assert_eq!(snapshot.heap, heap);
}

#[test]
fn a_heap_part_cut_anywhere_is_refused() {
    let bytes = sample();
    for end in 0..bytes.len() {
        assert!(parse(bytes[..end].to_vec()).is_err(), "cut at {end}");
    }
}

#[test]
fn any_flipped_bit_is_refused_or_read_without_harm() {
    let bytes = sample();
    for at in 0..bytes.len() * 8 {
        let mut flipped = bytes.clone();
        flipped[at / 8] ^= 1 << (at % 8);
        if let Ok(heap) = parse(flipped) {
            assert!(heap.objects().count() <= 4);
            for id in 1..=heap.len() {
                heap.each_reference(ObjectId(id), |target| assert!(target <= heap.len()));
            }
        }
    }
}

#[test]
fn a_container_with_a_flipped_bit_is_refused_by_its_checksum() {
    let whole = container(&json(&[]), &sample());
    let start = whole.windows(4).position(|w| w == b"RCHP").unwrap();
    let mut flipped = whole;
    flipped[start + 30] ^= 4;
    let refused = read(flipped).unwrap_err();
    assert!(
        matches!(
            refused,
            Error::Damaged {
                part: "heap.bin",
                ..
            }
        ),
        "{refused}"
    );
}

#[test]
fn sizes_and_ids_out_of_range_are_named() {
    let mut heap = HeapBuilder::new();
    let class = heap.class(&ClassSpec {
        name: "com.acme.Node",
        fields: &[("next", "Lcom/acme/Node;")],
        ..ClassSpec::default()
    });
    heap.instance(class, &[Value::Ref(ObjectId(7))]);
    assert_eq!(
        parse(heap.finish()),
        Err(Error::DanglingReference {
            object: ObjectId(1),
            target: 7,
            objects: 1
        })
    );

    let mut bytes = sample();
    let at = bytes.len() - 12;
    bytes[at..at + 4].copy_from_slice(&(-1i32).to_le_bytes());
    assert_eq!(
        parse(bytes),
        Err(Error::BadObject {
            object: ObjectId(4),
            reason: "its length is negative"
        })
    );

    let mut bytes = sample();
    bytes[12..16].copy_from_slice(&u32::MAX.to_le_bytes());
    assert_eq!(
        parse(bytes),
        Err(Error::OverLimit {
            part: "the heap part",
            unit: "objects",
            found: u32::MAX.into(),
            limit: 1_000_000
        })
    );

    let mut bytes = sample();
    bytes[4..8].copy_from_slice(&9u32.to_le_bytes());
    assert_eq!(
        parse(bytes),
        Err(Error::NewerFormat {
            found: 9,
            supported: 1
        })
    );
    assert_eq!(parse(b"PK\x03\x04".to_vec()), Err(Error::NoHeapMagic));
    let mut bytes = sample();
    bytes.extend([0; 3]);
    assert_eq!(parse(bytes), Err(Error::TrailingBytes(3)));
}

#[test]
fn a_super_class_that_does_not_stand_before_is_refused_so_no_cycle_exists() {
    for above in [0, 1, 99] {
        let mut heap = HeapBuilder::new();
        heap.class(&ClassSpec {
            name: "com.acme.A",
            super_class: Some(recrash_heap::ClassIndex(above)),
            ..ClassSpec::default()
        });
        assert_eq!(
            parse(heap.finish()),
            Err(Error::BadClass {
                class: 0,
                reason: "its super class does not stand before it"
            })
        );
    }
}

#[test]
fn class_names_of_a_thousand_dimensions_are_refused() {
    let name = "[".repeat(1000) + "I";
    let mut heap = HeapBuilder::new();
    heap.class(&ClassSpec {
        name: &name,
        ..ClassSpec::default()
    });
    assert_eq!(
        parse(heap.finish()),
        Err(Error::BadClass {
            class: 0,
            reason: "it is no array class"
        })
    );
}

#[test]
fn a_tower_of_sub_classes_cannot_ask_for_endless_memory() {
    let names: Vec<String> = (0..60_000).map(|i| format!("f{i}")).collect();
    let fields: Vec<(&str, &str)> = names.iter().map(|n| (n.as_str(), "Lx;")).collect();
    let mut heap = HeapBuilder::new();
    let mut above = heap.class(&ClassSpec {
        name: "com.acme.Wide",
        fields: &fields,
        ..ClassSpec::default()
    });
    for _ in 0..1000 {
        above = heap.class(&ClassSpec {
            name: "com.acme.Sub",
            super_class: Some(above),
            ..ClassSpec::default()
        });
    }
    assert!(matches!(
        parse(heap.finish()),
        Err(Error::OverLimit {
            unit: "reference fields",
            ..
        })
    ));
}

#[test]
fn a_million_nested_arrays_are_read_and_planned() {
    let mut heap = HeapBuilder::new();
    let class = heap.class(&ClassSpec {
        name: "[Ljava.lang.Object;",
        ..ClassSpec::default()
    });
    for id in 1..1_000_000u32 {
        heap.array(class, true, &[Value::Ref(ObjectId(id + 1))]);
    }
    heap.array(class, true, &[Value::Ref(ObjectId(1))]);
    let snapshot = Snapshot {
        manifest: manifest(&[Value::Ref(ObjectId(1))]),
        heap: parse(heap.finish()).unwrap(),
        classes: Vec::new(),
    };
    assert!(plan(&snapshot, 0, PlanOptions::default()).is_ok());
}

#[test]
fn manifests_that_do_not_fit_are_refused() {
    let dangling = read(container(&json(&[Value::Ref(ObjectId(5))]), &sample()));
    assert_eq!(
        dangling,
        Err(Error::DanglingRoot {
            place: "argument",
            target: 5,
            objects: 4
        })
    );
    assert_eq!(
        read(container(br#"{"format": 2}"#, &sample())),
        Err(Error::NewerFormat {
            found: 2,
            supported: 1
        })
    );
    let nested = "[".repeat(1_000_000);
    assert!(matches!(
        read(container(nested.as_bytes(), &sample())),
        Err(Error::Damaged {
            part: "manifest.json",
            ..
        })
    ));
    assert!(matches!(read(Vec::new()), Err(Error::NotASnapshot { .. })));
    assert!(matches!(
        read(b"not a zip at all".to_vec()),
        Err(Error::NotASnapshot { .. })
    ));
}

#[test]
fn an_entry_that_unpacks_beyond_the_limit_is_refused() {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    zip.start_file("manifest.json", zip::write::SimpleFileOptions::default())
        .unwrap();
    for _ in 0..16 {
        zip.write_all(&vec![b' '; 1 << 20]).unwrap();
    }
    let bytes = zip.finish().unwrap().into_inner();
    let limits = Limits {
        manifest_bytes: 1 << 20,
        ..Limits::default()
    };
    assert_eq!(
        Snapshot::read_from(Cursor::new(bytes), Path::new("bomb"), &limits),
        Err(Error::OverLimit {
            part: "manifest.json",
            unit: "bytes",
            found: 16 << 20,
            limit: 1 << 20
        })
    );
}

#[test]
fn frames_that_cannot_be_planned_say_why() {
    let mut snapshot = Snapshot {
        manifest: manifest(&[]),
        heap: parse(sample()).unwrap(),
        classes: Vec::new(),
    };
    assert_eq!(
        plan(&snapshot, 1, PlanOptions::default()),
        Err(Error::NoSuchFrame {
            frame: 1,
            frames: 1
        })
    );
    snapshot.manifest.frames[0].captured = None;
    assert_eq!(
        plan(&snapshot, 0, PlanOptions::default()),
        Err(Error::FrameNotCaptured {
            frame: 0,
            method: "RoundTrip.check".into()
        })
    );
}

#[test]
fn a_failed_write_leaves_nothing_behind_and_the_old_file_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let snapshot = Snapshot {
        manifest: manifest(&[]),
        heap: parse(sample()).unwrap(),
        classes: Vec::new(),
    };
    let missing = folder.path().join("no/such/folder/x.recrash");
    assert!(matches!(snapshot.write(&missing), Err(Error::Io { .. })));
    let taken = folder.path().join("taken.recrash");
    std::fs::create_dir(&taken).unwrap();
    std::fs::write(taken.join("kept"), "").unwrap();
    assert!(matches!(snapshot.write(&taken), Err(Error::Io { .. })));
    let left: Vec<_> = std::fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(left, ["taken.recrash"]);
    let file = folder.path().join("x.recrash");
    snapshot.write(&file).unwrap();
    snapshot.write(&file).unwrap();
    assert_eq!(Snapshot::read(&file).unwrap(), snapshot);
}

fn seeds(kind: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../fuzz/seeds")
        .join(kind);
    let files = std::fs::read_dir(folder).unwrap();
    files
        .map(|entry| std::fs::read(entry.unwrap().path()).unwrap())
        .collect()
}

#[test]
fn every_seed_cut_or_changed_anywhere_is_refused_or_read_without_harm() {
    for seed in seeds("heap") {
        assert!(parse(seed.clone()).is_ok());
        for at in 0..seed.len() {
            assert!(parse(seed[..at].to_vec()).is_err());
            for value in [0, 1, 0x7f, 0x80, 0xff] {
                let mut changed = seed.clone();
                changed[at] = value;
                if let Ok(heap) = parse(changed) {
                    assert_eq!(heap.objects().count() as u32, heap.len());
                }
            }
        }
    }
    for seed in seeds("snapshot") {
        assert!(read(seed.clone()).is_ok());
        for at in 0..seed.len() {
            assert!(read(seed[..at].to_vec()).is_err());
            let mut changed = seed.clone();
            changed[at] ^= 0x55;
            if let Ok(snapshot) = read(changed) {
                let _ = plan(&snapshot, 0, PlanOptions::default());
            }
        }
    }
}
