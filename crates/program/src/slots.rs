//! Places inside objects by number: fields, array elements, and a few that no field has.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use crate::ids::FieldId;
use crate::ssa::ElementKind;

/// A field, or the elements of arrays of one kind.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub struct SlotId(pub(crate) u32);

impl SlotId {
    /// Every place of an object.
    pub const ANY: SlotId = SlotId(0);
    /// What a lambda captured.
    pub(crate) const CAPTURED: SlotId = SlotId(1);
    /// What was thrown: nothing reads it but handlers.
    pub(crate) const THROWN: SlotId = SlotId(2);
    /// Every field that a class of the JDK declares.
    pub const PLATFORM: SlotId = SlotId(3);
    const FIRST_ELEMENT: u32 = 4;
    const FIRST_FIELD: u32 = 12;

    pub const fn elements(kind: ElementKind) -> SlotId {
        SlotId(SlotId::FIRST_ELEMENT + kind as u32)
    }
}

/// What a [`SlotId`] stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Slot {
    Any,
    Captured,
    Thrown,
    /// Every field that a class of the JDK declares.
    Platform,
    Elements(ElementKind),
    Field(FieldId),
}

/// The slots met so far, numbered from any thread.
#[derive(Debug, Default)]
pub struct Slots {
    fields: RwLock<(HashMap<FieldId, u32>, Vec<FieldId>)>,
}

impl Slots {
    pub fn field(&self, field: FieldId) -> SlotId {
        let known = self.fields.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(&number) = known.0.get(&field) {
            return SlotId(SlotId::FIRST_FIELD + number);
        }
        drop(known);
        let mut table = self.fields.write().unwrap_or_else(PoisonError::into_inner);
        let next = table.1.len() as u32;
        let number = *table.0.entry(field).or_insert(next);
        if number == next {
            table.1.push(field);
        }
        SlotId(SlotId::FIRST_FIELD + number)
    }

    /// All numbers given out so far.
    pub fn ids(&self) -> impl Iterator<Item = SlotId> + use<> {
        let fields = self.fields.read().unwrap_or_else(PoisonError::into_inner);
        (0..SlotId::FIRST_FIELD + fields.1.len() as u32).map(SlotId)
    }

    pub fn slot(&self, id: SlotId) -> Slot {
        match id.0 {
            0 => Slot::Any,
            1 => Slot::Captured,
            2 => Slot::Thrown,
            3 => Slot::Platform,
            number if number < SlotId::FIRST_FIELD => {
                Slot::Elements(ElementKind::of((number - SlotId::FIRST_ELEMENT) as u8))
            }
            number => {
                let table = self.fields.read().unwrap_or_else(PoisonError::into_inner);
                let field = table.1.get((number - SlotId::FIRST_FIELD) as usize);
                field.map_or(Slot::Any, |field| Slot::Field(*field))
            }
        }
    }
}

/// A set of slots: a short list, or a bit each once it is long.
#[derive(Debug, Clone, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum SlotSet {
    Few(Vec<u32>),
    Many(Vec<u64>),
}

/// The longest list: a bit set of ten thousand slots takes as much as 160 of them.
const FEW: usize = 32;

impl Default for SlotSet {
    fn default() -> SlotSet {
        SlotSet::Few(Vec::new())
    }
}

impl SlotSet {
    pub fn insert(&mut self, slot: SlotId) -> bool {
        match self {
            SlotSet::Few(list) => match list.binary_search(&slot.0) {
                Ok(_) => false,
                Err(place) => {
                    list.insert(place, slot.0);
                    if list.len() > FEW {
                        let mut bits = Vec::new();
                        for &slot in &*list {
                            set(&mut bits, slot);
                        }
                        *self = SlotSet::Many(bits);
                    }
                    true
                }
            },
            SlotSet::Many(bits) => set(bits, slot.0),
        }
    }

    /// Whether something was added.
    pub fn extend(&mut self, other: &SlotSet) -> bool {
        if let (SlotSet::Many(mine), SlotSet::Many(theirs)) = (&mut *self, other) {
            if mine.len() < theirs.len() {
                mine.resize(theirs.len(), 0);
            }
            let mut changed = false;
            for (mine, theirs) in mine.iter_mut().zip(theirs) {
                changed |= *theirs & !*mine != 0;
                *mine |= theirs;
            }
            return changed;
        }
        if matches!(self, SlotSet::Few(list) if list.is_empty()) {
            *self = other.clone();
            return !other.is_empty();
        }
        let mut changed = false;
        for slot in other.iter() {
            changed |= self.insert(slot);
        }
        changed
    }

    pub fn contains(&self, slot: SlotId) -> bool {
        match self {
            SlotSet::Few(list) => list.binary_search(&slot.0).is_ok(),
            SlotSet::Many(bits) => bits
                .get(slot.0 as usize / 64)
                .is_some_and(|word| word & (1 << (slot.0 % 64)) != 0),
        }
    }

    pub fn is_empty(&self) -> bool {
        matches!(self, SlotSet::Few(list) if list.is_empty())
    }

    pub fn len(&self) -> usize {
        match self {
            SlotSet::Few(list) => list.len(),
            SlotSet::Many(bits) => bits.iter().map(|word| word.count_ones() as usize).sum(),
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = SlotId> + '_ {
        let (few, many): (&[u32], &[u64]) = match self {
            SlotSet::Few(list) => (list, &[]),
            SlotSet::Many(bits) => (&[], bits),
        };
        let bits = (0_u32..).zip(many).flat_map(|(place, &word)| {
            (0..64)
                .filter(move |bit| word & (1 << bit) != 0)
                .map(move |bit| place * 64 + bit)
        });
        few.iter().copied().chain(bits).map(SlotId)
    }
}

/// Whether the bit was not set.
fn set(bits: &mut Vec<u64>, slot: u32) -> bool {
    let place = slot as usize / 64;
    if bits.len() <= place {
        bits.resize(place + 1, 0);
    }
    bits.get_mut(place).is_some_and(|word| {
        let mask = 1 << (slot % 64);
        let new = *word & mask == 0;
        *word |= mask;
        new
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn a_slot_set_is_a_set(
            one in prop::collection::vec(0_u32..500, 0..80),
            other in prop::collection::vec(0_u32..500, 0..80),
        ) {
            let made = |list: &[u32]| {
                let mut set = SlotSet::default();
                for &slot in list {
                    set.insert(SlotId(slot));
                }
                set
            };
            let (mut set, more) = (made(&one), made(&other));
            let mut expected: BTreeSet<u32> = one.iter().copied().collect();
            let grows = other.iter().any(|slot| !expected.contains(slot));
            prop_assert_eq!(set.extend(&more), grows);
            expected.extend(&other);
            let found: BTreeSet<u32> = set.iter().map(|slot| slot.0).collect();
            prop_assert_eq!(set.len(), expected.len());
            prop_assert!(expected.iter().all(|&slot| set.contains(SlotId(slot))));
            prop_assert_eq!(found, expected);
        }
    }
}
