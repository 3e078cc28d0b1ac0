//! The places in a method that a recording tells of.

use recrash_classfile::{Error, Instruction, MemberRef, dotted, is_of_jdk, opcode};

use super::Role;
use super::names::{Concern, concern, is_question};
use super::site::BorderMember;
use crate::find::method::Method;

/// An instruction with something to tell.
#[derive(Debug)]
pub(super) struct Step<'c> {
    pub(super) instruction: Instruction<'c>,
    pub(super) deed: Deed<'c>,
}

#[derive(Debug)]
pub(super) enum Deed<'c> {
    /// Of the inside.
    Call(Named<'c>),
    /// Of the JDK.
    Perhaps(Named<'c>),
    /// Of the JDK, which changes nothing.
    Reading(Named<'c>),
    Question(Named<'c>),
    /// In front of the constructor's arguments: may initialise the class.
    New(Named<'c>),
    Read(Named<'c>),
    Write(Named<'c>),
    /// The descriptor of what is written.
    Element(&'static [u8]),
}

/// A member as the code names it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Named<'c> {
    pub(super) member: MemberRef<'c>,
    pub(super) is_static: bool,
    pub(super) is_special: bool,
    /// Of a constructor: the new object is on top of the stack when it returns.
    pub(super) leaves_object: bool,
    /// `super(...)` or `this(...)`, behind which the receiver is in variable 0.
    pub(super) is_super: bool,
}

impl Named<'_> {
    pub(super) fn is_constructor(&self) -> bool {
        self.member.name == b"<init>"
    }

    pub(super) fn kept(&self) -> BorderMember {
        BorderMember {
            owner: self.member.class.to_vec(),
            name: self.member.name.to_vec(),
            descriptor: self.member.descriptor.to_vec(),
            is_static: self.is_static,
            is_special: self.is_special,
        }
    }
}

/// Whose a class is, by its name alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owner {
    Inside,
    Outside,
    Jdk,
}

pub(super) fn steps<'c>(
    method: &Method<'c>,
    role: Role,
    outside: &dyn Fn(&str) -> bool,
) -> Result<Vec<Step<'c>>, Error> {
    let mut found: Vec<Step<'c>> = Vec::new();
    // The `new` instructions whose constructors are still to come, by their places in `found` where they have one, and
    // whether the object is there twice.
    let mut made: Vec<(Option<usize>, bool)> = Vec::new();
    let mut after_new = false;
    let owner = |class: &[u8]| {
        let name = dotted(class);
        if name.starts_with('[')
            || is_of_jdk(&name)
            || name.starts_with("org.w3c.dom.")
            || name.starts_with("org.xml.sax.")
        {
            Owner::Jdk
        } else if outside(&name) {
            Owner::Outside
        } else {
            Owner::Inside
        }
    };
    let superclass = method.class.super_name.unwrap_or(b"java/lang/Object");
    for instruction in method.code.instructions() {
        let instruction = instruction?;
        if std::mem::take(&mut after_new)
            && let Some((_, twice)) = made.last_mut()
        {
            *twice = instruction.opcode == opcode::DUP;
        }
        let pool = &method.class.pool;
        let mut tell = |deed| found.push(Step { instruction, deed });
        match instruction.opcode {
            opcode::NEW => {
                let class = pool.class_name(instruction.index())?;
                let mut place = None;
                if role == Role::Outside && owner(class) == Owner::Inside {
                    // The member is that of the constructor, which is not known yet.
                    let member = MemberRef {
                        class,
                        name: b"<init>",
                        descriptor: b"()V",
                    };
                    let named = Named {
                        member,
                        is_static: false,
                        is_special: true,
                        leaves_object: false,
                        is_super: false,
                    };
                    tell(Deed::New(named));
                    place = Some(found.len() - 1);
                }
                made.push((place, false));
                after_new = true;
            }
            opcode::INVOKEVIRTUAL
            | opcode::INVOKESPECIAL
            | opcode::INVOKESTATIC
            | opcode::INVOKEINTERFACE => {
                let member = pool.member(instruction.index())?;
                let mut named = Named {
                    member,
                    is_static: instruction.opcode == opcode::INVOKESTATIC,
                    is_special: instruction.opcode == opcode::INVOKESPECIAL,
                    leaves_object: false,
                    is_super: false,
                };
                let mut new_at = None;
                if named.is_constructor() {
                    match made.pop() {
                        Some((place, twice)) => {
                            named.leaves_object = twice;
                            new_at = place;
                        }
                        None => named.is_super = true,
                    }
                }
                if role == Role::Inside {
                    if is_question(member.class, member.name) {
                        tell(Deed::Question(named));
                    }
                    continue;
                }
                let inherited = || {
                    let declared =
                        method.class.methods.iter().any(|own| {
                            own.name == member.name && own.descriptor == member.descriptor
                        });
                    let own = !named.is_constructor() && member.class == method.class.name;
                    own && !declared && owner(superclass) == Owner::Inside
                };
                match owner(member.class) {
                    Owner::Inside => tell(Deed::Call(named)),
                    Owner::Outside if inherited() => tell(Deed::Call(named)),
                    Owner::Jdk if !named.is_super => {
                        match concern(member.class, member.name, named.is_static) {
                            Concern::Nothing => {}
                            Concern::Receiver => tell(Deed::Reading(named)),
                            Concern::Anything => tell(Deed::Perhaps(named)),
                        }
                    }
                    Owner::Outside | Owner::Jdk => {}
                }
                // The site of `new` is told with the constructor that it turned out to be for.
                if let Some(step) = new_at.and_then(|at| found.get_mut(at)) {
                    step.deed = Deed::New(named);
                }
            }
            opcode::GETSTATIC | opcode::PUTSTATIC | opcode::GETFIELD | opcode::PUTFIELD
                if role == Role::Outside =>
            {
                let member = pool.member(instruction.index())?;
                if owner(member.class) != Owner::Inside {
                    continue;
                }
                let named = Named {
                    member,
                    is_static: matches!(instruction.opcode, opcode::GETSTATIC | opcode::PUTSTATIC),
                    is_special: false,
                    leaves_object: false,
                    is_super: false,
                };
                tell(match instruction.opcode {
                    opcode::GETSTATIC | opcode::GETFIELD => Deed::Read(named),
                    _ => Deed::Write(named),
                });
            }
            opcode::IASTORE..=opcode::SASTORE if role == Role::Outside => {
                tell(Deed::Element(match instruction.opcode {
                    opcode::IASTORE => b"I",
                    opcode::LASTORE => b"J",
                    opcode::FASTORE => b"F",
                    opcode::DASTORE => b"D",
                    opcode::AASTORE => b"Ljava/lang/Object;",
                    opcode::BASTORE => b"B",
                    opcode::CASTORE => b"C",
                    _ => b"S",
                }));
            }
            _ => {}
        }
    }
    Ok(found)
}

/// The line of an instruction; zero where the class does not say.
pub(super) fn line(method: &Method<'_>, pc: usize) -> Result<u16, Error> {
    let table = method
        .code
        .attributes
        .find(&method.class.pool, b"LineNumberTable")?;
    let rows = table.map_or(&[][..], |table| table.info.get(2..).unwrap_or_default());
    let mut nearest = (0, 0);
    for row in rows.chunks_exact(4) {
        if let &[p1, p2, l1, l2] = row {
            let start = usize::from(u16::from_be_bytes([p1, p2]));
            if start <= pc && start >= nearest.0 {
                nearest = (start, u16::from_be_bytes([l1, l2]));
            }
        }
    }
    Ok(nearest.1)
}
