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
}

impl TypeOracle for Facts<'_> {
    fn facts(&self, class: &str) -> Option<ClassFacts> {
        self.known.or_read(class, |class| self.read(class))
    }
}
