//! Reads a recording, which may be cut, damaged, or made to do harm: everything is counted, nothing recurses, and a number
//! that names no row is an error here and nowhere later.

use crate::cursor::Cursor;
use crate::error::{Error, Result};
use crate::ids::{EventId, FieldId, MethodId, ObjectId, SiteId, TextId, TypeId};
use crate::model::{
    Answer, Call, Callback, Element, End, Event, EventKind, Failure, Field, FieldAccess, Flags,
    Method, Object, ObjectKind, Operation, Recording, Side, Site, Target, Thread, Type,
};
use crate::value::{Content, Text, Value};
use flate2::read::DeflateDecoder;
use recrash_wire::recording::{
    CHUNK_HEADER, DEFLATED, MAGIC, START, VERSION, chunk, definition, event, object_kind,
    operation, side,
};
use std::collections::HashMap;
use std::io::Read;
use std::path::Path;

/// What a reader is ready for.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    pub bytes: u64,
    pub events: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            bytes: 2 << 30,
            events: 100_000_000,
        }
    }
}

/// Reads a file.
pub fn read_file(path: &Path, limits: Limits) -> Result<Recording> {
    let unreadable = |source| Error::Unreadable {
        path: path.display().to_string(),
        source,
    };
    let length = std::fs::metadata(path).map_err(unreadable)?.len();
    within(length, limits.bytes, "bytes")?;
    read(&std::fs::read(path).map_err(unreadable)?, limits)
}

fn within(count: u64, most: u64, what: &'static str) -> Result<()> {
    if count > most {
        return Err(Error::TooMany { what, most });
    }
    Ok(())
}

/// Reads what has been written: up to the end, or up to the last whole chunk where the program was killed.
pub fn read(bytes: &[u8], limits: Limits) -> Result<Recording> {
    within(bytes.len() as u64, limits.bytes, "bytes")?;
    if !bytes.starts_with(&MAGIC) {
        let is_beginning = MAGIC.starts_with(bytes);
        return Err(if is_beginning {
            Error::Empty
        } else {
            Error::Foreign
        });
    }
    let Some(&[low, high]) = bytes.get(MAGIC.len()..START) else {
        return Err(Error::Empty);
    };
    let found = u16::from_le_bytes([low, high]);
    if found != VERSION {
        return Err(Error::Version {
            found,
            known: VERSION,
        });
    }
    let mut reading = Reading {
        limits,
        recording: Recording::default(),
        ordered: Vec::new(),
        failures: Vec::new(),
        inflated: 0,
    };
    let mut at = START;
    while let Some((kind, content)) = next_chunk(bytes, at)? {
        let start = at + CHUNK_HEADER;
        at = start + content.len();
        if kind & DEFLATED == 0 {
            reading.chunk(kind, Cursor::new(content, start as u64))?;
        } else {
            let inflated = reading.inflated(content, start as u64)?;
            reading.chunk(kind & !DEFLATED, Cursor::new(&inflated, start as u64))?;
        }
        if kind == chunk::END {
            break;
        }
    }
    reading.finish()
}

/// The kind and the content of the chunk at a place; nothing where the file ends, in the middle of one or not.
fn next_chunk(bytes: &[u8], at: usize) -> Result<Option<(u8, &[u8])>> {
    let Some(&[kind, l0, l1, l2, l3, c0, c1, c2, c3]) = bytes.get(at..at + CHUNK_HEADER) else {
        return Ok(None);
    };
    let length = u32::from_le_bytes([l0, l1, l2, l3]) as usize;
    let start = at + CHUNK_HEADER;
    let Some(content) = bytes.get(start..start.saturating_add(length)) else {
        return Ok(None);
    };
    let mut checksum = crc32fast::Hasher::new();
    checksum.update(&[kind]);
    checksum.update(content);
    if checksum.finalize() != u32::from_le_bytes([c0, c1, c2, c3]) {
        // What was being written last when a machine went down need not be there, whatever the length of the file says.
        if start + length == bytes.len() {
            return Ok(None);
        }
        return Err(Error::Damaged {
            what: "a chunk whose checksum does not fit",
            at: at as u64,
        });
    }
    Ok(Some((kind, content)))
}

/// An event, before it is known which call a return ends.
type Ordered = (u64, Event);

struct Reading {
    limits: Limits,
    recording: Recording,
    ordered: Vec<Ordered>,
    /// The failures, with their orders.
    failures: Vec<(u64, u32, Value)>,
    /// Bytes that were inflated so far.
    inflated: u64,
}

/// Stands for the call that a return ends until all events are there.
const UNRESOLVED: EventId = EventId(u32::MAX);

