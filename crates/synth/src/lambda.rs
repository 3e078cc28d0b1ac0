//! Code of lambdas: no test can call it by name, but somebody makes an object of it, hands it out, or calls it.

use std::sync::Arc;

use recrash_classfile::text;
use recrash_program::{CallSite, Class, ClassId, MethodId, Op, Program, SelectorId, Ssa, ValueId};

use crate::entry::Entry;
use crate::world::{Callable, Constant, Maker, World};

/// Where an object is made whose method is the code of a lambda.
struct Made {
    /// The method that makes it.
    host: MethodId,
    value: ValueId,
    interface: ClassId,
    /// The interface's method.
    method: SelectorId,
    ssa: Ssa,
}

/// A call of the interface's method on an object that a method returns, or that a static field holds.
pub(crate) fn handed_out(world: &World<'_>, code: MethodId) -> Option<Entry> {
    let program = world.program;
    let class = program.class(code.class)?;
    let mut entry: Option<Entry> = None;
    for made in made(program, &class, code) {
        let producers = producers(world, &class, &made);
        let Some(callable) = callable(world, &made).filter(|_| !producers.is_empty()) else {
            continue;
        };
        match &mut entry {
            Some(entry) => entry.producers.extend(producers),
            None => {
                entry = Some(Entry {
                    callable,
                    producers,
                });
            }
        }
    }
    entry
}

/// Methods that make an object of the lambda, and those of its class that call what may be one.
pub(crate) fn hosts(program: &Program, code: MethodId) -> Vec<MethodId> {
    let Some(class) = program.class(code.class) else {
        return Vec::new();
    };
    let mut hosts = Vec::new();
    for made in made(program, &class, code) {
        hosts.push(made.host);
        for method in &class.methods {
            let Ok(Some(ssa)) = Ssa::of(program, method.id) else {
                continue;
            };
            let calls = ssa.values.iter().any(|value| {
                matches!(&value.op, Op::Invoke { method: called, .. }
                    if called.class == made.interface && called.selector == made.method)
            });
            if calls {
                hosts.push(method.id);
            }
        }
    }
    hosts
}

/// Compilers put the code of a lambda into the class that has it.
fn made(program: &Program, class: &Class, code: MethodId) -> Vec<Made> {
    let Some(wanted) = program.method(code).map(|method| method.selector) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for host in &class.methods {
        let Ok(Some(ssa)) = Ssa::of(program, host.id) else {
            continue;
        };
        let site = ssa.values.iter().enumerate().find_map(|(id, value)| {
            let Op::InvokeDynamic {
                site:
                    CallSite::Lambda {
                        interface,
                        method,
                        implementation,
                    },
                ..
            } = &value.op
            else {
                return None;
            };
            let named = implementation.method;
            let is_it = named.class == class.id && named.selector == wanted;
            is_it.then_some((ValueId(id as u32), *interface, *method))
        });
        if let Some((value, interface, method)) = site {
            found.push(Made {
                host: host.id,
                value,
                interface,
                method,
                ssa,
            });
        }
    }
    found
}

fn callable(world: &World<'_>, made: &Made) -> Option<Arc<Callable>> {
    let interface = world.program.class(made.interface)?;
    let declared = interface.method(made.method)?.id;
    world.callable_of(&interface, declared)
}

/// The method that makes it, if it gives out such objects, and static fields that it puts it into.
fn producers(world: &World<'_>, class: &Class, made: &Made) -> Vec<Maker> {
    let program = world.program;
    let mut producers = Vec::new();
    if let Some(host) = world.callable_of(class, made.host) {
        let result = world.class_of(&host.result);
        let fits = |result| program.hierarchy().is_subtype(made.interface, result);
        if result.is_some_and(fits) {
            producers.push(Maker::Call(host));
        }
    }
    let stores = made.ssa.values.iter().filter_map(|value| match &value.op {
        Op::PutStatic { field, value } if *value == made.value => Some(field),
        _ => None,
    });
    for field in stores.filter(|field| field.class == class.id) {
        let declared = class
            .fields
            .iter()
            .find(|declared| declared.selector == field.selector);
        let visible = declared.is_some_and(|field| world.admits(class, field.access));
        if let Some(selector) = program.selector(field.selector).filter(|_| visible) {
            producers.push(Maker::Constant(Arc::new(Constant {
                owner: world.descriptor_of(class.id),
                name: text(&selector.name).into(),
                ty: text(&selector.descriptor).into(),
            })));
        }
    }
    producers
}
