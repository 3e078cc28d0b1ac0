//! The program's classes and methods by what they give.

use std::collections::HashMap;

use recrash_classfile::access;
use recrash_program::{ClassId, MethodId, Program};

use crate::stand_in::StandIns;

/// What makes what, in the whole program, whoever may use it.
#[derive(Debug, Default)]
pub(crate) struct Index {
    /// Classes that objects can be of, below each of their supertypes.
    implementers: HashMap<ClassId, Vec<ClassId>>,
    /// Static methods by the class they give back.
    pub(super) factories: HashMap<ClassId, Vec<MethodId>>,
    /// Methods of objects by the class they give back.
    pub(super) getters: HashMap<ClassId, Vec<MethodId>>,
    pub(super) stand_ins: StandIns,
}

impl Index {
    /// Threads have each their own.
    pub(crate) fn of(program: &Program, thread: usize) -> Index {
        let mut index = Index {
            stand_ins: StandIns::of_thread(thread),
            ..Index::default()
        };
        for name in program.class_path().application() {
            let Some(class) = program.class(program.class_id(name)) else {
                continue;
            };
            if class.is_concrete() {
                for above in program.hierarchy().supertypes(class.id) {
                    index.implementers.entry(above).or_default().push(class.id);
                }
            }
            for method in &class.methods {
                if method.is(access::PRIVATE | access::SYNTHETIC) {
                    continue;
                }
                let Some(selector) = program.selector(method.selector) else {
                    continue;
                };
                let result = selector.descriptor.rsplit(|byte| *byte == b')').next();
                if let Some([b'L', made @ .., b';']) = result {
                    let made = program.class_id(made);
                    let known = if method.is_static() {
                        &mut index.factories
                    } else {
                        &mut index.getters
                    };
                    known.entry(made).or_default().push(method.id);
                }
            }
        }
        index
    }

    /// Classes that objects can be of, below this one.
    pub(crate) fn implementers(&self, class: ClassId) -> &[ClassId] {
        self.implementers.get(&class).map_or(&[], Vec::as_slice)
    }
}
