//! The objects of one frame as statements that make them, each object once.

use super::Style;
use super::classes::Classes;
use super::files::Files;
use super::helpers::{Helper, Helpers};
use super::made::{Blocked, Known, Made, Obstacle, Place, Plan, Result};
use crate::descriptor;
use crate::literal;
use crate::names::{self, Unique};
use crate::oracle::TypeOracle;
use crate::scope::Scope;
use crate::value::{cast, immutable, primitive};
use recrash_heap::manifest::{ObjectId, Value};
use recrash_heap::{Kind, LambdaInfo, Object, StandInReason};
use recrash_report::Graph;
use std::collections::{BTreeMap, BTreeSet};

/// How deep objects may lie in each other; a longer chain is no test to read.
const DEEPEST: usize = 40;

/// Objects that are looked at to find out who refers to whom.
const MOST_LOOKED_AT: usize = 20_000;

/// Objects that are tried, those given up again included.
const MOST_ATTEMPTS: usize = 3_000;

/// Longer expressions get a name and a line of their own.
pub(super) const LONGEST_INLINE: usize = 60;

const CHARACTERS_PER_LINE: usize = 80;

/// So many of the same character are counted instead of written.
const LONG_RUN: usize = 64;

/// The longest string that is written out over several lines.
pub(super) const LONGEST_TEXT: usize = 4_000;

/// What is the same for all frames of a snapshot.
pub(crate) struct World<'s> {
    pub(crate) graph: Graph<'s>,
    pub(crate) classes: &'s Classes<'s>,
    /// Objects that static final fields hold, by class and field.
    pub(crate) holders: &'s BTreeMap<ObjectId, (String, String)>,
    /// State that the crash does not need.
    pub(crate) left_out: &'s BTreeSet<Place>,
    /// Where long values go; `None` where the snapshot is loaded anyway.
    pub(crate) files: Option<&'s Files>,
}

pub(crate) struct Planner<'s, 'a> {
    pub(super) world: World<'s>,
    pub(super) scope: &'s mut Scope<'a>,
    pub(super) oracle: &'a dyn TypeOracle,
    pub(super) style: Style,
    pub(super) unique: &'s mut Unique,
    pub(super) lines: Vec<String>,
    pub(super) helpers: Helpers,
    /// Raw types are used.
    pub(super) generic: bool,
    most_lines: usize,
    named: BTreeMap<ObjectId, Made>,
    open: Vec<ObjectId>,
    uses: BTreeMap<ObjectId, u32>,
    /// Statements that wait for an object to have a name; `{}` stands for it.
    later: BTreeMap<ObjectId, Vec<String>>,
    /// Objects that cannot be made, whatever way leads to them.
    failed: BTreeMap<ObjectId, Obstacle>,
    attempts: usize,
    roots: BTreeSet<ObjectId>,
}

/// A point to go back to when an attempt fails.
pub(super) struct Mark {
    lines: usize,
    named: BTreeMap<ObjectId, Made>,
    later: BTreeMap<ObjectId, Vec<String>>,
    open: usize,
    unique: Unique,
}

impl<'s, 'a> Planner<'s, 'a> {
    pub(crate) fn new(
        world: World<'s>,
        scope: &'s mut Scope<'a>,
        oracle: &'a dyn TypeOracle,
        unique: &'s mut Unique,
        (style, most_lines): (Style, usize),
    ) -> Self {
        Planner {
            world,
            scope,
            oracle,
            style,
            unique,
            lines: Vec::new(),
            helpers: Helpers::default(),
            generic: false,
            most_lines,
            named: BTreeMap::new(),
            open: Vec::new(),
            uses: BTreeMap::new(),
            later: BTreeMap::new(),
            failed: BTreeMap::new(),
            attempts: 0,
            roots: BTreeSet::new(),
        }
    }

