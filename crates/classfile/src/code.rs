//! The Code attribute (JVMS 4.7.3) and the instructions in it.

use crate::Error;
use crate::attribute::{Attribute, Attributes};
use crate::bytes::{Bytes, i4_at, u2_at};
use crate::opcode::{self, LENGTHS};

/// A method's code, not decoded.
#[derive(Debug, Clone, Copy)]
pub struct Code<'a> {
    pub max_stack: u16,
    pub max_locals: u16,
    pub bytes: &'a [u8],
    pub(crate) exceptions: &'a [u8],
    pub attributes: Attributes<'a>,
    /// Where the attribute's content lies in the class file.
    pub(crate) offset: usize,
    pub(crate) length: usize,
}

/// An entry of the exception table; `catch_type` 0 catches everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Handler {
    pub start: u16,
    pub end: u16,
    pub target: u16,
    pub catch_type: u16,
}

impl<'a> Code<'a> {
    pub(crate) fn read(attribute: Attribute<'a>) -> Result<Self, Error> {
        let mut bytes = Bytes::new(attribute.info, attribute.offset);
        let (max_stack, max_locals) = (bytes.u2()?, bytes.u2()?);
        let code_length = bytes.u4()? as usize;
        if code_length > 0xffff {
            return Err(Error::CodeTooLong {
                length: code_length,
            });
        }
        let code = bytes.take(code_length)?;
        let handlers = bytes.u2()? as usize;
        let exceptions = bytes.take(handlers * 8)?;
        let attributes = Attributes::read(&mut bytes)?;
        bytes.finish()?;
        Ok(Code {
            max_stack,
            max_locals,
            bytes: code,
            exceptions,
            attributes,
            offset: attribute.offset,
            length: attribute.info.len(),
        })
    }

    pub fn handlers(&self) -> impl Iterator<Item = Handler> + use<'a> {
        self.exceptions.chunks_exact(8).filter_map(|entry| {
            Some(Handler {
                start: u2_at(entry, 0)?,
                end: u2_at(entry, 2)?,
                target: u2_at(entry, 4)?,
                catch_type: u2_at(entry, 6)?,
            })
        })
    }

    pub fn instructions(&self) -> Instructions<'a> {
        Instructions {
            code: self.bytes,
            pc: 0,
        }
    }
}

/// Iterates over instructions; ends after the first defect.
#[derive(Debug, Clone)]
pub struct Instructions<'a> {
    code: &'a [u8],
    pc: usize,
}

/// One instruction. `bytes` starts at the opcode; for `wide` the opcode is the widened one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Instruction<'a> {
    pub pc: usize,
    pub opcode: u8,
    pub wide: bool,
    pub bytes: &'a [u8],
}

impl<'a> Iterator for Instructions<'a> {
    type Item = Result<Instruction<'a>, Error>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let pc = self.pc;
        let &opcode = self.code.get(pc)?;
        // The table has a place for every u8.
        let length = LENGTHS.get(usize::from(opcode)).copied().unwrap_or(0);
        match self.code.get(pc..pc + usize::from(length)) {
            Some(bytes) if length != 0 => {
                self.pc = pc + usize::from(length);
                Some(Ok(Instruction {
                    pc,
                    opcode,
                    wide: false,
                    bytes,
                }))
            }
            _ => Some(self.next_of_any_length(pc, opcode)),
        }
    }
}

impl<'a> Instructions<'a> {
    /// The next instruction whose opcode is `wanted`, `wide` ones always, and how many were stepped over on the way.
    #[inline]
    pub fn find_next(
        &mut self,
        wanted: &[bool; 256],
    ) -> (usize, Option<Result<Instruction<'a>, Error>>) {
        let mut skipped = 0;
        while let Some(&opcode) = self.code.get(self.pc) {
            let length = LENGTHS.get(usize::from(opcode)).copied().unwrap_or(0);
            if length == 0 || wanted.get(usize::from(opcode)) == Some(&true) {
                break;
            }
            self.pc += usize::from(length);
            skipped += 1;
        }
        // An operand cut off by the end of the code.
        if self.pc > self.code.len() {
            let pc = self.code.len();
            return (skipped, Some(Err(Error::BadInstruction { pc })));
        }
        (skipped, self.next())
    }

    /// `wide`, the switches, and everything that is wrong.
    #[cold]
    fn next_of_any_length(&mut self, pc: usize, opcode: u8) -> Result<Instruction<'a>, Error> {
        let decoded = decode(self.code, pc, opcode);
        self.pc = decoded
            .as_ref()
            .map_or(self.code.len(), |instruction| pc + instruction.bytes.len());
        decoded
    }
}

