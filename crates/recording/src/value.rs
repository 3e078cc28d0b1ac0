//! Values that cross, and the content of neutral objects.

use crate::ids::{ObjectId, TextId, TypeId};
use std::borrow::Cow;

/// A primitive. Floating point is kept as bits, so that values compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Primitive {
    Boolean(bool),
    Byte(i8),
    Short(i16),
    Char(u16),
    Int(i32),
    Long(i64),
    Float(u32),
    Double(u64),
}

/// What is passed, returned, read or written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Value {
    Null,
    Primitive(Primitive),
    /// A `java.lang.Integer` and its kin.
    Boxed(Primitive),
    /// A `java.lang.String`.
    Text(TextId),
    /// Something immutable that a text says as well as itself: an enum constant by its name, a class, a number of any size,
    /// a time, a locale, a path.
    Literal(TypeId, TextId),
    Object(ObjectId),
    /// Not kept: there was no room.
    Unknown,
}

impl Value {
    pub fn object(self) -> Option<ObjectId> {
        match self {
            Value::Object(object) => Some(object),
            _ => None,
        }
    }
}

/// A text of the program, whatever its characters.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Text {
    Plain(Box<str>),
    /// With half of a surrogate pair.
    Units(Box<[u16]>),
}

impl Text {
    pub fn as_str(&self) -> Cow<'_, str> {
        match self {
            Text::Plain(text) => Cow::Borrowed(text),
            Text::Units(units) => Cow::Owned(String::from_utf16_lossy(units)),
        }
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Text::Plain(text.into())
    }
}

/// What a neutral object holds when it first crosses, or what tells an object apart that is not neutral.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// Of a list, a set, a queue, an array of references, an optional, in their order. `made_with` is what its
    /// constructor needs besides: the comparator of a sorted set.
    Elements {
        made_with: Vec<Value>,
        /// How many there are, of which `kept` are the first.
        size: u64,
        kept: Vec<Value>,
    },
    /// Of a map.
    Pairs {
        made_with: Vec<Value>,
        size: u64,
        kept: Vec<(Value, Value)>,
    },
    /// Of a string builder.
    Characters(TextId),
    /// Of an array of primitives. An object's content is all of it or nothing.
    Numbers(Numbers),
    /// Of an object of another class of the JDK, field by field: the declaring class, the name, the value.
    Fields(Vec<(TypeId, TextId, Value)>),
    Throwable {
        message: Value,
        cause: Value,
        frames: Vec<Frame>,
    },
    Lambda(Lambda),
}

impl Content {
    /// The values in it, of which some are objects.
    pub fn values(&self) -> Vec<Value> {
        match self {
            Content::Elements {
                made_with, kept, ..
            } => made_with.iter().chain(kept).copied().collect(),
            Content::Pairs {
                made_with, kept, ..
            } => {
                let pairs = kept.iter().flat_map(|&(key, value)| [key, value]);
                made_with.iter().copied().chain(pairs).collect()
            }
            Content::Characters(text) => vec![Value::Text(*text)],
            Content::Numbers(_) => Vec::new(),
            Content::Fields(fields) => fields.iter().map(|&(.., value)| value).collect(),
            Content::Throwable { message, cause, .. } => vec![*message, *cause],
            Content::Lambda(lambda) => lambda.captured.clone(),
        }
    }
}

/// An array of primitives; floating point as bits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Numbers {
    Boolean(Vec<bool>),
    Byte(Vec<i8>),
    Short(Vec<i16>),
    Char(Vec<u16>),
    Int(Vec<i32>),
    Long(Vec<i64>),
    Float(Vec<u32>),
    Double(Vec<u64>),
}

/// A line of a stack trace, innermost first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Frame {
    pub class: TextId,
    pub method: TextId,
    pub file: Option<TextId>,
    /// Negative where there is none.
    pub line: i32,
}

/// A lambda or a method reference of outside code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lambda {
    /// With dots.
    pub interface: TextId,
    pub method: TextId,
    pub descriptor: TextId,
    /// The method that it calls, in the class with this name with dots.
    pub body_class: TextId,
    pub body_method: TextId,
    pub body_descriptor: TextId,
    /// What it brings along: the first arguments of its body, the receiver among them.
    pub captured: Vec<Value>,
}
