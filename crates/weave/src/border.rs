//! The pass that makes a program tell what crosses the border between its driver and the code it uses.
//!
//! *Outside* classes, the driver's, tell of each call and access that leads inside, and of being called back; they are few, so
//! each may cost something. *Inside* classes tell only when they are entered from outside by way of the JDK (`sort` calls
//! `compareTo`), and what they ask the environment. None of the calls that are added throws.
//!
//! ```text
//! entry      (zero; store)*                               variables to spill to
//!            <site>; invokestatic entered; istore ticket
//!            iload ticket; ifge body                      called by the inside: what with
//!            invokestatic entering; (load input; put)*; go
//! body:
//! o.m(a)     (store)*; <site>; invokestatic calling; (load; put)*; go; (load)*
//!            the call
//!            dup; store; <site>; invokestatic returning; load; put; go
//! return     dup; store; iload ticket; invokestatic leaving; load; put; go
//! catch      dup; iload ticket; invokestatic caught
//! leaving by an exception:  aload t; iload ticket; invokestatic thrown
//! ```

mod names;
mod site;
mod sites;
mod spill;
mod writer;

use recrash_classfile::{Assembler, Error, Kind, Member, MethodType, Type, access, opcode};

use crate::find::method::Method;
use crate::pass::Pass;
use crate::plan::Plan;
use crate::reason::SkipReason;
use names::is_called_by_jdk;
pub use site::{BorderDeed, BorderMember, BorderSite};
use sites::{Deed, Named, Step, line, steps};
use spill::Spilled;
use writer::{Talk, Writer, double};

/// On which side the class under rewriting is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    Outside,
    Inside,
}

/// See the top of the file.
pub struct Border<'b> {
    role: Role,
    /// By binary name, whether a class of the program is on the outside.
    outside: &'b dyn Fn(&str) -> bool,
    first: u32,
    sites: Vec<BorderSite>,
    /// How many sites there were before the method at hand.
    before: usize,
}

impl<'b> Border<'b> {
    /// Numbers count up from `first`.
    pub fn new(role: Role, first: u32, outside: &'b dyn Fn(&str) -> bool) -> Self {
        Border {
            role,
            outside,
            first,
            sites: Vec::new(),
            before: 0,
        }
    }

    /// What the numbers in the code mean, from the first one on.
    pub fn into_sites(self) -> Vec<BorderSite> {
        self.sites
    }

    fn site(&mut self, method: &Method<'_>, pc: usize, does: BorderDeed) -> Result<u32, Error> {
        let number = self.first + self.sites.len() as u32;
        self.sites.push(BorderSite {
            method: (
                method.member.name.to_vec(),
                method.member.descriptor.to_vec(),
            ),
            is_static: method.member.is(access::STATIC),
            line: line(method, pc)?,
            does,
        });
        Ok(number)
    }

    /// Whether the method's entry is told of.
    fn is_entered(&self, member: &Member<'_>) -> bool {
        match self.role {
            Role::Outside => true,
            Role::Inside => {
                let never = access::STATIC | access::PRIVATE | access::BRIDGE;
                !member.is(never) && is_called_by_jdk(member.name)
            }
        }
    }
}

impl Pass for Border<'_> {
    fn wants(&mut self, _method: &Method<'_>) -> bool {
        true
    }

    fn plan<'c>(&mut self, method: &Method<'c>, plan: &mut Plan<'c>) -> Result<(), SkipReason> {
        self.before = self.sites.len();
        let steps = steps(method, self.role, self.outside)?;
        let is_private = method.member.is(access::PRIVATE) && !method.member.is(access::SYNTHETIC);
        let is_entered = self.is_entered(method.member);
        if steps.is_empty() && (!is_entered || is_private && self.role == Role::Outside) {
            return Ok(());
        }
        let result = MethodType::read(method.member.descriptor)?.result;
        let mut spilled = Spilled::default();
        if is_entered && result.descriptor != b"V" {
            spilled.reserve(&[result.kind()], &mut plan.entry)?;
        }
        for step in &steps {
            spilled.reserve(&passed(step)?, &mut plan.entry)?;
        }
        let ticket = match is_entered {
            true => Some(self.enter(method, plan)?),
            false => None,
        };
        for step in &steps {
            self.step(method, step, &spilled, plan)?;
        }
        if let Some(ticket) = ticket {
            leave(method, result, ticket, &spilled, plan)?;
        }
        plan.needs_stack_on_top(method, 5);
        plan.needs_stack(5);
        Ok(())
    }

    fn undo(&mut self, _method: &Method<'_>, _why: &SkipReason) -> Option<SkipReason> {
        self.sites.truncate(self.before);
        None
    }
}

