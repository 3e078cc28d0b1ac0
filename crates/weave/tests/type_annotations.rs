//! Type annotations in code (JVMS 4.7.20) still mean the same instructions after these have moved. The seed has every kind of
//! target there is in code; another reader of class files says what they are.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use crate::support;

use std::path::Path;

use recrash_classfile::{ClassFile, JarEntry};
use ristretto_classfile::attributes::{Attribute, TargetType};
use support::move_apart;

/// Each annotation with the instructions, not the pcs, that it is about.
fn described(bytes: &[u8]) -> Vec<String> {
    let class = ristretto_classfile::ClassFile::from_bytes(bytes).unwrap();
    let own = ClassFile::read(bytes).unwrap();
    let mut lines = Vec::new();
    for (method, member) in class.methods.iter().zip(&own.methods) {
        let Some(code) = own.code(member).unwrap() else {
            continue;
        };
        // What a pc means: which instruction it is, `nop`s not counted.
        let real = |pc: u16| {
            let instructions = code.instructions().map(Result::unwrap);
            let before =
                instructions.filter(|found| found.pc < usize::from(pc) && found.opcode != 0);
            before.count()
        };
        let attributes = method
            .attributes
            .iter()
            .filter_map(|attribute| match attribute {
                Attribute::Code { attributes, .. } => Some(attributes),
                _ => None,
            });
        for attribute in attributes.flatten() {
            let Attribute::RuntimeVisibleTypeAnnotations {
                type_annotations, ..
            } = attribute
            else {
                continue;
            };
            for annotation in type_annotations {
                let target = match &annotation.target_type {
                    TargetType::LocalVar {
                        target_type,
                        local_variable_targets,
                    } => {
                        let ranges = local_variable_targets.iter().map(|range| {
                            (
                                real(range.start_pc),
                                real(range.start_pc + range.length),
                                range.index,
                            )
                        });
                        format!("{target_type:#x} {:?}", ranges.collect::<Vec<_>>())
                    }
                    TargetType::Offset {
                        target_type,
                        offset,
                    } => format!("{target_type:#x} at {}", real(*offset)),
                    TargetType::TypeArgument {
                        target_type,
                        offset,
                        type_argument_index,
                    } => {
                        format!(
                            "{target_type:#x} at {} {type_argument_index}",
                            real(*offset)
                        )
                    }
                    other => format!("{other:?}"),
                };
                lines.push(format!(
                    "{target} {:?} {:?}",
                    annotation.type_path, annotation.elements
                ));
            }
        }
    }
    lines
}

#[test]
fn type_annotations_move_with_their_instructions() {
    for seed in ["type-annotations-17", "type-annotations-25"] {
        let seed = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../fuzz/seeds/class")
            .join(seed);
        let mut entry = JarEntry {
            name: "Annotated.class".to_owned(),
            bytes: std::fs::read(seed).unwrap(),
        };
        let before = described(&entry.bytes);
        let targets = ["0x40", "Catch", "0x43", "0x44", "0x46", "0x47"];
        for target in targets {
            assert!(
                before.iter().any(|line| line.contains(target)),
                "{target} is not in the seed: {before:#?}"
            );
        }
        let plain = entry.bytes.clone();
        assert!(move_apart(&mut entry) > 2 && entry.bytes != plain);
        assert_eq!(described(&entry.bytes), before);
    }
}
