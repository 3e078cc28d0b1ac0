//! How values and contents are written; `decode.rs` read backwards.

use crate::ids::{ObjectId, TextId};
use crate::value::{Content, Lambda, Numbers, Primitive, Value};
use recrash_wire::recording::{LARGEST, SMALL_ZERO, SMALLEST, content, value};

/// The content of a chunk as it grows.
#[derive(Debug, Default)]
pub(crate) struct Chunk {
    pub(crate) bytes: Vec<u8>,
    last_object: u32,
    last_text: u32,
}

impl Chunk {
    pub(crate) fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    pub(crate) fn unsigned(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    pub(crate) fn signed(&mut self, number: i64) {
        self.unsigned((number << 1 ^ number >> 63) as u64);
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.unsigned(text.len() as u64);
        self.bytes.extend_from_slice(text.as_bytes());
    }

    pub(crate) fn object(&mut self, object: ObjectId) {
        self.signed(i64::from(object.0) - i64::from(self.last_object));
        self.last_object = object.0;
    }

    pub(crate) fn text_id(&mut self, text: TextId) {
        self.signed(i64::from(text.0) - i64::from(self.last_text));
        self.last_text = text.0;
    }

    pub(crate) fn value(&mut self, value: Value) {
        match value {
            Value::Null => self.byte(value::NULL),
            Value::Primitive(primitive) => self.primitive(primitive),
            Value::Boxed(primitive) => {
                self.byte(value::BOXED);
                self.primitive(primitive);
            }
            Value::Text(text) => {
                self.byte(value::TEXT);
                self.text_id(text);
            }
            Value::Literal(class, text) => {
                self.byte(value::LITERAL);
                self.unsigned(class.0.into());
                self.text_id(text);
            }
            Value::Object(object) => {
                self.byte(value::OBJECT);
                self.object(object);
            }
            Value::Unknown => self.byte(value::UNKNOWN),
        }
    }

    fn primitive(&mut self, primitive: Primitive) {
        match primitive {
            Primitive::Boolean(is) => self.byte(if is { value::TRUE } else { value::FALSE }),
            Primitive::Byte(number) => self.tagged(value::BYTE, number.into()),
            Primitive::Short(number) => self.tagged(value::SHORT, number.into()),
            Primitive::Char(unit) => {
                self.byte(value::CHAR);
                self.unsigned(unit.into());
            }
            Primitive::Int(number)
                if (i32::from(SMALLEST)..=i32::from(LARGEST)).contains(&number) =>
            {
                self.byte((number + i32::from(SMALL_ZERO)) as u8);
            }
            Primitive::Int(number) => self.tagged(value::INT, number.into()),
            Primitive::Long(number) => self.tagged(value::LONG, number),
            Primitive::Float(bits) => {
                self.byte(value::FLOAT);
                self.bytes.extend_from_slice(&bits.to_le_bytes());
            }
            Primitive::Double(bits) => {
                self.byte(value::DOUBLE);
                self.bytes.extend_from_slice(&bits.to_le_bytes());
            }
        }
    }

    fn tagged(&mut self, tag: u8, number: i64) {
        self.byte(tag);
        self.signed(number);
    }

    pub(crate) fn values(&mut self, values: &[Value]) {
        self.unsigned(values.len() as u64);
        for value in values {
            self.value(*value);
        }
    }

    pub(crate) fn content(&mut self, content: &Content) {
        match content {
            Content::Elements {
                made_with,
                size,
                kept,
            } => {
                self.byte(content::ELEMENTS);
                self.values(made_with);
                self.unsigned(*size);
                self.values(kept);
            }
            Content::Pairs {
                made_with,
                size,
                kept,
            } => {
                self.byte(content::PAIRS);
                self.values(made_with);
                self.unsigned(*size);
                self.unsigned(kept.len() as u64);
                for &(key, value) in kept {
                    self.value(key);
                    self.value(value);
                }
            }
            Content::Characters(text) => {
                self.byte(content::CHARACTERS);
                self.text_id(*text);
            }
            Content::Numbers(numbers) => {
                self.byte(content::NUMBERS);
                self.numbers(numbers);
            }
            Content::Fields(fields) => {
                self.byte(content::FIELDS);
                self.unsigned(fields.len() as u64);
                for &(class, name, value) in fields {
                    self.unsigned(class.0.into());
                    self.text_id(name);
                    self.value(value);
                }
            }
            Content::Throwable {
                message,
                cause,
                frames,
            } => {
                self.byte(content::THROWABLE);
                self.value(*message);
                self.value(*cause);
                self.unsigned(frames.len() as u64);
                for frame in frames {
                    self.text_id(frame.class);
                    self.text_id(frame.method);
                    self.byte(frame.file.is_some().into());
                    if let Some(file) = frame.file {
                        self.text_id(file);
                    }
                    self.signed(frame.line.into());
                }
            }
            Content::Lambda(lambda) => self.lambda(lambda),
        }
    }

    fn lambda(&mut self, lambda: &Lambda) {
        self.byte(content::LAMBDA);
        for text in [
            lambda.interface,
            lambda.method,
            lambda.descriptor,
            lambda.body_class,
            lambda.body_method,
            lambda.body_descriptor,
        ] {
            self.text_id(text);
        }
        self.values(&lambda.captured);
    }

    /// The letter of the element type, how many, and each in its own width.
    fn numbers(&mut self, numbers: &Numbers) {
        fn each<T: Copy, const N: usize>(
            chunk: &mut Chunk,
            letter: u8,
            all: &[T],
            bytes: impl Fn(T) -> [u8; N],
        ) {
            chunk.byte(letter);
            chunk.unsigned(all.len() as u64);
            for &one in all {
                chunk.bytes.extend_from_slice(&bytes(one));
            }
        }
        match numbers {
            Numbers::Boolean(all) => each(self, b'Z', all, |is| [u8::from(is)]),
            Numbers::Byte(all) => each(self, b'B', all, i8::to_le_bytes),
            Numbers::Short(all) => each(self, b'S', all, i16::to_le_bytes),
            Numbers::Char(all) => each(self, b'C', all, u16::to_le_bytes),
            Numbers::Int(all) => each(self, b'I', all, i32::to_le_bytes),
            Numbers::Long(all) => each(self, b'J', all, i64::to_le_bytes),
            Numbers::Float(all) => each(self, b'F', all, u32::to_le_bytes),
            Numbers::Double(all) => each(self, b'D', all, u64::to_le_bytes),
        }
    }
}
