//! The code around one instruction that tells of it.

use recrash_classfile::{Assembler, Error, Kind, MethodType, Type};

use super::sites::{By, Deed, Named, Step};
use super::spill::Spilled;
use super::writer::{Talk, Writer, double};
use crate::plan::Plan;

pub(super) const OBJECT: Type<'static> = Type {
    descriptor: b"Ljava/lang/Object;",
};

/// An instruction, and how it is told of.
pub(super) struct Telling<'t, 'c> {
    pub(super) step: &'t Step<'c>,
    pub(super) site: u32,
    pub(super) hidden: bool,
    /// Whether a constructor's receiver is in variable 0 all the time.
    pub(super) knows_receiver: bool,
    pub(super) spilled: &'t Spilled,
}

impl<'c> Telling<'_, 'c> {
    pub(super) fn write(&self, plan: &mut Plan<'c>) -> Result<(), Error> {
        match &self.step.deed {
            Deed::Call(named) => self.call(named, Talk::Calling, plan),
            Deed::Perhaps(named) if named.is_constructor() => self.call(named, Talk::Making, plan),
            Deed::Perhaps(named) => self.call(named, Talk::Perhaps, plan),
            Deed::Reading(named) => self.call(named, Talk::Reading, plan),
            Deed::Question(named) => {
                self.before(None, false, plan)?;
                self.behind(Talk::Asking, named.has_receiver(), plan)
            }
            Deed::New(_) => {
                self.touch(plan)?;
                self.over(plan)
            }
            Deed::Read(named) if !named.has_receiver() => {
                self.touch(plan)?;
                self.behind(Talk::Read, false, plan)
            }
            Deed::Read(_) => {
                self.before(None, false, plan)?;
                self.behind(Talk::Read, true, plan)
            }
            Deed::Write(named) => self.before(Some(Talk::Writing), named.has_receiver(), plan),
            Deed::Element(_) => self.before(Some(Talk::Element), false, plan),
        }
    }

    fn call(&self, named: &Named<'c>, talk: Talk, plan: &mut Plan<'c>) -> Result<(), Error> {
        self.before(Some(talk), named.has_receiver(), plan)?;
        let mut code = Assembler::new();
        let kept = match given(self.step)? {
            Some(given) => keep(given, &[], self.spilled, &mut code).map(|local| (given, local)),
            None => (named.by == By::Constructor && self.knows_receiver).then_some((OBJECT, 0)),
        };
        let Some((of, local)) = kept else {
            return self.over(plan);
        };
        let mut writer = Writer {
            code: &mut code,
            pool: &mut plan.constants.pool,
        };
        writer.number(self.site)?;
        writer.talk(Talk::Returning)?;
        writer.put_or_hide(self.hidden, of, local)?;
        writer.go()?;
        plan.after(&self.step.instruction, code);
        Ok(())
    }

    /// Keeps what the instruction takes, tells of it if wanted, and puts it back.
    fn before(
        &self,
        talk: Option<Talk>,
        first_is_receiver: bool,
        plan: &mut Plan<'c>,
    ) -> Result<(), Error> {
        let taken = taken(self.step)?;
        let locals = self.spilled.of(taken.iter().map(|of| of.kind()));
        let mut code = Assembler::new();
        for (of, local) in taken.iter().zip(&locals).rev() {
            code.store(of.kind(), *local);
        }
        if let Some(talk) = talk {
            let mut writer = Writer {
                code: &mut code,
                pool: &mut plan.constants.pool,
            };
            writer.number(self.site)?;
            writer.talk(talk)?;
            self.put_all(&taken, &locals, first_is_receiver, &mut writer)?;
            writer.go()?;
        }
        for (of, local) in taken.iter().zip(&locals) {
            code.load(of.kind(), *local);
        }
        plan.before(self.step.instruction.pc, code);
        Ok(())
    }

    fn put_all(
        &self,
        taken: &[Type<'_>],
        locals: &[u16],
        first_is_receiver: bool,
        writer: &mut Writer<'_, '_>,
    ) -> Result<(), Error> {
        for (number, (of, local)) in taken.iter().zip(locals).enumerate() {
            if number == 0 && first_is_receiver {
                writer.receiver(*local)?;
            } else {
                writer.put_or_hide(self.hidden, *of, *local)?;
            }
        }
        Ok(())
    }

    /// Tells what the instruction took and what it gave, when it is over.
    fn behind(
        &self,
        talk: Talk,
        first_is_receiver: bool,
        plan: &mut Plan<'c>,
    ) -> Result<(), Error> {
        let Some(given) = given(self.step)? else {
            return Ok(());
        };
        let taken = taken(self.step)?;
        let mut code = Assembler::new();
        let Some(local) = keep(given, &taken, self.spilled, &mut code) else {
            return Ok(());
        };
        let mut writer = Writer {
            code: &mut code,
            pool: &mut plan.constants.pool,
        };
        writer.number(self.site)?;
        writer.talk(talk)?;
        let locals = self.spilled.of(taken.iter().map(|of| of.kind()));
        self.put_all(&taken, &locals, first_is_receiver, &mut writer)?;
        writer.put_or_hide(self.hidden, given, local)?;
        writer.go()?;
        plan.after(&self.step.instruction, code);
        Ok(())
    }

    /// What follows may initialise a class.
    fn touch(&self, plan: &mut Plan<'c>) -> Result<(), Error> {
        let mut code = Assembler::new();
        self.about_site(b"touching", &mut code, plan)?;
        plan.before(self.step.instruction.pc, code);
        Ok(())
    }

    /// The instruction is over and gave nothing.
    fn over(&self, plan: &mut Plan<'c>) -> Result<(), Error> {
        let mut code = Assembler::new();
        self.about_site(b"returned", &mut code, plan)?;
        plan.after(&self.step.instruction, code);
        Ok(())
    }

    fn about_site(
        &self,
        name: &[u8],
        code: &mut Assembler,
        plan: &mut Plan<'c>,
    ) -> Result<(), Error> {
        let mut writer = Writer {
            code,
            pool: &mut plan.constants.pool,
        };
        writer.number(self.site)?;
        writer.border(name, b"(I)V")
    }
}

/// The types of what an instruction takes, the receiver first, unless that is a constructor's.
fn taken<'c>(step: &Step<'c>) -> Result<Vec<Type<'c>>, Error> {
    let mut types = Vec::new();
    match &step.deed {
        Deed::Call(named) | Deed::Perhaps(named) | Deed::Reading(named) | Deed::Question(named) => {
            if named.has_receiver() {
                types.push(OBJECT);
            }
            types.extend(MethodType::read(named.member.descriptor)?.parameters);
        }
        Deed::New(_) => {}
        Deed::Read(named) | Deed::Write(named) => {
            if named.has_receiver() {
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
                let leaves = named.by
                    == By::New {
                        leaves_object: true,
                    };
                leaves.then_some(OBJECT)
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
pub(super) fn kinds(step: &Step<'_>) -> Result<Vec<Kind>, Error> {
    let taken = taken(step)?;
    let all = taken.into_iter().chain(given(step)?);
    Ok(all.map(Type::kind).collect())
}

/// Doubles what was given and keeps one of it, in the variable behind those of what was taken.
pub(super) fn keep(
    given: Type<'_>,
    taken: &[Type<'_>],
    spilled: &Spilled,
    code: &mut Assembler,
) -> Option<u16> {
    let kinds = taken.iter().map(|of| of.kind()).chain([given.kind()]);
    let local = spilled.of(kinds).last().copied()?;
    code.op(double(given.kind()));
    code.store(given.kind(), local);
    Some(local)
}
