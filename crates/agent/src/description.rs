//! What the Java side reports: first the description of a failure, later the values of its frames and the world around.
//! `wire` declares the bytes; here they get the types of a snapshot.

use crate::kinds::Kind;
use crate::value::value;
use recrash_heap::ObjectId;
use recrash_heap::manifest::{Patch, ThreadInfo, TraceElement};
use recrash_wire::{Malformed, report as wire};

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

    pub fn read(bytes: &[u8]) -> Result<Self, Malformed> {
        let report: wire::Description = wire::read(bytes)?;
        Ok(Self {
            recognised: Recognised {
                kind: Kind::of_bit(report.kind),
                number: report.number,
                replaces: report.replaces,
            },
            thread: ThreadInfo {
                name: report.thread_name.unwrap_or_default(),
                id: report.thread as u64,
                daemon: report.daemon,
                is_virtual: report.is_virtual,
            },
            throwables: report.throwables.into_iter().map(thrown).collect(),
        })
    }
}

fn thrown(thrown: wire::Throwable) -> Thrown {
    Thrown {
        class: thrown.class_name,
        message: thrown.message,
        trace: thrown.trace.into_iter().map(element).collect(),
        total: thrown.total.max(0) as usize,
        recorded: thrown.recorded,
        constructors: thrown.constructors,
    }
}

fn element(element: wire::Element) -> TraceElement {
    TraceElement {
        class: element.class_name,
        method: element.method,
        file: element.file,
        line: element.line,
        module: element.module,
    }
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
    pub fn read(bytes: &[u8], description: &Description) -> Result<Self, Malformed> {
        let report: wire::Contents = wire::read(bytes)?;
        let mut changes = report.changes.into_iter();
        let mut values = |values: Vec<wire::Values>| -> Vec<Values> {
            values
                .into_iter()
                .map(|values| Values {
                    references: values.references,
                    primitives: values.primitives,
                    changes: changes.next().map(patches).unwrap_or_default(),
                })
                .collect()
        };
        // The Java side starts with the root cause, because its frames matter most when the budget is small.
        let (mut recorded, mut constructors) = (Vec::new(), Vec::new());
        for frames in report.frames {
            recorded.push(values(frames.recorded));
            constructors.push(values(frames.constructors));
        }
        recorded.resize(description.throwables.len(), Vec::new());
        constructors.resize(description.throwables.len(), Vec::new());
        recorded.reverse();
        constructors.reverse();
        let pairs = |pairs: Vec<wire::Pair>| {
            let pairs = pairs.into_iter();
            pairs.map(|pair| (pair.key, pair.value)).collect()
        };
        Ok(Self {
            recorded,
            constructors,
            objects: report.objects.into_iter().map(ObjectId).collect(),
            sources: report
                .sources
                .into_iter()
                .map(|source| (source.site, source.place))
                .collect(),
            thread_locals: pairs(report.thread_locals),
            inheritable_thread_locals: pairs(report.inheritable_thread_locals),
            statics: report.statics.into_iter().map(static_field).collect(),
            environment: world(
                report.world,
                report.properties,
                report.places,
                report.jvm_arguments,
            ),
            limits: report.limits,
        })
    }
}

/// Without those whose type is none, which the runtime does not write.
fn patches(changes: wire::Changes) -> Vec<Patch> {
    let patch = |change: wire::Change| {
        let value = value(&change.descriptor, change.reference, change.bits)?;
        Some(Patch {
            object: ObjectId(change.object),
            class: change.class_name,
            field: change.field,
            descriptor: change.descriptor,
            value,
        })
    };
    changes.changes.into_iter().filter_map(patch).collect()
}

fn static_field(field: wire::StaticField) -> Static {
    Static {
        class: field.class_name,
        field: field.field,
        descriptor: field.descriptor,
        is_final: field.is_final,
        reference: field.reference,
        bits: field.bits,
    }
}

fn world(
    world: wire::World,
    properties: Vec<wire::Property>,
    places: Vec<String>,
    jvm_arguments: Vec<String>,
) -> World {
    let properties = properties.into_iter();
    let mut properties: Vec<_> = properties
        .map(|property| (property.key, property.value))
        .collect();
    properties.sort();
    World {
        properties,
        java_home: world.java_home.unwrap_or_default(),
        java_version: world.java_version.unwrap_or_default(),
        class_path: world.class_path.unwrap_or_default(),
        places,
        module_path: world.module_path.unwrap_or_default(),
        working_directory: world.working_directory.unwrap_or_default(),
        jvm_arguments,
        locale: world.locale.unwrap_or_default(),
        time_zone: world.time_zone.unwrap_or_default(),
        charset: world.charset.unwrap_or_default(),
    }
}
