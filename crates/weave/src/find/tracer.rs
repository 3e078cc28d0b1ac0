//! Where references on the operand stack come from, as far as a single forward pass can tell.
//!
//! The pass follows the code in the order of the file and carries the stack along forward branches. What it cannot tell
//! is [`Origin::Other`]; callers must be content with that.

use recrash_classfile::{Error, Instruction, MemberRef, Parameters, opcode};

use crate::find::effect::EFFECTS;
use crate::find::heights::Heights;
use crate::find::method::Method;
use crate::find::origin::{Origin, Origins, OwnCall, Store, Write};

/// Writes and calls of a method; of calls, those of the Methodrefs in `followed`.
pub(crate) fn trace(
    method: &Method<'_>,
    followed: &[u16],
    heights: &mut Heights,
) -> Result<Origins, Error> {
    let mut tracer = Tracer {
        method,
        followed,
        heights,
        slots: origins_of_slots(method),
        stack: Vec::with_capacity(usize::from(method.code.max_stack)),
        found: Origins::default(),
        stores: None,
    };
    tracer.run()?;
    Ok(tracer.found)
}

/// Every [`Store`], in the order of the file.
///
/// A local variable is taken for a fresh object when nothing else is ever stored in it; that is assumed first and refuted
/// by passing again.
pub(crate) fn trace_stores(
    method: &Method<'_>,
    heights: &mut Heights,
) -> Result<Vec<Store>, Error> {
    let mut slots = origins_of_slots(method);
    slots.resize(usize::from(method.code.max_locals), Origin::Fresh);
    loop {
        let mut tracer = Tracer {
            method,
            followed: &[],
            heights: &mut *heights,
            slots: slots.clone(),
            stack: Vec::with_capacity(usize::from(method.code.max_stack)),
            found: Origins::default(),
            stores: Some(Vec::new()),
        };
        tracer.run()?;
        if tracer.slots == slots {
            return Ok(tracer.stores.unwrap_or_default());
        }
        slots = tracer.slots;
    }
}

impl Tracer<'_, '_> {
    fn run(&mut self) -> Result<(), Error> {
        let (method, tracer) = (self.method, self);
        let mut waiting: Vec<(i64, Vec<Origin>)> = Vec::new();
        for instruction in method.code.instructions() {
            let instruction = instruction?;
            if !waiting.is_empty() {
                meet(&mut tracer.stack, &mut waiting, instruction.pc as i64);
            }
            tracer.step(&instruction)?;
            if instruction.is_branch() {
                tracer.found.first_branch.get_or_insert(instruction.pc);
                for target in instruction.targets() {
                    match usize::try_from(target) {
                        Ok(target) if target <= instruction.pc => {
                            tracer.found.loops.push((instruction.pc, target));
                        }
                        _ if tracer.stack.is_empty() => {}
                        _ => carry(&tracer.stack, &mut waiting, target),
                    }
                }
            }
            if matches!(
                instruction.opcode,
                opcode::GOTO | opcode::RET..=opcode::RETURN | opcode::ATHROW | opcode::GOTO_W
            ) {
                tracer.stack.clear();
            }
        }
        Ok(())
    }
}

/// What loading each of the first locals gives: inputs, as long as nothing else is ever stored there.
fn origins_of_slots(method: &Method<'_>) -> Vec<Origin> {
    let mut slots = vec![Origin::Other; usize::from(method.input_slots)];
    for (number, input) in method.inputs.iter().enumerate() {
        if let (false, Some(slot)) = (
            method.scan.written.contains(input.slot),
            slots.get_mut(usize::from(input.slot)),
        ) {
            *slot = Origin::Input(number as u16);
        }
    }
    slots
}

/// Remembers the stack for the target of a branch, joined with what other branches bring there.
fn carry(stack: &[Origin], waiting: &mut Vec<(i64, Vec<Origin>)>, target: i64) {
    match waiting.iter_mut().find(|(pc, _)| *pc == target) {
        Some((_, carried)) => join(carried, stack),
        None => waiting.push((target, stack.to_vec())),
    }
}

/// Joins what falls through with what was carried here by branches.
fn meet(stack: &mut Vec<Origin>, waiting: &mut Vec<(i64, Vec<Origin>)>, pc: i64) {
    if let Some(at) = waiting.iter().position(|(target, _)| *target == pc) {
        let (_, mut carried) = waiting.swap_remove(at);
        // After a jump nothing falls through.
        if !stack.is_empty() {
            join(&mut carried, stack);
        }
        *stack = carried;
    }
}

/// Keeps only what both sides agree on.
fn join(here: &mut [Origin], there: &[Origin]) {
    for (place, origin) in here.iter_mut().enumerate() {
        if there.get(place) != Some(origin) {
            *origin = Origin::Other;
        }
    }
}

