//! Summaries of all nodes of a call graph: callees first, a fixed point in each strongly connected component.

use std::collections::HashSet;
use std::sync::Arc;

use rayon::prelude::*;

use super::local::{Callee, Callees, Link, summarize};
use super::origin::{Origin, Origins};
use super::propagate::propagate;
use super::summary::{Detail, Summary};
use crate::body::Target;
use crate::call_graph::{CallGraph, Node};
use crate::graph::Graph;

/// A node that still changes after so many rounds is taken for unknown code. Sets only grow, so this ends; it is a limit
/// to how long that may take.
const MOST_ROUNDS: usize = 60;
/// Nodes that are looked at together: the later ones of a round see what the earlier ones found.
const AT_ONCE: usize = 256;
/// The largest number of parameters a method can have, for summaries of what cannot be seen.
const MOST_PARAMETERS: usize = 256;

pub(super) fn solve(graph: &CallGraph) -> Vec<Arc<Summary>> {
    let calls = graph.graph();
    let mut solver = Solver {
        graph,
        summaries: vec![Arc::default(); graph.len()],
        unknown: by_parameters(Summary::unknown),
        platform: by_parameters(Summary::platform),
        unfinished: vec![false; graph.len()],
    };
    for level in levels(&calls) {
        let (single, several): (Vec<_>, Vec<_>) = level
            .into_iter()
            .partition(|component| !is_recursive(&calls, component));
        let done: Vec<(u32, Summary)> = single
            .par_iter()
            .flatten()
            .map(|&node| (node, solver.node(node, Detail::Full).0))
            .collect();
        for (node, summary) in done {
            solver.put(node, summary);
        }
        for component in several {
            solver.component(&calls, &component);
        }
    }
    solver.summaries
}

fn by_parameters(made: fn(u16) -> Summary) -> Vec<Arc<Summary>> {
    (0..MOST_PARAMETERS as u16)
        .map(|count| Arc::new(made(count)))
        .collect()
}

fn is_recursive(calls: &Graph, component: &[u32]) -> bool {
    match component {
        [only] => calls.successors(*only).contains(only),
        _ => true,
    }
}

/// Components in groups that do not depend on each other, callees first.
fn levels(calls: &Graph) -> Vec<Vec<Vec<u32>>> {
    let mut level_of = vec![0_usize; calls.len()];
    let mut levels: Vec<Vec<Vec<u32>>> = Vec::new();
    for component in calls.components() {
        let inside: HashSet<u32> = component.iter().copied().collect();
        let level = component
            .iter()
            .flat_map(|&node| calls.successors(node))
            .filter(|callee| !inside.contains(callee))
            .filter_map(|&callee| level_of.get(callee as usize))
            .map(|level| level + 1)
            .max()
            .unwrap_or(0);
        for &node in &component {
            if let Some(place) = level_of.get_mut(node as usize) {
                *place = level;
            }
        }
        if levels.len() <= level {
            levels.resize(level + 1, Vec::new());
        }
        if let Some(list) = levels.get_mut(level) {
            list.push(component);
        }
    }
    levels
}

struct Solver<'g> {
    graph: &'g CallGraph,
    summaries: Vec<Arc<Summary>>,
    /// By number of parameters.
    unknown: Vec<Arc<Summary>>,
    platform: Vec<Arc<Summary>>,
    /// By node: whether it is in the component that is being worked on.
    unfinished: Vec<bool>,
}

impl Callees for Solver<'_> {
    fn callee(&self, target: Target, arguments: usize) -> Option<Callee> {
        let finished = |summary: &Arc<Summary>| Callee {
            summary: Arc::clone(summary),
            unfinished: None,
        };
        let node = match target {
            Target::Exactly(method) => self.graph.node(method)?,
            Target::Virtual(dispatch) => self.graph.dispatch(dispatch)?,
            Target::Unknown => return self.unknown.get(arguments).map(finished),
            Target::Platform => return self.platform.get(arguments).map(finished),
        };
        let place = node.0 as usize;
        Some(Callee {
            summary: self.summaries.get(place).cloned()?,
            unfinished: (self.unfinished.get(place) == Some(&true)).then_some(node.0),
        })
    }
}

