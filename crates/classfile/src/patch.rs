//! Changes to one method's code, applied to its bytes.
//!
//! Without insertions nothing that was there changes: code is added after the last instruction, entries at the end of the
//! exception table, frames at the end of the stack map. With insertions the code is relocated and every table with it.

use crate::code::Code;
use crate::relocate::{Insertion, Relocated, relocate};
use crate::stackmap::{Frame, FrameWriter, Frames, Outline};
use crate::tables::relocate_attribute;
use crate::{Error, PoolAppender, VerificationType};

/// A place in the patched code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Position {
    /// The instruction that was at this pc (or the end of the old code).
    Instruction(usize),
    /// Where the old code before this pc ends, in front of what is inserted there.
    Boundary(usize),
    /// An offset into the code inserted at this pc.
    Inserted(usize, usize),
    /// An offset into the appended code.
    Appended(usize),
}

/// An exception table entry to be added after the existing ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Catch {
    pub start: Position,
    pub end: Position,
    pub target: Position,
    /// Index of the Class entry of what is caught; 0 catches everything.
    pub catch_type: u16,
}

/// A stack map frame for added code: its locals lie in [`CodePatch::types`].
#[derive(Debug, Clone, PartialEq, Eq)]
struct PlacedFrame {
    at: Position,
    locals: std::ops::Range<usize>,
    stack: std::ops::Range<usize>,
}

/// What to change. `Default` changes nothing.
#[derive(Debug, Clone, Default)]
pub struct CodePatch {
    /// In order of their pcs: per pc at most one that is not joined, and one that is behind it.
    pub insertions: Vec<Insertion>,
    /// Local variables that the insertion at pc 0 sets and nothing else ever writes, from slot `max_locals` on:
    /// every existing frame gets them.
    pub new_locals: Vec<VerificationType>,
    /// Code after the last instruction.
    pub appended: Vec<u8>,
    frames: Vec<PlacedFrame>,
    types: Vec<VerificationType>,
    pub catches: Vec<Catch>,
    /// Branches of three bytes in added code, and where they lead.
    pub branches: Vec<(Position, Position)>,
    /// What the added code needs; the larger of this and what was there wins.
    pub max_stack: u16,
    pub max_locals: u16,
}

/// What a method has on entry; stack maps are relative to it.
#[derive(Debug, Clone)]
pub enum Entry {
    /// Class files before version 50: the verifier infers types, there are no frames.
    NoFrames,
    /// There are no insertions, so it is enough to know where the last frame is.
    Unmoved { last_frame: Option<usize> },
    /// The locals on entry, which rewritten frames start from.
    Locals(Vec<VerificationType>),
}

impl CodePatch {
    /// Changes nothing again, but keeps its memory.
    pub fn clear(&mut self) {
        self.insertions.clear();
        self.new_locals.clear();
        self.appended.clear();
        self.frames.clear();
        self.types.clear();
        self.catches.clear();
        self.branches.clear();
        (self.max_stack, self.max_locals) = (0, 0);
    }

    /// A stack map frame for added code. Ignored in methods without stack maps (class files before version 50).
    pub fn place_frame(
        &mut self,
        at: Position,
        locals: impl IntoIterator<Item = VerificationType>,
        stack: impl IntoIterator<Item = VerificationType>,
    ) {
        let start = self.types.len();
        self.types.extend(locals);
        let end = self.types.len();
        self.types.extend(stack);
        self.frames.push(PlacedFrame {
            at,
            locals: start..end,
            stack: end..self.types.len(),
        });
    }

