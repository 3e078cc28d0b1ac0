//! Directed graphs of small numbers, their orders, dominators and strongly connected components.

/// Edges by node. Node 0 is the entry where there is one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Graph {
    successors: Vec<Vec<u32>>,
}

impl Graph {
    pub fn new(successors: Vec<Vec<u32>>) -> Graph {
        Graph { successors }
    }

    pub fn len(&self) -> usize {
        self.successors.len()
    }

    pub fn is_empty(&self) -> bool {
        self.successors.is_empty()
    }

    pub fn successors(&self, node: u32) -> &[u32] {
        self.successors
            .get(node as usize)
            .map_or(&[], Vec::as_slice)
    }

    #[must_use]
    pub fn reversed(&self) -> Graph {
        let mut reversed = vec![Vec::new(); self.len()];
        for (node, successors) in (0..).zip(&self.successors) {
            for &successor in successors {
                if let Some(list) = reversed.get_mut(successor as usize) {
                    list.push(node);
                }
            }
        }
        Graph::new(reversed)
    }

    /// The nodes that can be reached from `entry`, each before its successors but for the edges of loops.
    pub fn reverse_post_order(&self, entry: u32) -> Vec<u32> {
        let mut order = Vec::with_capacity(self.len());
        let mut seen = vec![false; self.len()];
        let mut stack = vec![(entry, 0)];
        mark(&mut seen, entry);
        while let Some((node, next)) = stack.last_mut() {
            if let Some(&successor) = self.successors(*node).get(*next) {
                *next += 1;
                if mark(&mut seen, successor) {
                    stack.push((successor, 0));
                }
            } else {
                order.push(*node);
                stack.pop();
            }
        }
        order.reverse();
        order
    }

    /// Strongly connected components (Tarjan), callees before callers: a component comes after all it leads to.
    pub fn components(&self) -> Vec<Vec<u32>> {
        const NEW: u32 = u32::MAX;
        let mut index = vec![NEW; self.len()];
        let mut low = vec![0_u32; self.len()];
        let mut open = vec![false; self.len()];
        let mut path: Vec<u32> = Vec::new();
        let mut components = Vec::new();
        let mut count = 0;
        let at = |list: &[u32], node: u32| list.get(node as usize).copied().unwrap_or(NEW);
        for root in 0..self.len() as u32 {
            if at(&index, root) != NEW {
                continue;
            }
            let mut stack = vec![(root, 0)];
            while let Some((node, next)) = stack.last_mut() {
                let node = *node;
                if *next == 0 {
                    put(&mut index, node, count);
                    put(&mut low, node, count);
                    put(&mut open, node, true);
                    path.push(node);
                    count += 1;
                }
                if let Some(&successor) = self.successors(node).get(*next) {
                    *next += 1;
                    if at(&index, successor) == NEW {
                        stack.push((successor, 0));
                    } else if open.get(successor as usize) == Some(&true) {
                        let lowest = at(&low, node).min(at(&index, successor));
                        put(&mut low, node, lowest);
                    }
                    continue;
                }
                stack.pop();
                if let Some(&(parent, _)) = stack.last() {
                    let lowest = at(&low, parent).min(at(&low, node));
                    put(&mut low, parent, lowest);
                }
                if at(&low, node) == at(&index, node) {
                    let mut component = Vec::new();
                    while let Some(member) = path.pop() {
                        put(&mut open, member, false);
                        component.push(member);
                        if member == node {
                            break;
                        }
                    }
                    components.push(component);
                }
            }
        }
        components
    }
}

fn put<T>(list: &mut [T], node: u32, value: T) {
    if let Some(place) = list.get_mut(node as usize) {
        *place = value;
    }
}

/// Whether it was not marked before.
fn mark(seen: &mut [bool], node: u32) -> bool {
    seen.get_mut(node as usize)
        .is_some_and(|seen| !std::mem::replace(seen, true))
}

/// Who must be passed on the way from the entry (Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dominators {
    entry: u32,
    /// Of the nodes that can be reached; the entry's is itself.
    immediate: Vec<Option<u32>>,
    /// Position in reverse post-order.
    position: Vec<u32>,
}

