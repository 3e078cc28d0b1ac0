//! The program as a writer of tests sees it: what can be named from the test's package, and what makes values of a type.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use recrash_classfile::{MethodType, access, dotted, text};
use recrash_javagen::{Hierarchy, Nesting, Scope, TypeOracle};
use recrash_program::{Class, ClassId, FieldId, MethodId, Origin, Program};

use crate::index::Index;
use crate::relevance::Relevance;
use crate::stand_in::StandIn;
use recrash_javagen::ProgramFacts;

mod makers;

/// Something to call.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Callable {
    pub(crate) method: MethodId,
    pub(crate) kind: CallKind,
    /// Descriptor of the class that declares it.
    pub(crate) owner: Arc<str>,
    pub(crate) name: Arc<str>,
    pub(crate) descriptor: Arc<str>,
    pub(crate) parameters: Vec<Arc<str>>,
    /// A constructor gives its class.
    pub(crate) result: Arc<str>,
    /// The test can call it by reflection only.
    pub(crate) hidden: bool,
}

/// A field that the test can put something into.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Settable {
    /// Descriptor of the class that declares it.
    pub(crate) owner: Arc<str>,
    pub(crate) name: Arc<str>,
    pub(crate) ty: Arc<str>,
    /// Its name does not tell it: it is static, or a class below has one of the same name, or does not inherit it.
    pub(crate) needs_owner: bool,
    /// By reflection only.
    pub(crate) hidden: bool,
}

impl Callable {
    /// Whether it is a constructor.
    pub(crate) fn makes(&self) -> bool {
        matches!(
            self.kind,
            CallKind::Constructor | CallKind::InnerConstructor
        )
    }
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
    pub(crate) owner: Arc<str>,
    pub(crate) name: Arc<str>,
    pub(crate) ty: Arc<str>,
}

/// A way to a value.
#[derive(Debug, Clone)]
pub(crate) enum Maker {
    Call(Arc<Callable>),
    Constant(Arc<Constant>),
    StandIn(Arc<StandIn>),
}

/// Ways to one type, and how dear each is.
#[derive(Debug, Default)]
pub(crate) struct Makers {
    pub(crate) ways: Vec<Maker>,
    /// The more calls it takes, the lighter.
    pub(crate) weights: Vec<f64>,
}

/// What can be called on a value, and how much each call promises.
#[derive(Debug, Default)]
pub(crate) struct Uses {
    pub(crate) methods: Vec<Arc<Callable>>,
    pub(crate) weights: Vec<f64>,
}

pub(crate) struct World<'p> {
    pub(crate) program: &'p Program,
    facts: &'p ProgramFacts<'p>,
    /// What the test's package can name.
    scope: Scope<'p>,
    /// Internal name of the package that the test lives in.
    package: Vec<u8>,
    index: Rc<Index>,
    ways: RefCell<HashMap<Arc<str>, Arc<Vec<Maker>>>>,
    makers: RefCell<HashMap<Arc<str>, Arc<Makers>>>,
    costs: RefCell<HashMap<(Arc<str>, u8), f64>>,
    callables: RefCell<HashMap<ClassId, Callables>>,
    uses: RefCell<HashMap<Arc<str>, Arc<Uses>>>,
    relevance: Relevance,
    nameable: RefCell<HashMap<ClassId, bool>>,
    /// What may be called though it is hidden; `None` if nothing may be done by reflection.
    opened: Option<HashSet<MethodId>>,
}

/// Shared by everybody who asks.
type Callables = Arc<Vec<Arc<Callable>>>;

