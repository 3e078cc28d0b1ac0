//! Every method of real jars has control flow and an SSA form that keep their promises.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use crate::support;

use std::path::Path;

use rayon::prelude::*;
use recrash_program::{Cfg, Class, Program, Ssa};
use support::{jars, program};

/// What is wrong with a class, and how many methods were looked at.
fn judge(program: &Program, class: &Class) -> (usize, Vec<String>) {
    let mut defects = Vec::new();
    let mut count = 0;
    let file = class.file().unwrap();
    for method in &class.methods {
        let name = program.method_text(method.id);
        let Some(code) = file
            .code(&file.methods[usize::from(method.id.index)])
            .unwrap()
        else {
            continue;
        };
        count += 1;
        match Cfg::of(&code) {
            Ok(cfg) => defects.extend(flow_defects(&cfg).map(|defect| format!("{name}: {defect}"))),
            Err(defect) => defects.push(format!("{name}: {defect}")),
        }
        match Ssa::of(program, method.id) {
            Ok(Some(ssa)) => {
                let found = ssa.defects(program);
                defects.extend(found.iter().map(|defect| format!("{name}: {defect}")));
            }
            Ok(None) => defects.push(format!("{name} lost its code")),
            Err(defect) => defects.push(format!("{name}: {defect}")),
        }
    }
    (count, defects)
}

/// Edges agree in both directions, blocks are not empty, and only the last instruction of a block leaves it.
fn flow_defects(cfg: &Cfg<'_>) -> impl Iterator<Item = &'static str> {
    let mut found = Vec::new();
    for id in cfg.ids() {
        let block = cfg.block(id).unwrap();
        if block.instructions.is_empty() != (id.0 == 0) {
            found.push("an empty block");
        }
        for next in &block.successors {
            let back = &cfg.block(*next).unwrap().predecessors;
            if !back.iter().any(|edge| edge.from == id && !edge.exceptional) {
                found.push("an edge without its way back");
            }
        }
        for edge in &block.predecessors {
            let from = cfg.block(edge.from).unwrap();
            let forth = if edge.exceptional {
                from.handlers.iter().any(|handler| handler.block == id)
            } else {
                from.successors.contains(&id)
            };
            if !forth {
                found.push("a way back without its edge");
            }
        }
        let leaves_early = block
            .instructions
            .iter()
            .rev()
            .skip(1)
            .any(recrash_classfile::Instruction::is_branch);
        if leaves_early {
            found.push("a branch inside a block");
        }
    }
    found.into_iter()
}

/// Judges every `step`-th class.
fn judge_all(program: &Program, names: &[&[u8]], step: usize) -> usize {
    let judged: Vec<(usize, Vec<String>)> = names
        .par_iter()
        .step_by(step)
        .filter_map(|name| program.class(program.class_id(name)))
        .map(|class| judge(program, &class))
        .collect();
    let defects: Vec<&String> = judged.iter().flat_map(|(_, defects)| defects).collect();
    assert!(
        defects.is_empty(),
        "{} defects: {:#?}",
        defects.len(),
        &defects[..defects.len().min(20)]
    );
    judged.iter().map(|(count, _)| count).sum()
}

/// All classes with RECRASH_TEST_ALL, a sample without: the whole takes minutes in a build for debugging.
fn step(sample: usize) -> usize {
    if std::env::var_os("RECRASH_TEST_ALL").is_some() {
        1
    } else {
        sample.max(1)
    }
}

#[test]
fn methods_of_every_jar_have_a_well_formed_ssa_form() {
    for jar in jars() {
        let program = program(&[&jar]);
        let names = program.class_path().application();
        let methods = judge_all(&program, &names, step(names.len().div_ceil(100)));
        println!(
            "{}: {methods} methods of {} classes",
            jar.display(),
            names.len()
        );
        assert_eq!(
            program.problems(),
            Vec::<String>::new(),
            "{}",
            jar.display()
        );
    }
}

#[test]
fn methods_of_the_jdk_have_a_well_formed_ssa_form() {
    let program = program(&[] as &[&Path]);
    let names = program.class_path().jdk();
    assert!(judge_all(&program, &names, step(40)) > 1000);
}