fn decode(code: &[u8], pc: usize, opcode: u8) -> Result<Instruction<'_>, Error> {
    let bad = || Error::BadInstruction { pc };
    match opcode {
        opcode::WIDE => {
            let &opcode = code.get(pc + 1).ok_or_else(bad)?;
            let length = match opcode {
                opcode::IINC => 6,
                opcode::ILOAD..=opcode::ALOAD | opcode::ISTORE..=opcode::ASTORE | opcode::RET => 4,
                _ => return Err(Error::BadOpcode { opcode, pc }),
            };
            let bytes = code.get(pc..pc + length).ok_or_else(bad)?;
            Ok(Instruction {
                pc,
                opcode,
                wide: true,
                bytes,
            })
        }
        opcode::TABLESWITCH | opcode::LOOKUPSWITCH => {
            let table = (pc + 4) & !3;
            let length = if opcode == opcode::TABLESWITCH {
                let low = i4_at(code, table + 4).ok_or_else(bad)?;
                let high = i4_at(code, table + 8).ok_or_else(bad)?;
                let entries = i64::from(high) - i64::from(low) + 1;
                if !(0..=0xffff).contains(&entries) {
                    return Err(bad());
                }
                12 + 4 * entries as usize
            } else {
                let pairs = i4_at(code, table + 4).ok_or_else(bad)?;
                if !(0..=0xffff).contains(&pairs) {
                    return Err(bad());
                }
                8 + 8 * pairs as usize
            };
            let bytes = code.get(pc..table + length).ok_or_else(bad)?;
            Ok(Instruction {
                pc,
                opcode,
                wide: false,
                bytes,
            })
        }
        _ if LENGTHS
            .get(usize::from(opcode))
            .is_some_and(|&length| length > 0) =>
        {
            Err(bad())
        }
        _ => Err(Error::BadOpcode { opcode, pc }),
    }
}

impl<'a> Instruction<'a> {
    /// The two-byte operand after the opcode: a constant pool index.
    #[inline]
    pub fn index(&self) -> u16 {
        u2_at(self.bytes, 1).unwrap_or(0)
    }

    /// The local variable that a load, store, `iinc` or `ret` names, explicitly or in its opcode.
    pub fn local(&self) -> Option<u16> {
        if self.wide {
            return u2_at(self.bytes, 2);
        }
        match self.opcode {
            opcode::ILOAD..=opcode::ALOAD
            | opcode::ISTORE..=opcode::ASTORE
            | opcode::RET
            | opcode::IINC => self.bytes.get(1).copied().map(u16::from),
            opcode::ILOAD_0..=opcode::ALOAD_3 => {
                Some(u16::from((self.opcode - opcode::ILOAD_0) & 3))
            }
            opcode::ISTORE_0..=opcode::ASTORE_3 => {
                Some(u16::from((self.opcode - opcode::ISTORE_0) & 3))
            }
            _ => None,
        }
    }

    /// Whether it has [`targets`](Self::targets).
    #[inline]
    pub fn is_branch(&self) -> bool {
        matches!(self.opcode, opcode::IFEQ..=opcode::JSR | opcode::TABLESWITCH | opcode::LOOKUPSWITCH | opcode::IFNULL..=opcode::JSR_W)
    }