impl Border<'_> {
    /// The variable with the ticket.
    fn enter<'c>(&mut self, method: &Method<'c>, plan: &mut Plan<'c>) -> Result<u16, SkipReason> {
        let (deed, name) = match self.role {
            Role::Outside => (BorderDeed::Entry, &b"entered"[..]),
            Role::Inside => (BorderDeed::Arrival, &b"arrived"[..]),
        };
        let site = self.site(method, 0, deed)?;
        let ticket = plan.entry.new_local(Kind::Int)?;
        let types = MethodType::read(method.member.descriptor)?;
        let mut code = std::mem::take(&mut plan.entry.code);
        let mut writer = Writer {
            code: &mut code,
            pool: &mut plan.constants.pool,
        };
        writer.number(site)?;
        writer.border(name, b"(I)I")?;
        writer.code.store(Kind::Int, ticket);
        writer.code.load(Kind::Int, ticket);
        let body = writer.code.jump(opcode::IFGE);
        writer.border(b"entering", b"()Ljava/lang/$RecrashTalk;")?;
        let mut inputs = method.inputs.iter();
        if method.has_receiver {
            let receiver = inputs.next();
            if let Some(receiver) = receiver.filter(|_| !method.is_constructor) {
                writer.receiver(receiver.slot)?;
            }
        }
        for (input, of) in inputs.zip(&types.parameters) {
            writer.put(*of, input.slot)?;
        }
        writer.go()?;
        plan.entry.code = code;
        plan.entry.land(&body)?;
        Ok(ticket)
    }

    fn step<'c>(
        &mut self,
        method: &Method<'c>,
        step: &Step<'c>,
        spilled: &Spilled,
        plan: &mut Plan<'c>,
    ) -> Result<(), SkipReason> {
        let pc = step.instruction.pc;
        // Where nothing has taken its place.
        let receiver = !method.scan.written.contains(0);
        match &step.deed {
            Deed::Call(named) => {
                let site = self.site(method, pc, BorderDeed::Call(named.kept()))?;
                call(step, named, Talk::Calling, site, receiver, spilled, plan)?;
            }
            Deed::Perhaps(named) => {
                let site = self.site(method, pc, BorderDeed::Call(named.kept()))?;
                let talk = match named.is_constructor() {
                    true => Talk::Making,
                    false => Talk::Perhaps,
                };
                call(step, named, talk, site, receiver, spilled, plan)?;
            }
            Deed::Reading(named) => {
                let site = self.site(method, pc, BorderDeed::Call(named.kept()))?;
                call(step, named, Talk::Reading, site, receiver, spilled, plan)?;
            }
            Deed::Question(named) => {
                let site = self.site(method, pc, BorderDeed::Question(named.kept()))?;
                question(step, named, site, spilled, plan)?;
            }
            Deed::New(named) => {
                let site = self.site(method, pc, BorderDeed::Call(named.kept()))?;
                touch(step, site, plan)?;
                let mut code = Assembler::new();
                let mut writer = Writer {
                    code: &mut code,
                    pool: &mut plan.constants.pool,
                };
                writer.number(site)?;
                writer.border(b"returned", b"(I)V")?;
                plan.after(&step.instruction, code);
            }
            Deed::Read(named) => {
                let site = self.site(method, pc, BorderDeed::Read(named.kept()))?;
                read(step, named, site, spilled, plan)?;
            }
            Deed::Write(named) => {
                let site = self.site(method, pc, BorderDeed::Write(named.kept()))?;
                store(step, Talk::Writing, site, named.is_static, spilled, plan)?;
            }
            Deed::Element(_) => {
                let site = self.site(method, pc, BorderDeed::ElementWrite)?;
                store(step, Talk::Element, site, true, spilled, plan)?;
            }
        }
        Ok(())
    }
}

const OBJECT: Type<'static> = Type {
    descriptor: b"Ljava/lang/Object;",
};

