//! `cargo fuzz run agent_options fuzz/corpus/agent_options`
//!
//! Options that are accepted are written again as they were read.

#![no_main]

use libfuzzer_sys::fuzz_target;
use recrash_wire::options::{read, write};

fuzz_target!(|text: &str| {
    let options: Vec<_> = read(text).flatten().collect();
    let again: Result<Vec<_>, _> = read(&write(&options)).collect();
    assert_eq!(again, Ok(options));
});
