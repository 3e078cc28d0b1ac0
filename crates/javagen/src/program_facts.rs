//! Facts about classes, read from the program's class path and the JDK: for engines that write source without a snapshot.

use crate::oracle::{ClassFacts, Remembered, TypeOracle};
use recrash_program::Program;

/// The answers of a program, remembered.
pub struct ProgramFacts<'p> {
    program: &'p Program,
    known: Remembered,
}

impl<'p> ProgramFacts<'p> {
    pub fn of(program: &'p Program) -> ProgramFacts<'p> {
        ProgramFacts {
            program,
            known: Remembered::default(),
        }
    }

    fn read(&self, class: &str) -> Option<ClassFacts> {
        let name = class.replace('.', "/");
        let bytes = self.program.class_path().read(name.as_bytes());
        ClassFacts::read(&bytes.ok()??).ok()
    }

    /// Whether a value of one class can be given where the other is wanted; internal names.
    pub fn is_subtype(&self, class: &str, other: &str) -> bool {
        let class = self.program.class_id(class.as_bytes());
        let other = self.program.class_id(other.as_bytes());
        self.program.hierarchy().is_subtype(class, other)
    }
}

impl TypeOracle for ProgramFacts<'_> {
    fn facts(&self, class: &str) -> Option<ClassFacts> {
        self.known.or_read(class, |class| self.read(class))
    }
}
