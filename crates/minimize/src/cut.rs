//! Events that the failure does not need are thrown away.

use std::collections::HashSet;

use recrash_reduce::{Budget, Order, Outcome, Subset};
use recrash_wire::retrace::{Operand, Steps};

use crate::error::Result;
use crate::failure::Thrown;
use crate::player::{Play, Played, Player};
use crate::script::{gives, kind, needs, related, used};

/// What a trial has to come to.
pub(crate) trait Goal {
    fn outcome(&self, played: &Played, kept: &[u32]) -> Outcome;
}

/// The last event throws it.
pub(crate) struct Crash<'a>(pub(crate) &'a Thrown);

impl Goal for Crash<'_> {
    fn outcome(&self, played: &Played, kept: &[u32]) -> Outcome {
        let last = kept.last().map(|event| *event as usize);
        match &played.thrown {
            Some(thrown) if played.at == last && self.0.is_like(thrown) => Outcome::Holds,
            Some(_) => Outcome::Unresolved,
            None if played.unresolved.is_some() || played.too_long => Outcome::Unresolved,
            None => Outcome::Fails,
        }
    }
}

/// The last event gives it, and all before give what they gave in the run: what was expected of them still is.
pub(crate) struct WrongValue<'a>(pub(crate) &'a Operand);

impl Goal for WrongValue<'_> {
    fn outcome(&self, played: &Played, _kept: &[u32]) -> Outcome {
        if played.thrown.is_some() || played.unresolved.is_some() || played.too_long {
            return Outcome::Unresolved;
        }
        Outcome::of(played.same && played.gave.last() == Some(self.0))
    }
}

pub(crate) struct Cutting<'a> {
    pub(crate) player: &'a mut Player,
    pub(crate) budget: &'a mut Budget,
    pub(crate) progress: &'a (dyn Fn(&str) + Sync),
}

impl Cutting<'_> {
    pub(crate) fn holds(
        &mut self,
        goal: &dyn Goal,
        kept: &[u32],
        fresh: bool,
    ) -> Result<bool> {
        let watched = [kept.len().saturating_sub(1) as u32];
        let played = self.player.play(Play {
            kept,
            watched: &watched,
            fresh,
            looks: false,
        })?;
        Ok(goal.outcome(&played, kept).holds())
    }

    /// The events that have to do with `last`, nearest relations first; `None` if not even all events together fail again.
    pub(crate) fn slice(
        &mut self,
        steps: &Steps,
        last: usize,
        goal: &dyn Goal,
    ) -> Result<Option<Vec<u32>>> {
        let near = related(steps, last, false);
        if self.holds(goal, &near, true)? {
            return Ok(Some(near));
        }
        let far = related(steps, last, true);
        if far.len() > near.len() && self.holds(goal, &far, true)? {
            return Ok(Some(far));
        }
        let all: Vec<u32> = (0..=last as u32).collect();
        Ok(self.holds(goal, &all, true)?.then_some(all))
    }

    /// Without calls that changed nothing of what they could reach, and whose answers no other call uses.
    pub(crate) fn without_pure(
        &mut self,
        steps: &Steps,
        events: &[u32],
        goal: &dyn Goal,
    ) -> Result<Vec<u32>> {
        let played = self.player.play(Play {
            kept: events,
            looks: true,
            fresh: true,
            ..Play::default()
        })?;
        let last = events.last();
        let mut kept: Vec<u32> = Vec::new();
        let mut wanted: HashSet<u32> = HashSet::new();
        for (event, pure) in events.iter().zip(&played.pure).rev() {
            let Some(step) = steps.steps.get(*event as usize) else {
                continue;
            };
            let makes = step.kind != kind::CALL || gives(step).is_some();
            let used_later = gives(step).is_some_and(|object| wanted.contains(&object));
            let idle = if makes { *pure || step.kind != kind::CALL } else { *pure };
            if Some(event) != last && idle && !used_later {
                continue;
            }
            wanted.extend(used(step));
            kept.push(*event);
        }
        kept.reverse();
        Ok(if self.holds(goal, &kept, true)? {
            kept
        } else {
            events.to_vec()
        })
    }

    /// The last event stays, with what it cannot be without.
    pub(crate) fn reduce(
        &mut self,
        steps: &Steps,
        events: &[u32],
        stay: &[u32],
        goal: &dyn Goal,
    ) -> Result<Vec<u32>> {
        let items: Vec<u32> = events
            .iter()
            .copied()
            .filter(|event| stay.binary_search(event).is_err())
            .collect();
        let needs = needs(steps, events, &items);
        let largest = items.len();
        let subset = Subset::new(items.len(), Order::Counters { largest })
            .closure(&needs)
            .minimal();
        let (player, progress) = (&mut *self.player, self.progress);
        let reduced = subset.run(self.budget, |candidate| {
            let kept = merged(candidate.kept.iter(), &items, stay);
            if player.trials % 64 == 0 {
                progress(&format!("{} calls left", kept.len()));
            }
            let played = player.play(Play {
                kept: &kept,
                watched: &[kept.len().saturating_sub(1) as u32],
                ..Play::default()
            })?;
            Ok::<_, crate::error::Error>(goal.outcome(&played, &kept))
        })?;
        Ok(merged(reduced.kept.iter(), &items, stay))
    }
}

fn merged(kept: impl Iterator<Item = usize>, items: &[u32], stay: &[u32]) -> Vec<u32> {
    let mut all: Vec<u32> = kept.filter_map(|at| items.get(at).copied()).collect();
    all.extend(stay);
    all.sort_unstable();
    all
}
