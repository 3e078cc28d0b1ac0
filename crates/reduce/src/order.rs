//! Which groups of items are tried, one after the other.

use std::collections::VecDeque;

use crate::ddmin::Ddmin;
use crate::kept::Kept;
use crate::plan::Plan;

/// How large the groups of the next round are, in thousandths: 1 - 1/e, the factor that the probabilities lead to.
const FALL: usize = 632;

/// An order in which groups of items are tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Order {
    /// Groups of one size, at first of `largest` items, that get smaller from round to round. Each item that is left was tried on
    /// its own. Probabilistic delta debugging keeps for each item a chance that it is needed, and tries the set whose
    /// removal gains most on average; counting how often an item was tried gives the same sets without the arithmetic (Zhang
    /// et al., "Toward a Better Understanding of Probabilistic Delta Debugging", ICSE 2025).
    Counters { largest: usize },
    /// All at once, else each half, those of the larger parts first. Good where what is needed lies together, and where the
    /// budget may end it: what is found early is large.
    Halving,
    /// Parts, then what is left without each part, then smaller parts (Zeller and Hildebrandt, "Simplifying and Isolating
    /// Failure-Inducing Input", 2002, section 3). What is left is 1-minimal.
    Ddmin,
    /// Level by level, each by counters: those near the root come first and take along what hangs on them. Items in no level stay.
    Levels(Vec<Vec<usize>>),
}

impl Order {
    /// Whether nothing that is left can go by itself, whatever the trial is like.
    pub(crate) fn is_minimal(&self) -> bool {
        matches!(self, Order::Ddmin)
    }

    pub(crate) fn plan(&self, kept: &Kept) -> Box<dyn Plan> {
        match self {
            Order::Counters { largest } => {
                Box::new(Counters::new(&kept.iter().collect::<Vec<_>>(), *largest))
            }
            Order::Halving => Box::new(Halving::new(kept.iter().collect())),
            Order::Ddmin => Box::new(Ddmin::new(kept)),
            Order::Levels(levels) => Box::new(Levels {
                now: Counters::new(&[], usize::MAX),
                next: levels.iter().cloned().collect(),
            }),
        }
    }
}

/// Groups in a row, of which the first were offered.
#[derive(Debug, Default)]
pub(crate) struct Row {
    offered: VecDeque<Vec<usize>>,
    waiting: VecDeque<Vec<usize>>,
}

impl Row {
    pub(crate) fn new(groups: impl IntoIterator<Item = Vec<usize>>) -> Self {
        Row {
            offered: VecDeque::new(),
            waiting: groups.into_iter().collect(),
        }
    }

    pub(crate) fn ahead(&mut self, kept: &Kept, most: usize) -> Vec<Vec<usize>> {
        while self.offered.len() < most.max(1)
            && let Some(mut group) = self.waiting.pop_front()
        {
            group.retain(|item| kept.contains(*item));
            if !group.is_empty() {
                self.offered.push_back(group);
            }
        }
        let offered = self.offered.iter().take(most.max(1));
        offered.cloned().collect()
    }

    /// The group that stays, if it does.
    pub(crate) fn told(&mut self, went: bool) -> Option<Vec<usize>> {
        let first = self.offered.pop_front();
        if !went {
            return first;
        }
        // Some of these may have gone along.
        while let Some(last) = self.offered.pop_back() {
            self.waiting.push_front(last);
        }
        None
    }

    pub(crate) fn push(&mut self, group: Vec<usize>) {
        self.waiting.push_back(group);
    }
}

struct Counters {
    row: Row,
    /// How large the groups of this round are.
    size: usize,
    stay: Vec<usize>,
}

impl Counters {
    fn new(items: &[usize], largest: usize) -> Self {
        let size = items.len().min(largest);
        Counters {
            row: groups(items, size),
            size,
            stay: Vec::new(),
        }
    }
}

fn groups(items: &[usize], size: usize) -> Row {
    Row::new(items.chunks(size.max(1)).map(<[usize]>::to_vec))
}

impl Plan for Counters {
    fn ahead(&mut self, kept: &Kept, most: usize) -> Vec<Vec<usize>> {
        loop {
            let ahead = self.row.ahead(kept, most);
            if !ahead.is_empty() || self.size <= 1 {
                return ahead;
            }
            let mut left = std::mem::take(&mut self.stay);
            left.retain(|item| kept.contains(*item));
            self.size = (self.size.min(left.len()) * FALL / 1000).max(1);
            self.row = groups(&left, self.size);
        }
    }

    fn told(&mut self, went: bool) {
        self.stay.extend(self.row.told(went).into_iter().flatten());
    }
}

struct Halving {
    row: Row,
}

impl Halving {
    fn new(items: Vec<usize>) -> Self {
        Halving {
            row: Row::new([items]),
        }
    }
}

impl Plan for Halving {
    fn ahead(&mut self, kept: &Kept, most: usize) -> Vec<Vec<usize>> {
        self.row.ahead(kept, most)
    }

    fn told(&mut self, went: bool) {
        if let Some(part) = self.row.told(went).filter(|part| part.len() > 1) {
            let (one, other) = part.split_at(part.len() / 2);
            self.row.push(one.to_vec());
            self.row.push(other.to_vec());
        }
    }
}

struct Levels {
    now: Counters,
    next: VecDeque<Vec<usize>>,
}

impl Plan for Levels {
    fn ahead(&mut self, kept: &Kept, most: usize) -> Vec<Vec<usize>> {
        loop {
            let ahead = self.now.ahead(kept, most);
            if !ahead.is_empty() {
                return ahead;
            }
            let Some(mut level) = self.next.pop_front() else {
                return ahead;
            };
            level.retain(|item| kept.contains(*item));
            self.now = Counters::new(&level, usize::MAX);
        }
    }

    fn told(&mut self, went: bool) {
        self.now.told(went);
    }
}

/// Groups that somebody has a reason to try before all others: the first that can go is the only one.
pub(crate) struct Guesses {
    row: Row,
}

impl Guesses {
    pub(crate) fn new(groups: Vec<Vec<usize>>) -> Self {
        Guesses {
            row: Row::new(groups),
        }
    }
}

impl Plan for Guesses {
    fn ahead(&mut self, kept: &Kept, most: usize) -> Vec<Vec<usize>> {
        self.row.ahead(kept, most)
    }

    fn told(&mut self, went: bool) {
        self.row.told(went);
        if went {
            self.row = Row::default();
        }
    }
}
