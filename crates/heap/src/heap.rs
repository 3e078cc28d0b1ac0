//! The object graph of a snapshot: validated once, then read at random.

use crate::classes::{Class, ClassKind, read_classes};
use crate::error::Error;
use crate::format::{self, ClassIndex, Cursor, HAS_HASH, StandInReason, tag};
use crate::manifest::{ObjectId, Value};
use crate::object::{Field, Kind, Object, Text};

/// A decoded array lists at most this many elements: in memory each takes up to 16 times its bytes in the file.
const MOST_LISTED: u32 = 4_000_000;

/// The heap part, checked: every reference has an object, every object a class, every record its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heap {
    bytes: Vec<u8>,
    classes: Vec<Class>,
    /// Where each object's record starts; the object with id 1 first.
    starts: Vec<u64>,
}

struct Header {
    classes: u32,
    objects: u32,
    class_bytes: u32,
}

impl Header {
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, Error> {
        const WHAT: &str = "the header";
        if cursor.take(4, WHAT)? != format::MAGIC {
            return Err(Error::NoHeapMagic);
        }
        let version = cursor.u32(WHAT)?;
        if version != format::VERSION {
            return Err(Error::NewerFormat {
                found: version,
                supported: format::VERSION,
            });
        }
        let header = Self {
            classes: cursor.u32(WHAT)?,
            objects: cursor.u32(WHAT)?,
            class_bytes: cursor.u32(WHAT)?,
        };
        cursor.u32(WHAT)?;
        Ok(header)
    }
}

/// The class table of a heap part in pieces, without looking at its objects.
pub fn class_table(pieces: &[&[u8]]) -> Result<Vec<Class>, Error> {
    let start: Vec<u8> = bytes_of(pieces, format::HEADER);
    let header = Header::read(&mut Cursor::new(&start, 0))?;
    let table = bytes_of(pieces, format::HEADER + header.class_bytes as usize);
    read_classes(&mut Cursor::new(&table, format::HEADER), header.classes)
}

/// The first `count` bytes, or as many as there are.
fn bytes_of(pieces: &[&[u8]], count: usize) -> Vec<u8> {
    let all = pieces.iter().flat_map(|piece| piece.iter());
    all.take(count).copied().collect()
}

impl Heap {
    /// Checks `bytes` whole and indexes the objects.
    pub fn parse(bytes: Vec<u8>, max_objects: u32) -> Result<Self, Error> {
        let mut cursor = Cursor::new(&bytes, 0);
        let Header {
            classes: class_count,
            objects,
            class_bytes,
        } = Header::read(&mut cursor)?;
        if objects > max_objects {
            return Err(Error::OverLimit {
                part: "the heap part",
                unit: "objects",
                found: objects.into(),
                limit: max_objects.into(),
            });
        }
        let classes = read_classes(&mut cursor, class_count)?;
        if cursor.position() != format::HEADER + class_bytes as usize {
            return Err(Error::BadClass {
                class: class_count,
                reason: "the class section's length is wrong",
            });
        }
        let starts = index(&mut cursor, &classes, objects)?;
        let rest = bytes.len() - cursor.position();
        if rest != 0 {
            return Err(Error::TrailingBytes(rest as u64));
        }
        Ok(Self {
            bytes,
            classes,
            starts,
        })
    }

