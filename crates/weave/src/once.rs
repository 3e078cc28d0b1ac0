//! Where a field is noted once instead of at every write: the first note of a frame has the value that it and all frames
//! further out saw on entry, and what it writes later adds nothing.
//!
//! A field that is written in a loop is noted in front of the loop, where control comes to it from above only, or else on
//! entry; a second write that nobody can jump to without passing the first is not noted at all.

use recrash_classfile::{Code, Error, opcode};

use crate::journal::Note;

/// Notes by the pc they stand before.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Sparse {
    pub(crate) on_entry: Vec<Note>,
    /// In front of loops: what jumps back does not pass them.
    pub(crate) before_loops: Vec<(usize, Note)>,
    pub(crate) at_writes: Vec<(usize, Note)>,
}

impl Sparse {
    pub(crate) fn len(&self) -> usize {
        self.on_entry.len() + self.before_loops.len() + self.at_writes.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A backward jump, from the end of a loop to its start.
#[derive(Debug, Clone, Copy)]
struct Loop {
    start: usize,
    end: usize,
    /// Control enters it at its start, coming from the instruction above, and nowhere else.
    entered_from_above: bool,
}

/// The same, as few as needed. Notes are in the order of their pcs.
pub(crate) fn sparse(code: &Code<'_>, notes: Vec<(usize, Note)>) -> Result<Sparse, Error> {
    let mut sparse = Sparse::default();
    if notes.iter().filter(|(_, note)| stays(*note)).count() == 0 {
        sparse.at_writes = notes;
        return Ok(sparse);
    }
    let flow = Flow::read(code)?;
    let written_at = |pc: usize| notes.iter().any(|(at, _)| *at == pc);
    for &(pc, note) in notes.iter().filter(|(_, note)| stays(*note)) {
        let Some(around) = flow.outermost(pc) else {
            continue;
        };
        let place = (around.start, note);
        // Only one thing can be put in front of an instruction.
        if around.entered_from_above && around.start != 0 && !written_at(around.start) {
            if !sparse.before_loops.contains(&place) {
                sparse.before_loops.push(place);
            }
        } else if !sparse.on_entry.contains(&note) {
            sparse.on_entry.push(note);
        }
    }
    sparse
        .before_loops
        .retain(|(_, note)| !sparse.on_entry.contains(note));
    sparse.before_loops.sort_by_key(|(pc, _)| *pc);
    let mut since_target: Vec<Note> = Vec::new();
    let mut last = 0;
    for (pc, note) in notes {
        if flow.is_target_within(last + 1, pc) {
            since_target.clear();
        }
        last = pc;
        let again = since_target.contains(&note)
            || sparse.on_entry.contains(&note)
            || stays(note) && flow.outermost(pc).is_some();
        if !again {
            sparse.at_writes.push((pc, note));
        }
        if stays(note) {
            since_target.push(note);
        }
    }
    Ok(sparse)
}

/// Whether the note means the same place wherever it stands in the method.
fn stays(note: Note) -> bool {
    matches!(note, Note::Own(_) | Note::OwnStatic(_))
}

struct Flow {
    loops: Vec<Loop>,
    /// Sorted: where jumps and handlers lead.
    targets: Vec<usize>,
}

impl Flow {
    fn read(code: &Code<'_>) -> Result<Flow, Error> {
        let mut jumps: Vec<(usize, usize)> = Vec::new();
        let mut falls_into: Vec<usize> = Vec::new();
        let mut falls = true;
        for instruction in code.instructions() {
            let instruction = instruction?;
            if falls {
                falls_into.push(instruction.pc);
            }
            falls = !matches!(
                instruction.opcode,
                opcode::GOTO | opcode::GOTO_W | opcode::JSR | opcode::JSR_W | opcode::RET
                    ..=opcode::RETURN | opcode::ATHROW
            );
            if instruction.is_branch() {
                for target in instruction.targets() {
                    jumps.extend(usize::try_from(target).ok().map(|to| (instruction.pc, to)));
                }
            }
        }
        // An exception may come from anywhere in its range.
        for handler in code.handlers() {
            let to = usize::from(handler.target);
            jumps.push((usize::from(handler.start), to));
            jumps.push((usize::from(handler.end).saturating_sub(1), to));
        }
        let mut targets: Vec<usize> = jumps.iter().map(|(_, to)| *to).collect();
        targets.sort_unstable();
        targets.dedup();
        let mut loops: Vec<Loop> = jumps
            .iter()
            .filter(|(from, to)| to <= from)
            .map(|&(end, start)| Loop {
                start,
                end,
                entered_from_above: false,
            })
            .collect();
        loops.sort_by_key(|around| (around.start, std::cmp::Reverse(around.end)));
        // Loops that share code are one.
        let mut joined: Vec<Loop> = Vec::new();
        for around in loops {
            match joined.last_mut() {
                Some(last) if around.start <= last.end => last.end = last.end.max(around.end),
                _ => joined.push(around),
            }
        }
        for around in &mut joined {
            let inside = around.start..=around.end;
            let jumped_into = jumps
                .iter()
                .any(|(from, to)| inside.contains(to) && !inside.contains(from));
            around.entered_from_above =
                falls_into.binary_search(&around.start).is_ok() && !jumped_into;
        }
        Ok(Flow {
            loops: joined,
            targets,
        })
    }

    fn outermost(&self, pc: usize) -> Option<Loop> {
        let around = |one: &&Loop| (one.start..=one.end).contains(&pc);
        self.loops.iter().find(around).copied()
    }

    fn is_target_within(&self, from: usize, to: usize) -> bool {
        let first = self.targets.partition_point(|target| *target < from);
        self.targets.get(first).is_some_and(|target| *target <= to)
    }
}
