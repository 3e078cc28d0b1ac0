//! Writes down what a handler hands over, see [`Site`](crate::Site).

use recrash_classfile::Error;

use crate::find::method::Method;
use crate::find::names::Names;
use crate::record::choice::{Choice, Holder};
use crate::record::value::Value;
use crate::site::packed::Pack;
use crate::site::table::{NO_SLOT, RECEIVER, SiteTable};
use crate::site::{Past, Place};

/// Adds a site and returns its id. Where each of the values is kept, in the order in which they are handed over.
pub(crate) fn add(
    sites: &mut SiteTable,
    method: &Method<'_>,
    place: Place,
    choice: &Choice<'_>,
    past: Past,
    kept: &[&[Value]],
) -> Result<u32, Error> {
    let (id, packed) = sites.begin_site();
    packed.pack_number(method.member.access);
    packed.push(place as u8);
    packed.pack(method.member.name);
    packed.pack(method.member.descriptor);
    let names = Names::of(method).unwrap_or(Names::None);
    for parameter in 0..method.parameters() {
        packed.pack(names.name(parameter, method));
    }
    packed.pack_number(choice.fields.len() as u16);
    for saved in &choice.fields {
        pack_holder(packed, method, Holder::Input(saved.input));
        packed.pack_field(&saved.field);
    }
    packed.pack_number(choice.cursors.len() as u16);
    for followed in &choice.cursors {
        pack_holder(packed, method, followed.of);
    }
    packed.pack_number(choice.far.holders.len() as u16);
    packed.pack_number(choice.far.fields.len() as u16);
    for read in &choice.far.fields {
        pack_holder(packed, method, read.of);
        packed.pack_field(&read.member());
    }
    packed.pack_number(past as u16);
    packed.pack_number(method.scan.reads.len() as u16);
    for &read in &method.scan.reads {
        packed.pack_field(&method.class.pool.member(read)?);
    }
    packed.pack_number(kept.iter().map(|values| values.len() as u16).sum());
    for value in kept.iter().copied().flatten() {
        packed.pack_number(match *value {
            Value::Local(_, slot) => slot,
            Value::Null => NO_SLOT,
        });
    }
    Ok(id)
}

/// Whether it is kept, and its number; the table reads it back as an owner.
fn pack_holder(packed: &mut Vec<u8>, method: &Method<'_>, holder: Holder) {
    let (is_kept, number) = match holder {
        Holder::Input(input) if method.has_receiver => {
            (false, input.checked_sub(1).unwrap_or(RECEIVER))
        }
        Holder::Input(input) => (false, input),
        Holder::Kept(place) => (true, place),
    };
    packed.pack_number(u16::from(is_kept));
    packed.pack_number(number);
}
