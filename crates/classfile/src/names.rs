//! The attributes that name parameters and local variables (JVMS 4.7.13, 4.7.24).

use crate::bytes::Bytes;
use crate::{Attribute, Error};

/// An entry of a LocalVariableTable; `name` and `descriptor` are Utf8 indexes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LocalVariable {
    pub start: u16,
    pub length: u16,
    pub name: u16,
    pub descriptor: u16,
    pub local: u16,
}

pub fn local_variables(table: &Attribute<'_>) -> Result<Vec<LocalVariable>, Error> {
    let mut bytes = Bytes::new(table.info, table.offset);
    let count = bytes.u2()?;
    let mut all = Vec::with_capacity(usize::from(count).min(bytes.remaining() / 10));
    for _ in 0..count {
        let (start, length, name) = (bytes.u2()?, bytes.u2()?, bytes.u2()?);
        all.push(LocalVariable {
            start,
            length,
            name,
            descriptor: bytes.u2()?,
            local: bytes.u2()?,
        });
    }
    Ok(all)
}

/// Utf8 indexes of the names in a MethodParameters attribute; 0 where a parameter has none.
pub fn method_parameters(table: &Attribute<'_>) -> Result<Vec<u16>, Error> {
    let mut bytes = Bytes::new(table.info, table.offset);
    let count = bytes.u1()?;
    let mut all = Vec::with_capacity(count as usize);
    for _ in 0..count {
        all.push(bytes.u2()?);
        bytes.u2()?;
    }
    Ok(all)
}
