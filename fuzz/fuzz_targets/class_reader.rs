//! `cargo fuzz run class_reader fuzz/corpus/class_reader fuzz/seeds/class`
//!
//! Everything the reader offers is asked for; what it accepts must be written back byte for byte.

#![no_main]

use libfuzzer_sys::fuzz_target;
use recrash_classfile::{ClassFile, ClassPatch, Frames, MethodType, PoolAppender};

fuzz_target!(|bytes: &[u8]| {
    let Ok(class) = ClassFile::read(bytes) else { return };
    for method in &class.methods {
        let _ = MethodType::read(method.descriptor);
        let Ok(Some(code)) = class.code(method) else { continue };
        for instruction in code.instructions().flatten() {
            instruction.targets().for_each(drop);
        }
        for attribute in code.attributes.iter(&class.pool).flatten() {
            if attribute.name == b"StackMapTable" {
                let _ = Frames::read(attribute.info, Vec::new()).and_then(Frames::collect);
            }
        }
    }
    assert_eq!(ClassPatch::new(&class).finish(&PoolAppender::new(&class.pool)), bytes);
});
