//! Where an object that a method holds can come from.

use crate::slots::SlotId;

/// The longest way from a parameter to an object that is told apart from others.
pub(crate) const LONGEST_PATH: usize = 2;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Origin {
    /// Any object that was there when the method was called.
    Anywhere,
    /// Made by the method or below it, at a site.
    Fresh(u32),
    /// A parameter or anything that can be reached from it.
    Deep(u16),
    Path(Path),
}

/// A parameter, and the slots that lead from it to an object, as they were when the method was called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Path {
    pub(crate) parameter: u16,
    length: u8,
    slots: [u32; LONGEST_PATH],
}

impl Path {
    pub(crate) fn of(parameter: u16) -> Path {
        Path {
            parameter,
            length: 0,
            slots: [0; LONGEST_PATH],
        }
    }

    pub(crate) fn slots(&self) -> impl Iterator<Item = SlotId> + '_ {
        self.slots
            .iter()
            .take(usize::from(self.length))
            .map(|&slot| SlotId(slot))
    }

    /// One step further; `None` where that is too far.
    pub(crate) fn then(mut self, slot: SlotId) -> Option<Path> {
        *self.slots.get_mut(usize::from(self.length))? = slot.0;
        self.length += 1;
        Some(self)
    }
}

/// A sorted set.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Origins(Vec<Origin>);

impl Origins {
    pub(crate) fn one(origin: Origin) -> Origins {
        Origins(vec![origin])
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Origin> + '_ {
        self.0.iter().copied()
    }

    /// Whether it was new.
    pub(crate) fn insert(&mut self, origin: Origin) -> bool {
        match self.0.binary_search(&origin) {
            Ok(_) => false,
            Err(place) => {
                self.0.insert(place, origin);
                true
            }
        }
    }

    pub(crate) fn extend(&mut self, other: &Origins) -> bool {
        let mut changed = false;
        for origin in other.iter() {
            changed |= self.insert(origin);
        }
        changed
    }
}

impl Origin {
    /// The same, by parameter only.
    pub(crate) fn deepened(self) -> Origin {
        match self {
            Origin::Path(path) => Origin::Deep(path.parameter),
            other => other,
        }
    }
}
