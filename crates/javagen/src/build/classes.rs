//! What the planner asks about classes: their fields, and what their constructors and setters leave in an object.

use super::shape::{Constructor, FieldShape, MethodShape, Setter, Shape};
use super::stores::{Source, Stores, made_by, put_by, stores};
use recrash_classfile::{access, dotted, text};
use recrash_program::{Class, Origin, Program};
use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

/// A class path from a stranger may hold a cyclic hierarchy.
const MOST_ABOVE: usize = 64;

/// The classes of the program and of the JDK, each looked at once.
pub struct Classes<'p> {
    pub(super) program: &'p Program,
    known: RefCell<HashMap<String, Option<Rc<Shape>>>>,
}

impl<'p> Classes<'p> {
    pub fn new(program: &'p Program) -> Self {
        Classes {
            program,
            known: RefCell::default(),
        }
    }

    pub(crate) fn program(&self) -> &'p Program {
        self.program
    }

    /// `class` is a binary name with dots.
    pub(crate) fn shape(&self, class: &str) -> Option<Rc<Shape>> {
        if let Some(known) = self.known.borrow().get(class) {
            return known.clone();
        }
        let found = self.program.find(&class.replace('.', "/"));
        let shape = found.map(|found| Rc::new(self.read(&found)));
        self.known
            .borrow_mut()
            .insert(class.to_owned(), shape.clone());
        shape
    }

    fn read(&self, class: &Class) -> Shape {
        let name = |id| dotted(&self.program.class_name(id));
        let selector = |id| {
            let selector = self.program.selector(id);
            selector.map_or_else(Default::default, |found| {
                (text(&found.name), text(&found.descriptor))
            })
        };
        let mut shape = Shape {
            access: class.access,
            of_jdk: class.origin == Origin::Jdk,
            superclass: class.super_class.map(name),
            interfaces: class.interfaces.iter().copied().map(name).collect(),
            fields: Vec::new(),
            methods: Vec::new(),
            constructors: OnceCell::new(),
            setters: OnceCell::new(),
            builders: OnceCell::new(),
        };
        for field in &class.fields {
            let (name, descriptor) = selector(field.selector);
            shape.fields.push(FieldShape {
                name,
                descriptor,
                access: field.access,
            });
        }
        let own_result = format!(")L{};", text(&class.name));
        for method in &class.methods {
            let (name, descriptor) = selector(method.selector);
            shape.methods.push(MethodShape {
                id: method.id,
                is_factory: method.is_static() && descriptor.ends_with(&own_result),
                name,
                descriptor,
                access: method.access,
            });
        }
        shape
    }

    /// Code is read when somebody asks what it does.
    pub(crate) fn constructors<'c>(&self, shape: &'c Shape) -> &'c [Constructor] {
        shape.constructors.get_or_init(|| {
            let made = |method: &MethodShape| {
                let (factory, stores) = if method.name == "<init>" {
                    (None, stores(self.program, method.id))
                } else if method.is_factory {
                    let (made, stores) = made_by(self.program, method.id)?;
                    if made != method.id.class {
                        return None;
                    }
                    (Some(method.name.clone()), stores)
                } else {
                    return None;
                };
                Some(Constructor {
                    factory,
                    descriptor: method.descriptor.clone(),
                    access: method.access,
                    stores: stores.fields,
                })
            };
            shape.methods.iter().filter_map(made).collect()
        })
    }

    pub(crate) fn setters<'c>(&self, shape: &'c Shape) -> &'c [Setter] {
        shape.setters.get_or_init(|| {
            let setter = |method: &MethodShape| {
                let is_setter = method.name.starts_with("set")
                    && method.access & (access::STATIC | access::SYNTHETIC) == 0
                    && crate::descriptor::parameters(&method.descriptor).len() == 1;
                if !is_setter {
                    return None;
                }
                let Stores { fields, others, .. } = stores(self.program, method.id);
                let mut fields = fields.into_iter();
                match (fields.next(), fields.next(), others) {
                    (Some((field, Source::Parameter(0))), None, false) => Some(Setter {
                        name: method.name.clone(),
                        access: method.access,
                        field,
                    }),
                    _ => None,
                }
            };
            shape.methods.iter().filter_map(setter).collect()
        })
    }

    /// The static method that only puts its argument into a static field of the class, and that `admits` lets be called.
    pub(crate) fn static_setter(
        &self,
        shape: &Shape,
        (class, field): (&str, &FieldShape),
        admits: impl Fn(u16) -> bool,
    ) -> Option<String> {
        let taking = format!("({})", field.descriptor);
        let mut methods = shape.methods.iter().filter(|method| {
            method.access & access::STATIC != 0
                && method.access & access::SYNTHETIC == 0
                && method.descriptor.starts_with(&taking)
                && admits(method.access)
        });
        let setter = methods.find(|method| {
            let put = put_by(self.program, method.id);
            put.is_some_and(|(owner, name)| owner == class && name == field.name)
        })?;
        Some(setter.name.clone())
    }

    /// The class and those above it, nearest first.
    pub(crate) fn line(&self, class: &str) -> Vec<(String, Rc<Shape>)> {
        let mut line = Vec::new();
        let mut next = Some(class.to_owned());
        while let Some(name) = next.take() {
            let Some(shape) = self.shape(&name) else {
                break;
            };
            if line.len() > MOST_ABOVE {
                break;
            }
            next.clone_from(&shape.superclass);
            line.push((name, shape));
        }
        line
    }

    /// Whether an object of class `dynamic` can be passed for `wanted`; both binary names with dots.
    pub(crate) fn is_a(&self, dynamic: &str, wanted: &str) -> bool {
        if dynamic == wanted || wanted == "java.lang.Object" {
            return true;
        }
        let mut pending = vec![dynamic.to_owned()];
        let mut looked = 0;
        while let Some(class) = pending.pop() {
            looked += 1;
            if class == wanted {
                return true;
            }
            if looked > MOST_ABOVE * 4 {
                return false;
            }
            if let Some(shape) = self.shape(&class) {
                pending.extend(shape.superclass.clone());
                pending.extend(shape.interfaces.iter().cloned());
            }
        }
        false
    }

    /// Whether `class` has a static field of that name that everybody may read.
    pub(crate) fn has_public_constant(&self, class: &str, field: &str) -> bool {
        self.shape(class).is_some_and(|shape| {
            shape.access & access::PUBLIC != 0
                && shape.fields.iter().any(|known| {
                    known.name == field
                        && known.access & access::PUBLIC != 0
                        && known.access & access::STATIC != 0
                })
        })
    }
}