impl Dominators {
    pub fn of(graph: &Graph, entry: u32) -> Dominators {
        let order = graph.reverse_post_order(entry);
        let mut position = vec![u32::MAX; graph.len()];
        for (place, &node) in (0..).zip(&order) {
            put(&mut position, node, place);
        }
        let mut dominators = Dominators {
            entry,
            immediate: vec![None; graph.len()],
            position,
        };
        put(&mut dominators.immediate, entry, Some(entry));
        let predecessors = graph.reversed();
        let mut changed = true;
        while changed {
            changed = false;
            for &node in order.iter().skip(1) {
                let new = predecessors
                    .successors(node)
                    .iter()
                    .copied()
                    .filter(|&before| dominators.raw(before).is_some())
                    .reduce(|one, other| dominators.meet(one, other));
                if dominators.raw(node) != new {
                    put(&mut dominators.immediate, node, new);
                    changed = true;
                }
            }
        }
        dominators
    }

    fn raw(&self, node: u32) -> Option<u32> {
        self.immediate.get(node as usize).copied().flatten()
    }

    fn meet(&self, mut one: u32, mut other: u32) -> u32 {
        let position = |node: u32| self.position.get(node as usize).copied().unwrap_or(0);
        while one != other {
            while position(one) > position(other) {
                one = self.raw(one).unwrap_or(self.entry);
            }
            while position(other) > position(one) {
                other = self.raw(other).unwrap_or(self.entry);
            }
        }
        one
    }

    /// The last node that every way to `node` passes; `None` for the entry and what cannot be reached.
    pub fn immediate(&self, node: u32) -> Option<u32> {
        self.raw(node).filter(|_| node != self.entry)
    }

    /// Whether every way to `node` passes `above`; a node dominates itself.
    pub fn dominates(&self, above: u32, node: u32) -> bool {
        let mut next = self.raw(node).map(|_| node);
        while let Some(node) = next {
            if node == above {
                return true;
            }
            next = self.immediate(node);
        }
        false
    }

    /// Where the nodes that each node dominates end: the places that need a phi for a value defined there.
    pub fn frontiers(&self, graph: &Graph) -> Vec<Vec<u32>> {
        let mut frontiers = vec![Vec::new(); graph.len()];
        let predecessors = graph.reversed();
        for node in 0..graph.len() as u32 {
            let before = predecessors.successors(node);
            let joins = before.len() >= 2 || node == self.entry;
            if !joins || self.raw(node).is_none() {
                continue;
            }
            for &start in before {
                let mut runner = Some(start).filter(|&start| self.raw(start).is_some());
                while let Some(at) = runner.filter(|&at| Some(at) != self.immediate(node)) {
                    if let Some(list) = frontiers.get_mut(at as usize)
                        && !list.contains(&node)
                    {
                        list.push(node);
                    }
                    runner = self.immediate(at);
                }
            }
        }
        frontiers
    }
}

/// Which branches decide whether a node runs (Ferrante, Ottenstein, Warren).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ControlDependence {
    /// By node: the branch and the successor it has to take, as an index into its successors.
    on: Vec<Vec<(u32, u32)>>,
}

impl ControlDependence {
    /// `exits` are the nodes at which the program leaves the graph.
    pub fn of(graph: &Graph, exits: &[u32]) -> ControlDependence {
        let exit = graph.len() as u32;
        let mut successors: Vec<Vec<u32>> = (0..exit)
            .map(|node| graph.successors(node).to_vec())
            .collect();
        successors.push(Vec::new());
        for &node in exits {
            if let Some(list) = successors.get_mut(node as usize) {
                list.push(exit);
            }
        }
        let after = loop {
            let reversed = Graph::new(successors.clone()).reversed();
            let after = Dominators::of(&reversed, exit);
            // A loop without an end gets one, so that every node has a way out.
            let Some(stuck) = (0..exit).rev().find(|&node| after.raw(node).is_none()) else {
                break after;
            };
            if let Some(list) = successors.get_mut(stuck as usize) {
                list.push(exit);
            }
        };
        let mut on = vec![Vec::new(); graph.len()];
        for node in 0..exit {
            for (choice, &successor) in (0..).zip(graph.successors(node)) {
                let mut runner = successor;
                while Some(runner) != after.immediate(node) && runner != exit {
                    if let Some(list) = on.get_mut(runner as usize) {
                        list.push((node, choice));
                    }
                    let Some(next) = after.immediate(runner) else {
                        break;
                    };
                    runner = next;
                }
            }
        }
        ControlDependence { on }
    }

