//! The StackMapTable attribute (JVMS 4.7.4): deltas in the file, whole frames here.

use crate::Error;
use crate::bytes::Bytes;

/// A verification type. `Long` and `Double` are one entry that stands for two slots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VerificationType {
    Top,
    Integer,
    Float,
    Double,
    Long,
    Null,
    UninitializedThis,
    /// Index of a Class entry.
    Object(u16),
    /// The pc of the `new` instruction that made the object.
    Uninitialized(u16),
}

impl VerificationType {
    /// How many local variables it takes.
    pub fn slots(self) -> usize {
        if matches!(self, VerificationType::Long | VerificationType::Double) {
            2
        } else {
            1
        }
    }

    fn read(bytes: &mut Bytes<'_>, frame: usize) -> Result<Self, Error> {
        Ok(match bytes.u1()? {
            0 => VerificationType::Top,
            1 => VerificationType::Integer,
            2 => VerificationType::Float,
            3 => VerificationType::Double,
            4 => VerificationType::Long,
            5 => VerificationType::Null,
            6 => VerificationType::UninitializedThis,
            7 => VerificationType::Object(bytes.u2()?),
            8 => VerificationType::Uninitialized(bytes.u2()?),
            _ => return Err(Error::BadFrame { frame }),
        })
    }

    fn write(self, out: &mut Vec<u8>) {
        let (tag, operand) = match self {
            VerificationType::Top => (0, None),
            VerificationType::Integer => (1, None),
            VerificationType::Float => (2, None),
            VerificationType::Double => (3, None),
            VerificationType::Long => (4, None),
            VerificationType::Null => (5, None),
            VerificationType::UninitializedThis => (6, None),
            VerificationType::Object(class) => (7, Some(class)),
            VerificationType::Uninitialized(pc) => (8, Some(pc)),
        };
        out.push(tag);
        if let Some(operand) = operand {
            out.extend_from_slice(&operand.to_be_bytes());
        }
    }
}

/// What the verifier must find at some pc.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Frame {
    pub locals: Vec<VerificationType>,
    pub stack: Vec<VerificationType>,
}

/// Walks the frames of a StackMapTable; one `Frame` is reused, so nothing is allocated per frame.
#[derive(Debug)]
pub struct Frames<'a> {
    bytes: Bytes<'a>,
    left: u16,
    /// How many frames were read.
    seen: usize,
    pc: usize,
    frame: Frame,
}

impl<'a> Frames<'a> {
    /// `initial` are the locals on entry, as the method's descriptor says.
    pub fn read(info: &'a [u8], initial: Vec<VerificationType>) -> Result<Self, Error> {
        let mut bytes = Bytes::new(info, 0);
        let left = bytes.u2()?;
        Ok(Frames {
            bytes,
            left,
            seen: 0,
            pc: 0,
            frame: Frame {
                locals: initial,
                stack: Vec::new(),
            },
        })
    }

    /// The next frame and its pc, or `None` at the end of the table.
    pub fn next_frame(&mut self) -> Result<Option<(usize, &Frame)>, Error> {
        if self.left == 0 {
            self.bytes.finish()?;
            return Ok(None);
        }
        self.left -= 1;
        let number = self.seen;
        let bad = || Error::BadFrame { frame: number };
        let bytes = &mut self.bytes;
        let kind = bytes.u1()?;
        self.frame.stack.clear();
        let delta = match kind {
            0..=63 => usize::from(kind),
            64..=127 => {
                self.frame
                    .stack
                    .push(VerificationType::read(bytes, number)?);
                usize::from(kind - 64)
            }
            128..=246 => return Err(bad()),
            247 => {
                let delta = bytes.u2()?;
                self.frame
                    .stack
                    .push(VerificationType::read(bytes, number)?);
                usize::from(delta)
            }
            248..=250 => {
                let delta = bytes.u2()?;
                let kept = self
                    .frame
                    .locals
                    .len()
                    .checked_sub(usize::from(251 - kind))
                    .ok_or_else(bad)?;
                self.frame.locals.truncate(kept);
                usize::from(delta)
            }
            251..=254 => {
                let delta = bytes.u2()?;
                for _ in 251..kind {
                    self.frame
                        .locals
                        .push(VerificationType::read(bytes, number)?);
                }
                usize::from(delta)
            }
            255 => {
                let delta = bytes.u2()?;
                self.frame.locals.clear();
                for _ in 0..bytes.u2()? {
                    self.frame
                        .locals
                        .push(VerificationType::read(bytes, number)?);
                }
                for _ in 0..bytes.u2()? {
                    self.frame
                        .stack
                        .push(VerificationType::read(bytes, number)?);
                }
                usize::from(delta)
            }
        };
        // offset_delta counts from the byte after the previous frame's pc, except for the first frame.
        self.pc += delta + usize::from(number > 0);
        self.seen += 1;
        Ok(Some((self.pc, &self.frame)))
    }

