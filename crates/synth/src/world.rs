//! The program as a writer of tests sees it: what can be named from the test's package, and what makes values of a type.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use recrash_classfile::{MethodType, access, dotted, text};
use recrash_program::{Class, ClassId, MethodId, Origin, Program};

use crate::jdk;

/// Something to call.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Callable {
    pub(crate) method: MethodId,
    pub(crate) kind: CallKind,
    /// Descriptor of the class that declares it.
    pub(crate) owner: Rc<str>,
    pub(crate) name: Rc<str>,
    pub(crate) descriptor: Rc<str>,
    pub(crate) parameters: Vec<Rc<str>>,
    /// A constructor gives its class.
    pub(crate) result: Rc<str>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CallKind {
    Constructor,
    /// The first parameter is the object around it.
    InnerConstructor,
    Static,
    Instance,
}

/// A static final field that holds an object.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Constant {
    pub(crate) owner: Rc<str>,
    pub(crate) name: Rc<str>,
    pub(crate) ty: Rc<str>,
}

/// A way to a value.
#[derive(Debug, Clone)]
pub(crate) enum Maker {
    Call(Rc<Callable>),
    Constant(Rc<Constant>),
    Stub(Rc<str>),
}

/// Ways to one type, and how dear each is.
#[derive(Debug, Default)]
pub(crate) struct Makers {
    pub(crate) ways: Vec<Maker>,
    /// The more calls it takes, the lighter.
    pub(crate) weights: Vec<f64>,
}

/// More ways to one type than these are not looked at.
const MOST_WAYS: usize = 48;
/// What nothing can make.
const OUT_OF_REACH: f64 = 1e6;

/// What makes what, in the whole program, whoever may use it.
#[derive(Debug, Default)]
pub(crate) struct Index {
    /// Classes that objects can be of, below each of their supertypes.
    implementers: HashMap<ClassId, Vec<ClassId>>,
    /// Static methods by the class they give back.
    factories: HashMap<ClassId, Vec<MethodId>>,
}

impl Index {
    pub(crate) fn of(program: &Program) -> Index {
        let mut index = Index::default();
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
                if !method.is_static() || method.is(access::PRIVATE | access::SYNTHETIC) {
                    continue;
                }
                let Some(selector) = program.selector(method.selector) else {
                    continue;
                };
                let result = selector.descriptor.rsplit(|byte| *byte == b')').next();
                if let Some([b'L', made @ .., b';']) = result {
                    let made = program.class_id(made);
                    index.factories.entry(made).or_default().push(method.id);
                }
            }
        }
        index
    }
}

pub(crate) struct World<'p> {
    pub(crate) program: &'p Program,
    /// Internal name of the package that the test lives in.
    package: Vec<u8>,
    index: Rc<Index>,
    makers: RefCell<HashMap<Rc<str>, Rc<Makers>>>,
    costs: RefCell<HashMap<Rc<str>, f64>>,
    callables: RefCell<HashMap<ClassId, Rc<Vec<Rc<Callable>>>>>,
    shapes: RefCell<HashMap<ClassId, Option<Shape>>>,
}

/// How a class is nested.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Shape {
    access: u16,
    /// The class around it, and its own name there.
    outer: Option<(ClassId, Rc<str>)>,
}

