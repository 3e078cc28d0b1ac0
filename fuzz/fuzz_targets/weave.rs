//! `cargo fuzz run weave fuzz/corpus/weave fuzz/seeds/class`
//!
//! Any bytes are woven or left alone, and what was woven is a class file again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use recrash_classfile::ClassFile;
use recrash_weave::{Policy, Woven, weave};

fuzz_target!(|bytes: &[u8]| {
    let Woven::Changed { bytes: woven, .. } = weave(bytes, 40_000, &Policy::everything()) else { return };
    let before = ClassFile::read(bytes).expect("what was woven can be read");
    let after = ClassFile::read(&woven).expect("a woven class can be read");
    for (old, new) in before.methods.iter().zip(&after.methods) {
        assert_eq!(before.code(old).is_ok(), after.code(new).is_ok());
    }
});
