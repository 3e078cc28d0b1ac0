//! The constant pool: a view of the one in the file (JVMS 4.4), and new entries after its end.

use crate::Error;
use crate::bytes::{Bytes, u2_at};

const UTF8: u8 = 1;
const INTEGER: u8 = 3;
const LONG: u8 = 5;
const DOUBLE: u8 = 6;
const CLASS: u8 = 7;
const STRING: u8 = 8;
const FIELD: u8 = 9;
const METHOD: u8 = 10;
const INTERFACE_METHOD: u8 = 11;
const NAME_AND_TYPE: u8 = 12;

/// The constants of a class file, found but not decoded. Names are modified UTF-8 as in the file.
#[derive(Debug, Clone)]
pub struct ConstantPool<'a> {
    file: &'a [u8],
    /// Where each entry's tag is; 0 for index 0 and for the second half of long and double.
    offsets: Vec<u32>,
    end: usize,
}

/// What a Fieldref, Methodref or InterfaceMethodref names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemberRef<'a> {
    /// Internal name, `java/lang/String`.
    pub class: &'a [u8],
    pub name: &'a [u8],
    pub descriptor: &'a [u8],
}

impl<'a> ConstantPool<'a> {
    /// `bytes` stands at `constant_pool_count`.
    pub(crate) fn read(file: &'a [u8], bytes: &mut Bytes<'a>) -> Result<Self, Error> {
        let count = bytes.u2()? as usize;
        let mut offsets = Vec::with_capacity(count);
        offsets.push(0);
        while offsets.len() < count {
            let offset = bytes.offset();
            offsets.push(offset as u32);
            let tag = bytes.u1()?;
            let length = match tag {
                UTF8 => bytes.u2()? as usize,
                // MethodHandle is the odd one with a one-byte kind.
                15 => 3,
                // Class, String, MethodType, Module, Package.
                CLASS | 8 | 16 | 19 | 20 => 2,
                // Integer, Float, the three member kinds, NameAndType, Dynamic, InvokeDynamic.
                INTEGER | 4 | FIELD..=NAME_AND_TYPE | 17 | 18 => 4,
                // They take two indexes; as the last entry they would run into whatever is appended.
                LONG | DOUBLE if offsets.len() < count => {
                    offsets.push(0);
                    8
                }
                _ => return Err(Error::BadConstantTag { tag, offset }),
            };
            bytes.take(length)?;
        }
        Ok(ConstantPool {
            file,
            offsets,
            end: bytes.offset(),
        })
    }

    /// Constants on their own, as a JVM hands them out: `constant_pool_count` and what follows it.
    pub fn from_bytes(bytes: &'a [u8]) -> Result<Self, Error> {
        ConstantPool::read(bytes, &mut Bytes::new(bytes, 0))
    }

    /// `constant_pool_count`: one more than the largest index.
    pub fn count(&self) -> u16 {
        self.offsets.len() as u16
    }

    /// Where the pool ends in the class file.
    pub(crate) fn end(&self) -> usize {
        self.end
    }

    /// The entry's bytes after its tag, if it has this tag.
    fn entry(&self, index: u16, tags: &[u8], expected: &'static str) -> Result<usize, Error> {
        let offset = self.offsets.get(index as usize).copied().unwrap_or(0) as usize;
        match self.file.get(offset) {
            Some(tag) if offset != 0 && tags.contains(tag) => Ok(offset + 1),
            _ => Err(Error::WrongConstant { index, expected }),
        }
    }

    fn two(&self, index: u16, tags: &[u8], expected: &'static str) -> Result<(u16, u16), Error> {
        let at = self.entry(index, tags, expected)?;
        let wrong = || Error::WrongConstant { index, expected };
        match (u2_at(self.file, at), u2_at(self.file, at + 2)) {
            (Some(first), Some(second)) => Ok((first, second)),
            _ => Err(wrong()),
        }
    }

