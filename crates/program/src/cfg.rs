//! Control flow of one method: basic blocks, and the edges exceptions take.

use std::collections::HashMap;

use recrash_classfile::{Code, Handler, Instruction, opcode};

use crate::error::{Error, Result};
use crate::graph::Graph;

/// The most blocks a method may have; copies of subroutines count. Code has 65535 bytes.
const MOST_BLOCKS: usize = 1 << 16;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockId(pub u32);

/// The reachable part of a method's code. Block 0 is the entry: it is empty and nothing leads back to it.
///
/// Where a handler applies, a block ends after stores to local variables, and a store is never followed by something that
/// throws. So the local variables a handler sees are those its predecessor *started* with. Subroutines (`jsr`) are copied
/// for each call.
#[derive(Debug, Clone)]
pub struct Cfg<'a> {
    pub blocks: Vec<Block<'a>>,
}

#[derive(Debug, Clone)]
pub struct Block<'a> {
    pub instructions: Vec<Instruction<'a>>,
    /// As the last instruction lists its targets; what follows it comes last. Repeated where a switch repeats.
    pub successors: Vec<BlockId>,
    /// Where exceptions of this block may be caught, in the order of the exception table.
    pub handlers: Vec<Catch>,
    /// Ways in, each once.
    pub predecessors: Vec<Edge>,
}

/// A handler block and the Class entry of what it catches, 0 for everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Catch {
    pub block: BlockId,
    pub catch_type: u16,
}

/// A way into a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    pub from: BlockId,
    pub exceptional: bool,
}

impl<'a> Cfg<'a> {
    pub fn of(code: &Code<'a>) -> Result<Cfg<'a>> {
        Builder::new(code)?.build()
    }

    pub fn block(&self, id: BlockId) -> Option<&Block<'a>> {
        self.blocks.get(id.0 as usize)
    }

    pub fn ids(&self) -> impl Iterator<Item = BlockId> + use<> {
        (0..self.blocks.len() as u32).map(BlockId)
    }

    /// Blocks as nodes: successors first, handlers behind them.
    pub fn graph(&self) -> Graph {
        let edges = self.blocks.iter().map(|block| {
            let handlers = block.handlers.iter().map(|handler| handler.block.0);
            block
                .successors
                .iter()
                .map(|block| block.0)
                .chain(handlers)
                .collect()
        });
        Graph::new(edges.collect())
    }

    /// The blocks that return or throw.
    pub fn exits(&self) -> Vec<u32> {
        (0..)
            .zip(&self.blocks)
            .filter(|(_, block)| block.successors.is_empty())
            .map(|(number, _)| number)
            .collect()
    }
}

/// Whether an instruction may throw by itself (JVMS 6.5), errors of the machine not counted.
pub fn may_throw(code: u8) -> bool {
    // A constant may have to be resolved first.
    opcode::can_throw(code) || matches!(code, opcode::LDC..=opcode::LDC2_W)
}

fn is_store(code: u8) -> bool {
    matches!(code, opcode::ISTORE..=opcode::ASTORE_3 | opcode::IINC)
}

fn ends(code: u8) -> bool {
    matches!(
        code,
        opcode::RET | opcode::IRETURN..=opcode::RETURN | opcode::ATHROW
    )
}

/// Goes on with the next instruction, too.
fn falls_through(code: u8) -> bool {
    !ends(code)
        && !matches!(
            code,
            opcode::GOTO
                | opcode::JSR
                | opcode::TABLESWITCH
                | opcode::LOOKUPSWITCH
                | opcode::GOTO_W
                | opcode::JSR_W
        )
}

struct Builder<'a> {
    instructions: Vec<Instruction<'a>>,
    /// By pc: the place in `instructions`.
    places: Vec<Option<u32>>,
    /// By place: whether a block starts here.
    leaders: Vec<bool>,
    handlers: Vec<Handler>,
    blocks: Vec<Block<'a>>,
    known: HashMap<Start, BlockId>,
    pending: Vec<(Start, BlockId)>,
    /// Subroutine calls that are open: where the innermost returns to, and the context around it.
    contexts: Vec<Option<(usize, usize)>>,
}

/// A block by its first instruction and the subroutine calls around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Start {
    place: usize,
    context: usize,
}

fn bad(pc: usize) -> Error {
    Error::Class(recrash_classfile::Error::NotAnInstruction { pc })
}