impl<'p> World<'p> {
    /// As seen from `package` (internal name, without the last slash).
    pub(crate) fn new(program: &'p Program, package: &[u8], index: Rc<Index>) -> World<'p> {
        World {
            program,
            package: package.to_vec(),
            index,
            makers: RefCell::default(),
            costs: RefCell::default(),
            callables: RefCell::default(),
            shapes: RefCell::default(),
        }
    }

    /// The class a descriptor names; `None` for primitives and arrays.
    pub(crate) fn class_of(&self, descriptor: &str) -> Option<ClassId> {
        let name = descriptor.strip_prefix('L')?.strip_suffix(';')?;
        Some(self.program.class_id(name.as_bytes()))
    }

    pub(crate) fn descriptor_of(&self, class: ClassId) -> Rc<str> {
        format!("L{};", text(&self.program.class_name(class))).into()
    }

    /// Whether a value of type `from` can be given where `to` is wanted.
    pub(crate) fn fits(&self, from: &str, to: &str) -> bool {
        if from == to {
            return true;
        }
        if to == "Ljava/lang/Object;" {
            return from.starts_with(['L', '[']);
        }
        if let (Some(from), Some(to)) = (from.strip_prefix('['), to.strip_prefix('[')) {
            return from.starts_with(['L', '[']) && self.fits(from, to);
        }
        match (self.class_of(from), self.class_of(to)) {
            (Some(from), Some(to)) => self.program.hierarchy().is_subtype(from, to),
            _ => false,
        }
    }

    fn shape(&self, id: ClassId) -> Option<Shape> {
        if let Some(known) = self.shapes.borrow().get(&id) {
            return known.clone();
        }
        let shape = self
            .program
            .class(id)
            .and_then(|class| shape(self.program, &class));
        self.shapes.borrow_mut().insert(id, shape.clone());
        shape
    }

    /// Whether source in the test's package can write the name of the class.
    pub(crate) fn can_name(&self, id: ClassId) -> bool {
        let mut next = Some(id);
        let mut depth = 0;
        while let Some(class) = next {
            let Some(shape) = self.shape(class) else {
                return false;
            };
            let same = package_of(&self.program.class_name(class)) == self.package;
            let visible =
                shape.access & access::PUBLIC != 0 || (same && shape.access & access::PRIVATE == 0);
            if !visible || shape.access & access::SYNTHETIC != 0 || depth > 16 {
                return false;
            }
            next = shape.outer.map(|(outer, _)| outer);
            depth += 1;
        }
        let origin = self.program.class(id).map(|class| class.origin);
        let name = self.program.class_name(id);
        origin == Some(Origin::Application)
            || name.starts_with(b"java/")
            || name.starts_with(b"javax/")
    }

    /// The top-level class with its package, then the names of the nested classes on the way in.
    pub(crate) fn path(&self, id: ClassId) -> Vec<String> {
        match self.shape(id).and_then(|shape| shape.outer) {
            Some((outer, name)) => {
                let mut path = self.path(outer);
                path.push(name.to_string());
                path
            }
            None => vec![dotted(&self.program.class_name(id))],
        }
    }

    /// Whether another method of the class has the same name and as many parameters.
    pub(crate) fn is_overloaded(&self, callable: &Callable) -> bool {
        let mut next = self.class_of(&callable.owner);
        while let Some(class) = next.and_then(|id| self.program.class(id)) {
            let others = class.methods.iter().any(|method| {
                let selector = self.program.selector(method.selector);
                selector.is_some_and(|selector| {
                    *selector.name == *callable.name.as_bytes()
                        && *selector.descriptor != *callable.descriptor.as_bytes()
                        && MethodType::read(&selector.descriptor)
                            .is_ok_and(|types| types.parameters.len() == callable.parameters.len())
                })
            });
            if others {
                return true;
            }
            next = class.super_class;
        }
        false
    }

    /// Whether the test can write the type.
    pub(crate) fn can_write(&self, descriptor: &str) -> bool {
        let element = descriptor.trim_start_matches('[');
        element.len() == 1
            || self
                .class_of(element)
                .is_some_and(|class| self.can_name(class))
    }

    fn admits(&self, class: &Class, member: u16) -> bool {
        member & access::PUBLIC != 0
            || (member & access::PRIVATE == 0 && class.package() == self.package)
    }

    /// Constructors and methods of the class itself that the test can call.
    pub(crate) fn callables(&self, class: &Class) -> Rc<Vec<Rc<Callable>>> {
        if let Some(known) = self.callables.borrow().get(&class.id) {
            return Rc::clone(known);
        }
        let found: Vec<Rc<Callable>> = class
            .methods
            .iter()
            .filter(|method| {
                self.admits(class, method.access) && !method.is(access::SYNTHETIC | access::BRIDGE)
            })
            .filter_map(|method| self.callable(class, method.id))
            .filter(|callable| {
                let mut types = callable.parameters.iter().chain([&callable.result]);
                types.all(|ty| self.can_write(ty))
            })
            .map(Rc::new)
            .collect();
        let found = Rc::new(found);
        self.callables
            .borrow_mut()
            .insert(class.id, Rc::clone(&found));
        found
    }

    pub(crate) fn callable(&self, class: &Class, id: MethodId) -> Option<Callable> {
        let method = self.program.method(id)?;
        let selector = self.program.selector(method.selector)?;
        let name = text(&selector.name);
        let descriptor = text(&selector.descriptor);
        let types = MethodType::read(&selector.descriptor).ok()?;
        let owner = self.descriptor_of(class.id);
        let (kind, result) = match name.as_str() {
            "<clinit>" => return None,
            "<init>" => {
                if !class.is_concrete() {
                    return None;
                }
                let shape = self.shape(class.id)?;
                let inner = shape.outer.is_some() && shape.access & access::STATIC == 0;
                let kind = if inner {
                    CallKind::InnerConstructor
                } else {
                    CallKind::Constructor
                };
                (kind, Rc::clone(&owner))
            }
            _ if method.is_static() => (CallKind::Static, text(types.result.descriptor).into()),
            _ => (CallKind::Instance, text(types.result.descriptor).into()),
        };
        Some(Callable {
            method: id,
            kind,
            owner,
            name: name.into(),
            descriptor: descriptor.into(),
            parameters: types
                .parameters
                .iter()
                .map(|parameter| text(parameter.descriptor).into())
                .collect(),
            result,
        })
    }

    /// What can be called on a value of this type, inherited methods included.
    pub(crate) fn methods_on(&self, descriptor: &str) -> Vec<Rc<Callable>> {
        let Some(class) = self.class_of(descriptor) else {
            return Vec::new();
        };
        let mut seen: HashSet<(Rc<str>, Vec<Rc<str>>)> = HashSet::new();
        let mut methods = Vec::new();
        for id in [class]
            .into_iter()
            .chain(self.program.hierarchy().supertypes(class))
        {
            if &*self.program.class_name(id) == b"java/lang/Object" {
                continue;
            }
            let Some(class) = self.program.class(id) else {
                continue;
            };
            for callable in self.callables(&class).iter() {
                let key = (Rc::clone(&callable.name), callable.parameters.clone());
                if callable.kind == CallKind::Instance && seen.insert(key) {
                    methods.push(Rc::clone(callable));
                }
            }
        }
        methods
    }

    /// The ways to a value of this class or interface.
    pub(crate) fn makers(&self, descriptor: &Rc<str>) -> Rc<Makers> {
        if let Some(known) = self.makers.borrow().get(descriptor) {
            return Rc::clone(known);
        }
        let ways = self.ways(descriptor);
        let mut weighed: Vec<(f64, Maker)> = ways
            .into_iter()
            .map(|way| (self.cost_of_way(&way, &mut HashSet::new()), way))
            .filter(|(cost, _)| *cost < OUT_OF_REACH)
            .collect();
        weighed.sort_by(|one, other| one.0.total_cmp(&other.0));
        weighed.truncate(MOST_WAYS);
        let makers = Rc::new(Makers {
            weights: weighed
                .iter()
                .map(|(cost, _)| 1.0 / (cost * cost))
                .collect(),
            ways: weighed.into_iter().map(|(_, way)| way).collect(),
        });
        self.makers
            .borrow_mut()
            .insert(Rc::clone(descriptor), Rc::clone(&makers));
        makers
    }

    fn ways(&self, descriptor: &str) -> Vec<Maker> {
        let Some(id) = self.class_of(descriptor) else {
            return Vec::new();
        };
        let name = self.program.class_name(id);
        let mut classes: Vec<ClassId> = vec![id];
        classes.extend(
            jdk::implementations(&text(&name))
                .iter()
                .map(|name| self.program.class_id(name.as_bytes())),
        );
        // Everything is an Object: what the JDK's list offers is enough.
        if &*name != b"java/lang/Object" {
            let mut below = self
                .index
                .implementers
                .get(&id)
                .cloned()
                .unwrap_or_default();
            // Classes beside the test first: they are what the author would take.
            below.sort_by_key(|class| {
                (
                    package_of(&self.program.class_name(*class)) != self.package,
                    *class,
                )
            });
            classes.extend(below.into_iter().take(4 * MOST_WAYS));
        }
        let mut seen = HashSet::new();
        let mut ways = Vec::new();
        for made in classes.into_iter().filter(|class| seen.insert(*class)) {
            let Some(class) = self.program.class(made) else {
                continue;
            };
            if !self.can_name(made) {
                continue;
            }
            self.ways_of(&class, &mut ways);
        }
        let is_interface = self
            .program
            .class(id)
            .is_some_and(|class| class.is_interface() && self.can_name(id));
        if is_interface {
            ways.push(Maker::Stub(descriptor.into()));
        }
        ways
    }

    fn ways_of(&self, class: &Class, ways: &mut Vec<Maker>) {
        let own = self.descriptor_of(class.id);
        for callable in self.callables(class).iter() {
            let makes = match callable.kind {
                CallKind::Constructor | CallKind::InnerConstructor => true,
                CallKind::Static => callable.result == own && class.origin == Origin::Jdk,
                CallKind::Instance => false,
            };
            if makes {
                ways.push(Maker::Call(Rc::clone(callable)));
            }
        }
        let factories = self.index.factories.get(&class.id);
        let factories = factories.into_iter().flatten().take(4 * MOST_WAYS);
        ways.extend(factories.filter_map(|method| self.factory(*method)));
        for field in &class.fields {
            let constant =
                field.is_static() && field.is(access::FINAL) && self.admits(class, field.access);
            let Some(selector) = self.program.selector(field.selector).filter(|_| constant) else {
                continue;
            };
            if selector.descriptor[..] == *own.as_bytes() {
                ways.push(Maker::Constant(Rc::new(Constant {
                    owner: Rc::clone(&own),
                    name: text(&selector.name).into(),
                    ty: Rc::clone(&own),
                })));
            }
        }
    }

    fn factory(&self, method: MethodId) -> Option<Maker> {
        let class = self.program.class(method.class)?;
        if !self.can_name(class.id) {
            return None;
        }
        let callables = self.callables(&class);
        let found = callables
            .iter()
            .find(|callable| callable.method == method)?;
        Some(Maker::Call(Rc::clone(found)))
    }

    /// How many statements a value of the type takes at least, about.
    pub(crate) fn cost(&self, ty: &Rc<str>, under_way: &mut HashSet<Rc<str>>) -> f64 {
        if ty.starts_with('[') || ty.len() == 1 || &**ty == "Ljava/lang/String;" {
            return 1.0;
        }
        if let Some(known) = self.costs.borrow().get(ty) {
            return *known;
        }
        if under_way.len() > 5 || !under_way.insert(Rc::clone(ty)) {
            return 50.0;
        }
        let cost = self
            .ways(ty)
            .iter()
            .take(MOST_WAYS)
            .map(|way| self.cost_of_way(way, under_way))
            .fold(OUT_OF_REACH, f64::min);
        under_way.remove(ty);
        if under_way.is_empty() || cost < 20.0 {
            self.costs.borrow_mut().insert(Rc::clone(ty), cost);
        }
        cost
    }

    fn cost_of_way(&self, way: &Maker, under_way: &mut HashSet<Rc<str>>) -> f64 {
        match way {
            Maker::Constant(_) => 1.0,
            // A stub is the last thing a reader wants.
            Maker::Stub(_) => 6.0,
            Maker::Call(callable) => {
                let parameters = callable.parameters.iter();
                1.0 + parameters
                    .map(|parameter| self.cost(parameter, under_way))
                    .sum::<f64>()
            }
        }
    }
}

/// The class's own entry among the nested ones; `None` for local and anonymous classes, which have no name to write.
fn shape(program: &Program, class: &Class) -> Option<Shape> {
    let file = class.file().ok()?;
    for attribute in file.attributes.iter(&file.pool).flatten() {
        if attribute.name != b"InnerClasses" {
            continue;
        }
        for entry in attribute.info.get(2..).unwrap_or_default().chunks_exact(8) {
            let word = |at: usize| match entry.get(at..at + 2) {
                Some(&[high, low]) => u16::from_be_bytes([high, low]),
                _ => 0,
            };
            let (inner, outer, name) = (word(0), word(2), word(4));
            if file.pool.class_name(inner).ok()? != file.name {
                continue;
            }
            if outer == 0 || name == 0 {
                return None;
            }
            let outer = program.class_id(file.pool.class_name(outer).ok()?);
            let name = text(file.pool.utf8(name).ok()?).into();
            return Some(Shape {
                access: word(6),
                outer: Some((outer, name)),
            });
        }
    }
    Some(Shape {
        access: class.access,
        outer: None,
    })
}

pub(crate) fn package_of(name: &[u8]) -> &[u8] {
    let end = name.iter().rposition(|&byte| byte == b'/');
    name.get(..end.unwrap_or(0)).unwrap_or(&[])
}

/// `Lcom/acme/Shop;` as `com.acme.Shop`, the JVM's binary name.
pub(crate) fn binary_name(descriptor: &str) -> String {
    let name = descriptor
        .strip_prefix('L')
        .and_then(|name| name.strip_suffix(';'))
        .unwrap_or(descriptor);
    dotted(name.as_bytes())
}