    /// All frames, each on its own.
    pub fn collect(mut self) -> Result<Vec<(usize, Frame)>, Error> {
        let mut all = Vec::with_capacity(self.left as usize);
        while let Some((pc, frame)) = self.next_frame()? {
            all.push((pc, frame.clone()));
        }
        Ok(all)
    }
}

/// What can be said of a table without decoding it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outline {
    /// The pc of the last frame, if there is any.
    pub last: Option<usize>,
    /// Whether every frame has the first locals of the entry as they are there; when not, they may still be so.
    pub keeps_entry: bool,
}

impl Outline {
    /// `entry` is how many locals there are on entry.
    pub fn read(info: &[u8], entry: usize) -> Result<Self, Error> {
        let mut bytes = Bytes::new(info, 0);
        let mut outline = Outline {
            last: None,
            keeps_entry: true,
        };
        let mut locals = entry;
        for frame in 0..usize::from(bytes.u2()?) {
            let kind = bytes.u1()?;
            let delta = match kind {
                0..=63 => u16::from(kind),
                64..=127 => {
                    skip(&mut bytes, 1, frame)?;
                    u16::from(kind - 64)
                }
                128..=246 => return Err(Error::BadFrame { frame }),
                247 => {
                    let delta = bytes.u2()?;
                    skip(&mut bytes, 1, frame)?;
                    delta
                }
                248..=250 => {
                    locals = locals
                        .checked_sub(usize::from(251 - kind))
                        .ok_or_else(|| Error::BadFrame { frame })?;
                    bytes.u2()?
                }
                251..=254 => {
                    let delta = bytes.u2()?;
                    let added = u16::from(kind - 251);
                    skip(&mut bytes, added, frame)?;
                    locals += usize::from(added);
                    delta
                }
                255 => {
                    let delta = bytes.u2()?;
                    let listed = bytes.u2()?;
                    skip(&mut bytes, listed, frame)?;
                    let stack = bytes.u2()?;
                    skip(&mut bytes, stack, frame)?;
                    locals = usize::from(listed);
                    outline.keeps_entry = false;
                    delta
                }
            };
            outline.keeps_entry &= locals >= entry;
            // See `Frames::next_frame` for the odd one.
            outline.last = Some(outline.last.map_or(0, |last| last + 1) + usize::from(delta));
        }
        bytes.finish()?;
        Ok(outline)
    }
}

fn skip(bytes: &mut Bytes<'_>, types: u16, frame: usize) -> Result<(), Error> {
    for _ in 0..types {
        match bytes.u1()? {
            0..=6 => {}
            7 | 8 => {
                bytes.u2()?;
            }
            _ => return Err(Error::BadFrame { frame }),
        }
    }
    Ok(())
}

/// Writes a table to the end of `out`, each frame in the shortest form.
pub(crate) struct FrameWriter<'o> {
    out: &'o mut Vec<u8>,
    /// Where the table, which begins with the number of frames, starts.
    start: usize,
    count: usize,
    locals: Vec<VerificationType>,
    last: Option<usize>,
    /// The locals of the table's frames are not known: what is added is written whole.
    blind: bool,
}

impl<'o> FrameWriter<'o> {
    /// A new table, for a method with these locals on entry.
    pub(crate) fn new(initial: Vec<VerificationType>, out: &'o mut Vec<u8>) -> Self {
        let start = out.len();
        out.extend_from_slice(&[0, 0]);
        FrameWriter {
            out,
            start,
            count: 0,
            locals: initial,
            last: None,
            blind: false,
        }
    }

    /// Continues an existing table whose last frame is at `last`.
    pub(crate) fn resume(
        table: &[u8],
        last: Option<usize>,
        out: &'o mut Vec<u8>,
    ) -> Result<Self, Error> {
        let start = out.len();
        out.extend_from_slice(table);
        let count = usize::from(Bytes::new(table, 0).u2()?);
        Ok(FrameWriter {
            out,
            start,
            count,
            locals: Vec::new(),
            last,
            blind: true,
        })
    }