    pub fn len(&self) -> u32 {
        self.starts.len() as u32
    }

    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// The bytes of `heap.bin`.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    pub fn classes(&self) -> &[Class] {
        &self.classes
    }

    /// `None` only for null and for ids the heap does not have.
    pub fn object(&self, id: ObjectId) -> Option<Object<'_>> {
        let record = self.record(id)?;
        let kind = self.kind(&record).ok()?;
        Some(Object {
            id,
            class: self
                .class(record.class)
                .map_or("java.lang.Object", |class| &class.name),
            identity_hash: record.hash,
            kind,
        })
    }

    pub fn objects(&self) -> impl Iterator<Item = Object<'_>> {
        (1..=self.len()).filter_map(|id| self.object(ObjectId(id)))
    }

    /// The name of the object's class, without decoding the object.
    pub fn class_name(&self, id: ObjectId) -> Option<&str> {
        let record = self.record(id)?;
        Some(&self.class(record.class)?.name)
    }

    /// How many elements an array has; `None` for other objects.
    pub fn array_length(&self, id: ObjectId) -> Option<u32> {
        let mut record = self.record(id)?;
        match record.tag {
            tag::OBJECT_ARRAY | tag::PRIMITIVE_ARRAY => record.body.u32("an array").ok(),
            _ => None,
        }
    }

    /// Calls `visit` with every non-null reference that the object holds.
    pub fn each_reference(&self, id: ObjectId, mut visit: impl FnMut(u32)) {
        let Some(record) = self.record(id) else {
            return;
        };
        // Cannot fail: `parse` walked the same record.
        let _ = each_reference(&record, &self.classes, &mut |_, target| {
            if target != 0 {
                visit(target);
            }
            Ok(())
        });
    }

    /// The record of the object with this number, from its tag to its last byte.
    pub(crate) fn record_bytes(&self, id: u32) -> &[u8] {
        let start = |id: u32| self.starts.get((id as usize).checked_sub(1)?);
        let end = start(id.saturating_add(1)).map_or(self.bytes.len(), |at| *at as usize);
        start(id)
            .and_then(|at| self.bytes.get(*at as usize..end))
            .unwrap_or_default()
    }

    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.bytes
    }

    /// Where the object's record is.
    pub(crate) fn span(&self, id: ObjectId) -> std::ops::Range<usize> {
        let start = |index: usize| self.starts.get(index).map(|at| *at as usize);
        let end = start(id.0 as usize).unwrap_or(self.bytes.len());
        (id.0 as usize)
            .checked_sub(1)
            .and_then(start)
            .unwrap_or(end)..end
    }

    pub(crate) fn class(&self, index: ClassIndex) -> Option<&Class> {
        self.classes.get(index.0 as usize)
    }

    pub(crate) fn record(&self, id: ObjectId) -> Option<Record<'_>> {
        let at = *self.starts.get((id.0 as usize).checked_sub(1)?)?;
        Record::read(&mut Cursor::new(&self.bytes, at as usize), id).ok()
    }

    fn kind(&self, record: &Record<'_>) -> Result<Kind<'_>, Error> {
        let mut body = Cursor::new(&self.bytes, record.body.position());
        Ok(match record.tag {
            tag::INSTANCE => {
                let fields = self.fields(record.class, &mut body)?;
                let class = self.class(record.class).map(|class| &class.kind);
                Kind::of_instance(class.unwrap_or(&ClassKind::Plain), fields)
            }
            tag::OBJECT_ARRAY | tag::PRIMITIVE_ARRAY => {
                let class = self.class(record.class);
                let component = class.and_then(Class::component).unwrap_or_default();
                let length = body.u32("an array")?;
                let listed = length.min(MOST_LISTED);
                let elements = (0..listed).map(|_| read_value(&mut body, component));
                Kind::Array {
                    component,
                    elements: elements.collect::<Result<_, _>>()?,
                }
            }
            tag::STRING => {
                let coder = body.u8("a string")?;
                let length = body.u32("a string")?;
                Kind::String(Text {
                    utf16: coder & 1 != 0,
                    bytes: body.take(length as usize, "a string")?,
                })
            }
            tag::BOXED => {
                let bits = body.u64("a boxed value")?;
                let class = self.class(record.class).map(|class| class.name.as_str());
                Kind::Boxed(boxed(class.unwrap_or_default(), bits).unwrap_or(Value::Null))
            }
            tag::ENUM => Kind::Enum {
                constant: body.str("an enum constant")?,
                fields: self.fields(record.class, &mut body)?,
            },
            tag::CLASS => Kind::Class {
                name: body.str("a class name")?,
            },
            tag::WELL_KNOWN => {
                let class = ClassIndex(body.u32("a well-known object")?);
                Kind::WellKnown {
                    class: self.class(class).map_or("", |class| &class.name),
                    field: body.str("a well-known object")?,
                }
            }
            tag::STAND_IN => Kind::StandIn {
                reason: StandInReason::of_code(body.u8("a stand-in")?)
                    .unwrap_or(StandInReason::JvmInternal),
                text: body.str("a stand-in")?,
            },
            tag::MEMBER => Kind::Member {
                accessible: body.u8("a member")? != 0,
                owner: body.str("a member")?,
                name: body.str("a member")?,
                descriptor: body.str("a member")?,
            },
            _ => Kind::Cut,
        })
    }

    fn fields(&self, class: ClassIndex, body: &mut Cursor<'_>) -> Result<Vec<Field<'_>>, Error> {
        let slots = self.layout(class).into_iter();
        slots
            .map(|slot| {
                Ok(Field {
                    declared_in: slot.declared_in,
                    name: slot.name,
                    descriptor: slot.descriptor,
                    value: read_value(body, slot.descriptor)?,
                })
            })
            .collect()
    }
}

/// The fixed start of an object's record.
pub(crate) struct Record<'a> {
    pub(crate) tag: u8,
    pub(crate) class: ClassIndex,
    hash: Option<u32>,
    pub(crate) body: Cursor<'a>,
}

