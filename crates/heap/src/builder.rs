//! Writes a heap part from Rust: synthetic snapshots for the tests of every crate that reads them.

use crate::classes::LambdaInfo;
use crate::format::{self, ClassIndex, HAS_HASH, StandInReason, class_kind, tag};
use crate::manifest::{ObjectId, Value};

/// A class to put into the table.
#[derive(Debug, Clone, Default)]
pub struct ClassSpec<'a> {
    /// Binary name with dots.
    pub name: &'a str,
    pub super_class: Option<ClassIndex>,
    /// Name and descriptor of each instance field the class itself declares.
    pub fields: &'a [(&'a str, &'a str)],
    pub lambda: Option<LambdaInfo>,
    pub proxy: Option<&'a [&'a str]>,
}

/// Classes first, then objects; ids are given in the order of the calls, from 1.
#[derive(Debug, Default)]
pub struct HeapBuilder {
    classes: Vec<u8>,
    class_count: u32,
    objects: Vec<u8>,
    object_count: u32,
}

impl HeapBuilder {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn class(&mut self, class: &ClassSpec<'_>) -> ClassIndex {
        let kind = match class {
            _ if class.name.starts_with('[') => class_kind::ARRAY,
            ClassSpec {
                lambda: Some(_), ..
            } => class_kind::LAMBDA,
            ClassSpec { proxy: Some(_), .. } => class_kind::PROXY,
            _ => class_kind::PLAIN,
        };
        let out = &mut self.classes;
        out.push(kind);
        put_str(out, class.name);
        out.extend(class.super_class.map_or(0, |c| c.0 + 1).to_le_bytes());
        out.extend((class.fields.len() as u16).to_le_bytes());
        for (name, descriptor) in class.fields {
            put_str(out, name);
            put_str(out, descriptor);
        }
        if let Some(lambda) = &class.lambda {
            put_str(out, &lambda.host);
            out.push(lambda.interfaces.len() as u8);
            for interface in &lambda.interfaces {
                put_str(out, interface);
            }
            put_str(out, &lambda.method);
            put_str(out, &lambda.method_descriptor);
            out.push(lambda.reference_kind);
            put_str(out, &lambda.owner);
            put_str(out, &lambda.name);
            put_str(out, &lambda.descriptor);
        } else if let Some(interfaces) = class.proxy {
            out.extend((interfaces.len() as u16).to_le_bytes());
            for interface in interfaces {
                put_str(out, interface);
            }
        }
        self.class_count += 1;
        ClassIndex(self.class_count - 1)
    }

    /// `values` in the order of the class table, the topmost super class first.
    pub fn instance(&mut self, class: ClassIndex, values: &[Value]) -> ObjectId {
        let id = self.start(tag::INSTANCE, class, None);
        self.values(values);
        id
    }

    pub fn instance_with_hash(
        &mut self,
        class: ClassIndex,
        hash: u32,
        values: &[Value],
    ) -> ObjectId {
        let id = self.start(tag::INSTANCE, class, Some(hash));
        self.values(values);
        id
    }

    pub fn array(&mut self, class: ClassIndex, references: bool, elements: &[Value]) -> ObjectId {
        let tag = if references {
            tag::OBJECT_ARRAY
        } else {
            tag::PRIMITIVE_ARRAY
        };
        let id = self.start(tag, class, None);
        self.objects.extend((elements.len() as u32).to_le_bytes());
        self.values(elements);
        id
    }

    /// `class` is the table's row for `java.lang.String`.
    pub fn string(&mut self, class: ClassIndex, text: &str) -> ObjectId {
        let id = self.start(tag::STRING, class, None);
        let latin1: Option<Vec<u8>> = text
            .chars()
            .map(|c| u8::try_from(u32::from(c)).ok())
            .collect();
        let (coder, bytes) = match latin1 {
            Some(bytes) => (0, bytes),
            None => (1, text.encode_utf16().flat_map(u16::to_le_bytes).collect()),
        };
        self.objects.push(coder);
        self.objects.extend((bytes.len() as u32).to_le_bytes());
        self.objects.extend(bytes);
        id
    }