fn pop(stack: &mut Vec<Origin>, slots: usize) {
    stack.truncate(stack.len().saturating_sub(slots));
}

fn push(stack: &mut Vec<Origin>, slots: usize) {
    for _ in 0..slots {
        stack.push(Origin::Other);
    }
}

/// The value that lies under `above` other slots.
fn peek(stack: &[Origin], above: usize) -> Origin {
    stack
        .len()
        .checked_sub(above + 1)
        .and_then(|at| stack.get(at))
        .copied()
        .unwrap_or(Origin::Other)
}

/// The pass itself.
struct Tracer<'t, 'a> {
    method: &'t Method<'a>,
    /// Methodrefs whose calls are of interest.
    followed: &'t [u16],
    heights: &'t mut Heights,
    slots: Vec<Origin>,
    stack: Vec<Origin>,
    found: Origins,
    /// Where they are asked for.
    stores: Option<Vec<Store>>,
}

impl Tracer<'_, '_> {
    fn step(&mut self, instruction: &Instruction<'_>) -> Result<(), Error> {
        let pool = &self.method.class.pool;
        match instruction.opcode {
            opcode::ALOAD | opcode::ALOAD_0..=opcode::ALOAD_3 => {
                let slot = usize::from(instruction.local().unwrap_or(u16::MAX));
                self.stack
                    .push(self.slots.get(slot).copied().unwrap_or(Origin::Other));
            }
            opcode::GETSTATIC => {
                self.found.last_throw = instruction.pc;
                let (_, value) = self.heights.of(instruction.index(), pool)?;
                push(&mut self.stack, value);
            }
            opcode::PUTSTATIC => {
                self.found.last_throw = instruction.pc;
                self.note_store(instruction, Origin::Other);
                let (_, value) = self.heights.of(instruction.index(), pool)?;
                pop(&mut self.stack, value);
            }
            opcode::GETFIELD => {
                self.found
                    .note_throw(instruction.pc, peek(&self.stack, 0), self.method);
                let (_, value) = self.heights.of(instruction.index(), pool)?;
                pop(&mut self.stack, 1);
                push(&mut self.stack, value);
            }
            opcode::PUTFIELD => self.write(instruction)?,
            opcode::INVOKEVIRTUAL..=opcode::INVOKEDYNAMIC => self.call(instruction)?,
            opcode::LDC | opcode::LDC_W => push(&mut self.stack, 1),
            opcode::MULTIANEWARRAY => {
                self.found.last_throw = instruction.pc;
                pop(
                    &mut self.stack,
                    instruction.bytes.get(3).copied().unwrap_or(1).into(),
                );
                push(&mut self.stack, 1);
            }
            opcode::POP..=opcode::SWAP => shuffle(instruction.opcode, &mut self.stack),
            _ if self.stores.is_some() && self.step_stores(instruction) => {}
            other => {
                if opcode::can_throw(other) {
                    self.found.last_throw = instruction.pc;
                }
                let (popped, pushed) = EFFECTS.get(usize::from(other)).copied().unwrap_or((0, 0));
                pop(&mut self.stack, usize::from(popped));
                push(&mut self.stack, usize::from(pushed));
            }
        }
        Ok(())
    }

    /// What matters only to [`trace_stores`]; false for everything else.
    fn step_stores(&mut self, instruction: &Instruction<'_>) -> bool {
        match instruction.opcode {
            opcode::NEW => self.stack.push(Origin::Fresh),
            opcode::NEWARRAY | opcode::ANEWARRAY => {
                pop(&mut self.stack, 1);
                self.stack.push(Origin::Fresh);
            }
            // The same object as before, but of another type: `this` cannot be loaded in its place.
            opcode::CHECKCAST => {
                if let Some(top) = self.stack.last_mut()
                    && *top != Origin::Fresh
                {
                    *top = Origin::Other;
                }
            }
            opcode::ASTORE | opcode::ASTORE_0..=opcode::ASTORE_3 => {
                let slot = usize::from(instruction.local().unwrap_or(u16::MAX));
                let stored = peek(&self.stack, 0);
                if let Some(origin) = self.slots.get_mut(slot)
                    && *origin != stored
                {
                    *origin = Origin::Other;
                }
                pop(&mut self.stack, 1);
            }
            opcode::IASTORE..=opcode::SASTORE => {
                let value = match instruction.opcode {
                    opcode::LASTORE | opcode::DASTORE => 2,
                    _ => 1,
                };
                self.note_store(instruction, peek(&self.stack, value + 1));
                pop(&mut self.stack, value + 2);
            }
            _ => return false,
        }
        true
    }

    fn note_store(&mut self, instruction: &Instruction<'_>, origin: Origin) {
        if let Some(stores) = &mut self.stores {
            stores.push(Store {
                pc: instruction.pc,
                opcode: instruction.opcode,
                index: instruction.index(),
                origin,
            });
        }
    }

