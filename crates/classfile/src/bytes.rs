//! Reading big-endian numbers, the only way this crate looks at bytes.

use crate::Error;

/// A place in a byte slice. `base` is the slice's own offset in the class file, for the errors.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bytes<'a> {
    data: &'a [u8],
    base: usize,
    at: usize,
}

impl<'a> Bytes<'a> {
    pub(crate) fn new(data: &'a [u8], base: usize) -> Self {
        Bytes { data, base, at: 0 }
    }

    /// Offset in the class file.
    pub(crate) fn offset(&self) -> usize {
        self.base + self.at
    }

    pub(crate) fn is_at_end(&self) -> bool {
        self.at >= self.data.len()
    }

    pub(crate) fn remaining(&self) -> usize {
        self.data.len().saturating_sub(self.at)
    }

    pub(crate) fn take(&mut self, length: usize) -> Result<&'a [u8], Error> {
        let end = self
            .at
            .checked_add(length)
            .ok_or_else(|| Error::Truncated {
                offset: self.offset(),
            })?;
        let taken = self
            .data
            .get(self.at..end)
            .ok_or_else(|| Error::Truncated {
                offset: self.base + self.data.len(),
            })?;
        self.at = end;
        Ok(taken)
    }

    pub(crate) fn u1(&mut self) -> Result<u8, Error> {
        let value = *self.data.get(self.at).ok_or_else(|| Error::Truncated {
            offset: self.offset(),
        })?;
        self.at += 1;
        Ok(value)
    }

    pub(crate) fn u2(&mut self) -> Result<u16, Error> {
        match self.take(2)? {
            [a, b] => Ok(u16::from_be_bytes([*a, *b])),
            _ => Err(Error::Truncated {
                offset: self.offset(),
            }),
        }
    }

    pub(crate) fn u4(&mut self) -> Result<u32, Error> {
        match self.take(4)? {
            [a, b, c, d] => Ok(u32::from_be_bytes([*a, *b, *c, *d])),
            _ => Err(Error::Truncated {
                offset: self.offset(),
            }),
        }
    }

    /// The data must be used up, otherwise its meaning is not what we think it is.
    pub(crate) fn finish(&self) -> Result<(), Error> {
        match self.remaining() {
            0 => Ok(()),
            surplus => Err(Error::Surplus {
                offset: self.offset(),
                surplus,
            }),
        }
    }
}

/// The big-endian `u2` at `at`, if it is inside.
pub(crate) fn u2_at(data: &[u8], at: usize) -> Option<u16> {
    let bytes = data.get(at..at.checked_add(2)?)?;
    Some(u16::from_be_bytes(bytes.try_into().ok()?))
}

/// The big-endian `i4` at `at`, if it is inside.
pub(crate) fn i4_at(data: &[u8], at: usize) -> Option<i32> {
    let bytes = data.get(at..at.checked_add(4)?)?;
    Some(i32::from_be_bytes(bytes.try_into().ok()?))
}
