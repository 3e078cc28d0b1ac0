//! What is known of each class before its objects are looked at: once per class, not once per object.

use crate::notes::{ProgramNotes, is_own};
use crate::rules::{RuleIndex, Rules, When};
use recrash_heap::{Class, ClassIndex, ClassKind, Heap};
use std::collections::HashMap;
use std::rc::Rc;

pub(crate) struct ClassPlan {
    pub(crate) nature: Nature,
    /// Of the program or its libraries, not of the JDK.
    pub(crate) is_own: bool,
    /// Every object of the class is sensitive.
    pub(crate) whole: Option<RuleIndex>,
    pub(crate) slots: Vec<PlannedSlot>,
    /// The slots of a name and of a value that goes by it: an entry of a map, a header.
    pub(crate) entries: Vec<(usize, usize)>,
    /// Slots of arrays in which names and values take turns.
    pub(crate) alternating: Vec<usize>,
    /// Whether any slot has a rule.
    pub(crate) has_rules: bool,
}

/// What objects of a class are to somebody who looks for what is inside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Nature {
    /// They only hold others.
    Container,
    /// They have what they hold where a map has its keys.
    Set,
    /// Nothing but numbers: `Long` and its kin, where they are objects of their own, dates, UUIDs.
    Number,
    /// `BigInteger` and `BigDecimal`, whose digits are further inside.
    BigNumber,
    /// A lambda or a proxy: what it has is what it works with.
    Function,
    Other,
}

impl Nature {
    fn of(class: Option<&Class>) -> Self {
        let Some(class) = class else {
            return Self::Other;
        };
        let name = class.name.as_str();
        match class.kind {
            ClassKind::Lambda(_) | ClassKind::Proxy(_) => Self::Function,
            _ if NUMBERS.contains(&name) || name.starts_with("java.time.") => Self::Number,
            _ if ["java.math.BigInteger", "java.math.BigDecimal"].contains(&name) => {
                Self::BigNumber
            }
            _ if name.starts_with("java.util.") && name.ends_with("Set") => Self::Set,
            _ if CONTAINERS.iter().any(|start| name.starts_with(start)) => Self::Container,
            _ => Self::Other,
        }
    }
}

pub(crate) struct PlannedSlot {
    pub(crate) name: String,
    pub(crate) descriptor: String,
    pub(crate) offset: usize,
    pub(crate) rule: Option<RuleIndex>,
}

impl PlannedSlot {
    pub(crate) fn is_reference(&self) -> bool {
        self.descriptor.starts_with(['L', '['])
    }
}

/// Names of fields that hold a name, and of those beside them that hold what goes by it.
const PAIRS: [(&str, &str); 8] = [
    ("key", "value"),
    ("key", "val"),
    ("name", "value"),
    ("k0", "v0"),
    ("nameB", "valueB"),
    ("headerName", "headerValue"),
    ("referent", "value"),
    ("_1", "_2"),
];

const NUMBERS: [&str; 17] = [
    "java.lang.Byte",
    "java.lang.Character",
    "java.lang.Double",
    "java.lang.Float",
    "java.lang.Integer",
    "java.lang.Long",
    "java.lang.Short",
    "java.sql.Date",
    "java.sql.Time",
    "java.sql.Timestamp",
    "java.util.Date",
    "java.util.OptionalDouble",
    "java.util.OptionalInt",
    "java.util.OptionalLong",
    "java.util.UUID",
    "java.util.concurrent.atomic.AtomicInteger",
    "java.util.concurrent.atomic.AtomicLong",
];

const CONTAINERS: [&str; 4] = ["java.lang.", "java.math.", "java.nio.", "java.util."];

pub(crate) fn plans(heap: &Heap, rules: &Rules, program: &ProgramNotes) -> Vec<Rc<ClassPlan>> {
    let mut planner = Planner {
        heap,
        rules,
        program,
        names: HashMap::new(),
        annotated: HashMap::new(),
    };
    (0..heap.classes().len() as u32)
        .map(|index| Rc::new(planner.plan(ClassIndex(index))))
        .collect()
}

struct Planner<'a> {
    heap: &'a Heap,
    rules: &'a Rules,
    program: &'a ProgramNotes,
    names: HashMap<&'a str, Option<RuleIndex>>,
    /// By class and field; the empty field is the class itself.
    annotated: HashMap<&'a str, HashMap<String, RuleIndex>>,
}

