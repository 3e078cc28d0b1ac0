//! Who calls whom, found by following calls from entry points.
//!
//! A virtual call leads to a node of its own, shared by all calls of the same method on the same class; that node leads to
//! every method the call can mean. With [`Precision::Hierarchy`] that is every class below the receiver's (CHA), with
//! [`Precision::Instantiated`] only those that reachable code makes objects of (RTA, Bacon and Sweeney). All concrete classes
//! of the application count as made: frameworks and reflection make them where no code shows it.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use rayon::prelude::*;
use recrash_classfile::access;

use crate::body::{Body, Dispatch, Extractor, Target};
use crate::class::Method;
use crate::class_path::Origin;
use crate::graph::Graph;
use crate::ids::{ClassId, MethodId};
use crate::program::Program;
use crate::slots::Slots;
use crate::ssa::{CallSite, HandleKind};

/// Classes the JVM makes objects of by itself.
const MADE_BY_JVM: [&str; 14] = [
    "java/lang/Object",
    "java/lang/String",
    "java/lang/Class",
    "java/lang/Thread",
    "java/lang/NullPointerException",
    "java/lang/ArithmeticException",
    "java/lang/ClassCastException",
    "java/lang/ArrayIndexOutOfBoundsException",
    "java/lang/NegativeArraySizeException",
    "java/lang/ArrayStoreException",
    "java/lang/StackOverflowError",
    "java/lang/OutOfMemoryError",
    "java/lang/ExceptionInInitializerError",
    "java/lang/NoClassDefFoundError",
];

/// Which receivers a virtual call is assumed to meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Precision {
    /// Every class below the one the call names, the JDK's included: costs the whole JDK.
    Hierarchy,
    /// Those of which reachable code makes objects.
    Instantiated,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

/// What a node of the graph stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Callable {
    Method(MethodId),
    /// The code behind the objects of one lambda expression or method reference.
    Lambda(u32),
    /// A virtual call, to be decided by the receiver.
    Virtual(u32),
}

#[derive(Debug)]
pub struct CallGraph {
    pub(crate) nodes: Vec<Node>,
    methods: HashMap<MethodId, NodeId>,
    dispatches: HashMap<Dispatch, NodeId>,
    slots: Slots,
}

#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) callable: Callable,
    /// `None` for virtual calls.
    pub(crate) body: Option<Arc<Body>>,
    pub(crate) callees: Vec<NodeId>,
    /// How many it takes, the receiver included.
    pub(crate) parameters: u16,
    /// Part of what may run here cannot be seen.
    pub(crate) unseen: Option<Target>,
}

impl CallGraph {
    /// The graph of everything reachable from `entries`.
    pub fn of(program: &Program, entries: &[MethodId], precision: Precision) -> CallGraph {
        let slots = Slots::default();
        let mut builder = Builder::new(program, &slots);
        builder.seed(precision);
        for &entry in entries {
            builder.method(entry);
        }
        builder.run();
        builder.close();
        let (nodes, methods, dispatches) = (builder.nodes, builder.methods, builder.dispatches);
        CallGraph {
            nodes,
            methods,
            dispatches,
            slots,
        }
    }

    /// The graph from all methods of the application.
    pub fn of_application(program: &Program) -> CallGraph {
        let names = program.class_path().application();
        let classes: Vec<_> = names
            .par_iter()
            .filter_map(|name| program.class(program.class_id(name)))
            .collect();
        let entries: Vec<MethodId> = classes
            .iter()
            .flat_map(|class| &class.methods)
            .filter(|method| !method.is(access::ABSTRACT))
            .map(|method| method.id)
            .collect();
        CallGraph::of(program, &entries, Precision::Instantiated)
    }

    pub fn node(&self, method: MethodId) -> Option<NodeId> {
        self.methods.get(&method).copied()
    }

    pub(crate) fn dispatch(&self, dispatch: Dispatch) -> Option<NodeId> {
        self.dispatches.get(&dispatch).copied()
    }

