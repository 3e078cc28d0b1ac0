//! Classes whose objects never change once they are made.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use recrash_classfile::{access, text};

use super::is_constructor;
use crate::body::{Body, Step, Var};
use crate::call_graph::CallGraph;
use crate::class::Class;
use crate::ids::{ClassId, FieldId};
use crate::program::Program;
use crate::slots::Slot;

const VOLATILE: u16 = 0x0040;

/// Final classes of the JDK that are immutable though some of them cache a hash.
const OF_JDK: [&str; 18] = [
    "java/lang/String",
    "java/lang/Boolean",
    "java/lang/Byte",
    "java/lang/Character",
    "java/lang/Short",
    "java/lang/Integer",
    "java/lang/Long",
    "java/lang/Float",
    "java/lang/Double",
    "java/util/UUID",
    "java/util/Locale",
    "java/time/Instant",
    "java/time/Duration",
    "java/time/LocalDate",
    "java/time/LocalTime",
    "java/time/LocalDateTime",
    "java/time/ZonedDateTime",
    "java/time/Period",
];
/// Classes to extend that have no state an heir could see changing.
const ROOTS: [&str; 3] = ["java/lang/Object", "java/lang/Enum", "java/lang/Record"];

/// Internal names of the application's immutable classes. A class is one if no field is written but by constructors, to
/// their own object, and every field holds a primitive or an object of an immutable class that has no mutable heirs.
pub(super) fn immutable(program: &Program, graph: &CallGraph) -> BTreeSet<String> {
    let late = written_late(program, graph);
    let classes: HashMap<ClassId, Arc<Class>> = program
        .class_path()
        .application()
        .iter()
        .filter_map(|name| program.class(program.class_id(name)))
        .map(|class| (class.id, class))
        .collect();
    let known: HashSet<ClassId> = OF_JDK
        .iter()
        .chain(&ROOTS)
        .map(|name| program.class_id(name.as_bytes()))
        .collect();
    let mut found: HashSet<ClassId> = classes
        .values()
        .filter(|class| !class.is_interface() && keeps_fields(class, &late))
        .map(|class| class.id)
        .collect();
    // Taken out until what is left holds only what is left: classes that hold each other may both stay.
    loop {
        let has_mutable_heir: HashSet<ClassId> = classes
            .values()
            .filter(|class| !found.contains(&class.id))
            .flat_map(|class| program.hierarchy().superclasses(class.id))
            .collect();
        let out: Vec<ClassId> = found
            .iter()
            .copied()
            .filter(|id| {
                let class = classes.get(id);
                !class.is_some_and(|class| {
                    let above = class.super_class;
                    let above_is_fine =
                        above.is_none_or(|above| found.contains(&above) || known.contains(&above));
                    above_is_fine
                        && class
                            .fields
                            .iter()
                            .filter(|field| !field.is_static())
                            .all(|field| {
                                let selector = program.selector(field.selector);
                                let descriptor = selector.map(|selector| selector.descriptor);
                                match descriptor.as_deref() {
                                    Some([b'L', name @ .., b';']) => {
                                        let ty = program.class_id(name);
                                        let holds =
                                            found.contains(&ty) && !has_mutable_heir.contains(&ty);
                                        let of_jdk = known.contains(&ty) && !is_root(name);
                                        holds || of_jdk
                                    }
                                    Some([b'[', ..]) | None => false,
                                    Some(_) => true,
                                }
                            })
                })
            })
            .collect();
        if out.is_empty() {
            break;
        }
        for id in out {
            found.remove(&id);
        }
    }
    found
        .iter()
        .filter_map(|id| classes.get(id))
        .map(|class| text(&class.name))
        .collect()
}

fn is_root(name: &[u8]) -> bool {
    ROOTS.iter().any(|root| root.as_bytes() == name)
}

fn keeps_fields(class: &Class, late: &HashSet<FieldId>) -> bool {
    class
        .fields
        .iter()
        .filter(|field| !field.is_static())
        .all(|field| field.is(access::FINAL) || (!field.is(VOLATILE) && !late.contains(&field.id)))
}

/// Fields that are written elsewhere than by a constructor in the object it makes.
fn written_late(program: &Program, graph: &CallGraph) -> HashSet<FieldId> {
    let mut late = HashSet::new();
    for node in &graph.nodes {
        let Some(body) = &node.body else {
            continue;
        };
        let own = if is_constructor(program, node.callable) {
            receiver(body)
        } else {
            None
        };
        for step in &body.steps {
            if let Step::Store { base, slot, .. } = step
                && Some(*base) != own
                && let Slot::Field(field) = graph.slots().slot(*slot)
            {
                late.insert(field);
            }
        }
    }
    late
}

fn receiver(body: &Body) -> Option<Var> {
    body.steps.iter().find_map(|step| match step {
        Step::Parameter { to, number: 0 } => Some(*to),
        _ => None,
    })
}
