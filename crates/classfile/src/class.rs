//! The class file as a whole (JVMS 4.1): a map of where things are, decoded only when asked.

use crate::bytes::Bytes;
use crate::code::Code;
use crate::{ConstantPool, Error, text};

/// A class file that was found to be well-formed down to its members and the borders of its attributes.
#[derive(Debug, Clone)]
pub struct ClassFile<'a> {
    pub bytes: &'a [u8],
    pub major: u16,
    pub minor: u16,
    pub pool: ConstantPool<'a>,
    pub access: u16,
    /// Index of the Class entry of this class.
    pub this_index: u16,
    /// Internal name, `java/lang/String`.
    pub name: &'a [u8],
    /// Internal name; `None` for `java/lang/Object` and modules.
    pub super_name: Option<&'a [u8]>,
    pub interfaces: Vec<u16>,
    pub fields: Vec<Member<'a>>,
    pub methods: Vec<Member<'a>>,
    pub attributes: Attributes<'a>,
}

/// A field or a method.
#[derive(Debug, Clone, Copy)]
pub struct Member<'a> {
    pub access: u16,
    pub name: &'a [u8],
    pub descriptor: &'a [u8],
    pub attributes: Attributes<'a>,
}

/// The attributes of a class, member or code, one after the other as in the file.
#[derive(Debug, Clone, Copy)]
pub struct Attributes<'a> {
    bytes: Bytes<'a>,
    count: u16,
}

/// One attribute; `info` is what follows its length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attribute<'a> {
    pub name_index: u16,
    pub name: &'a [u8],
    pub info: &'a [u8],
    /// Where `info` starts in the class file.
    pub offset: usize,
}

impl<'a> ClassFile<'a> {
    pub fn read(file: &'a [u8]) -> Result<Self, Error> {
        let mut bytes = Bytes::new(file, 0);
        let magic = bytes.u4()?;
        if magic != 0xcafe_babe {
            return Err(Error::BadMagic { magic });
        }
        let (minor, major) = (bytes.u2()?, bytes.u2()?);
        if !(45..=69).contains(&major) {
            return Err(Error::UnsupportedVersion { major });
        }
        let pool = ConstantPool::read(file, &mut bytes)?;
        let access = bytes.u2()?;
        let this_index = bytes.u2()?;
        let super_index = bytes.u2()?;
        let name = pool.class_name(this_index)?;
        let super_name = if super_index == 0 {
            None
        } else {
            Some(pool.class_name(super_index)?)
        };
        let interfaces = (0..bytes.u2()?)
            .map(|_| bytes.u2())
            .collect::<Result<Vec<_>, _>>()?;
        let fields = Member::read_all(&mut bytes, &pool)?;
        let methods = Member::read_all(&mut bytes, &pool)?;
        let attributes = Attributes::read(&mut bytes)?;
        bytes.finish()?;
        Ok(ClassFile {
            bytes: file,
            major,
            minor,
            pool,
            access,
            this_index,
            name,
            super_name,
            interfaces,
            fields,
            methods,
            attributes,
        })
    }

    /// Binary name with dots, `java.util.Map$Entry`.
    pub fn binary_name(&self) -> String {
        dotted(self.name)
    }

    /// The Code attribute of a method; `None` for abstract and native methods.
    pub fn code(&self, method: &Member<'a>) -> Result<Option<Code<'a>>, Error> {
        for attribute in method.attributes.iter(&self.pool) {
            let attribute = attribute?;
            if attribute.name == b"Code" {
                return Code::read(attribute).map(Some);
            }
        }
        Ok(None)
    }
}

/// An internal name (`java/util/Map$Entry`) as a binary name (`java.util.Map$Entry`).
pub fn dotted(internal: &[u8]) -> String {
    text(internal).replace('/', ".")
}

/// By its binary name: the JDK that named a class may have more of them than the one at hand.
pub fn is_of_jdk(class: &str) -> bool {
    ["java.", "javax.", "jdk.", "sun.", "com.sun."]
        .iter()
        .any(|prefix| class.starts_with(prefix))
}

impl<'a> Member<'a> {
    fn read_all(bytes: &mut Bytes<'a>, pool: &ConstantPool<'a>) -> Result<Vec<Self>, Error> {
        let count = bytes.u2()?;
        let mut members = Vec::with_capacity(count as usize);
        for _ in 0..count {
            let access = bytes.u2()?;
            let name = pool.utf8(bytes.u2()?)?;
            let descriptor = pool.utf8(bytes.u2()?)?;
            members.push(Member {
                access,
                name,
                descriptor,
                attributes: Attributes::read(bytes)?,
            });
        }
        Ok(members)
    }

    pub fn is(&self, flag: u16) -> bool {
        self.access & flag != 0
    }
}

impl<'a> Attributes<'a> {
    /// Reads the count and steps over the attributes.
    pub(crate) fn read(bytes: &mut Bytes<'a>) -> Result<Self, Error> {
        let count = bytes.u2()?;
        let start = *bytes;
        for _ in 0..count {
            bytes.u2()?;
            let length = bytes.u4()?;
            bytes.take(length as usize)?;
        }
        Ok(Attributes {
            bytes: start,
            count,
        })
    }

    pub fn len(&self) -> u16 {
        self.count
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub fn iter<'p>(
        &self,
        pool: &'p ConstantPool<'a>,
    ) -> impl Iterator<Item = Result<Attribute<'a>, Error>> + use<'a, 'p> {
        let mut bytes = self.bytes;
        (0..self.count).map(move |_| {
            let name_index = bytes.u2()?;
            let length = bytes.u4()?;
            let offset = bytes.offset();
            Ok(Attribute {
                name_index,
                name: pool.utf8(name_index)?,
                info: bytes.take(length as usize)?,
                offset,
            })
        })
    }

    /// The first attribute with this name.
    pub fn find(
        &self,
        pool: &ConstantPool<'a>,
        name: &[u8],
    ) -> Result<Option<Attribute<'a>>, Error> {
        for attribute in self.iter(pool) {
            let attribute = attribute?;
            if attribute.name == name {
                return Ok(Some(attribute));
            }
        }
        Ok(None)
    }
}