    /// Finds out which objects are referred to more than once. To be called once, with all values of the frame.
    pub(crate) fn look_at(&mut self, roots: &[Value]) -> Result<()> {
        let mut waiting: Vec<ObjectId> = Vec::new();
        let mut looked = 0usize;
        let count = |uses: &mut BTreeMap<ObjectId, u32>, waiting: &mut Vec<ObjectId>, value| {
            if let Value::Ref(id) = value {
                let known = uses.entry(id).or_insert(0);
                *known += 1;
                if *known == 1 {
                    waiting.push(id);
                }
            }
        };
        for root in roots {
            count(&mut self.uses, &mut waiting, *root);
        }
        self.roots.extend(&waiting);
        while let Some(id) = waiting.pop() {
            looked += 1;
            if looked > MOST_LOOKED_AT {
                return Err(Blocked::TooMuch(
                    "more objects than a test should make".to_owned(),
                ));
            }
            let Some(object) = self.world.graph.object(id) else {
                continue;
            };
            match &object.kind {
                Kind::Array { elements, .. } => {
                    for element in elements {
                        count(&mut self.uses, &mut waiting, *element);
                    }
                }
                Kind::Instance { fields } => {
                    for field in fields {
                        if !self.is_left_out(id, field.declared_in, field.name) {
                            count(&mut self.uses, &mut waiting, field.value);
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    pub(super) fn is_left_out(&self, id: ObjectId, class: &str, field: &str) -> bool {
        let places = self.world.left_out;
        !places.is_empty() && places.contains(&(id, class.to_owned(), field.to_owned()))
    }

    /// The expression for a value where a `descriptor` is expected, after the statements that it needs.
    pub(crate) fn value(&mut self, descriptor: &str, value: Value, hint: &str) -> Result<Made> {
        if let Some(text) = primitive(descriptor, value) {
            return Ok(Made {
                text,
                known: Known::Exactly(descriptor.to_owned()),
            });
        }
        match value {
            Value::Null => Ok(Made::anything("null")),
            Value::Ref(id) => self.object(id, hint),
            _ => Err(Blocked::because("a value of an unexpected type")),
        }
    }

    /// As [`Self::value`], with a cast where source does not know that the object fits.
    pub(crate) fn fitting(&mut self, descriptor: &str, value: Value, hint: &str) -> Result<String> {
        let made = self.value(descriptor, value, hint)?;
        if self.fits(&made, descriptor) {
            return Ok(made.text);
        }
        match self.scope.descriptor(descriptor) {
            Some(written) => Ok(cast(&written, &made.text)),
            None => Err(Blocked::because(format!(
                "{} cannot be named here",
                descriptor
                    .trim_start_matches(['[', 'L'])
                    .trim_end_matches(';')
                    .replace('/', ".")
            ))),
        }
    }

    /// Whether source knows that an expression can stand where a `descriptor` is expected.
    pub(crate) fn fits(&self, made: &Made, descriptor: &str) -> bool {
        match &made.known {
            Known::Anything | Known::Exactly(_) => true,
            Known::ObjectOnly => descriptor == "Ljava/lang/Object;",
            Known::Declared(declared) => {
                match (descriptor::class(declared), descriptor::class(descriptor)) {
                    (Some(declared), Some(wanted)) => self.world.classes.is_a(&declared, &wanted),
                    _ => declared == descriptor,
                }
            }
        }
    }

    pub(crate) fn object(&mut self, id: ObjectId, hint: &str) -> Result<Made> {
        if let Some(made) = self.named.get(&id) {
            return Ok(made.clone());
        }
        if self.open.contains(&id) {
            return Err(Blocked::Cycle);
        }
        if let Some(obstacle) = self.failed.get(&id) {
            return Err(Blocked::Because(obstacle.clone()));
        }
        self.attempts += 1;
        if self.attempts > MOST_ATTEMPTS {
            return Err(Blocked::TooMuch(
                "more objects than a test should make".to_owned(),
            ));
        }
        if self.open.len() > DEEPEST {
            return Err(Blocked::TooMuch(
                "objects lie too deep in each other".to_owned(),
            ));
        }
        if self.lines.len() > self.most_lines {
            return Err(Blocked::TooMuch(format!(
                "it would take more than {} lines",
                self.most_lines
            )));
        }
        let object = self
            .world
            .graph
            .object(id)
            .ok_or_else(|| Blocked::because("an object that is not in the snapshot"))?;
        if let Some(expression) = immutable(self.world.graph, self.scope, &object) {
            return Ok(Made {
                text: expression.text,
                known: expression
                    .descriptor
                    .map_or(Known::Anything, Known::Exactly),
            });
        }
        self.open.push(id);
        let mut made = self.make(&object, hint);
        if let Err(Blocked::Because(obstacle)) = &mut made {
            if obstacle.path.is_empty() {
                obstacle.path.clone_from(&self.open);
            }
            self.failed.insert(id, obstacle.clone());
        }
        self.open.retain(|open| *open != id);
        made
    }

    fn make(&mut self, object: &Object<'s>, hint: &str) -> Result<Made> {
        // A singleton may have changed since; where constructors are not trusted, neither is it.
        let as_held = self.style == Style::Constructors || !self.roots.contains(&object.id);
        if as_held && let Some((class, field)) = self.world.holders.get(&object.id).cloned() {
            return Ok(self.held(&class, &field));
        }
        match &object.kind {
            Kind::String(text) => {
                let units: Vec<u16> = text.units().collect();
                let written = self.text(&units, hint).ok_or_else(|| {
                    Blocked::because(format!("a string of {} characters", text.len()))
                })?;
                let made = Made::of(written, "java.lang.String");
                Ok(self.named(object.id, &made, hint))
            }
            Kind::Enum { constant, .. } => {
                let class = self.type_of(crate::value::enum_class(object.class));
                self.generic = true;
                Ok(Made {
                    text: format!("Enum.valueOf((Class) {class}, \"{constant}\")"),
                    known: Known::ObjectOnly,
                })
            }
            Kind::Class { name } => Ok(Made::of(self.type_of(name), "java.lang.Class")),
            Kind::WellKnown { class, field } => self.well_known(object.class, class, field),
            Kind::Array {
                component,
                elements,
            } => self.array(object, component, elements, hint),
            Kind::Instance { .. } => self.instance(object, hint),
            Kind::StandIn {
                reason: StandInReason::CrashingThread,
                ..
            } => Ok(Made::of("Thread.currentThread()", "java.lang.Thread")),
            Kind::StandIn {
                reason: StandInReason::Stream,
                ..
            } if object.class.starts_with("java.io.File") => self.closed_file(object.class),
            Kind::StandIn { reason, .. } => Err(Blocked::because(format!(
                "{} is not captured",
                reason.as_str()
            ))),
            Kind::Lambda { lambda, fields } if fields.is_empty() => self.method_reference(lambda),
            Kind::Lambda { .. } => Err(Blocked::because("a lambda")),
            Kind::Proxy { .. } => Err(Blocked::because("a dynamic proxy")),
            Kind::Member {
                accessible,
                owner,
                name,
                descriptor,
            } => {
                let made = self.member(owner, name, descriptor);
                if !accessible {
                    return Ok(self.maybe_named(object.id, made, hint));
                }
                let variable = self.named(object.id, &made, hint);
                self.statement(&format!("{}.setAccessible(true);", variable.text));
                Ok(variable)
            }
            Kind::Boxed(_) => Err(Blocked::because(object.class)),
            Kind::Cut => Err(Blocked::because("the snapshot is cut")),
        }
    }

    /// An open file is not captured, but many a crash only needs something to read from or write to.
    fn closed_file(&mut self, class: &str) -> Result<Made> {
        let (class, text) = match class {
            "java.io.FileOutputStream" => ("java.io.OutputStream", "nullOutputStream()"),
            "java.io.FileInputStream" => ("java.io.InputStream", "nullInputStream()"),
            _ => return Err(Blocked::because("an open file is not captured")),
        };
        let simple = self.scope.library(class);
        Ok(Made::of(format!("{simple}.{text}"), class))
    }

    fn instance(&mut self, object: &Object<'s>, hint: &str) -> Result<Made> {
        let of_jdk = self
            .world
            .classes
            .shape(object.class)
            .is_some_and(|shape| shape.of_jdk);
        if of_jdk {
            return self.library(object, hint);
        }
        self.built(object, hint)
    }

    /// What a static field of the JDK holds; empty collections are held by many.
    fn well_known(&mut self, dynamic: &str, class: &str, field: &str) -> Result<Made> {
        let empty = match dynamic {
            "java.util.ImmutableCollections$ListN" => Some(("java.util.List", "of()")),
            "java.util.ImmutableCollections$SetN" => Some(("java.util.Set", "of()")),
            "java.util.ImmutableCollections$MapN" => Some(("java.util.Map", "of()")),
            "java.util.Collections$EmptyList" => Some(("java.util.Collections", "emptyList()")),
            "java.util.Collections$EmptySet" => Some(("java.util.Collections", "emptySet()")),
            "java.util.Collections$EmptyMap" => Some(("java.util.Collections", "emptyMap()")),
            _ => None,
        };
        if let Some((owner, method)) = empty {
            let owner = self.scope.library(owner);
            return Ok(Made::anything(format!("{owner}.{method}")));
        }
        let charset = match class {
            "sun.nio.cs.UTF_8" => Some("UTF_8"),
            "sun.nio.cs.US_ASCII" => Some("US_ASCII"),
            "sun.nio.cs.ISO_8859_1" => Some("ISO_8859_1"),
            _ => None,
        };
        if (class, field) == ("jdk.internal.loader.ClassLoaders", "APP_LOADER") {
            let text = "ClassLoader.getSystemClassLoader()";
            return Ok(Made::of(text, "java.lang.ClassLoader"));
        }
        if let Some(charset) = charset {
            let charsets = self.scope.library("java.nio.charset.StandardCharsets");
            return Ok(Made::anything(format!("{charsets}.{charset}")));
        }
        if self.world.classes.has_public_constant(class, field) && !class.contains('$') {
            let class = self.scope.library(class);
            return Ok(Made::anything(format!("{class}.{field}")));
        }
        Err(Blocked::because(format!("{class}.{field} of the JDK")))
    }

    /// What a static final field of the program holds.
    pub(super) fn held(&mut self, class: &str, field: &str) -> Made {
        let declared = self.world.classes.shape(class).and_then(|shape| {
            let found = shape.fields.iter().find(|known| known.name == field)?;
            Some((found.access, found.descriptor.clone()))
        });
        if let Some((access, descriptor)) = declared
            && names::is_identifier(field)
            && self.scope.admits_member(class, access)
            && let Some(written) = self.scope.class(class)
        {
            return Made {
                text: format!("{written}.{field}"),
                known: Known::Declared(descriptor),
            };
        }
        self.helpers.need(Helper::Constant);
        let owner = self.type_of(class);
        Made {
            text: format!("constant({owner}, \"{field}\")"),
            known: Known::ObjectOnly,
        }
    }

    /// `Order.class`, or by name where source cannot say that.
    pub(crate) fn type_of(&mut self, class: &str) -> String {
        let nameable = self
            .world
            .classes
            .shape(class)
            .is_none_or(|shape| !shape.of_jdk)
            || class.starts_with("java.") && !class.contains('$');
        let written = nameable.then(|| self.scope.class(class)).flatten();
        if let Some(written) = written {
            return format!("{written}.class");
        }
        self.helpers.need(Helper::Type);
        format!("type(\"{class}\")")
    }

    /// `(Supplier) Order::new`: a method reference has a name, other lambdas have none.
    fn method_reference(&mut self, lambda: &LambdaInfo) -> Result<Made> {
        /// JVMS table 5.4.3.5-A.
        const NEW: u8 = 8;
        let name = if lambda.reference_kind == NEW {
            "new"
        } else {
            &lambda.name
        };
        let interface = lambda.interfaces.first();
        let written = interface.and_then(|interface| self.scope.class(interface));
        let owner = self.scope.class(&lambda.owner);
        match (written, owner) {
            (Some(interface), Some(owner)) if name == "new" || names::is_identifier(name) => {
                self.generic = true;
                Ok(Made::anything(format!("({interface}) {owner}::{name}")))
            }
            _ => Err(Blocked::because("a lambda")),
        }
    }

    /// `Order.class.getDeclaredMethod("total", int.class)`.
    fn member(&mut self, owner: &str, name: &str, descriptor: &str) -> Made {
        let owner = self.type_of(owner);
        if !descriptor.starts_with('(') {
            let text = format!("{owner}.getDeclaredField(\"{name}\")");
            return Made::of(text, "java.lang.reflect.Field");
        }
        let parameters = descriptor::parameters(descriptor);
        let types: Vec<String> = parameters
            .iter()
            .map(|parameter| match self.scope.descriptor(parameter) {
                Some(written) => format!("{written}.class"),
                None => self.type_of(&binary_name(parameter)),
            })
            .collect();
        let types = types.join(", ");
        if name == "<init>" {
            let text = format!("{owner}.getDeclaredConstructor({types})");
            return Made::of(text, "java.lang.reflect.Constructor");
        }
        let comma = if types.is_empty() { "" } else { ", " };
        let text = format!("{owner}.getDeclaredMethod(\"{name}\"{comma}{types})");
        Made::of(text, "java.lang.reflect.Method")
    }

    /// Gives the object a name if something else refers to it, too, or if the expression is long.
    pub(super) fn maybe_named(&mut self, id: ObjectId, made: Made, hint: &str) -> Made {
        let shared = self.uses.get(&id).copied().unwrap_or(0) > 1;
        if shared || made.text.len() > LONGEST_INLINE {
            self.named(id, &made, hint)
        } else {
            made
        }
    }

    /// `Order order = new Order(7);`, and what waited for it.
    pub(crate) fn named(&mut self, id: ObjectId, made: &Made, hint: &str) -> Made {
        let (declared, known) = match &made.known {
            Known::Exactly(descriptor) | Known::Declared(descriptor) => {
                match self.scope.descriptor(descriptor) {
                    Some(written) => (written, made.known.clone()),
                    None => ("Object".to_owned(), Known::ObjectOnly),
                }
            }
            Known::Anything | Known::ObjectOnly => ("Object".to_owned(), Known::ObjectOnly),
        };
        if let Known::Exactly(descriptor) = &known {
            let class = descriptor
                .trim_start_matches(['[', 'L'])
                .trim_end_matches(';')
                .replace('/', ".");
            self.generic |= self.scope.is_generic(&class);
        }
        let wanted = names::variable(hint);
        let name = self.unique.take(&wanted);
        self.lines
            .push(format!("    {declared} {name} = {};", made.text));
        let variable = Made {
            text: name.clone(),
            known,
        };
        self.named.insert(id, variable.clone());
        for waiting in self.later.remove(&id).unwrap_or_default() {
            self.lines.push(waiting.replace("{}", &name));
        }
        variable
    }

    /// From now on the variable counts as an `Object`: source cannot name the type of what it holds.
    pub(super) fn forget_type(&mut self, id: ObjectId) {
        if let Some(made) = self.named.get_mut(&id) {
            made.known = Known::ObjectOnly;
        }
    }

    pub(super) fn statement(&mut self, statement: &str) {
        self.lines.push(format!("    {statement}"));
    }

    /// A statement that is possible once the object has a name.
    pub(super) fn when_named(&mut self, id: ObjectId, statement: &str) {
        self.later
            .entry(id)
            .or_default()
            .push(format!("    {statement}"));
    }

    pub(super) fn mark(&self) -> Mark {
        Mark {
            lines: self.lines.len(),
            named: self.named.clone(),
            later: self.later.clone(),
            open: self.open.len(),
            unique: self.unique.clone(),
        }
    }

    pub(super) fn back_to(&mut self, mark: Mark) {
        self.lines.truncate(mark.lines);
        self.named = mark.named;
        self.later = mark.later;
        self.open.truncate(mark.open);
        *self.unique = mark.unique;
    }

    pub(crate) fn need(&mut self, helper: Helper) {
        self.helpers.need(helper);
    }

    pub(crate) fn note_generic(&mut self, class: &str) {
        self.generic |= self.scope.is_generic(class);
    }

    /// Whether every statement found its objects and the whole stays readable.
    pub(crate) fn finish(self) -> Result<Plan> {
        if !self.later.is_empty() {
            return Err(Blocked::Cycle);
        }
        if self.lines.len() > self.most_lines {
            return Err(Blocked::TooMuch(format!(
                "it would take {} lines",
                self.lines.len()
            )));
        }
        Ok(Plan {
            lines: self.lines,
            helpers: self.helpers,
            generic: self.generic,
            incomplete: !self.world.left_out.is_empty(),
        })
    }
}

/// As `Class.forName` takes it: `com.acme.Order`, `[Lcom.acme.Order;`.
fn binary_name(descriptor: &str) -> String {
    let dotted = descriptor.replace('/', ".");
    match dotted
        .strip_prefix('L')
        .and_then(|name| name.strip_suffix(';'))
    {
        Some(class) => class.to_owned(),
        None => dotted,
    }
}

/// A string literal, over several lines where it is long; long runs of one character are counted.
pub(super) fn written(units: &[u16]) -> String {
    if units.is_empty() {
        return "\"\"".to_owned();
    }
    let mut parts: Vec<String> = Vec::new();
    let mut plain: Vec<u16> = Vec::new();
    let flush = |plain: &mut Vec<u16>, parts: &mut Vec<String>| {
        parts.extend(plain.chunks(CHARACTERS_PER_LINE).map(literal::string));
        plain.clear();
    };
    for run in units.chunk_by(|one, other| one == other) {
        match run {
            [unit, ..] if run.len() >= LONG_RUN => {
                flush(&mut plain, &mut parts);
                parts.push(format!(
                    "{}.repeat({})",
                    literal::string(&[*unit]),
                    run.len()
                ));
            }
            _ => plain.extend(run),
        }
    }
    flush(&mut plain, &mut parts);
    parts.join("\n                + ")
}
