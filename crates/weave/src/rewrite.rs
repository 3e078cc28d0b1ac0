//! One class: asks the passes about each method, and has their plans carried out.

use recrash_classfile::{ClassFile, ClassPatch, Error, Member, PoolAppender, text};

use crate::emit::emit;
use crate::find::callees;
use crate::find::method::Method;
use crate::pass::Pass;
use crate::plan::Plan;
use crate::reason::{Reason, SkipReason, Skipped};

/// A class that at least one pass has changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rewritten {
    pub bytes: Vec<u8>,
    /// Methods that passes wanted and that stay, in part or altogether, as they are.
    pub skipped: Vec<Skipped>,
}

/// Rewrites one class by these passes, in their order: code of the first comes first, its handlers are outermost.
pub fn rewrite(class: &[u8], passes: &mut [&mut dyn Pass]) -> Result<Rewritten, Reason> {
    let class = ClassFile::read(class)?;
    let pool = PoolAppender::new(&class.pool);
    rewrite_class(&class, pool, passes)
}

/// The same for a class that was read before, and its constants.
pub(crate) fn rewrite_class<'c>(
    class: &'c ClassFile<'c>,
    pool: PoolAppender<'c>,
    passes: &mut [&mut dyn Pass],
) -> Result<Rewritten, Reason> {
    let mut work = Work {
        plan: Plan::new(pool),
        patch: ClassPatch::new(class),
        skipped: Vec::new(),
    };
    let methods = work.read(class, passes)?;
    for pass in &mut *passes {
        pass.find(class, &methods, &mut work.plan.constants)?;
    }
    for mut method in methods {
        work.method(&mut method, passes);
    }
    let Work {
        mut plan,
        patch,
        skipped,
    } = work;
    if patch.is_empty() {
        return Err(match skipped.into_iter().next() {
            Some(first) => Reason::AllSkipped {
                method: first.method,
                why: first.why,
            },
            None => Reason::NothingToMonitor,
        });
    }
    for pass in passes {
        pass.finish(&mut plan.constants)?;
    }
    let bytes = patch.finish(&plan.constants.pool);
    Ok(Rewritten { bytes, skipped })
}

/// What is shared by the methods of one class.
struct Work<'c> {
    plan: Plan<'c>,
    patch: ClassPatch<'c>,
    skipped: Vec<Skipped>,
}

impl<'c> Work<'c> {
    /// The methods that some pass considers.
    fn read(
        &mut self,
        class: &'c ClassFile<'c>,
        passes: &[&mut dyn Pass],
    ) -> Result<Vec<Method<'c>>, Error> {
        let own = if passes.iter().any(|pass| pass.follows_calls()) {
            callees::own_methodrefs(class)
        } else {
            Vec::new()
        };
        let mut methods = Vec::with_capacity(class.methods.len());
        for (index, member) in class.methods.iter().enumerate() {
            if !passes.iter().any(|pass| pass.considers(member)) {
                continue;
            }
            let Some(code) = class.code(member)? else {
                continue;
            };
            match Method::read(class, index, member, code, &own) {
                Ok(method) => methods.push(method),
                Err(defect) => self.skip(member, defect.into()),
            }
        }
        Ok(methods)
    }

    fn skip(&mut self, member: &Member<'_>, why: SkipReason) {
        self.skipped.push(Skipped {
            method: text(member.name),
            descriptor: text(member.descriptor),
            why,
        });
    }

    fn method(&mut self, method: &mut Method<'c>, passes: &mut [&mut dyn Pass]) {
        let member = method.member;
        let mut wanting: Vec<&mut dyn Pass> = Vec::with_capacity(passes.len());
        for pass in passes {
            if pass.considers(member) && pass.wants(method) {
                wanting.push(&mut **pass);
            }
        }
        if wanting.is_empty() {
            return;
        }
        if let Err(defect) = method.check_inputs() {
            return self.skip(member, defect.into());
        }
        let before = self.plan.constants.mark();
        loop {
            let Err(why) = self.attempt(method, &mut wanting) else {
                return;
            };
            self.plan.constants.rewind(before);
            let mut again = false;
            for pass in &mut wanting {
                if let Some(less) = pass.undo(method, &why) {
                    self.skip(member, less);
                    again = true;
                }
            }
            if !again {
                return self.skip(member, why);
            }
        }
    }

    /// Asks all of them, and carries out what they want.
    fn attempt(
        &mut self,
        method: &Method<'c>,
        passes: &mut [&mut dyn Pass],
    ) -> Result<(), SkipReason> {
        let plan = &mut self.plan;
        plan.begin(method);
        for pass in passes {
            plan.begin_pass();
            pass.plan(method, plan)?;
            plan.end_pass();
        }
        if plan.is_empty() {
            return Ok(());
        }
        let code = method.code;
        self.patch.replace(&code, |out| emit(plan, method, out))
    }
}
