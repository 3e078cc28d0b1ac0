//! Statics, thread locals and entry values in real JVMs; classes that changed or are gone.
use crate::support::jvm;
use crate::support::manifest as synthetic;

use jvm::{Built, built, java, jdks, reference, run};
use recrash_heap::manifest::{Manifest, ObjectId, Patch, StaticField, ThreadLocalEntry, Value};
use recrash_heap::{ClassSpec, Heap, HeapBuilder, PlanOptions, Snapshot, plan};
use std::path::Path;
use synthetic::manifest;

fn value(descriptor: &str, text: &str) -> Value {
    match descriptor.as_bytes()[0] {
        b'I' => Value::Int(text.parse().unwrap()),
        b'J' => Value::Long(text.parse().unwrap()),
        b'D' => Value::DoubleBits(text.parse::<i64>().unwrap() as u64),
        b'L' => reference(text.parse().unwrap()),
        other => panic!("{other}"),
    }
}

fn facts(text: &str) -> Manifest {
    let mut made = manifest(&[]);
    let mut patches = Vec::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        match words[0] {
            "arg" => made = manifest(&[value("L", words[1])]),
            "static" => made.statics.push(StaticField {
                class: words[1].into(),
                field: words[2].into(),
                descriptor: words[3].into(),
                value: value(words[3], words[4]),
                is_final: false,
            }),
            "local" => made.thread_locals.push(ThreadLocalEntry {
                key: ObjectId(words[1].parse().unwrap()),
                value: value("L", words[2]),
                inheritable: false,
            }),
            _ => patches.push(Patch {
                object: ObjectId(words[1].parse().unwrap()),
                class: words[2].into(),
                field: words[3].into(),
                descriptor: words[4].into(),
                value: value(words[4], words[5]),
            }),
        }
    }
    made.frames[0].captured.as_mut().unwrap().patches = patches;
    made
}

fn capture(jdk: &Path, built: &Built, folder: &Path) -> Snapshot {
    let (heap, text) = (folder.join("heap"), folder.join("facts"));
    run(java(jdk, built)
        .args(["State", "capture"])
        .arg(&heap)
        .arg(&text));
    Snapshot {
        manifest: facts(&std::fs::read_to_string(text).unwrap()),
        heap: Heap::parse(std::fs::read(heap).unwrap(), u32::MAX).unwrap(),
        classes: Vec::new(),
    }
}

fn restore(jdk: &Path, built: &Built, option: &str, snapshot: &Snapshot, folder: &Path) -> String {
    let file = folder.join("plan");
    std::fs::write(&file, plan(snapshot, 0, PlanOptions::default()).unwrap()).unwrap();
    run(java(jdk, built)
        .arg(option)
        .args(["State", "restore"])
        .arg(file))
}

#[test]
fn statics_thread_locals_and_entry_values_come_back_into_live_objects() {
    let folder = tempfile::tempdir().unwrap();
    let built = built();
    for jdk in jdks() {
        let snapshot = capture(&jdk, built, folder.path());
        assert_eq!(
            restore(&jdk, built, "-Dwhole", &snapshot, folder.path()),
            ""
        );
        let said = restore(&jdk, built, "-Dbroken", &snapshot, folder.path());
        assert!(
            said.starts_with(
                "the statics of State$Broken are left out: the class cannot be initialised here"
            ) && said.lines().count() == 1,
            "{said}"
        );
    }
}

#[test]
fn a_class_that_is_gone_is_named_and_a_field_that_is_gone_is_noted() {
    let folder = tempfile::tempdir().unwrap();
    let built = built();
    let jdk = &jdks()[0];
    let mut heap = HeapBuilder::new();
    let gone = heap.class(&ClassSpec {
        name: "com.acme.Gone",
        ..ClassSpec::default()
    });
    let changed = heap.class(&ClassSpec {
        name: "Mirror$Changed",
        fields: &[
            ("kept", "I"),
            ("renamed", "J"),
            ("retyped", "Ljava/lang/String;"),
        ],
        ..ClassSpec::default()
    });
    let lost = heap.instance(gone, &[]);
    let half = heap.instance(changed, &[Value::Int(3), Value::Long(4), Value::Null]);
    let heap = Heap::parse(heap.finish(), 10).unwrap();
    let try_with = |id: ObjectId| {
        let snapshot = Snapshot {
            manifest: manifest(&[Value::Ref(id)]),
            heap: heap.clone(),
            classes: Vec::new(),
        };
        let file = folder.path().join("plan");
        std::fs::write(&file, plan(&snapshot, 0, PlanOptions::default()).unwrap()).unwrap();
        run(java(jdk, built).arg("Mirror").arg(file))
    };
    assert_eq!(
        try_with(lost),
        "argument 1 cannot be restored: class com.acme.Gone is not on the class path \
         (java.lang.ClassNotFoundException: com.acme.Gone)\n"
    );
    assert_eq!(
        try_with(half),
        "Mirror$Changed kept=3 renamedNow=0 retyped=null\n\
         field Mirror$Changed.renamed (J) does not exist here; its captured value is left out\n\
         field Mirror$Changed.retyped (Ljava/lang/String;) does not exist here; its captured value is left out\n"
    );
}

