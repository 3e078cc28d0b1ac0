//! Fields of one object, by name.

use recrash_heap::Object;
use recrash_heap::manifest::Value;

/// The nearest field of that name, looking at the most derived class first.
pub(crate) fn field_of(object: &Object<'_>, name: &str) -> Option<Value> {
    object
        .kind
        .fields()
        .iter()
        .rev()
        .find(|field| field.name == name)
        .map(|field| field.value)
}

/// The number that a value is, of whatever size.
pub(crate) fn integer(value: Value) -> Option<i64> {
    match value {
        Value::Byte(v) => Some(v.into()),
        Value::Short(v) => Some(v.into()),
        Value::Int(v) => Some(v.into()),
        Value::Long(v) => Some(v),
        _ => None,
    }
}
