//! What a recorder in a running program writes: chunks, one after the other, and the tables of the code that it wove.

use crate::cursor::Cursor;
use crate::encode::Chunk;
use crate::error::Result;
use crate::model::{Field, Method, Operation};
use flate2::Compression;
use flate2::write::DeflateEncoder;
use recrash_wire::recording::{
    DEFLATED, MAGIC, VERSION, WORTH_DEFLATING, chunk as kinds, definition, operation,
};
use std::collections::HashMap;
use std::io::Write;

/// The beginning of a file, with names and values about the run.
pub fn beginning(header: &[(String, String)]) -> Vec<u8> {
    let mut file = MAGIC.to_vec();
    file.extend_from_slice(&VERSION.to_le_bytes());
    let mut content = Chunk::default();
    for (name, value) in header {
        content.text(name);
        content.text(value);
    }
    file.extend(chunk(kinds::HEADER, &content.bytes));
    file
}

/// A chunk with this content.
pub fn chunk(kind: u8, content: &[u8]) -> Vec<u8> {
    let worth = kind == kinds::DEFINITIONS && content.len() >= WORTH_DEFLATING;
    match worth.then(|| deflated(content)).flatten() {
        Some(shorter) => framed(kind | DEFLATED, &shorter),
        None => framed(kind, content),
    }
}

fn deflated(content: &[u8]) -> Option<Vec<u8>> {
    let mut packed = (content.len() as u32).to_le_bytes().to_vec();
    let mut encoder = DeflateEncoder::new(&mut packed, Compression::fast());
    encoder.write_all(content).ok()?;
    encoder.finish().ok()?;
    (packed.len() < content.len()).then_some(packed)
}

fn framed(kind: u8, content: &[u8]) -> Vec<u8> {
    let mut checksum = crc32fast::Hasher::new();
    checksum.update(&[kind]);
    checksum.update(content);
    let mut bytes = Vec::with_capacity(content.len() + 9);
    bytes.push(kind);
    bytes.extend_from_slice(&(content.len() as u32).to_le_bytes());
    bytes.extend_from_slice(&checksum.finalize().to_le_bytes());
    bytes.extend_from_slice(content);
    bytes
}

/// The content of a chunk of definitions with other texts, where `replace` has some; nothing where all stay. It must be whole.
pub fn with_texts(content: &[u8], replace: impl Fn(&str) -> Option<String>) -> Option<Vec<u8>> {
    let mut cursor = Cursor::new(content, 0);
    let mut changed = Chunk::default();
    let mut any = false;
    while !cursor.is_at_end() {
        let start = cursor.at();
        if cursor.byte().ok()? != definition::TEXT {
            cursor.back_to(start);
            skip(&mut cursor).ok()?;
            changed
                .bytes
                .extend_from_slice(content.get(start..cursor.at())?);
            continue;
        }
        let text = cursor.text().ok()?;
        let replaced = replace(text);
        any |= replaced.is_some();
        changed.byte(definition::TEXT);
        changed.text(replaced.as_deref().unwrap_or(text));
    }
    any.then_some(changed.bytes)
}

/// Steps over a definition that the recorder's own side makes and that is no text.
fn skip(cursor: &mut Cursor<'_>) -> Result<()> {
    match cursor.byte()? {
        definition::UNITS => {
            let count = cursor.count(2)?;
            cursor.take(2 * count)?;
        }
        definition::TYPE => {
            cursor.take(2)?;
            cursor.text()?;
            if cursor.byte()? != 0 {
                cursor.number()?;
            }
            for _ in 0..cursor.count(1)? {
                cursor.number()?;
            }
        }
        definition::OBJECT => {
            cursor.number()?;
            cursor.byte()?;
        }
        definition::THREAD => {
            cursor.number()?;
            cursor.text()?;
        }
        _ => return Err(cursor.damaged("a definition of an unknown kind")),
    }
    Ok(())
}

/// What the code at a site is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Named {
    Method(Method),
    Field(Field),
    Element,
}

/// The tables of methods, fields and sites as they grow while classes load.
#[derive(Debug, Default)]
pub struct CodeTables {
    methods: HashMap<Method, u32>,
    fields: HashMap<Field, u32>,
    sites: u32,
    pending: Chunk,
}

impl CodeTables {
    /// The number of the next site.
    pub fn next_site(&self) -> u32 {
        self.sites
    }

    pub fn add(&mut self, inside_of: Method, line: u16, operation: Operation, target: Named) {
        let inside_of = self.method(inside_of);
        let target = match target {
            Named::Method(method) => Some(self.method(method)),
            Named::Field(field) => Some(self.field(field)),
            Named::Element => None,
        };
        self.pending.byte(definition::SITE);
        self.pending.byte(code(operation));
        self.pending.unsigned(inside_of.into());
        self.pending.unsigned(line.into());
        if let Some(target) = target {
            self.pending.unsigned(target.into());
        }
        self.sites += 1;
    }

    /// The content of a chunk with what was added since the last one; nothing where there is nothing.
    pub fn take(&mut self) -> Option<Vec<u8>> {
        let pending = std::mem::take(&mut self.pending);
        (!pending.bytes.is_empty()).then_some(pending.bytes)
    }

    fn method(&mut self, method: Method) -> u32 {
        if let Some(known) = self.methods.get(&method) {
            return *known;
        }
        let number = self.methods.len() as u32;
        self.pending.byte(definition::METHOD);
        self.pending.byte(method.flags.0);
        for text in [&method.owner, &method.name, &method.descriptor] {
            self.pending.text(text);
        }
        self.methods.insert(method, number);
        number
    }

    fn field(&mut self, field: Field) -> u32 {
        if let Some(known) = self.fields.get(&field) {
            return *known;
        }
        let number = self.fields.len() as u32;
        self.pending.byte(definition::FIELD);
        self.pending.byte(field.flags.0);
        for text in [&field.owner, &field.name, &field.descriptor] {
            self.pending.text(text);
        }
        self.fields.insert(field, number);
        number
    }
}

pub(crate) fn code(operation: Operation) -> u8 {
    match operation {
        Operation::Call => operation::CALL,
        Operation::Entry => operation::ENTRY,
        Operation::Arrival => operation::ARRIVAL,
        Operation::Read => operation::READ,
        Operation::Write => operation::WRITE,
        Operation::ElementRead => operation::ELEMENT_READ,
        Operation::ElementWrite => operation::ELEMENT_WRITE,
        Operation::Question => operation::QUESTION,
        Operation::Lambda => operation::LAMBDA,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn texts_are_replaced_among_other_definitions() {
        let mut content = Chunk::default();
        content
            .bytes
            .extend([definition::TYPE, 0, 0, 1, b'A', 1, 0, 1, 0]);
        content.bytes.extend([definition::TEXT, 2, b'h', b'i']);
        content.bytes.extend([definition::OBJECT, 0, 1]);
        content.bytes.extend([definition::UNITS, 1, 0, 0xd8]);
        content.bytes.extend([definition::THREAD, 3, 1, b't']);
        assert_eq!(with_texts(&content.bytes, |_| None), None);
        let changed = with_texts(&content.bytes, |text| Some(text.to_uppercase())).unwrap();
        let expected: Vec<u8> = content
            .bytes
            .iter()
            .map(|byte| match byte {
                b'h' => b'H',
                b'i' => b'I',
                other => *other,
            })
            .collect();
        assert_eq!(changed, expected);
    }
}
