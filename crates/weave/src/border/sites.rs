//! The places in a method that a recording tells of.

use recrash_classfile::{ClassFile, Error, Instruction, MemberRef, dotted, is_of_jdk, opcode};

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
    pub(super) by: By,
}

/// How a member is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
    Class,
    Object,
    /// A method, without dispatch.
    Super,
    /// A constructor behind `new`, and whether the new object is on top of the stack when it returns.
    New {
        leaves_object: bool,
    },
    /// `super(...)` or `this(...)`, behind which the receiver is in variable 0.
    Constructor,
}

impl Named<'_> {
    /// Whether there is an object to begin with.
    pub(super) fn has_receiver(&self) -> bool {
        matches!(self.by, By::Object | By::Super)
    }

    pub(super) fn is_constructor(&self) -> bool {
        matches!(self.by, By::New { .. } | By::Constructor)
    }

    pub(super) fn kept(&self) -> BorderMember {
        BorderMember {
            owner: self.member.class.to_vec(),
            name: self.member.name.to_vec(),
            descriptor: self.member.descriptor.to_vec(),
            is_static: self.by == By::Class,
            is_special: self.by == By::Super || self.is_constructor(),
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

/// The name and the descriptor of a method, in modified UTF-8.
pub type MethodName = (Vec<u8>, Vec<u8>);

/// The methods of the inside that a class refers to by handles, as `Item::price` does: names and descriptors. The JDK calls them,
/// and no code of the class shows it.
pub fn border_references(
    class: &[u8],
    outside: &dyn Fn(&str) -> bool,
) -> Result<Vec<MethodName>, Error> {
    let class = ClassFile::read(class)?;
    let handles = (1..class.pool.count())
        .filter(|index| class.pool.tag(*index) == Some(METHOD_HANDLE))
        .filter_map(|index| class.pool.method_handle(index).ok());
    let methods = handles.filter(|handle| {
        handle.kind >= FIRST_OF_METHODS && owner(handle.member.class, outside) == Owner::Inside
    });
    let referred = methods.map(|handle| {
        let member = handle.member;
        (member.name.to_vec(), member.descriptor.to_vec())
    });
    Ok(referred.collect())
}

/// The tag of a MethodHandle entry (JVMS 4.4), and the first kind that is about a method (JVMS 4.4.8).
const METHOD_HANDLE: u8 = 15;
const FIRST_OF_METHODS: u8 = 5;

fn owner(class: &[u8], outside: &dyn Fn(&str) -> bool) -> Owner {
    let name = dotted(class);
    let of_xml = ["org.w3c.dom.", "org.xml.sax."]
        .iter()
        .any(|package| name.starts_with(package));
    if name.starts_with('[') || is_of_jdk(&name) || of_xml {
        Owner::Jdk
    } else if outside(&name) {
        Owner::Outside
    } else {
        Owner::Inside
    }
}

/// Goes through the instructions of one method.
struct Finder<'f, 'c> {
    method: &'f Method<'c>,
    outside: &'f dyn Fn(&str) -> bool,
    found: Vec<Step<'c>>,
    /// The `new` instructions whose constructors are still to come.
    made: Vec<Made>,
}

struct Made {
    /// Its place among the steps, where it has one.
    step: Option<usize>,
    /// Whether the new object is on the stack twice.
    twice: bool,
}

pub(super) fn steps<'c>(
    method: &Method<'c>,
    role: Role,
    outside: &dyn Fn(&str) -> bool,
) -> Result<Vec<Step<'c>>, Error> {
    let mut finder = Finder {
        method,
        outside,
        found: Vec::new(),
        made: Vec::new(),
    };
    let mut after_new = false;
    for instruction in method.code.instructions() {
        let instruction = instruction?;
        if std::mem::take(&mut after_new)
            && let Some(made) = finder.made.last_mut()
        {
            made.twice = instruction.opcode == opcode::DUP;
        }
        after_new = instruction.opcode == opcode::NEW;
        match role {
            Role::Outside => finder.outside(instruction)?,
            Role::Inside => finder.inside(instruction)?,
        }
    }
    Ok(finder.found)
}

