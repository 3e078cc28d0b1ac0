//! Numbers, texts and classes that stand in code.

use std::collections::BTreeSet;

use recrash_classfile::text;
use recrash_program::{ClassId, Constant, Op, Program, Ssa};

/// Sorted, so that the same code gives the same programs.
#[derive(Debug, Default)]
pub(crate) struct Constants {
    pub(crate) integers: BTreeSet<i64>,
    pub(crate) texts: BTreeSet<String>,
    pub(crate) doubles: Vec<f64>,
    /// Classes that the code casts to or asks for, by descriptor.
    pub(crate) types: BTreeSet<String>,
    /// Classes that the code names as objects, by descriptor.
    pub(crate) classes: BTreeSet<String>,
}

impl Constants {
    /// All of a method.
    pub(crate) fn add(&mut self, program: &Program, ssa: &Ssa) {
        self.add_values(ssa);
        let descriptor = |class: ClassId| {
            let name = text(&program.class_name(class));
            if name.starts_with('[') {
                name
            } else {
                format!("L{name};")
            }
        };
        for value in &ssa.values {
            match &value.op {
                Op::Constant(Constant::Class(class)) => {
                    self.classes.insert(descriptor(*class));
                }
                Op::Cast { class, .. } | Op::InstanceOf { class, .. } => {
                    self.types.insert(descriptor(*class));
                }
                _ => {}
            }
        }
    }

    /// Numbers and texts only: classes of other code mean nothing here.
    pub(crate) fn add_values(&mut self, ssa: &Ssa) {
        for value in &ssa.values {
            match &value.op {
                Op::Constant(Constant::Int(number)) => {
                    self.integers.insert(i64::from(*number));
                }
                Op::Constant(Constant::Long(number)) => {
                    self.integers.insert(*number);
                }
                Op::Constant(Constant::Float(number)) => self.doubles.push(f64::from(*number)),
                Op::Constant(Constant::Double(number)) => self.doubles.push(*number),
                Op::Constant(Constant::String(string)) => {
                    self.texts.insert(text(string));
                }
                _ => {}
            }
        }
    }
}
