//! Moves code apart to make room: every branch, switch and table still means the same instruction.

use crate::Error;
use crate::code::{Code, Instruction};
use crate::opcode;

/// Code to be put before the instruction at `pc`. Branches inside stay inside (they are relative and copied as they are).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Insertion {
    pub pc: usize,
    pub code: Vec<u8>,
    /// Whether what jumps to `pc` passes it, and a stack map frame there is in front of it. Else control reaches it only
    /// from the instruction before, and what jumped to `pc` still lands on the old instruction.
    pub joined: bool,
}

/// The moved code, and where everything went.
#[derive(Debug)]
pub(crate) struct Relocated {
    pub(crate) code: Vec<u8>,
    map: PcMap,
}

/// Old pcs to new ones.
#[derive(Debug)]
pub(crate) enum PcMap {
    /// Everything moved by the same distance: code was inserted in front only.
    Shift { by: usize, length: usize },
    Table {
        /// For each old pc, and for the end of the code, the new place of its instruction, with what is joined with it in
        /// front; `NOWHERE` inside instructions.
        new: Vec<u32>,
        /// Old pc and length of each insertion that is not joined with its instruction, in order.
        inserted: Vec<(usize, usize)>,
        /// The same of those that are.
        joined: Vec<(usize, usize)>,
    },
}

const NOWHERE: u32 = u32::MAX;

impl PcMap {
    /// Where the instruction at `pc` is now, or what is joined with it.
    pub(crate) fn instruction(&self, pc: usize) -> Result<usize, Error> {
        match self {
            PcMap::Shift { by, length } if pc <= *length => Ok(pc + by),
            PcMap::Shift { .. } => Err(Error::NotAnInstruction { pc }),
            PcMap::Table { new, .. } => match new.get(pc) {
                Some(&new) if new != NOWHERE => Ok(new as usize),
                _ => Err(Error::NotAnInstruction { pc }),
            },
        }
    }

    /// Where the code before `pc` ends now: ranges that ended at `pc` do not take in what was inserted there.
    pub(crate) fn boundary(&self, pc: usize) -> Result<usize, Error> {
        let instruction = self.instruction(pc)?;
        let length = match self {
            PcMap::Shift { by, .. } => {
                if pc == 0 {
                    *by
                } else {
                    0
                }
            }
            PcMap::Table { inserted, .. } => length_at(inserted, pc),
        };
        Ok(instruction - length)
    }

    /// Where the instruction itself is now, behind what is joined with it: a `new` is known by its own place.
    pub(crate) fn itself(&self, pc: usize) -> Result<usize, Error> {
        let before = match self {
            PcMap::Shift { .. } => 0,
            PcMap::Table { joined, .. } => length_at(joined, pc),
        };
        Ok(self.instruction(pc)? + before)
    }
}

/// The length of the insertion at `pc`, 0 where there is none.
fn length_at(insertions: &[(usize, usize)], pc: usize) -> usize {
    let found = insertions.binary_search_by_key(&pc, |&(at, _)| at).ok();
    found
        .and_then(|found| insertions.get(found))
        .map_or(0, |&(_, length)| length)
}

impl Relocated {
    pub(crate) fn map(&self) -> &PcMap {
        &self.map
    }
}

/// `insertions` are in order of their pcs: per pc at most one that is not joined, and one that is behind it.
pub(crate) fn relocate(code: &Code<'_>, insertions: &[Insertion]) -> Result<Relocated, Error> {
    if let [
        Insertion {
            pc: 0,
            code: inserted,
            joined: false,
        },
    ] = insertions
        && !has_switches(code)?
    {
        // All branches are relative, and only switches care where they stand.
        let map = PcMap::Shift {
            by: inserted.len(),
            length: code.bytes.len(),
        };
        return Ok(Relocated {
            code: [inserted, code.bytes].concat(),
            map,
        });
    }
    let map = lay_out(code, insertions)?;
    let room = insertions
        .iter()
        .map(|insertion| insertion.code.len() + 4)
        .sum::<usize>();
    let mut out = Vec::with_capacity(code.bytes.len() + room);
    let mut pending = insertions.iter().peekable();
    // What lies between two places of interest is copied in one piece.
    let mut copied = 0;
    for instruction in code.instructions() {
        let instruction = instruction?;
        let pc = instruction.pc;
        let is_here = |insertion: &&Insertion| insertion.pc == pc;
        if pending.peek().copied().filter(is_here).is_none() && !instruction.is_branch() {
            continue;
        }
        out.extend_from_slice(code.bytes.get(copied..pc).unwrap_or(&[]));
        copied = pc;
        while let Some(insertion) = pending.next_if(is_here) {
            out.extend_from_slice(&insertion.code);
        }
        if instruction.is_branch() {
            write(&instruction, &map, &mut out)?;
            copied = pc + instruction.bytes.len();
        }
    }
    out.extend_from_slice(code.bytes.get(copied..).unwrap_or(&[]));
    Ok(Relocated { code: out, map })
}