impl Solver<'_> {
    fn put(&mut self, node: u32, summary: Summary) {
        if let Some(place) = self.summaries.get_mut(node as usize) {
            *place = Arc::new(summary);
        }
    }

    fn node(&self, number: u32, detail: Detail) -> (Summary, Vec<Link>) {
        match self.graph.nodes.get(number as usize) {
            Some(node) => match &node.body {
                Some(body) => summarize(body, self, detail),
                None => self.any_of(node, detail),
            },
            None => (Summary::default(), Vec::new()),
        }
    }

    /// A virtual call may be any of what it leads to.
    fn any_of(&self, node: &Node, detail: Detail) -> (Summary, Vec<Link>) {
        let mut summary = Summary::default();
        let mut links = Vec::new();
        for callee in &node.callees {
            let Some(known) = self.summaries.get(callee.0 as usize) else {
                continue;
            };
            if self.unfinished.get(callee.0 as usize) == Some(&true) {
                summary.merge_references(known);
                links.push(Link {
                    callee: callee.0,
                    then_throws: false,
                    arguments: (0..node.parameters)
                        .map(|parameter| Origins::one(Origin::Deep(parameter)))
                        .collect(),
                });
            } else if detail == Detail::References {
                summary.merge_references(known);
            } else {
                summary.merge(known);
            }
        }
        let unseen = node
            .unseen
            .and_then(|target| self.callee(target, node.parameters.into()));
        if let Some(unseen) = unseen {
            summary.merge(&unseen.summary);
        }
        summary.limit(detail);
        (summary, links)
    }

    fn component(&mut self, calls: &Graph, component: &[u32]) {
        let inside: HashSet<u32> = component.iter().copied().collect();
        for &node in component {
            if let Some(place) = self.unfinished.get_mut(node as usize) {
                *place = true;
            }
        }
        self.references(calls, component, &inside);
        let made: Vec<(u32, (Summary, Vec<Link>))> = component
            .par_iter()
            .map(|&node| (node, self.node(node, Detail::Coarse)))
            .collect();
        for (node, summary) in propagate(made) {
            self.put(node, summary);
        }
        for &node in component {
            if let Some(place) = self.unfinished.get_mut(node as usize) {
                *place = false;
            }
        }
    }

    /// Where references go, as a fixed point. In a component it is enough to know it by parameter.
    fn references(&mut self, calls: &Graph, component: &[u32], inside: &HashSet<u32>) {
        let callers = callers_inside(calls, inside);
        // Tarjan closes callees first: few nodes have to be looked at again.
        let mut dirty: Vec<u32> = component.to_vec();
        for round in 0.. {
            if dirty.is_empty() || round >= MOST_ROUNDS {
                break;
            }
            let mut next = HashSet::new();
            for part in dirty.chunks(AT_ONCE) {
                let changed: Vec<(u32, Summary)> = part
                    .par_iter()
                    .filter_map(|&node| {
                        let (new, _) = self.node(node, Detail::References);
                        let known = self.summaries.get(node as usize)?;
                        let mut joined = Summary::clone(known);
                        joined.merge_references(&new).then_some((node, joined))
                    })
                    .collect();
                for (node, summary) in changed {
                    self.put(node, summary);
                    next.extend(callers.get(node as usize).into_iter().flatten().copied());
                }
            }
            dirty.retain(|node| next.remove(node));
            dirty.extend(next);
        }
        if !dirty.is_empty() {
            self.give_up(component);
        }
    }

    /// References may go from everywhere to everywhere.
    fn give_up(&mut self, component: &[u32]) {
        for &node in component {
            let parameters = self
                .graph
                .nodes
                .get(node as usize)
                .map_or(0, |node| node.parameters);
            let mut summary = Summary::default();
            summary.merge_references(&Summary::unknown(parameters));
            self.put(node, summary);
        }
    }
}

/// By node: who calls it, within a component.
fn callers_inside(calls: &Graph, inside: &HashSet<u32>) -> Vec<Vec<u32>> {
    let mut callers = vec![Vec::new(); calls.len()];
    for &node in inside {
        for &callee in calls.successors(node) {
            if inside.contains(&callee)
                && let Some(list) = callers.get_mut(callee as usize)
            {
                list.push(node);
            }
        }
    }
    callers
}