    pub(crate) fn file(&self) -> &'a [u8] {
        self.file
    }

    /// Where the bytes after an entry's tag are.
    pub(crate) fn content(&self, index: u16) -> Option<usize> {
        let offset = *self.offsets.get(index as usize)? as usize;
        (offset != 0).then_some(offset + 1)
    }

    /// The `u2` at a place in the file.
    pub(crate) fn half(&self, at: usize) -> Option<u16> {
        u2_at(self.file, at)
    }

    /// The tag of an entry; `None` for index 0, halves of long and double, and beyond the end.
    pub fn tag(&self, index: u16) -> Option<u8> {
        let offset = *self.offsets.get(index as usize)? as usize;
        if offset == 0 {
            None
        } else {
            self.file.get(offset).copied()
        }
    }

    pub fn utf8(&self, index: u16) -> Result<&'a [u8], Error> {
        let wrong = || Error::WrongConstant {
            index,
            expected: "Utf8",
        };
        let at = self.entry(index, &[UTF8], "Utf8")?;
        let length = u2_at(self.file, at).ok_or_else(wrong)? as usize;
        self.file.get(at + 2..at + 2 + length).ok_or_else(wrong)
    }

    /// The internal name a Class entry holds, `java/lang/String` or `[I`.
    pub fn class_name(&self, index: u16) -> Result<&'a [u8], Error> {
        let at = self.entry(index, &[CLASS], "Class")?;
        self.utf8(u2_at(self.file, at).unwrap_or(0))
    }

    pub fn name_and_type(&self, index: u16) -> Result<(&'a [u8], &'a [u8]), Error> {
        let (name, descriptor) = self.two(index, &[NAME_AND_TYPE], "NameAndType")?;
        Ok((self.utf8(name)?, self.utf8(descriptor)?))
    }

    pub fn member(&self, index: u16) -> Result<MemberRef<'a>, Error> {
        let (class, name_and_type) =
            self.two(index, &[FIELD, METHOD, INTERFACE_METHOD], "field or method")?;
        let (name, descriptor) = self.name_and_type(name_and_type)?;
        Ok(MemberRef {
            class: self.class_name(class)?,
            name,
            descriptor,
        })
    }

    /// Descriptor of the field or method, or of the dynamic call site or constant.
    pub fn descriptor_of(&self, index: u16) -> Result<&'a [u8], Error> {
        let tags = [FIELD, METHOD, INTERFACE_METHOD, 17, 18];
        let (_, name_and_type) = self.two(index, &tags, "field, method or call site")?;
        let (_, descriptor) = self.two(name_and_type, &[NAME_AND_TYPE], "NameAndType")?;
        self.utf8(descriptor)
    }

    /// Index of the Class entry of the field or method.
    pub fn class_of(&self, index: u16) -> Result<u16, Error> {
        Ok(self
            .two(index, &[FIELD, METHOD, INTERFACE_METHOD], "field or method")?
            .0)
    }

    /// Name of the method.
    pub fn name_of(&self, index: u16) -> Result<&'a [u8], Error> {
        let (_, name_and_type) = self.two(index, &[METHOD, INTERFACE_METHOD], "method")?;
        let (name, _) = self.two(name_and_type, &[NAME_AND_TYPE], "NameAndType")?;
        self.utf8(name)
    }

    /// A copy of the class file in which a Class entry names the class that another entry (Utf8) holds.
    pub fn renaming_class(&self, index: u16, name: u16) -> Result<Vec<u8>, Error> {
        self.utf8(name)?;
        let at = self.entry(index, &[CLASS], "Class")?;
        let mut file = self.file.to_vec();
        if let Some(old) = file.get_mut(at..at + 2) {
            old.copy_from_slice(&name.to_be_bytes());
        }
        Ok(file)
    }

    /// A copy of the class file with other texts in those Utf8 entries for which there is one.
    pub fn with_texts(&self, replaced: impl Fn(&[u8]) -> Option<Vec<u8>>) -> Vec<u8> {
        let mut file = Vec::with_capacity(self.file.len());
        let mut copied = 0;
        for index in 1..self.count() {
            let Some((old, at)) = self.utf8(index).ok().zip(self.offsets.get(index as usize))
            else {
                continue;
            };
            if let Some(new) = replaced(old) {
                let at = *at as usize + 1;
                file.extend_from_slice(self.file.get(copied..at).unwrap_or_default());
                file.extend_from_slice(&(new.len() as u16).to_be_bytes());
                file.extend_from_slice(&new);
                copied = at + 2 + old.len();
            }
        }
        file.extend_from_slice(self.file.get(copied..).unwrap_or_default());
        file
    }

    fn classes(&self) -> impl Iterator<Item = (&'a [u8], u16)> + '_ {
        (1..self.count())
            .filter(|&index| self.tag(index) == Some(CLASS))
            .filter_map(|index| Some((self.class_name(index).ok()?, index)))
    }
}

