//! Builders: objects that gather what another object is made of, as far as their code can be read.
//!
//! Which method puts its parameter into which field of the builder, and which field of the builder ends up in which field
//! of the object, is read like what constructors do (`stores.rs`), and is checked the same way.

use super::classes::Classes;
use super::shape::{Builder, Member, MethodShape, Shape, Start, Step};
use super::stores::{Source, Stores, made_by, stores};
use crate::descriptor;
use recrash_classfile::{access, dotted};

impl Classes<'_> {
    /// The builders of a class; `shape` is its own.
    pub(crate) fn builders<'c>(&self, class: &str, shape: &'c Shape) -> &'c [Builder] {
        shape.builders.get_or_init(|| {
            let starts = self.starts(class, shape);
            starts
                .into_iter()
                .filter_map(|start| self.builder(class, start))
                .collect()
        })
    }

    fn starts(&self, class: &str, shape: &Shape) -> Vec<Start> {
        let mut starts = Vec::new();
        for (owner, above) in self.line(class) {
            let makers = above.methods.iter().filter(|method| {
                let result = descriptor::result_class(&method.descriptor);
                is(method, access::STATIC)
                    && result.is_some_and(|result| self.may_finish(&result, class))
            });
            starts.extend(makers.filter_map(|method| self.maker(&owner, method)));
        }
        for builder in named_builders(class, shape) {
            let Some(shape) = self.shape(&builder) else {
                continue;
            };
            if shape.access & access::ABSTRACT != 0 || !self.may_finish(&builder, class) {
                continue;
            }
            let made = self.constructors(&shape).iter();
            starts.extend(made.map(|constructor| Start {
                owner: builder.clone(),
                factory: constructor.factory.clone(),
                descriptor: constructor.descriptor.clone(),
                access: constructor.access,
                declared: builder.clone(),
                made: builder.clone(),
                stores: constructor.stores.clone(),
            }));
        }
        starts
    }

    /// Whether a class has a method without parameters that could answer with a `class`.
    fn may_finish(&self, builder: &str, class: &str) -> bool {
        let program = self.shape(builder).is_some_and(|shape| !shape.of_jdk);
        program
            && builder != class
            && self.line(builder).iter().any(|(_, shape)| {
                let mut methods = shape.methods.iter();
                !shape.of_jdk && methods.any(|method| self.could_finish(method, class))
            })
    }

    fn could_finish(&self, method: &MethodShape, class: &str) -> bool {
        method.descriptor.starts_with("()")
            && !is(method, access::STATIC)
            && !is(method, access::SYNTHETIC)
            && descriptor::result_class(&method.descriptor)
                .is_some_and(|result| result != "java.lang.Object" && self.is_a(class, &result))
    }

    fn maker(&self, owner: &str, method: &MethodShape) -> Option<Start> {
        let (made, found) = made_by(self.program, method.id)?;
        Some(Start {
            owner: owner.to_owned(),
            factory: Some(method.name.clone()),
            descriptor: method.descriptor.clone(),
            access: method.access,
            declared: descriptor::result_class(&method.descriptor)?,
            made: dotted(&self.program.class_name(made)),
            stores: found.fields,
        })
    }

    fn builder(&self, class: &str, start: Start) -> Option<Builder> {
        let line = self.line(&start.made);
        let own = || line.iter().filter(|(_, shape)| !shape.of_jdk);
        let methods = || own().flat_map(|(_, shape)| &shape.methods);
        let (finish, stores) = methods()
            .filter(|method| self.could_finish(method, class))
            .find_map(|method| {
                let (made, found) = made_by(self.program, method.id)?;
                let fits = dotted(&self.program.class_name(made)) == class;
                let seen = self.seen(&start.declared, method).filter(|_| fits)?;
                Some((seen, found.fields))
            })?;
        let steps = methods()
            .filter(|method| {
                method.name != "<init>"
                    && !is(method, access::STATIC)
                    && !is(method, access::SYNTHETIC)
                    && descriptor::parameters(&method.descriptor).len() == 1
            })
            .flat_map(|method| self.steps(&start.declared, method))
            .collect();
        Some(Builder {
            start,
            steps,
            finish,
            stores,
        })
    }

    fn steps(&self, declared: &str, method: &MethodShape) -> Vec<Step> {
        let Stores {
            fields, added_to, ..
        } = stores(self.program, method.id);
        let put = fields
            .into_iter()
            .filter(|(_, source)| *source == Source::Parameter(0))
            .map(|(slot, _)| (slot, false));
        let added = added_to.into_iter().map(|slot| (slot, true));
        put.chain(added)
            .filter_map(|(slot, adds)| {
                let method = self.seen(declared, method)?;
                Some(Step { method, slot, adds })
            })
            .collect()
    }

    /// The method as it is declared by the type that source knows, or above it.
    fn seen(&self, declared: &str, method: &MethodShape) -> Option<Member> {
        let parameters = |of: &str| of.split_once(')').map(|(taken, _)| taken.to_owned());
        let wanted = parameters(&method.descriptor);
        let mut waiting = vec![declared.to_owned()];
        while let Some(owner) = waiting.pop() {
            let Some(shape) = self.shape(&owner) else {
                continue;
            };
            let mut known = shape.methods.iter();
            let found = known.find(|known| {
                known.name == method.name
                    && !is(known, access::SYNTHETIC)
                    && parameters(&known.descriptor) == wanted
            });
            if let Some(found) = found {
                return Some(Member {
                    owner,
                    name: found.name.clone(),
                    descriptor: found.descriptor.clone(),
                    access: found.access,
                });
            }
            waiting.extend(shape.interfaces.iter().cloned());
            waiting.extend(shape.superclass.clone());
        }
        None
    }
}

/// Classes that are called so, and those that a constructor takes alone.
fn named_builders(class: &str, shape: &Shape) -> Vec<String> {
    let simple = class.rsplit(['.', '$']).next().unwrap_or(class);
    let mut names = vec![
        format!("{class}$Builder"),
        format!("{class}${simple}Builder"),
        format!("{class}Builder"),
    ];
    let constructors = shape
        .methods
        .iter()
        .filter(|method| method.name == "<init>");
    for constructor in constructors {
        if let [alone] = descriptor::parameters(&constructor.descriptor).as_slice()
            && let Some(taken) = descriptor::class(alone)
            && !names.contains(&taken)
        {
            names.push(taken);
        }
    }
    names
}

fn is(method: &MethodShape, flag: u16) -> bool {
    method.access & flag != 0
}