    /// Absolute targets of a branch or switch, default first.
    pub fn targets(&self) -> Targets<'a> {
        let (wide_offsets, offsets): (bool, &[u8]) = match self.opcode {
            _ if self.wide => (false, &[]),
            opcode::IFEQ..=opcode::JSR | opcode::IFNULL | opcode::IFNONNULL => {
                (false, self.bytes.get(1..).unwrap_or(&[]))
            }
            opcode::GOTO_W | opcode::JSR_W => (true, self.bytes.get(1..).unwrap_or(&[])),
            opcode::TABLESWITCH | opcode::LOOKUPSWITCH => {
                (true, self.bytes.get(self.padding() + 1..).unwrap_or(&[]))
            }
            _ => (false, &[]),
        };
        Targets {
            pc: self.pc as i64,
            opcode: self.opcode,
            wide: wide_offsets,
            rest: offsets,
            first: true,
        }
    }

    /// The keys of a switch, in the order of its targets after the default.
    pub fn switch_keys(&self) -> Vec<i32> {
        let table = self.bytes.get(self.padding() + 1..).unwrap_or(&[]);
        match self.opcode {
            opcode::TABLESWITCH => {
                let bounds = (i4_at(table, 4), i4_at(table, 8));
                bounds
                    .0
                    .zip(bounds.1)
                    .map_or(Vec::new(), |(low, high)| (low..=high).collect())
            }
            opcode::LOOKUPSWITCH => table
                .get(8..)
                .unwrap_or(&[])
                .chunks_exact(8)
                .filter_map(|pair| i4_at(pair, 0))
                .collect(),
            _ => Vec::new(),
        }
    }

    /// The number that `bipush`, `sipush` and `iinc` carry.
    pub fn immediate(&self) -> i32 {
        let byte = |at: usize| self.bytes.get(at).map_or(0, |&byte| i32::from(byte as i8));
        match self.opcode {
            opcode::BIPUSH => byte(1),
            opcode::SIPUSH => i32::from(self.index() as i16),
            opcode::IINC if self.wide => i32::from(u2_at(self.bytes, 4).unwrap_or(0) as i16),
            opcode::IINC => byte(2),
            _ => 0,
        }
    }

    /// The bytes between a switch's opcode and its table.
    pub(crate) fn padding(&self) -> usize {
        3 - (self.pc & 3)
    }
}

/// Iterates over the targets of one instruction.
#[derive(Debug, Clone)]
pub struct Targets<'a> {
    pc: i64,
    opcode: u8,
    wide: bool,
    rest: &'a [u8],
    first: bool,
}

impl Iterator for Targets<'_> {
    type Item = i64;

    fn next(&mut self) -> Option<i64> {
        if !self.wide {
            let offset = u2_at(self.rest, 0)? as i16;
            self.rest = &[];
            return Some(self.pc + i64::from(offset));
        }
        let (skip_before, skip_after) = match (self.opcode, self.first) {
            // default, low, high, offsets…
            (opcode::TABLESWITCH, true) => (0, 8),
            // default, npairs, (match, offset)…
            (opcode::LOOKUPSWITCH, true) => (0, 4),
            (opcode::LOOKUPSWITCH, false) => (4, 0),
            _ => (0, 0),
        };
        let offset = i4_at(self.rest, skip_before)?;
        self.rest = self.rest.get(skip_before + 4 + skip_after..).unwrap_or(&[]);
        self.first = false;
        Some(self.pc + i64::from(offset))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(code: &[u8]) -> Vec<Result<(usize, u8, usize), Error>> {
        let found = Instructions { code, pc: 0 };
        found
            .map(|found| found.map(|found| (found.pc, found.opcode, found.bytes.len())))
            .collect()
    }

    #[test]
    fn wide_instructions_are_the_ones_they_widen() {
        let code = [
            opcode::WIDE,
            opcode::IINC,
            1,
            0,
            0,
            5,
            opcode::WIDE,
            opcode::RET,
            1,
            2,
        ];
        assert_eq!(
            decoded(&code),
            [Ok((0, opcode::IINC, 6)), Ok((6, opcode::RET, 4))]
        );
        let first = Instructions { code: &code, pc: 0 }.next().unwrap().unwrap();
        assert_eq!((first.wide, first.local()), (true, Some(256)));
        assert_eq!(first.immediate(), 5);
    }

    #[test]
    fn a_table_switch_lists_its_default_first() {
        let code = [
            opcode::TABLESWITCH,
            0,
            0,
            0,
            0,
            0,
            0,
            9,
            0,
            0,
            0,
            3,
            0,
            0,
            0,
            4,
            0,
            0,
            0,
            20,
            0xff,
            0xff,
            0xff,
            0xff,
        ];
        let switch = Instructions { code: &code, pc: 0 }.next().unwrap().unwrap();
        assert_eq!(switch.targets().collect::<Vec<_>>(), [9, 20, -1]);
        assert_eq!(switch.switch_keys(), [3, 4]);
    }

    #[test]
    fn what_cannot_be_decoded_ends_the_walk_with_an_error() {
        assert_eq!(
            decoded(&[opcode::SIPUSH, 1]),
            [Err(Error::BadInstruction { pc: 0 })]
        );
        assert_eq!(
            decoded(&[0, 0xca, 0]),
            [
                Ok((0, 0, 1)),
                Err(Error::BadOpcode {
                    opcode: 0xca,
                    pc: 1
                })
            ]
        );
        let backwards = [
            opcode::TABLESWITCH,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            9,
            0,
            0,
            0,
            1,
        ];
        assert_eq!(decoded(&backwards), [Err(Error::BadInstruction { pc: 0 })]);
    }
}
