//! The application's classes by what is above them.

use std::collections::HashMap;

use recrash_program::{ClassId, Program};

/// The application's classes by what they directly extend and implement.
pub(crate) type Subclasses = HashMap<ClassId, Vec<ClassId>>;

pub(crate) fn subclasses(program: &Program) -> Subclasses {
    let mut below: Subclasses = HashMap::new();
    for name in program.class_path().application() {
        let Some(class) = program.class(program.class_id(name)) else {
            continue;
        };
        for &above in class.super_class.iter().chain(&class.interfaces) {
            below.entry(above).or_default().push(class.id);
        }
    }
    below
}
