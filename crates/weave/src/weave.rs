//! From a class to a woven class: chooses the methods and collects their sites.

use recrash_classfile::{
    Assembler, Catch, ClassFile, ClassPatch, CodePatch, Entry, Error, Insertion, Member,
    PoolAppender, Position, VerificationType, access, opcode,
};

use crate::method::Method;
use crate::monitor::Loom;
use crate::offline::{self, Sleep};
use crate::runtime::Runtime;
use crate::site::SkipReason;
use crate::{Offline, Policy, Reason, Woven};

/// Weaves one class. Site ids count up from `first_site`.
pub fn weave(class: &[u8], first_site: u32, policy: &Policy) -> Woven {
    match weave_class(class, first_site, policy) {
        Ok(woven) => woven,
        Err(defect) => Woven::Untouched(Reason::Malformed(defect)),
    }
}

fn weave_class(bytes: &[u8], first_site: u32, policy: &Policy) -> Result<Woven, Error> {
    let class = ClassFile::read(bytes)?;
    if !policy.wants(&class.binary_name()) {
        return Ok(Woven::Untouched(Reason::Excluded));
    }
    let mut pool = PoolAppender::new(&class.pool);
    // A second look goes on top: what was woven offline sleeps meanwhile.
    if Runtime::is_used_by(&pool) && policy.look.is_none() {
        return Ok(Woven::Untouched(Reason::AlreadyWoven));
    }
    let sleep = match policy.offline {
        Some(Offline::Asleep) => Some(Sleep::prepare(&mut pool)?),
        Some(Offline::Awake) | None => None,
    };
    let mut loom = Loom::new(&class, policy, pool, first_site, sleep);
    let advice = policy.advice.iter().find_map(|advice| advice.of(bytes));
    loom.advice = advice.unwrap_or_default();
    let mut patch = ClassPatch::new(&class);
    let own = loom.own_methodrefs();
    let mut methods = Vec::with_capacity(class.methods.len());
    for member in class.methods.iter().filter(|member| is_candidate(member)) {
        let Some(code) = class.code(member)? else {
            continue;
        };
        match Method::read(&class, member, code, &own) {
            Ok(method) => methods.push(method),
            Err(defect) => loom.skip(member, defect.into()),
        }
    }
    let mut known = loom.look_into(&mut methods, &own).into_iter();
    for mut method in methods {
        let known = known.next().unwrap_or_default();
        let before = loom.before();
        let code = method.code;
        let woven = if loom.is_worth_it(&method) {
            patch.replace(&code, |out| loom.monitor(&mut method, known, out))
        } else {
            note_alone(&mut loom, &mut method, false, &mut patch)
        };
        if let Err(why) = woven {
            loom.rewind(before);
            loom.skip(method.member, why);
        }
    }
    if patch.is_empty() {
        return Ok(Woven::Untouched(match loom.skipped.into_iter().next() {
            Some(first) => Reason::AllSkipped {
                method: first.method,
                why: first.why,
            },
            None => Reason::NothingToMonitor,
        }));
    }
    loom.sites.shrink();
    if policy.offline.is_some() {
        offline::keep(bytes, &loom.sites, loom.sleep, &mut loom.pool)?;
    }
    Ok(Woven::Changed {
        bytes: patch.finish(&loom.pool),
        sites: loom.sites,
        skipped: loom.skipped,
    })
}

/// Makes a class of the JDK note what it writes, see [`crate::keeps_writes`]. The fields count up from `first`.
pub fn weave_jdk(class: &[u8], first: u32) -> Woven {
    match weave_jdk_class(class, first) {
        Ok(woven) => woven,
        Err(defect) => Woven::Untouched(Reason::Malformed(defect)),
    }
}

fn weave_jdk_class(bytes: &[u8], first: u32) -> Result<Woven, Error> {
    let class = ClassFile::read(bytes)?;
    let pool = PoolAppender::new(&class.pool);
    let policy = Policy::default();
    let mut loom = Loom::new(&class, &policy, pool, first, None);
    let mut patch = ClassPatch::new(&class);
    for member in &class.methods {
        let Some(code) = class.code(member)? else {
            continue;
        };
        let before = loom.before();
        let noted = Method::read(&class, member, code, &[])
            .map_err(SkipReason::CannotPatch)
            .and_then(|mut method| note_alone(&mut loom, &mut method, true, &mut patch));
        if let Err(why) = noted {
            loom.rewind(before);
            loom.skip(member, why);
        }
    }
    if patch.is_empty() {
        return Ok(Woven::Untouched(Reason::NothingToMonitor));
    }
    loom.sites.shrink();
    Ok(Woven::Changed {
        bytes: patch.finish(&loom.pool),
        sites: loom.sites,
        skipped: loom.skipped,
    })
}

