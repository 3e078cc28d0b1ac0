//! From blocks of byte code to SSA: blocks in an order in which values are there before they are used, phis where ways meet.

use recrash_classfile::{ClassFile, MethodType, access};

use super::liveness::Liveness;
use super::phis;
use super::translate::{State, Translator};
use super::{Op, Ssa, SsaBlock, Type, ValueId};
use crate::cfg::{BlockId, Cfg, Edge};
use crate::error::{Error, Result};
use crate::ids::MethodId;
use crate::program::Program;

pub(super) fn build(
    program: &Program,
    file: &ClassFile<'_>,
    method: MethodId,
) -> Result<Option<Ssa>> {
    let Some(member) = file.methods.get(usize::from(method.index)) else {
        return Ok(None);
    };
    let named = |defect: recrash_classfile::Error| {
        let name = recrash_classfile::text(member.name);
        Error::Class(defect.in_member(&file.binary_name(), &name))
    };
    let Some(code) = file.code(member).map_err(named)? else {
        return Ok(None);
    };
    let cfg = Cfg::of(&code).map_err(|defect| match defect {
        Error::Class(defect) => named(defect),
        other => other,
    })?;
    let live = Liveness::of(&cfg, code.max_locals);
    let mut builder = Builder {
        translator: Translator::new(program, file, empty_blocks(program, file, &cfg)?),
        cfg: &cfg,
        live,
        starts: vec![None; cfg.blocks.len()],
        ends: vec![None; cfg.blocks.len()],
        open: Vec::new(),
    };
    let receiver = (member.access & access::STATIC == 0).then_some(Type::Reference(method.class));
    let types = MethodType::read(member.descriptor).map_err(named)?;
    let parameters = receiver.into_iter().chain(
        types
            .parameters
            .iter()
            .map(|parameter| Type::of(program, parameter.descriptor)),
    );
    let entry = builder.parameters(parameters, usize::from(code.max_locals));
    builder.blocks(&entry).map_err(|pc| {
        named(recrash_classfile::Error::BadInstruction {
            pc: usize::from(pc),
        })
    })?;
    let mut ssa = builder.translator.ssa;
    phis::simplify(&mut ssa);
    phis::type_all(&mut ssa, program);
    Ok(Some(ssa))
}

struct Builder<'a, 'f> {
    translator: Translator<'a>,
    cfg: &'a Cfg<'f>,
    live: Liveness,
    /// What each block starts and ends with, once it was translated.
    starts: Vec<Option<State>>,
    ends: Vec<Option<State>>,
    /// Phis that wait for their operands.
    open: Vec<Waiting>,
}

struct Waiting {
    phi: ValueId,
    block: BlockId,
    slot: Slot,
}

#[derive(Clone, Copy)]
enum Slot {
    Local(usize),
    Stack(usize),
}

/// What a way into a block brings for a slot.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Brought {
    /// Its block is not translated yet.
    NotYet,
    Nothing,
    Value(ValueId),
}

/// The pc at which code does what no verifier accepts.
type Broken = u16;

impl Builder<'_, '_> {
    fn parameters(&mut self, types: impl Iterator<Item = Type>, locals: usize) -> State {
        let mut state = State {
            locals: vec![None; locals],
            stack: Vec::new(),
        };
        let mut local = 0;
        for (number, ty) in (0..).zip(types) {
            let value = self
                .translator
                .emit_at(BlockId(0), 0, Op::Parameter(number), ty);
            if let Some(place) = state.locals.get_mut(local) {
                *place = Some(value);
            }
            local += if ty.is_wide() { 2 } else { 1 };
        }
        state
    }

    fn blocks(&mut self, entry: &State) -> std::result::Result<(), Broken> {
        for number in self.cfg.graph().reverse_post_order(0) {
            let id = BlockId(number);
            let Some(block) = self.cfg.block(id) else {
                continue;
            };
            let state = if number == 0 {
                entry.clone()
            } else {
                self.start(id, &block.predecessors)?
            };
            put(&mut self.starts, id, state.clone());
            let end = self.translator.block(id, block, state)?;
            put(&mut self.ends, id, end);
        }
        for waiting in std::mem::take(&mut self.open) {
            let Some(block) = self.cfg.block(waiting.block) else {
                continue;
            };
            let pc = block
                .instructions
                .first()
                .map_or(0, |first| first.pc as u16);
            let operands = block
                .predecessors
                .iter()
                .map(|edge| match self.operand(*edge, waiting.slot) {
                    Brought::Value(value) => Ok(value),
                    Brought::Nothing | Brought::NotYet => Err(pc),
                })
                .collect::<std::result::Result<Vec<_>, _>>()?;
            if let Some(value) = self.translator.ssa.values.get_mut(waiting.phi.0 as usize) {
                value.op = Op::Phi(operands);
            }
        }
        Ok(())
    }