    fn write(&mut self, instruction: &Instruction<'_>) -> Result<(), Error> {
        let (_, value) = self
            .heights
            .of(instruction.index(), &self.method.class.pool)?;
        let origin = peek(&self.stack, value);
        self.note_store(instruction, origin);
        let write = Write::new(origin, instruction.index(), instruction.pc);
        if !self.found.writes.iter().any(|w| w.is_same_place(&write)) {
            self.found.writes.push(write);
        }
        self.found.note_throw(instruction.pc, origin, self.method);
        pop(&mut self.stack, value + 1);
        Ok(())
    }

    fn call(&mut self, instruction: &Instruction<'_>) -> Result<(), Error> {
        let pool = &self.method.class.pool;
        let (arguments, result) = self.heights.of(instruction.index(), pool)?;
        self.found.last_throw = instruction.pc;
        if instruction.opcode == opcode::INVOKESPECIAL
            && peek(&self.stack, arguments) == Origin::Input(0)
            && pool.name_of(instruction.index())? == b"<init>"
        {
            self.found.super_calls.push(instruction.pc);
        }
        let has_receiver = !matches!(
            instruction.opcode,
            opcode::INVOKESTATIC | opcode::INVOKEDYNAMIC
        );
        let taken = arguments + usize::from(has_receiver);
        if self.followed.contains(&instruction.index()) {
            self.own_call(instruction, has_receiver, taken)?;
        }
        let mut makes_result = false;
        if self.stores.is_some() && instruction.opcode != opcode::INVOKEDYNAMIC {
            let called = pool.member(instruction.index())?;
            if is_arraycopy(&called) {
                self.note_store(instruction, peek(&self.stack, 2));
            }
            makes_result = result == 1 && makes_its_result(&called);
        }
        pop(&mut self.stack, taken);
        if makes_result {
            self.stack.push(Origin::Fresh);
            return Ok(());
        }
        push(&mut self.stack, result);
        Ok(())
    }

    fn own_call(
        &mut self,
        instruction: &Instruction<'_>,
        has_receiver: bool,
        taken: usize,
    ) -> Result<(), Error> {
        let index = instruction.index();
        let given = self
            .stack
            .get(self.stack.len().saturating_sub(taken)..)
            .unwrap_or(&[]);
        if !given
            .iter()
            .any(|origin| matches!(origin, Origin::Input(_)))
        {
            return Ok(());
        }
        let descriptor = self.method.class.pool.descriptor_of(index)?;
        let receiver = has_receiver.then_some(Ok(1));
        let parameters = Parameters::of(descriptor)
            .map(|parameter| parameter.map(|parameter| parameter.kind().slots()));
        let (mut slot, mut passed) = (0, Vec::new());
        for (callee, width) in receiver.into_iter().chain(parameters).enumerate() {
            if let Some(&Origin::Input(caller)) = given.get(slot) {
                passed.push((callee as u16, caller));
            }
            slot += usize::from(width?);
        }
        let pc = instruction.pc;
        self.found.calls.push(OwnCall { index, pc, passed });
        Ok(())
    }
}

pub(crate) fn is_arraycopy(called: &MemberRef<'_>) -> bool {
    called.class == b"java/lang/System" && called.name == b"arraycopy"
}

/// Calls whose result is an array that nobody else has.
fn makes_its_result(called: &MemberRef<'_>) -> bool {
    match called.class {
        [b'[', ..] => called.name == b"clone",
        b"java/util/Arrays" => called.name.starts_with(b"copyOf"),
        b"java/lang/reflect/Array" => called.name == b"newInstance",
        b"java/lang/String" => matches!(called.name, b"toCharArray" | b"getBytes"),
        _ => false,
    }
}

/// pop, pop2, the dup family and swap, slot by slot.
fn shuffle(opcode: u8, stack: &mut Vec<Origin>) {
    let top = |stack: &[Origin], above| peek(stack, above);
    let (a, b, c, d) = (top(stack, 0), top(stack, 1), top(stack, 2), top(stack, 3));
    // What is taken off, and what is put back, lowest first.
    let (popped, pushed): (usize, &[Origin]) = match opcode {
        opcode::POP => (1, &[]),
        opcode::DUP => (1, &[a, a]),
        opcode::DUP_X1 => (2, &[a, b, a]),
        opcode::DUP_X2 => (3, &[a, c, b, a]),
        opcode::DUP2 => (2, &[b, a, b, a]),
        opcode::DUP2_X1 => (3, &[b, a, c, b, a]),
        opcode::DUP2_X2 => (4, &[b, a, d, c, b, a]),
        opcode::SWAP => (2, &[a, b]),
        // pop2
        _ => (2, &[]),
    };
    pop(stack, popped);
    stack.extend_from_slice(pushed);
}