fn has_switches(code: &Code<'_>) -> Result<bool, Error> {
    let mut instructions = code.instructions();
    // Nothing is wanted but what has no fixed length: the switches, and `wide`.
    while let (_, Some(instruction)) = instructions.find_next(&[false; 256]) {
        if !instruction?.wide {
            return Ok(true);
        }
    }
    Ok(false)
}

/// One pass is enough: insertions have fixed lengths, and a switch's padding depends only on what is before it.
fn lay_out(code: &Code<'_>, insertions: &[Insertion]) -> Result<PcMap, Error> {
    let mut new = vec![NOWHERE; code.bytes.len() + 1];
    let mut pending = insertions.iter().peekable();
    let mut inserted = Vec::with_capacity(insertions.len());
    let mut joined = Vec::new();
    let mut at = 0;
    for instruction in code.instructions() {
        let instruction = instruction?;
        let mut start = at;
        while let Some(insertion) = pending.next_if(|insertion| insertion.pc == instruction.pc) {
            at += insertion.code.len();
            let placed = (insertion.pc, insertion.code.len());
            if insertion.joined {
                joined.push(placed);
            } else {
                start = at;
                inserted.push(placed);
            }
        }
        if let Some(place) = new.get_mut(instruction.pc) {
            *place = start as u32;
        }
        let length = instruction.bytes.len();
        at += match instruction.opcode {
            opcode::TABLESWITCH | opcode::LOOKUPSWITCH => {
                length - instruction.padding() + (3 - (at & 3))
            }
            _ => length,
        };
    }
    if let Some(insertion) = pending.next() {
        return Err(Error::NotAnInstruction { pc: insertion.pc });
    }
    if at > 0xffff {
        return Err(Error::CodeTooLong { length: at });
    }
    if let Some(end) = new.last_mut() {
        *end = at as u32;
    }
    Ok(PcMap::Table {
        new,
        inserted,
        joined,
    })
}

