//! Class facts from a class path, each class read once.

use recrash_javagen::{ClassFacts, TypeOracle};
use recrash_jvm::ClassPath;
use std::cell::RefCell;
use std::collections::BTreeMap;

pub(crate) struct ClassPathOracle<'a> {
    class_path: &'a ClassPath,
    feature: u32,
    known: RefCell<BTreeMap<String, Option<ClassFacts>>>,
}

impl<'a> ClassPathOracle<'a> {
    pub(crate) fn new(class_path: &'a ClassPath, feature: u32) -> Self {
        ClassPathOracle {
            class_path,
            feature,
            known: RefCell::default(),
        }
    }

    fn read(&self, class: &str) -> Option<ClassFacts> {
        // What cannot be read is as good as absent here; running the frame has told the user already.
        let origin = self.class_path.find_class(class, self.feature).ok()??;
        ClassFacts::read(&origin.bytes).ok()
    }
}

impl TypeOracle for ClassPathOracle<'_> {
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
    fn opens_package_of(&self, class: &str) -> bool {
        let closed = self.class_path.closes_package_of(class, self.feature);
        !closed.unwrap_or_default()
    }
}
