//! What a handler put, told apart by the descriptors of its site.

use crate::cursor;
use crate::description::Values;
use crate::sites::Sites;
use crate::value::{primitive, reference};
use recrash_heap::manifest::{Argument, Patch};
use recrash_heap::{ObjectId, Value};
use recrash_weave::{FieldName, Owner, Past, Site};
use recrash_wire::frame::{self, Frame, Part};

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
        let mut references = values.references.iter();
        let mut primitives = values.primitives.iter();
        let mut next = |descriptor: &str| {
            if descriptor.starts_with(['L', '[']) {
                Some(reference(*references.next()?))
            } else {
                primitive(descriptor, *primitives.next()?)
            }
        };
        let mut receiver = Value::Null;
        let mut arguments = Vec::with_capacity(site.parameters.len());
        let mut kept = Vec::new();
        // What was kept of a field itself comes last and counts more than what else was found out about its object.
        let mut patches = values.changes.clone();
        let mut entry = None;
        for part in order(site, counted).parts() {
            let referred = |owner| match owner {
                Owner::Receiver => Some(receiver),
                Owner::Argument(index) => {
                    let argument: &Argument = arguments.get(usize::from(index))?;
                    Some(argument.value)
                }
                Owner::Kept(place) => kept.get(usize::from(place)).copied(),
            };
            match part {
                // The runtime has asked them for changes.
                Part::Journal | Part::Copy | Part::Mark => {}
                Part::Receiver => receiver = next("L")?,
                Part::Parameter(number) => {
                    let parameter = site.parameters.get(number)?;
                    arguments.push(Argument {
                        name: parameter.name.clone(),
                        descriptor: parameter.descriptor.clone(),
                        value: next(&parameter.descriptor)?,
                    });
                }
                Part::Saved(number) => {
                    let saved = site.saved.get(number)?;
                    let value = next(&saved.field.descriptor)?;
                    if let Value::Ref(object) = referred(saved.owner)? {
                        patches.push(patch(object, &saved.field, value));
                    }
                    kept.push(value);
                }
                Part::Cursor(number) => {
                    let place = next("J")?;
                    let of = *site.cursors.get(number)?;
                    if let (Value::Ref(object), Value::Long(place)) = (referred(of)?, place) {
                        patches.extend(cursor::patches(object, place));
                    }
                    kept.push(place);
                }
                Part::Holder(_) => kept.push(next("L")?),
                Part::Far(number) => {
                    let far = site.far.get(number)?;
                    let value = next(&far.field.descriptor)?;
                    if let Value::Ref(object) = referred(far.owner)?
                        && !sites.is_missing(&far.field)
                    {
                        patches.push(patch(object, &far.field, value));
                    }
                }
                Part::Entry => match next("I")? {
                    Value::Int(number) => entry = Some(number.unsigned_abs()),
                    _ => return None,
                },
            }
        }
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

/// The kinds of values that a site's handler puts, and how many of each.
pub fn order(site: &Site, counted: bool) -> Frame {
    const STATIC: u16 = 8;
    Frame {
        past: match site.past {
            Past::None => frame::Past::None,
            Past::Copy => frame::Past::Copy,
            Past::Journal => frame::Past::Journal,
        },
        receiver: site.access & STATIC == 0,
        parameters: site.parameters.len(),
        saved: site.saved.len(),
        cursors: site.cursors.len(),
        holders: site.holders.into(),
        far: site.far.len(),
        counted,
    }
}

fn patch(object: ObjectId, field: &FieldName, value: Value) -> Patch {
    Patch {
        object,
        class: field.class.clone(),
        field: field.field.clone(),
        descriptor: field.descriptor.clone(),
        value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use recrash_weave::{Parameter, Place, SavedField};

    fn saved(owner: Owner, [class, field, descriptor]: [&str; 3]) -> SavedField {
        SavedField {
            owner,
            field: FieldName {
                class: class.to_owned(),
                field: field.to_owned(),
                descriptor: descriptor.to_owned(),
            },
        }
    }

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
                saved(Owner::Argument(1), ["B", "count", "I"]),
                saved(Owner::Receiver, ["A", "next", "LA;"]),
            ],
            holders: 0,
            far: Vec::new(),
            cursors: vec![Owner::Argument(1), Owner::Kept(1)],
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