    pub fn boxed(&mut self, class: ClassIndex, bits: u64) -> ObjectId {
        let id = self.start(tag::BOXED, class, None);
        self.objects.extend(bits.to_le_bytes());
        id
    }

    pub fn enum_constant(&mut self, class: ClassIndex, name: &str, values: &[Value]) -> ObjectId {
        let id = self.start(tag::ENUM, class, None);
        put_str(&mut self.objects, name);
        self.values(values);
        id
    }

    pub fn class_object(&mut self, class: ClassIndex, name: &str) -> ObjectId {
        let id = self.start(tag::CLASS, class, None);
        put_str(&mut self.objects, name);
        id
    }

    pub fn well_known(&mut self, class: ClassIndex, owner: ClassIndex, field: &str) -> ObjectId {
        let id = self.start(tag::WELL_KNOWN, class, None);
        self.objects.extend(owner.0.to_le_bytes());
        put_str(&mut self.objects, field);
        id
    }

    pub fn stand_in(&mut self, class: ClassIndex, reason: StandInReason, text: &str) -> ObjectId {
        let id = self.start(tag::STAND_IN, class, None);
        self.objects.push(reason.code());
        put_str(&mut self.objects, text);
        id
    }

    pub fn member(&mut self, class: ClassIndex, owner: &str, name: &str, desc: &str) -> ObjectId {
        let id = self.start(tag::MEMBER, class, None);
        self.objects.push(0);
        for text in [owner, name, desc] {
            put_str(&mut self.objects, text);
        }
        id
    }

    pub fn cut(&mut self, class: ClassIndex) -> ObjectId {
        self.start(tag::CUT, class, None)
    }

    /// The bytes of `heap.bin`; not checked, so that tests can build what a reader must refuse.
    pub fn finish(self) -> Vec<u8> {
        let mut bytes = Vec::new();
        bytes.extend(format::MAGIC);
        bytes.extend(format::VERSION.to_le_bytes());
        bytes.extend(self.class_count.to_le_bytes());
        bytes.extend(self.object_count.to_le_bytes());
        bytes.extend((self.classes.len() as u32).to_le_bytes());
        bytes.extend(0u32.to_le_bytes());
        bytes.extend(self.classes);
        bytes.extend(self.objects);
        bytes
    }

    fn start(&mut self, tag: u8, class: ClassIndex, hash: Option<u32>) -> ObjectId {
        self.objects.push(tag | hash.map_or(0, |_| HAS_HASH));
        self.objects.extend(class.0.to_le_bytes());
        if let Some(hash) = hash {
            self.objects.extend(hash.to_le_bytes());
        }
        self.object_count += 1;
        ObjectId(self.object_count)
    }

    fn values(&mut self, values: &[Value]) {
        for value in values {
            match *value {
                Value::Null => self.objects.extend(0u32.to_le_bytes()),
                Value::Ref(ObjectId(v)) | Value::FloatBits(v) => {
                    self.objects.extend(v.to_le_bytes());
                }
                Value::Boolean(v) => self.objects.push(v.into()),
                Value::Byte(v) => self.objects.push(v as u8),
                Value::Char(v) => self.objects.extend(v.to_le_bytes()),
                Value::Short(v) => self.objects.extend(v.to_le_bytes()),
                Value::Int(v) => self.objects.extend(v.to_le_bytes()),
                Value::Long(v) => self.objects.extend(v.to_le_bytes()),
                Value::DoubleBits(v) => self.objects.extend(v.to_le_bytes()),
            }
        }
    }
}

fn put_str(out: &mut Vec<u8>, text: &str) {
    out.extend((text.len() as u16).to_le_bytes());
    out.extend(text.as_bytes());
}