/// New constants, numbered from the end of an existing pool; asking twice gives the same index.
#[derive(Debug, Clone)]
pub struct PoolAppender<'a> {
    existing: &'a ConstantPool<'a>,
    /// The existing Class entries: a few dozen, so a linear search is the quickest.
    classes: Vec<(&'a [u8], u16)>,
    added: Vec<u8>,
    /// Where each added entry starts in `added`.
    starts: Vec<u32>,
}

impl<'a> PoolAppender<'a> {
    pub fn new(existing: &'a ConstantPool<'a>) -> Self {
        PoolAppender {
            existing,
            classes: existing.classes().collect(),
            added: Vec::new(),
            starts: Vec::new(),
        }
    }

    /// The pool this one continues.
    pub fn existing(&self) -> &'a ConstantPool<'a> {
        self.existing
    }

    pub(crate) fn count(&self) -> u16 {
        self.existing.count() + self.starts.len() as u16
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.added
    }

    /// Forgets what was added since `mark`, for a method that turned out unpatchable.
    pub fn rewind(&mut self, mark: PoolMark) {
        self.added.truncate(mark.bytes);
        self.starts.truncate(mark.entries);
    }

    pub fn mark(&self) -> PoolMark {
        PoolMark {
            bytes: self.added.len(),
            entries: self.starts.len(),
        }
    }

    /// Long and double constants are never added, so every entry takes one index.
    fn add(&mut self, entry: &[u8]) -> Result<u16, Error> {
        for (position, &start) in self.starts.iter().enumerate() {
            if self
                .added
                .get(start as usize..)
                .is_some_and(|rest| rest.starts_with(entry))
            {
                return Ok(self.existing.count() + position as u16);
            }
        }
        self.add_new(&[entry])
    }

    fn add_new(&mut self, parts: &[&[u8]]) -> Result<u16, Error> {
        let index = self.existing.offsets.len() + self.starts.len();
        if index >= 0xffff {
            return Err(Error::TooManyConstants);
        }
        self.starts.push(self.added.len() as u32);
        for part in parts {
            self.added.extend_from_slice(part);
        }
        Ok(index as u16)
    }

    /// Whether a Class entry of the existing pool names this class.
    pub fn mentions_class(&self, name: &[u8]) -> bool {
        self.classes.iter().any(|(known, _)| *known == name)
    }

    pub fn utf8(&mut self, text: &[u8]) -> Result<u16, Error> {
        let known = self.starts.iter().position(|&start| {
            let entry = self.added.get(start as usize..).unwrap_or(&[]);
            let length = (text.len() as u16).to_be_bytes();
            entry.starts_with(&[UTF8, length[0], length[1]])
                && entry.get(3..).is_some_and(|entry| entry.starts_with(text))
        });
        match known {
            Some(position) => Ok(self.existing.count() + position as u16),
            None => self.new_utf8(text),
        }
    }

    /// A text that is surely new.
    pub fn new_utf8(&mut self, text: &[u8]) -> Result<u16, Error> {
        let length = u16::try_from(text.len())
            .map_err(|_| Error::TooManyConstants)?
            .to_be_bytes();
        self.add_new(&[&[UTF8, length[0], length[1]], text])
    }

    /// A Class entry of its own for an internal name, whatever else names that class.
    pub fn new_class(&mut self, name: &[u8]) -> Result<u16, Error> {
        let [a, b] = self.new_utf8(name)?.to_be_bytes();
        self.add_new(&[&[CLASS, a, b]])
    }

    /// A number that is surely new, such as a site id.
    pub fn new_integer(&mut self, value: i32) -> Result<u16, Error> {
        let [a, b, c, d] = value.to_be_bytes();
        self.add_new(&[&[INTEGER, a, b, c, d]])
    }

