//! Asks trials: each candidate once, a flickering one as often as agreed, no more than the budget allows.

use std::collections::HashMap;

use crate::budget::{Budget, Ended};
use crate::outcome::{Outcome, Repeats};

/// What candidates were found to do, by their content.
pub(crate) struct Questions<'b> {
    budget: &'b mut Budget,
    repeats: Repeats,
    known: HashMap<u128, Answer>,
}

#[derive(Debug, Clone, Copy)]
struct Answer {
    outcome: Outcome,
    runs: u64,
    unresolved: u64,
    /// Whether the budget has paid for it. What was tried beside others and not wanted then is paid when it is wanted, so that the
    /// budget ends at the same place however many are tried at a time.
    paid: bool,
}

/// What became of candidates in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Asked {
    /// So many at the front did not hold.
    pub(crate) refused: usize,
    /// The next one did.
    pub(crate) held: bool,
    /// No more can be asked.
    pub(crate) ended: Option<Ended>,
}

impl<'b> Questions<'b> {
    pub(crate) fn new(budget: &'b mut Budget, repeats: Repeats) -> Self {
        Questions {
            budget,
            repeats,
            known: HashMap::new(),
        }
    }

    /// Goes through candidates, of which the content is given where there is such a thing, up to the first that holds. `run`
    /// is given the places of those to run side by side, and answers for as many from the front as it likes, for one at least.
    pub(crate) fn first<E>(
        &mut self,
        contents: &[Option<u128>],
        run: &mut impl FnMut(&[usize]) -> Result<Vec<Outcome>, E>,
    ) -> Result<Asked, E> {
        let known = |questions: &Self, content: &Option<u128>| {
            content.and_then(|content| questions.known.get(&content).copied())
        };
        let mut answers: Vec<Option<Answer>> = contents
            .iter()
            .map(|content| known(self, content))
            .collect();
        let open = self.open(contents, &answers);
        let mut ended = None;
        if !open.is_empty() && self.budget.over().is_none() {
            ended = self.ask(&open, &mut answers, run)?;
            for (content, answer) in contents.iter().zip(&answers) {
                if let (Some(content), Some(answer)) = (content, answer) {
                    self.known.entry(*content).or_insert(*answer);
                }
            }
        }
        for (refused, (content, answer)) in contents.iter().zip(answers).enumerate() {
            let stopped = |ended| Asked {
                refused,
                held: false,
                ended,
            };
            // One that is there twice was asked once.
            let Some(answer) = known(self, content).or(answer) else {
                return Ok(stopped(self.budget.over().or(ended)));
            };
            if let Some(over) = self.pay(answer) {
                return Ok(stopped(Some(over)));
            }
            if let Some(known) = content.and_then(|content| self.known.get_mut(&content)) {
                known.paid = true;
            }
            if answer.outcome.holds() {
                self.budget.held();
                return Ok(Asked {
                    refused,
                    held: true,
                    ended: None,
                });
            }
        }
        Ok(Asked {
            refused: contents.len(),
            held: false,
            ended: None,
        })
    }

    /// The candidates to run: unknown ones, up to one that is known to hold.
    fn open(&self, contents: &[Option<u128>], answers: &[Option<Answer>]) -> Vec<usize> {
        let mut open: Vec<usize> = Vec::new();
        for (at, (content, answer)) in contents.iter().zip(answers).enumerate() {
            match answer {
                Some(answer) if answer.outcome.holds() => break,
                Some(_) => {}
                None => {
                    let twin =
                        |other: &usize| content.is_some() && contents.get(*other) == Some(content);
                    if !open.iter().any(twin) {
                        open.push(at);
                    }
                }
            }
        }
        if let Some(left) = self.budget.left() {
            open.truncate(usize::try_from(left).unwrap_or(usize::MAX).max(1));
        }
        open
    }

    /// Runs candidates until each has an answer, or the budget is over.
    fn ask<E>(
        &mut self,
        open: &[usize],
        answers: &mut [Option<Answer>],
        run: &mut impl FnMut(&[usize]) -> Result<Vec<Outcome>, E>,
    ) -> Result<Option<Ended>, E> {
        let mut tallies: Vec<Tally> = open.iter().map(|at| Tally::of(*at)).collect();
        let mut begun = false;
        loop {
            let waiting: Vec<usize> = tallies.iter().map(|tally| tally.at).collect();
            if waiting.is_empty() {
                return Ok(None);
            }
            let most = tallies.iter().map(|tally| tally.runs).max().unwrap_or(0);
            if let Some(over) = self.budget.over_with(most).filter(|_| begun) {
                return Ok(Some(over));
            }
            begun = true;
            let mut outcomes = run(&waiting)?;
            if outcomes.is_empty() {
                outcomes.push(Outcome::Unresolved);
            }
            outcomes.truncate(waiting.len());
            self.budget.ran(outcomes.len() as u64);
            // Those without an answer are asked again if they are still wanted.
            tallies.truncate(outcomes.len());
            for (tally, outcome) in tallies.iter_mut().zip(outcomes) {
                tally.add(outcome);
            }
            tallies.retain(|tally| {
                let answer = tally.answer(self.repeats);
                if let (Some(slot), Some(_)) = (answers.get_mut(tally.at), answer) {
                    *slot = answer;
                }
                answer.is_none()
            });
        }
    }

    /// Takes what an answer has cost from the budget, unless that would be too much.
    fn pay(&mut self, answer: Answer) -> Option<Ended> {
        if answer.paid {
            self.budget.knew();
            return None;
        }
        let over = self.budget.refuses(answer.runs);
        if over.is_none() {
            self.budget.take(answer.runs, answer.unresolved);
        }
        over
    }
}

/// The runs of one candidate.
struct Tally {
    at: usize,
    runs: u64,
    held: u32,
    unresolved: u32,
}

impl Tally {
    fn of(at: usize) -> Self {
        Tally {
            at,
            runs: 0,
            held: 0,
            unresolved: 0,
        }
    }

    fn add(&mut self, outcome: Outcome) {
        self.runs += 1;
        self.held += u32::from(outcome.holds());
        self.unresolved += u32::from(outcome == Outcome::Unresolved);
    }

    fn answer(&self, repeats: Repeats) -> Option<Answer> {
        let outcome = repeats.decide(self.held, self.unresolved, self.runs as u32)?;
        Some(Answer {
            outcome,
            runs: self.runs,
            unresolved: u64::from(self.unresolved),
            paid: false,
        })
    }
}
