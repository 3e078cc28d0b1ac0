//! Where a test may start: the method of a frame, or what calls it where the test cannot.

use std::collections::HashSet;
use std::sync::Arc;

use recrash_program::{MethodId, Op, Program, Ssa};

use crate::entry::Entry;
use crate::lambda;
use crate::world::{CallKind, Callable, Maker, World, package_of};

/// Ways around methods that cannot be called are followed so far.
const MOST_STEPS: usize = 3;
const MOST_ENTRIES: usize = 24;

/// What a test can call to run one of `methods`, nearest first.
pub(crate) fn entries(world: &World<'_>, methods: &[MethodId]) -> Vec<Entry> {
    let program = world.program;
    let mut found: Vec<Entry> = Vec::new();
    let mut hidden: Vec<Entry> = Vec::new();
    let mut wanted: Vec<MethodId> = methods.to_vec();
    let mut seen: HashSet<MethodId> = methods.iter().copied().collect();
    for _ in 0..=MOST_STEPS {
        let mut out_of_reach = Vec::new();
        for method in &wanted {
            match callable(world, *method) {
                Some(callable) => {
                    let entry = Entry {
                        callable,
                        producers: Vec::new(),
                    };
                    // What calls it makes the better test.
                    if entry.callable.hidden {
                        out_of_reach.push(*method);
                        hidden.push(entry);
                    } else {
                        found.push(entry);
                    }
                }
                None => match from_producer(world, *method)
                    .or_else(|| lambda::handed_out(world, *method))
                {
                    Some(entry) => found.push(entry),
                    None => out_of_reach.push(*method),
                },
            }
        }
        if !found.is_empty() || out_of_reach.is_empty() {
            break;
        }
        wanted = callers(program, &out_of_reach)
            .into_iter()
            .filter(|caller| seen.insert(*caller))
            .collect();
    }
    found.truncate(MOST_ENTRIES);
    found.extend(hidden);
    found
}

/// The method as the test would call it; an abstract class's constructor or a private method it cannot.
fn callable(world: &World<'_>, method: MethodId) -> Option<Arc<Callable>> {
    let class = world.program.class(method.class)?;
    if !world.can_name(method.class) {
        return None;
    }
    let found = world.callable_of(&class, method)?;
    let makes_receiver =
        found.kind != CallKind::Instance || !world.makers(&found.owner).ways.is_empty();
    makes_receiver.then_some(found)
}

/// A method of a class without a name, through the class or interface that it is handed out as: `iterator().remove()`.
fn from_producer(world: &World<'_>, id: MethodId) -> Option<Entry> {
    let program = world.program;
    let method = program.method(id).filter(|method| !method.is_static())?;
    let hidden = program.class(id.class)?;
    let callable = program
        .hierarchy()
        .supertypes(id.class)
        .into_iter()
        .filter(|above| world.can_name(*above))
        .filter_map(|above| program.class(above))
        .find_map(|above| {
            let declared = above.method(method.selector)?.id;
            world.callable_of(&above, declared)
        })?;
    let mut producers = Vec::new();
    for candidate in program.class_path().application() {
        if package_of(candidate) != hidden.package() {
            continue;
        }
        let Some(class) = program.class(program.class_id(candidate)) else {
            continue;
        };
        for maker in world.callables(&class).iter() {
            let Ok(Some(ssa)) = Ssa::of(program, maker.method) else {
                continue;
            };
            let makes = |op: &Op| matches!(op, Op::New(made) if *made == hidden.id);
            let hands_out = world
                .class_of(&maker.result)
                .is_some_and(|result| program.hierarchy().is_subtype(hidden.id, result));
            if hands_out && ssa.values.iter().any(|value| makes(&value.op)) {
                producers.push(Maker::Call(Arc::clone(maker)));
            }
        }
    }
    (!producers.is_empty()).then_some(Entry {
        callable,
        producers,
    })
}

/// Methods of the same class, the classes around and inside it, and its package that call one of these.
fn callers(program: &Program, wanted: &[MethodId]) -> Vec<MethodId> {
    let mut found = Vec::new();
    let mut classes = Vec::new();
    for one in wanted {
        found.extend(lambda::hosts(program, *one));
        let name = program.class_name(one.class);
        let package = package_of(&name).to_vec();
        for candidate in program.class_path().application() {
            if package_of(candidate) == package {
                classes.push(program.class_id(candidate));
            }
        }
    }
    classes.sort_unstable();
    classes.dedup();
    for class in classes.into_iter().filter_map(|class| program.class(class)) {
        for method in &class.methods {
            let Ok(Some(ssa)) = Ssa::of(program, method.id) else {
                continue;
            };
            let calls = ssa.values.iter().any(|value| match &value.op {
                Op::Invoke { method: called, .. } => wanted.iter().any(|one| {
                    program
                        .method(*one)
                        .is_some_and(|one| one.selector == called.selector)
                        && program.hierarchy().is_subtype(one.class, called.class)
                }),
                _ => false,
            });
            if calls {
                found.push(method.id);
            }
        }
    }
    found
}
