//! Reads what `$RecrashBytes` wrote: big-endian numbers, and strings as length and UTF-8.

/// The bytes ended early or a count was absurd: the Java side and this one disagree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the runtime's record is cut short at byte {0}")]
pub struct Truncated(pub usize);

pub struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    fn take(&mut self, length: usize) -> Result<&'a [u8], Truncated> {
        let end = self.at.checked_add(length).ok_or(Truncated(self.at))?;
        let taken = self.bytes.get(self.at..end).ok_or(Truncated(self.at))?;
        self.at = end;
        Ok(taken)
    }

    pub fn flag(&mut self) -> Result<bool, Truncated> {
        Ok(self.take(1)? != [0])
    }

    pub fn number(&mut self) -> Result<i32, Truncated> {
        let at = self.at;
        let bytes = self.take(4)?.try_into().map_err(|_| Truncated(at))?;
        Ok(i32::from_be_bytes(bytes))
    }

    pub fn long(&mut self) -> Result<i64, Truncated> {
        let at = self.at;
        let bytes = self.take(8)?.try_into().map_err(|_| Truncated(at))?;
        Ok(i64::from_be_bytes(bytes))
    }

    /// `None` where Java wrote null.
    pub fn text(&mut self) -> Result<Option<String>, Truncated> {
        let length = self.number()?;
        if length < 0 {
            return Ok(None);
        }
        let bytes = self.take(length as usize)?;
        Ok(Some(String::from_utf8_lossy(bytes).into_owned()))
    }

    pub fn name(&mut self) -> Result<String, Truncated> {
        Ok(self.text()?.unwrap_or_default())
    }

    /// A count, then so many items.
    pub fn list<T>(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Result<T, Truncated>,
    ) -> Result<Vec<T>, Truncated> {
        let count = self.number()?;
        let mut items = Vec::new();
        for _ in 0..count {
            items.push(item(self)?);
        }
        Ok(items)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_that_ends_early_is_refused_with_the_place() {
        let mut reader = Reader::new(&[0, 0, 0, 5, b'a', b'b']);
        assert_eq!(reader.text(), Err(Truncated(4)));
    }

    #[test]
    fn null_and_empty_strings_differ() {
        let mut reader = Reader::new(&[255, 255, 255, 255, 0, 0, 0, 0]);
        assert_eq!(reader.text(), Ok(None));
        assert_eq!(reader.text(), Ok(Some(String::new())));
    }
}
