//! Fields a few references away from what a method was given, kept on entry where the [advice](recrash_advice) for the
//! program says that they may be changed before something is thrown.
//!
//! They may be private and of other classes, so no instruction of this class can read them: the runtime does, by offset.

use recrash_advice::{MethodAdvice, Step, Way};
use recrash_classfile::{Kind, MemberRef, Type};

use crate::method::Method;
use crate::saved::{Saved, room};
use crate::table::SiteTable;

/// What is kept in a method.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Far {
    /// Objects on the way.
    pub(crate) holders: Vec<Holder>,
    pub(crate) fields: Vec<FarField>,
}

/// An object whose fields are kept, or that leads to one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Holder {
    pub(crate) of: Owner,
    /// Of the field that refers to it, see [`SiteTable::add_field`].
    pub(crate) number: u32,
    step: Step,
}

/// A field that is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FarField {
    pub(crate) of: Owner,
    pub(crate) number: u32,
    step: Step,
}

/// Whose field it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Owner {
    /// Index into `Method::inputs`.
    Input(u16),
    /// Index into [`Far::holders`].
    Holder(u16),
}

/// As code would name it.
fn member(step: &Step) -> MemberRef<'_> {
    MemberRef {
        class: step.class.as_bytes(),
        name: step.name.as_bytes(),
        descriptor: step.descriptor.as_bytes(),
    }
}

impl FarField {
    pub(crate) fn member(&self) -> MemberRef<'_> {
        member(&self.step)
    }

    pub(crate) fn kind(&self) -> Kind {
        let descriptor = self.member().descriptor;
        Type { descriptor }.kind()
    }
}

/// As many as there is room for beside what the class's own code made us keep.
pub(crate) fn choose(
    method: &Method<'_>,
    advice: &[MethodAdvice],
    saved: &[Saved<'_>],
    sites: &mut SiteTable,
) -> Far {
    let mut far = Far::default();
    let (name, descriptor) = (method.member.name, method.member.descriptor);
    let ways = advice
        .iter()
        .find(|m| m.name.as_bytes() == name && m.descriptor.as_bytes() == descriptor)
        .map_or(&[][..], |method| &method.ways);
    let room = room(method);
    for way in ways {
        if far.fields.len() >= room {
            break;
        }
        far.add(method, way, saved, sites);
    }
    far
}

impl Far {
    fn add(&mut self, method: &Method<'_>, way: &Way, saved: &[Saved<'_>], sites: &mut SiteTable) {
        let Some((last, before)) = way.fields.split_last() else {
            return;
        };
        let input = method.inputs.get(usize::from(way.input));
        let receiver = method.has_receiver && way.input == 0;
        // On entry to a constructor there is no receiver yet.
        let unreadable = receiver && (method.is_constructor || method.scan.written.contains(0));
        let known = before.is_empty()
            && saved
                .iter()
                .any(|saved| saved.input == way.input && saved.field.name == last.name.as_bytes());
        if input.is_none_or(|input| input.kind != Kind::Reference) || unreadable || known {
            return;
        }
        let mut of = Owner::Input(way.input);
        for step in before {
            let same = |holder: &Holder| holder.of == of && holder.step == *step;
            let place = self.holders.iter().position(same).unwrap_or_else(|| {
                self.holders.push(Holder {
                    of,
                    number: sites.add_field(&member(step)),
                    step: step.clone(),
                });
                self.holders.len() - 1
            });
            of = Owner::Holder(place as u16);
        }
        self.fields.push(FarField {
            of,
            number: sites.add_field(&member(last)),
            step: last.clone(),
        });
    }
}