/// Writes a branch or a switch with its new offsets.
fn write(instruction: &Instruction<'_>, map: &PcMap, out: &mut Vec<u8>) -> Result<(), Error> {
    let old = instruction.pc;
    let here = out.len() as i64;
    let offset = |target: i64| -> Result<i64, Error> {
        let target = usize::try_from(target).map_err(|_| Error::BadInstruction { pc: old })?;
        Ok(map.instruction(target)? as i64 - here)
    };
    let too_far = |_| Error::BranchTooFar { pc: old };
    match instruction.opcode {
        opcode::IFEQ..=opcode::JSR | opcode::IFNULL | opcode::IFNONNULL => {
            let target = instruction
                .targets()
                .next()
                .ok_or_else(|| Error::BadInstruction { pc: old })?;
            let offset = i16::try_from(offset(target)?).map_err(too_far)?;
            out.push(instruction.opcode);
            out.extend_from_slice(&offset.to_be_bytes());
        }
        opcode::GOTO_W | opcode::JSR_W => {
            let target = instruction
                .targets()
                .next()
                .ok_or_else(|| Error::BadInstruction { pc: old })?;
            out.push(instruction.opcode);
            out.extend_from_slice(&(offset(target)? as i32).to_be_bytes());
        }
        opcode::TABLESWITCH | opcode::LOOKUPSWITCH => {
            out.push(instruction.opcode);
            out.resize(out.len() + (3 - (here as usize & 3)), 0);
            let table = instruction
                .bytes
                .get(instruction.padding() + 1..)
                .unwrap_or(&[]);
            let mut targets = instruction.targets();
            // Words that are no offsets: low and high, or npairs and every match.
            let is_offset = |word: usize| match instruction.opcode {
                opcode::TABLESWITCH => word == 0 || word > 2,
                _ => word == 0 || (word > 1 && word % 2 == 1),
            };
            for (number, word) in table.chunks_exact(4).enumerate() {
                if is_offset(number) {
                    let target = targets
                        .next()
                        .ok_or_else(|| Error::BadInstruction { pc: old })?;
                    out.extend_from_slice(&(offset(target)? as i32).to_be_bytes());
                } else {
                    out.extend_from_slice(word);
                }
            }
        }
        _ => out.extend_from_slice(instruction.bytes),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::class::Attribute;

    /// The content of a Code attribute with nothing but instructions in it.
    fn content(code: &[u8]) -> Vec<u8> {
        let mut content = vec![0, 9, 0, 9];
        content.extend_from_slice(&(code.len() as u32).to_be_bytes());
        content.extend_from_slice(code);
        content.extend_from_slice(&[0; 4]);
        content
    }

    fn moved(code: &[u8], insertions: &[(usize, &[u8])]) -> Result<Vec<u8>, Error> {
        moved_as(code, insertions, false)
    }

    fn moved_as(
        code: &[u8],
        insertions: &[(usize, &[u8])],
        joined: bool,
    ) -> Result<Vec<u8>, Error> {
        let content = content(code);
        let code = Code::read(Attribute {
            name_index: 0,
            name: b"Code",
            info: &content,
            offset: 0,
        })?;
        let insertions: Vec<_> = insertions
            .iter()
            .map(|&(pc, code)| Insertion {
                pc,
                code: code.to_vec(),
                joined,
            })
            .collect();
        relocate(&code, &insertions).map(|moved| moved.code)
    }

    const NOP: u8 = 0;
    const RETURN: u8 = 177;

    #[test]
    fn a_branch_across_an_insertion_grows_and_one_inside_does_not() {
        // goto 3; goto 0; return
        let code = [opcode::GOTO, 0, 3, opcode::GOTO, 0xff, 0xfd, RETURN];
        let expected = [
            opcode::GOTO,
            0,
            5,
            NOP,
            NOP,
            opcode::GOTO,
            0xff,
            0xfb,
            RETURN,
        ];
        assert_eq!(moved(&code, &[(3, &[NOP, NOP])]).unwrap(), expected);
    }

    #[test]
    fn a_jump_passes_what_is_joined_with_its_target() {
        // goto 3; goto 0; return
        let code = [opcode::GOTO, 0, 3, opcode::GOTO, 0xff, 0xfd, RETURN];
        let there = [
            opcode::GOTO,
            0,
            3,
            NOP,
            NOP,
            opcode::GOTO,
            0xff,
            0xfb,
            RETURN,
        ];
        assert_eq!(moved_as(&code, &[(3, &[NOP, NOP])], true).unwrap(), there);
    }

    #[test]
    fn a_jump_passes_what_is_joined_and_not_what_follows_the_instruction_before() {
        let content = content(&[NOP, opcode::GOTO, 0xff, 0xff]);
        let code = Code::read(Attribute {
            name_index: 0,
            name: b"Code",
            info: &content,
            offset: 0,
        })
        .unwrap();
        let here = |code: &[u8], joined| Insertion {
            pc: 0,
            code: code.to_vec(),
            joined,
        };
        let both = [here(&[1], false), here(&[2, 3], true)];
        let moved = relocate(&code, &both).unwrap();
        assert_eq!(moved.code, [1, 2, 3, NOP, opcode::GOTO, 0xff, 0xfd]);
        let map = moved.map();
        let places = [map.boundary(0), map.instruction(0), map.itself(0)];
        assert_eq!(places, [Ok(0), Ok(1), Ok(3)]);
    }

    #[test]
    fn a_jump_to_the_start_does_not_run_into_what_is_inserted_there() {
        let code = [NOP, opcode::GOTO, 0xff, 0xff];
        assert_eq!(
            moved(&code, &[(0, &[NOP, NOP])]).unwrap(),
            [NOP, NOP, NOP, opcode::GOTO, 0xff, 0xff]
        );
    }

    #[test]
    fn the_padding_of_a_switch_follows_its_place() {
        // iconst_0; lookupswitch (2 bytes of padding): 7 -> return, default -> return; return
        let table = [0, 0, 0, 19, 0, 0, 0, 1, 0, 0, 0, 7, 0, 0, 0, 19];
        let code = [
            &[3, opcode::LOOKUPSWITCH, 0, 0],
            table.as_slice(),
            &[RETURN],
        ]
        .concat();
        let near = [0, 0, 0, 18, 0, 0, 0, 1, 0, 0, 0, 7, 0, 0, 0, 18];
        let expected = [
            &[NOP, 3, opcode::LOOKUPSWITCH, 0],
            near.as_slice(),
            &[RETURN],
        ]
        .concat();
        assert_eq!(moved(&code, &[(0, &[NOP])]).unwrap(), expected);
    }

    #[test]
    fn a_branch_that_no_longer_reaches_is_an_error() {
        let mut code = vec![opcode::GOTO, 0x7f, 0xff];
        code.resize(0x7fff, NOP);
        code.push(RETURN);
        assert_eq!(
            moved(&code, &[(3, &[NOP])]),
            Err(Error::BranchTooFar { pc: 0 })
        );
    }

    #[test]
    fn what_is_not_between_instructions_is_refused() {
        let code = [opcode::SIPUSH, 0, 1, RETURN];
        assert_eq!(
            moved(&code, &[(1, &[NOP])]),
            Err(Error::NotAnInstruction { pc: 1 })
        );
        // goto 1, into the middle of itself.
        assert_eq!(
            moved(&[opcode::GOTO, 0, 1, NOP], &[(3, &[NOP])]),
            Err(Error::NotAnInstruction { pc: 1 })
        );
    }

    #[test]
    fn code_beyond_the_limit_is_refused() {
        let code = vec![NOP; 0xffff];
        assert_eq!(
            moved(&code, &[(3, &[NOP])]),
            Err(Error::CodeTooLong { length: 0x10000 })
        );
    }
}
