//! Classes that travel with a snapshot: through the container, into a JVM, and what becomes of forged ones.
use crate::support::jvm;
use crate::support::manifest as synthetic;

use jvm::{Built, built, java, jdks, reference, run};
use recrash_heap::{
    CarriedClass, ClassSpec, Crash, Error, Heap, HeapBuilder, Limits, PlanOptions, Snapshot, Value,
    class_table, plan,
};
use std::path::Path;
use synthetic::manifest;

const MADE: &str = "Mirror$Tailored";

fn carried(name: &str, bytes: &[u8]) -> CarriedClass {
    CarriedClass {
        name: name.to_owned(),
        bytes: bytes.to_vec(),
    }
}

/// One object of the class `MADE`, which no JVM has.
fn snapshot(classes: Vec<CarriedClass>) -> Snapshot {
    let mut heap = HeapBuilder::new();
    let made = heap.class(&ClassSpec {
        name: MADE,
        fields: &[("kept", "I")],
        ..ClassSpec::default()
    });
    let object = heap.instance(made, &[Value::Int(3)]);
    Snapshot {
        manifest: manifest(&[reference(object.0)]),
        heap: Heap::parse(heap.finish(), 10).unwrap(),
        classes,
    }
}

/// The class file of `Mirror$Template` under the name `MADE`, as a generator would make it.
fn made(built: &Built) -> Vec<u8> {
    let mut bytes = std::fs::read(built.programs.join("Mirror$Template.class")).unwrap();
    let (old, new) = (b"Template", b"Tailored");
    while let Some(at) = bytes.windows(old.len()).position(|window| window == old) {
        bytes[at..at + old.len()].copy_from_slice(new);
    }
    bytes
}

#[test]
fn classes_keep_their_order_and_stay_with_a_copy_that_has_looks() {
    let folder = tempfile::tempdir().unwrap();
    let snapshot = snapshot(vec![carried("z.Above", b"one"), carried("a.Below$$1", b"")]);
    let file = folder.path().join("x.recrash");
    snapshot.write(&file).unwrap();
    assert_eq!(Snapshot::read(&file).unwrap(), snapshot);
    let names = snapshot.classes.iter().map(|class| class.name.as_str());
    assert_eq!(names.collect::<Vec<_>>(), ["z.Above", "a.Below$$1"]);
    let mut crash = Crash::read(&file).unwrap();
    assert!(crash.looks.is_empty());
    assert!(crash.path.is_absolute());
    crash.looks.insert(0, snapshot.clone());
    let copy = folder.path().join("copy.recrash");
    crash.write(&copy).unwrap();
    assert_eq!(Crash::read(&copy).unwrap().looks, crash.looks);
    assert_eq!(Snapshot::read(&copy).unwrap(), snapshot);
    assert_eq!(Snapshot::read_for_frame(&copy, 0).unwrap(), snapshot);
}

#[test]
fn more_class_bytes_than_the_limit_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("x.recrash");
    let large = vec![0; 600];
    snapshot(vec![carried("A", &large), carried("B", &large)])
        .write(&file)
        .unwrap();
    let limits = Limits {
        class_bytes: 1000,
        ..Limits::default()
    };
    assert_eq!(
        Snapshot::read_within(&file, &limits),
        Err(Error::OverLimit {
            part: "its classes",
            unit: "bytes",
            found: 600,
            limit: 400,
        })
    );
}

#[test]
fn the_class_table_is_read_from_pieces_of_any_size() {
    let snapshot = snapshot(Vec::new());
    for size in [1, 7, 1000] {
        let pieces: Vec<&[u8]> = snapshot.heap.bytes().chunks(size).collect();
        assert_eq!(class_table(&pieces).unwrap(), snapshot.heap.classes());
    }
    assert!(class_table(&[]).is_err());
}

fn planned(folder: &Path, snapshot: &Snapshot) -> std::path::PathBuf {
    let file = folder.join("plan");
    std::fs::write(&file, plan(snapshot, 0, PlanOptions::default()).unwrap()).unwrap();
    file
}

#[test]
fn a_class_that_the_test_does_not_know_is_defined_and_a_known_one_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let built = built();
    let classes = vec![
        carried(MADE, &made(built)),
        carried("Mirror", b"never used"),
    ];
    for jdk in jdks() {
        let file = planned(folder.path(), &snapshot(classes.clone()));
        let said = run(java(&jdk, built).arg("Mirror").arg(file));
        assert_eq!(said, "Mirror$Tailored kept=3\n");
    }
}

#[test]
fn a_class_that_the_jvm_refuses_is_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let built = built();
    let jdk = &jdks()[0];
    let refusal = |bytes: &[u8]| {
        let file = planned(folder.path(), &snapshot(vec![carried(MADE, bytes)]));
        run(java(jdk, built).arg("Mirror").arg(file))
    };
    let sentence = "argument 1 cannot be restored: class Mirror$Tailored, which travels with the snapshot, cannot be \
                    defined here (java.lang.";
    for (bytes, error) in [
        (b"garbage".to_vec(), "ClassFormatError"),
        (Vec::new(), "ClassFormatError"),
        (
            std::fs::read(built.programs.join("Mirror$Changed.class")).unwrap(),
            "NoClassDefFoundError",
        ),
    ] {
        let said = refusal(&bytes);
        assert!(said.starts_with(&format!("{sentence}{error}")), "{said}");
    }
}

#[test]
fn a_class_changed_in_any_byte_is_restored_or_refused_and_never_ends_the_jvm() {
    let folder = tempfile::tempdir().unwrap();
    let built = built();
    let bytes = made(built);
    let snapshot = snapshot(vec![carried(MADE, &bytes)]);
    for jdk in jdks() {
        let file = planned(folder.path(), &snapshot);
        let plan = std::fs::read(&file).unwrap();
        let from = plan
            .windows(bytes.len())
            .position(|window| window == bytes)
            .unwrap();
        let said = run(java(&jdk, built)
            .arg("Forged")
            .arg(&file)
            .arg(from.to_string())
            .arg((from + bytes.len()).to_string()));
        assert_eq!(said, "true true true\n");
    }
}
