//! One value, as the runtime hands it over.

use recrash_heap::{ObjectId, Value};

/// The reference that the number of an object stands for; 0 is null.
pub fn reference(id: u32) -> Value {
    if id == 0 {
        Value::Null
    } else {
        Value::Ref(ObjectId(id))
    }
}

/// A value whose descriptor tells which of the two counts.
pub fn value(descriptor: &str, target: u32, bits: i64) -> Option<Value> {
    if descriptor.starts_with(['L', '[']) {
        Some(reference(target))
    } else {
        primitive(descriptor, bits)
    }
}

pub fn primitive(descriptor: &str, bits: i64) -> Option<Value> {
    Some(match descriptor {
        "Z" => Value::Boolean(bits != 0),
        "B" => Value::Byte(bits as i8),
        "C" => Value::Char(bits as u16),
        "S" => Value::Short(bits as i16),
        "I" => Value::Int(bits as i32),
        "J" => Value::Long(bits),
        "F" => Value::FloatBits(bits as u32),
        "D" => Value::DoubleBits(bits as u64),
        _ => return None,
    })
}
