//! Attributes of classes, members and code (JVMS 4.7), decoded only when asked.

use crate::bytes::Bytes;
use crate::{ConstantPool, Error};

/// The attributes of a class, member or code, one after the other as in the file.
#[derive(Debug, Clone, Copy)]
pub struct Attributes<'a> {
    bytes: Bytes<'a>,
    count: u16,
}

/// One attribute; `info` is what follows its length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attribute<'a> {
    pub name_index: u16,
    pub name: &'a [u8],
    pub info: &'a [u8],
    /// Where `info` starts in the class file.
    pub offset: usize,
}

impl<'a> Attributes<'a> {
    /// Reads the count and steps over the attributes.
    pub(crate) fn read(bytes: &mut Bytes<'a>) -> Result<Self, Error> {
        let count = bytes.u2()?;
        let start = *bytes;
        for _ in 0..count {
            bytes.u2()?;
            let length = bytes.u4()?;
            bytes.take(length as usize)?;
        }
        Ok(Attributes {
            bytes: start,
            count,
        })
    }

    pub fn len(&self) -> u16 {
        self.count
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub fn iter<'p>(
        &self,
        pool: &'p ConstantPool<'a>,
    ) -> impl Iterator<Item = Result<Attribute<'a>, Error>> + use<'a, 'p> {
        let mut bytes = self.bytes;
        (0..self.count).map(move |_| {
            let name_index = bytes.u2()?;
            let length = bytes.u4()?;
            let offset = bytes.offset();
            Ok(Attribute {
                name_index,
                name: pool.utf8(name_index)?,
                info: bytes.take(length as usize)?,
                offset,
            })
        })
    }

    /// The first attribute with this name.
    pub fn find(
        &self,
        pool: &ConstantPool<'a>,
        name: &[u8],
    ) -> Result<Option<Attribute<'a>>, Error> {
        for attribute in self.iter(pool) {
            let attribute = attribute?;
            if attribute.name == name {
                return Ok(Some(attribute));
            }
        }
        Ok(None)
    }
}
