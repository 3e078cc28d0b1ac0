//! Each way to make what is left simpler is tried, and kept if the failure stays.

use recrash_reduce::{Kept, Order, Outcome, Subset};
use recrash_wire::retrace::{Operand, Steps};

use crate::cut::{Cutting, Differs, Goal};
use crate::error::{Error, Result};
use crate::player::Play;
use crate::script::pinned;
use crate::simpler::{
    TextPlace, compact, folded, long_texts, pieces, swept, text_at, with_older, with_one_record,
    with_texts,
};

/// Of so many pieces a text is looked at character by character.
const FEW: usize = 200;

impl Cutting<'_> {
    /// Makes few events fewer and easier to read. `freely` is for failures that are a bug whatever the arguments are; where a check of the
    /// program's throws, other arguments would fail rightly.
    pub(crate) fn polish(&mut self, steps: Steps, goal: &dyn Goal, freely: bool) -> Result<Steps> {
        let mut steps = steps;
        let mut again = true;
        while again && self.budget.over().is_none() {
            again = false;
            for changed in folded(&steps) {
                if self.does(&changed, goal)? {
                    steps = changed;
                    again = true;
                    break;
                }
            }
        }
        if !freely {
            return Ok(steps);
        }
        for changed in with_one_record(&steps) {
            if self.does(&changed, goal)? {
                steps = changed;
                break;
            }
        }
        steps = self.readable(steps, goal)?;
        let mut again = true;
        while again && self.budget.over().is_none() {
            again = false;
            for changed in with_older(&steps) {
                let changed = swept(&changed);
                if changed.steps.len() < steps.steps.len() && self.does(&changed, goal)? {
                    steps = changed;
                    again = true;
                    break;
                }
            }
        }
        steps = self.fewer(&steps, goal)?;
        self.readable(steps, goal)
    }

    /// With shorter texts.
    fn readable(&mut self, steps: Steps, goal: &dyn Goal) -> Result<Steps> {
        let mut steps = steps;
        let places = long_texts(&steps);
        if places.len() > 1 {
            // Two that are compared get shorter in the same places.
            steps = self.shorter(steps, &places, goal)?;
        }
        for place in long_texts(&steps) {
            steps = self.shorter(steps, &[place], goal)?;
        }
        Ok(steps)
    }

    /// Where the JDK's collections expect what the driver expects, they tell what is right after fewer calls, too: these calls, and what the last of
    /// them should give.
    pub(crate) fn by_model(
        &mut self,
        steps: &Steps,
        kept: &[u32],
        expected: &Operand,
    ) -> Result<Option<(Steps, Operand)>> {
        let told = self.model(kept)?;
        if told.as_ref() != Some(expected) || !self.holds(&Differs, kept, true)? {
            return Ok(None);
        }
        let stay = pinned(steps, kept);
        let mut left = kept.to_vec();
        // What one order leaves another may take.
        loop {
            let fewer = self.reduce(steps, &left, &stay, &Differs)?;
            let fewer = self.without_pairs(fewer, &stay)?;
            if fewer.len() == left.len() {
                break;
            }
            left = fewer;
        }
        if !self.holds(&Differs, &left, true)? {
            return Ok(None);
        }
        let mut small = compact(steps, &left);
        while let Some(changed) = self.smaller(&small)? {
            let all: Vec<u32> = (0..changed.steps.len() as u32).collect();
            let stay = pinned(&changed, &all);
            let fewer = self.reduce(&changed, &all, &stay, &Differs)?;
            let fewer = self.without_pairs(fewer, &stay)?;
            small = compact(&changed, &fewer);
        }
        if !self.does(&small, &Differs)? {
            return Ok(None);
        }
        let all: Vec<u32> = (0..small.steps.len() as u32).collect();
        let expected = self.model(&all)?;
        Ok(expected.map(|expected| (small, expected)))
    }

    fn smaller(&mut self, steps: &Steps) -> Result<Option<Steps>> {
        match self.without_place(steps)? {
            Some(changed) => Ok(Some(changed)),
            None => self.with_smaller_number(steps),
        }
    }

    /// Without one event, and at most one behind it; later calls of the same method that count places count one less, `list.add(3, x)`.
    fn without_place(&mut self, steps: &Steps) -> Result<Option<Steps>> {
        let all: Vec<u32> = (0..steps.steps.len() as u32).collect();
        let stay = pinned(steps, &all);
        let items = all.iter().filter(|event| !stay.contains(event));
        let items: Vec<u32> = items.copied().collect();
        for (place, one) in items.iter().enumerate() {
            let Some(member) = steps.steps.get(*one as usize).map(|step| step.member) else {
                continue;
            };
            let mut shifted = steps.clone();
            let later = shifted.steps.iter_mut().skip(*one as usize);
            for operand in later
                .filter(|step| step.member == member)
                .filter_map(|step| step.arguments.first_mut())
            {
                if let Operand::Number { value, .. } = operand
                    && *value > 0
                {
                    *value -= 1;
                }
            }
            let others = items.iter().skip(place + 1).copied().map(Some);
            for other in std::iter::once(None).chain(others) {
                if self.budget.over().is_some() {
                    return Ok(None);
                }
                let gone = |event: &u32| event == one || Some(*event) == other;
                let kept: Vec<u32> = all.iter().copied().filter(|event| !gone(event)).collect();
                let changed = compact(&shifted, &kept);
                if self.does(&changed, &Differs)? {
                    return Ok(Some(changed));
                }
            }
        }
        Ok(None)
    }

    /// With one number among the arguments that is nearer to zero; it is loaded.
    fn with_smaller_number(&mut self, steps: &Steps) -> Result<Option<Steps>> {
        for (at, step) in steps.steps.iter().enumerate() {
            for (place, operand) in step.arguments.iter().enumerate() {
                let Operand::Number { kind, value } = operand else {
                    continue;
                };
                if *kind != u16::from(b'I') || *value <= 0 || self.budget.over().is_some() {
                    continue;
                }
                let mut tried = vec![0, *value / 2, *value - 1];
                tried.dedup();
                for smaller in tried {
                    let mut changed = steps.clone();
                    let slot = changed.steps.get_mut(at);
                    if let Some(slot) = slot.and_then(|step| step.arguments.get_mut(place)) {
                        *slot = Operand::Number {
                            kind: *kind,
                            value: smaller,
                        };
                    }
                    if self.does(&changed, &Differs)? {
                        return Ok(Some(changed));
                    }
                }
            }
        }
        Ok(None)
    }

    /// Two events at a time: a step forth and the one back.
    fn without_pairs(&mut self, events: Vec<u32>, stay: &[u32]) -> Result<Vec<u32>> {
        let mut left = events;
        let mut one = 0;
        while one < left.len() && self.budget.over().is_none() {
            let mut gone = false;
            for other in one + 1..left.len() {
                let pair = [one, other].map(|at| left.get(at).copied().unwrap_or_default());
                if pair.iter().any(|event| stay.contains(event)) {
                    continue;
                }
                let kept: Vec<u32> = left
                    .iter()
                    .copied()
                    .filter(|event| !pair.contains(event))
                    .collect();
                if self.holds(&Differs, &kept, false)? {
                    left = kept;
                    gone = true;
                    break;
                }
            }
            one += usize::from(!gone);
        }
        Ok(left)
    }

    fn model(&mut self, kept: &[u32]) -> Result<Option<Operand>> {
        let played = self.player.play(Play {
            kept,
            models: true,
            ..Play::default()
        })?;
        Ok(played.model)
    }

    /// Whether these events fail in the same way; they are loaded.
    fn does(&mut self, steps: &Steps, goal: &dyn Goal) -> Result<bool> {
        self.player.load(steps)?;
        let all: Vec<u32> = (0..steps.steps.len() as u32).collect();
        self.holds(goal, &all, false)
    }

    fn fewer(&mut self, steps: &Steps, goal: &dyn Goal) -> Result<Steps> {
        self.player.load(steps)?;
        let all: Vec<u32> = (0..steps.steps.len() as u32).collect();
        let stay = pinned(steps, &all);
        let kept = self.reduce(steps, &all, &stay, goal)?;
        Ok(compact(steps, &kept))
    }

    /// With less of long texts, in coarse pieces first. Those that fall into as many pieces lose the same ones.
    fn shorter(&mut self, steps: Steps, places: &[TextPlace], goal: &dyn Goal) -> Result<Steps> {
        let mut steps = steps;
        for finest in [false, true] {
            let texts: Vec<(TextPlace, String)> = places
                .iter()
                .filter_map(|place| Some((*place, text_at(&steps, *place)?.to_owned())))
                .collect();
            let split: Vec<(TextPlace, Vec<&str>)> = texts
                .iter()
                .map(|(place, text)| (*place, pieces(text, finest)))
                .collect();
            let Some((_, first)) = split.first() else {
                return Ok(steps);
            };
            let count = first.len();
            let alike = split.iter().all(|(_, pieces)| pieces.len() == count);
            if !alike || (finest && count > FEW) {
                return Ok(steps);
            }
            let without = |kept: &Kept| -> Vec<(TextPlace, String)> {
                let shorter = |pieces: &[&str]| {
                    let kept = kept.iter().filter_map(|at| pieces.get(at).copied());
                    kept.collect::<String>()
                };
                split
                    .iter()
                    .map(|(place, pieces)| (*place, shorter(pieces)))
                    .collect()
            };
            let (player, progress) = (&mut *self.player, self.progress);
            let reduced = Subset::new(count, Order::Counters { largest: count })
                .minimal()
                .run(self.budget, |candidate| {
                    if player.trials.is_multiple_of(64) {
                        progress(&format!("{} pieces of text left", candidate.kept.len()));
                    }
                    let changed = with_texts(&steps, &without(&candidate.kept));
                    player.load(&changed)?;
                    let all: Vec<u32> = (0..changed.steps.len() as u32).collect();
                    let trial = player.play(Play {
                        kept: &all,
                        watched: &[all.len().saturating_sub(1) as u32],
                        ..Play::default()
                    })?;
                    Ok::<Outcome, Error>(goal.outcome(&trial, &all))
                })?;
            let changed = with_texts(&steps, &without(&reduced.kept));
            steps = changed;
        }
        Ok(steps)
    }
}