    /// The value a way brings.
    fn operand(&self, edge: Edge, slot: Slot) -> Brought {
        let states = if edge.exceptional {
            &self.starts
        } else {
            &self.ends
        };
        let Some(Some(state)) = states.get(edge.from.0 as usize) else {
            return Brought::NotYet;
        };
        let value = match slot {
            Slot::Local(local) => state.locals.get(local).copied().flatten(),
            Slot::Stack(place) => state.stack.get(place).copied(),
        };
        value.map_or(Brought::Nothing, Brought::Value)
    }

    fn start(&mut self, id: BlockId, edges: &[Edge]) -> std::result::Result<State, Broken> {
        let locals = self.starts.first().and_then(Option::as_ref);
        let locals = locals.map_or(0, |state| state.locals.len());
        let mut state = State {
            locals: Vec::with_capacity(locals),
            stack: Vec::new(),
        };
        for local in 0..locals {
            let value = if self.live.is_live(id, local as u16) {
                self.meet(id, edges, Slot::Local(local))
            } else {
                None
            };
            state.locals.push(value);
        }
        let is_handler = edges.iter().any(|edge| edge.exceptional);
        if is_handler {
            // Normal flow into a handler, which compilers do not write, brings an exception of its own.
            let caught = self.translator.caught(id);
            state.stack.push(caught);
            return Ok(state);
        }
        let depth = edges.iter().find_map(|edge| {
            let state = self.ends.get(edge.from.0 as usize)?.as_ref()?;
            Some(state.stack.len())
        });
        for place in 0..depth.unwrap_or(0) {
            let value = self.meet(id, edges, Slot::Stack(place));
            let pc = self
                .cfg
                .block(id)
                .and_then(|block| block.instructions.first())
                .map_or(0, |first| first.pc as u16);
            state.stack.push(value.ok_or(pc)?);
        }
        Ok(state)
    }

    /// One value if all ways are known to bring the same, else a phi.
    fn meet(&mut self, id: BlockId, edges: &[Edge], slot: Slot) -> Option<ValueId> {
        let known: Vec<Brought> = edges.iter().map(|edge| self.operand(*edge, slot)).collect();
        let first = known.iter().find_map(|brought| match brought {
            Brought::Value(value) => Some(*value),
            Brought::Nothing | Brought::NotYet => None,
        })?;
        if known
            .iter()
            .all(|brought| *brought == Brought::Value(first))
        {
            return Some(first);
        }
        let ty = self.translator.type_of(first);
        let phi = self.translator.phi(id, ty);
        self.open.push(Waiting {
            phi,
            block: id,
            slot,
        });
        Some(phi)
    }
}

fn put<T>(list: &mut [Option<T>], id: BlockId, value: T) {
    if let Some(place) = list.get_mut(id.0 as usize) {
        *place = Some(value);
    }
}

/// The blocks of an SSA form before anything is in them.
fn empty_blocks(program: &Program, file: &ClassFile<'_>, cfg: &Cfg<'_>) -> Result<Vec<SsaBlock>> {
    cfg.blocks
        .iter()
        .map(|block| {
            let handlers = block
                .handlers
                .iter()
                .map(|handler| {
                    let class = match handler.catch_type {
                        0 => None,
                        index => Some(program.class_id(file.pool.class_name(index)?)),
                    };
                    Ok((handler.block, class))
                })
                .collect::<Result<Vec<_>>>()?;
            Ok(SsaBlock {
                phis: Vec::new(),
                instructions: Vec::new(),
                end: super::End::Jump,
                successors: block.successors.clone(),
                handlers,
                predecessors: block.predecessors.clone(),
            })
        })
        .collect()
}
