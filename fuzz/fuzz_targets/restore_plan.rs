//! `cargo fuzz run restore_plan fuzz/corpus/restore_plan`
//!
//! A restore plan that is accepted is written again as it was read.

#![no_main]

use libfuzzer_sys::fuzz_target;
use recrash_wire::plan::Plan;

fuzz_target!(|bytes: &[u8]| {
    let Ok(plan) = Plan::decode(bytes) else { return };
    let written = plan.encode();
    assert_eq!(Plan::decode(&written).as_ref(), Ok(&plan));
});
