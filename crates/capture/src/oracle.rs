//! Class facts from a class path, each class read once.

use recrash_javagen::{ClassFacts, Remembered, TypeOracle};
use recrash_jvm::ClassPath;

pub(crate) struct ClassPathOracle<'a> {
    class_path: &'a ClassPath,
    feature: u32,
    known: Remembered,
}

impl<'a> ClassPathOracle<'a> {
    pub(crate) fn new(class_path: &'a ClassPath, feature: u32) -> Self {
        ClassPathOracle {
            class_path,
            feature,
            known: Remembered::default(),
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
        self.known.or_read(class, |class| self.read(class))
    }

    fn opens_package_of(&self, class: &str) -> bool {
        let closed = self.class_path.closes_package_of(class, self.feature);
        !closed.unwrap_or_default()
    }
}
