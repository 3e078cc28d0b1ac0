//! Where streams, readers, iterators and the like of the JDK were when a method was entered.
//!
//! Reading uses them up, and most of it is done elsewhere: no code of the class shows a write. One number tells where they
//! were, see `$RecrashCursor`; it is kept of parameters, and of the receiver's fields that the method or those of its
//! class that it calls read.

use recrash_classfile::{ClassFile, Error, Parameters, opcode};

use crate::find::callees::{resolve, targets};
use crate::find::method::{Method, is_own};
use crate::record::choice::{Choice, Followed, Holder, Saved};
use crate::record::consumed;
use crate::runtime::Cursor;

/// So many are kept in one method, in a small one one of them, if it uses it itself.
const MOST: usize = 2;
const SMALL: usize = 24;

/// Whether something of this type is worth a place among what a class may follow.
fn is_followed(descriptor: &[u8]) -> bool {
    Cursor::of(descriptor).is_some() || consumed::is_named(descriptor)
}

/// By method, the Fieldrefs of cursors of the class that it or a method of the class that it calls reads; nothing at all
/// for most classes.
pub(crate) fn read_by(
    class: &ClassFile<'_>,
    methods: &[Method<'_>],
    own: &[bool],
) -> Result<Vec<Vec<u16>>, Error> {
    let cursors = fields_of(class)?;
    if cursors.is_empty() {
        return Ok(Vec::new());
    }
    let mut read = Vec::with_capacity(methods.len());
    for method in methods {
        read.push(read_itself(method, &cursors)?);
    }
    let targets = targets(methods, &resolve(methods, own)?);
    let mut changed = true;
    while changed {
        changed = false;
        for (caller, targets) in targets.iter().enumerate() {
            if is_small(methods.get(caller)) {
                continue;
            }
            for &target in targets {
                let more: Vec<u16> = read.get(target).cloned().unwrap_or_default();
                let Some(known) = read.get_mut(caller) else {
                    continue;
                };
                for field in more {
                    if !known.contains(&field) {
                        known.push(field);
                        changed = true;
                    }
                }
            }
        }
    }
    Ok(read)
}

fn is_small(method: Option<&Method<'_>>) -> bool {
    method.is_none_or(|method| method.scan.instructions < SMALL)
}

/// Fieldrefs that name the class itself, of instance fields and static ones alike.
fn fields_of(class: &ClassFile<'_>) -> Result<Vec<u16>, Error> {
    const FIELDREF: u8 = 9;
    let pool = &class.pool;
    let mut found = Vec::new();
    for index in 0..pool.count() {
        if pool.tag(index) == Some(FIELDREF)
            && pool.class_of(index) == Ok(class.this_index)
            && is_followed(pool.member(index)?.descriptor)
        {
            found.push(index);
        }
    }
    Ok(found)
}

fn read_itself(method: &Method<'_>, cursors: &[u16]) -> Result<Vec<u16>, Error> {
    let mut read = Vec::new();
    for instruction in method.code.instructions() {
        let instruction = instruction?;
        if instruction.opcode == opcode::GETFIELD {
            let field = instruction.index();
            if cursors.contains(&field) && !read.contains(&field) {
                read.push(field);
            }
        }
    }
    Ok(read)
}

/// Adds what is to be followed in a method that reads these fields.
pub(crate) fn choose<'a>(
    method: &Method<'a>,
    read: &[u16],
    choice: &mut Choice<'a>,
) -> Result<(), Error> {
    if consumed::is_receiver(method) {
        choice.consumed.push(Holder::Input(0));
    }
    let first = u16::from(method.has_receiver);
    for (input, parameter) in (first..).zip(Parameters::of(method.member.descriptor)) {
        let descriptor = parameter?.descriptor;
        add(method, descriptor, choice, |_| Holder::Input(input));
    }
    if !method.has_receiver || !method.is_readable(0) {
        return Ok(());
    }
    for &index in read {
        let field = method.class.pool.member(index)?;
        add(method, field.descriptor, choice, |choice| {
            let same = |saved: &Saved<'_>| saved.input == 0 && saved.field == field;
            let place = choice.fields.iter().position(same).unwrap_or_else(|| {
                choice.fields.push(Saved {
                    input: 0,
                    index,
                    field,
                    certain: is_own(method.class, &field),
                });
                choice.fields.len() - 1
            });
            Holder::Kept(place as u16)
        });
    }
    Ok(())
}

/// Adds what has this type, as long as there is room.
fn add<'a>(
    method: &Method<'a>,
    descriptor: &[u8],
    choice: &mut Choice<'a>,
    holder: impl FnOnce(&mut Choice<'a>) -> Holder,
) {
    let most = if is_small(Some(method)) { 1 } else { MOST };
    if choice.cursors.len() + choice.consumed.len() >= most {
        return;
    }
    if consumed::is_kept(method, descriptor) {
        let of = holder(choice);
        choice.consumed.push(of);
    } else if let Some(cursor) = Cursor::of(descriptor) {
        let of = holder(choice);
        choice.cursors.push(Followed { of, cursor });
    }
}
