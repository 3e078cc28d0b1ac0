//! Reading and writing loses nothing, and moving code by nothing changes nothing.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use crate::support;

use recrash_classfile::{
    Attribute, ClassFile, ClassPatch, Entry, Frames, Insertion, PoolAppender, read_classes,
};
use recrash_classfile::{Budget, JarEntry};
use support::{entry_of, insert, jdk_classes, jdks, subjects};

/// Every class of the subjects and of the core of one JDK.
fn all_classes() -> Vec<JarEntry> {
    let folder = tempfile::tempdir().unwrap();
    let jdk = jdk_classes(jdks().last().unwrap(), "java.base", folder.path());
    let jars = subjects().into_iter().chain([jdk]);
    jars.flat_map(|jar| read_classes(&jar, Budget::default()).unwrap())
        .collect()
}

/// Attribute for attribute; stack maps by what they say, because some compilers do not use the shortest form.
fn assert_same_code(name: &str, before: &ClassFile<'_>, after: &ClassFile<'_>) {
    let mut pool = PoolAppender::new(&after.pool);
    for (old, new) in before.methods.iter().zip(&after.methods) {
        let (Some(old_code), Some(new_code)) =
            (before.code(old).unwrap(), after.code(new).unwrap())
        else {
            continue;
        };
        assert_eq!(old_code.bytes, new_code.bytes, "{name}");
        assert!(old_code.handlers().eq(new_code.handlers()), "{name}");
        let old_attributes = old_code.attributes.iter(&before.pool).map(Result::unwrap);
        let new_attributes = new_code.attributes.iter(&after.pool).map(Result::unwrap);
        for (one, other) in old_attributes.zip(new_attributes) {
            if one.name == b"StackMapTable" && before.major >= 50 {
                let Entry::Locals(initial) = entry_of(after, new, &mut pool).unwrap() else {
                    continue;
                };
                let frames = |table: Attribute<'_>| {
                    Frames::read(table.info, initial.clone())
                        .unwrap()
                        .collect()
                        .unwrap()
                };
                assert_eq!(frames(one), frames(other), "{name}");
            } else {
                assert_eq!((one.name, one.info), (other.name, other.info), "{name}");
            }
        }
        assert_eq!(
            old_code.attributes.len(),
            new_code.attributes.len(),
            "{name}"
        );
    }
}

#[test]
fn what_is_read_and_written_is_the_same_bytes() {
    for entry in all_classes() {
        let class = ClassFile::read(&entry.bytes)
            .unwrap_or_else(|defect| panic!("{}: {defect}", entry.name));
        let written = ClassPatch::new(&class).finish(&PoolAppender::new(&class.pool));
        assert!(written == entry.bytes, "{}", entry.name);
    }
}

#[test]
fn moving_code_by_nothing_changes_nothing() {
    let mut methods = 0;
    for entry in all_classes() {
        let (bytes, moved) = insert(&entry.bytes, |_| {
            vec![Insertion {
                pc: 0,
                code: Vec::new(),
                joined: false,
            }]
        });
        methods += moved;
        let (before, after) = (
            ClassFile::read(&entry.bytes).unwrap(),
            ClassFile::read(&bytes).unwrap(),
        );
        assert_same_code(&entry.name, &before, &after);
    }
    println!("{methods} methods");
}
