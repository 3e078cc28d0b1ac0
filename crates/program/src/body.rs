//! A method reduced to what it does with references: the input of call graph and effects.

mod extract;
mod known;

use std::collections::BTreeSet;

use crate::ids::{ClassId, MethodId};
use crate::slots::{SlotId, SlotSet};
use crate::ssa::{CallSite, MemberRef};

pub(crate) use extract::Extractor;

/// A variable that holds references.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Var(pub(crate) u32);

/// What a method does, in no order: whatever can happen is assumed to happen at any time, but for `then_throws`, which
/// says whether the method can still fail afterwards.
#[derive(Debug, Clone, Default)]
pub(crate) struct Body {
    pub(crate) vars: u32,
    pub(crate) parameters: u16,
    pub(crate) steps: Vec<Step>,
    /// Read by the method itself.
    pub(crate) reads: SlotSet,
    /// Classes of which it makes objects.
    pub(crate) allocates: BTreeSet<ClassId>,
    /// Classes that are initialized on its way, if they were not.
    pub(crate) initializes: BTreeSet<ClassId>,
    /// Classes it names in constants, which reflection may make objects of.
    pub(crate) names: BTreeSet<ClassId>,
    /// Lambdas it makes.
    pub(crate) lambdas: Vec<CallSite>,
}

#[derive(Debug, Clone)]
pub(crate) enum Step {
    Parameter {
        to: Var,
        number: u16,
    },
    /// An object made here.
    Fresh {
        to: Var,
        site: u32,
    },
    /// Something that could be anything reachable from outside of the method.
    Anywhere {
        to: Var,
    },
    Caught {
        to: Var,
    },
    Copy {
        to: Var,
        from: Var,
    },
    Load {
        to: Var,
        base: Var,
        slot: SlotId,
    },
    Store {
        base: Var,
        slot: SlotId,
        /// Primitive values matter as writes only.
        value: Option<Var>,
        then_throws: bool,
    },
    LoadStatic {
        to: Var,
        slot: SlotId,
    },
    StoreStatic {
        slot: SlotId,
        value: Option<Var>,
        then_throws: bool,
    },
    Call {
        target: Target,
        arguments: Vec<Option<Var>>,
        result: Option<Var>,
        /// What the callee makes counts as made here.
        site: u32,
        then_throws: bool,
    },
    Return {
        value: Var,
    },
    Throw {
        value: Var,
    },
}

/// What a call leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Target {
    Exactly(MethodId),
    /// Whatever the receiver's class has for it.
    Virtual(Dispatch),
    /// Code that cannot be seen and may be the application's.
    Unknown,
    /// Code of the JDK that cannot be seen: what its own reflection, method handles and providers run. It changes fields of
    /// the JDK's classes and elements of arrays it is given.
    Platform,
}

/// A virtual call: the class the receiver is known to be of, and the method asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Dispatch {
    pub(crate) class: ClassId,
    pub(crate) selector: crate::ids::SelectorId,
}

impl Body {
    fn var(&mut self) -> Var {
        self.vars += 1;
        Var(self.vars - 1)
    }

    /// A body whose parameters are its first variables.
    fn with_parameters(count: u16) -> Body {
        Body {
            vars: u32::from(count),
            parameters: count,
            steps: (0..count)
                .map(|number| Step::Parameter {
                    to: Var(u32::from(number)),
                    number,
                })
                .collect(),
            ..Body::default()
        }
    }

    /// The code behind a lambda object with `parameters`, its own receiver included: captured values and the arguments go
    /// to the implementation, which takes `wanted`. A constructor gets a new object first and gives it back.
    pub(crate) fn of_lambda(
        implementation: Target,
        constructs: Option<ClassId>,
        parameters: u16,
        wanted: usize,
    ) -> Body {
        let mut body = Body::with_parameters(parameters);
        let (captured, result, fresh) = (body.var(), body.var(), body.var());
        body.steps.push(Step::Load {
            to: captured,
            base: Var(0),
            slot: SlotId::CAPTURED,
        });
        let mut passed: Vec<Option<Var>> =
            (1..u32::from(parameters)).map(|n| Some(Var(n))).collect();
        let mut arguments = Vec::new();
        if let Some(class) = constructs {
            body.allocates.insert(class);
            body.initializes.insert(class);
            body.steps.push(Step::Fresh { to: fresh, site: 0 });
            body.steps.push(Step::Return { value: fresh });
            arguments.push(Some(fresh));
        }
        let held = wanted.saturating_sub(passed.len() + arguments.len());
        arguments.extend(std::iter::repeat_n(Some(captured), held));
        arguments.append(&mut passed);
        body.steps.push(Step::Call {
            target: implementation,
            arguments,
            result: Some(result),
            site: 0,
            then_throws: true,
        });
        body.steps.push(Step::Return { value: result });
        body
    }

    /// Calls in the body.
    pub(crate) fn targets(&self) -> impl Iterator<Item = Target> + '_ {
        self.steps.iter().filter_map(|step| match step {
            Step::Call { target, .. } => Some(*target),
            _ => None,
        })
    }
}

/// A field or method that is asked for by name, as a dispatch.
impl From<MemberRef> for Dispatch {
    fn from(method: MemberRef) -> Dispatch {
        Dispatch {
            class: method.class,
            selector: method.selector,
        }
    }
}
