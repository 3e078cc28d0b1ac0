//! Whether a frame has to remember how far the journal was when it was entered (see `write.rs`), and where it asks.
//!
//! It has to where something can fail after a write: what is there is no longer what the method was given then. A call may
//! write, which counts for whatever comes after it but not for the call itself: what fails in there has frames that know
//! their own places, and at the entry of the first of them everything was as this method found it. Getters, setters and
//! methods that do no more than call another one need no mark then, and they are what programs call most.
//!
//! Where it has to, it asks as late as it can: right before the first write or call, not on ways that come to none.

use recrash_classfile::{Error, Instruction, MemberRef, opcode};

use crate::find::flow::{Flow, falls_through};
use crate::find::jdk::{Calling, calling};
use crate::find::method::Method;
use crate::journal::note::{Note, Sparse};

/// Where the place in the journal is asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Mark {
    #[default]
    Needless,
    OnEntry,
    /// In front of this instruction, which every way to a write passes, and passes once.
    Before(usize),
}

/// What is known of a method's writes when its mark is placed.
pub(crate) struct Writes<'w> {
    pub(crate) notes: &'w Sparse,
    /// Stores that cannot fail: into `this` or into objects that are new. In order.
    pub(crate) safe: &'w [usize],
    /// Calls that take notes before they do what may fail. In order.
    pub(crate) detours: &'w [usize],
}

impl Mark {
    pub(crate) fn place(
        method: &Method<'_>,
        flow: &Flow,
        writes: &Writes<'_>,
    ) -> Result<Mark, Error> {
        let mut steps = Vec::with_capacity(method.scan.instructions);
        let mut before = opcode::NOP;
        for instruction in method.code.instructions() {
            let instruction = instruction?;
            if matches!(instruction.opcode, opcode::JSR | opcode::JSR_W) {
                // Where a subroutine goes on is not for this to find out.
                return Ok(Mark::OnEntry);
            }
            steps.push(Step::of(method, instruction, before, writes)?);
            before = instruction.opcode;
        }
        let changing: Vec<usize> = steps
            .iter()
            .filter(|step| step.changes)
            .map(Step::pc)
            .collect();
        let noted_on_entry = !writes.notes.on_entry.is_empty();
        if !fails_after_change(method, flow, &steps, noted_on_entry, &changing) {
            return Ok(Mark::Needless);
        }
        let latest = match (noted_on_entry, changing.first(), changing.last()) {
            (false, Some(&first), Some(&last)) => latest(flow, &steps, first, last),
            _ => None,
        };
        Ok(latest.map_or(Mark::OnEntry, Mark::Before))
    }
}

/// An instruction as far as it matters here.
struct Step<'a> {
    instruction: Instruction<'a>,
    /// It writes, or calls what may write.
    changes: bool,
    can_fail: bool,
    /// It can fail in the middle of its own changes, where no other frame knows its place.
    fails_within: bool,
}

impl<'a> Step<'a> {
    fn of(
        method: &Method<'_>,
        instruction: Instruction<'a>,
        before: u8,
        writes: &Writes<'_>,
    ) -> Result<Step<'a>, Error> {
        let pc = instruction.pc;
        let stands_here = |notes: &[(usize, Note)]| notes.iter().any(|(at, _)| *at == pc);
        let calling = match instruction.opcode {
            opcode::INVOKEVIRTUAL..=opcode::INVOKEINTERFACE => {
                let called: MemberRef<'_> = method.class.pool.member(instruction.index())?;
                calling(&called)
            }
            opcode::INVOKEDYNAMIC => Calling::Program,
            _ => Calling::Nothing,
        };
        let notes = writes.notes;
        let writes_here = stands_here(&notes.at_writes) || stands_here(&notes.before_loops);
        let receiver = method.has_receiver
            && before == opcode::ALOAD_0
            && method.inputs.first().is_some_and(|this| this.intact);
        let can_fail = match instruction.opcode {
            opcode::GETFIELD => !receiver,
            opcode::PUTFIELD => writes.safe.binary_search(&pc).is_err(),
            // Linkage and memory aside.
            opcode::GETSTATIC | opcode::PUTSTATIC | opcode::NEW | opcode::INSTANCEOF => false,
            other => opcode::can_throw(other),
        };
        Ok(Step {
            instruction,
            changes: writes_here || calling != Calling::Nothing,
            can_fail,
            fails_within: calling == Calling::Bulk || writes.detours.binary_search(&pc).is_ok(),
        })
    }

    fn pc(&self) -> usize {
        self.instruction.pc
    }

    /// It ends a straight line.
    fn splits(&self) -> bool {
        self.instruction.is_branch() || !self.falls_through()
    }

    fn falls_through(&self) -> bool {
        falls_through(self.instruction.opcode)
    }
}

/// Whether some way through the method leads from a change to something that can fail.
fn fails_after_change(
    method: &Method<'_>,
    flow: &Flow,
    steps: &[Step<'_>],
    changed_on_entry: bool,
    changing: &[usize],
) -> bool {
    let change_within = |from: usize, to: usize| {
        let first = changing.partition_point(|pc| *pc < from);
        changing.get(first).is_some_and(|pc| *pc <= to)
    };
    // Where a jump from below a change leads.
    let mut changed_at: Vec<usize> = Vec::new();
    for handler in method.code.handlers() {
        if changed_on_entry || change_within(0, usize::from(handler.end)) {
            changed_at.push(usize::from(handler.target));
        }
    }
    for &(start, end) in &flow.loops {
        if change_within(start, end) {
            changed_at.push(start);
        }
    }
    let mut changed = changed_on_entry;
    for step in steps {
        changed |= changed_at.contains(&step.pc());
        if step.fails_within || changed && step.can_fail {
            return true;
        }
        changed |= step.changes;
        if step.splits() && changed {
            let from_here = flow.jumps.iter().filter(|(from, _)| *from == step.pc());
            changed_at.extend(from_here.map(|(_, to)| *to));
        }
        changed &= step.falls_through();
    }
    false
}

/// The last instruction that every way to the first change passes, and passes once; `None` for the very first, or one that
/// nothing can turn off before.
fn latest(flow: &Flow, steps: &[Step<'_>], first: usize, last: usize) -> Option<usize> {
    let passed_once = |place: usize| {
        flow.jumps.iter().all(|&(from, to)| {
            let over = from < place && place < to && to <= last;
            let back = from >= place && to <= place;
            let around = from > last && place < to && to <= last;
            !over && !back && !around
        })
    };
    let above = steps.partition_point(|step| step.pc() <= first);
    let above = steps.get(..above)?;
    let place = above.iter().rposition(|step| passed_once(step.pc()))?;
    let (before, rest) = above.split_at(place);
    let saves = before.iter().any(Step::splits);
    saves.then(|| rest.first().map(Step::pc)).flatten()
}
