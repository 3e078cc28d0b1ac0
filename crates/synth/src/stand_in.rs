//! Stand-ins: classes of our own for interfaces and abstract classes. What the base leaves open gives back what it is told
//! to, else null or zero; and it tells that it was asked, so that the next program can answer.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use recrash_classfile::{Error, MethodType, access, dotted, text};
use recrash_program::{Class, ClassId, Method, Program, SelectorId};
use recrash_weave::{OpenMethod, Template};

use crate::probes::{FIRST_ASKED, MOST_ASKED, PROBE};

/// A class with everything that its base leaves open.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct StandIn {
    /// Descriptor of the interface or abstract class.
    pub(crate) base: Arc<str>,
    pub(crate) of_interface: bool,
    /// Binary name of the class made for it.
    pub(crate) class: Arc<str>,
    /// Of the base's constructor.
    pub(crate) descriptor: Arc<str>,
    pub(crate) parameters: Vec<Arc<str>>,
    pub(crate) open: Vec<Open>,
    /// Number of the first of its open methods among those of all stand-ins.
    first: u16,
    pub(crate) bytes: Vec<u8>,
}

/// A method without code.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Open {
    pub(crate) name: Arc<str>,
    pub(crate) descriptor: Arc<str>,
    pub(crate) parameters: Vec<Arc<str>>,
    pub(crate) result: Arc<str>,
    pub(crate) access: u16,
}

impl Open {
    /// Field of the made class that holds what to give back.
    pub(crate) fn field(at: usize) -> String {
        format!("answer{at}")
    }

    /// `public `, `protected ` or nothing, as source has to repeat it.
    pub(crate) fn visibility(&self) -> &'static str {
        if self.access & access::PUBLIC != 0 {
            "public "
        } else if self.access & access::PROTECTED != 0 {
            "protected "
        } else {
            ""
        }
    }
}

impl StandIn {
    /// The probe that tells that open method `at` was called.
    pub(crate) fn probe(&self, at: usize) -> u16 {
        self.first.saturating_add(at as u16)
    }
}

/// Package, base, and number of the base's constructor.
type Place = (Vec<u8>, ClassId, u16);

/// All that were made so far; their names and probes are theirs alone.
#[derive(Debug, Default)]
pub(crate) struct StandIns {
    made: RefCell<HashMap<Place, Option<Arc<StandIn>>>>,
    probes: RefCell<u16>,
    thread: usize,
}

impl StandIns {
    /// Names are told apart by the thread.
    pub(crate) fn of_thread(thread: usize) -> StandIns {
        StandIns {
            thread,
            ..StandIns::default()
        }
    }

    /// In `package`, below `base`, by its constructor number `constructor` (of its methods), which an interface has not.
    pub(crate) fn below(
        &self,
        program: &Program,
        package: &[u8],
        base: &Class,
        constructor: Option<&Method>,
    ) -> Option<Arc<StandIn>> {
        let index = constructor.map_or(u16::MAX, |method| method.id.index);
        let key = (package.to_vec(), base.id, index);
        if let Some(known) = self.made.borrow().get(&key) {
            return known.clone();
        }
        let number = self.made.borrow().len();
        let made = self
            .make(program, package, base, constructor, number)
            .map(Arc::new);
        self.made.borrow_mut().insert(key, made.clone());
        made
    }

    fn make(
        &self,
        program: &Program,
        package: &[u8],
        base: &Class,
        constructor: Option<&Method>,
        number: usize,
    ) -> Option<StandIn> {
        let open = open_methods(program, package, base)?;
        let first = *self.probes.borrow();
        let beyond = first.checked_add(open.len() as u16)?;
        if beyond >= MOST_ASKED {
            return None;
        }
        let descriptor = match constructor {
            Some(method) => program.selector(method.selector)?.descriptor.to_vec(),
            None => b"()V".to_vec(),
        };
        let mut class = package.to_vec();
        if !class.is_empty() {
            class.push(b'/');
        }
        class.extend(format!("StandIn{}x{number}", self.thread).bytes());
        let first = FIRST_ASKED + first;
        let bytes = bytes_of(base, &class, &descriptor, &open, first).ok()?;
        *self.probes.borrow_mut() = beyond;
        let types = MethodType::read(&descriptor).ok()?;
        Some(StandIn {
            base: format!("L{};", text(&base.name)).into(),
            of_interface: base.is_interface(),
            class: dotted(&class).into(),
            parameters: types
                .parameters
                .iter()
                .map(|parameter| text(parameter.descriptor).into())
                .collect(),
            descriptor: text(&descriptor).into(),
            open,
            first,
            bytes,
        })
    }
}

/// What a class below `base` in `package` has to implement; `None` if it cannot.
fn open_methods(program: &Program, package: &[u8], base: &Class) -> Option<Vec<Open>> {
    let hierarchy = program.hierarchy();
    let mut seen: HashSet<SelectorId> = HashSet::new();
    let mut open = Vec::new();
    for id in hierarchy.supertypes(base.id) {
        let above = program.class(id)?;
        for method in &above.methods {
            if method.is_static() || !method.is(access::ABSTRACT) {
                continue;
            }
            if !seen.insert(method.selector) || has_code(program, base, method) {
                continue;
            }
            let visible =
                method.is(access::PUBLIC | access::PROTECTED) || above.package() == package;
            if !visible {
                return None;
            }
            let selector = program.selector(method.selector)?;
            let types = MethodType::read(&selector.descriptor).ok()?;
            open.push(Open {
                name: text(&selector.name).into(),
                descriptor: text(&selector.descriptor).into(),
                parameters: types
                    .parameters
                    .iter()
                    .map(|parameter| text(parameter.descriptor).into())
                    .collect(),
                result: text(types.result.descriptor).into(),
                access: method.access,
            });
        }
    }
    Some(open)
}

/// Whether `base` or something above it implements the method: a class, or an interface below the one that declares it.
fn has_code(program: &Program, base: &Class, method: &Method) -> bool {
    let hierarchy = program.hierarchy();
    hierarchy.supertypes(base.id).into_iter().any(|id| {
        let Some(above) = program.class(id) else {
            return false;
        };
        above
            .method(method.selector)
            .is_some_and(|other| !other.is(access::ABSTRACT | access::STATIC))
            && (!above.is_interface() || hierarchy.is_subtype(id, method.id.class))
    })
}

fn bytes_of(
    base: &Class,
    class: &[u8],
    constructor: &[u8],
    open: &[Open],
    first: u16,
) -> Result<Vec<u8>, Error> {
    let above = [&*base.name];
    let (super_class, interfaces): (&[u8], &[&[u8]]) = if base.is_interface() {
        (b"java/lang/Object", &above)
    } else {
        (&base.name, &[])
    };
    let answers: Vec<String> = (0..open.len()).map(Open::field).collect();
    let open = open.iter().zip(&answers).zip(first..);
    let template = Template {
        class,
        super_class,
        interfaces,
        constructor,
        open: open
            .map(|((method, answer), number)| OpenMethod {
                name: method.name.as_bytes(),
                descriptor: method.descriptor.as_bytes(),
                access: method.access,
                number,
                answer: answer.as_bytes(),
            })
            .collect(),
        told: PROBE,
    };
    template.class_file()
}
