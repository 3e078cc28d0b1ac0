//! Contradictions where ways meet (STAR 3.2.3): when it is worth the time to ask the solver there.
//!
//! A question costs as much as following a way for a while, and most answers are "it may be". So fruitless questions use up
//! a credit, contradictions give it back, and without credit only few places are asked at.

use std::time::Duration;

use crate::solver::Answer;

/// What is not contradicted by then is followed: the entry asks again, with more patience.
const LIMIT: Duration = Duration::from_millis(20);
const CREDIT: u32 = 8;
/// Without credit, one of so many places is asked at.
const SELDOM: u32 = 16;

pub(crate) struct MergeChecks {
    credit: u32,
    /// Places passed without asking since the last question.
    passed: u32,
}

impl Default for MergeChecks {
    fn default() -> MergeChecks {
        MergeChecks {
            credit: CREDIT,
            passed: 0,
        }
    }
}

impl MergeChecks {
    /// How long the solver may think at this place; `None` if it is not to be asked.
    pub(crate) fn limit(&mut self) -> Option<Duration> {
        if self.credit > 0 || self.passed + 1 == SELDOM {
            self.passed = 0;
            return Some(LIMIT);
        }
        self.passed += 1;
        None
    }

    pub(crate) fn learn(&mut self, answer: Answer) {
        self.credit = match answer {
            Answer::Unsatisfiable => CREDIT,
            Answer::Satisfiable => self.credit.saturating_sub(1),
            // It took longer than other answers, and what follows has all these conditions, too.
            Answer::Unknown => 0,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked_of(checks: &mut MergeChecks, places: usize, answer: Answer) -> usize {
        let mut asked = 0;
        for _ in 0..places {
            if checks.limit().is_some() {
                asked += 1;
                checks.learn(answer);
            }
        }
        asked
    }

    #[test]
    fn fruitless_questions_become_rare_and_a_contradiction_ends_that() {
        let mut checks = MergeChecks::default();
        assert_eq!(asked_of(&mut checks, 8 + 10 * 16, Answer::Satisfiable), 18);
        while checks.limit().is_none() {}
        checks.learn(Answer::Unsatisfiable);
        assert_eq!(asked_of(&mut checks, 20, Answer::Unsatisfiable), 20);
        assert_eq!(asked_of(&mut checks, 3, Answer::Unknown), 1);
    }
}
