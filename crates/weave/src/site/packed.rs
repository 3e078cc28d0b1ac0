//! Numbers and names one behind the other, read back in the same order.

use recrash_classfile::{MemberRef, text};

/// Adds to a packed table.
pub(crate) trait Pack {
    fn pack_number(&mut self, number: u16);
    /// Nothing in a constant pool is longer than its length can say.
    fn pack(&mut self, bytes: &[u8]);
    fn pack_field(&mut self, field: &MemberRef<'_>);
}

impl Pack for Vec<u8> {
    fn pack_number(&mut self, number: u16) {
        self.extend_from_slice(&number.to_le_bytes());
    }

    fn pack(&mut self, bytes: &[u8]) {
        self.pack_number(bytes.len() as u16);
        self.extend_from_slice(bytes);
    }

    fn pack_field(&mut self, field: &MemberRef<'_>) {
        for part in [field.class, field.name, field.descriptor] {
            self.pack(part);
        }
    }
}

/// Every answer is `None` when there is nothing left.
pub(crate) struct Unpacker<'p> {
    pub(crate) rest: &'p [u8],
}

impl<'p> Unpacker<'p> {
    pub(crate) fn take(&mut self, length: usize) -> Option<&'p [u8]> {
        let (taken, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(taken)
    }

    pub(crate) fn number(&mut self) -> Option<u16> {
        Some(u16::from_le_bytes(self.take(2)?.try_into().ok()?))
    }

    pub(crate) fn long_number(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.take(4)?.try_into().ok()?))
    }

    pub(crate) fn bytes(&mut self) -> Option<&'p [u8]> {
        let length = self.number()?;
        self.take(usize::from(length))
    }

    pub(crate) fn text(&mut self) -> Option<String> {
        self.bytes().map(text)
    }
}
