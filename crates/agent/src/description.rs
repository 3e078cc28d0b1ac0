//! What the Java side reports: first the description of a failure, later the values of its frames and the world around.

use crate::kinds::Kind;
use crate::reader::{Reader, Truncated};
use crate::value::value;
use recrash_heap::ObjectId;
use recrash_heap::manifest::{Patch, ThreadInfo, TraceElement};

/// The first report: enough to decide whether the failure is new.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Description {
    pub recognised: Recognised,
    pub thread: ThreadInfo,
    /// The uncaught one first. An entry has one without a type, which only holds its frame.
    pub throwables: Vec<Thrown>,
}

/// By what a failure was recognised, and how it is known to the runtime.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Recognised {
    /// None for what this library does not know.
    pub kind: Option<Kind>,
    /// Counts what was captured.
    pub number: u32,
    /// The number of the same failure, captured before with fewer frames; 0 if it was not.
    pub replaces: u32,
}

/// One throwable of the chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thrown {
    pub class: String,
    pub message: Option<String>,
    pub trace: Vec<TraceElement>,
    /// How many woven frames it left, where `recorded` keeps only the first and the last of them.
    pub total: usize,
    /// The sites of the frames it left, innermost first.
    pub recorded: Vec<u32>,
    /// The sites of constructors that were inside `super(...)`, outermost first; some may be left over from before.
    pub constructors: Vec<u32>,
}

impl Description {
    /// Whether nothing has failed: a method was entered.
    pub fn is_entry(&self) -> bool {
        self.recognised.kind == Some(Kind::Entry)
    }

    pub fn read(bytes: &[u8]) -> Result<Self, Truncated> {
        let reader = &mut Reader::new(bytes);
        Ok(Self {
            recognised: Recognised {
                kind: Kind::of_bit(reader.number()? as u32),
                number: reader.number()? as u32,
                replaces: reader.number()? as u32,
            },
            thread: ThreadInfo {
                name: reader.name()?,
                id: reader.long()? as u64,
                daemon: reader.flag()?,
                is_virtual: reader.flag()?,
            },
            throwables: reader.list(thrown)?,
        })
    }
}

fn thrown(reader: &mut Reader<'_>) -> Result<Thrown, Truncated> {
    Ok(Thrown {
        class: reader.name()?,
        message: reader.text()?,
        trace: reader.list(element)?,
        total: reader.number()?.max(0) as usize,
        recorded: reader.list(|reader| Ok(reader.number()? as u32))?,
        constructors: reader.list(|reader| Ok(reader.number()? as u32))?,
    })
}

fn element(reader: &mut Reader<'_>) -> Result<TraceElement, Truncated> {
    Ok(TraceElement {
        class: reader.name()?,
        method: reader.name()?,
        file: reader.text()?,
        line: reader.number()?,
        module: reader.text()?,
    })
}

/// What one handler put, in the order of the puts of each kind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Values {
    /// Ids in the heap part, 0 for null.
    pub references: Vec<u32>,
    pub primitives: Vec<i64>,
    /// What was different on entry, as far as the runtime kept it.
    pub changes: Vec<Patch>,
}