    pub fn callable(&self, node: NodeId) -> Option<Callable> {
        self.nodes.get(node.0 as usize).map(|node| node.callable)
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Methods in the graph, in no order.
    pub fn methods(&self) -> impl Iterator<Item = MethodId> + '_ {
        self.methods.keys().copied()
    }

    /// Fields by the numbers that effects use.
    pub fn slots(&self) -> &Slots {
        &self.slots
    }

    /// Nodes as numbers.
    pub fn graph(&self) -> Graph {
        let edges = self
            .nodes
            .iter()
            .map(|node| node.callees.iter().map(|callee| callee.0).collect());
        Graph::new(edges.collect())
    }

    /// The methods that `method` may call, through virtual calls and lambdas, sorted.
    pub fn callees(&self, method: MethodId) -> Vec<MethodId> {
        let mut found = Vec::new();
        let mut seen = HashSet::new();
        let mut stack: Vec<NodeId> = self.node(method).into_iter().collect();
        let start = stack.clone();
        while let Some(id) = stack.pop() {
            let Some(node) = self.nodes.get(id.0 as usize) else {
                continue;
            };
            match node.callable {
                Callable::Method(callee) if !start.contains(&id) || seen.contains(&id) => {
                    found.push(callee);
                }
                _ => stack.extend(node.callees.iter().filter(|&&next| seen.insert(next))),
            }
        }
        found.sort_unstable();
        found
    }
}

struct Builder<'p> {
    program: &'p Program,
    extractor: Extractor<'p>,
    nodes: Vec<Node>,
    methods: HashMap<MethodId, NodeId>,
    dispatches: HashMap<Dispatch, NodeId>,
    /// By number in [`Callable::Virtual`].
    calls: Vec<Call>,
    lambdas: HashMap<CallSite, u32>,
    made: HashSet<ClassId>,
    initialized: HashSet<ClassId>,
    /// By class: the receivers that can be cast to it.
    below: HashMap<ClassId, Vec<Receiver>>,
    /// By class: the virtual calls on it.
    on: HashMap<ClassId, Vec<NodeId>>,
    pending: Vec<MethodId>,
}

struct Call {
    dispatch: Dispatch,
    resolved: Option<Method>,
}

#[derive(Debug, Clone, Copy)]
enum Receiver {
    Class(ClassId),
    Lambda {
        node: NodeId,
        interface: ClassId,
        method: crate::ids::SelectorId,
    },
}