impl Reading {
    fn inflated(&mut self, content: &[u8], at: u64) -> Result<Vec<u8>> {
        let damaged = |what| Error::Damaged { what, at };
        let Some((length, stream)) = content.split_first_chunk() else {
            return Err(damaged("a deflated chunk without a length"));
        };
        let length = u64::from(u32::from_le_bytes(*length));
        self.inflated += length;
        within(self.inflated, self.limits.bytes, "bytes")?;
        let mut inflated = Vec::new();
        let mut decoder = DeflateDecoder::new(stream).take(length + 1);
        let read = decoder.read_to_end(&mut inflated);
        if read.is_err() || inflated.len() as u64 != length {
            return Err(damaged("a deflated chunk of another length"));
        }
        Ok(inflated)
    }

    fn chunk(&mut self, kind: u8, mut cursor: Cursor<'_>) -> Result<()> {
        match kind {
            chunk::HEADER => {
                while !cursor.is_at_end() {
                    let name = cursor.text()?.to_owned();
                    let value = cursor.text()?.to_owned();
                    self.recording.header.push((name, value));
                }
            }
            chunk::DEFINITIONS => {
                while !cursor.is_at_end() {
                    self.definition(&mut cursor)?;
                }
            }
            chunk::EVENTS => self.events(&mut cursor)?,
            chunk::FAILURE => {
                let thread = cursor.number()?;
                let order = cursor.unsigned()?;
                let thrown = self.value(&mut cursor)?;
                self.failures.push((order, thread, thrown));
            }
            chunk::END => {
                let dropped = cursor.unsigned()?;
                self.recording.end = End::Whole { dropped };
            }
            _ => return Err(cursor.damaged("a chunk of an unknown kind")),
        }
        Ok(())
    }

    fn definition(&mut self, cursor: &mut Cursor<'_>) -> Result<()> {
        let rows = &mut self.recording;
        match cursor.byte()? {
            definition::TEXT => rows.texts.push(Text::Plain(cursor.text()?.into())),
            definition::UNITS => {
                let count = cursor.count(2)?;
                let units = (0..count).map(|_| Ok(u16::from_le_bytes(cursor.array()?)));
                rows.texts.push(Text::Units(units.collect::<Result<_>>()?));
            }
            definition::TYPE => {
                let found = self.class(cursor)?;
                self.recording.types.push(found);
            }
            definition::METHOD => {
                let flags = Flags(cursor.byte()?);
                rows.methods.push(Method {
                    owner: cursor.text()?.to_owned(),
                    name: cursor.text()?.to_owned(),
                    descriptor: cursor.text()?.to_owned(),
                    flags,
                });
            }
            definition::FIELD => {
                let flags = Flags(cursor.byte()?);
                rows.fields.push(Field {
                    owner: cursor.text()?.to_owned(),
                    name: cursor.text()?.to_owned(),
                    descriptor: cursor.text()?.to_owned(),
                    flags,
                });
            }
            definition::SITE => {
                let found = self.site(cursor)?;
                self.recording.sites.push(found);
            }
            definition::OBJECT => {
                let class = self.type_id(cursor)?;
                let kind = match cursor.byte()? {
                    object_kind::INSIDE => ObjectKind::Inside,
                    object_kind::NEUTRAL => ObjectKind::Neutral,
                    object_kind::OUTSIDE => ObjectKind::Outside,
                    _ => return Err(cursor.damaged("an object of an unknown kind")),
                };
                self.recording.objects.push(Object { class, kind });
            }
            definition::THREAD => rows.threads.push(Thread {
                id: cursor.number()?,
                name: cursor.text()?.to_owned(),
            }),
            _ => return Err(cursor.damaged("a definition of an unknown kind")),
        }
        Ok(())
    }

    fn class(&self, cursor: &mut Cursor<'_>) -> Result<Type> {
        let side = match cursor.byte()? {
            side::JDK => Side::Jdk,
            side::INSIDE => Side::Inside,
            side::OUTSIDE => Side::Outside,
            _ => return Err(cursor.damaged("a class on an unknown side")),
        };
        let flags = Flags(cursor.byte()?);
        let name = cursor.text()?.to_owned();
        let superclass = match cursor.byte()? {
            0 => None,
            _ => Some(self.type_id(cursor)?),
        };
        let count = cursor.count(1)?;
        let interfaces = (0..count).map(|_| self.type_id(cursor));
        Ok(Type {
            name,
            side,
            flags,
            superclass,
            interfaces: interfaces.collect::<Result<_>>()?,
        })
    }

