//! What a method does, as its callers see it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::origin::{Origin, Origins, Path};
use crate::slots::{SlotId, SlotSet};

/// More written places than this are kept by parameter only.
const MOST_PLACES: usize = 48;
/// More stored references than this are kept by parameter only.
const MOST_STORES: usize = 12;

/// Slots written, and those of them after which the method can still throw.
/// Shared, because methods of one component have the same.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Written {
    pub(crate) all: Arc<SlotSet>,
    pub(crate) before_throw: Arc<SlotSet>,
}

impl Written {
    pub(crate) fn insert(&mut self, slot: SlotId, then_throws: bool) {
        Arc::make_mut(&mut self.all).insert(slot);
        if then_throws {
            Arc::make_mut(&mut self.before_throw).insert(slot);
        }
    }

    /// What a callee wrote: before its own throw, or, once it has returned, before one of ours.
    pub(crate) fn extend(&mut self, other: &Written, then_throws: bool) {
        let before = if then_throws {
            &other.all
        } else {
            &other.before_throw
        };
        extend(&mut self.all, &other.all);
        extend(&mut self.before_throw, before);
    }
}

/// Adds to a set, sharing it where that is all there is.
pub(crate) fn extend(set: &mut Arc<SlotSet>, other: &Arc<SlotSet>) {
    if set.is_empty() {
        *set = Arc::clone(other);
    } else if !Arc::ptr_eq(set, other) && !other.is_empty() {
        Arc::make_mut(set).extend(other);
    }
}

/// How much of a summary is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Detail {
    /// Only where references go, by parameter.
    References,
    /// References by parameter, and everything else.
    Coarse,
    Full,
}

/// A reference that is stored: into an object, at a slot, from somewhere.
pub(crate) type Stored = (Origin, SlotId, Origin);

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Summary {
    /// Slots of objects a short way from a parameter, and whether the method can throw afterwards.
    pub(crate) places: BTreeMap<(Path, SlotId), bool>,
    /// By parameter: slots of anything that can be reached from it.
    pub(crate) deep: BTreeMap<u16, Written>,
    /// Slots of any object at all, and static fields.
    pub(crate) anywhere: Written,
    pub(crate) reads: Arc<SlotSet>,
    pub(crate) stores: BTreeSet<Stored>,
    /// Fresh objects are all one here: site 0.
    pub(crate) returns: Origins,
    /// Whether a class may be initialized on the way.
    pub(crate) initializes: bool,
}

impl Summary {
    pub(crate) fn write(&mut self, origin: Origin, slot: SlotId, then_throws: bool) {
        match origin {
            // What was not there before is nobody else's business.
            Origin::Fresh(_) => {}
            Origin::Anywhere => self.anywhere.insert(slot, then_throws),
            Origin::Deep(parameter) => {
                self.deep
                    .entry(parameter)
                    .or_default()
                    .insert(slot, then_throws);
            }
            Origin::Path(path) => {
                *self.places.entry((path, slot)).or_default() |= then_throws;
            }
        }
    }

    /// Slots written of everything that can be reached from somewhere.
    pub(crate) fn write_below(&mut self, origin: Origin, written: &Written, then_throws: bool) {
        match origin.deepened() {
            Origin::Deep(parameter) => {
                let place = self.deep.entry(parameter).or_default();
                place.extend(written, then_throws);
            }
            Origin::Anywhere => {
                self.anywhere.extend(written, then_throws);
            }
            Origin::Fresh(_) | Origin::Path(_) => {}
        }
    }

    /// A store that callers have to know of; what happens between fresh objects only is dropped by the caller of this.
    pub(crate) fn store(&mut self, base: Origin, slot: SlotId, value: Origin) {
        self.stores.insert((base, slot, value));
    }

    /// Keeps it small: what is too much is said less exactly.
    pub(crate) fn limit(&mut self, detail: Detail) {
        if self.places.len() > MOST_PLACES {
            for ((path, slot), then_throws) in std::mem::take(&mut self.places) {
                self.write(Origin::Deep(path.parameter), slot, then_throws);
            }
        }
        if detail != Detail::Full {
            let returns = std::mem::take(&mut self.returns);
            for origin in returns.iter() {
                self.returns.insert(origin.deepened());
            }
        }
        if detail != Detail::Full || self.stores.len() > MOST_STORES {
            let stores = std::mem::take(&mut self.stores);
            self.stores = stores
                .into_iter()
                .map(|(base, slot, value)| {
                    let slot = if slot == SlotId::THROWN {
                        slot
                    } else {
                        SlotId::ANY
                    };
                    (base.deepened(), slot, value.deepened())
                })
                .collect();
        }
    }

    /// Adds another method's summary: a call that may mean either.
    pub(crate) fn merge(&mut self, other: &Summary) {
        for (place, &then_throws) in &other.places {
            *self.places.entry(*place).or_default() |= then_throws;
        }
        for (parameter, written) in &other.deep {
            self.deep
                .entry(*parameter)
                .or_default()
                .extend(written, false);
        }
        self.anywhere.extend(&other.anywhere, false);
        extend(&mut self.reads, &other.reads);
        self.initializes |= other.initializes;
        self.merge_references(other);
    }

    /// Only where references go. Whether something was added.
    pub(crate) fn merge_references(&mut self, other: &Summary) -> bool {
        let mut changed = self.returns.extend(&other.returns);
        for stored in &other.stores {
            changed |= self.stores.insert(*stored);
        }
        changed
    }

    /// Code that may do anything with what it is given and with what it can find.
    pub(crate) fn unknown(parameters: u16) -> Summary {
        let mut summary = Summary {
            initializes: true,
            ..Summary::default()
        };
        Arc::make_mut(&mut summary.reads).insert(SlotId::ANY);
        summary.given_to(parameters, SlotId::ANY);
        summary.write(Origin::Anywhere, SlotId::ANY, true);
        summary.store(Origin::Anywhere, SlotId::ANY, Origin::Anywhere);
        summary
    }

    /// Code of the JDK that cannot be seen.
    pub(crate) fn platform(parameters: u16) -> Summary {
        let mut summary = Summary::default();
        Arc::make_mut(&mut summary.reads).insert(SlotId::PLATFORM);
        summary.given_to(parameters, SlotId::PLATFORM);
        for parameter in 0..parameters {
            for kind in 0..8 {
                let slot = SlotId::elements(crate::ssa::ElementKind::of(kind));
                summary.write(Origin::Path(Path::of(parameter)), slot, true);
                Arc::make_mut(&mut summary.reads).insert(slot);
            }
        }
        summary
    }

    /// What it is given it may change, keep, mix and give back.
    fn given_to(&mut self, parameters: u16, slot: SlotId) {
        self.returns.insert(Origin::Anywhere);
        for parameter in 0..parameters {
            let origin = Origin::Deep(parameter);
            self.write(origin, slot, true);
            self.store(Origin::Anywhere, slot, origin);
            self.store(origin, slot, Origin::Anywhere);
        }
    }
}
