//! Who extends whom, and which member a name means (JVMS 5.4.3, 5.4.6).

use std::collections::HashSet;

use recrash_classfile::access;

use crate::class::{Class, Method};
use crate::ids::{ClassId, FieldId, SelectorId};
use crate::program::Program;

const PUBLIC_OR_PROTECTED: u16 = access::PUBLIC | 0x0004;

/// Questions about classes in relation to each other.
#[derive(Debug, Clone, Copy)]
pub struct Hierarchy<'p> {
    program: &'p Program,
}

impl Program {
    pub fn hierarchy(&self) -> Hierarchy<'_> {
        Hierarchy { program: self }
    }
}

impl Hierarchy<'_> {
    /// The class, its superclass, and so on.
    pub fn superclasses(self, class: ClassId) -> Vec<ClassId> {
        let mut found = Vec::new();
        let mut next = Some(class);
        // A circle of superclasses is refused by the JVM; here it only has to end.
        while let Some(class) = next.filter(|class| !found.contains(class)) {
            found.push(class);
            next = self
                .program
                .class(class)
                .and_then(|class| class.super_class);
        }
        found
    }

    /// The class and everything it can be cast to, superclasses first.
    pub fn supertypes(self, class: ClassId) -> Vec<ClassId> {
        let mut found = self.superclasses(class);
        let mut seen: HashSet<ClassId> = found.iter().copied().collect();
        let mut at = 0;
        while let Some(&next) = found.get(at) {
            at += 1;
            for interface in self.program.class(next).iter().flat_map(|c| &c.interfaces) {
                if seen.insert(*interface) {
                    found.push(*interface);
                }
            }
        }
        found
    }

    /// Whether `class` is `other` or below it. Arrays are below `Object` and the two interfaces of arrays.
    pub fn is_subtype(self, class: ClassId, other: ClassId) -> bool {
        if class == other {
            return true;
        }
        if self.program.class_name(class).first() == Some(&b'[') {
            return matches!(
                &*self.program.class_name(other),
                b"java/lang/Object" | b"java/lang/Cloneable" | b"java/io/Serializable"
            );
        }
        self.supertypes(class).contains(&other)
    }

    /// The nearest class above both; interfaces and arrays meet in `java.lang.Object`.
    pub fn common_superclass(self, one: ClassId, other: ClassId) -> ClassId {
        let above = self.superclasses(one);
        self.superclasses(other)
            .into_iter()
            .find(|class| above.contains(class))
            .unwrap_or_else(|| self.program.class_id(b"java/lang/Object"))
    }

    /// The class in which members of `class` are looked up: arrays have those of `Object`.
    fn holder(self, class: ClassId) -> ClassId {
        if self.program.class_name(class).first() == Some(&b'[') {
            self.program.class_id(b"java/lang/Object")
        } else {
            class
        }
    }

    /// The field that `selector` means in `class` (JVMS 5.4.3.2).
    pub fn resolve_field(self, class: ClassId, selector: SelectorId) -> Option<FieldId> {
        for class in self.superclasses(class) {
            let class = self.program.class(class)?;
            if let Some(field) = class.field(selector) {
                return Some(field.id);
            }
            for interface in &class.interfaces {
                if let Some(field) = self.resolve_field(*interface, selector) {
                    return Some(field);
                }
            }
        }
        None
    }

    /// The method that `selector` means in `class` (JVMS 5.4.3.3, 5.4.3.4).
    pub fn resolve_method(self, class: ClassId, selector: SelectorId) -> Option<Method> {
        let class = self.holder(class);
        for class in self.superclasses(class) {
            let class = self.program.class(class)?;
            if let Some(method) = class.method(selector) {
                return Some(*method);
            }
        }
        self.default_method(class, selector).or_else(|| {
            let object = self.program.find("java/lang/Object")?;
            object.method(selector).copied()
        })
    }

    /// A method of a superinterface, one with code and most specific if there is one.
    fn default_method(self, class: ClassId, selector: SelectorId) -> Option<Method> {
        let mut found: Option<Method> = None;
        for above in self.supertypes(class) {
            let Some(above) = self.program.class(above).filter(|c| c.is_interface()) else {
                continue;
            };
            let Some(method) = above.method(selector) else {
                continue;
            };
            if method.is(access::PRIVATE | access::STATIC) {
                continue;
            }
            let better = match found {
                None => true,
                Some(known) if known.has_code() => {
                    method.has_code() && self.is_subtype(method.id.class, known.id.class)
                }
                Some(_) => method.has_code(),
            };
            if better {
                found = Some(*method);
            }
        }
        found
    }

    /// The method that runs when `resolved` is called on an object of exactly `receiver` (JVMS 5.4.6).
    pub fn select_method(self, receiver: ClassId, resolved: &Method) -> Option<Method> {
        if resolved.is(access::PRIVATE) {
            return Some(*resolved);
        }
        for class in self.superclasses(self.holder(receiver)) {
            let class = self.program.class(class)?;
            if let Some(method) = class.method(resolved.selector)
                && !method.is(access::STATIC | access::PRIVATE)
                && self.overrides(&class, method, resolved)
            {
                return Some(*method);
            }
        }
        self.default_method(receiver, resolved.selector)
    }

    /// A package-private method is overridden from its own package only.
    fn overrides(self, class: &Class, method: &Method, resolved: &Method) -> bool {
        method.id == resolved.id
            || resolved.is(PUBLIC_OR_PROTECTED)
            || self
                .program
                .class(resolved.id.class)
                .is_some_and(|declaring| declaring.package() == class.package())
    }
}
