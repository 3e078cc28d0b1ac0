//! What writes source asks about classes, answered by the program: the JDK's classes included.

use std::cell::RefCell;
use std::collections::HashMap;

use recrash_javagen::{ClassFacts, TypeOracle};
use recrash_program::Program;

/// Each class is read once.
pub(crate) struct Facts<'p> {
    program: &'p Program,
    known: RefCell<HashMap<String, Option<ClassFacts>>>,
}

impl<'p> Facts<'p> {
    pub(crate) fn of(program: &'p Program) -> Facts<'p> {
        Facts {
            program,
            known: RefCell::default(),
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
        if let Some(known) = self.known.borrow().get(class) {
            return known.clone();
        }
        let facts = self.read(class);
        self.known
            .borrow_mut()
            .insert(class.to_owned(), facts.clone());
        facts
    }
}
