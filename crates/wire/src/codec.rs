//! How bytes are read: within bounds, and with a sentence where they end.

/// Bytes that are no message of the format: they end early, or say what none says.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Malformed {
    #[error("{what} is cut short at byte {at}")]
    Truncated { what: &'static str, at: usize },
    #[error("byte {at} is {code}, which {what} does not know")]
    Unknown {
        what: &'static str,
        code: u8,
        at: usize,
    },
    #[error("the text at byte {at} is not UTF-8")]
    NotUtf8 { at: usize },
    #[error("these bytes do not begin like {0}")]
    Foreign(&'static str),
    #[error(
        "{what} has version {found}, this side reads version {known}: they come from different builds of recrash"
    )]
    Version {
        what: &'static str,
        found: u32,
        known: u32,
    },
    #[error("{what} goes on behind its end at byte {at}")]
    TooLong { what: &'static str, at: usize },
}

/// A position in bytes of one format.
#[derive(Debug, Clone)]
pub struct Reader<'a> {
    what: &'static str,
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    /// `what` names the format in errors: "the restore plan".
    pub fn new(what: &'static str, bytes: &'a [u8]) -> Self {
        Self { what, bytes, at: 0 }
    }

    pub fn what(&self) -> &'static str {
        self.what
    }

    pub fn at(&self) -> usize {
        self.at
    }

    pub fn take(&mut self, count: usize) -> Result<&'a [u8], Malformed> {
        let end = self.at.checked_add(count);
        let taken = end.and_then(|end| self.bytes.get(self.at..end));
        let taken = taken.ok_or(Malformed::Truncated {
            what: self.what,
            at: self.at,
        })?;
        self.at += count;
        Ok(taken)
    }

    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], Malformed> {
        let at = self.at;
        let what = self.what;
        self.take(N)?
            .try_into()
            .map_err(|_| Malformed::Truncated { what, at })
    }

    pub fn byte(&mut self) -> Result<u8, Malformed> {
        Ok(u8::from_le_bytes(self.array()?))
    }

    /// The version that both sides must have.
    pub fn expect(&self, found: u32, known: u32) -> Result<(), Malformed> {
        if found == known {
            return Ok(());
        }
        Err(Malformed::Version {
            what: self.what,
            found,
            known,
        })
    }

    /// Nothing may follow.
    pub fn end(&self) -> Result<(), Malformed> {
        if self.at == self.bytes.len() {
            return Ok(());
        }
        Err(Malformed::TooLong {
            what: self.what,
            at: self.at,
        })
    }
}
