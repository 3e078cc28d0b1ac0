//! What `ldc` loads and `invokedynamic` links (JVMS 4.4, 4.7.23).

use crate::bytes::{Bytes, i4_at};
use crate::pool::{MemberRef, text};
use crate::{ConstantPool, Error};

/// A loadable constant.
#[derive(Debug, Clone, PartialEq)]
pub enum Constant<'a> {
    Integer(i32),
    Float(f32),
    Long(i64),
    Double(f64),
    /// Modified UTF-8.
    String(&'a [u8]),
    /// Internal name or array descriptor.
    Class(&'a [u8]),
    MethodType(&'a [u8]),
    MethodHandle(MethodHandle<'a>),
    Dynamic(Dynamic<'a>),
}

/// How a method handle refers to its member (JVMS 4.4.8).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MethodHandle<'a> {
    /// 1 to 4 fields, 5 virtual, 6 static, 7 special, 8 constructor, 9 interface.
    pub kind: u8,
    pub member: MemberRef<'a>,
}

/// A call site or constant that a bootstrap method makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dynamic<'a> {
    /// Index into the BootstrapMethods attribute.
    pub bootstrap: u16,
    pub name: &'a [u8],
    pub descriptor: &'a [u8],
}

/// An entry of the BootstrapMethods attribute; `arguments` are pool indexes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bootstrap<'a> {
    pub handle: MethodHandle<'a>,
    pub arguments: Vec<u16>,
}

impl<'a> ConstantPool<'a> {
    pub fn constant(&self, index: u16) -> Result<Constant<'a>, Error> {
        let wrong = || Error::WrongConstant {
            index,
            expected: "loadable constant",
        };
        let at = self.content(index).ok_or_else(wrong)?;
        let four = |skip: usize| i4_at(self.file(), at + skip).ok_or_else(wrong);
        let eight = || Ok((i64::from(four(0)?) << 32) | i64::from(four(4)? as u32));
        Ok(match self.tag(index) {
            Some(3) => Constant::Integer(four(0)?),
            Some(4) => Constant::Float(f32::from_bits(four(0)? as u32)),
            Some(5) => Constant::Long(eight()?),
            Some(6) => Constant::Double(f64::from_bits(eight()? as u64)),
            Some(7) => Constant::Class(self.class_name(index)?),
            Some(8) => Constant::String(self.utf8(self.half(at).ok_or_else(wrong)?)?),
            Some(15) => Constant::MethodHandle(self.method_handle(index)?),
            Some(16) => Constant::MethodType(self.utf8(self.half(at).ok_or_else(wrong)?)?),
            Some(17) => Constant::Dynamic(self.dynamic(index)?),
            _ => return Err(wrong()),
        })
    }

    pub fn method_handle(&self, index: u16) -> Result<MethodHandle<'a>, Error> {
        let wrong = || Error::WrongConstant {
            index,
            expected: "MethodHandle",
        };
        let at = self
            .content(index)
            .filter(|_| self.tag(index) == Some(15))
            .ok_or_else(wrong)?;
        Ok(MethodHandle {
            kind: *self.file().get(at).ok_or_else(wrong)?,
            member: self.member(self.half(at + 1).ok_or_else(wrong)?)?,
        })
    }

    /// A Dynamic or InvokeDynamic entry.
    pub fn dynamic(&self, index: u16) -> Result<Dynamic<'a>, Error> {
        let wrong = || Error::WrongConstant {
            index,
            expected: "call site",
        };
        let at = self
            .content(index)
            .filter(|_| matches!(self.tag(index), Some(17 | 18)))
            .ok_or_else(wrong)?;
        let (name, descriptor) = self.name_and_type(self.half(at + 2).ok_or_else(wrong)?)?;
        Ok(Dynamic {
            bootstrap: self.half(at).ok_or_else(wrong)?,
            name,
            descriptor,
        })
    }
}

impl<'a> crate::ClassFile<'a> {
    pub fn bootstrap(&self, index: u16) -> Result<Bootstrap<'a>, Error> {
        let missing = || Error::WrongConstant {
            index,
            expected: "bootstrap method",
        };
        let table = self
            .attributes
            .find(&self.pool, b"BootstrapMethods")?
            .ok_or_else(missing)?;
        let mut bytes = Bytes::new(table.info, table.offset);
        for number in 0..bytes.u2()? {
            let handle = bytes.u2()?;
            let count = bytes.u2()?;
            let arguments = bytes.take(2 * usize::from(count))?;
            if number == index {
                let arguments = arguments
                    .chunks_exact(2)
                    .filter_map(|pair| Some(u16::from_be_bytes(pair.try_into().ok()?)))
                    .collect();
                return Ok(Bootstrap {
                    handle: self.pool.method_handle(handle)?,
                    arguments,
                });
            }
        }
        Err(missing())
    }
}

impl Constant<'_> {
    /// The text of a string constant.
    pub fn as_string(&self) -> Option<String> {
        match self {
            Constant::String(bytes) => Some(text(bytes)),
            _ => None,
        }
    }
}
