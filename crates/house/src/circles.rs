//! Circles in a directed graph.

use std::collections::{BTreeMap, BTreeSet};

pub(crate) type Graph = BTreeMap<String, BTreeSet<String>>;

/// The sets of nodes that all lead to each other, of two and more.
pub(crate) fn circles(graph: &Graph) -> Vec<BTreeSet<String>> {
    let reached: BTreeMap<&String, BTreeSet<&String>> = graph
        .keys()
        .map(|from| (from, reach(graph, from)))
        .collect();
    let mut found: Vec<BTreeSet<String>> = Vec::new();
    for (from, to) in &reached {
        let back = |other: &&&String| reached.get(**other).is_some_and(|back| back.contains(from));
        let circle: BTreeSet<String> = to
            .iter()
            .filter(back)
            .map(|node| (**node).clone())
            .collect();
        if circle.len() > 1 && !found.contains(&circle) {
            found.push(circle);
        }
    }
    found
}

fn reach<'g>(graph: &'g Graph, from: &'g String) -> BTreeSet<&'g String> {
    let mut seen = BTreeSet::new();
    let mut waiting = vec![from];
    while let Some(node) = waiting.pop() {
        for next in graph.get(node).into_iter().flatten() {
            if seen.insert(next) {
                waiting.push(next);
            }
        }
    }
    seen
}
