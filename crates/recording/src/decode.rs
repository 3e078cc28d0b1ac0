//! How values and contents are read. Nothing nests: what an object holds is told by numbers.

use crate::cursor::Cursor;
use crate::error::Result;
use crate::ids::TypeId;
use crate::value::{Content, Frame, Lambda, Numbers, Primitive, Value};
use recrash_wire::recording::{LARGEST, SMALL_ZERO, SMALLEST, content, value};

/// The tag of the smallest int of one byte.
const FIRST_SMALL: i16 = SMALL_ZERO as i16 + SMALLEST;
const _: () = assert!(SMALL_ZERO as i16 + LARGEST == 0xff);

impl Cursor<'_> {
    pub(crate) fn value(&mut self) -> Result<Value> {
        let tag = self.byte()?;
        Ok(match tag {
            value::NULL => Value::Null,
            value::OBJECT => Value::Object(self.object()?),
            value::TEXT => Value::Text(self.text_id()?),
            value::BOXED => {
                let tag = self.byte()?;
                Value::Boxed(self.primitive(tag)?)
            }
            value::LITERAL => {
                let class = TypeId(self.number()?);
                Value::Literal(class, self.text_id()?)
            }
            value::UNKNOWN => Value::Unknown,
            _ => Value::Primitive(self.primitive(tag)?),
        })
    }

    fn primitive(&mut self, tag: u8) -> Result<Primitive> {
        Ok(match tag {
            value::FALSE => Primitive::Boolean(false),
            value::TRUE => Primitive::Boolean(true),
            value::BYTE => Primitive::Byte(self.narrow()?),
            value::SHORT => Primitive::Short(self.narrow()?),
            value::CHAR => {
                let unit = self.unsigned()?;
                let unit = u16::try_from(unit);
                Primitive::Char(unit.map_err(|_| self.damaged("a char out of range"))?)
            }
            value::INT => Primitive::Int(self.int()?),
            value::LONG => Primitive::Long(self.signed()?),
            value::FLOAT => Primitive::Float(u32::from_le_bytes(self.array()?)),
            value::DOUBLE => Primitive::Double(u64::from_le_bytes(self.array()?)),
            _ if i16::from(tag) >= FIRST_SMALL => {
                Primitive::Int(i32::from(tag) - i32::from(SMALL_ZERO))
            }
            _ => return Err(self.damaged("an unknown kind of value")),
        })
    }

    fn narrow<T: TryFrom<i64>>(&mut self) -> Result<T> {
        let number = self.signed()?;
        T::try_from(number).map_err(|_| self.damaged("a number out of range"))
    }

    pub(crate) fn values(&mut self) -> Result<Vec<Value>> {
        let count = self.count(1)?;
        (0..count).map(|_| self.value()).collect()
    }

    pub(crate) fn content(&mut self) -> Result<Content> {
        Ok(match self.byte()? {
            content::ELEMENTS => Content::Elements {
                made_with: self.values()?,
                size: self.unsigned()?,
                kept: self.values()?,
            },
            content::PAIRS => {
                let made_with = self.values()?;
                let size = self.unsigned()?;
                let count = self.count(2)?;
                let pairs = (0..count).map(|_| Ok((self.value()?, self.value()?)));
                Content::Pairs {
                    made_with,
                    size,
                    kept: pairs.collect::<Result<_>>()?,
                }
            }
            content::CHARACTERS => Content::Characters(self.text_id()?),
            content::NUMBERS => Content::Numbers(self.numbers()?),
            content::FIELDS => {
                let count = self.count(3)?;
                let fields = (0..count)
                    .map(|_| Ok((TypeId(self.number()?), self.text_id()?, self.value()?)));
                Content::Fields(fields.collect::<Result<_>>()?)
            }
            content::THROWABLE => {
                let message = self.value()?;
                let cause = self.value()?;
                let count = self.count(4)?;
                let frames = (0..count).map(|_| self.frame());
                Content::Throwable {
                    message,
                    cause,
                    frames: frames.collect::<Result<_>>()?,
                }
            }
            content::LAMBDA => Content::Lambda(self.lambda()?),
            _ => return Err(self.damaged("an unknown kind of content")),
        })
    }

    fn frame(&mut self) -> Result<Frame> {
        Ok(Frame {
            class: self.text_id()?,
            method: self.text_id()?,
            file: match self.byte()? {
                0 => None,
                1 => Some(self.text_id()?),
                _ => return Err(self.damaged("a line of a stack that is neither here nor there")),
            },
            line: self.int()?,
        })
    }

    fn lambda(&mut self) -> Result<Lambda> {
        Ok(Lambda {
            interface: self.text_id()?,
            method: self.text_id()?,
            descriptor: self.text_id()?,
            body_class: self.text_id()?,
            body_method: self.text_id()?,
            body_descriptor: self.text_id()?,
            captured: self.values()?,
        })
    }

    fn numbers(&mut self) -> Result<Numbers> {
        Ok(match self.byte()? {
            b'Z' => Numbers::Boolean(self.each(|bytes: [u8; 1]| bytes != [0])?),
            b'B' => Numbers::Byte(self.each(i8::from_le_bytes)?),
            b'S' => Numbers::Short(self.each(i16::from_le_bytes)?),
            b'C' => Numbers::Char(self.each(u16::from_le_bytes)?),
            b'I' => Numbers::Int(self.each(i32::from_le_bytes)?),
            b'J' => Numbers::Long(self.each(i64::from_le_bytes)?),
            b'F' => Numbers::Float(self.each(u32::from_le_bytes)?),
            b'D' => Numbers::Double(self.each(u64::from_le_bytes)?),
            _ => return Err(self.damaged("an array of no known kind")),
        })
    }

    fn each<T, const N: usize>(&mut self, read: impl Fn([u8; N]) -> T) -> Result<Vec<T>> {
        let count = self.count(N)?;
        (0..count).map(|_| Ok(read(self.array()?))).collect()
    }
}
