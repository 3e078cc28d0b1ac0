//! What the generator must know about classes to write source that compiles, and nothing more.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};

/// Answers about the classes on the class path. A class the oracle does not know is treated as inaccessible,
/// which costs readability (`frame.invoke()` instead of a call) but never a compile error.
pub trait TypeOracle {
    /// `class` is a binary name with dots, `com.acme.Order$Line`.
    fn facts(&self, class: &str) -> Option<ClassFacts>;

    /// Whether a test may lie in the package of `class`: the JVM refuses it where a jar is signed or sealed.
    fn opens_package_of(&self, _class: &str) -> bool {
        true
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ClassFacts {
    /// `access_flags`; for a nested class those of its `InnerClasses` entry, which alone know `private` and `static`.
    pub access: u16,
    pub nesting: Nesting,
    pub superclass: Option<String>,
    pub interfaces: Vec<String>,
    pub methods: Vec<MethodFacts>,
    /// Whether the class declares type parameters.
    pub generic: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Nesting {
    #[default]
    TopLevel,
    /// A member class: its outer class and its own simple name.
    Member { outer: String, name: String },
    /// Local, anonymous or hidden: no source outside can name it.
    Unnameable,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MethodFacts {
    pub name: String,
    pub descriptor: String,
    pub access: u16,
}

/// Access flags (JVMS 4.1, 4.6).
pub(crate) mod flags {
    pub(crate) const PUBLIC: u16 = 0x0001;
    pub(crate) const PRIVATE: u16 = 0x0002;
    pub(crate) const STATIC: u16 = 0x0008;
    pub(crate) const BRIDGE: u16 = 0x0040;
    pub(crate) const INTERFACE: u16 = 0x0200;
    pub(crate) const ABSTRACT: u16 = 0x0400;
    pub(crate) const SYNTHETIC: u16 = 0x1000;
    pub(crate) const ENUM: u16 = 0x4000;
}

/// What was asked before, for oracles that read class files: each class is read once.
#[derive(Debug, Default)]
pub struct Remembered {
    known: RefCell<HashMap<String, Option<ClassFacts>>>,
}

impl Remembered {
    pub fn or_read(
        &self,
        class: &str,
        read: impl FnOnce(&str) -> Option<ClassFacts>,
    ) -> Option<ClassFacts> {
        if let Some(known) = self.known.borrow().get(class) {
            return known.clone();
        }
        let facts = read(class);
        self.known
            .borrow_mut()
            .insert(class.to_owned(), facts.clone());
        facts
    }
}

/// An oracle over a fixed list, for programs that know their classes already.
impl TypeOracle for BTreeMap<String, ClassFacts> {
    fn facts(&self, class: &str) -> Option<ClassFacts> {
        self.get(class).cloned()
    }
}

/// How a call by name would be dispatched, as far as the class path tells.
pub struct Hierarchy<'a> {
    pub oracle: &'a dyn TypeOracle,
}

impl Hierarchy<'_> {
    /// Whether calling `name``descriptor`, declared by `declared`, on an object of `dynamic` runs `declared`'s code.
    pub(crate) fn runs_declared(
        &self,
        dynamic: &str,
        declared: &str,
        name: &str,
        descriptor: &str,
    ) -> bool {
        if dynamic == declared {
            return true;
        }
        let declared_is_interface = self
            .oracle
            .facts(declared)
            .is_some_and(|facts| facts.access & flags::INTERFACE != 0);
        let mut class = dynamic.to_owned();
        for _ in 0..MAX_DEPTH {
            if class == declared {
                return true;
            }
            let Some(facts) = self.oracle.facts(&class) else {
                // Object ends the chain of every class that inherits a default method.
                return declared_is_interface && class == "java.lang.Object";
            };
            let overrides = facts
                .methods
                .iter()
                .any(|method| method.name == name && method.descriptor == descriptor);
            // An interface of the class may override the default method of another; not worth resolving here.
            let may_inherit_elsewhere = declared_is_interface
                && facts
                    .interfaces
                    .iter()
                    .any(|interface| interface != declared);
            if overrides || may_inherit_elsewhere {
                return false;
            }
            match facts.superclass {
                Some(superclass) => class = superclass,
                None => return false,
            }
        }
        false
    }

    /// The classes and interfaces above `class` that declare the method, nearest first, with its access there.
    pub(crate) fn supertypes_declaring(
        &self,
        class: &str,
        name: &str,
        descriptor: &str,
    ) -> Vec<(String, u16)> {
        let mut found = Vec::new();
        let mut pending = std::collections::VecDeque::from([class.to_owned()]);
        for _ in 0..MAX_DEPTH {
            let Some(next) = pending.pop_front() else {
                break;
            };
            let Some(facts) = self.oracle.facts(&next) else {
                continue;
            };
            let declared = facts
                .methods
                .iter()
                .find(|method| method.name == name && method.descriptor == descriptor);
            if let Some(method) = declared.filter(|_| next != class) {
                found.push((next, method.access));
            }
            pending.extend(facts.superclass);
            pending.extend(facts.interfaces);
        }
        found
    }

    /// Whether `name` with `arity` parameters is declared once only in `class` and everything above it.
    pub fn is_only_one(&self, class: &str, name: &str, arity: usize) -> bool {
        let mut found: Option<String> = None;
        let mut pending = vec![class.to_owned()];
        for _ in 0..MAX_DEPTH {
            let Some(class) = pending.pop() else {
                return true;
            };
            if class == "java.lang.Object" && !METHODS_OF_OBJECT_WITH_ARGUMENTS.contains(&name) {
                continue;
            }
            if WITHOUT_METHODS.contains(&class.as_str()) {
                continue;
            }
            let Some(facts) = self.oracle.facts(&class) else {
                return false;
            };
            for method in facts.methods.iter().filter(|method| method.name == name) {
                let same_arity = crate::descriptor::parameters(&method.descriptor).len() == arity;
                if same_arity
                    && *found.get_or_insert_with(|| method.descriptor.clone()) != method.descriptor
                {
                    return false;
                }
            }
            if name != "<init>" {
                pending.extend(facts.superclass);
                pending.extend(facts.interfaces);
            }
        }
        false
    }
}

/// Interfaces of the JDK, which is not on the class path, that only mark.
const WITHOUT_METHODS: &[&str] = &[
    "java.io.Serializable",
    "java.lang.Cloneable",
    "java.rmi.Remote",
    "java.util.EventListener",
    "java.util.RandomAccess",
];

const METHODS_OF_OBJECT_WITH_ARGUMENTS: &[&str] = &["equals", "wait"];

/// A class path from a stranger may hold a cyclic hierarchy.
const MAX_DEPTH: usize = 256;

#[cfg(test)]
mod tests {
    use super::*;

    fn class(superclass: &str, methods: &[(&str, &str)]) -> ClassFacts {
        ClassFacts {
            access: flags::PUBLIC,
            superclass: Some(superclass.into()),
            methods: methods
                .iter()
                .map(|&(name, descriptor)| MethodFacts {
                    name: name.into(),
                    descriptor: descriptor.into(),
                    access: flags::PUBLIC,
                })
                .collect(),
            ..ClassFacts::default()
        }
    }

    #[test]
    fn an_override_below_the_frame_hides_the_captured_method() {
        let classes = BTreeMap::from([
            (
                "Base".to_owned(),
                class("java.lang.Object", &[("run", "()V")]),
            ),
            ("Plain".to_owned(), class("Base", &[])),
            ("Override".to_owned(), class("Plain", &[("run", "()V")])),
            ("Loop".to_owned(), class("Loop", &[])),
        ]);
        let hierarchy = Hierarchy { oracle: &classes };
        assert!(hierarchy.runs_declared("Plain", "Base", "run", "()V"));
        assert!(!hierarchy.runs_declared("Override", "Base", "run", "()V"));
        assert!(!hierarchy.runs_declared("Unknown", "Base", "run", "()V"));
        assert!(!hierarchy.runs_declared("Loop", "Base", "run", "()V"));
    }

    #[test]
    fn overloads_count_through_the_whole_hierarchy() {
        let classes = BTreeMap::from([
            (
                "Base".to_owned(),
                class("java.lang.Object", &[("put", "(I)V"), ("get", "(I)V")]),
            ),
            (
                "Sub".to_owned(),
                class("Base", &[("put", "(Ljava/lang/String;)V"), ("get", "(I)V")]),
            ),
        ]);
        let hierarchy = Hierarchy { oracle: &classes };
        assert!(!hierarchy.is_only_one("Sub", "put", 1));
        assert!(hierarchy.is_only_one("Sub", "get", 1));
        assert!(!hierarchy.is_only_one("Missing", "get", 1));
    }
}
