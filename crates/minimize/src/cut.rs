//! Events that the failure does not need are thrown away.

use std::collections::HashSet;

use recrash_reduce::{Budget, Order, Outcome, Subset};
use recrash_wire::retrace::{Operand, Steps};

use crate::error::Result;
use crate::failure::Thrown;
use crate::player::{Play, Played, Player};
use crate::script::{gives, kind, needs, related, used};

/// Of more events it is not asked one by one what they changed.
const MOST_LOOKED_AT: usize = 400;

/// What a trial has to come to.
pub(crate) trait Goal {
    /// Whether the JDK's collections are asked.
    fn models(&self) -> bool {
        false
    }

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

/// The last event gives something else than the JDK's own collection does after the same calls.
pub(crate) struct Differs;

impl Goal for Differs {
    fn models(&self) -> bool {
        true
    }

    fn outcome(&self, played: &Played, _kept: &[u32]) -> Outcome {
        match (&played.model, played.gave.last()) {
            (Some(model), Some(gave)) => {
                Outcome::of(is_value(model) && is_value(gave) && model != gave)
            }
            _ => Outcome::Unresolved,
        }
    }
}

fn is_value(operand: &Operand) -> bool {
    !matches!(operand, Operand::Object { .. } | Operand::Other { .. })
}

pub(crate) struct Cutting<'a> {
    pub(crate) player: &'a mut Player,
    pub(crate) budget: &'a mut Budget,
    pub(crate) progress: &'a (dyn Fn(&str) + Sync),
}

impl Cutting<'_> {
    pub(crate) fn holds(&mut self, goal: &dyn Goal, kept: &[u32], fresh: bool) -> Result<bool> {
        let watched = [kept.len().saturating_sub(1) as u32];
        let played = self.player.play(Play {
            kept,
            watched: &watched,
            models: goal.models(),
            fresh,
            ..Play::default()
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
            let idle = *pure || step.kind != kind::CALL;
            let used_later = gives(step).is_some_and(|object| wanted.contains(&object));
            if Some(event) == last || !idle || used_later {
                wanted.extend(used(step));
                kept.push(*event);
            }
        }
        kept.reverse();
        if !self.holds(goal, &kept, true)? {
            return Ok(events.to_vec());
        }
        self.without_idle(steps, kept, goal)
    }

    /// Without calls that changed nothing that later ones lead to: an iterator that nobody asks any more.
    fn without_idle(
        &mut self,
        steps: &Steps,
        events: Vec<u32>,
        goal: &dyn Goal,
    ) -> Result<Vec<u32>> {
        let Some((last, before)) = events.split_last() else {
            return Ok(events);
        };
        if events.len() > MOST_LOOKED_AT {
            return Ok(events);
        }
        let of = |event: &u32| steps.steps.get(*event as usize);
        let mut wanted: HashSet<u32> = of(last).into_iter().flat_map(used).collect();
        let mut kept = vec![*last];
        for (at, event) in before.iter().enumerate().rev() {
            let Some(step) = of(event) else {
                continue;
            };
            let given = gives(step);
            let mut needed = given.is_some_and(|object| wanted.contains(&object));
            if !needed {
                let mut roots: Vec<u32> = wanted.iter().copied().collect();
                roots.sort_unstable();
                let played = self.player.play(Play {
                    kept: events.get(..=at).unwrap_or_default(),
                    roots: &roots,
                    ..Play::default()
                })?;
                needed = played.changed || played.too_long;
            }
            if needed {
                wanted.extend(used(step));
                kept.push(*event);
            }
        }
        kept.reverse();
        Ok(if self.holds(goal, &kept, true)? {
            kept
        } else {
            events
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
            if player.trials.is_multiple_of(64) {
                progress(&format!("{} calls left", kept.len()));
            }
            let trial = player.play(Play {
                kept: &kept,
                watched: &[kept.len().saturating_sub(1) as u32],
                models: goal.models(),
                ..Play::default()
            })?;
            Ok::<_, crate::error::Error>(goal.outcome(&trial, &kept))
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
