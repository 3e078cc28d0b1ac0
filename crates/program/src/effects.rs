//! What methods change: the fields each may write and read, with everything it calls.
//!
//! # What is assumed
//!
//! - One thread: what other threads do meanwhile is not an effect of the method, nor is what a started thread does.
//! - The application is what is on the class path. Its own reflection, native methods and unknown call sites may do anything
//!   ([`SlotId::ANY`]).
//! - The JDK's own reflection, method handles and native methods run the JDK's code: they change fields of its classes
//!   ([`SlotId::PLATFORM`]) and arrays they are given. Serialization counts as the application's reflection.
//! - `equals`, `hashCode`, `toString` and `compareTo` of JDK classes that are no collections keep to their contracts.
//! - Running a class initializer for the first time is told apart, see [`Effects::initializers`].

mod immutable;
mod local;
mod origin;
mod propagate;
mod solve;
mod summary;

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use recrash_classfile::text;
use serde::{Deserialize, Serialize};

use crate::call_graph::{CallGraph, Callable};
use crate::class_path::Origin as Owner;
use crate::ids::MethodId;
use crate::program::Program;
use crate::slots::{Slot, SlotId, SlotSet};
use summary::{Summary, Written};

/// The effects of a program's methods, by name. It needs neither the program nor its class path any more.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Effects {
    slots: Vec<SlotName>,
    /// Sets that methods refer to by number; many share one.
    sets: Vec<SlotSet>,
    methods: Vec<MethodEffects>,
    names: Vec<MethodName>,
    immutable: BTreeSet<String>,
    initializers: u32,
    /// How many classes the analysis came by.
    pub application_classes: usize,
    pub jdk_classes: usize,
    /// What could not be read and counts as unknown code.
    pub problems: Vec<String>,
    #[serde(skip)]
    index: HashMap<MethodName, u32>,
}

/// A method by its names in the class file.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct MethodName {
    /// Internal name, `java/lang/String`.
    pub class: String,
    pub name: String,
    pub descriptor: String,
}

/// What a slot number means.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum SlotName {
    /// Every place of an object.
    Any,
    /// Every field of the JDK's classes.
    Platform,
    /// Nothing that a field or array has: captured by a lambda, thrown.
    Hidden,
    /// The elements of arrays, by the opcodes' kinds: `int`, `byte`, `reference`.
    Elements(String),
    Field {
        class: String,
        name: String,
        descriptor: String,
        is_static: bool,
        of_jdk: bool,
    },
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct MethodEffects {
    parameters: u16,
    of_application: bool,
    places: Vec<AccessPath>,
    /// By parameter: sets of slots written of anything below it, at all and before a throw.
    below: Vec<(u16, u32, u32)>,
    anywhere: (u32, u32),
    reads: u32,
    returns_fresh: bool,
    initializes: bool,
}

/// A slot that is written, a short way from a parameter: `parameter.through[0].through[1].slot`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccessPath {
    /// Counted from 0, the receiver included.
    pub parameter: u16,
    pub through: Vec<SlotId>,
    pub slot: SlotId,
    /// Whether the method can still throw once it has been written.
    pub before_throw: bool,
}

/// One method's effects.
#[derive(Debug, Clone, Copy)]
pub struct View<'e> {
    effects: &'e Effects,
    method: &'e MethodEffects,
}

impl Effects {
    /// The effects of all methods of the application and all they reach.
    pub fn of(program: &Program) -> Effects {
        let graph = CallGraph::of_application(program);
        Effects::of_graph(program, &graph)
    }

    pub fn of_graph(program: &Program, graph: &CallGraph) -> Effects {
        let summaries = solve::solve(graph);
        let mut builder = Builder {
            program,
            effects: Effects::default(),
            numbers: HashMap::new(),
        };
        builder.set(&SlotSet::default());
        let mut methods: Vec<MethodId> = graph.methods().collect();
        methods.sort_unstable();
        let mut initializers = SlotSet::default();
        let mut classes = BTreeSet::new();
        for id in methods {
            let summary = graph
                .node(id)
                .and_then(|node| summaries.get(node.0 as usize));
            if let Some(summary) = summary {
                classes.insert(id.class);
                builder.method(id, summary, graph, &mut initializers);
            }
        }
        let mut effects = builder.effects;
        effects.initializers = effects.sets.len() as u32;
        effects.sets.push(initializers);
        effects.slots = slot_names(program, graph);
        for class in classes.iter().filter_map(|&class| program.class(class)) {
            match class.origin {
                Owner::Application => {}
                Owner::Jdk => effects.jdk_classes += 1,
            }
        }
        effects.application_classes = program.class_path().application().len();
        effects.immutable = immutable::immutable(program, graph);
        effects.problems = program.problems();
        effects.indexed()
    }

