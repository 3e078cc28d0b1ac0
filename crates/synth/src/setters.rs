//! Which calls put what they are given, or a constant, into which field: how a wanted state is made by calls.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use recrash_program::{MethodId, Program, SelectorId};

use crate::summaries::Summaries;
use crate::summary::{From, Gives, Into};
use crate::world::{CallKind, Callable};

/// What a call puts into the object that it makes or is called on. Parameters are counted as the call's arguments are.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Puts {
    pub(crate) fields: Vec<(SelectorId, From)>,
    /// It changes another object than it is called on: a new one, which has these fields of the old one.
    pub(crate) anew: Option<Vec<SelectorId>>,
}

pub(crate) struct Setters<'s> {
    summaries: &'s Summaries,
    known: RefCell<HashMap<MethodId, Arc<Puts>>>,
}

impl<'s> Setters<'s> {
    pub(crate) fn new(summaries: &'s Summaries) -> Setters<'s> {
        Setters {
            summaries,
            known: RefCell::default(),
        }
    }

    pub(crate) fn of(&self, program: &Program, callable: &Callable) -> Arc<Puts> {
        if let Some(known) = self.known.borrow().get(&callable.method) {
            return Arc::clone(known);
        }
        let found = Arc::new(self.puts(program, callable));
        let mut known = self.known.borrow_mut();
        known.insert(callable.method, Arc::clone(&found));
        found
    }

    fn puts(&self, program: &Program, callable: &Callable) -> Puts {
        let summary = self.summaries.of(program, callable.method);
        let gives_new = summary.gives == Some(Gives::Made);
        let into = |into: Into| summary.puts.iter().filter(move |put| put.into == into);
        let (target, receiver) = match callable.kind {
            CallKind::Static => (Into::Result, 0),
            CallKind::Instance if gives_new && into(Into::Parameter(0)).next().is_none() => {
                (Into::Result, 1)
            }
            _ => (Into::Parameter(0), 1),
        };
        let mut puts = Puts::default();
        let mut kept = Vec::new();
        for put in into(target) {
            let from = match &put.from {
                From::Field(0, field) if receiver == 1 => {
                    kept.extend((*field == put.field).then_some(put.field));
                    continue;
                }
                From::Parameter(number) => number.checked_sub(receiver).map(From::Parameter),
                From::Field(number, field) => number
                    .checked_sub(receiver)
                    .map(|number| From::Field(number, *field)),
                constant => Some(constant.clone()),
            };
            puts.fields.extend(from.map(|from| (put.field, from)));
        }
        puts.anew = (callable.kind == CallKind::Instance && target == Into::Result).then_some(kept);
        puts
    }
}
