//! A second opinion: another JVM's class file verifier, written from the specification, judges the structure of woven
//! classes: constants, attributes, tables that point at instructions. (Types are the JVM's business, see `jvm.rs`:
//! ristretto 0.31 keeps instruction numbers where its own bytecode verifier expects offsets.)

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use crate::support;

use recrash_classfile::{Budget, read_classes};
use recrash_weave::{Policy, Strategy, Woven, weave};
use ristretto_classfile::ClassFile;
use support::{compile, jdks, sources, subjects};

fn accepts(bytes: &[u8]) -> Result<(), String> {
    let class = ClassFile::from_bytes(bytes).map_err(|defect| format!("{defect:?}"))?;
    class.verify().map_err(|defect| format!("{defect:?}"))
}

#[test]
fn ristretto_refuses_a_handler_inside_an_instruction_so_it_can_be_trusted() {
    let folder = tempfile::tempdir().unwrap();
    let classes = compile(
        &jdks()[0],
        folder.path(),
        &[],
        &[sources().join("Kinds.java")],
    );
    let bytes = std::fs::read(classes.join("Kinds.class")).unwrap();
    let Woven::Changed { mut bytes, .. } = weave(&bytes, 40_000, &Policy::everything()) else {
        panic!("not woven")
    };
    assert_eq!(accepts(&bytes), Ok(()));
    // The guard of the last handler: `pop; aload_?; athrow`, an exception table of two entries, both catching all.
    let table = bytes
        .windows(5)
        .rposition(|code| code[0] == 0x57 && code[2..] == [0xbf, 0, 2])
        .unwrap()
        + 5;
    bytes[table + 5] += 2;
    assert_ne!(accepts(&bytes), Ok(()));
}

#[test]
fn whatever_ristretto_accepted_it_accepts_woven() {
    let undo = Policy {
        strategy: Strategy::Undo { hot: false },
        ..Policy::everything()
    };
    let gives_way = Policy {
        gives_way: true,
        ..undo.clone()
    };
    let policies = [Policy::everything(), undo, gives_way];
    let mut judged = 0;
    for subject in subjects() {
        for entry in read_classes(&subject, Budget::default()).unwrap() {
            if accepts(&entry.bytes).is_err() {
                continue;
            }
            // By turns, because it is slow; the JVM's verifier sees all of both.
            let policy = &policies[judged % 2];
            let Woven::Changed { bytes, .. } = weave(&entry.bytes, 40_000, policy) else {
                continue;
            };
            judged += 1;
            assert_eq!(
                accepts(&bytes),
                Ok(()),
                "{} of {} with {}",
                entry.name,
                subject.display(),
                policy.strategy
            );
        }
    }
    println!("{judged} classes judged");
}
