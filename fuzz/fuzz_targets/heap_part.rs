//! `cargo fuzz run heap_part fuzz/corpus/heap_part fuzz/seeds/heap`
//!
//! A heap part that is accepted has no reference into nowhere, and every object of it can be looked at.

#![no_main]

use libfuzzer_sys::fuzz_target;
use recrash_heap::{Heap, ObjectId};

fuzz_target!(|bytes: &[u8]| {
    let Ok(heap) = Heap::parse(bytes.to_vec(), 100_000) else { return };
    assert_eq!(heap.objects().count() as u32, heap.len());
    for id in 1..=heap.len() {
        heap.each_reference(ObjectId(id), |target| assert!(target <= heap.len()));
    }
});