impl<'a> Record<'a> {
    pub(crate) fn read(cursor: &mut Cursor<'a>, object: ObjectId) -> Result<Self, Error> {
        let first = cursor.u8("an object")?;
        let tag = first & !HAS_HASH;
        if !(tag::INSTANCE..=tag::CUT).contains(&tag) {
            return Err(Error::UnknownKind { object, tag });
        }
        let class = ClassIndex(cursor.u32("an object")?);
        let hash = match first & HAS_HASH {
            0 => None,
            _ => Some(cursor.u32("an identity hash")?),
        };
        Ok(Self {
            tag,
            class,
            hash,
            body: *cursor,
        })
    }
}

fn index(cursor: &mut Cursor<'_>, classes: &[Class], objects: u32) -> Result<Vec<u64>, Error> {
    let mut starts = Vec::new();
    for id in 1..=objects {
        let object = ObjectId(id);
        starts.push(cursor.position() as u64);
        let record = Record::read(cursor, object)?;
        check(&record, object, classes)?;
        *cursor = each_reference(&record, classes, &mut |_, target| {
            if target > objects {
                return Err(Error::DanglingReference {
                    object,
                    target,
                    objects,
                });
            }
            Ok(())
        })?;
    }
    Ok(starts)
}

/// What a record must satisfy beyond having its bytes.
fn check(record: &Record<'_>, object: ObjectId, classes: &[Class]) -> Result<(), Error> {
    let bad = |reason| Err(Error::BadObject { object, reason });
    let class = classes
        .get(record.class.0 as usize)
        .ok_or(Error::ClassOutOfRange {
            object,
            class: record.class.0,
            classes: classes.len() as u32,
        })?;
    let mut body = record.body;
    let is_array = class.kind == ClassKind::Array;
    match record.tag {
        tag::INSTANCE | tag::ENUM if is_array => bad("an array class has no instances with fields"),
        tag::OBJECT_ARRAY | tag::PRIMITIVE_ARRAY => {
            let component = class.component().unwrap_or_default();
            let references = component.starts_with(['L', '[']);
            if !is_array || references != (record.tag == tag::OBJECT_ARRAY) {
                return bad("its class is no array class of this kind");
            }
            let length = body.u32("an array")?;
            if length > i32::MAX as u32 {
                return bad("its length is negative");
            }
            Ok(())
        }
        tag::STRING => {
            let coder = body.u8("a string")?;
            let length = body.u32("a string")?;
            if class.name != "java.lang.String" {
                return bad("a string's class is not String");
            }
            if coder > 3 || (coder & 1 == 1 && length % 2 == 1) || length > i32::MAX as u32 {
                return bad("a string's coder or length is impossible");
            }
            Ok(())
        }
        tag::BOXED => {
            if boxed(&class.name, body.u64("a boxed value")?).is_none() {
                return bad("a boxed value's class is no wrapper class");
            }
            Ok(())
        }
        tag::WELL_KNOWN => {
            let declaring = body.u32("a well-known object")?;
            if declaring as usize >= classes.len() {
                return Err(Error::ClassOutOfRange {
                    object,
                    class: declaring,
                    classes: classes.len() as u32,
                });
            }
            Ok(())
        }
        tag::STAND_IN => {
            if StandInReason::of_code(body.u8("a stand-in")?).is_none() {
                return bad("a stand-in's reason is unknown");
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Walks the body of a record, reporting where its references stand and to what they lead; the cursor after it is
/// returned.
pub(crate) fn each_reference<'a>(
    record: &Record<'a>,
    classes: &[Class],
    visit: &mut impl FnMut(usize, u32) -> Result<(), Error>,
) -> Result<Cursor<'a>, Error> {
    let mut body = record.body;
    match record.tag {
        tag::INSTANCE => fields_references(&mut body, classes, record.class, visit)?,
        tag::OBJECT_ARRAY => {
            let length = body.u32("an array")?;
            let start = body.position();
            let bytes = body.take((length as usize).saturating_mul(4), "an array")?;
            for (index, id) in bytes.chunks_exact(4).enumerate() {
                let target = u32::from_le_bytes(id.try_into().unwrap_or_default());
                visit(start + index * 4, target)?;
            }
        }
        tag::PRIMITIVE_ARRAY => {
            let length = body.u32("an array")? as usize;
            let component = classes.get(record.class.0 as usize);
            let width = component
                .and_then(Class::component)
                .and_then(format::width)
                .unwrap_or(1);
            body.take(length.saturating_mul(width as usize), "an array")?;
        }
        tag::STRING => {
            body.u8("a string")?;
            let length = body.u32("a string")?;
            body.take(length as usize, "a string")?;
        }
        tag::BOXED => {
            body.u64("a boxed value")?;
        }
        tag::ENUM => {
            body.str("an enum constant")?;
            fields_references(&mut body, classes, record.class, visit)?;
        }
        tag::CLASS => {
            body.str("a class name")?;
        }
        tag::WELL_KNOWN => {
            body.u32("a well-known object")?;
            body.str("a well-known object")?;
        }
        tag::STAND_IN => {
            body.u8("a stand-in")?;
            body.str("a stand-in")?;
        }
        tag::MEMBER => {
            body.u8("a member")?;
            for _ in 0..3 {
                body.str("a member")?;
            }
        }
        _ => {}
    }
    Ok(body)
}

fn fields_references(
    body: &mut Cursor<'_>,
    classes: &[Class],
    class: ClassIndex,
    visit: &mut impl FnMut(usize, u32) -> Result<(), Error>,
) -> Result<(), Error> {
    let Some(class) = classes.get(class.0 as usize) else {
        return Ok(());
    };
    let start = body.position();
    let bytes = body.take(class.instance_bytes as usize, "an object's fields")?;
    for at in &class.references {
        let at = *at as usize;
        let id = bytes.get(at..at + 4).unwrap_or_default();
        let target = u32::from_le_bytes(id.try_into().unwrap_or_default());
        visit(start + at, target)?;
    }
    Ok(())
}

pub(crate) fn read_value(body: &mut Cursor<'_>, descriptor: &str) -> Result<Value, Error> {
    const WHAT: &str = "a value";
    Ok(match descriptor.as_bytes().first() {
        Some(b'Z') => Value::Boolean(body.u8(WHAT)? != 0),
        Some(b'B') => Value::Byte(body.u8(WHAT)? as i8),
        Some(b'C') => Value::Char(body.u16(WHAT)?),
        Some(b'S') => Value::Short(body.u16(WHAT)? as i16),
        Some(b'I') => Value::Int(body.u32(WHAT)? as i32),
        Some(b'F') => Value::FloatBits(body.u32(WHAT)?),
        Some(b'J') => Value::Long(body.u64(WHAT)? as i64),
        Some(b'D') => Value::DoubleBits(body.u64(WHAT)?),
        _ => match body.u32(WHAT)? {
            0 => Value::Null,
            id => Value::Ref(ObjectId(id)),
        },
    })
}

/// The value of a cached wrapper; `None` when the class has no cache.
fn boxed(class: &str, bits: u64) -> Option<Value> {
    Some(match class {
        "java.lang.Boolean" => Value::Boolean(bits != 0),
        "java.lang.Byte" => Value::Byte(bits as i8),
        "java.lang.Character" => Value::Char(bits as u16),
        "java.lang.Short" => Value::Short(bits as i16),
        "java.lang.Integer" => Value::Int(bits as i32),
        "java.lang.Long" => Value::Long(bits as i64),
        _ => return None,
    })
}
