//! The delta debugging algorithm as it was published: the measure for the others.

use crate::kept::Kept;
use crate::plan::Plan;

/// Where `ddmin` is in its round over the parts of what is left.
pub(crate) struct Ddmin {
    items: Vec<usize>,
    /// Into how many parts the items are divided.
    parts: usize,
    /// The next trial of this round: first each part alone, then the rest without each part.
    at: usize,
    /// The items have changed, and this is how many parts there shall be.
    anew: Option<usize>,
}

impl Ddmin {
    pub(crate) fn new(kept: &Kept) -> Self {
        Ddmin {
            items: Vec::new(),
            parts: 2,
            at: 0,
            anew: (!kept.is_empty()).then_some(2),
        }
    }

    /// Begins the next round when this one is over; whether there is one.
    fn turn(&mut self, kept: &Kept) -> bool {
        if let Some(parts) = self.anew.take() {
            self.items = kept.iter().collect();
            self.parts = parts.min(self.items.len());
            self.at = 0;
        }
        if self.at == 2 * self.parts {
            if self.parts >= self.items.len() {
                return false;
            }
            self.parts = (2 * self.parts).min(self.items.len());
            self.at = 0;
        }
        self.parts > 0
    }

    /// What goes in the given trial of this round.
    fn going(&self, at: usize) -> Vec<usize> {
        let part = at % self.parts.max(1);
        let bound = |part: usize| self.items.len() * part / self.parts.max(1);
        let is_in = |at: usize| (bound(part)..bound(part + 1)).contains(&at);
        let alone = at < self.parts;
        let items = self.items.iter().enumerate();
        items
            .filter(|(at, _)| is_in(*at) != alone)
            .map(|(_, item)| *item)
            .collect()
    }
}

impl Plan for Ddmin {
    fn ahead(&mut self, kept: &Kept, most: usize) -> Vec<Vec<usize>> {
        if !self.turn(kept) {
            return Vec::new();
        }
        // One item alone: the part alone is what there is, and without it nothing.
        if self.parts == 1 {
            self.at = self.at.max(1);
        }
        let last = (self.at + most.max(1)).min(2 * self.parts);
        (self.at..last).map(|at| self.going(at)).collect()
    }

    fn told(&mut self, went: bool) {
        if !went {
            self.at += 1;
        } else if self.at < self.parts {
            self.anew = Some(2);
        } else {
            self.anew = Some((self.parts - 1).max(2));
        }
    }
}