    /// Writes the new content of the Code attribute to the end of `out`.
    pub fn apply(
        &self,
        code: &Code<'_>,
        entry: Entry,
        pool: &mut PoolAppender<'_>,
        out: &mut Vec<u8>,
    ) -> Result<(), Error> {
        let moved = if self.insertions.is_empty() {
            None
        } else {
            Some(relocate(code, &self.insertions)?)
        };
        let old_code = moved.as_ref().map_or(code.bytes, |moved| &moved.code);
        let length = old_code.len() + self.appended.len();
        if length > 0xffff {
            return Err(Error::CodeTooLong { length });
        }
        let place = Places {
            moved: moved.as_ref(),
            length: old_code.len(),
        };
        let new_locals = self
            .new_locals
            .iter()
            .map(|local| local.slots())
            .sum::<usize>();
        let max_locals = code.max_locals as usize + new_locals;
        let max_locals = u16::try_from(max_locals.max(self.max_locals as usize))
            .map_err(|_| Error::TooManySlots)?;

        out.extend_from_slice(&code.max_stack.max(self.max_stack).to_be_bytes());
        out.extend_from_slice(&max_locals.to_be_bytes());
        out.extend_from_slice(&(length as u32).to_be_bytes());
        let start = out.len();
        out.extend_from_slice(old_code);
        out.extend_from_slice(&self.appended);
        self.lead_branches(start, &place, out)?;
        self.write_exceptions(code, &place, out)?;
        self.write_attributes(code, entry, &place, pool, out)
    }

    /// Gives the branches of added code their offsets, in code that starts at `start` of `out`.
    fn lead_branches(&self, start: usize, place: &Places<'_>, out: &mut [u8]) -> Result<(), Error> {
        for &(from, to) in &self.branches {
            let (from, to) = (place.find(from)?, place.find(to)?);
            let offset = i16::try_from(to as i64 - from as i64)
                .map_err(|_| Error::BranchTooFar { pc: from })?;
            let operand = start + from + 1;
            if let Some(operand) = out.get_mut(operand..operand + 2) {
                operand.copy_from_slice(&offset.to_be_bytes());
            }
        }
        Ok(())
    }

    fn write_exceptions(
        &self,
        code: &Code<'_>,
        place: &Places<'_>,
        out: &mut Vec<u8>,
    ) -> Result<(), Error> {
        let count = code.exceptions.len() / 8 + self.catches.len();
        let count = u16::try_from(count).map_err(|_| Error::TableTooLong {
            what: "the exception table",
        })?;
        out.extend_from_slice(&count.to_be_bytes());
        if place.moved.is_none() {
            out.extend_from_slice(code.exceptions);
        } else {
            for old in code.handlers() {
                let (start, end) = (usize::from(old.start), usize::from(old.end));
                place.write(Position::Instruction(start), out)?;
                place.write(Position::Boundary(end), out)?;
                place.write(Position::Instruction(usize::from(old.target)), out)?;
                out.extend_from_slice(&old.catch_type.to_be_bytes());
            }
        }
        for catch in &self.catches {
            for position in [catch.start, catch.end, catch.target] {
                place.write(position, out)?;
            }
            out.extend_from_slice(&catch.catch_type.to_be_bytes());
        }
        Ok(())
    }

    fn write_attributes(
        &self,
        code: &Code<'_>,
        entry: Entry,
        place: &Places<'_>,
        pool: &mut PoolAppender<'_>,
        out: &mut Vec<u8>,
    ) -> Result<(), Error> {
        let existing = pool.existing();
        let count_at = out.len();
        out.extend_from_slice(&[0, 0]);
        let mut count = 0_usize;
        let mut entry = match entry {
            Entry::NoFrames => None,
            _ if self.frames.is_empty() && place.moved.is_none() => None,
            other => Some(other),
        };
        for attribute in code.attributes.iter(existing) {
            let attribute = attribute?;
            let stack_map = if attribute.name == b"StackMapTable" {
                entry.take()
            } else {
                None
            };
            match (stack_map, place.moved) {
                (Some(entry), _) => {
                    let content = |out: &mut Vec<u8>| {
                        self.stack_map(attribute.info, entry, code.max_locals, place, out)
                    };
                    write_attribute(attribute.name_index, out, content)?;
                }
                (None, Some(moved)) => {
                    let content = |out: &mut Vec<u8>| {
                        relocate_attribute(attribute.name, attribute.info, moved.map(), out)
                    };
                    write_attribute(attribute.name_index, out, content)?;
                }
                (None, None) => write_attribute(attribute.name_index, out, |out| {
                    out.extend_from_slice(attribute.info);
                    Ok(())
                })?,
            }
            count += 1;
        }
        if let Some(entry) = entry.filter(|_| !self.frames.is_empty()) {
            let name = pool.utf8(b"StackMapTable")?;
            let content =
                |out: &mut Vec<u8>| self.stack_map(&[0, 0], entry, code.max_locals, place, out);
            write_attribute(name, out, content)?;
            count += 1;
        }
        let count = u16::try_from(count).map_err(|_| Error::TableTooLong {
            what: "the list of attributes",
        })?;
        if let Some(at) = out.get_mut(count_at..count_at + 2) {
            at.copy_from_slice(&count.to_be_bytes());
        }
        Ok(())
    }

