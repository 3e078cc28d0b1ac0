//! `cargo fuzz run jar_reader fuzz/corpus/jar_reader fuzz/seeds/jar`
//!
//! A hostile jar costs no more memory than the budget says.

#![no_main]

use libfuzzer_sys::fuzz_target;
use recrash_classfile::{Budget, read_entries};
use std::io::Write;

fuzz_target!(|bytes: &[u8]| {
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
    file.write_all(bytes).expect("room in the temporary folder");
    let budget = Budget { entries: 1000, entry_bytes: 1 << 20, total_bytes: 4 << 20 };
    if let Ok(entries) = read_entries(file.path(), budget, |_| true) {
        assert!(entries.iter().map(|entry| entry.bytes.len()).sum::<usize>() <= 4 << 20);
    }
});
