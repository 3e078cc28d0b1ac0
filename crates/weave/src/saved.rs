//! Which fields of the receiver and the arguments a method may overwrite, itself or by methods of its class that it calls:
//! their values on entry are worth keeping.

use recrash_classfile::{ClassFile, Error, Kind, Member, MemberRef, Type, access};

use crate::cursor::Followed;
use crate::far::Far;
use crate::method::Method;
use crate::origin::{Origin, Origins, Write};

/// What is kept on entry.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Choice<'a> {
    pub(crate) fields: Vec<Saved<'a>>,
    /// They follow the fields.
    pub(crate) cursors: Vec<Followed>,
    /// It follows them.
    pub(crate) far: Far,
    /// What is kept with its fields, all of it together, behind everything else.
    pub(crate) consumed: Vec<Holder>,
}

/// What refers to an object that something is kept of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holder {
    /// Index into `Method::inputs`.
    Input(u16),
    /// Counts what is kept, in the order of [`Choice`].
    Kept(u16),
}

/// A field to be loaded on entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Saved<'a> {
    /// Index into `Method::inputs`.
    pub(crate) input: u16,
    /// The Fieldref in the class's own pool.
    pub(crate) index: u16,
    pub(crate) field: MemberRef<'a>,
    /// The class itself declares it and the object is the receiver: loading it cannot fail.
    pub(crate) certain: bool,
}

impl Saved<'_> {
    pub(crate) fn kind(&self) -> Kind {
        Type {
            descriptor: self.field.descriptor,
        }
        .kind()
    }
}

/// The input whose field is written; `None` for objects that are none, as far as anyone can tell.
pub(crate) fn input_of(method: &Method<'_>, origin: Origin, field: &MemberRef<'_>) -> Option<u16> {
    match origin {
        Origin::Input(input) => Some(input),
        // An unknown object of our own class may well be the receiver.
        Origin::Other => (method.has_receiver && is_own(method.class, field)).then_some(0),
        Origin::Fresh => None,
    }
}

/// A field that a callee may write is a load on every entry for a write that may never come: so many at most are kept, one
/// for so many instructions, among which it is lost. Small methods, which are called the most, get one, and none beside
/// what they write themselves.
const MOST_FOR_CALLEES: usize = 4;
const INSTRUCTIONS_PER_FIELD: usize = 24;

/// How many fields that callees may write are kept.
pub(crate) fn room(method: &Method<'_>) -> usize {
    (method.scan.instructions / INSTRUCTIONS_PER_FIELD).min(MOST_FOR_CALLEES)
}

/// At most `budget` fields: those that the code writes, in its order, then those that callees write.
///
/// A callee that is called on every entry costs more than a few loads: what it writes is kept like the method's own.
pub(crate) fn choose<'a>(
    method: &Method<'a>,
    origins: &Origins,
    callees: &[Write],
    budget: usize,
) -> Result<Vec<Saved<'a>>, Error> {
    let (surely, perhaps): (Vec<&Write>, Vec<&Write>) = callees
        .iter()
        .partition(|write| origins.surely_comes(write));
    let mut chosen = Vec::new();
    add(method, origins, origins.writes.iter(), budget, &mut chosen)?;
    add(method, origins, surely, budget, &mut chosen)?;
    let most = (chosen.len() + room(method)).max(1).min(budget);
    add(method, origins, perhaps, most, &mut chosen)?;
    Ok(chosen)
}

/// Adds those that are worth it until there are `most`.
fn add<'a, 'w>(
    method: &Method<'a>,
    origins: &Origins,
    writes: impl IntoIterator<Item = &'w Write>,
    most: usize,
    chosen: &mut Vec<Saved<'a>>,
) -> Result<(), Error> {
    let class = method.class;
    for write in writes {
        if chosen.len() >= most {
            break;
        }
        if !origins.may_throw_after(write) {
            continue;
        }
        let field = class.pool.member(write.index)?;
        let Some(input) = input_of(method, write.origin, &field) else {
            continue;
        };
        let receiver = method.has_receiver && input == 0;
        let known = chosen
            .iter()
            .any(|saved| saved.input == input && saved.field == field);
        if !method.is_readable(input) || known {
            continue;
        }
        chosen.push(Saved {
            input,
            index: write.index,
            field,
            certain: receiver && is_own(class, &field),
        });
    }
    Ok(())
}

/// Whether the class itself declares it.
pub(crate) fn is_own(class: &ClassFile<'_>, field: &MemberRef<'_>) -> bool {
    let same = |declared: &Member<'_>| {
        declared.name == field.name
            && declared.descriptor == field.descriptor
            && !declared.is(access::STATIC)
    };
    field.class == class.name && class.fields.iter().any(same)
}