    /// With what is not stored.
    pub(crate) fn indexed(mut self) -> Effects {
        self.index = (0..)
            .zip(&self.names)
            .map(|(number, name)| (name.clone(), number))
            .collect();
        self
    }

    /// The effects of a method; `None` for one that nothing reaches.
    pub fn method(&self, name: &MethodName) -> Option<View<'_>> {
        let number = *self.index.get(name)?;
        Some(View {
            effects: self,
            method: self.methods.get(number as usize)?,
        })
    }

    /// All methods, sorted neither by name nor otherwise.
    pub fn methods(&self) -> impl Iterator<Item = (&MethodName, View<'_>)> {
        let views = self.methods.iter().map(|method| View {
            effects: self,
            method,
        });
        self.names.iter().zip(views)
    }

    /// All slots that methods touch.
    pub fn slots(&self) -> impl Iterator<Item = SlotId> + use<> {
        (0..self.slots.len() as u32).map(SlotId)
    }

    pub fn slot(&self, slot: SlotId) -> &SlotName {
        self.slots.get(slot.0 as usize).unwrap_or(&SlotName::Any)
    }

    /// The number of a field; `None` for a field that no method touches.
    pub fn field(&self, class: &str, name: &str) -> Option<SlotId> {
        let found = self.slots.iter().position(|slot| {
            matches!(slot, SlotName::Field { class: c, name: n, .. } if c == class && n == name)
        });
        found.map(|number| SlotId(number as u32))
    }

    /// Internal names of classes of the application whose objects, and all they hold, never change once they are made.
    pub fn immutable_classes(&self) -> &BTreeSet<String> {
        &self.immutable
    }

    /// What class initializers write of objects that were there before; their own static fields are not among it. It may
    /// happen in any method that [initializes](View::initializes) classes.
    pub fn initializers(&self) -> &SlotSet {
        self.set(self.initializers)
    }

    fn set(&self, number: u32) -> &SlotSet {
        static EMPTY: SlotSet = SlotSet::Few(Vec::new());
        self.sets.get(number as usize).unwrap_or(&EMPTY)
    }

    fn covers(&self, set: &SlotSet, slot: SlotId) -> bool {
        let of_jdk = matches!(self.slot(slot), SlotName::Field { of_jdk: true, .. });
        set.contains(slot)
            || set.contains(SlotId::ANY)
            || (of_jdk && set.contains(SlotId::PLATFORM))
    }
}

impl<'e> View<'e> {
    /// Parameters, the receiver included.
    pub fn parameters(self) -> u16 {
        self.method.parameters
    }

    pub fn of_application(self) -> bool {
        self.method.of_application
    }

    /// It changes no object that was there before. (It may still run class initializers.)
    pub fn is_pure(self) -> bool {
        self.method.places.is_empty()
            && self.method.below.is_empty()
            && self.effects.set(self.method.anywhere.0).is_empty()
    }

    /// It may come to code that cannot be seen, and that may change anything.
    pub fn runs_unknown_code(self) -> bool {
        self.effects
            .set(self.method.anywhere.0)
            .contains(SlotId::ANY)
    }

    /// What it writes near its parameters, named by the way from the parameter at entry. Another way may lead to the same
    /// object; [`may_write`](View::may_write) has the last word.
    pub fn access_paths(self) -> &'e [AccessPath] {
        &self.method.places
    }

    /// What it writes of anything that can be reached from a parameter, the parameter's object included, where the way to it
    /// is long or not known.
    pub fn below(self, parameter: u16, before_throw: bool) -> &'e SlotSet {
        let found = self
            .method
            .below
            .iter()
            .find(|(number, _, _)| *number == parameter);
        found.map_or(self.effects.set(0), |(_, all, before)| {
            self.effects.set(if before_throw { *before } else { *all })
        })
    }

    /// What it writes of objects that may come from anywhere, and static fields.
    pub fn anywhere(self, before_throw: bool) -> &'e SlotSet {
        let (all, before) = self.method.anywhere;
        self.effects.set(if before_throw { before } else { all })
    }

    /// Whether this slot of any object that was there at entry may be written; the safe answer.
    pub fn may_write(self, slot: SlotId, before_throw: bool) -> bool {
        let effects = self.effects;
        let near = self.method.places.iter().any(|place| {
            let same = place.slot == slot
                || place.slot == SlotId::ANY
                || (place.slot == SlotId::PLATFORM
                    && matches!(effects.slot(slot), SlotName::Field { of_jdk: true, .. }));
            same && (place.before_throw || !before_throw)
        });
        near || effects.covers(self.anywhere(before_throw), slot)
            || (self.method.initializes && effects.covers(effects.initializers(), slot))
            || self
                .method
                .below
                .iter()
                .any(|(parameter, _, _)| effects.covers(self.below(*parameter, before_throw), slot))
    }

    /// Whether nothing that can be reached from this parameter is changed: not through it, and not through objects that may
    /// come from anywhere.
    pub fn leaves_parameter(self, parameter: u16) -> bool {
        let near = |place: &AccessPath| place.parameter == parameter;
        let is_static = |slot: SlotId| {
            matches!(
                self.effects.slot(slot),
                SlotName::Field {
                    is_static: true,
                    ..
                }
            )
        };
        !self.method.places.iter().any(near)
            && self.below(parameter, false).is_empty()
            && self.anywhere(false).iter().all(is_static)
    }

    pub fn reads(self) -> &'e SlotSet {
        self.effects.set(self.method.reads)
    }

    /// It gives back an object that it made.
    pub fn returns_fresh(self) -> bool {
        self.method.returns_fresh
    }

    /// It may be the first to use a class, and so run its initializer.
    pub fn initializes(self) -> bool {
        self.method.initializes
    }
}

