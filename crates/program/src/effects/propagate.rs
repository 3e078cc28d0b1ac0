//! What the nodes of one component write, each with all it calls.
//!
//! What is written below a parameter flows from callee to caller along the arguments of calls. These ways form a graph of
//! (node, parameter) pairs; pairs that reach each other have the same sets, so one walk over its components, callees first,
//! is enough.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::local::Link;
use super::origin::Origin;
use super::summary::{Summary, Written, extend};
use crate::graph::Graph;
use crate::slots::SlotSet;

/// All objects there are, as a pair of its own.
const ANYWHERE: u32 = 0;

pub(super) fn propagate(made: Vec<(u32, (Summary, Vec<Link>))>) -> Vec<(u32, Summary)> {
    let flow = Flow::of(&made);
    let (all, before) = flow.solve();
    // Every node calls every other, if not at once: what they read and write anywhere is the same.
    let written = |pair: u32| Written {
        all: all.get(pair as usize).cloned().unwrap_or_default(),
        before_throw: before.get(pair as usize).cloned().unwrap_or_default(),
    };
    let anywhere = written(ANYWHERE);
    let mut reads = Arc::default();
    let mut initializes = false;
    for (_, (summary, _)) in &made {
        extend(&mut reads, &summary.reads);
        initializes |= summary.initializes;
    }
    made.into_iter()
        .enumerate()
        .map(|(place, (node, (mut summary, _)))| {
            let pairs = flow.pairs.get(place).into_iter().flatten();
            summary.deep = pairs
                .map(|(&parameter, &pair)| (parameter, written(pair)))
                .filter(|(_, written)| !written.all.is_empty())
                .collect();
            summary.anywhere = anywhere.clone();
            summary.reads = Arc::clone(&reads);
            summary.initializes = initializes;
            (node, summary)
        })
        .collect()
}

/// Pairs, what each writes on its own, and from which callee's pairs it gets more.
struct Flow {
    /// By node: the pair of each parameter.
    pairs: Vec<BTreeMap<u16, u32>>,
    own: Vec<Written>,
    /// By pair: where from, and whether a throw may follow.
    from: Vec<Vec<(u32, bool)>>,
    /// Exact places of a callee are told to callers below its parameters only: by pair, what they add.
    places: Vec<Written>,
}

impl Flow {
    fn of(made: &[(u32, (Summary, Vec<Link>))]) -> Flow {
        let place: HashMap<u32, usize> = made
            .iter()
            .enumerate()
            .map(|(place, (node, _))| (*node, place))
            .collect();
        let mut flow = Flow {
            pairs: vec![BTreeMap::new(); made.len()],
            own: vec![Written::default()],
            from: vec![Vec::new()],
            places: vec![Written::default()],
        };
        for (number, (_, (summary, _))) in made.iter().enumerate() {
            if let Some(anywhere) = flow.own.first_mut() {
                anywhere.extend(&summary.anywhere, false);
            }
            for (&parameter, written) in &summary.deep {
                let pair = flow.pair(number, parameter);
                if let Some(own) = flow.own.get_mut(pair as usize) {
                    own.extend(written, false);
                }
            }
            for (&(path, slot), &then_throws) in &summary.places {
                let pair = flow.pair(number, path.parameter);
                if let Some(places) = flow.places.get_mut(pair as usize) {
                    places.insert(slot, then_throws);
                }
            }
        }
        for (caller, (_, (_, links))) in made.iter().enumerate() {
            for link in links {
                let Some(&callee) = place.get(&link.callee) else {
                    continue;
                };
                flow.flow(ANYWHERE, ANYWHERE, link.then_throws);
                for (parameter, origins) in (0..).zip(&link.arguments) {
                    let source = flow.pair(callee, parameter);
                    for origin in origins.iter() {
                        let target = match origin.deepened() {
                            Origin::Deep(root) => flow.pair(caller, root),
                            Origin::Anywhere => ANYWHERE,
                            Origin::Fresh(_) | Origin::Path(_) => continue,
                        };
                        flow.flow(target, source, link.then_throws);
                    }
                }
            }
        }
        flow
    }

    fn pair(&mut self, place: usize, parameter: u16) -> u32 {
        let next = self.own.len() as u32;
        let Some(pairs) = self.pairs.get_mut(place) else {
            return ANYWHERE;
        };
        let pair = *pairs.entry(parameter).or_insert(next);
        if pair == next {
            self.own.push(Written::default());
            self.places.push(Written::default());
            self.from.push(Vec::new());
        }
        pair
    }

    fn flow(&mut self, to: u32, from: u32, then_throws: bool) {
        if let Some(list) = self.from.get_mut(to as usize)
            && !list.contains(&(from, then_throws))
        {
            list.push((from, then_throws));
        }
    }

    /// By pair: what is written, and what of it before a throw.
    fn solve(&self) -> (Vec<Arc<SlotSet>>, Vec<Arc<SlotSet>>) {
        let edges = self
            .from
            .iter()
            .map(|from| from.iter().map(|(pair, _)| *pair).collect());
        let components = Graph::new(edges.collect()).components();
        let all = self.walk(&components, |written| &written.all, None);
        let before = self.walk(&components, |written| &written.before_throw, Some(&all));
        (all, before)
    }

    /// Sets of all pairs. Where a throw may follow, what the source writes at all (`later`) counts.
    fn walk(
        &self,
        components: &[Vec<u32>],
        part: fn(&Written) -> &Arc<SlotSet>,
        later: Option<&[Arc<SlotSet>]>,
    ) -> Vec<Arc<SlotSet>> {
        let mut sets: Vec<Arc<SlotSet>> = vec![Arc::default(); self.own.len()];
        for component in components {
            let mut set = Arc::default();
            for &pair in component {
                if let Some(own) = self.own.get(pair as usize) {
                    extend(&mut set, part(own));
                }
                for &(from, then_throws) in self.from.get(pair as usize).into_iter().flatten() {
                    let from = from as usize;
                    let (Some(known), Some(places)) = (sets.get(from), self.places.get(from))
                    else {
                        continue;
                    };
                    extend(&mut set, known);
                    extend(&mut set, part(places));
                    if let Some(later) = later.filter(|_| then_throws).and_then(|all| all.get(from))
                    {
                        extend(&mut set, later);
                        extend(&mut set, &places.all);
                    }
                }
            }
            for &pair in component {
                if let Some(place) = sets.get_mut(pair as usize) {
                    *place = Arc::clone(&set);
                }
            }
        }
        sets
    }
}
