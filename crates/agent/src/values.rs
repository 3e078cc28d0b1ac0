//! What a handler put, told apart by the descriptors of its site.

use crate::cursor;
use crate::description::Values;
use crate::sites::Sites;
use recrash_heap::manifest::{Argument, Patch};
use recrash_heap::{ObjectId, Value};
use recrash_weave::{CursorOf, FarOwner, ParameterRef, Past, Site};

/// The values of a frame, told apart by the site's descriptors.
pub struct Decoded {
    pub receiver: Value,
    pub arguments: Vec<Argument>,
    pub patches: Vec<Patch>,
    /// The number of the entry, in a second look.
    pub entry: Option<u32>,
}

impl Decoded {
    /// `None` when the handler did not finish: the stack or the heap was exhausted in the middle of it.
    ///
    /// `counted`: the number of the entry follows the values, as in a second look.
    pub fn of(site: &Site, values: &Values, sites: &Sites, counted: bool) -> Option<Self> {
        const STATIC: u16 = 8;
        let mut references = values.references.iter();
        let mut primitives = values.primitives.iter();
        let mut next = |descriptor: &str| {
            if descriptor.starts_with(['L', '[']) {
                Some(reference(*references.next()?))
            } else {
                primitive(descriptor, *primitives.next()?)
            }
        };
        let receiver = if site.access & STATIC == 0 {
            next("L")?
        } else {
            Value::Null
        };
        let mut arguments = Vec::with_capacity(site.parameters.len());
        for parameter in &site.parameters {
            arguments.push(Argument {
                name: parameter.name.clone(),
                descriptor: parameter.descriptor.clone(),
                value: next(&parameter.descriptor)?,
            });
        }
        let given = |parameter| match parameter {
            ParameterRef::Receiver => receiver,
            ParameterRef::Argument(index) => arguments
                .get(index as usize)
                .map_or(Value::Null, |argument: &Argument| argument.value),
        };
        let mut patches = Vec::with_capacity(site.saved.len());
        let mut fields = Vec::with_capacity(site.saved.len());
        for saved in &site.saved {
            let value = next(&saved.descriptor)?;
            fields.push(value);
            if let Value::Ref(object) = given(saved.parameter) {
                patches.push(Patch {
                    object,
                    class: saved.class.clone(),
                    field: saved.field.clone(),
                    descriptor: saved.descriptor.clone(),
                    value,
                });
            }
        }
        for of in &site.cursors {
            let place = next("J")?;
            let cursor = match *of {
                CursorOf::Parameter(parameter) => given(parameter),
                CursorOf::Field(field) => fields.get(usize::from(field)).copied()?,
            };
            if let (Value::Ref(object), Value::Long(place)) = (cursor, place) {
                patches.extend(cursor::patches(object, place));
            }
        }
        let mut holders = Vec::with_capacity(usize::from(site.holders));
        for _ in 0..site.holders {
            holders.push(next("L")?);
        }
        for far in &site.far {
            let value = next(&far.field.descriptor)?;
            let owner = match far.of {
                FarOwner::Parameter(parameter) => given(parameter),
                FarOwner::Holder(holder) => holders.get(usize::from(holder)).copied()?,
            };
            if let Value::Ref(object) = owner
                && !sites.is_missing(&far.field)
            {
                patches.push(Patch {
                    object,
                    class: far.field.class.clone(),
                    field: far.field.field.clone(),
                    descriptor: far.field.descriptor.clone(),
                    value,
                });
            }
        }
        patches.extend(values.changes.iter().cloned());
        let entry = match counted.then(|| next("I")) {
            None => None,
            Some(Some(Value::Int(number))) => Some(number.unsigned_abs()),
            Some(_) => return None,
        };
        // The past has told what it knows, and is here only as null, where there was no room for it.
        let rest = references.as_slice();
        let complete = (rest.is_empty() || site.past == Past::Copy && rest == [0])
            && primitives.next().is_none();
        complete.then_some(Self {
            receiver,
            arguments,
            patches,
            entry,
        })
    }
}

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

fn primitive(descriptor: &str, bits: i64) -> Option<Value> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use recrash_weave::{Parameter, Place, SavedField};

    fn site() -> Site {
        let parameter = |descriptor: &str| Parameter {
            name: None,
            descriptor: descriptor.to_owned(),
        };
        Site {
            id: 0,
            class: "A".to_owned(),
            method: "f".to_owned(),
            descriptor: "(CLB;)V".to_owned(),
            access: 0,
            place: Place::Body,
            parameters: vec![parameter("C"), parameter("LB;")],
            past: Past::None,
            slots: Vec::new(),
            saved: vec![
                SavedField {
                    parameter: ParameterRef::Argument(1),
                    class: "B".to_owned(),
                    field: "count".to_owned(),
                    descriptor: "I".to_owned(),
                },
                SavedField {
                    parameter: ParameterRef::Receiver,
                    class: "A".to_owned(),
                    field: "next".to_owned(),
                    descriptor: "LA;".to_owned(),
                },
            ],
            holders: 0,
            far: Vec::new(),
            cursors: vec![
                CursorOf::Parameter(ParameterRef::Argument(1)),
                CursorOf::Field(1),
            ],
            reads: Vec::new(),
        }
    }

    #[test]
    fn references_and_primitives_are_dealt_out_by_descriptor() {
        let values = Values {
            references: vec![1, 2, 3],
            primitives: vec![65, -7, 0, (1 << 30 | 5) << 30],
            ..Values::default()
        };
        let decoded = Decoded::of(&site(), &values, &Sites::default(), false).unwrap();
        assert_eq!(decoded.receiver, Value::Ref(ObjectId(1)));
        let arguments: Vec<Value> = decoded
            .arguments
            .iter()
            .map(|argument| argument.value)
            .collect();
        assert_eq!(arguments, [Value::Char(65), Value::Ref(ObjectId(2))]);
        let patches: Vec<(ObjectId, Value)> = decoded
            .patches
            .iter()
            .map(|patch| (patch.object, patch.value))
            .collect();
        assert_eq!(
            patches,
            [
                (ObjectId(2), Value::Int(-7)),
                (ObjectId(1), Value::Ref(ObjectId(3))),
                // Where what the saved field refers to was.
                (ObjectId(3), Value::Int(4)),
            ]
        );
    }

    #[test]
    fn a_null_argument_has_nothing_to_patch() {
        let values = Values {
            references: vec![1, 0, 3],
            primitives: vec![65, 0, (1 << 30 | 5) << 30, 0],
            ..Values::default()
        };
        let decoded = Decoded::of(&site(), &values, &Sites::default(), false).unwrap();
        assert_eq!(decoded.patches.len(), 1);
    }

    #[test]
    fn an_unfinished_frame_is_discarded() {
        let values = Values {
            references: vec![1, 2],
            primitives: vec![65, -7, 0, (1 << 30 | 5) << 30],
            ..Values::default()
        };
        assert!(Decoded::of(&site(), &values, &Sites::default(), false).is_none());
        let values = Values {
            references: vec![1, 2, 3, 4],
            primitives: vec![65, -7, 0, (1 << 30 | 5) << 30],
            ..Values::default()
        };
        assert!(Decoded::of(&site(), &values, &Sites::default(), false).is_none());
    }
}