/// An array of objects whose records lie about them.
fn forged() -> (Heap, ObjectId) {
    let mut heap = HeapBuilder::new();
    let object = heap.class(&ClassSpec {
        name: "java.lang.Object",
        ..ClassSpec::default()
    });
    let list = heap.class(&ClassSpec {
        name: "java.util.ArrayList",
        fields: &[("elementData", "[Ljava/lang/Object;"), ("size", "I")],
        ..ClassSpec::default()
    });
    let buffer = heap.class(&ClassSpec {
        name: "java.nio.Buffer",
        fields: &[
            ("position", "I"),
            ("limit", "I"),
            ("capacity", "I"),
            ("address", "J"),
        ],
        ..ClassSpec::default()
    });
    let bytes = heap.class(&ClassSpec {
        name: "java.nio.ByteBuffer",
        super_class: Some(buffer),
        fields: &[("hb", "[B"), ("offset", "I")],
        ..ClassSpec::default()
    });
    let in_heap = heap.class(&ClassSpec {
        name: "java.nio.HeapByteBuffer",
        super_class: Some(bytes),
        ..ClassSpec::default()
    });
    let direct = heap.class(&ClassSpec {
        name: "java.nio.DirectByteBuffer",
        super_class: Some(bytes),
        ..ClassSpec::default()
    });
    let string = heap.class(&ClassSpec {
        name: "java.lang.String",
        ..ClassSpec::default()
    });
    let class = heap.class(&ClassSpec {
        name: "java.lang.Class",
        ..ClassSpec::default()
    });
    let array = heap.class(&ClassSpec {
        name: "[Ljava.lang.Integer;",
        ..ClassSpec::default()
    });
    let holder = heap.class(&ClassSpec {
        name: "[Ljava.lang.Object;",
        ..ClassSpec::default()
    });
    let crossed = heap.class(&ClassSpec {
        name: "Mirror$Changed",
        super_class: Some(list),
        fields: &[("kept", "I")],
        ..ClassSpec::default()
    });
    let text = heap.string(string, "not an array");
    let items = [
        heap.instance(object, &[]),
        heap.instance(list, &[Value::Ref(text), Value::Int(1 << 30)]),
        heap.instance(
            in_heap,
            &[
                Value::Int(0),
                Value::Int(1 << 30),
                Value::Int(1 << 30),
                Value::Long(4096),
                Value::Null,
                Value::Int(0),
            ],
        ),
        heap.instance(
            direct,
            &[
                Value::Int(0),
                Value::Int(1 << 30),
                Value::Int(1 << 30),
                Value::Long(4096),
                Value::Null,
                Value::Int(0),
            ],
        ),
        heap.instance(string, &[]),
        heap.instance(class, &[]),
        heap.array(array, true, &[Value::Ref(text)]),
        heap.enum_constant(object, "NONE", &[]),
        heap.well_known(object, object, "nothing"),
        heap.instance(
            crossed,
            &[Value::Ref(text), Value::Int(1 << 30), Value::Int(7)],
        ),
    ];
    let items: Vec<Value> = items.into_iter().map(Value::Ref).collect();
    let root = heap.array(holder, true, &items);
    (Heap::parse(heap.finish(), 100).unwrap(), root)
}

#[test]
fn a_forged_snapshot_cannot_break_the_jvms_type_safety() {
    let folder = tempfile::tempdir().unwrap();
    let built = built();
    for jdk in jdks() {
        let (heap, root) = forged();
        let snapshot = Snapshot {
            manifest: manifest(&[Value::Ref(root)]),
            heap,
            classes: Vec::new(),
        };
        let file = folder.path().join("plan");
        std::fs::write(&file, plan(&snapshot, 0, PlanOptions::default()).unwrap()).unwrap();
        let said = run(java(&jdk, built).arg("Mirror").arg(file));
        assert!(
            said.starts_with(
                "[Ljava.lang.Object; Object, [], empty buffer, null, null, null, [null], null, null, kept=7 renamedNow=0 retyped=null"
            ),
            "{said}"
        );
        assert!(said.contains("does not fit where"), "{said}");
    }
}

#[test]
fn a_graph_beyond_the_budgets_is_cut_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let built = built();
    for jdk in jdks() {
        for (arguments, limit) in [
            (
                ["1000", "1000000000", "60000"],
                "the budget of 1000 objects was reached",
            ),
            (
                ["10000000", "3000000", "60000"],
                "the budget of 2 MB was reached",
            ),
            (
                ["10000000", "1000000000", "0"],
                "the budget of 0 ms was reached",
            ),
        ] {
            let file = folder.path().join("heap");
            let said = run(java(&jdk, built).arg("Budget").arg(&file).args(arguments));
            assert!(said.starts_with(limit), "{said}");
            let heap = Heap::parse(std::fs::read(&file).unwrap(), u32::MAX).unwrap();
            assert!(
                heap.objects().any(|o| o.kind == recrash_heap::Kind::Cut),
                "{said}"
            );
        }
        // A Java heap that is nearly full: less is captured, and no OutOfMemoryError disturbs the program.
        let file = folder.path().join("heap");
        let said = run(java(&jdk, built)
            .args(["-Xmx48m", "-XX:+ExitOnOutOfMemoryError", "Budget"])
            .arg(&file)
            .args(["10000000", "1000000000", "60000"]));
        assert!(
            said.starts_with("the program's Java heap had no room for more"),
            "{said}"
        );
        Heap::parse(std::fs::read(&file).unwrap(), u32::MAX).unwrap();
    }
}