    /// The branches, each with the index of the successor that leads to `node`.
    pub fn of_node(&self, node: u32) -> &[(u32, u32)] {
        self.on.get(node as usize).map_or(&[], Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn graphs() -> impl Strategy<Value = Graph> {
        (1_u32..14).prop_flat_map(|size| {
            let edges = prop::collection::vec(0..size, 0..4);
            prop::collection::vec(edges, size as usize).prop_map(Graph::new)
        })
    }

    /// What can be reached from `entry` when `without` is taken out.
    fn reached(graph: &Graph, entry: u32, without: Option<u32>) -> Vec<bool> {
        let mut seen = vec![false; graph.len()];
        let mut stack = vec![entry];
        while let Some(node) = stack.pop() {
            if Some(node) != without && mark(&mut seen, node) {
                stack.extend(graph.successors(node));
            }
        }
        seen
    }

    proptest! {
        #[test]
        fn a_node_dominates_what_cannot_be_reached_without_it(graph in graphs()) {
            let dominators = Dominators::of(&graph, 0);
            let all = reached(&graph, 0, None);
            for above in 0..graph.len() as u32 {
                let without = reached(&graph, 0, Some(above));
                for node in 0..graph.len() as u32 {
                    let expected = all[node as usize] && !without[node as usize];
                    prop_assert_eq!(dominators.dominates(above, node), expected);
                }
            }
        }

        #[test]
        fn a_frontier_is_where_dominance_ends(graph in graphs()) {
            let dominators = Dominators::of(&graph, 0);
            let frontiers = dominators.frontiers(&graph);
            let predecessors = graph.reversed();
            for above in 0..graph.len() as u32 {
                for node in 0..graph.len() as u32 {
                    let of_a_predecessor = predecessors
                        .successors(node)
                        .iter()
                        .any(|&before| dominators.dominates(above, before));
                    let strictly = above != node && dominators.dominates(above, node);
                    prop_assert_eq!(
                        frontiers[above as usize].contains(&node),
                        of_a_predecessor && !strictly
                    );
                }
            }
        }

        #[test]
        fn components_are_the_nodes_that_reach_each_other_callees_first(graph in graphs()) {
            let components = graph.components();
            let mut place = vec![usize::MAX; graph.len()];
            for (number, component) in components.iter().enumerate() {
                for &node in component {
                    prop_assert_eq!(place[node as usize], usize::MAX);
                    place[node as usize] = number;
                }
            }
            for one in 0..graph.len() as u32 {
                let from = reached(&graph, one, None);
                for other in 0..graph.len() as u32 {
                    let back = reached(&graph, other, None)[one as usize];
                    let together = from[other as usize] && back;
                    prop_assert_eq!(place[one as usize] == place[other as usize], together);
                    if from[other as usize] {
                        prop_assert!(place[other as usize] <= place[one as usize]);
                    }
                }
            }
        }

        #[test]
        fn a_branch_decides_over_a_node_that_one_of_its_ways_can_avoid(graph in graphs()) {
            let exits: Vec<u32> = (0..graph.len() as u32)
                .filter(|&node| graph.successors(node).is_empty())
                .collect();
            // The naive notion needs a way out from everywhere.
            let back = graph.reversed();
            let ends: Vec<bool> = exits.iter().fold(vec![false; graph.len()], |mut ends, &exit| {
                for (end, found) in ends.iter_mut().zip(reached(&back, exit, None)) {
                    *end |= found;
                }
                ends
            });
            prop_assume!(ends.iter().all(|&ends| ends));
            let dependence = ControlDependence::of(&graph, &exits);
            // Every way from `from` to an exit passes `node`.
            let certain = |from: u32, node: u32| {
                let seen = reached(&graph, from, Some(node));
                !exits.iter().any(|&exit| seen[exit as usize])
            };
            for branch in 0..graph.len() as u32 {
                for node in 0..graph.len() as u32 {
                    for (choice, &successor) in (0..).zip(graph.successors(branch)) {
                        let strictly = branch != node && certain(branch, node);
                        let expected = certain(successor, node) && !strictly;
                        prop_assert_eq!(
                            dependence.of_node(node).contains(&(branch, choice)),
                            expected
                        );
                    }
                }
            }
        }
    }
}
