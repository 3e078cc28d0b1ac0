//! How a captured value is written: as a Java expression where that gives the same value, else loaded.

use crate::literal;
use crate::names;
use crate::scope::Scope;
use recrash_heap::manifest::{CapturedFrame, Manifest, ObjectId, Value};
use recrash_heap::{Heap, Kind, Object, Text};
use recrash_report::{Graph, View, view};

/// Elements of an array or list that are written out.
const MOST_ELEMENTS: usize = 16;

/// How often each object is referred to. Mutable objects that something else also refers to are never written as
/// expressions: the alias would be lost.
pub(crate) struct Aliases {
    counts: Vec<u8>,
}

impl Aliases {
    pub(crate) fn count(heap: &Heap, manifest: &Manifest) -> Self {
        let mut aliases = Aliases {
            counts: vec![0; heap.len() as usize + 1],
        };
        for id in 1..=heap.len() {
            heap.each_reference(ObjectId(id), |target| aliases.add(target));
        }
        for field in &manifest.statics {
            aliases.add_value(field.value);
        }
        for entry in &manifest.thread_locals {
            aliases.add(entry.key.0);
            aliases.add_value(entry.value);
        }
        aliases
    }

    fn add(&mut self, id: u32) {
        if let Some(count) = self.counts.get_mut(id as usize) {
            *count = count.saturating_add(1);
        }
    }

    fn add_value(&mut self, value: Value) {
        if let Value::Ref(id) = value {
            self.add(id.0);
        }
    }

    /// Whether only one value of the frame refers to the object.
    fn is_sole(&self, id: ObjectId, frame: &CapturedFrame, graph: Graph<'_>) -> bool {
        let in_heap = self.counts.get(id.0 as usize).copied().unwrap_or(u8::MAX);
        let refers = |value: Value| usize::from(value == Value::Ref(id));
        let in_frame: usize = refers(frame.receiver)
            + frame
                .arguments
                .iter()
                .map(|argument| refers(argument.value))
                .sum::<usize>()
            + graph
                .patches()
                .map(|patch| refers(patch.value) + usize::from(patch.object == id))
                .sum::<usize>();
        in_heap == 0 && in_frame == 1
    }
}

/// An expression and the type it has without a cast.
pub(crate) struct Expression {
    pub(crate) text: String,
    /// Descriptor of its static type; `None` when it takes the type of its target (`null`, a diamond).
    pub(crate) descriptor: Option<String>,
}

impl Expression {
    fn of(text: impl Into<String>, descriptor: &str) -> Self {
        Expression {
            text: text.into(),
            descriptor: Some(descriptor.to_owned()),
        }
    }
}

/// Writes values of one frame.
pub(crate) struct Values<'a> {
    pub(crate) graph: Graph<'a>,
    pub(crate) frame: &'a CapturedFrame,
    pub(crate) aliases: &'a Aliases,
}