impl<'p> Builder<'p> {
    fn new(program: &'p Program, slots: &'p Slots) -> Builder<'p> {
        Builder {
            program,
            extractor: Extractor::new(program, slots),
            nodes: Vec::new(),
            methods: HashMap::new(),
            dispatches: HashMap::new(),
            calls: Vec::new(),
            lambdas: HashMap::new(),
            made: HashSet::new(),
            initialized: HashSet::new(),
            below: HashMap::new(),
            on: HashMap::new(),
            pending: Vec::new(),
        }
    }

    fn seed(&mut self, precision: Precision) {
        for name in MADE_BY_JVM {
            self.make(self.program.class_id(name.as_bytes()));
        }
        let program = self.program;
        let mut names = program.class_path().application();
        if precision == Precision::Hierarchy {
            names.extend(program.class_path().jdk());
        }
        for name in names {
            let class = program.class_id(name);
            if program
                .class(class)
                .is_some_and(|class| class.is_concrete())
            {
                self.make(class);
            }
        }
    }

    fn add(&mut self, callable: Callable, parameters: u16) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(Node {
            callable,
            body: None,
            callees: Vec::new(),
            parameters,
            unseen: None,
        });
        id
    }

    fn edge(&mut self, from: NodeId, to: NodeId) {
        if let Some(node) = self.nodes.get_mut(from.0 as usize)
            && !node.callees.contains(&to)
        {
            node.callees.push(to);
        }
    }

    /// Part of what a virtual call may run cannot be seen; the class says whose code it is.
    fn unseen(&mut self, node: NodeId, class: ClassId) {
        let name = self.program.class_name(class);
        let target = match self.program.class_path().origin(&name) {
            Some(Origin::Jdk) => Target::Platform,
            _ => Target::Unknown,
        };
        if let Some(node) = self.nodes.get_mut(node.0 as usize) {
            node.unseen = Some(target);
        }
    }

    fn method(&mut self, method: MethodId) -> NodeId {
        if let Some(&known) = self.methods.get(&method) {
            return known;
        }
        let id = self.add(Callable::Method(method), 0);
        self.methods.insert(method, id);
        self.pending.push(method);
        id
    }

    /// Reads the methods found, in parallel, and follows them, until no new ones turn up.
    fn run(&mut self) {
        while !self.pending.is_empty() {
            let mut by_class: HashMap<ClassId, Vec<MethodId>> = HashMap::new();
            for method in std::mem::take(&mut self.pending) {
                by_class.entry(method.class).or_default().push(method);
            }
            let groups: Vec<(ClassId, Vec<MethodId>)> = by_class.into_iter().collect();
            let (program, extractor) = (self.program, &self.extractor);
            let bodies: Vec<(MethodId, Body)> = groups
                .par_iter()
                .flat_map_iter(|(class, methods)| {
                    let class = program.class(*class);
                    class
                        .map(|class| extractor.bodies(&class, methods))
                        .unwrap_or_default()
                })
                .collect();
            for (method, body) in bodies {
                let node = self.method(method);
                self.follow(node, body);
            }
        }
    }

    fn follow(&mut self, node: NodeId, body: Body) {
        for &class in &body.allocates {
            self.make(class);
        }
        for &class in &body.initializes {
            self.initialize(class);
        }
        for &class in &body.names {
            if self
                .program
                .class(class)
                .is_some_and(|class| class.is_concrete())
            {
                self.make(class);
                self.initialize(class);
            }
        }
        for lambda in &body.lambdas {
            self.lambda(lambda);
        }
        for target in body.targets() {
            match target {
                Target::Exactly(method) => {
                    let callee = self.method(method);
                    self.edge(node, callee);
                }
                Target::Virtual(dispatch) => {
                    let callee = self.virtual_call(dispatch);
                    self.edge(node, callee);
                }
                Target::Unknown | Target::Platform => {}
            }
        }
        if let Some(node) = self.nodes.get_mut(node.0 as usize) {
            node.parameters = body.parameters;
            node.body = Some(Arc::new(body));
        }
    }

    /// A virtual call that no known receiver answers is answered by something that is not known.
    fn close(&mut self) {
        for number in 0..self.calls.len() {
            let Some(dispatch) = self.calls.get(number).map(|call| call.dispatch) else {
                break;
            };
            if let Some(&node) = self.dispatches.get(&dispatch)
                && self
                    .nodes
                    .get(node.0 as usize)
                    .is_some_and(|node| node.callees.is_empty())
            {
                self.unseen(node, dispatch.class);
            }
        }
    }

    /// Objects of this class exist.
    fn make(&mut self, class: ClassId) {
        if self.made.insert(class) {
            self.receive(class, Receiver::Class(class));
        }
    }

    /// A new kind of receiver for every call on a class above it.
    fn receive(&mut self, class: ClassId, receiver: Receiver) {
        for above in self.program.hierarchy().supertypes(class) {
            self.below.entry(above).or_default().push(receiver);
            for node in self.on.get(&above).cloned().unwrap_or_default() {
                self.answer(node, receiver);
            }
        }
    }

    fn initialize(&mut self, class: ClassId) {
        if !self.initialized.insert(class) {
            return;
        }
        let selector = self.program.selector_id(b"<clinit>", b"()V");
        for above in self.program.hierarchy().supertypes(class) {
            self.initialized.insert(above);
            let initializer = self
                .program
                .class(above)
                .and_then(|class| class.method(selector).copied());
            if let Some(initializer) = initializer {
                self.method(initializer.id);
            }
        }
    }

    fn virtual_call(&mut self, dispatch: Dispatch) -> NodeId {
        if let Some(&known) = self.dispatches.get(&dispatch) {
            return known;
        }
        let parameters = self.extractor.parameter_count(dispatch.selector) + 1;
        let id = self.add(Callable::Virtual(self.calls.len() as u32), parameters);
        self.dispatches.insert(dispatch, id);
        let hierarchy = self.program.hierarchy();
        let resolved = hierarchy.resolve_method(dispatch.class, dispatch.selector);
        self.calls.push(Call { dispatch, resolved });
        if resolved.is_none() {
            self.unseen(id, dispatch.class);
        }
        // Objects of arrays have the methods of `Object`.
        let mut class = dispatch.class;
        if self.program.class_name(class).first() == Some(&b'[') {
            class = self.program.class_id(b"java/lang/Object");
        }
        self.on.entry(class).or_default().push(id);
        for receiver in self.below.get(&class).cloned().unwrap_or_default() {
            self.answer(id, receiver);
        }
        id
    }

    /// What a virtual call means on this receiver.
    fn answer(&mut self, node: NodeId, receiver: Receiver) {
        let Some(Callable::Virtual(number)) =
            self.nodes.get(node.0 as usize).map(|node| node.callable)
        else {
            return;
        };
        let Some(call) = self.calls.get(number as usize) else {
            return;
        };
        let Some(resolved) = call.resolved else {
            return;
        };
        let hierarchy = self.program.hierarchy();
        let callee = match receiver {
            Receiver::Class(class) => hierarchy.select_method(class, &resolved),
            Receiver::Lambda {
                node: lambda,
                interface,
                method,
            } => {
                // Bridges have other descriptors, but the name.
                let name = |selector| self.program.selector(selector).map(|s| s.name);
                let own = hierarchy.resolve_method(interface, call.dispatch.selector);
                let is_abstract = own.is_none_or(|own| !own.has_code());
                if is_abstract && name(method) == name(call.dispatch.selector) {
                    return self.edge(node, lambda);
                }
                own
            }
        };
        // An abstract method has no code to run: the JVM throws.
        let runs = |method: &Method| !method.is(access::ABSTRACT);
        if let Some(method) = callee.filter(runs) {
            let callee = self.method(method.id);
            self.edge(node, callee);
        }
    }

    fn lambda(&mut self, site: &CallSite) {
        let CallSite::Lambda {
            interface,
            method,
            implementation,
        } = site
        else {
            return;
        };
        let number = self.lambdas.len() as u32;
        if self.lambdas.contains_key(site) {
            return;
        }
        self.lambdas.insert(site.clone(), number);
        let node = self.add(Callable::Lambda(number), 0);
        let hierarchy = self.program.hierarchy();
        let named = implementation.method;
        let resolved = hierarchy.resolve_method(named.class, named.selector);
        let target = match (implementation.kind, resolved) {
            (_, None) => Target::Unknown,
            (HandleKind::Virtual, Some(_)) => Target::Virtual(named.into()),
            (_, Some(method)) => Target::Exactly(method.id),
        };
        let parameters = self.extractor.parameter_count(*method) + 1;
        let receiver = usize::from(implementation.kind != HandleKind::Static);
        let wanted = usize::from(self.extractor.parameter_count(named.selector)) + receiver;
        let constructs = (implementation.kind == HandleKind::Constructor).then_some(named.class);
        let mut body = Body::of_lambda(target, constructs, parameters, wanted);
        if implementation.kind == HandleKind::Static {
            body.initializes.insert(named.class);
        }
        self.follow(node, body);
        let receiver = Receiver::Lambda {
            node,
            interface: *interface,
            method: *method,
        };
        self.receive(*interface, receiver);
        // A lambda is an object, too.
        self.receive(self.program.class_id(b"java/lang/Object"), receiver);
    }
}
