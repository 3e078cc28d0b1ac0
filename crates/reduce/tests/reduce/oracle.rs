//! Trials that are known beforehand.

use std::collections::BTreeSet;

use proptest::prelude::*;
use recrash_reduce::{Kept, Order, Outcome};

#[derive(Debug, Clone)]
pub enum Oracle {
    /// Holds as long as these are there.
    Needs(BTreeSet<usize>),
    /// Holds with any of these sets.
    Any(Vec<BTreeSet<usize>>),
    /// Holds with an odd number of these, and cannot say when the last is there without the first.
    Parity(BTreeSet<usize>),
    /// Says what chance says, the same for the same set; in some cases nothing.
    Chance(u64),
}

impl Oracle {
    pub fn ask(&self, kept: &Kept) -> Outcome {
        self.ask_set(&kept.iter().collect())
    }

    pub fn ask_set(&self, kept: &BTreeSet<usize>) -> Outcome {
        match self {
            Oracle::Needs(needed) => Outcome::of(needed.is_subset(kept)),
            Oracle::Any(sets) => Outcome::of(sets.iter().any(|set| set.is_subset(kept))),
            Oracle::Parity(set) => {
                let there = |item: Option<&usize>| item.is_some_and(|item| kept.contains(item));
                if there(set.last()) && !there(set.first()) {
                    Outcome::Unresolved
                } else {
                    Outcome::of(set.intersection(kept).count() % 2 == 1)
                }
            }
            Oracle::Chance(seed) => {
                let mixed = kept.iter().fold(*seed, |mixed, item| {
                    let mixed = (mixed ^ *item as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                    mixed ^ mixed >> 29
                });
                match mixed % 5 {
                    0 | 1 => Outcome::Holds,
                    2 => Outcome::Unresolved,
                    _ => Outcome::Fails,
                }
            }
        }
    }
}

pub fn oracles(count: usize) -> impl Strategy<Value = Oracle> {
    let set = || prop::collection::btree_set(0..count, 1..8);
    prop_oneof![
        set().prop_map(Oracle::Needs),
        prop::collection::vec(set(), 1..4).prop_map(Oracle::Any),
        set().prop_map(Oracle::Parity),
        any::<u64>().prop_map(Oracle::Chance),
    ]
}

/// An order over the first of many items.
#[derive(Debug, Clone)]
pub struct Cut(Order);

impl Cut {
    pub fn within(&self, count: usize) -> Order {
        match &self.0 {
            Order::Levels(levels) => {
                let mut levels = levels.clone();
                for level in &mut levels {
                    level.retain(|item| *item < count);
                }
                Order::Levels(levels)
            }
            other => other.clone(),
        }
    }
}

pub fn orders(count: usize) -> impl Strategy<Value = Cut> {
    prop_oneof![
        (1..=count).prop_map(|largest| Order::Counters { largest }),
        Just(Order::Halving),
        Just(Order::Ddmin),
        prop::collection::vec(0_usize..4, count).prop_map(move |of| {
            let level = |level| {
                (0..count)
                    .filter(|item| of.get(*item) == Some(&level))
                    .collect()
            };
            Order::Levels((0..4).map(level).collect())
        }),
    ]
    .prop_map(Cut)
}