impl<'c> Finder<'_, 'c> {
    fn owner(&self, class: &[u8]) -> Owner {
        owner(class, self.outside)
    }

    fn tell(&mut self, instruction: Instruction<'c>, deed: Deed<'c>) {
        self.found.push(Step { instruction, deed });
    }

    fn inside(&mut self, instruction: Instruction<'c>) -> Result<(), Error> {
        if let opcode::INVOKEVIRTUAL..=opcode::INVOKEINTERFACE = instruction.opcode {
            let member = self.method.class.pool.member(instruction.index())?;
            if is_question(member.class, member.name) && member.name != b"<init>" {
                let by = match instruction.opcode {
                    opcode::INVOKESTATIC => By::Class,
                    _ => By::Object,
                };
                self.tell(instruction, Deed::Question(Named { member, by }));
            }
        }
        Ok(())
    }

    fn outside(&mut self, instruction: Instruction<'c>) -> Result<(), Error> {
        match instruction.opcode {
            opcode::NEW => self.made(instruction),
            opcode::INVOKEVIRTUAL..=opcode::INVOKEINTERFACE => self.called(instruction),
            opcode::GETSTATIC..=opcode::PUTFIELD => self.accessed(instruction),
            opcode::IASTORE..=opcode::SASTORE => {
                let descriptor: &'static [u8] = match instruction.opcode {
                    opcode::IASTORE => b"I",
                    opcode::LASTORE => b"J",
                    opcode::FASTORE => b"F",
                    opcode::DASTORE => b"D",
                    opcode::AASTORE => b"Ljava/lang/Object;",
                    opcode::BASTORE => b"B",
                    opcode::CASTORE => b"C",
                    _ => b"S",
                };
                self.tell(instruction, Deed::Element(descriptor));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn made(&mut self, instruction: Instruction<'c>) -> Result<(), Error> {
        let class = self.method.class.pool.class_name(instruction.index())?;
        let is_inside = self.owner(class) == Owner::Inside;
        let step = is_inside.then_some(self.found.len());
        if is_inside {
            // Which constructor it is for is not known yet.
            let member = MemberRef {
                class,
                name: b"<init>",
                descriptor: b"()V",
            };
            let by = By::New {
                leaves_object: false,
            };
            self.tell(instruction, Deed::New(Named { member, by }));
        }
        let twice = false;
        self.made.push(Made { step, twice });
        Ok(())
    }

    fn called(&mut self, instruction: Instruction<'c>) -> Result<(), Error> {
        let class = self.method.class;
        let member = class.pool.member(instruction.index())?;
        let mut new = None;
        let by = match instruction.opcode {
            opcode::INVOKESTATIC => By::Class,
            _ if member.name == b"<init>" => match self.made.pop() {
                Some(made) => {
                    new = made.step;
                    By::New {
                        leaves_object: made.twice,
                    }
                }
                None => By::Constructor,
            },
            opcode::INVOKESPECIAL => By::Super,
            _ => By::Object,
        };
        let named = Named { member, by };
        if let Some(step) = new.and_then(|at| self.found.get_mut(at)) {
            step.deed = Deed::New(named);
        }
        match self.owner(member.class) {
            Owner::Inside => self.tell(instruction, Deed::Call(named)),
            Owner::Outside if self.is_inherited(&named) => {
                self.tell(instruction, Deed::Call(named));
            }
            Owner::Jdk if by != By::Constructor => {
                let has_receiver = named.has_receiver();
                match concern(member.class, member.name, has_receiver) {
                    Concern::Nothing => {}
                    Concern::Receiver => self.tell(instruction, Deed::Reading(named)),
                    Concern::Anything => self.tell(instruction, Deed::Perhaps(named)),
                }
            }
            Owner::Outside | Owner::Jdk => {}
        }
        Ok(())
    }

    /// Whether a method that the code says is the class's own is one of the inside.
    fn is_inherited(&self, named: &Named<'_>) -> bool {
        let class = self.method.class;
        let member = named.member;
        let declared = class
            .methods
            .iter()
            .any(|own| own.name == member.name && own.descriptor == member.descriptor);
        let above = class.super_name.unwrap_or(b"java/lang/Object");
        !named.is_constructor()
            && member.class == class.name
            && !declared
            && self.owner(above) == Owner::Inside
    }

    fn accessed(&mut self, instruction: Instruction<'c>) -> Result<(), Error> {
        let member = self.method.class.pool.member(instruction.index())?;
        if self.owner(member.class) != Owner::Inside {
            return Ok(());
        }
        let by = match instruction.opcode {
            opcode::GETSTATIC | opcode::PUTSTATIC => By::Class,
            _ => By::Object,
        };
        let named = Named { member, by };
        let deed = match instruction.opcode {
            opcode::GETSTATIC | opcode::GETFIELD => Deed::Read(named),
            _ => Deed::Write(named),
        };
        self.tell(instruction, deed);
        Ok(())
    }
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