impl<'a> Builder<'a> {
    fn new(code: &Code<'a>) -> Result<Builder<'a>> {
        let instructions = code
            .instructions()
            .collect::<std::result::Result<Vec<_>, _>>()?;
        let mut places = vec![None; code.bytes.len() + 1];
        for (place, instruction) in (0..).zip(&instructions) {
            if let Some(slot) = places.get_mut(instruction.pc) {
                *slot = Some(place);
            }
        }
        let mut builder = Builder {
            leaders: vec![false; instructions.len()],
            instructions,
            places,
            handlers: code.handlers().collect(),
            blocks: Vec::new(),
            known: HashMap::new(),
            pending: Vec::new(),
            contexts: vec![None],
        };
        builder.find_leaders(code.bytes.len())?;
        Ok(builder)
    }

    fn place(&self, pc: i64) -> Result<usize> {
        let found = usize::try_from(pc)
            .ok()
            .and_then(|pc| self.places.get(pc).copied().flatten());
        found
            .map(|place| place as usize)
            .ok_or_else(|| bad(pc.max(0) as usize))
    }

    fn lead(&mut self, place: usize) {
        if let Some(leader) = self.leaders.get_mut(place) {
            *leader = true;
        }
    }

    fn find_leaders(&mut self, length: usize) -> Result<()> {
        let mut guarded = vec![false; self.instructions.len()];
        for handler in self.handlers.clone() {
            let first = self.place(i64::from(handler.start))?;
            let end = if usize::from(handler.end) == length {
                self.instructions.len()
            } else {
                self.place(i64::from(handler.end))?
            };
            let target = self.place(i64::from(handler.target))?;
            for place in [first, end, target] {
                self.lead(place);
            }
            if let Some(range) = guarded.get_mut(first..end) {
                range.fill(true);
            }
        }
        for place in 0..self.instructions.len() {
            let Some(instruction) = self.instructions.get(place).copied() else {
                break;
            };
            for target in instruction.targets() {
                let target = self.place(target)?;
                self.lead(target);
            }
            let splits = instruction.is_branch()
                || ends(instruction.opcode)
                || (is_store(instruction.opcode) && guarded.get(place) == Some(&true));
            if splits {
                self.lead(place + 1);
            }
        }
        Ok(())
    }

    fn build(mut self) -> Result<Cfg<'a>> {
        self.blocks.push(Block {
            instructions: Vec::new(),
            successors: Vec::new(),
            handlers: Vec::new(),
            predecessors: Vec::new(),
        });
        let first = self.start(Start {
            place: 0,
            context: 0,
        })?;
        if let Some(entry) = self.blocks.first_mut() {
            entry.successors.push(first);
        }
        while let Some((start, id)) = self.pending.pop() {
            let block = self.fill(start)?;
            if let Some(place) = self.blocks.get_mut(id.0 as usize) {
                *place = block;
            }
        }
        self.link();
        Ok(Cfg {
            blocks: self.blocks,
        })
    }

    /// The block that starts here, made if it is new.
    fn start(&mut self, start: Start) -> Result<BlockId> {
        let Some(first) = self.instructions.get(start.place) else {
            return Err(bad(self.places.len()));
        };
        if let Some(&id) = self.known.get(&start) {
            return Ok(id);
        }
        if self.blocks.len() >= MOST_BLOCKS {
            return Err(bad(first.pc));
        }
        let id = BlockId(self.blocks.len() as u32);
        self.known.insert(start, id);
        self.pending.push((start, id));
        self.blocks.push(Block {
            instructions: Vec::new(),
            successors: Vec::new(),
            handlers: Vec::new(),
            predecessors: Vec::new(),
        });
        Ok(id)
    }

    fn fill(&mut self, start: Start) -> Result<Block<'a>> {
        let mut end = start.place + 1;
        while self.leaders.get(end) == Some(&false) {
            end += 1;
        }
        let instructions = self
            .instructions
            .get(start.place..end)
            .unwrap_or(&[])
            .to_vec();
        let Some(last) = instructions.last().copied() else {
            return Err(bad(self.places.len()));
        };
        let successors = self.successors(&last, end, start.context)?;
        let mut handlers: Vec<Catch> = Vec::new();
        if let Some(first) = instructions.first()
            && instructions
                .iter()
                .any(|instruction| may_throw(instruction.opcode))
        {
            let pc = first.pc as u16;
            for number in 0..self.handlers.len() {
                let Some(handler) = self.handlers.get(number).copied() else {
                    break;
                };
                if !(handler.start..handler.end).contains(&pc) {
                    continue;
                }
                let place = self.place(i64::from(handler.target))?;
                let block = self.start(Start {
                    place,
                    context: start.context,
                })?;
                handlers.push(Catch {
                    block,
                    catch_type: handler.catch_type,
                });
                if handler.catch_type == 0 {
                    break;
                }
            }
        }
        Ok(Block {
            instructions,
            successors,
            handlers,
            predecessors: Vec::new(),
        })
    }

    fn successors(
        &mut self,
        last: &Instruction<'a>,
        next: usize,
        context: usize,
    ) -> Result<Vec<BlockId>> {
        match last.opcode {
            opcode::JSR | opcode::JSR_W => {
                let inner = self.enter(next, context);
                let target = last.targets().next().unwrap_or(-1);
                let place = self.place(target)?;
                Ok(vec![self.start(Start {
                    place,
                    context: inner,
                })?])
            }
            opcode::RET => {
                let (place, context) = self
                    .contexts
                    .get(context)
                    .copied()
                    .flatten()
                    .ok_or_else(|| bad(last.pc))?;
                Ok(vec![self.start(Start { place, context })?])
            }
            _ => {
                let mut successors = Vec::new();
                for target in last.targets() {
                    let place = self.place(target)?;
                    successors.push(self.start(Start { place, context })?);
                }
                if falls_through(last.opcode) {
                    successors.push(self.start(Start {
                        place: next,
                        context,
                    })?);
                }
                Ok(successors)
            }
        }
    }

    fn enter(&mut self, returns_to: usize, around: usize) -> usize {
        let wanted = Some((returns_to, around));
        if let Some(known) = self.contexts.iter().position(|known| *known == wanted) {
            return known;
        }
        self.contexts.push(wanted);
        self.contexts.len() - 1
    }

    fn link(&mut self) {
        for number in 0..self.blocks.len() {
            let from = BlockId(number as u32);
            let Some(block) = self.blocks.get(number) else {
                break;
            };
            let normal = block.successors.iter().map(|&to| (to, false));
            let caught = block.handlers.iter().map(|handler| (handler.block, true));
            let ways: Vec<(BlockId, bool)> = normal.chain(caught).collect();
            for (to, exceptional) in ways {
                let edge = Edge { from, exceptional };
                if let Some(block) = self.blocks.get_mut(to.0 as usize)
                    && !block.predecessors.contains(&edge)
                {
                    block.predecessors.push(edge);
                }
            }
        }
    }
}
