//! Files that are no snapshots, or no longer.

use crate::trouble::support::{assert_one_line, crash, run, stderr, stdout};
use recrash_heap::{ClassSpec, HeapBuilder, Snapshot, Value, write_parts};
use std::ffi::OsStr;
use std::io::Write;
use std::path::Path;

fn refused(path: &Path) -> String {
    let shown = assert_one_line(&run([OsStr::new("show"), path.as_os_str()]), 1);
    let tested = assert_one_line(&run([OsStr::new("tests"), path.as_os_str()]), 1);
    assert_eq!(shown, tested);
    shown
}

#[test]
fn a_file_that_does_not_exist_is_named() {
    let text = refused(Path::new("/nowhere/crash.recrash"));
    assert!(text.contains("/nowhere/crash.recrash"), "{text}");
}

#[test]
fn a_file_of_another_kind_is_refused() {
    let (_folder, path) = crash().copy();
    for bytes in [
        b"".as_slice(),
        b"not a snapshot",
        b"\xca\xfe\xba\xbe\0\0\0\x3d",
    ] {
        std::fs::write(&path, bytes).unwrap();
        let text = refused(&path);
        assert!(text.contains("crash.recrash"), "{text}");
    }
}

#[test]
fn a_truncated_snapshot_is_refused_wherever_it_ends() {
    let (_folder, path) = crash().copy();
    let whole = std::fs::read(&path).unwrap();
    for part in 1..16 {
        std::fs::write(&path, &whole[..whole.len() * part / 16]).unwrap();
        refused(&path);
    }
}

#[test]
fn a_flipped_bit_is_refused_or_harmless_and_never_a_panic() {
    let (_folder, path) = crash().copy();
    let whole = std::fs::read(&path).unwrap();
    let mut refusals = 0;
    for step in 0..64 {
        let mut bytes = whole.clone();
        let at = whole.len() * step / 64;
        bytes[at] ^= 1 << (step % 8);
        std::fs::write(&path, &bytes).unwrap();
        let output = run([OsStr::new("show"), path.as_os_str()]);
        if output.status.success() {
            assert_eq!(stderr(&output), "");
        } else {
            assert_one_line(&output, 1);
            refusals += 1;
        }
    }
    assert!(
        refusals > 32,
        "only {refusals} of 64 flipped bits were noticed"
    );
}

#[test]
fn a_snapshot_of_a_newer_format_says_what_to_do() {
    let snapshot = Snapshot::read(&crash().snapshot).unwrap();
    let (_folder, path) = crash().copy();
    let mut manifest = snapshot.manifest.clone();
    manifest.format = 99;
    write_parts(&path, &manifest, &[snapshot.heap.bytes()], &[]).unwrap();
    let text = refused(&path);
    assert!(
        text.contains("format 99") && text.contains("newer recrash"),
        "{text}"
    );
}

#[test]
fn a_zip_that_claims_to_be_huge_is_refused_without_being_unpacked() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bomb.recrash");
    let mut zip = zip::ZipWriter::new(std::fs::File::create(&path).unwrap());
    let options = zip::write::SimpleFileOptions::default();
    zip.start_file("manifest.json", options).unwrap();
    zip.write_all(b"{}").unwrap();
    zip.start_file("heap.bin", options).unwrap();
    zip.write_all(b"RCHP").unwrap();
    zip.finish().unwrap();
    // The sizes in the central directory are the stranger's word (APPNOTE 4.3.12): here four gigabytes each.
    let mut bytes = std::fs::read(&path).unwrap();
    let entries: Vec<usize> = (0..bytes.len() - 4)
        .filter(|at| bytes[*at..].starts_with(b"PK\x01\x02"))
        .collect();
    for at in entries {
        bytes[at + 24..at + 28].copy_from_slice(&0xffff_fff0u32.to_le_bytes());
    }
    std::fs::write(&path, bytes).unwrap();
    let text = refused(&path);
    assert!(text.contains("limit"), "{text}");
}

#[test]
fn a_million_nested_arrays_are_shown_to_a_bounded_depth() {
    let mut builder = HeapBuilder::new();
    let class = builder.class(&ClassSpec {
        name: "[Ljava.lang.Object;",
        ..ClassSpec::default()
    });
    for id in 2..=1_000_000 {
        builder.array(class, true, &[Value::Ref(recrash_heap::ObjectId(id))]);
    }
    builder.array(class, true, &[Value::Ref(recrash_heap::ObjectId(1))]);
    let heap = builder.finish();
    let mut manifest = Snapshot::read(&crash().snapshot).unwrap().manifest;
    manifest.statics.clear();
    manifest.thread_locals.clear();
    for frame in manifest
        .frames
        .iter_mut()
        .filter_map(|frame| frame.captured.as_mut())
    {
        frame.receiver = Value::Ref(recrash_heap::ObjectId(1));
        frame.arguments.clear();
        frame.patches.clear();
    }
    for throwable in &mut manifest.throwables {
        throwable.object = recrash_heap::ObjectId(1);
    }
    let (_folder, path) = crash().copy();
    write_parts(&path, &manifest, &[&heap], &[]).unwrap();
    let output = run([OsStr::new("show"), path.as_os_str()]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).lines().count() < 200);
}

#[test]
fn a_negative_array_length_is_refused() {
    let mut builder = HeapBuilder::new();
    let class = builder.class(&ClassSpec {
        name: "[I",
        ..ClassSpec::default()
    });
    builder.array(class, false, &[Value::Int(7)]);
    let mut heap = builder.finish();
    // The array is the last record: four bytes of length, four of its element.
    let at = heap.len() - 8;
    heap[at..at + 4].copy_from_slice(&(-1i32).to_le_bytes());
    let manifest = Snapshot::read(&crash().snapshot).unwrap().manifest;
    let (_folder, path) = crash().copy();
    write_parts(&path, &manifest, &[&heap], &[]).unwrap();
    let text = refused(&path);
    assert!(text.contains("negative"), "{text}");
}

#[test]
fn terminal_escapes_in_a_snapshot_are_shown_and_not_obeyed() {
    let snapshot = Snapshot::read(&crash().snapshot).unwrap();
    let (_folder, path) = crash().copy();
    let mut manifest = snapshot.manifest.clone();
    manifest.thread.name = "\x1b]0;owned\x07\x1b[2J".into();
    manifest.throwables[0].message = Some("\x1b[31mred\r\nsecond line".into());
    write_parts(&path, &manifest, &[snapshot.heap.bytes()], &[]).unwrap();
    let text = stdout(&run([OsStr::new("show"), path.as_os_str()]));
    assert!(
        !text.contains('\x1b') && !text.contains('\x07') && !text.contains('\r'),
        "{text}"
    );
    assert!(text.contains("\\u001b]0;owned"), "{text}");
}
