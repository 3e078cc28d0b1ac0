//! Makes one value lighter, step by step.

use crate::budget::{Budget, Ended};
use crate::outcome::{Count, Outcome, Repeats};
use crate::questions::Questions;

/// What could take the place of a value.
pub trait Simpler<C> {
    /// The number of places of a value that can be looked at, the most promising first.
    fn places(&self, value: &C) -> usize;

    /// Values that differ from this one in a place; those that are not lighter are left aside.
    fn at(&self, value: &C, place: usize) -> Vec<C>;

    fn weight(&self, value: &C) -> usize;

    /// A number that is the same for the same value only; `None` where it is not worth while to remember values.
    fn content(&self, _value: &C) -> Option<u128> {
        None
    }
}

/// A descent to a value none of whose neighbours is lighter and holds.
pub struct Simplification<'a, S> {
    ways: &'a S,
    repeats: Repeats,
}

/// What a descent came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Simplified<C> {
    pub value: C,
    /// No lighter neighbour holds: all were tried.
    pub minimal: bool,
    /// Why it ended before its time.
    pub ended: Option<Ended>,
    pub count: Count,
}

impl<'a, S> Simplification<'a, S> {
    pub fn new(ways: &'a S) -> Self {
        Simplification {
            ways,
            repeats: Repeats::ONCE,
        }
    }

    #[must_use]
    pub fn repeats(mut self, repeats: Repeats) -> Self {
        self.repeats = repeats;
        self
    }

    /// One trial at a time.
    pub fn run<C, E>(
        self,
        value: C,
        budget: &mut Budget,
        mut trial: impl FnMut(&C) -> Result<Outcome, E>,
    ) -> Result<Simplified<C>, E>
    where
        S: Simpler<C>,
    {
        self.run_together(value, 1, budget, |candidates| {
            candidates
                .iter()
                .map(|candidate| trial(candidate))
                .collect()
        })
    }

    /// So many trials at a time; the first in order that holds is taken, as if they had been made one after the other.
    pub fn run_together<C, E>(
        self,
        mut value: C,
        at_a_time: usize,
        budget: &mut Budget,
        mut trials: impl FnMut(&[&C]) -> Result<Vec<Outcome>, E>,
    ) -> Result<Simplified<C>, E>
    where
        S: Simpler<C>,
    {
        let before = budget.spent();
        let mut questions = Questions::new(budget, self.repeats);
        let mut ended = None;
        // A place is left when nothing in it holds any more; it ends when that is so of all of them in a row.
        let (mut place, mut unchanged) = (0, 0);
        while ended.is_none() {
            let places = self.ways.places(&value);
            if unchanged >= places {
                break;
            }
            if place >= places {
                place = 0;
            }
            let weight = self.ways.weight(&value);
            let mut lighter = self.ways.at(&value, place);
            lighter.retain(|candidate| self.ways.weight(candidate) < weight);
            match self.first(lighter, at_a_time.max(1), &mut questions, &mut trials)? {
                (Some(next), over) => {
                    value = next;
                    unchanged = 0;
                    ended = over;
                }
                (None, over) => {
                    place += 1;
                    unchanged += 1;
                    ended = over;
                }
            }
        }
        Ok(Simplified {
            value,
            minimal: ended.is_none(),
            ended,
            count: budget.spent().since(before),
        })
    }

    /// The first of these that holds.
    fn first<C, E>(
        &self,
        mut candidates: Vec<C>,
        at_a_time: usize,
        questions: &mut Questions<'_>,
        trials: &mut impl FnMut(&[&C]) -> Result<Vec<Outcome>, E>,
    ) -> Result<(Option<C>, Option<Ended>), E>
    where
        S: Simpler<C>,
    {
        let mut from = 0;
        while from < candidates.len() {
            let offered: Vec<&C> = candidates.iter().skip(from).take(at_a_time).collect();
            let contents: Vec<Option<u128>> = offered
                .iter()
                .map(|candidate| self.ways.content(candidate))
                .collect();
            let asked = questions.first(&contents, &mut |places: &[usize]| {
                let wanted: Vec<&C> = places
                    .iter()
                    .filter_map(|at| offered.get(*at).copied())
                    .collect();
                trials(&wanted)
            })?;
            from += asked.refused;
            if asked.held {
                return Ok((Some(candidates.swap_remove(from)), asked.ended));
            }
            if asked.ended.is_some() {
                return Ok((None, asked.ended));
            }
        }
        Ok((None, None))
    }
}