impl Values<'_> {
    /// The expression for `value` where a `descriptor` is expected, or `None` when it must be loaded.
    pub(crate) fn expression(
        &self,
        scope: &mut Scope<'_>,
        descriptor: &str,
        value: Value,
    ) -> Option<Expression> {
        if let Some(text) = primitive(descriptor, value) {
            return Some(Expression::of(text, descriptor));
        }
        match value {
            Value::Null => Some(Expression {
                text: "null".into(),
                descriptor: None,
            }),
            Value::Ref(id) => self.object(scope, &self.graph.object(id)?),
            _ => None,
        }
    }

    fn object(&self, scope: &mut Scope<'_>, object: &Object<'_>) -> Option<Expression> {
        if let Some(expression) = immutable(self.graph, scope, object) {
            return Some(expression);
        }
        let rebuilt_unseen = object.identity_hash.is_none()
            && self.aliases.is_sole(object.id, self.frame, self.graph);
        if rebuilt_unseen {
            self.mutable(scope, object)
        } else {
            None
        }
    }

    /// Arrays and collections of such values, when nothing else refers to them.
    fn mutable(&self, scope: &mut Scope<'_>, object: &Object<'_>) -> Option<Expression> {
        let View::Sequence { elements, size } = view(self.graph, object) else {
            return self.empty_map(scope, object);
        };
        if size > MOST_ELEMENTS {
            return None;
        }
        if let Kind::Array { component, .. } = object.kind {
            return self.array(scope, object.class, component, &elements);
        }
        let is_empty = elements.is_empty();
        match object.class {
            "java.util.ArrayList" | "java.util.LinkedList" => {
                let class = scope.library(object.class);
                if is_empty {
                    return Some(Expression {
                        text: format!("new {class}<>()"),
                        descriptor: None,
                    });
                }
                let parts = self.elements(scope, &elements)?;
                let arrays = scope.library("java.util.Arrays");
                Some(Expression {
                    text: format!("new {class}<>({arrays}.asList({parts}))"),
                    descriptor: None,
                })
            }
            "java.util.HashSet" | "java.util.TreeSet" | "java.util.ArrayDeque" if is_empty => {
                let class = scope.library(object.class);
                Some(Expression {
                    text: format!("new {class}<>()"),
                    descriptor: None,
                })
            }
            "java.util.Arrays$ArrayList" if !is_empty => {
                let parts = self.elements(scope, &elements)?;
                let arrays = scope.library("java.util.Arrays");
                Some(Expression {
                    text: format!("{arrays}.asList({parts})"),
                    descriptor: None,
                })
            }
            _ => None,
        }
    }

    fn empty_map(&self, scope: &mut Scope<'_>, object: &Object<'_>) -> Option<Expression> {
        let empty = matches!(view(self.graph, object), View::Table { size: 0, .. });
        // A TreeMap may carry a comparator; it is loaded.
        let known = matches!(
            object.class,
            "java.util.HashMap" | "java.util.LinkedHashMap"
        );
        (empty && known).then(|| Expression {
            text: format!("new {}<>()", scope.library(object.class)),
            descriptor: None,
        })
    }

    fn array(
        &self,
        scope: &mut Scope<'_>,
        class: &str,
        component: &str,
        elements: &[Value],
    ) -> Option<Expression> {
        let component = component.replace('.', "/");
        let written = scope.descriptor(&component)?;
        if component != "Ljava/lang/String;" && component.len() != 1 {
            return None;
        }
        let descriptor = class.replace('.', "/");
        if elements.is_empty() {
            return Some(Expression::of(format!("new {written}[0]"), &descriptor));
        }
        let parts: Vec<String> = elements
            .iter()
            .map(|value| self.element(scope, &component, *value))
            .collect::<Option<_>>()?;
        Some(Expression::of(
            format!("new {written}[] {{{}}}", parts.join(", ")),
            &descriptor,
        ))
    }

    fn elements(&self, scope: &mut Scope<'_>, elements: &[Value]) -> Option<String> {
        // One null would be taken for the whole argument array.
        if let [Value::Null] = elements {
            return None;
        }
        let parts: Vec<String> = elements
            .iter()
            .map(|value| self.element(scope, "Ljava/lang/Object;", *value))
            .collect::<Option<_>>()?;
        Some(parts.join(", "))
    }

    fn element(&self, scope: &mut Scope<'_>, descriptor: &str, value: Value) -> Option<String> {
        if let Some(text) = primitive(descriptor, value) {
            // The array's own type converts: `new byte[] {1, 2}`.
            return Some(
                text.rsplit_once(") ")
                    .map_or(text.clone(), |(_, number)| number.to_owned()),
            );
        }
        match value {
            Value::Null => Some("null".to_owned()),
            Value::Ref(id) => {
                let object = self.graph.object(id)?;
                immutable(self.graph, scope, &object).map(|expression| expression.text)
            }
            _ => None,
        }
    }
}

/// Values without identity worth keeping.
pub(crate) fn immutable(
    graph: Graph<'_>,
    scope: &mut Scope<'_>,
    object: &Object<'_>,
) -> Option<Expression> {
    match &object.kind {
        Kind::String(text) => string(text),
        Kind::Enum { constant, .. } => {
            let class = enum_class(object.class);
            let name = scope
                .class(class)
                .filter(|_| names::is_identifier(constant))?;
            Some(Expression::of(
                format!("{name}.{constant}"),
                &descriptor_of(class),
            ))
        }
        Kind::Class { name } => class_literal(scope, name),
        Kind::Boxed(value) => boxed(object.class, *value),
        Kind::Instance { fields } => match object.class {
            "java.math.BigDecimal" | "java.math.BigInteger" => {
                let View::Scalar(digits) = view(graph, object) else {
                    return None;
                };
                let exact = digits
                    .bytes()
                    .all(|b| b.is_ascii_digit() || b == b'.' || b == b'-');
                exact.then_some(())?;
                let class = scope.library(object.class);
                Some(Expression::of(
                    format!("new {class}(\"{digits}\")"),
                    &descriptor_of(object.class),
                ))
            }
            "java.time.LocalDate" => {
                let View::Scalar(date) = view(graph, object) else {
                    return None;
                };
                let class = scope.library(object.class);
                Some(Expression::of(
                    format!("{class}.parse(\"{date}\")"),
                    &descriptor_of(object.class),
                ))
            }
            "java.util.UUID" => {
                let View::Scalar(text) = view(graph, object) else {
                    return None;
                };
                let class = scope.library(object.class);
                Some(Expression::of(
                    format!("{class}.fromString(\"{text}\")"),
                    &descriptor_of(object.class),
                ))
            }
            _ => {
                let value = fields.iter().find(|field| field.name == "value")?.value;
                boxed(object.class, value)
            }
        },
        _ => None,
    }
}

