//! Jumps and loops of a method, as its code has them.

use recrash_classfile::{Code, Error, opcode};

/// A backward jump, from the end of a loop to its start.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Loop {
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Control enters it at its start, coming from the instruction above, and nowhere else.
    pub(crate) entered_from_above: bool,
}

/// Where control can go in a method other than to the next instruction.
pub(crate) struct Flow {
    /// From where to where, handlers included.
    pub(crate) jumps: Vec<(usize, usize)>,
    /// Where loops start and end, apart from each other: those that share code are one.
    pub(crate) loops: Vec<(usize, usize)>,
    /// One for each start, the widest first.
    nested: Vec<Loop>,
    /// Sorted: where jumps and handlers lead.
    targets: Vec<usize>,
    /// Sorted: where control comes from the instruction above.
    falls_into: Vec<usize>,
}

impl Flow {
    pub(crate) fn read(code: &Code<'_>) -> Result<Flow, Error> {
        let mut jumps: Vec<(usize, usize)> = Vec::new();
        let mut falls_into: Vec<usize> = Vec::new();
        let mut falls = true;
        for instruction in code.instructions() {
            let instruction = instruction?;
            if falls {
                falls_into.push(instruction.pc);
            }
            falls = falls_through(instruction.opcode);
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
        let mut nested: Vec<Loop> = jumps
            .iter()
            .filter(|(from, to)| to <= from)
            .map(|&(end, start)| Loop {
                start,
                end,
                entered_from_above: false,
            })
            .collect();
        nested.sort_by_key(|around| (around.start, std::cmp::Reverse(around.end)));
        nested.dedup_by_key(|around| around.start);
        let mut loops: Vec<(usize, usize)> = Vec::new();
        for around in &nested {
            match loops.last_mut() {
                Some((_, end)) if around.start <= *end => *end = (*end).max(around.end),
                _ => loops.push((around.start, around.end)),
            }
        }
        for around in &mut nested {
            let inside = around.start..=around.end;
            let jumped_into = jumps
                .iter()
                .any(|(from, to)| inside.contains(to) && !inside.contains(from));
            around.entered_from_above =
                falls_into.binary_search(&around.start).is_ok() && !jumped_into;
        }
        nested.sort_by_key(|around| std::cmp::Reverse(around.end - around.start));
        Ok(Flow {
            jumps,
            loops,
            nested,
            targets,
            falls_into,
        })
    }

    /// The loops that come to an instruction every time around, the widest first.
    pub(crate) fn repeating(&self, pc: usize) -> impl Iterator<Item = Loop> {
        let always = move |around: &&Loop| {
            let passes_over = |&(from, to): &(usize, usize)| {
                around.start <= from && from < pc && pc < to && to <= around.end
            };
            (around.start..=around.end).contains(&pc) && !self.jumps.iter().any(passes_over)
        };
        self.nested.iter().filter(always).copied()
    }

    /// Whether control comes to an instruction from the one above.
    pub(crate) fn is_fallen_into(&self, pc: usize) -> bool {
        self.falls_into.binary_search(&pc).is_ok()
    }

    /// Whether a jump or a handler leads to an instruction.
    pub(crate) fn is_target(&self, pc: usize) -> bool {
        self.targets.binary_search(&pc).is_ok()
    }
}

/// Whether the instruction behind one may come next. After a subroutine it may, but from its end.
pub(crate) fn falls_through(opcode: u8) -> bool {
    !matches!(
        opcode,
        opcode::GOTO | opcode::GOTO_W | opcode::JSR | opcode::JSR_W | opcode::RET
            ..=opcode::RETURN | opcode::ATHROW
    )
}