    /// The Class entry of an internal name: the existing one if there is one.
    pub fn class(&mut self, name: &[u8]) -> Result<u16, Error> {
        if let Some(&(_, index)) = self.classes.iter().find(|(known, _)| *known == name) {
            return Ok(index);
        }
        let name = self.utf8(name)?;
        let [a, b] = name.to_be_bytes();
        self.add(&[CLASS, a, b])
    }

    /// A constant String, its text in modified UTF-8.
    pub fn string(&mut self, text: &[u8]) -> Result<u16, Error> {
        let [a, b] = self.utf8(text)?.to_be_bytes();
        self.add(&[STRING, a, b])
    }

    pub fn method(&mut self, class: &[u8], name: &[u8], descriptor: &[u8]) -> Result<u16, Error> {
        let class = self.class(class)?;
        let name = self.utf8(name)?;
        self.new_method(class, name, descriptor)
    }

    pub fn field(&mut self, class: &[u8], name: &[u8], descriptor: &[u8]) -> Result<u16, Error> {
        let class = self.class(class)?;
        let name = self.utf8(name)?;
        self.new_member(FIELD, class, name, descriptor)
    }

    /// A method that is surely new, of a class and with a name (Utf8) that are there already.
    pub fn new_method(&mut self, class: u16, name: u16, descriptor: &[u8]) -> Result<u16, Error> {
        self.new_member(METHOD, class, name, descriptor)
    }

    fn new_member(
        &mut self,
        tag: u8,
        class: u16,
        name: u16,
        descriptor: &[u8],
    ) -> Result<u16, Error> {
        let (class, name) = (class.to_be_bytes(), name.to_be_bytes());
        let descriptor = self.new_utf8(descriptor)?.to_be_bytes();
        let pair = [
            NAME_AND_TYPE,
            name[0],
            name[1],
            descriptor[0],
            descriptor[1],
        ];
        let pair = self.add_new(&[&pair])?.to_be_bytes();
        self.add_new(&[&[tag, class[0], class[1], pair[0], pair[1]]])
    }
}

/// A state of a [`PoolAppender`] to go back to.
#[derive(Debug, Clone, Copy)]
pub struct PoolMark {
    bytes: usize,
    entries: usize,
}

/// Modified UTF-8 (JVMS 4.4.7) to a string; what is not well-formed becomes U+FFFD.
pub fn text(modified: &[u8]) -> String {
    if let Ok(text) = std::str::from_utf8(modified) {
        return text.to_owned();
    }
    let mut units = Vec::with_capacity(modified.len());
    let mut rest = modified.iter();
    while let Some(&first) = rest.next() {
        let mut next = || u16::from(rest.next().copied().unwrap_or(0) & 0x3f);
        let unit = match first {
            0..=0x7f => u16::from(first),
            0xc0..=0xdf => (u16::from(first & 0x1f) << 6) | next(),
            0xe0..=0xef => {
                let (middle, low) = (next(), next());
                (u16::from(first & 0x0f) << 12) | (middle << 6) | low
            }
            _ => 0xfffd,
        };
        units.push(unit);
    }
    String::from_utf16_lossy(&units)
}

/// A string as modified UTF-8 (JVMS 4.4.7).
pub fn modified(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    for unit in text.encode_utf16() {
        match unit {
            0x01..=0x7f => bytes.push(unit as u8),
            0 | 0x80..=0x7ff => {
                bytes.extend([0xc0 | (unit >> 6) as u8, 0x80 | (unit & 0x3f) as u8]);
            }
            _ => bytes.extend([
                0xe0 | (unit >> 12) as u8,
                0x80 | ((unit >> 6) & 0x3f) as u8,
                0x80 | (unit & 0x3f) as u8,
            ]),
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modified_utf8_is_read_as_java_writes_it() {
        assert_eq!(text(b"plain"), "plain");
        // NUL takes two bytes, characters beyond the basic plane two surrogates of three bytes each.
        assert_eq!(text(&[b'a', 0xc0, 0x80]), "a\0");
        assert_eq!(text(&[0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]), "\u{1f600}");
        assert_eq!(text(&[0xff]), "\u{fffd}");
    }
}