    fn stack_map(
        &self,
        old: &[u8],
        entry: Entry,
        max_locals: u16,
        place: &Places<'_>,
        out: &mut Vec<u8>,
    ) -> Result<(), Error> {
        let Some(moved) = place.moved else {
            let last = match entry {
                Entry::Unmoved { last_frame } => last_frame,
                _ => Outline::read(old, usize::from(max_locals))?.last,
            };
            let mut writer = FrameWriter::resume(old, last, out)?;
            // Added code comes after the old, and its frames in the order in which it was written.
            for frame in &self.frames {
                self.write_frame(place.find(frame.at)?, frame, &mut writer)?;
            }
            return writer.finish();
        };
        let Entry::Locals(initial) = entry else {
            return Err(Error::BadFrame { frame: 0 });
        };
        let mut added = Vec::with_capacity(self.frames.len());
        for frame in &self.frames {
            added.push((place.find(frame.at)?, frame));
        }
        added.sort_by_key(|&(pc, _)| pc);
        added.dedup_by_key(|&mut (pc, _)| pc);
        let mut added = added.into_iter().peekable();
        let mut frames = Frames::read(old, initial.clone())?;
        let mut writer = FrameWriter::new(initial, out);
        let mut scratch = Frame::default();
        while let Some((old_pc, frame)) = frames.next_frame()? {
            let pc = moved.map().instruction(old_pc)?;
            while let Some((before, frame)) = added.next_if(|&(at, _)| at < pc) {
                self.write_frame(before, frame, &mut writer)?;
            }
            // A frame that was there already says more than an added one: other code jumps to it too.
            added.next_if(|&(at, _)| at == pc);
            self.move_frame(frame, moved, max_locals, &mut scratch)?;
            writer.write(pc, &scratch.locals, &scratch.stack)?;
        }
        for (pc, frame) in added {
            self.write_frame(pc, frame, &mut writer)?;
        }
        writer.finish()
    }

    fn write_frame(
        &self,
        pc: usize,
        frame: &PlacedFrame,
        writer: &mut FrameWriter<'_>,
    ) -> Result<(), Error> {
        let types = |range: &std::ops::Range<usize>| self.types.get(range.clone()).unwrap_or(&[]);
        writer.write(pc, types(&frame.locals), types(&frame.stack))
    }

    fn move_frame(
        &self,
        frame: &Frame,
        moved: &Relocated,
        max_locals: u16,
        into: &mut Frame,
    ) -> Result<(), Error> {
        for (from, to) in [
            (&frame.locals, &mut into.locals),
            (&frame.stack, &mut into.stack),
        ] {
            to.clear();
            for &old in from {
                to.push(match old {
                    VerificationType::Uninitialized(pc) => {
                        VerificationType::Uninitialized(moved.map().itself(usize::from(pc))? as u16)
                    }
                    other => other,
                });
            }
        }
        if !self.new_locals.is_empty() {
            let used = into.locals.iter().map(|local| local.slots()).sum::<usize>();
            let gap = usize::from(max_locals)
                .checked_sub(used)
                .ok_or_else(|| Error::TooManySlots)?;
            into.locals
                .extend(std::iter::repeat_n(VerificationType::Top, gap));
            into.locals.extend_from_slice(&self.new_locals);
        }
        Ok(())
    }
}

/// Where positions are in the new code.
struct Places<'a> {
    moved: Option<&'a Relocated>,
    /// Of the old code after moving: where the appended code starts.
    length: usize,
}