impl<'p> World<'p> {
    /// As seen from `package` (internal name, without the last slash).
    pub(crate) fn new(
        program: &'p Program,
        facts: &'p ProgramFacts<'p>,
        package: &[u8],
        index: Rc<Index>,
    ) -> World<'p> {
        World {
            program,
            facts,
            scope: Scope::new(&dotted(package), facts),
            package: package.to_vec(),
            index,
            ways: RefCell::default(),
            makers: RefCell::default(),
            costs: RefCell::default(),
            callables: RefCell::default(),
            uses: RefCell::default(),
            relevance: Relevance::default(),
            nameable: RefCell::default(),
            opened: None,
        }
    }

    /// With reflection where nothing else does: into fields, these methods, and the constructors of their classes.
    pub(crate) fn reflecting(mut self, methods: &[MethodId]) -> World<'p> {
        let mut opened: HashSet<MethodId> = methods.iter().copied().collect();
        for class in methods
            .iter()
            .filter_map(|method| self.program.class(method.class))
        {
            let constructors = class.methods.iter().filter(|method| {
                let selector = self.program.selector(method.selector);
                selector.is_some_and(|selector| *selector.name == *b"<init>")
            });
            opened.extend(constructors.map(|constructor| constructor.id));
        }
        self.opened = Some(opened);
        self
    }

    pub(crate) fn reflects(&self) -> bool {
        self.opened.is_some()
    }

    /// Calls that change what `relevance` tells of are preferred.
    pub(crate) fn preferring(mut self, relevance: Relevance) -> World<'p> {
        self.relevance = relevance;
        self
    }

    pub(crate) fn facts(&self) -> &ProgramFacts<'p> {
        self.facts
    }

    /// Internal name, without the last slash.
    pub(crate) fn package(&self) -> &[u8] {
        &self.package
    }

    /// The class a descriptor names; `None` for primitives and arrays.
    pub(crate) fn class_of(&self, descriptor: &str) -> Option<ClassId> {
        let name = descriptor.strip_prefix('L')?.strip_suffix(';')?;
        Some(self.program.class_id(name.as_bytes()))
    }

    pub(crate) fn descriptor_of(&self, class: ClassId) -> Arc<str> {
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

    /// Whether source in the test's package can write the name of the class.
    pub(crate) fn can_name(&self, id: ClassId) -> bool {
        if let Some(known) = self.nameable.borrow().get(&id) {
            return *known;
        }
        let name = self.program.class_name(id);
        let of_program = self
            .program
            .class(id)
            .is_some_and(|class| class.origin == Origin::Application);
        let can = (of_program || name.starts_with(b"java/") || name.starts_with(b"javax/"))
            && self.scope.can_name(&dotted(&name));
        self.nameable.borrow_mut().insert(id, can);
        can
    }

    /// Whether another method of the class has the same name and as many parameters.
    pub(crate) fn is_overloaded(&self, callable: &Callable) -> bool {
        let class = binary_name(&callable.owner);
        let hierarchy = Hierarchy { oracle: self.facts };
        !hierarchy.is_only_one(&class, &callable.name, callable.parameters.len())
    }

    /// Whether the test can write the type.
    pub(crate) fn can_write(&self, descriptor: &str) -> bool {
        let element = descriptor.trim_start_matches('[');
        element.len() == 1
            || self
                .class_of(element)
                .is_some_and(|class| self.can_name(class))
    }

    pub(crate) fn admits(&self, class: &Class, member: u16) -> bool {
        member & access::PUBLIC != 0
            || (member & access::PRIVATE == 0 && class.package() == self.package)
    }

    /// One of its constructors or methods, if the test can call it.
    pub(crate) fn callable_of(&self, class: &Class, method: MethodId) -> Option<Arc<Callable>> {
        let callables = self.callables(class);
        let found = callables.iter().find(|callable| callable.method == method);
        found.cloned()
    }

    /// Constructors and methods of the class itself that the test can call.
    pub(crate) fn callables(&self, class: &Class) -> Callables {
        if let Some(known) = self.callables.borrow().get(&class.id) {
            return Arc::clone(known);
        }
        let found: Vec<Arc<Callable>> = class
            .methods
            .iter()
            .filter(|method| {
                let opened = self.opened.as_ref();
                opened.is_some_and(|opened| opened.contains(&method.id))
                    || (self.admits(class, method.access)
                        && !method.is(access::SYNTHETIC | access::BRIDGE))
            })
            .filter_map(|method| self.callable(class, method.id))
            .filter(|callable| {
                let mut types = callable.parameters.iter().chain([&callable.result]);
                types.all(|ty| self.can_write(ty))
            })
            .map(Arc::new)
            .collect();
        let found = Arc::new(found);
        self.callables
            .borrow_mut()
            .insert(class.id, Arc::clone(&found));
        found
    }

    /// The field of an object of class `of`, unless it is static; `None` if the test may not set it.
    pub(crate) fn settable(&self, id: FieldId, of: Option<ClassId>) -> Option<Settable> {
        let field = self.program.field(id)?;
        let owner = self.program.class(id.class)?;
        let selector = self.program.selector(field.selector)?;
        let is_final = field.is(access::FINAL);
        let visible = self.can_name(id.class) && self.admits(&owner, field.access);
        let hidden = is_final || !visible;
        // Reflection does not change constants, and the JDK is closed to it.
        let closed = owner.origin == Origin::Jdk || (is_final && field.is_static());
        if hidden && (closed || !self.reflects()) {
            return None;
        }
        let below = of.into_iter().flat_map(|of| {
            let above = self.program.hierarchy().superclasses(of);
            [of].into_iter()
                .chain(above)
                .take_while(|class| *class != id.class)
        });
        // Classes of other packages do not inherit it.
        let of_package = field.access & (access::PUBLIC | access::PROTECTED) == 0;
        let hides = |class: ClassId| {
            let class = self.program.class(class);
            class.is_some_and(|class| {
                let names = class
                    .fields
                    .iter()
                    .filter_map(|field| self.program.selector(field.selector));
                (of_package && class.package() != owner.package())
                    || names.into_iter().any(|other| other.name == selector.name)
            })
        };
        let needs_owner = field.is_static() || below.into_iter().any(hides);
        if needs_owner && !self.can_name(id.class) {
            return None;
        }
        Some(Settable {
            owner: self.descriptor_of(id.class),
            name: text(&selector.name).into(),
            ty: text(&selector.descriptor).into(),
            needs_owner,
            hidden,
        })
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
                let facts = self.facts.facts(&dotted(&class.name))?;
                let inner = matches!(facts.nesting, Nesting::Member { .. })
                    && facts.access & access::STATIC == 0;
                let kind = if inner {
                    CallKind::InnerConstructor
                } else {
                    CallKind::Constructor
                };
                (kind, Arc::clone(&owner))
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
            // A compiler does not see what a compiler made.
            hidden: !self.admits(class, method.access) || method.is(access::SYNTHETIC),
        })
    }

    /// What can be called on a value of this type, inherited methods included.
    pub(crate) fn uses(&self, descriptor: &Arc<str>) -> Arc<Uses> {
        if let Some(known) = self.uses.borrow().get(descriptor) {
            return Arc::clone(known);
        }
        let class = self.class_of(descriptor);
        let methods = class.map_or_else(Vec::new, |class| self.methods_of(class));
        let weigh = |callable: &Arc<Callable>| self.relevance.weight(self.program, callable.method);
        let uses = Arc::new(Uses {
            weights: methods.iter().map(weigh).collect(),
            methods,
        });
        self.uses
            .borrow_mut()
            .insert(Arc::clone(descriptor), Arc::clone(&uses));
        uses
    }

    /// Static methods of `classes`: what they leave in static fields is there for every later call.
    pub(crate) fn static_uses(&self, classes: &[ClassId]) -> Uses {
        let mut uses = Uses::default();
        for class in classes
            .iter()
            .filter_map(|class| self.program.class(*class))
        {
            if !self.can_name(class.id) {
                continue;
            }
            for callable in self.callables(&class).iter() {
                if callable.kind != CallKind::Static || callable.hidden {
                    continue;
                }
                let weight = self.relevance.weight(self.program, callable.method);
                let silent = &*callable.result == "V";
                uses.weights
                    .push(if silent { 4.0 * weight } else { weight });
                uses.methods.push(Arc::clone(callable));
            }
        }
        uses
    }

    fn methods_of(&self, class: ClassId) -> Vec<Arc<Callable>> {
        let mut seen: HashSet<(Arc<str>, Vec<Arc<str>>)> = HashSet::new();
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
                let key = (Arc::clone(&callable.name), callable.parameters.clone());
                let usable = callable.kind == CallKind::Instance && !callable.hidden;
                if usable && seen.insert(key) {
                    methods.push(Arc::clone(callable));
                }
            }
        }
        methods
    }
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
