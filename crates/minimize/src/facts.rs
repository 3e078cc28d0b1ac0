//! What writes source asks about classes, answered by the program: the JDK's classes included.

use recrash_javagen::{ClassFacts, Remembered, TypeOracle};
use recrash_program::Program;

pub(crate) struct Facts<'p> {
    program: &'p Program,
    known: Remembered,
}

impl<'p> Facts<'p> {
    pub(crate) fn of(program: &'p Program) -> Facts<'p> {
        Facts {
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
    pub(crate) fn is_subtype(&self, class: &str, other: &str) -> bool {
        let class = self.program.class_id(class.as_bytes());
        let other = self.program.class_id(other.as_bytes());
        self.program.hierarchy().is_subtype(class, other)
    }
}

impl TypeOracle for Facts<'_> {
    fn facts(&self, class: &str) -> Option<ClassFacts> {
        self.known.or_read(class, |class| self.read(class))
    }
}
