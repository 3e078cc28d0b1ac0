//! A class as the program sees it: who it extends, what it declares. Code stays packed until asked for.

use std::sync::Arc;

use recrash_advice::class_hash;
use recrash_classfile::{ClassFile, access};

use crate::class_path::Origin;
use crate::error::Result;
use crate::ids::{ClassId, FieldId, MethodId, SelectorId};

#[derive(Debug)]
pub struct Class {
    pub id: ClassId,
    /// Internal name, `java/lang/String`.
    pub name: Arc<[u8]>,
    pub origin: Origin,
    pub access: u16,
    pub super_class: Option<ClassId>,
    pub interfaces: Vec<ClassId>,
    pub fields: Vec<Field>,
    pub methods: Vec<Method>,
    /// The class file.
    pub(crate) bytes: Vec<u8>,
}

#[derive(Debug, Clone, Copy)]
pub struct Field {
    pub id: FieldId,
    pub access: u16,
    pub selector: SelectorId,
}

#[derive(Debug, Clone, Copy)]
pub struct Method {
    pub id: MethodId,
    pub access: u16,
    pub selector: SelectorId,
}

impl Class {
    /// The class file, for code and constants.
    pub fn file(&self) -> Result<ClassFile<'_>> {
        Ok(ClassFile::read(&self.bytes)?)
    }

    /// As advice knows it.
    pub(crate) fn hash(&self) -> u64 {
        class_hash(&self.bytes)
    }

    pub fn is_interface(&self) -> bool {
        self.access & access::INTERFACE != 0
    }

    /// Whether objects can be of exactly this class.
    pub fn is_concrete(&self) -> bool {
        self.access & (access::INTERFACE | access::ABSTRACT) == 0
    }

    pub fn method(&self, selector: SelectorId) -> Option<&Method> {
        self.methods
            .iter()
            .find(|method| method.selector == selector)
    }

    pub fn field(&self, selector: SelectorId) -> Option<&Field> {
        self.fields.iter().find(|field| field.selector == selector)
    }

    /// The part of the name before the last slash.
    pub fn package(&self) -> &[u8] {
        let end = self.name.iter().rposition(|&byte| byte == b'/');
        self.name.get(..end.unwrap_or(0)).unwrap_or(&[])
    }
}

impl Method {
    pub fn is(&self, flag: u16) -> bool {
        self.access & flag != 0
    }

    pub fn is_static(&self) -> bool {
        self.is(access::STATIC)
    }

    pub fn has_code(&self) -> bool {
        !self.is(access::ABSTRACT | access::NATIVE)
    }
}

impl Field {
    pub fn is(&self, flag: u16) -> bool {
        self.access & flag != 0
    }

    pub fn is_static(&self) -> bool {
        self.is(access::STATIC)
    }
}
