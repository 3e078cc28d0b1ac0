//! What an object looks like to readers: `recrash show`, the Java generator, the planner.

use crate::classes::{ClassKind, LambdaInfo};
use crate::format::StandInReason;
use crate::manifest::{ObjectId, Value};
use std::fmt;

/// One object of the heap part, decoded.
#[derive(Debug, Clone, PartialEq)]
pub struct Object<'a> {
    pub id: ObjectId,
    /// Binary name with dots; arrays as `Class.getName` spells them.
    pub class: &'a str,
    /// Present when the program had asked for it (or when that could not be known).
    pub identity_hash: Option<u32>,
    pub kind: Kind<'a>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Kind<'a> {
    Instance {
        fields: Vec<Field<'a>>,
    },
    /// A lambda or method reference; `fields` are the captured variables.
    Lambda {
        lambda: &'a LambdaInfo,
        fields: Vec<Field<'a>>,
    },
    /// A `java.lang.reflect.Proxy`; its only field is the handler.
    Proxy {
        interfaces: &'a [String],
        fields: Vec<Field<'a>>,
    },
    /// An array of references or primitives; the first four million elements ([`crate::Heap::array_length`] has the
    /// number of all).
    Array {
        /// Descriptor of the elements: `I`, `Ljava/lang/String;` is written `Ljava.lang.String;`.
        component: &'a str,
        elements: Vec<Value>,
    },
    String(Text<'a>),
    /// A wrapper that was the cached one (`Integer.valueOf`).
    Boxed(Value),
    Enum {
        constant: &'a str,
        fields: Vec<Field<'a>>,
    },
    /// A `java.lang.Class`, by the name of the class it stands for.
    Class {
        name: &'a str,
    },
    /// The value of a static final field of a JDK class; taken from the live JVM at restore.
    WellKnown {
        class: &'a str,
        field: &'a str,
    },
    /// Not captured, and why; `text` is what identifies it (a thread's or logger's name).
    StandIn {
        reason: StandInReason,
        text: &'a str,
    },
    /// A `java.lang.reflect` Method, Constructor or Field.
    Member {
        /// Whether `setAccessible(true)` had been called.
        accessible: bool,
        owner: &'a str,
        name: &'a str,
        descriptor: &'a str,
    },
    /// Beyond the budget: only its class is known.
    Cut,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field<'a> {
    /// The class that declares the field, which may be a super class.
    pub declared_in: &'a str,
    pub name: &'a str,
    /// JVM descriptor with slashes.
    pub descriptor: &'a str,
    pub value: Value,
}

/// The characters of a Java string, which need not be valid Unicode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Text<'a> {
    pub(crate) utf16: bool,
    pub(crate) bytes: &'a [u8],
}

impl Text<'_> {
    /// Length as `String.length()` counts it.
    pub fn len(&self) -> usize {
        if self.utf16 {
            self.bytes.len() / 2
        } else {
            self.bytes.len()
        }
    }

    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// UTF-16 code units, unpaired surrogates included.
    pub fn units(&self) -> impl Iterator<Item = u16> + '_ {
        let step = if self.utf16 { 2 } else { 1 };
        self.bytes.chunks_exact(step).map(|unit| match unit {
            [low, high] => u16::from_le_bytes([*low, *high]),
            [byte] => u16::from(*byte),
            _ => 0,
        })
    }
}

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write;
        for unit in char::decode_utf16(self.units()) {
            f.write_char(unit.unwrap_or(char::REPLACEMENT_CHARACTER))?;
        }
        Ok(())
    }
}

impl<'a> Kind<'a> {
    pub(crate) fn of_instance(class: &'a ClassKind, fields: Vec<Field<'a>>) -> Self {
        match class {
            ClassKind::Lambda(lambda) => Self::Lambda { lambda, fields },
            ClassKind::Proxy(interfaces) => Self::Proxy { interfaces, fields },
            _ => Self::Instance { fields },
        }
    }

    /// The fields of kinds that have some.
    pub fn fields(&self) -> &[Field<'a>] {
        match self {
            Self::Instance { fields }
            | Self::Lambda { fields, .. }
            | Self::Proxy { fields, .. }
            | Self::Enum { fields, .. } => fields,
            _ => &[],
        }
    }

    /// The same, to be laid over with other values.
    pub fn fields_mut(&mut self) -> &mut [Field<'a>] {
        match self {
            Self::Instance { fields }
            | Self::Lambda { fields, .. }
            | Self::Proxy { fields, .. }
            | Self::Enum { fields, .. } => fields,
            _ => &mut [],
        }
    }
}
