//! Which of many items can go?

use crate::budget::{Budget, Ended};
use crate::kept::Kept;
use crate::needs::Closure;
use crate::order::{Guesses, Order, Row};
use crate::outcome::{Count, Outcome, Repeats};
use crate::plan::Plan;
use crate::questions::Questions;

/// A reduction of the items `0..count`, all of which together hold.
pub struct Subset<'a> {
    count: usize,
    order: Order,
    guesses: Vec<Vec<usize>>,
    closure: Option<&'a dyn Closure>,
    repeats: Repeats,
    minimal: bool,
}

/// A set of items that is to be tried.
#[derive(Debug, Clone)]
pub struct Candidate<'k> {
    /// The items that would be left.
    pub kept: Kept,
    /// Those that were taken away before, without what went along.
    pub taken: &'k [usize],
    /// The items that would go now.
    pub going: Vec<usize>,
    /// Those that would go along.
    pub along: Vec<usize>,
}

/// What a reduction came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reduced {
    pub kept: Kept,
    /// The items that were taken away, in this order.
    pub taken: Vec<usize>,
    /// Those that went along with them.
    pub along: Vec<usize>,
    /// No item that is left can go by itself: each was tried without success. Not said of orders that do not try so.
    pub minimal: bool,
    /// Why it ended before its time.
    pub ended: Option<Ended>,
    pub count: Count,
}

impl<'a> Subset<'a> {
    pub fn new(count: usize, order: Order) -> Self {
        Subset {
            count,
            order,
            guesses: Vec::new(),
            closure: None,
            repeats: Repeats::ONCE,
            minimal: false,
        }
    }

    /// Groups that there is a reason to try first, one after the other until one can go.
    #[must_use]
    pub fn guesses(mut self, groups: Vec<Vec<usize>>) -> Self {
        self.guesses = groups;
        self
    }

    /// Tells what goes along with what.
    #[must_use]
    pub fn closure(mut self, closure: &'a dyn Closure) -> Self {
        self.closure = Some(closure);
        self
    }

    #[must_use]
    pub fn repeats(mut self, repeats: Repeats) -> Self {
        self.repeats = repeats;
        self
    }

    /// At the end tries every item on its own, again and again until none can go.
    #[must_use]
    pub fn minimal(mut self) -> Self {
        self.minimal = true;
        self
    }

    /// One trial at a time.
    pub fn run<E>(
        self,
        budget: &mut Budget,
        mut trial: impl FnMut(&Candidate<'_>) -> Result<Outcome, E>,
    ) -> Result<Reduced, E> {
        self.run_together(1, budget, |candidates| {
            candidates
                .iter()
                .map(|candidate| trial(candidate))
                .collect()
        })
    }

    /// So many trials at a time, none of which builds on another; the first in order that holds is taken. `trials` answers in the same
    /// order, for as many as it likes: once one holds, the others are not wanted.
    pub fn run_together<E>(
        self,
        at_a_time: usize,
        budget: &mut Budget,
        mut trials: impl FnMut(&[&Candidate<'_>]) -> Result<Vec<Outcome>, E>,
    ) -> Result<Reduced, E> {
        let before = budget.spent();
        let mut questions = Questions::new(budget, self.repeats);
        let mut work = Work {
            at_a_time: at_a_time.max(1),
            closure: self.closure,
            kept: Kept::all(self.count),
            taken: Vec::new(),
            along: Vec::new(),
        };
        let mut ended =
            work.follow(&mut Guesses::new(self.guesses), &mut questions, &mut trials)?;
        if ended.is_none() {
            let mut plan = self.order.plan(&work.kept);
            ended = work.follow(plan.as_mut(), &mut questions, &mut trials)?;
        }
        let mut left = usize::MAX;
        while self.minimal && ended.is_none() && work.kept.len() < left {
            left = work.kept.len();
            ended = work.follow(&mut Singles::new(&work.kept), &mut questions, &mut trials)?;
        }
        let Work {
            kept, taken, along, ..
        } = work;
        Ok(Reduced {
            kept,
            taken,
            along,
            minimal: ended.is_none() && (self.minimal || self.order.is_minimal()),
            ended,
            count: budget.spent().since(before),
        })
    }
}

struct Work<'a> {
    at_a_time: usize,
    closure: Option<&'a dyn Closure>,
    kept: Kept,
    taken: Vec<usize>,
    along: Vec<usize>,
}

impl Work<'_> {
    /// Tries what a plan says to its end, or that of the budget.
    fn follow<E>(
        &mut self,
        plan: &mut dyn Plan,
        questions: &mut Questions<'_>,
        trials: &mut impl FnMut(&[&Candidate<'_>]) -> Result<Vec<Outcome>, E>,
    ) -> Result<Option<Ended>, E> {
        loop {
            let groups = plan.ahead(&self.kept, self.at_a_time);
            if groups.is_empty() {
                return Ok(None);
            }
            let candidates: Vec<Candidate<'_>> = groups
                .into_iter()
                .map(|group| self.candidate(group))
                .collect();
            let contents: Vec<Option<u128>> = candidates
                .iter()
                .map(|candidate| Some(candidate.kept.content()))
                .collect();
            let asked = questions.first(&contents, &mut |places: &[usize]| {
                let wanted: Vec<&Candidate<'_>> =
                    places.iter().filter_map(|at| candidates.get(*at)).collect();
                trials(&wanted)
            })?;
            for _ in 0..asked.refused {
                plan.told(false);
            }
            let held = candidates.into_iter().nth(asked.refused);
            if let Some(held) = held.filter(|_| asked.held) {
                plan.told(true);
                let Candidate {
                    kept, going, along, ..
                } = held;
                self.kept = kept;
                self.taken.extend(going);
                self.along.extend(along);
            }
            if asked.ended.is_some() {
                return Ok(asked.ended);
            }
        }
    }

    fn candidate(&self, going: Vec<usize>) -> Candidate<'_> {
        let mut kept = self.kept.clone();
        for item in &going {
            kept.remove(*item);
        }
        let closure = self.closure;
        let along = closure.map(|closure| closure.along(&kept, &going));
        let mut along = along.unwrap_or_default();
        along.retain(|item| kept.remove(*item));
        Candidate {
            kept,
            taken: &self.taken,
            going,
            along,
        }
    }
}

/// Each item on its own.
struct Singles {
    row: Row,
}

impl Singles {
    fn new(kept: &Kept) -> Self {
        Singles {
            row: Row::new(kept.iter().map(|item| vec![item])),
        }
    }
}

impl Plan for Singles {
    fn ahead(&mut self, kept: &Kept, most: usize) -> Vec<Vec<usize>> {
        self.row.ahead(kept, most)
    }

    fn told(&mut self, went: bool) {
        self.row.told(went);
    }
}
