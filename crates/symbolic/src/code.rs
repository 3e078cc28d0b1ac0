//! Methods as the walk sees them: SSA, dominators, and what lies between a place where ways meet and where they parted.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use recrash_program::{
    BlockId, Dominators, Edge, End, Graph, MethodId, Op, Program, Ssa, SsaBlock, Type, Value,
    ValueId,
};

use crate::subclasses::{Subclasses, subclasses};
use crate::term::Kind;

pub(crate) struct Code {
    pub(crate) method: MethodId,
    pub(crate) ssa: Ssa,
    dominators: Dominators,
    /// By block: how far from the entry.
    distance: Vec<u32>,
    instructions: usize,
}

/// The methods looked at so far.
pub(crate) struct Codes<'p> {
    pub(crate) program: &'p Program,
    known: RefCell<HashMap<MethodId, Option<Rc<Code>>>>,
    subclasses: OnceCell<Subclasses>,
}

impl<'p> Codes<'p> {
    pub(crate) fn new(program: &'p Program) -> Codes<'p> {
        Codes {
            program,
            known: RefCell::default(),
            subclasses: OnceCell::new(),
        }
    }

    /// Who extends whom, found out when first asked.
    pub(crate) fn subclasses(&self) -> &Subclasses {
        self.subclasses.get_or_init(|| subclasses(self.program))
    }

    /// The code of a method; `None` if it has none or cannot be read.
    pub(crate) fn of(&self, method: MethodId) -> Option<Rc<Code>> {
        if let Some(known) = self.known.borrow().get(&method) {
            return known.clone();
        }
        let ssa = Ssa::of(self.program, method).ok().flatten();
        let code = ssa.map(|ssa| Rc::new(Code::new(method, ssa)));
        self.known.borrow_mut().insert(method, code.clone());
        code
    }
}

impl Code {
    fn new(method: MethodId, ssa: Ssa) -> Code {
        let edges = ssa.blocks.iter().map(|block| {
            let handlers = block.handlers.iter().map(|(block, _)| block.0);
            let successors = block.successors.iter().map(|block| block.0);
            successors.chain(handlers).collect()
        });
        let graph = Graph::new(edges.collect());
        let dominators = Dominators::of(&graph, 0);
        let mut distance = vec![u32::MAX; ssa.blocks.len()];
        let mut queue = std::collections::VecDeque::from([(0_u32, 0_u32)]);
        while let Some((block, steps)) = queue.pop_front() {
            match distance.get_mut(block as usize) {
                Some(known) if *known > steps => *known = steps,
                _ => continue,
            }
            let next = graph.successors(block).iter();
            queue.extend(next.map(|&block| (block, steps + 1)));
        }
        Code {
            method,
            dominators,
            distance,
            instructions: ssa.blocks.iter().map(|it| it.instructions.len()).sum(),
            ssa,
        }
    }

    /// How many instructions the method has: what it costs to look into it.
    pub(crate) fn len(&self) -> usize {
        self.instructions
    }

    pub(crate) fn block(&self, id: BlockId) -> Option<&SsaBlock> {
        self.ssa.block(id)
    }

    pub(crate) fn value(&self, id: ValueId) -> Option<&Value> {
        self.ssa.value(id)
    }

    pub(crate) fn kind(&self, program: &Program, id: ValueId) -> Kind {
        let ty = self.ssa.value(id).map_or(Type::Int, |value| value.ty);
        Kind::of_type(program, ty)
    }

    pub(crate) fn dominator(&self, block: BlockId) -> Option<BlockId> {
        self.dominators.immediate(block.0).map(BlockId)
    }

    /// The ways into a block, the shortest from the entry first, each with its place among the operands of phis.
    pub(crate) fn ways(&self, block: BlockId) -> Vec<(usize, Edge)> {
        let predecessors = self.block(block).map(|it| it.predecessors.clone());
        let mut ways: Vec<(usize, Edge)> = predecessors
            .unwrap_or_default()
            .into_iter()
            .enumerate()
            .collect();
        // What comes back to here from a loop is the longer way.
        ways.sort_by_key(|(_, edge)| {
            let back = self.dominators.dominates(block.0, edge.from.0);
            let steps = self.distance.get(edge.from.0 as usize).copied();
            (edge.exceptional, back, steps.unwrap_or(u32::MAX))
        });
        ways
    }

    /// The blocks on the ways from `top` to `bottom`, without these two.
    pub(crate) fn between(&self, top: BlockId, bottom: BlockId) -> BTreeSet<BlockId> {
        let mut found = BTreeSet::new();
        let mut stack = vec![bottom];
        while let Some(block) = stack.pop() {
            for edge in self.block(block).iter().flat_map(|it| &it.predecessors) {
                if edge.from != top && found.insert(edge.from) {
                    stack.push(edge.from);
                }
            }
        }
        found.remove(&bottom);
        found
    }

    /// The blocks in which the method returns, with what.
    pub(crate) fn returns(&self) -> Vec<(BlockId, Option<ValueId>)> {
        (0..)
            .zip(&self.ssa.blocks)
            .filter_map(|(number, block)| match block.end {
                End::Return(value) => Some((BlockId(number), value)),
                _ => None,
            })
            .collect()
    }

    /// Every value with its block and its place in it.
    pub(crate) fn places(&self) -> impl Iterator<Item = (BlockId, usize, ValueId, &Value)> {
        (0..)
            .zip(&self.ssa.blocks)
            .flat_map(move |(number, block)| {
                block
                    .instructions
                    .iter()
                    .enumerate()
                    .filter_map(move |(place, &id)| {
                        Some((BlockId(number), place, id, self.ssa.value(id)?))
                    })
            })
    }

    pub(crate) fn arguments(&self, call: ValueId) -> &[ValueId] {
        match self.ssa.value(call).map(|value| &value.op) {
            Some(Op::Invoke { arguments, .. } | Op::InvokeDynamic { arguments, .. }) => arguments,
            _ => &[],
        }
    }
}