struct Builder<'p> {
    program: &'p Program,
    effects: Effects,
    numbers: HashMap<SlotSet, u32>,
}

impl Builder<'_> {
    fn set(&mut self, set: &SlotSet) -> u32 {
        if let Some(&known) = self.numbers.get(set) {
            return known;
        }
        let number = self.effects.sets.len() as u32;
        self.effects.sets.push(set.clone());
        self.numbers.insert(set.clone(), number);
        number
    }

    fn written(&mut self, written: &Written) -> (u32, u32) {
        (self.set(&written.all), self.set(&written.before_throw))
    }

    fn method(
        &mut self,
        id: MethodId,
        summary: &Arc<Summary>,
        graph: &CallGraph,
        initializers: &mut SlotSet,
    ) {
        let (Some(class), Some(method)) = (self.program.class(id.class), self.program.method(id))
        else {
            return;
        };
        let Some(selector) = self.program.selector(method.selector) else {
            return;
        };
        if &*selector.name == b"<clinit>" {
            for slot in summary.anywhere.all.iter() {
                let own = matches!(graph.slots().slot(slot), Slot::Field(field) if field.class == id.class);
                if !own {
                    initializers.insert(slot);
                }
            }
        }
        self.effects.names.push(MethodName {
            class: text(&class.name),
            name: text(&selector.name),
            descriptor: text(&selector.descriptor),
        });
        let parameters = recrash_classfile::Parameters::of(&selector.descriptor).count() as u16;
        let returns: Vec<origin::Origin> = summary.returns.iter().collect();
        let is_fresh = |origin: &origin::Origin| matches!(origin, origin::Origin::Fresh(_));
        let method = MethodEffects {
            parameters: parameters + u16::from(!method.is_static()),
            of_application: class.origin == Owner::Application,
            places: summary
                .places
                .iter()
                .map(|(&(path, slot), &before_throw)| AccessPath {
                    parameter: path.parameter,
                    through: path.slots().collect(),
                    slot,
                    before_throw,
                })
                .collect(),
            below: summary
                .deep
                .iter()
                .map(|(&parameter, written)| {
                    let (all, before) = self.written(written);
                    (parameter, all, before)
                })
                .collect(),
            anywhere: self.written(&summary.anywhere),
            reads: self.set(&summary.reads),
            returns_fresh: !returns.is_empty() && returns.iter().all(is_fresh),
            initializes: summary.initializes,
        };
        self.effects.methods.push(method);
    }
}

fn slot_names(program: &Program, graph: &CallGraph) -> Vec<SlotName> {
    let slots = graph.slots();
    slots
        .ids()
        .map(|id| match slots.slot(id) {
            Slot::Any => SlotName::Any,
            Slot::Platform => SlotName::Platform,
            Slot::Captured | Slot::Thrown => SlotName::Hidden,
            Slot::Elements(kind) => SlotName::Elements(format!("{kind:?}").to_lowercase()),
            Slot::Field(field) => {
                let class = program.class(field.class);
                let found = program.field(field);
                let selector = found.and_then(|field| program.selector(field.selector));
                match (class, found, selector) {
                    (Some(class), Some(field), Some(selector)) => SlotName::Field {
                        class: text(&class.name),
                        name: text(&selector.name),
                        descriptor: text(&selector.descriptor),
                        is_static: field.is_static(),
                        of_jdk: class.origin == Owner::Jdk,
                    },
                    _ => SlotName::Any,
                }
            }
        })
        .collect()
}

/// Whether a node of the graph is a constructor.
fn is_constructor(program: &Program, callable: Callable) -> bool {
    let Callable::Method(id) = callable else {
        return false;
    };
    program
        .method(id)
        .and_then(|method| program.selector(method.selector))
        .is_some_and(|selector| &*selector.name == b"<init>")
}
