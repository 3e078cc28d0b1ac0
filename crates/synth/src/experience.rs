//! What the programs so far taught: which calls work, and how the values were made that calls gave.

use std::collections::HashMap;
use std::sync::Arc;

use recrash_program::MethodId;

use crate::random::Random;
use crate::runner::Ran;
use crate::sequence::{Sequence, Statement};

/// Ways remembered for each call; a shorter one takes the place of a longer.
const MOST_WAYS: usize = 6;

#[derive(Debug, Default)]
pub(crate) struct Experience {
    calls: HashMap<MethodId, Tally>,
}

#[derive(Debug, Default)]
struct Tally {
    worked: u32,
    failed: u32,
    /// Programs that end with the call, which gave a value.
    ways: Vec<Arc<Sequence>>,
}

impl Experience {
    pub(crate) fn learn(&mut self, sequence: &Sequence, ran: &Ran) {
        // The last call is what is searched for: that it fails is wanted.
        let last = sequence.statements.len().saturating_sub(1);
        for (at, statement) in sequence.statements.iter().enumerate().take(last) {
            let Statement::Call { callable, .. } = statement else {
                continue;
            };
            if at > ran.statement {
                return;
            }
            let tally = self.calls.entry(callable.method).or_default();
            if at == ran.statement {
                tally.failed += 1;
                return;
            }
            if !callable.result.starts_with('L') {
                tally.worked += 1;
            } else if ran.gave.get(at) == Some(&true) {
                tally.worked += 1;
                tally.remember(sequence, at);
            } else {
                // Nobody who wants a value is helped by null.
                tally.failed += 1;
            }
        }
    }

    /// How often the call went well, of those who tried; new ones are trusted.
    pub(crate) fn trust(&self, method: MethodId) -> f64 {
        self.calls.get(&method).map_or(1.0, |tally| {
            f64::from(tally.worked + 2) / f64::from(tally.worked + tally.failed + 2)
        })
    }

    /// A program that ends with the call and gave a value.
    pub(crate) fn way(&self, method: MethodId, random: &mut Random) -> Option<Arc<Sequence>> {
        random.choose(&self.calls.get(&method)?.ways).cloned()
    }
}

impl Tally {
    fn remember(&mut self, sequence: &Sequence, at: usize) {
        let full = self.ways.len() >= MOST_WAYS;
        // Most have been seen before: look at them closely only now and then.
        if full && !self.worked.is_power_of_two() {
            return;
        }
        let way = sequence.up_to(at);
        if self.ways.iter().any(|known| **known == way) {
            return;
        }
        if !full {
            self.ways.push(Arc::new(way));
            return;
        }
        let longest = self
            .ways
            .iter_mut()
            .max_by_key(|known| known.statements.len());
        if let Some(longest) = longest.filter(|known| known.statements.len() > way.statements.len())
        {
            *longest = Arc::new(way);
        }
    }
}