/// The types of what an instruction takes, the receiver first, unless that is a constructor's.
fn taken<'c>(step: &Step<'c>) -> Result<Vec<Type<'c>>, Error> {
    let mut types = Vec::new();
    match &step.deed {
        Deed::Call(named) | Deed::Perhaps(named) | Deed::Reading(named) | Deed::Question(named) => {
            if !named.is_static && !named.is_constructor() {
                types.push(OBJECT);
            }
            types.extend(MethodType::read(named.member.descriptor)?.parameters);
        }
        Deed::New(_) => {}
        Deed::Read(named) | Deed::Write(named) => {
            if !named.is_static {
                types.push(OBJECT);
            }
            if matches!(step.deed, Deed::Write(_)) {
                types.push(Type {
                    descriptor: named.member.descriptor,
                });
            }
        }
        Deed::Element(descriptor) => {
            types.extend([OBJECT, Type { descriptor: b"I" }, Type { descriptor }]);
        }
    }
    Ok(types)
}

/// The type of what an instruction leaves.
fn given<'c>(step: &Step<'c>) -> Result<Option<Type<'c>>, Error> {
    Ok(match &step.deed {
        Deed::Call(named) | Deed::Perhaps(named) | Deed::Reading(named) | Deed::Question(named) => {
            let result = MethodType::read(named.member.descriptor)?.result;
            if named.is_constructor() {
                named.leaves_object.then_some(OBJECT)
            } else {
                (result.descriptor != b"V").then_some(result)
            }
        }
        Deed::Read(named) => Some(Type {
            descriptor: named.member.descriptor,
        }),
        Deed::New(_) | Deed::Write(_) | Deed::Element(_) => None,
    })
}

/// The kinds of all that is kept in variables around an instruction.
fn passed(step: &Step<'_>) -> Result<Vec<Kind>, Error> {
    let taken = taken(step)?;
    let all = taken.into_iter().chain(given(step)?);
    Ok(all.map(Type::kind).collect())
}

/// The code in front of an instruction that keeps what it takes, tells of it, and puts it back.
fn tell_taken<'c>(
    step: &Step<'c>,
    talk: Option<Talk>,
    site: u32,
    first_is_receiver: bool,
    spilled: &Spilled,
    plan: &mut Plan<'c>,
) -> Result<(), Error> {
    let taken = taken(step)?;
    let locals = spilled.of(taken.iter().map(|of| of.kind()));
    let mut code = Assembler::new();
    for (of, local) in taken.iter().zip(&locals).rev() {
        code.store(of.kind(), *local);
    }
    if let Some(talk) = talk {
        let mut writer = Writer {
            code: &mut code,
            pool: &mut plan.constants.pool,
        };
        writer.number(site)?;
        writer.talk(talk)?;
        for (number, (of, local)) in taken.iter().zip(&locals).enumerate() {
            if number == 0 && first_is_receiver {
                writer.receiver(*local)?;
            } else {
                writer.put(*of, *local)?;
            }
        }
        writer.go()?;
    }
    for (of, local) in taken.iter().zip(&locals) {
        code.load(of.kind(), *local);
    }
    plan.before(step.instruction.pc, code);
    Ok(())
}

fn has_receiver(named: &Named<'_>) -> bool {
    !named.is_static && !named.is_constructor()
}

fn call<'c>(
    step: &Step<'c>,
    named: &Named<'c>,
    talk: Talk,
    site: u32,
    reads_receiver: bool,
    spilled: &Spilled,
    plan: &mut Plan<'c>,
) -> Result<(), Error> {
    tell_taken(step, Some(talk), site, has_receiver(named), spilled, plan)?;
    let mut code = Assembler::new();
    let given = given(step)?;
    let local = keep(given, &[], spilled, &mut code);
    let mut writer = Writer {
        code: &mut code,
        pool: &mut plan.constants.pool,
    };
    writer.number(site)?;
    let receiver = (named.is_super && reads_receiver).then_some((OBJECT, 0));
    match given.zip(local).or(receiver) {
        Some((of, local)) => {
            writer.talk(Talk::Returning)?;
            writer.put(of, local)?;
            writer.go()?;
        }
        None => writer.border(b"returned", b"(I)V")?,
    }
    plan.after(&step.instruction, code);
    Ok(())
}

/// Doubles what was given and keeps one of it, behind what was taken.
fn keep(
    given: Option<Type<'_>>,
    taken: &[Type<'_>],
    spilled: &Spilled,
    code: &mut Assembler,
) -> Option<u16> {
    let given = given?;
    let kinds = taken.iter().map(|of| of.kind()).chain([given.kind()]);
    let local = spilled.of(kinds).last().copied()?;
    code.op(double(given.kind()));
    code.store(given.kind(), local);
    Some(local)
}

/// All is told when the answer is there.
fn question<'c>(
    step: &Step<'c>,
    named: &Named<'c>,
    site: u32,
    spilled: &Spilled,
    plan: &mut Plan<'c>,
) -> Result<(), Error> {
    tell_taken(step, None, site, false, spilled, plan)?;
    tell_given(step, Talk::Asking, site, has_receiver(named), spilled, plan)
}

