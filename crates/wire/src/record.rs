//! Messages: records and choices of them, big-endian, declared by two macros that give both sides their readers and
//! writers.
//!
//! Texts and bytes follow their length, which is -1 for none; lists follow their count.

use crate::codec::{Malformed, Reader};

/// What can be part of a message.
pub trait Wire: Sized {
    /// The type on the Java side.
    const JAVA: Java;
    fn put(&self, out: &mut Vec<u8>);
    fn take(reader: &mut Reader<'_>) -> Result<Self, Malformed>;

    fn encode(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.put(&mut out);
        out
    }

    /// Reads a whole message; `what` names it in errors.
    fn decode(what: &'static str, bytes: &[u8]) -> Result<Self, Malformed> {
        let mut reader = Reader::new(what, bytes);
        let message = Self::take(&mut reader)?;
        reader.end()?;
        Ok(message)
    }
}

/// A type of the Java side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Java {
    Boolean,
    /// Unsigned, as `int`.
    Byte,
    /// Unsigned, as `int`.
    Short,
    Int,
    Long,
    Float,
    Double,
    /// Null where there may be none.
    Text,
    Bytes,
    List(&'static Java),
    Record(&'static Shape),
    /// Only written by Rust and told apart by its code on the Java side, or the other way round.
    Choice(&'static str),
}

/// What a record is made of.
#[derive(Debug, PartialEq, Eq)]
pub struct Shape {
    pub name: &'static str,
    pub about: &'static str,
    pub fields: &'static [(&'static str, Java)],
}

/// A record of a choice, and the byte that stands before it.
#[derive(Debug, PartialEq, Eq)]
pub struct Alternative {
    pub code: u8,
    pub shape: Shape,
}

macro_rules! numbers {
    ($($type:ty, $java:ident;)*) => {
        $(impl Wire for $type {
            const JAVA: Java = Java::$java;

            fn put(&self, out: &mut Vec<u8>) {
                out.extend(self.to_be_bytes());
            }

            fn take(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
                Ok(Self::from_be_bytes(reader.array()?))
            }
        })*
    };
}

numbers! {
    u8, Byte;
    u16, Short;
    u32, Int;
    i32, Int;
    u64, Long;
    i64, Long;
    f32, Float;
    f64, Double;
}

impl Wire for bool {
    const JAVA: Java = Java::Boolean;

    fn put(&self, out: &mut Vec<u8>) {
        out.push((*self).into());
    }

    fn take(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(reader.byte()? != 0)
    }
}

/// Bytes as such, and not a list of numbers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Bytes(pub Vec<u8>);

impl Wire for Option<Bytes> {
    const JAVA: Java = Java::Bytes;

    fn put(&self, out: &mut Vec<u8>) {
        put_optional(self.as_ref().map(|bytes| bytes.0.as_slice()), out);
    }

    fn take(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(take_optional(reader)?.map(|bytes| Bytes(bytes.to_vec())))
    }
}

impl Wire for Bytes {
    const JAVA: Java = Java::Bytes;

    fn put(&self, out: &mut Vec<u8>) {
        put_optional(Some(&self.0), out);
    }

    fn take(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        some(<Option<Bytes> as Wire>::take, reader)
    }
}

impl Wire for Option<String> {
    const JAVA: Java = Java::Text;

    fn put(&self, out: &mut Vec<u8>) {
        put_optional(self.as_ref().map(String::as_bytes), out);
    }

    /// What a program wrote may be no text at all.
    fn take(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(take_optional(reader)?.map(|bytes| String::from_utf8_lossy(bytes).into_owned()))
    }
}

impl Wire for String {
    const JAVA: Java = Java::Text;

    fn put(&self, out: &mut Vec<u8>) {
        put_optional(Some(self.as_bytes()), out);
    }

    fn take(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        some(<Option<String> as Wire>::take, reader)
    }
}

impl<T: Wire> Wire for Vec<T> {
    const JAVA: Java = Java::List(&T::JAVA);

    fn put(&self, out: &mut Vec<u8>) {
        (self.len() as u32).put(out);
        for item in self {
            item.put(out);
        }
    }

