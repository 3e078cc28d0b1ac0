//! `cargo fuzz run snapshot fuzz/corpus/snapshot fuzz/seeds/snapshot`
//!
//! A stranger's .recrash file is read within its limits; every frame of what is accepted can be planned or says why not.

#![no_main]

use libfuzzer_sys::fuzz_target;
use recrash_heap::{Limits, PlanOptions, Snapshot, plan};
use std::io::Cursor;
use std::path::Path;

fuzz_target!(|bytes: &[u8]| {
    let limits = Limits { entries: 8, manifest_bytes: 1 << 20, heap_bytes: 4 << 20, objects: 100_000, class_bytes: 1 << 20 };
    let Ok(snapshot) = Snapshot::read_from(Cursor::new(bytes), Path::new("fuzz"), &limits) else { return };
    for frame in 0..snapshot.manifest.frames.len().min(4) {
        let _ = plan(&snapshot, frame, PlanOptions::default());
    }
});