    /// Frames must come in order of their pcs.
    pub(crate) fn write(
        &mut self,
        pc: usize,
        locals: &[VerificationType],
        stack: &[VerificationType],
    ) -> Result<(), Error> {
        let whole = self.blind;
        let delta = match self.last {
            None => Some(pc),
            Some(last) => pc.checked_sub(last + 1),
        };
        let delta = delta
            .and_then(|delta| u16::try_from(delta).ok())
            .ok_or_else(|| Error::BadFrame { frame: self.count })?;
        self.last = Some(pc);
        self.count += 1;
        let out = &mut *self.out;
        let common = self
            .locals
            .iter()
            .zip(locals)
            .take_while(|(a, b)| a == b)
            .count();
        let gone = self.locals.len() - common;
        let new = locals.get(common..).unwrap_or(&[]);
        match (whole, gone, new.len(), stack) {
            (false, 0, 0, []) if delta < 64 => out.push(delta as u8),
            (false, 0, 0, [one]) if delta < 64 => {
                out.push(64 + delta as u8);
                one.write(out);
            }
            (false, 0, 0, [one]) => {
                out.push(247);
                out.extend_from_slice(&delta.to_be_bytes());
                one.write(out);
            }
            (false, 1..=3, 0, []) => {
                out.push(251 - gone as u8);
                out.extend_from_slice(&delta.to_be_bytes());
            }
            (false, 0, 0..=3, []) => {
                out.push(251 + new.len() as u8);
                out.extend_from_slice(&delta.to_be_bytes());
                for local in new {
                    local.write(out);
                }
            }
            _ => {
                out.push(255);
                out.extend_from_slice(&delta.to_be_bytes());
                for list in [locals, stack] {
                    let length = u16::try_from(list.len()).map_err(|_| Error::TooManySlots)?;
                    out.extend_from_slice(&length.to_be_bytes());
                    for local in list {
                        local.write(out);
                    }
                }
            }
        }
        if !self.blind {
            self.locals.clear();
            self.locals.extend_from_slice(locals);
        }
        Ok(())
    }

    pub(crate) fn finish(self) -> Result<(), Error> {
        let count = u16::try_from(self.count).map_err(|_| Error::TableTooLong {
            what: "the stack map",
        })?;
        if let Some(place) = self.out.get_mut(self.start..self.start + 2) {
            place.copy_from_slice(&count.to_be_bytes());
        }
        Ok(())
    }
}

/// Writes a whole table in the shortest form.
pub fn encode(frames: &[(usize, Frame)], initial: Vec<VerificationType>) -> Result<Vec<u8>, Error> {
    let mut out = Vec::new();
    let mut writer = FrameWriter::new(initial, &mut out);
    for (pc, frame) in frames {
        writer.write(*pc, &frame.locals, &frame.stack)?;
    }
    writer.finish()?;
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::VerificationType::{Integer, Long, Object, Top};
    use super::*;

    fn frame(pc: usize, locals: &[VerificationType], stack: &[VerificationType]) -> (usize, Frame) {
        let frame = Frame {
            locals: locals.to_vec(),
            stack: stack.to_vec(),
        };
        (pc, frame)
    }

    #[test]
    fn every_kind_of_frame_survives_encoding() {
        let frames = [
            frame(0, &[Integer], &[]),
            frame(63, &[Integer], &[]),
            frame(64, &[Integer], &[Long]),
            frame(300, &[Integer], &[Long]),
            frame(600, &[Integer], &[]),
            frame(601, &[Integer, Long, Top, Object(7)], &[]),
            frame(602, &[Integer, Long], &[]),
            frame(603, &[Object(1), Long], &[Integer, Integer]),
        ];
        let bytes = encode(&frames, vec![Integer]).unwrap();
        assert_eq!(
            Outline::read(&bytes, 1),
            Ok(Outline {
                last: Some(603),
                keeps_entry: false
            })
        );
        assert_eq!(
            Frames::read(&bytes, vec![Integer])
                .unwrap()
                .collect()
                .unwrap(),
            frames
        );
    }

    #[test]
    fn a_chop_below_the_first_local_is_an_error() {
        let table = [0, 1, 248, 0, 0];
        assert_eq!(
            Frames::read(&table, vec![Integer]).unwrap().collect(),
            Err(Error::BadFrame { frame: 0 })
        );
    }
}
