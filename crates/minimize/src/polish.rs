//! Each way to make what is left simpler is tried, and kept if the failure stays.

use recrash_reduce::{Order, Outcome, Subset};
use recrash_wire::retrace::Steps;

use crate::cut::{Cutting, Goal};
use crate::error::{Error, Result};
use crate::player::Play;
use crate::script::pinned;
use crate::simpler::{
    TextPlace, compact, folded, long_texts, pieces, swept, text_at, with_older, with_text,
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
        for place in long_texts(&steps) {
            steps = self.shorter(steps, place, goal)?;
        }
        Ok(steps)
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

    /// With less of a long text, in coarse pieces first.
    fn shorter(&mut self, steps: Steps, place: TextPlace, goal: &dyn Goal) -> Result<Steps> {
        let mut steps = steps;
        for finest in [false, true] {
            let Some(text) = text_at(&steps, place).map(str::to_owned) else {
                return Ok(steps);
            };
            let pieces = pieces(&text, finest);
            if finest && pieces.len() > FEW {
                return Ok(steps);
            }
            let largest = pieces.len();
            let (player, progress) = (&mut *self.player, self.progress);
            let reduced = Subset::new(pieces.len(), Order::Counters { largest })
                .minimal()
                .run(self.budget, |candidate| {
                    let kept = candidate.kept.iter();
                    let shorter: String = kept.filter_map(|at| pieces.get(at).copied()).collect();
                    if player.trials.is_multiple_of(64) {
                        progress(&format!("{} characters left", shorter.len()));
                    }
                    let changed = with_text(&steps, place, &shorter);
                    player.load(&changed)?;
                    let all: Vec<u32> = (0..changed.steps.len() as u32).collect();
                    let trial = player.play(Play {
                        kept: &all,
                        watched: &[all.len().saturating_sub(1) as u32],
                        ..Play::default()
                    })?;
                    Ok::<Outcome, Error>(goal.outcome(&trial, &all))
                })?;
            let shorter: String = reduced
                .kept
                .iter()
                .filter_map(|at| pieces.get(at).copied())
                .collect();
            steps = with_text(&steps, place, &shorter);
        }
        Ok(steps)
    }
}
