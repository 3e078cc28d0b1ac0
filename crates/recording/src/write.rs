//! Writes a recording: definitions first, then runs of events of one thread each.

use crate::append::{beginning, code};
use crate::encode::Chunk;
use crate::model::{End, EventKind, FieldAccess, ObjectKind, Recording, Side, Target, Type};
use crate::value::{Text, Value};
use recrash_wire::recording::{chunk, definition, event, object_kind, side};

/// The most events in a chunk.
const RUN: usize = 4096;

/// The bytes of a file. Numbers of rows that are not there are written as they are; the reader refuses them.
pub fn write(recording: &Recording) -> Vec<u8> {
    let mut file = beginning(&recording.header);
    append(&mut file, chunk::DEFINITIONS, &definitions(recording));
    runs(recording, &mut file);
    for failure in &recording.failures {
        let mut last = Chunk::default();
        last.unsigned(failure.thread.into());
        last.unsigned(failure.at.0.into());
        last.value(failure.thrown);
        append(&mut file, chunk::FAILURE, &last);
    }
    if let End::Whole { dropped } = recording.end {
        let mut end = Chunk::default();
        end.unsigned(dropped);
        append(&mut file, chunk::END, &end);
    }
    file
}

fn append(file: &mut Vec<u8>, kind: u8, content: &Chunk) {
    file.extend(crate::append::chunk(kind, &content.bytes));
}

fn definitions(recording: &Recording) -> Chunk {
    let mut rows = Chunk::default();
    for text in &recording.texts {
        match text {
            Text::Plain(text) => {
                rows.byte(definition::TEXT);
                rows.text(text);
            }
            Text::Units(units) => {
                rows.byte(definition::UNITS);
                rows.unsigned(units.len() as u64);
                for unit in units {
                    rows.bytes.extend_from_slice(&unit.to_le_bytes());
                }
            }
        }
    }
    for class in &recording.types {
        define_type(&mut rows, class);
    }
    for method in &recording.methods {
        rows.byte(definition::METHOD);
        rows.byte(method.flags.0);
        for text in [&method.owner, &method.name, &method.descriptor] {
            rows.text(text);
        }
    }
    for field in &recording.fields {
        rows.byte(definition::FIELD);
        rows.byte(field.flags.0);
        for text in [&field.owner, &field.name, &field.descriptor] {
            rows.text(text);
        }
    }
    for site in &recording.sites {
        rows.byte(definition::SITE);
        rows.byte(code(site.operation));
        rows.unsigned(site.inside_of.0.into());
        rows.unsigned(site.line.into());
        match site.target {
            Target::Method(method) => rows.unsigned(method.0.into()),
            Target::Field(field) => rows.unsigned(field.0.into()),
            Target::Element => {}
        }
    }
    for object in &recording.objects {
        rows.byte(definition::OBJECT);
        rows.unsigned(object.class.0.into());
        rows.byte(match object.kind {
            ObjectKind::Inside => object_kind::INSIDE,
            ObjectKind::Neutral => object_kind::NEUTRAL,
            ObjectKind::Outside => object_kind::OUTSIDE,
        });
    }
    for thread in &recording.threads {
        rows.byte(definition::THREAD);
        rows.unsigned(thread.id.into());
        rows.text(&thread.name);
    }
    rows
}

fn define_type(rows: &mut Chunk, class: &Type) {
    rows.byte(definition::TYPE);
    rows.byte(match class.side {
        Side::Jdk => side::JDK,
        Side::Inside => side::INSIDE,
        Side::Outside => side::OUTSIDE,
    });
    rows.byte(class.flags.0);
    rows.text(&class.name);
    rows.byte(class.superclass.is_some().into());
    if let Some(superclass) = class.superclass {
        rows.unsigned(superclass.0.into());
    }
    rows.unsigned(class.interfaces.len() as u64);
    for interface in &class.interfaces {
        rows.unsigned(interface.0.into());
    }
}

fn runs(recording: &Recording, file: &mut Vec<u8>) {
    let mut first = 0;
    while let Some(event) = recording.events.get(first) {
        let rest = recording.events.get(first..).unwrap_or_default();
        let run = rest
            .iter()
            .take(RUN)
            .take_while(|other| other.thread == event.thread);
        let mut chunk = Chunk::default();
        chunk.unsigned(event.thread.into());
        chunk.unsigned(first as u64);
        for event in run {
            write_event(&mut chunk, &event.kind);
            first += 1;
        }
        append(file, chunk::EVENTS, &chunk);
    }
}

fn write_event(chunk: &mut Chunk, kind: &EventKind) {
    match kind {
        EventKind::Call(call) => {
            chunk.byte(event::CALL);
            write_call(chunk, call.site.0, call.receiver, &call.arguments);
        }
        EventKind::Callback(call) => {
            chunk.byte(event::CALLBACK);
            write_call(chunk, call.site.0, call.receiver, &call.arguments);
        }
        EventKind::Return { value: None, .. } => chunk.byte(event::RETURN_NOTHING),
        EventKind::Return {
            value: Some(value), ..
        } => {
            chunk.byte(event::RETURN);
            chunk.value(*value);
        }
        EventKind::Throw { thrown, .. } => {
            chunk.byte(event::THROW);
            chunk.value(*thrown);
        }
        EventKind::Read(access) => write_access(chunk, event::READ, access),
        EventKind::Write(access) => write_access(chunk, event::WRITE, access),
        EventKind::ElementRead(element) | EventKind::ElementWrite(element) => {
            chunk.byte(match kind {
                EventKind::ElementRead(_) => event::ELEMENT_READ,
                _ => event::ELEMENT_WRITE,
            });
            chunk.unsigned(element.site.0.into());
            chunk.value(element.array);
            chunk.signed(element.index.into());
            chunk.value(element.value);
        }
        EventKind::Content { object, content } => {
            chunk.byte(event::CONTENT);
            chunk.object(*object);
            chunk.content(content);
        }
        EventKind::Answer(answer) => {
            chunk.byte(event::ANSWER);
            write_call(chunk, answer.site.0, answer.receiver, &answer.arguments);
            chunk.value(answer.value);
        }
    }
}

fn write_call(chunk: &mut Chunk, site: u32, receiver: Option<Value>, arguments: &[Value]) {
    chunk.unsigned(site.into());
    if let Some(receiver) = receiver {
        chunk.value(receiver);
    }
    chunk.values(arguments);
}

fn write_access(chunk: &mut Chunk, tag: u8, access: &FieldAccess) {
    chunk.byte(tag);
    chunk.unsigned(access.site.0.into());
    if let Some(receiver) = access.receiver {
        chunk.value(receiver);
    }
    chunk.value(access.value);
}
