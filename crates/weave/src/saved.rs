//! Which fields of the receiver and the arguments a method may overwrite itself: their values on entry are worth keeping.

use recrash_classfile::{ClassFile, Error, Kind, MemberRef, Type, access};

use crate::method::Method;
use crate::origin::{Origin, Origins};

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

/// At most `budget` fields, in the order in which the code writes them.
pub(crate) fn choose<'a>(
    method: &Method<'a>,
    origins: &Origins,
    budget: usize,
) -> Result<Vec<Saved<'a>>, Error> {
    let class = method.class;
    let mut chosen: Vec<Saved<'a>> = Vec::new();
    for write in origins
        .writes
        .iter()
        .filter(|write| origins.may_throw_after(write))
    {
        let field = class.pool.member(write.index)?;
        let own = field.class == class.name && declares(class, &field);
        let input = match write.origin {
            Origin::Input(input) => input,
            // An unknown object of our own class may well be the receiver.
            Origin::Other if own && method.has_receiver => 0,
            Origin::Other | Origin::Fresh => continue,
        };
        let receiver = method.has_receiver && input == 0;
        // On entry to a constructor all fields of the receiver have their default values, and it cannot be read yet.
        let unreadable = receiver && (method.is_constructor || method.scan.written.contains(0));
        let known = chosen
            .iter()
            .any(|saved| saved.input == input && saved.field == field);
        if unreadable || known {
            continue;
        }
        if chosen.len() == budget {
            break;
        }
        chosen.push(Saved {
            input,
            index: write.index,
            field,
            certain: own && receiver,
        });
    }
    Ok(chosen)
}

fn declares(class: &ClassFile<'_>, field: &MemberRef<'_>) -> bool {
    class.fields.iter().any(|declared| {
        declared.name == field.name
            && declared.descriptor == field.descriptor
            && !declared.is(access::STATIC)
    })
}
