//! The attributes that name parameters and local variables (JVMS 4.7.13, 4.7.24).

use crate::bytes::{Bytes, u2_at};
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

/// The entries of a LocalVariableTable that start at this pc.
pub fn local_variables_from<'a>(
    pc: u16,
    table: &Attribute<'a>,
) -> impl Iterator<Item = LocalVariable> + use<'a> {
    table
        .info
        .get(2..)
        .unwrap_or(&[])
        .chunks_exact(10)
        .filter_map(move |entry| {
            Some(LocalVariable {
                start: u2_at(entry, 0).filter(|&start| start == pc)?,
                length: u2_at(entry, 2)?,
                name: u2_at(entry, 4)?,
                descriptor: u2_at(entry, 6)?,
                local: u2_at(entry, 8)?,
            })
        })
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
