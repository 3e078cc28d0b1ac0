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
mod telling;
mod writer;

use recrash_classfile::{Assembler, Error, Kind, Member, MethodType, Type, access, opcode, text};

use crate::find::method::Method;
use crate::pass::Pass;
use crate::plan::Plan;
use crate::reason::SkipReason;
use names::is_called_by_jdk;
pub use site::{BorderDeed, BorderMember, BorderSite};
use sites::{Deed, Step, line, steps};
pub use sites::{MethodName, border_references};
use spill::Spilled;
use telling::{OBJECT, Telling, keep, kinds};
use writer::{Talk, Writer};

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
    /// By the name of a field or of what a method is about, whether texts of that name must not leave the program.
    secret: &'b dyn Fn(&str) -> bool,
    /// By name and descriptor, whether the driver refers to a method by a handle.
    referred: &'b dyn Fn(&[u8], &[u8]) -> bool,
    first: u32,
    sites: Vec<BorderSite>,
    /// How many sites there were before the method at hand.
    before: usize,
}

impl<'b> Border<'b> {
    /// Numbers count up from `first`.
    pub fn new(
        role: Role,
        first: u32,
        outside: &'b dyn Fn(&str) -> bool,
        secret: &'b dyn Fn(&str) -> bool,
        referred: &'b dyn Fn(&[u8], &[u8]) -> bool,
    ) -> Self {
        Border {
            role,
            outside,
            secret,
            referred,
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

    /// Whether what a member takes and gives is hidden: `password`, `setPassword`.
    fn hides(&self, member: &[u8]) -> bool {
        let name = text(member);
        let about = ["set", "get", "with"]
            .iter()
            .find_map(|start| name.strip_prefix(start))
            .filter(|rest| rest.starts_with(|first: char| first.is_uppercase() || first == '_'));
        (self.secret)(about.unwrap_or(&name))
    }

    /// Whether the method's entry is told of.
    fn is_entered(&self, member: &Member<'_>) -> bool {
        match self.role {
            Role::Outside => true,
            Role::Inside => {
                let never = access::STATIC | access::PRIVATE | access::BRIDGE;
                let is_called = !member.is(never) && is_called_by_jdk(member.name);
                is_called || (self.referred)(member.name, member.descriptor)
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
            spilled.reserve(&kinds(step)?, &mut plan.entry)?;
        }
        let ticket = if is_entered {
            Some(self.enter(method, plan)?)
        } else {
            None
        };
        for step in &steps {
            self.step(method, step, &spilled, plan)?;
        }
        if let Some(ticket) = ticket {
            let hidden = self.hides(method.member.name);
            leave(method, result, ticket, hidden, &spilled, plan)?;
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
        let hidden = self.hides(method.member.name);
        for (input, of) in inputs.zip(&types.parameters) {
            writer.put_or_hide(hidden, *of, input.slot)?;
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
        let (does, hidden) = match &step.deed {
            Deed::Call(named) | Deed::Perhaps(named) | Deed::Reading(named) | Deed::New(named) => (
                BorderDeed::Call(named.kept()),
                self.hides(named.member.name),
            ),
            Deed::Question(named) => (BorderDeed::Question(named.kept()), false),
            Deed::Read(named) => (
                BorderDeed::Read(named.kept()),
                self.hides(named.member.name),
            ),
            Deed::Write(named) => (
                BorderDeed::Write(named.kept()),
                self.hides(named.member.name),
            ),
            Deed::Element(_) => (BorderDeed::ElementWrite, false),
        };
        let telling = Telling {
            step,
            site: self.site(method, step.instruction.pc, does)?,
            hidden,
            // Where nothing has taken its place.
            knows_receiver: !method.scan.written.contains(0),
            spilled,
        };
        Ok(telling.write(plan)?)
    }
}

/// Returns, exceptions that are caught, and those that leave the method.
fn leave<'c>(
    method: &Method<'c>,
    result: Type<'c>,
    ticket: u16,
    hidden: bool,
    spilled: &Spilled,
    plan: &mut Plan<'c>,
) -> Result<(), SkipReason> {
    let mut left = Assembler::new();
    let given = (result.descriptor != b"V").then_some(result);
    let local = given.and_then(|given| keep(given, &[], spilled, &mut left));
    // A constructor gives the new object.
    let made = method.is_constructor && !method.scan.written.contains(0);
    let given = if made { Some(OBJECT) } else { given };
    let local = if made { Some(0) } else { local };
    let mut writer = Writer {
        code: &mut left,
        pool: &mut plan.constants.pool,
    };
    writer.code.load(Kind::Int, ticket);
    match given.zip(local) {
        Some((of, local)) => {
            writer.talk(Talk::Leaving)?;
            writer.put_or_hide(hidden, of, local)?;
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