impl Places<'_> {
    fn find(&self, position: Position) -> Result<usize, Error> {
        match (position, self.moved) {
            (Position::Appended(offset), _) => Ok(self.length + offset),
            (Position::Instruction(pc) | Position::Boundary(pc), None) => Ok(pc),
            (Position::Inserted(pc, _), None) => Err(Error::NotAnInstruction { pc }),
            (Position::Instruction(pc), Some(moved)) => moved.map().instruction(pc),
            (Position::Boundary(pc), Some(moved)) => moved.map().boundary(pc),
            (Position::Inserted(pc, offset), Some(moved)) => Ok(moved.map().boundary(pc)? + offset),
        }
    }

    fn write(&self, position: Position, out: &mut Vec<u8>) -> Result<(), Error> {
        // No code is longer than 65535 bytes, so every place in it fits.
        out.extend_from_slice(&(self.find(position)? as u16).to_be_bytes());
        Ok(())
    }
}

/// Writes an attribute whose length is known only when its content is there.
fn write_attribute(
    name_index: u16,
    out: &mut Vec<u8>,
    content: impl FnOnce(&mut Vec<u8>) -> Result<(), Error>,
) -> Result<(), Error> {
    out.extend_from_slice(&name_index.to_be_bytes());
    let length_at = out.len();
    out.extend_from_slice(&[0; 4]);
    content(out)?;
    let length = (out.len() - length_at - 4) as u32;
    if let Some(place) = out.get_mut(length_at..length_at + 4) {
        place.copy_from_slice(&length.to_be_bytes());
    }
    Ok(())
}

/// A class file with some Code attributes replaced and constants added; everything else byte for byte.
#[derive(Debug)]
pub struct ClassPatch<'a> {
    class: &'a crate::ClassFile<'a>,
    /// All new contents, one after the other.
    contents: Vec<u8>,
    /// Where the old content lies in the file, and the new one in `contents`.
    codes: Vec<Replaced>,
}

#[derive(Debug)]
struct Replaced {
    offset: usize,
    length: usize,
    content: std::ops::Range<usize>,
}

impl<'a> ClassPatch<'a> {
    pub fn new(class: &'a crate::ClassFile<'a>) -> Self {
        ClassPatch {
            class,
            contents: Vec::new(),
            codes: Vec::new(),
        }
    }

    /// Replaces a method's code by what `write` puts at the end of the buffer it is given, see [`CodePatch::apply`].
    pub fn replace<E>(
        &mut self,
        code: &Code<'a>,
        write: impl FnOnce(&mut Vec<u8>) -> Result<(), E>,
    ) -> Result<(), E> {
        // Most of a class is code: room for all of it, once.
        if self.contents.capacity() == 0 {
            self.contents.reserve(self.class.bytes.len());
        }
        let start = self.contents.len();
        if let Err(defect) = write(&mut self.contents) {
            self.contents.truncate(start);
            return Err(defect);
        }
        let content = start..self.contents.len();
        self.codes.push(Replaced {
            offset: code.offset,
            length: code.length,
            content,
        });
        Ok(())
    }

    pub fn is_empty(&self) -> bool {
        self.codes.is_empty()
    }

    pub fn finish(mut self, pool: &PoolAppender<'_>) -> Vec<u8> {
        let file = self.class.bytes;
        self.codes.sort_by_key(|code| code.offset);
        let replaced: usize = self.codes.iter().map(|code| code.length).sum();
        let length =
            (file.len() + self.contents.len() + pool.bytes().len()).saturating_sub(replaced);
        let mut out = Vec::with_capacity(length);
        let pool_end = self.class.pool.end();
        // Magic and version, the new count, the old constants, the new ones.
        out.extend_from_slice(file.get(..8).unwrap_or(&[]));
        out.extend_from_slice(&pool.count().to_be_bytes());
        out.extend_from_slice(file.get(10..pool_end).unwrap_or(&[]));
        out.extend_from_slice(pool.bytes());
        let mut copied = pool_end;
        for code in &self.codes {
            // attribute_length stands in the four bytes before the content.
            out.extend_from_slice(file.get(copied..code.offset - 4).unwrap_or(&[]));
            out.extend_from_slice(&(code.content.len() as u32).to_be_bytes());
            out.extend_from_slice(self.contents.get(code.content.clone()).unwrap_or(&[]));
            copied = code.offset + code.length;
        }
        out.extend_from_slice(file.get(copied..).unwrap_or(&[]));
        out
    }
}
