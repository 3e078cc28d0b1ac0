//! What has been found to contradict itself: sets of conditions that no state can have (STAR 3.2.2, and beyond it).
//!
//! A core tells where to go back to. It also holds for states on other ways, which need not be asked about any more.

use std::collections::HashMap;

use crate::state::Condition;
use crate::term::Term;

/// The cores met so far, each under its newest term: few states have that.
#[derive(Default)]
pub(crate) struct Cores {
    rest_by_newest: HashMap<Term, Vec<Vec<Term>>>,
}

impl Cores {
    pub(crate) fn learn(&mut self, mut core: Vec<Term>) {
        core.sort_unstable();
        let Some(newest) = core.pop() else {
            return;
        };
        let known = self.rest_by_newest.entry(newest).or_default();
        if !known.contains(&core) {
            known.push(core);
        }
    }

    /// The depth down to which a state with these conditions contradicts itself, if a known core is among them.
    pub(crate) fn depth_in(&self, conditions: &[Condition]) -> Option<usize> {
        let depth_of = |term: Term| {
            let condition = conditions.iter().find(|it| it.term == term);
            condition.map(|it| it.depth)
        };
        let found = conditions.iter().filter_map(|newest| {
            let cores = self.rest_by_newest.get(&newest.term)?;
            let depths = cores.iter().filter_map(|rest| {
                rest.iter().try_fold(newest.depth, |deepest, &term| {
                    Some(deepest.max(depth_of(term)?))
                })
            });
            depths.min()
        });
        found.min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conditions(terms: &[(u32, usize)]) -> Vec<Condition> {
        let condition = |&(term, depth)| Condition {
            term: Term(term),
            depth,
        };
        terms.iter().map(condition).collect()
    }

    #[test]
    fn a_core_is_found_among_other_conditions_and_goes_back_to_its_last_decision() {
        let mut cores = Cores::default();
        cores.learn(vec![Term(9), Term(4)]);
        cores.learn(vec![Term(9), Term(7)]);
        let both = conditions(&[(4, 3), (5, 8), (9, 1)]);
        assert_eq!(cores.depth_in(&both), Some(3));
        let three = conditions(&[(7, 2), (4, 3), (9, 1)]);
        assert_eq!(cores.depth_in(&three), Some(2));
        assert_eq!(cores.depth_in(&conditions(&[(4, 3), (7, 1)])), None);
    }
}