    /// Grows as it reads: a count alone reserves nothing.
    fn take(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        let count = u32::take(reader)?;
        let mut items = Vec::new();
        for _ in 0..count {
            items.push(T::take(reader)?);
        }
        Ok(items)
    }
}

fn put_optional(bytes: Option<&[u8]>, out: &mut Vec<u8>) {
    bytes.map_or(-1, |bytes| bytes.len() as i32).put(out);
    out.extend(bytes.unwrap_or_default());
}

fn take_optional<'a>(reader: &mut Reader<'a>) -> Result<Option<&'a [u8]>, Malformed> {
    let length = i32::take(reader)?;
    if length == -1 {
        return Ok(None);
    }
    // A negative one is longer than anything.
    reader.take(length as u32 as usize).map(Some)
}

/// Where there must be one, none is cut short.
fn some<T>(
    take: fn(&mut Reader<'_>) -> Result<Option<T>, Malformed>,
    reader: &mut Reader<'_>,
) -> Result<T, Malformed> {
    let (what, at) = (reader.what(), reader.at());
    take(reader)?.ok_or(Malformed::Truncated { what, at })
}

/// Declares a record: a struct, how it is written, and what the Java side has to know.
macro_rules! record {
    (
        $(#[doc = $about:literal])*
        pub struct $name:ident {
            $($(#[doc = $doc:literal])* pub $field:ident: $type:ty,)*
        }
    ) => {
        $(#[doc = $about])*
        #[derive(Debug, Clone, PartialEq)]
        pub struct $name {
            $($(#[doc = $doc])* pub $field: $type,)*
        }

        impl $crate::record::Wire for $name {
            const JAVA: $crate::record::Java = $crate::record::Java::Record(&$crate::record::Shape {
                name: stringify!($name),
                about: concat!($($about),*),
                fields: &[$((stringify!($field), <$type as $crate::record::Wire>::JAVA)),*],
            });

            fn put(&self, out: &mut Vec<u8>) {
                $($crate::record::Wire::put(&self.$field, out);)*
            }

            fn take(
                reader: &mut $crate::codec::Reader<'_>,
            ) -> Result<Self, $crate::codec::Malformed> {
                Ok(Self {
                    $($field: $crate::record::Wire::take(reader)?,)*
                })
            }
        }
    };
}

/// Declares a choice of records: an enum whose variants have codes.
macro_rules! choice {
    (
        $(#[doc = $about:literal])*
        pub enum $name:ident {
            $(
                $(#[doc = $doc:literal])*
                $code:literal => $variant:ident { $($field:ident: $type:ty),* $(,)? },
            )*
        }
    ) => {
        $(#[doc = $about])*
        #[derive(Debug, Clone, PartialEq)]
        pub enum $name {
            $($(#[doc = $doc])* $variant { $($field: $type),* },)*
        }

        impl $name {
            pub(crate) const ALTERNATIVES: &[$crate::record::Alternative] = &[$(
                $crate::record::Alternative {
                    code: $code,
                    shape: $crate::record::Shape {
                        name: stringify!($variant),
                        about: concat!($($doc),*),
                        fields: &[$((stringify!($field), <$type as $crate::record::Wire>::JAVA)),*],
                    },
                }
            ),*];
        }

        impl $crate::record::Wire for $name {
            const JAVA: $crate::record::Java = $crate::record::Java::Choice(stringify!($name));

            fn put(&self, out: &mut Vec<u8>) {
                match self {
                    $(Self::$variant { $($field),* } => {
                        out.push($code);
                        $($crate::record::Wire::put($field, out);)*
                    })*
                }
            }

            fn take(
                reader: &mut $crate::codec::Reader<'_>,
            ) -> Result<Self, $crate::codec::Malformed> {
                let at = reader.at();
                match reader.byte()? {
                    $($code => Ok(Self::$variant {
                        $($field: $crate::record::Wire::take(reader)?),*
                    }),)*
                    code => Err($crate::codec::Malformed::Unknown { what: reader.what(), code, at }),
                }
            }
        }
    };
}

pub(crate) use {choice, record};
