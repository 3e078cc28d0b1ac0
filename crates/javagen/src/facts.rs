//! Facts read from class files.

use crate::oracle::{ClassFacts, MethodFacts, Nesting};
use recrash_classfile::{Attribute, ClassFile, Error, dotted, text};

impl ClassFacts {
    /// The facts of a class file.
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        let class = ClassFile::read(bytes)?;
        let mut facts = ClassFacts {
            access: class.access,
            nesting: Nesting::TopLevel,
            superclass: class.super_name.map(dotted),
            interfaces: class
                .interfaces
                .iter()
                .map(|index| class.pool.class_name(*index).map(dotted))
                .collect::<Result<_, _>>()?,
            methods: class
                .methods
                .iter()
                .map(|method| MethodFacts {
                    name: text(method.name),
                    descriptor: text(method.descriptor),
                    access: method.access,
                })
                .collect(),
            generic: false,
        };
        if let Some(signature) = class.attributes.find(&class.pool, b"Signature")? {
            // `<T:Ljava/lang/Object;>Ljava/lang/Object;` (JVMS 4.7.9.1): type parameters come first.
            let index = u16_at(signature.info, 0).unwrap_or(0);
            facts.generic = class
                .pool
                .utf8(index)
                .is_ok_and(|text| text.starts_with(b"<"));
        }
        if let Some(attribute) = class.attributes.find(&class.pool, b"InnerClasses")? {
            facts.nest(&class, &attribute);
        }
        Ok(facts)
    }

    /// Takes over the class's own entry of `InnerClasses` (JVMS 4.7.6).
    fn nest(&mut self, class: &ClassFile<'_>, attribute: &Attribute<'_>) {
        let entries = attribute.info.get(2..).unwrap_or_default();
        for entry in entries.chunks_exact(8) {
            let field = |at| u16_at(entry, at).unwrap_or(0);
            if class.pool.class_name(field(0)).ok() != Some(class.name) {
                continue;
            }
            self.access = field(6);
            let outer = class.pool.class_name(field(2)).map(dotted);
            let name = class.pool.utf8(field(4)).map(text);
            self.nesting = match (outer, name) {
                (Ok(outer), Ok(name)) => Nesting::Member { outer, name },
                _ => Nesting::Unnameable,
            };
        }
    }
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    let pair = bytes.get(at..at + 2)?;
    Some(u16::from_be_bytes(pair.try_into().ok()?))
}
