//! Fields a few references away from what a method was given, kept on entry where the [advice](recrash_advice) for the
//! program says that they may be changed before something is thrown.
//!
//! They may be private and of other classes, so no instruction of this class can read them: the runtime does, by offset.

use recrash_advice::{MethodAdvice, Step, Way};
use recrash_classfile::{Kind, MemberRef, Type};

use crate::method::Method;
use crate::saved::{Choice, Holder, Saved, room};
use crate::table::SiteTable;

/// What is kept in a method: references to the objects on the way, then the fields.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Far {
    pub(crate) holders: Vec<Read>,
    pub(crate) fields: Vec<Read>,
}

/// A field that is read on entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Read {
    pub(crate) of: Holder,
    /// See [`SiteTable::add_field`].
    pub(crate) number: u32,
    step: Step,
}

impl Read {
    /// As code would name it.
    pub(crate) fn member(&self) -> MemberRef<'_> {
        member(&self.step)
    }

    pub(crate) fn kind(&self) -> Kind {
        let descriptor = self.member().descriptor;
        Type { descriptor }.kind()
    }
}

fn member(step: &Step) -> MemberRef<'_> {
    MemberRef {
        class: step.class.as_bytes(),
        name: step.name.as_bytes(),
        descriptor: step.descriptor.as_bytes(),
    }
}

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
    Read {
        of,
        number: sites.add_field(&member(step)),
        step: step.clone(),
    }
}
