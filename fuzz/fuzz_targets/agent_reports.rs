//! `cargo fuzz run agent_reports fuzz/corpus/agent_reports`
//!
//! A report of the runtime that is accepted is written again as it was read.

#![no_main]

use libfuzzer_sys::fuzz_target;
use recrash_wire::record::Wire;
use recrash_wire::report::{Contents, Description, read};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(description) = read::<Description>(bytes) {
        assert_eq!(read(&description.encode()), Ok(description));
    }
    if let Ok(contents) = read::<Contents>(bytes) {
        assert_eq!(read(&contents.encode()), Ok(contents));
    }
});