    fn site(&self, cursor: &mut Cursor<'_>) -> Result<Site> {
        let operation = match cursor.byte()? {
            operation::CALL => Operation::Call,
            operation::ENTRY => Operation::Entry,
            operation::ARRIVAL => Operation::Arrival,
            operation::READ => Operation::Read,
            operation::WRITE => Operation::Write,
            operation::ELEMENT_READ => Operation::ElementRead,
            operation::ELEMENT_WRITE => Operation::ElementWrite,
            operation::QUESTION => Operation::Question,
            operation::LAMBDA => Operation::Lambda,
            _ => return Err(cursor.damaged("a site that does what is not known")),
        };
        let inside_of = self.method_id(cursor)?;
        let line = cursor.unsigned()?;
        let line = u16::try_from(line).map_err(|_| cursor.damaged("a line out of range"))?;
        let target = match operation {
            Operation::Read | Operation::Write => {
                let id = FieldId(cursor.number()?);
                self.recording
                    .field(id)
                    .ok_or_else(|| cursor.damaged("a field that is not there"))?;
                Target::Field(id)
            }
            Operation::ElementRead | Operation::ElementWrite => Target::Element,
            _ => Target::Method(self.method_id(cursor)?),
        };
        Ok(Site {
            inside_of,
            line,
            operation,
            target,
        })
    }

    fn method_id(&self, cursor: &mut Cursor<'_>) -> Result<MethodId> {
        let id = MethodId(cursor.number()?);
        match self.recording.method(id) {
            Some(_) => Ok(id),
            None => Err(cursor.damaged("a method that is not there")),
        }
    }

    fn type_id(&self, cursor: &mut Cursor<'_>) -> Result<TypeId> {
        let id = TypeId(cursor.number()?);
        match self.recording.type_of(id) {
            Some(_) => Ok(id),
            None => Err(cursor.damaged("a class that is not there")),
        }
    }

    fn events(&mut self, cursor: &mut Cursor<'_>) -> Result<()> {
        let thread = cursor.number()?;
        let mut order = cursor.unsigned()?;
        while !cursor.is_at_end() {
            let tag = cursor.byte()?;
            if tag == event::ORDER {
                let skipped = cursor.unsigned()?;
                let next = order.checked_add(skipped);
                order = next.ok_or_else(|| cursor.damaged("an order out of range"))?;
                continue;
            }
            let kind = self.event(tag, cursor)?;
            within(
                self.ordered.len() as u64 + 1,
                self.limits.events.min(u64::from(u32::MAX) - 1),
                "events",
            )?;
            self.ordered.push((order, Event { thread, kind }));
            let next = order.checked_add(1);
            order = next.ok_or_else(|| cursor.damaged("an order out of range"))?;
        }
        Ok(())
    }

    fn event(&self, tag: u8, cursor: &mut Cursor<'_>) -> Result<EventKind> {
        Ok(match tag {
            event::CALL => {
                let (site, receiver, arguments) =
                    self.call(cursor, &[Operation::Call, Operation::Arrival])?;
                EventKind::Call(Call {
                    site,
                    receiver,
                    arguments,
                })
            }
            event::CALLBACK => {
                let (site, receiver, arguments) = self.call(cursor, &[Operation::Entry])?;
                EventKind::Callback(Callback {
                    site,
                    receiver,
                    arguments,
                })
            }
            event::RETURN => EventKind::Return {
                of: UNRESOLVED,
                value: Some(self.value(cursor)?),
            },
            event::RETURN_NOTHING => EventKind::Return {
                of: UNRESOLVED,
                value: None,
            },
            event::THROW => EventKind::Throw {
                of: UNRESOLVED,
                thrown: self.value(cursor)?,
            },
            event::READ => EventKind::Read(self.access(cursor, Operation::Read)?),
            event::WRITE => EventKind::Write(self.access(cursor, Operation::Write)?),
            event::ELEMENT_READ => {
                EventKind::ElementRead(self.element(cursor, Operation::ElementRead)?)
            }
            event::ELEMENT_WRITE => {
                EventKind::ElementWrite(self.element(cursor, Operation::ElementWrite)?)
            }
            event::CONTENT => {
                let object = cursor.object()?;
                self.object(object, cursor)?;
                let content = cursor.content()?;
                self.check(&content, cursor)?;
                EventKind::Content { object, content }
            }
            event::ANSWER => {
                let (site, receiver, arguments) = self.call(cursor, &[Operation::Question])?;
                let value = self.value(cursor)?;
                EventKind::Answer(Answer {
                    site,
                    receiver,
                    arguments,
                    value,
                })
            }
            _ => return Err(cursor.damaged("an event of an unknown kind")),
        })
    }

    fn site_id(&self, cursor: &mut Cursor<'_>, wanted: &[Operation]) -> Result<SiteId> {
        let id = SiteId(cursor.number()?);
        match self.recording.site(id) {
            Some(site) if wanted.contains(&site.operation) => Ok(id),
            Some(_) => Err(cursor.damaged("an event at a site that does something else")),
            None => Err(cursor.damaged("a site that is not there")),
        }
    }

