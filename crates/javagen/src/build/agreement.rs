//! What code is expected to leave in a field, against what was captured there.

use super::planner::Planner;
use super::stores::Source;
use crate::descriptor;
use recrash_heap::manifest::Value;
use recrash_heap::{Field, Kind, Object};
use recrash_report::{Graph, View, view};

#[derive(PartialEq, Eq)]
pub(super) enum Agreement {
    Same,
    Other,
    /// Trusted, because what is built is compared anyway.
    Unknown,
}

impl<'s> Planner<'s, '_> {
    /// What costs nothing to write is written, needed or not: constructors check their arguments.
    pub(super) fn is_literal(&self, value: Value) -> bool {
        match self.target(value) {
            Some(object) => matches!(
                object.kind,
                Kind::String(_) | Kind::Boxed(_) | Kind::Enum { .. }
            ),
            None => true,
        }
    }

    /// The value of a field as an argument of another type.
    pub(super) fn as_parameter(&self, field: &Field<'_>, parameter: &str) -> Option<Value> {
        let value = field.value;
        if field.descriptor == parameter {
            return Some(value);
        }
        let is_primitive = parameter.len() == 1;
        match value {
            Value::Null if !is_primitive => Some(value),
            Value::Ref(id) => {
                let object = self.world.graph.object(id)?;
                if is_primitive {
                    return match object.kind {
                        Kind::Boxed(value) => Some(value),
                        _ => None,
                    };
                }
                let wanted = descriptor::class(parameter)?;
                self.world
                    .classes
                    .is_a(object.class, &wanted)
                    .then_some(value)
            }
            Value::Long(wide) if parameter == "I" => i32::try_from(wide).ok().map(Value::Int),
            Value::DoubleBits(bits) if parameter == "F" => {
                let narrow = f64::from_bits(bits) as f32;
                Some(Value::FloatBits(narrow.to_bits()))
            }
            Value::Null | Value::Long(_) | Value::FloatBits(_) | Value::DoubleBits(_) => None,
            small => is_primitive.then_some(small),
        }
    }

    pub(super) fn agreement(
        &self,
        source: Option<&Source>,
        field: &Field<'_>,
        arguments: &[(Value, String)],
    ) -> Agreement {
        let same = |equal: bool| {
            if equal {
                Agreement::Same
            } else {
                Agreement::Other
            }
        };
        match source {
            None => same(field.value.is_zero()),
            Some(Source::Unknown | Source::Field(..)) => Agreement::Unknown,
            Some(Source::Parameter(number)) => match arguments.get(*number) {
                // Copies and conversions are looked at by running them.
                Some((value, _)) if *value != field.value => Agreement::Unknown,
                Some(_) => Agreement::Same,
                None => Agreement::Unknown,
            },
            Some(Source::Length(_)) => match self.target(field.value) {
                Some(array) if matches!(array.kind, Kind::WellKnown { .. }) => Agreement::Same,
                Some(array) => same(self.is_blank(&array)),
                None => Agreement::Other,
            },
            Some(Source::Array(length)) => same(match self.target(field.value) {
                Some(array) => {
                    let found = self.world.graph.heap().array_length(array.id);
                    found.map(i64::from) == Some(*length) && self.is_blank(&array)
                }
                None => false,
            }),
            Some(Source::Null) => same(field.value == Value::Null),
            Some(Source::Integer(value)) => same(integer(field.value) == Some(*value)),
            Some(Source::Double(value)) => same(match field.value {
                Value::DoubleBits(bits) => bits == value.to_bits(),
                Value::FloatBits(bits) => {
                    f64::from(f32::from_bits(bits)).to_bits() == value.to_bits()
                }
                _ => false,
            }),
            Some(Source::Text(expected)) => same(match self.target(field.value) {
                Some(Object {
                    kind: Kind::String(text),
                    ..
                }) => text.to_string() == *expected,
                _ => false,
            }),
            Some(Source::Fresh(class)) => match self.target(field.value) {
                // A thread or an open file of its own is what the constructor gives it again.
                Some(found) if matches!(found.kind, Kind::StandIn { .. }) => Agreement::Unknown,
                Some(found) if found.class == class => {
                    if self.is_blank(&found) {
                        Agreement::Same
                    } else if matches!(view(self.world.graph, &found), View::Fields(_)) {
                        Agreement::Unknown
                    } else {
                        Agreement::Other
                    }
                }
                _ => Agreement::Other,
            },
        }
    }

    pub(super) fn target(&self, value: Value) -> Option<Object<'s>> {
        match value {
            Value::Ref(id) => self.world.graph.object(id),
            _ => None,
        }
    }

    /// An empty collection, an array of zeros, an object without state.
    fn is_blank(&self, object: &Object<'s>) -> bool {
        match view(self.world.graph, object) {
            View::Sequence { elements, .. } => match object.kind {
                Kind::Array { .. } => elements.iter().all(|element| element.is_zero()),
                _ => elements.is_empty(),
            },
            View::Table { size, .. } => size == 0,
            View::Scalar(text) => text == "\"\"",
            View::Fields(fields) => fields.is_empty(),
            View::String(_) | View::Absent(_) => false,
        }
    }
}

/// A map, a set, a list of the JDK.
pub(super) fn is_collection(graph: Graph<'_>, object: &Object<'_>) -> bool {
    object.class.starts_with("java.util.")
        && matches!(
            view(graph, object),
            View::Sequence { .. } | View::Table { .. }
        )
}

pub(super) fn integer(value: Value) -> Option<i64> {
    match value {
        Value::Boolean(v) => Some(v.into()),
        Value::Byte(v) => Some(v.into()),
        Value::Char(v) => Some(v.into()),
        Value::Short(v) => Some(v.into()),
        Value::Int(v) => Some(v.into()),
        Value::Long(v) => Some(v),
        _ => None,
    }
}

/// Counters and caches of the JDK's classes, and how an exception came about, say nothing about an object's state.
pub(super) fn is_bookkeeping(field: &Field<'_>) -> bool {
    const CACHES: [&str; 7] = [
        "modCount",
        "formatter",
        "hash",
        "hashIsZero",
        "keySet",
        "values",
        "entrySet",
    ];
    match field.declared_in {
        "java.lang.Throwable" => field.name != "detailMessage",
        class => class.starts_with("java.") && CACHES.contains(&field.name),
    }
}
