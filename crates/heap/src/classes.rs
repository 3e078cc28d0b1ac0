//! The class table of the heap part.

use crate::error::Error;
use crate::format::{self, ClassIndex, Cursor, class_kind};

/// A class as it was in the captured JVM.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Class {
    /// Binary name with dots; arrays as `Class.getName` spells them.
    pub name: String,
    pub kind: ClassKind,
    pub super_class: Option<ClassIndex>,
    /// Instance fields declared by this class itself.
    pub fields: Vec<FieldInfo>,
    /// Bytes of an instance record's fields, those of super classes included.
    pub(crate) instance_bytes: u32,
    /// Offsets in an instance record of every reference, those of super classes included.
    pub(crate) references: Vec<u32>,
    /// Where its row stands in the heap part: from, to.
    pub(crate) row: (usize, usize),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClassKind {
    Plain,
    Array,
    Lambda(Box<LambdaInfo>),
    /// The interfaces of a dynamic proxy.
    Proxy(Vec<String>),
    /// Fields of this class are not captured.
    Opaque,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldInfo {
    pub name: String,
    /// JVM descriptor with slashes.
    pub descriptor: String,
}

/// What a lambda does: implement `interfaces`' method by calling `owner.name`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LambdaInfo {
    /// The class whose code contains the lambda expression.
    pub host: String,
    pub interfaces: Vec<String>,
    pub method: String,
    pub method_descriptor: String,
    /// JVMS table 5.4.3.5-A.
    pub reference_kind: u8,
    pub owner: String,
    pub name: String,
    pub descriptor: String,
}

/// An array type has at most this many dimensions (JVMS 4.4.1).
const MAX_DIMENSIONS: usize = 255;

/// Over all classes, inherited ones counted again; real programs stay under a hundred thousand.
const MAX_REFERENCE_FIELDS: u64 = 8_000_000;

/// Instances beyond this are no Java objects: 65,535 fields of 8 bytes for each of 64 classes in a line.
const MAX_INSTANCE_BYTES: u32 = 64 * 65_535 * 8;

impl Class {
    /// The component's descriptor of an array class, `None` for other classes.
    pub fn component(&self) -> Option<&str> {
        match self.kind {
            ClassKind::Array => self.name.strip_prefix('['),
            _ => None,
        }
    }
}

pub(crate) fn read_classes(cursor: &mut Cursor<'_>, count: u32) -> Result<Vec<Class>, Error> {
    let mut classes: Vec<Class> = Vec::new();
    let mut references = 0u64;
    for index in 0..count {
        let class = read_class(cursor, index, &classes)?;
        references += class.references.len() as u64;
        // Sub classes repeat the fields of their super classes, so few bytes could ask for much memory.
        if references > MAX_REFERENCE_FIELDS {
            return Err(Error::OverLimit {
                part: "the class table",
                unit: "reference fields",
                found: references,
                limit: MAX_REFERENCE_FIELDS,
            });
        }
        classes.push(class);
    }
    Ok(classes)
}

fn read_class(cursor: &mut Cursor<'_>, index: u32, earlier: &[Class]) -> Result<Class, Error> {
    let bad = |reason| Error::BadClass {
        class: index,
        reason,
    };
    let start = cursor.position();
    let kind = cursor.u8("a class")?;
    let name = cursor.str("a class name")?;
    if name.is_empty() {
        return Err(bad("it has no name"));
    }
    let super_class = match cursor.u32("a super class")? {
        0 => None,
        above => Some(ClassIndex(above - 1)),
    };
    let inherited = match super_class {
        None => None,
        Some(above) => Some(
            earlier
                .get(above.0 as usize)
                .ok_or(bad("its super class does not stand before it"))?,
        ),
    };
    let mut instance_bytes = inherited.map_or(0, |class| class.instance_bytes);
    let mut references = inherited.map_or_else(Vec::new, |class| class.references.clone());
    let mut fields = Vec::new();
    for _ in 0..cursor.u16("a field count")? {
        let field = FieldInfo {
            name: cursor.str("a field name")?.to_owned(),
            descriptor: cursor.str("a field descriptor")?.to_owned(),
        };
        let width = format::width(&field.descriptor).ok_or(bad("a field has no valid type"))?;
        if field.descriptor.starts_with(['L', '[']) {
            references.push(instance_bytes);
        }
        instance_bytes += width;
        fields.push(field);
    }
    if instance_bytes > MAX_INSTANCE_BYTES {
        return Err(bad("it has too many fields"));
    }
    let kind = match kind {
        class_kind::PLAIN => ClassKind::Plain,
        class_kind::ARRAY => {
            let dimensions = name.bytes().take_while(|b| *b == b'[').count();
            let element = name.get(dimensions..).unwrap_or_default();
            if dimensions == 0
                || dimensions > MAX_DIMENSIONS
                || format::width(element).is_none()
                || !fields.is_empty()
            {
                return Err(bad("it is no array class"));
            }
            ClassKind::Array
        }
        class_kind::LAMBDA => ClassKind::Lambda(Box::new(read_lambda(cursor)?)),
        class_kind::PROXY => {
            let count = cursor.u16("a proxy's interfaces")?;
            ClassKind::Proxy(read_names(cursor, count)?)
        }
        class_kind::OPAQUE => ClassKind::Opaque,
        _ => return Err(bad("its kind is unknown")),
    };
    Ok(Class {
        name: name.to_owned(),
        kind,
        super_class,
        fields,
        instance_bytes,
        references,
        row: (start, cursor.position()),
    })
}

fn read_lambda(cursor: &mut Cursor<'_>) -> Result<LambdaInfo, Error> {
    const WHAT: &str = "a lambda";
    let host = cursor.str(WHAT)?.to_owned();
    let count = cursor.u8(WHAT)?;
    Ok(LambdaInfo {
        host,
        interfaces: read_names(cursor, count.into())?,
        method: cursor.str(WHAT)?.to_owned(),
        method_descriptor: cursor.str(WHAT)?.to_owned(),
        reference_kind: cursor.u8(WHAT)?,
        owner: cursor.str(WHAT)?.to_owned(),
        name: cursor.str(WHAT)?.to_owned(),
        descriptor: cursor.str(WHAT)?.to_owned(),
    })
}

fn read_names(cursor: &mut Cursor<'_>, count: u16) -> Result<Vec<String>, Error> {
    (0..count)
        .map(|_| cursor.str("an interface name").map(str::to_owned))
        .collect()
}