/// The code behind an instruction that tells what it took and what it gave.
fn tell_given<'c>(
    step: &Step<'c>,
    talk: Talk,
    site: u32,
    first_is_receiver: bool,
    spilled: &Spilled,
    plan: &mut Plan<'c>,
) -> Result<(), Error> {
    let (taken, given) = (taken(step)?, given(step)?);
    let mut code = Assembler::new();
    let Some((of, local)) = given.zip(keep(given, &taken, spilled, &mut code)) else {
        return Ok(());
    };
    let mut writer = Writer {
        code: &mut code,
        pool: &mut plan.constants.pool,
    };
    writer.number(site)?;
    writer.talk(talk)?;
    let locals = spilled.of(taken.iter().map(|of| of.kind()));
    for (number, (of, local)) in taken.iter().zip(&locals).enumerate() {
        if number == 0 && first_is_receiver {
            writer.receiver(*local)?;
        } else {
            writer.put(*of, *local)?;
        }
    }
    writer.put(of, local)?;
    writer.go()?;
    plan.after(&step.instruction, code);
    Ok(())
}

/// What follows may initialise a class.
fn touch<'c>(step: &Step<'c>, site: u32, plan: &mut Plan<'c>) -> Result<(), Error> {
    let mut code = Assembler::new();
    let mut writer = Writer {
        code: &mut code,
        pool: &mut plan.constants.pool,
    };
    writer.number(site)?;
    writer.border(b"touching", b"(I)V")?;
    plan.before(step.instruction.pc, code);
    Ok(())
}

fn read<'c>(
    step: &Step<'c>,
    named: &Named<'c>,
    site: u32,
    spilled: &Spilled,
    plan: &mut Plan<'c>,
) -> Result<(), Error> {
    if named.is_static {
        touch(step, site, plan)?;
    } else {
        tell_taken(step, None, site, false, spilled, plan)?;
    }
    tell_given(step, Talk::Read, site, !named.is_static, spilled, plan)
}

fn store<'c>(
    step: &Step<'c>,
    talk: Talk,
    site: u32,
    no_receiver: bool,
    spilled: &Spilled,
    plan: &mut Plan<'c>,
) -> Result<(), Error> {
    tell_taken(step, Some(talk), site, !no_receiver, spilled, plan)
}

/// Returns, exceptions that are caught, and those that leave the method.
fn leave<'c>(
    method: &Method<'c>,
    result: Type<'c>,
    ticket: u16,
    spilled: &Spilled,
    plan: &mut Plan<'c>,
) -> Result<(), SkipReason> {
    let mut left = Assembler::new();
    let given = (result.descriptor != b"V").then_some(result);
    let local = keep(given, &[], spilled, &mut left);
    let mut writer = Writer {
        code: &mut left,
        pool: &mut plan.constants.pool,
    };
    writer.code.load(Kind::Int, ticket);
    match given.zip(local) {
        Some((of, local)) => {
            writer.talk(Talk::Leaving)?;
            writer.put(of, local)?;
            writer.go()?;
        }
        None => writer.border(b"left", b"(I)V")?,
    }
    plan.before_returns(method, &left)?;
    let mut targets: Vec<u16> = method
        .code
        .handlers()
        .map(|handler| handler.target)
        .collect();
    targets.sort_unstable();
    targets.dedup();
    for target in targets {
        let mut code = Assembler::new();
        code.op(opcode::DUP);
        code.load(Kind::Int, ticket);
        let mut writer = Writer {
            code: &mut code,
            pool: &mut plan.constants.pool,
        };
        writer.border(b"caught", b"(Ljava/lang/Throwable;I)V")?;
        plan.before(usize::from(target), code);
    }
    let told = plan.before_throwing(method, |code, thrown, constants| {
        code.load(Kind::Reference, thrown);
        code.load(Kind::Int, ticket);
        let mut writer = Writer {
            code,
            pool: &mut constants.pool,
        };
        writer.border(b"thrown", b"(Ljava/lang/Throwable;I)V")
    });
    match told {
        // Some constructors compute arguments behind the call in the file: who called them tells of the exception.
        Ok(()) | Err(SkipReason::UnclearSuperCall) => {}
        Err(other) => return Err(other),
    }
    plan.needs_stack(3);
    Ok(())
}
