//! Fields a few references away from what a method was given, kept on entry where the [advice](recrash_advice) for the
//! program says that they may be changed before something is thrown.
//!
//! They may be private and of other classes, so no instruction of this class can read them: the runtime does, by offset.

use recrash_advice::{MethodAdvice, Step, Way};
use recrash_classfile::Kind;

use crate::find::method::Method;
use crate::record::choice::{Choice, Holder, Read, Saved};
use crate::record::saved::room;
use crate::site::table::SiteTable;

/// As many as there is room for beside what the class's own code made us keep, and behind it.
pub(crate) fn choose(
    method: &Method<'_>,
    advice: &[MethodAdvice],
    choice: &mut Choice<'_>,
    sites: &mut SiteTable,
) {
    let (name, descriptor) = (method.member.name, method.member.descriptor);
    let ways = advice
        .iter()
        .find(|m| m.name.as_bytes() == name && m.descriptor.as_bytes() == descriptor)
        .map_or(&[][..], |method| &method.ways);
    let room = room(method);
    for way in ways {
        if choice.far.fields.len() >= room {
            break;
        }
        add(method, way, choice, sites);
    }
}

fn add(method: &Method<'_>, way: &Way, choice: &mut Choice<'_>, sites: &mut SiteTable) {
    let Some((last, before)) = way.fields.split_last() else {
        return;
    };
    let input = method.inputs.get(usize::from(way.input));
    let is_reference = input.is_some_and(|input| input.kind == Kind::Reference);
    let same =
        |saved: &Saved<'_>| saved.input == way.input && saved.field.name == last.name.as_bytes();
    let known = before.is_empty() && choice.fields.iter().any(same);
    if !is_reference || !method.is_readable(way.input) || known {
        return;
    }
    let first = choice.fields.len() + choice.cursors.len();
    let far = &mut choice.far;
    let mut of = Holder::Input(way.input);
    for step in before {
        let same = |read: &Read| read.of == of && read.step == *step;
        let place = far.holders.iter().position(same).unwrap_or_else(|| {
            far.holders.push(read(of, step, sites));
            far.holders.len() - 1
        });
        of = Holder::Kept((first + place) as u16);
    }
    far.fields.push(read(of, last, sites));
}

fn read(of: Holder, step: &Step, sites: &mut SiteTable) -> Read {
    let mut read = Read {
        of,
        number: 0,
        step: step.clone(),
    };
    read.number = sites.add_field(&read.member());
    read
}
