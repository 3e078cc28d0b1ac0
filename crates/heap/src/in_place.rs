//! Changes that leave every record where it is: same length, same identity, no reference out of range.
//!
//! What redaction needs: to overwrite characters, elements and fields of a heap that may hold millions of objects, without
//! building it anew. A [`Heap`] stays what its readers rely on, because what does not fit is refused.

use crate::classes::Class;
use crate::error::Error;
use crate::format::{self, ClassIndex, Cursor, tag};
use crate::heap::{Heap, Record, read_value};
use crate::manifest::{ObjectId, Value};
use std::ops::Range;

/// What the contents of a record are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// The fields of an instance or an enum constant, as [`Heap::layout`] says.
    Fields,
    /// Ids of four bytes.
    References,
    /// Elements of this type, by its descriptor.
    Primitives(u8),
    /// Characters of one byte.
    Latin1,
    /// Characters of two bytes.
    Utf16,
    /// The UTF-8 that tells a stand-in from others, such as the name of a thread.
    StandIn,
}

/// Where the contents of an object are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contents {
    pub class: ClassIndex,
    pub form: Form,
    range: Range<usize>,
}

/// A field in the contents of every instance of a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LaidField<'a> {
    pub declared_in: &'a str,
    pub name: &'a str,
    pub descriptor: &'a str,
    /// Bytes from the start of the contents.
    pub offset: usize,
}

impl Heap {
    /// `None` for what has no contents to change: classes, members, cached numbers, cut objects.
    pub fn contents(&self, id: ObjectId) -> Option<Contents> {
        let record = self.record(id)?;
        let Record {
            tag,
            class,
            mut body,
            ..
        } = record;
        let (form, bytes) = match tag {
            tag::INSTANCE => (Form::Fields, self.instance_bytes(class)),
            tag::ENUM => {
                body.str("an enum constant").ok()?;
                (Form::Fields, self.instance_bytes(class))
            }
            tag::OBJECT_ARRAY => (Form::References, 4 * body.u32("an array").ok()? as usize),
            tag::PRIMITIVE_ARRAY => {
                let length = body.u32("an array").ok()? as usize;
                let component = self.class(class).and_then(Class::component)?;
                let width = format::width(component)? as usize;
                let kind = *component.as_bytes().first()?;
                (Form::Primitives(kind), length * width)
            }
            tag::STRING => {
                let coder = body.u8("a string").ok()?;
                let bytes = body.u32("a string").ok()? as usize;
                let form = if coder & 1 == 1 {
                    Form::Utf16
                } else {
                    Form::Latin1
                };
                (form, bytes)
            }
            tag::STAND_IN => {
                body.u8("a stand-in").ok()?;
                (Form::StandIn, body.u16("a stand-in").ok()? as usize)
            }
            _ => return None,
        };
        let start = body.position();
        Some(Contents {
            class,
            form,
            range: start..start + bytes,
        })
    }

    pub fn bytes_of(&self, contents: &Contents) -> &[u8] {
        self.bytes().get(contents.range.clone()).unwrap_or_default()
    }

    /// The fields of the class's instances, those of the topmost super class first.
    pub fn layout(&self, class: ClassIndex) -> Vec<LaidField<'_>> {
        let mut line = Vec::new();
        let mut next = self.class(class);
        while let Some(class) = next {
            line.push(class);
            next = class.super_class.and_then(|above| self.class(above));
        }
        let mut offset = 0;
        let mut slots = Vec::new();
        for class in line.iter().rev() {
            for field in &class.fields {
                slots.push(LaidField {
                    declared_in: &class.name,
                    name: &field.name,
                    descriptor: &field.descriptor,
                    offset,
                });
                offset += format::width(&field.descriptor).unwrap_or(0) as usize;
            }
        }
        slots
    }

    /// The value `offset` bytes into the contents, of the type that the descriptor tells.
    pub fn value_at(&self, contents: &Contents, offset: usize, descriptor: &str) -> Option<Value> {
        let start = contents.range.start.checked_add(offset)?;
        let width = format::width(descriptor)? as usize;
        if start + width > contents.range.end {
            return None;
        }
        read_value(&mut Cursor::new(self.bytes(), start), descriptor).ok()
    }

    /// Overwrites a value; false where it would not fit or would refer to nothing.
    pub fn set_value(&mut self, contents: &Contents, offset: usize, value: Value) -> bool {
        if let Value::Ref(ObjectId(id)) = value
            && id > self.len()
        {
            return false;
        }
        let bytes = value_bytes(value);
        self.overwrite_range(contents, offset, &bytes)
    }

    /// Overwrites characters or primitive elements; false where they would not fit, or the contents are of another form.
    pub fn overwrite(&mut self, contents: &Contents, offset: usize, bytes: &[u8]) -> bool {
        match contents.form {
            Form::Fields | Form::References => false,
            Form::StandIn if std::str::from_utf8(bytes).is_err() => false,
            _ => self.overwrite_range(contents, offset, bytes),
        }
    }

    fn overwrite_range(&mut self, contents: &Contents, offset: usize, bytes: &[u8]) -> bool {
        let Some(start) = contents.range.start.checked_add(offset) else {
            return false;
        };
        let end = start + bytes.len();
        let fits = end <= contents.range.end;
        if let Some(place) = self.bytes_mut().get_mut(start..end).filter(|_| fits) {
            place.copy_from_slice(bytes);
            return true;
        }
        false
    }

    /// The same objects under the same ids; of those that are not wanted only the class is left.
    pub fn cut(&self, wanted: impl Fn(ObjectId) -> bool) -> Result<Heap, Error> {
        let mut bytes = Vec::with_capacity(self.bytes().len());
        for id in (1..=self.len()).map(ObjectId) {
            let span = self.span(id);
            if id.0 == 1 {
                bytes.extend(self.bytes().get(..span.start).unwrap_or_default());
            }
            match self.record(id) {
                Some(record) if !wanted(id) => {
                    bytes.push(tag::CUT);
                    bytes.extend(record.class.0.to_le_bytes());
                }
                _ => bytes.extend(self.bytes().get(span).unwrap_or_default()),
            }
        }
        if self.is_empty() {
            return Ok(self.clone());
        }
        Heap::parse(bytes, self.len())
    }

    fn instance_bytes(&self, class: ClassIndex) -> usize {
        self.class(class)
            .map_or(0, |class| class.instance_bytes as usize)
    }
}

fn value_bytes(value: Value) -> Vec<u8> {
    match value {
        Value::Null => 0u32.to_le_bytes().to_vec(),
        Value::Ref(ObjectId(v)) | Value::FloatBits(v) => v.to_le_bytes().to_vec(),
        Value::Boolean(v) => vec![v.into()],
        Value::Byte(v) => vec![v as u8],
        Value::Char(v) => v.to_le_bytes().to_vec(),
        Value::Short(v) => v.to_le_bytes().to_vec(),
        Value::Int(v) => v.to_le_bytes().to_vec(),
        Value::Long(v) => v.to_le_bytes().to_vec(),
        Value::DoubleBits(v) => v.to_le_bytes().to_vec(),
    }
}