/// A method that gets no handler notes what it writes, if it is to and if it writes.
fn note_alone<'c>(
    loom: &mut Loom<'c>,
    method: &mut Method<'c>,
    jdk: bool,
    patch: &mut ClassPatch<'c>,
) -> Result<(), SkipReason> {
    let code = method.code;
    match loom.journal_alone(method, jdk)? {
        Some(journal) => patch.replace(&code, |out| loom.take_notes(method, &journal, out)),
        None => Ok(()),
    }
}

/// Accessors that compilers make for nested classes only pass a call on; lambda bodies and bridges are monitored like
/// any other method once they do more than a handful of instructions.
fn is_candidate(member: &Member<'_>) -> bool {
    let accessor = member.is(access::SYNTHETIC) && member.name.starts_with(b"access$");
    !member.is(access::ABSTRACT | access::NATIVE) && !accessor
}

/// The static method a class is made to call, `owner` in internal form (slashes).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Prepended<'a> {
    pub owner: &'a str,
    pub name: &'a str,
    /// Must fit what is passed.
    pub descriptor: &'a str,
    pub passed: Passed<'a>,
    /// Whatever goes wrong with the call, even that there is no such class, the method goes on.
    pub guarded: bool,
}

/// What a prepended call gets of `this` (instance methods) and the parameters of the method that makes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Passed<'a> {
    Nothing,
    Everything,
    /// These, by their places; where there is a receiver, it has place 0.
    Only(&'a [usize]),
}

impl Passed<'_> {
    fn includes(self, place: usize) -> bool {
        match self {
            Passed::Nothing => false,
            Passed::Everything => true,
            Passed::Only(places) => places.contains(&place),
        }
    }
}

/// Makes a method begin with a call of a static `void` method that gets what the method got, or a part of it.
///
/// `recrash` uses it on `Thread.dispatchUncaughtException(Throwable)`.
pub fn prepend_call(
    class: &[u8],
    method: &str,
    descriptor: &str,
    call: Prepended<'_>,
) -> Result<Vec<u8>, Error> {
    let class = ClassFile::read(class)?;
    let missing = || Error::NoSuchMethod {
        method: format!("{method}{descriptor}"),
    };
    let member = class
        .methods
        .iter()
        .find(|member| {
            member.name == method.as_bytes() && member.descriptor == descriptor.as_bytes()
        })
        .ok_or_else(missing)?;
    let code = class.code(member)?.ok_or_else(missing)?;
    let method = Method::read(&class, member, code, &[])?;
    let mut pool = PoolAppender::new(&class.pool);
    let mut assembler = Assembler::new();
    for (place, input) in method.inputs.iter().enumerate() {
        if call.passed.includes(place) {
            assembler.load(input.kind, input.slot);
        }
    }
    let target = pool.method(
        call.owner.as_bytes(),
        call.name.as_bytes(),
        call.descriptor.as_bytes(),
    )?;
    assembler.op_index(opcode::INVOKESTATIC, target);
    let locals = method.exact_locals(&mut pool)?;
    let mut change = CodePatch::default();
    if call.guarded {
        let throwable = VerificationType::Object(pool.class(b"java/lang/Throwable")?);
        let inserted = |offset| Position::Inserted(0, offset);
        let end = assembler.len();
        let body = assembler.jump(opcode::GOTO);
        let caught = assembler.len();
        assembler.op(opcode::POP);
        assembler.land(&body)?;
        change.place_frame(inserted(caught), locals.iter().copied(), Some(throwable));
        change.place_frame(Position::Instruction(0), locals.iter().copied(), None);
        change.catches.push(Catch {
            start: inserted(0),
            end: inserted(end),
            target: inserted(caught),
            catch_type: 0,
        });
    }
    let entry = if class.major < 50 {
        Entry::NoFrames
    } else {
        Entry::Locals(locals)
    };
    change.insertions.push(Insertion {
        pc: 0,
        code: assembler.into_bytes(),
        joined: false,
    });
    change.max_stack = method.input_slots.max(1);
    let mut patch = ClassPatch::new(&class);
    patch.replace(&code, |out| change.apply(&code, entry, &mut pool, out))?;
    Ok(patch.finish(&pool))
}