/// The second report: the values, as ids of the heap part and as primitive bits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contents {
    /// Per throwable, as in [`Thrown::recorded`].
    pub recorded: Vec<Vec<Values>>,
    /// Per throwable, as in [`Thrown::constructors`].
    pub constructors: Vec<Vec<Values>>,
    /// Per throwable.
    pub objects: Vec<ObjectId>,
    /// Site and the place its class was loaded from.
    pub sources: Vec<(u32, Option<String>)>,
    /// Key and value.
    pub thread_locals: Vec<(u32, u32)>,
    pub inheritable_thread_locals: Vec<(u32, u32)>,
    pub statics: Vec<Static>,
    pub environment: World,
    pub limits: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Static {
    pub class: String,
    pub field: String,
    pub descriptor: String,
    pub is_final: bool,
    pub reference: u32,
    pub bits: i64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct World {
    pub properties: Vec<(String, String)>,
    pub java_home: String,
    pub java_version: String,
    pub class_path: String,
    /// URLs of the places that the loaded classes come from.
    pub places: Vec<String>,
    pub module_path: String,
    pub working_directory: String,
    pub jvm_arguments: Vec<String>,
    pub locale: String,
    pub time_zone: String,
    pub charset: String,
}

impl Contents {
    pub fn read(bytes: &[u8], description: &Description) -> Result<Self, Truncated> {
        let reader = &mut Reader::new(bytes);
        let (mut recorded, mut constructors) = (Vec::new(), Vec::new());
        // The Java side starts with the root cause, because its frames matter most when the budget is small.
        for thrown in description.throwables.iter().rev() {
            recorded.push(frames(reader, thrown.recorded.len())?);
            constructors.push(frames(reader, thrown.constructors.len())?);
        }
        let objects = description
            .throwables
            .iter()
            .map(|_| Ok(ObjectId(reader.number()? as u32)))
            .collect::<Result<_, _>>()?;
        let mut contents = Self {
            recorded,
            constructors,
            objects,
            sources: reader.list(|reader| Ok((reader.number()? as u32, reader.text()?)))?,
            thread_locals: reader.list(pair)?,
            inheritable_thread_locals: reader.list(pair)?,
            statics: reader.list(static_field)?,
            environment: world(reader)?,
            limits: reader.list(Reader::name)?,
        };
        // What was walked decides which changes count, so they come last, in the order of the values.
        for (recorded, constructors) in contents.recorded.iter_mut().zip(&mut contents.constructors)
        {
            for values in recorded.iter_mut().chain(constructors) {
                values.changes = reader.list(change)?.into_iter().flatten().collect();
            }
        }
        contents.recorded.reverse();
        contents.constructors.reverse();
        Ok(contents)
    }
}

fn frames(reader: &mut Reader<'_>, count: usize) -> Result<Vec<Values>, Truncated> {
    (0..count)
        .map(|_| {
            Ok(Values {
                references: reader.list(|reader| Ok(reader.number()? as u32))?,
                primitives: reader.list(Reader::long)?,
                changes: Vec::new(),
            })
        })
        .collect()
}

/// `None` where the type is none, which the runtime does not write.
fn change(reader: &mut Reader<'_>) -> Result<Option<Patch>, Truncated> {
    let object = ObjectId(reader.number()? as u32);
    let class = reader.name()?;
    let field = reader.name()?;
    let descriptor = reader.name()?;
    let (target, bits) = (reader.number()? as u32, reader.long()?);
    let value = value(&descriptor, target, bits);
    Ok(value.map(|value| Patch {
        object,
        class,
        field,
        descriptor,
        value,
    }))
}

fn pair(reader: &mut Reader<'_>) -> Result<(u32, u32), Truncated> {
    Ok((reader.number()? as u32, reader.number()? as u32))
}

fn static_field(reader: &mut Reader<'_>) -> Result<Static, Truncated> {
    Ok(Static {
        class: reader.name()?,
        field: reader.name()?,
        descriptor: reader.name()?,
        is_final: reader.flag()?,
        reference: reader.number()? as u32,
        bits: reader.long()?,
    })
}

fn world(reader: &mut Reader<'_>) -> Result<World, Truncated> {
    let mut properties = Vec::new();
    while reader.flag()? {
        properties.push((reader.name()?, reader.name()?));
    }
    properties.sort();
    Ok(World {
        properties,
        java_home: reader.name()?,
        java_version: reader.name()?,
        class_path: reader.name()?,
        places: reader.list(Reader::name)?,
        module_path: reader.name()?,
        working_directory: reader.name()?,
        jvm_arguments: reader.list(Reader::name)?,
        locale: reader.name()?,
        time_zone: reader.name()?,
        charset: reader.name()?,
    })
}