    fn call(
        &self,
        cursor: &mut Cursor<'_>,
        wanted: &[Operation],
    ) -> Result<(SiteId, Option<Value>, Vec<Value>)> {
        let site = self.site_id(cursor, wanted)?;
        let callee = self.recording.callee(site);
        let has_receiver =
            callee.is_some_and(|callee| !callee.is_static() && !callee.is_constructor());
        let receiver = if has_receiver {
            Some(self.value(cursor)?)
        } else {
            None
        };
        let count = cursor.count(1)?;
        let arguments = (0..count).map(|_| self.value(cursor));
        Ok((site, receiver, arguments.collect::<Result<_>>()?))
    }

    fn access(&self, cursor: &mut Cursor<'_>, wanted: Operation) -> Result<FieldAccess> {
        let site = self.site_id(cursor, &[wanted])?;
        let target = self.recording.site(site).map(|site| site.target);
        let field = match target {
            Some(Target::Field(field)) => self.recording.field(field),
            _ => None,
        };
        let receiver = if field.is_some_and(Field::is_static) {
            None
        } else {
            Some(self.value(cursor)?)
        };
        Ok(FieldAccess {
            site,
            receiver,
            value: self.value(cursor)?,
        })
    }

    fn element(&self, cursor: &mut Cursor<'_>, wanted: Operation) -> Result<Element> {
        Ok(Element {
            site: self.site_id(cursor, &[wanted])?,
            array: self.value(cursor)?,
            index: cursor.int()?,
            value: self.value(cursor)?,
        })
    }

    fn value(&self, cursor: &mut Cursor<'_>) -> Result<Value> {
        let value = cursor.value()?;
        self.check_value(value, cursor)?;
        Ok(value)
    }

    fn check(&self, content: &Content, cursor: &Cursor<'_>) -> Result<()> {
        for value in content.values() {
            self.check_value(value, cursor)?;
        }
        match content {
            Content::Fields(fields) => {
                for (class, name, _) in fields {
                    self.check_value(Value::Literal(*class, *name), cursor)?;
                }
            }
            Content::Throwable { frames, .. } => {
                for frame in frames {
                    let texts = [Some(frame.class), Some(frame.method), frame.file];
                    for text in texts.into_iter().flatten() {
                        self.text(text, cursor)?;
                    }
                }
            }
            Content::Lambda(lambda) => {
                for text in [
                    lambda.interface,
                    lambda.method,
                    lambda.descriptor,
                    lambda.body_class,
                    lambda.body_method,
                    lambda.body_descriptor,
                ] {
                    self.text(text, cursor)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn check_value(&self, value: Value, cursor: &Cursor<'_>) -> Result<()> {
        match value {
            Value::Object(object) => self.object(object, cursor),
            Value::Text(text) => self.text(text, cursor),
            Value::Literal(class, text) => match self.recording.type_of(class) {
                Some(_) => self.text(text, cursor),
                None => Err(cursor.damaged("a class that is not there")),
            },
            _ => Ok(()),
        }
    }

    fn object(&self, object: ObjectId, cursor: &Cursor<'_>) -> Result<()> {
        match self.recording.object(object) {
            Some(_) => Ok(()),
            None => Err(cursor.damaged("an object that is not there")),
        }
    }

    fn text(&self, text: TextId, cursor: &Cursor<'_>) -> Result<()> {
        match self.recording.text(text) {
            Some(_) => Ok(()),
            None => Err(cursor.damaged("a text that is not there")),
        }
    }

    /// Brings the events of all threads in their order, and finds which call each return ends.
    fn finish(mut self) -> Result<Recording> {
        self.ordered.sort_by_key(|(order, _)| *order);
        for (order, thread, thrown) in self.failures {
            let before = self.ordered.partition_point(|(other, _)| *other < order);
            let at = EventId(before as u32);
            let failure = Failure { thread, thrown, at };
            self.recording.failures.push(failure);
        }
        let mut open: HashMap<u32, Vec<EventId>> = HashMap::new();
        for (number, (_, event)) in self.ordered.iter_mut().enumerate() {
            let calls = open.entry(event.thread).or_default();
            match &mut event.kind {
                EventKind::Call(_) | EventKind::Callback(_) => calls.push(EventId(number as u32)),
                EventKind::Return { of, .. } | EventKind::Throw { of, .. } => {
                    *of = calls.pop().ok_or(Error::Damaged {
                        what: "a return from no call",
                        at: number as u64,
                    })?;
                }
                _ => {}
            }
        }
        self.recording.events = self.ordered.into_iter().map(|(_, event)| event).collect();
        Ok(self.recording)
    }
}
