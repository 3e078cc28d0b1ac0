//! Why a snapshot was taken, in files of today and of before.

#![allow(clippy::unwrap_used, reason = "a test ends at the first surprise")]

use crate::support::manifest;

use recrash_heap::manifest::{CAPTURE_POINT, Cause, ObjectId, ThrowableInfo};
use recrash_heap::{Entered, Heap, HeapBuilder, Manifest, Snapshot, Value};
use std::fs::File;
use std::io::Write;
use std::path::Path;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

fn thrown(class: &str) -> ThrowableInfo {
    ThrowableInfo {
        class: class.to_owned(),
        message: Some("checkout".to_owned()),
        object: ObjectId(0),
        trace: vec![],
    }
}

fn snapshot(manifest: Manifest) -> Snapshot {
    Snapshot {
        manifest,
        heap: Heap::parse(HeapBuilder::new().finish(), 1).unwrap(),
        classes: vec![],
    }
}

/// A file whose manifest is this text.
fn written(path: &Path, manifest: &str) -> Snapshot {
    let mut zip = ZipWriter::new(File::create(path).unwrap());
    let options = SimpleFileOptions::default();
    zip.start_file("manifest.json", options).unwrap();
    zip.write_all(manifest.as_bytes()).unwrap();
    zip.start_file("heap.bin", options).unwrap();
    zip.write_all(&HeapBuilder::new().finish()).unwrap();
    zip.finish().unwrap();
    Snapshot::read(path).unwrap()
}

/// As version 0.1.0 wrote it, before there were causes.
const BEFORE: &str = r#"{
    "format": 1, "recrash": "0.1.0", "label": null, "session": null, "captured_at": 1, "fingerprint": "1a2b3c4d5e6f7081",
    "throwables": [{"class": "CLASS", "message": "checkout", "object": 0, "trace": [
        {"class": "app.Main", "method": "main", "file": "Main.java", "line": 5, "module": null}]}],
    "thread": {"name": "main", "id": 1, "daemon": false, "virtual": false},
    "frames": [{"throwable": 0,
        "element": {"class": "app.Main", "method": "main", "file": "Main.java", "line": 5, "module": null},
        "captured": {"descriptor": "([Ljava/lang/String;)V", "access": 9, "place": "body", "receiver": "null",
            "arguments": [{"name": "args", "descriptor": "[Ljava/lang/String;", "value": "null"}],
            "patches": [], "reads": [], "class_hash": null, "source": null}}],
    "frames_total": 1, "statics": [], "thread_locals": [],
    "environment": {"java_home": "/jdk", "java_version": "17", "class_path": [], "module_path": [], "jvm_arguments": [],
        "working_directory": "/", "locale": "en", "time_zone": "UTC", "charset": "UTF-8", "system_properties": []},
    "limits": [], "unwoven": []
}"#;

#[test]
fn a_snapshot_of_before_is_a_crash_or_a_capture_point() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("before.recrash");
    let crash = written(&path, &BEFORE.replace("CLASS", "java.lang.Error"));
    assert_eq!(crash.manifest.cause, Cause::Crash);
    assert_eq!(crash.manifest.frames.len(), 1);
    let point = written(&path, &BEFORE.replace("CLASS", CAPTURE_POINT));
    assert_eq!(point.manifest.cause, Cause::Point);
    assert_eq!(point.manifest.throwables[0].label(), Some("checkout"));
}

#[test]
fn every_cause_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cause.recrash");
    for cause in [Cause::Crash, Cause::Point, Cause::Entry] {
        let mut manifest = manifest::manifest(&[]);
        manifest.cause = cause;
        let written = snapshot(manifest);
        written.write(&path).unwrap();
        assert_eq!(Snapshot::read(&path).unwrap(), written);
    }
}

#[test]
fn an_entry_is_looked_at_in_the_place_of_a_frame_of_the_crash() {
    let mut entry = manifest::manifest(&[Value::Int(7)]);
    entry.cause = Cause::Entry;
    entry.limits = vec!["of the entry".to_owned()];
    let entry = snapshot(entry);
    let mut crash = manifest::manifest(&[Value::Int(9)]);
    crash.throwables = vec![thrown("java.lang.Error")];
    crash.frames.insert(0, crash.frames[0].clone());
    let look = Entered::of(&entry).unwrap().look(&crash, 1).manifest;
    assert_eq!(look.cause, Cause::Entry);
    assert_eq!(look.throwables, crash.throwables);
    assert_eq!(look.limits, ["of the entry"]);
    assert_eq!(look.frames[0].captured, None);
    let captured = look.frames[1].captured.as_ref().unwrap();
    assert_eq!(captured.arguments[0].value, Value::Int(7));
}

#[test]
fn a_crash_is_no_entry() {
    assert!(Entered::of(&snapshot(manifest::manifest(&[]))).is_none());
}
