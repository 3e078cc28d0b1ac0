//! Which fields of the receiver and the arguments a method may overwrite, itself or by methods of its class that it calls:
//! their values on entry are worth keeping.

use recrash_classfile::Error;

use crate::find::method::{Method, is_own};
use crate::find::origin::{Origins, Write};
use crate::record::choice::Saved;

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
        let Some(input) = write.origin.input_of(method, &field) else {
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