/// `(Integer) 5`; a sign after a cast would be taken for a subtraction.
pub(crate) fn cast(written_type: &str, text: &str) -> String {
    if text.starts_with('-') {
        format!("({written_type}) ({text})")
    } else {
        format!("({written_type}) {text}")
    }
}

/// A primitive literal for a parameter of that descriptor. Narrow types may arrive as the JVM's int.
pub(crate) fn primitive(descriptor: &str, value: Value) -> Option<String> {
    let integer = match value {
        Value::Boolean(v) => i64::from(v),
        Value::Byte(v) => v.into(),
        Value::Char(v) => v.into(),
        Value::Short(v) => v.into(),
        Value::Int(v) => v.into(),
        Value::Long(v) => return (descriptor == "J").then(|| literal::long(v)),
        Value::FloatBits(bits) => return (descriptor == "F").then(|| literal::float(bits)),
        Value::DoubleBits(bits) => return (descriptor == "D").then(|| literal::double(bits)),
        Value::Null | Value::Ref(_) => return None,
    };
    match descriptor {
        "Z" => Some((integer != 0).to_string()),
        "B" => Some(format!("(byte) {}", integer as i8)),
        "C" => Some(literal::char(integer as u16)),
        "S" => Some(format!("(short) {}", integer as i16)),
        "I" => Some(literal::int(integer as i32)),
        _ => None,
    }
}

pub(crate) fn string(text: &Text<'_>) -> Option<Expression> {
    if text.len() > literal::LONGEST_STRING {
        return None;
    }
    let units: Vec<u16> = text.units().collect();
    Some(Expression::of(
        literal::string(&units),
        "Ljava/lang/String;",
    ))
}

/// A wrapper, written as the primitive that the compiler boxes.
pub(crate) fn boxed(class: &str, value: Value) -> Option<Expression> {
    let primitive_descriptor = match class {
        "java.lang.Boolean" => "Z",
        "java.lang.Byte" => "B",
        "java.lang.Character" => "C",
        "java.lang.Short" => "S",
        "java.lang.Integer" => "I",
        "java.lang.Long" => "J",
        "java.lang.Float" => "F",
        "java.lang.Double" => "D",
        _ => return None,
    };
    Some(Expression::of(
        primitive(primitive_descriptor, value)?,
        primitive_descriptor,
    ))
}

fn class_literal(scope: &mut Scope<'_>, name: &str) -> Option<Expression> {
    const PRIMITIVES: [&str; 9] = [
        "boolean", "byte", "char", "short", "int", "long", "float", "double", "void",
    ];
    let written = if PRIMITIVES.contains(&name) {
        name.to_owned()
    } else if name.starts_with("java.") && !COMMON_CLASSES.contains(&name) {
        // Whether a class of the JDK is public is not on the class path.
        return None;
    } else {
        scope.class(name)?
    };
    Some(Expression::of(
        format!("{written}.class"),
        "Ljava/lang/Class;",
    ))
}

const COMMON_CLASSES: [&str; 16] = [
    "java.lang.Boolean",
    "java.lang.Byte",
    "java.lang.Character",
    "java.lang.Class",
    "java.lang.Double",
    "java.lang.Float",
    "java.lang.Integer",
    "java.lang.Long",
    "java.lang.Number",
    "java.lang.Object",
    "java.lang.Short",
    "java.lang.String",
    "java.util.ArrayList",
    "java.util.HashMap",
    "java.util.List",
    "java.util.Map",
];

/// A constant with a body is of class `Color$1`.
pub(crate) fn enum_class(class: &str) -> &str {
    match class.rsplit_once('$') {
        Some((outer, number))
            if !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) =>
        {
            outer
        }
        _ => class,
    }
}

pub(crate) fn descriptor_of(class: &str) -> String {
    format!("L{};", class.replace('.', "/"))
}