impl<'a> Planner<'a> {
    fn plan(&mut self, index: ClassIndex) -> ClassPlan {
        let heap = self.heap;
        let class = heap.classes().get(index.0 as usize);
        let name = class.map_or("", |class| class.name.as_str());
        let mut slots: Vec<PlannedSlot> = Vec::new();
        for slot in heap.layout(index) {
            let annotated = self.annotation(slot.declared_in, slot.name);
            let named = self.name(slot.declared_in, slot.name);
            slots.push(PlannedSlot {
                name: slot.name.to_owned(),
                descriptor: slot.descriptor.to_owned(),
                offset: slot.offset,
                rule: annotated.into_iter().chain(named).min(),
            });
        }
        if let Some(ClassKind::Lambda(lambda)) = class.map(|class| &class.kind) {
            let notes = self.program.get(&lambda.owner);
            let bodies = notes.map_or(&[][..], |notes| &notes.lambdas);
            let mut bodies = bodies.iter();
            let body = bodies.find(|(name, descriptor, _)| {
                *name == lambda.name && *descriptor == lambda.descriptor
            });
            // Of a method of an instance, the first variable is the instance.
            let skip = usize::from(is_instance(lambda.reference_kind));
            let names = body.map_or(&[][..], |(_, _, names)| names);
            for (slot, name) in slots.iter_mut().skip(skip).zip(names) {
                slot.rule = self.rules.for_name(name);
            }
        }
        let place = |wanted: &str| slots.iter().position(|slot| slot.name == wanted);
        let entries = PAIRS
            .iter()
            .filter_map(|(name, value)| Some((place(name)?, place(value)?)))
            .collect();
        let alternates = name == "java.util.ImmutableCollections$MapN"
            || name == "java.util.IdentityHashMap"
            || name.ends_with("Headers");
        let alternating = slots
            .iter()
            .enumerate()
            .filter(|(_, slot)| alternates && slot.descriptor.starts_with("[L"))
            .map(|(index, _)| index)
            .collect();
        ClassPlan {
            is_own: is_own(name),
            nature: Nature::of(class),
            whole: self.whole(index),
            has_rules: slots.iter().any(|slot| slot.rule.is_some()),
            slots,
            entries,
            alternating,
        }
    }

    /// By the class itself or one above it.
    fn whole(&mut self, index: ClassIndex) -> Option<RuleIndex> {
        let heap = self.heap;
        let classes = heap.classes();
        let mut next = classes.get(index.0 as usize);
        let mut first: Option<RuleIndex> = None;
        while let Some(class) = next {
            let annotated = self.annotation(&class.name, "");
            let found = self
                .rules
                .for_type(&class.name)
                .into_iter()
                .chain(annotated);
            first = first.into_iter().chain(found).min();
            next = class
                .super_class
                .and_then(|above| classes.get(above.0 as usize));
        }
        first
    }

    fn name(&mut self, class: &str, field: &'a str) -> Option<RuleIndex> {
        let rules = self.rules;
        let found = *self
            .names
            .entry(field)
            .or_insert_with(|| rules.for_name(field));
        // A map of the JDK has keys, a lexer of the JDK tokens; what they are is decided by what holds them.
        let is_ambiguous = |index| {
            rules
                .get(index)
                .is_some_and(|rule| rule.when == When::LooksRandom)
        };
        found.filter(|index| is_own(class) || !is_ambiguous(*index))
    }

    fn annotation(&mut self, class: &'a str, field: &str) -> Option<RuleIndex> {
        if !is_own(class) {
            return None;
        }
        let (rules, program) = (self.rules, self.program);
        let of_class = self.annotated.entry(class).or_insert_with(|| {
            let Some(annotated) = program.get(class) else {
                return HashMap::new();
            };
            let on_class = annotated.class.iter();
            let all = on_class
                .map(|annotation| (String::new(), annotation))
                .chain(
                    annotated
                        .fields
                        .iter()
                        .map(|(field, annotation)| (field.clone(), annotation)),
                );
            all.filter_map(|(field, annotation)| Some((field, rules.for_annotation(annotation)?)))
                .collect()
        });
        of_class.get(field).copied()
    }
}

/// JVMS table 5.4.3.5-A: everything but fields, static methods and constructors is called on an object.
fn is_instance(reference_kind: u8) -> bool {
    matches!(reference_kind, 5 | 7 | 9)
}
