//! A position in the content of one chunk.

use crate::error::{Error, Result};
use crate::ids::{ObjectId, TextId};

/// Reads within bounds; what is counted is never more than the bytes that are left.
#[derive(Debug)]
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Where the content begins in the file.
    start: u64,
    /// Ids are told as differences to the last ones of the chunk.
    last_object: u32,
    last_text: u32,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(bytes: &'a [u8], start: u64) -> Self {
        Cursor {
            bytes,
            at: 0,
            start,
            last_object: 0,
            last_text: 0,
        }
    }

    pub(crate) fn is_at_end(&self) -> bool {
        self.at == self.bytes.len()
    }

    pub(crate) fn at(&self) -> usize {
        self.at
    }

    pub(crate) fn back_to(&mut self, at: usize) {
        self.at = at;
    }

    pub(crate) fn damaged(&self, what: &'static str) -> Error {
        Error::Damaged {
            what,
            at: self.start + self.at as u64,
        }
    }

    pub(crate) fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        let end = self.at.checked_add(count);
        let taken = end.and_then(|end| self.bytes.get(self.at..end));
        let taken = taken.ok_or_else(|| self.damaged("a chunk that ends too early"))?;
        self.at += count;
        Ok(taken)
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let taken = self.take(N)?;
        taken
            .try_into()
            .map_err(|_| self.damaged("a chunk that ends too early"))
    }

    pub(crate) fn byte(&mut self) -> Result<u8> {
        Ok(u8::from_le_bytes(self.array()?))
    }

    pub(crate) fn unsigned(&mut self) -> Result<u64> {
        let mut number = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let part = u64::from(byte & 0x7f);
            if part.leading_zeros() < shift && part != 0 {
                break;
            }
            number |= part << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(self.damaged("a number of more than 64 bits"))
    }

    pub(crate) fn number(&mut self) -> Result<u32> {
        let number = self.unsigned()?;
        u32::try_from(number).map_err(|_| self.damaged("a number of more than 32 bits"))
    }

    pub(crate) fn signed(&mut self) -> Result<i64> {
        let number = self.unsigned()?;
        Ok((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    pub(crate) fn int(&mut self) -> Result<i32> {
        let number = self.signed()?;
        i32::try_from(number).map_err(|_| self.damaged("a number of more than 32 bits"))
    }

    /// How many things follow, of which each takes at least `size` bytes.
    pub(crate) fn count(&mut self, size: usize) -> Result<usize> {
        let count = self.unsigned()?;
        let most = (self.bytes.len() - self.at) / size.max(1);
        let count = usize::try_from(count).ok().filter(|count| *count <= most);
        count.ok_or_else(|| self.damaged("a count of more than there is"))
    }

    pub(crate) fn text(&mut self) -> Result<&'a str> {
        let length = self.count(1)?;
        let bytes = self.take(length)?;
        std::str::from_utf8(bytes).map_err(|_| self.damaged("a text that is not UTF-8"))
    }

    pub(crate) fn object(&mut self) -> Result<ObjectId> {
        self.last_object = self.moved(self.last_object)?;
        Ok(ObjectId(self.last_object))
    }

    pub(crate) fn text_id(&mut self) -> Result<TextId> {
        self.last_text = self.moved(self.last_text)?;
        Ok(TextId(self.last_text))
    }

    fn moved(&mut self, last: u32) -> Result<u32> {
        let difference = self.signed()?;
        let moved = i64::from(last).checked_add(difference);
        let moved = moved.and_then(|moved| u32::try_from(moved).ok());
        moved.ok_or_else(|| self.damaged("a number of more than 32 bits"))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::encode::Chunk;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_are_read_as_they_were_written(unsigned: u64, signed: i64) {
            let mut chunk = Chunk::default();
            chunk.unsigned(unsigned);
            chunk.signed(signed);
            let mut cursor = Cursor::new(&chunk.bytes, 0);
            prop_assert_eq!(cursor.unsigned().unwrap(), unsigned);
            prop_assert_eq!(cursor.signed().unwrap(), signed);
            prop_assert!(cursor.is_at_end());
        }
    }

    #[test]
    fn numbers_end() {
        assert!(Cursor::new(&[0xff; 20], 0).unsigned().is_err());
        let most = [255, 255, 255, 255, 255, 255, 255, 255, 255, 1];
        assert_eq!(Cursor::new(&most, 0).unsigned().unwrap(), u64::MAX);
        let more = [255, 255, 255, 255, 255, 255, 255, 255, 255, 2];
        assert!(Cursor::new(&more, 0).unsigned().is_err());
    }
}
