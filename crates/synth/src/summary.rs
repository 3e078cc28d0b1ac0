//! What a method puts where, and what it gives (STAR, section 4): forward over its code, with the summaries of what it calls.
//!
//! It is a guess to build programs by, and they are run: code that is not followed is taken to change nothing, and a call to
//! mean the method that it names.

use std::cell::Cell;
use std::collections::HashMap;
use std::sync::Arc;

use recrash_program::{
    BlockId, Constant, Dominators, End, Graph, InvokeKind, Method, MethodId, Op, Origin as Owner,
    Program, SelectorId, Ssa, ValueId,
};
use serde::{Deserialize, Serialize};

/// Longer chains of casts and joins are not followed.
const DEEPEST: usize = 16;
/// Nor are more values than these for one: where loops join, each leads to all others.
const MOST_LOOKS: u32 = 100;
/// What sets more than these fields is of no use to set one.
const MOST_PUTS: usize = 64;
/// i2b, i2c, i2s: what is wanted of the narrow value can be given as the wide one.
const NARROWING: [u8; 3] = [145, 146, 147];

/// Fields go by name and type: in memory by number, on disk by text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Summary<F = SelectorId> {
    /// In the order of the code; one that always comes later has taken the place of earlier ones.
    pub(crate) puts: Vec<Put<F>>,
    pub(crate) gives: Option<Gives<F>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Put<F = SelectorId> {
    pub(crate) into: Into,
    pub(crate) field: F,
    pub(crate) from: From<F>,
}

/// Whose field it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Into {
    /// Counted from 0, the receiver included.
    Parameter(u16),
    /// Of the object that the method makes and gives back.
    Result,
}

/// Where a value comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum From<F = SelectorId> {
    Parameter(u16),
    /// What a field of the parameter held.
    Field(u16, F),
    Int(i32),
    Long(i64),
    Text(String),
    Null,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Gives<F = SelectorId> {
    /// An object that it made.
    Made,
    Value(From<F>),
}

impl<F> Default for Summary<F> {
    fn default() -> Self {
        Summary {
            puts: Vec::new(),
            gives: None,
        }
    }
}

impl<F> Summary<F> {
    /// With fields named in another way.
    pub(crate) fn named<G>(&self, name: impl Fn(&F) -> Option<G>) -> Option<Summary<G>> {
        let puts = self.puts.iter().map(|put| {
            Some(Put {
                into: put.into,
                field: name(&put.field)?,
                from: put.from.named(&name)?,
            })
        });
        Some(Summary {
            puts: puts.collect::<Option<_>>()?,
            gives: match &self.gives {
                None => None,
                Some(Gives::Made) => Some(Gives::Made),
                Some(Gives::Value(from)) => Some(Gives::Value(from.named(&name)?)),
            },
        })
    }
}

impl<F> From<F> {
    fn named<G>(&self, name: impl Fn(&F) -> Option<G>) -> Option<From<G>> {
        Some(match self {
            From::Parameter(number) => From::Parameter(*number),
            From::Field(number, field) => From::Field(*number, name(field)?),
            From::Int(number) => From::Int(*number),
            From::Long(number) => From::Long(*number),
            From::Text(text) => From::Text(text.clone()),
            From::Null => From::Null,
        })
    }
}

/// A method's code, and the methods of the program that it calls on what it knows.
pub(crate) struct Body {
    ssa: Ssa,
    pub(crate) calls: HashMap<ValueId, MethodId>,
}

impl Body {
    /// `None` for methods without code, and the JDK's: its code does not know the program's fields.
    pub(crate) fn of(program: &Program, method: MethodId) -> Option<Body> {
        let class = program.class(method.class)?;
        if class.origin != Owner::Application {
            return None;
        }
        let ssa = Ssa::of(program, method).ok()??;
        let mut body = Body {
            ssa,
            calls: HashMap::new(),
        };
        for (number, value) in (0..).zip(&body.ssa.values) {
            if let Some(callee) = body.callee(program, method, &value.op) {
                body.calls.insert(ValueId(number), callee);
            }
        }
        Some(body)
    }

    fn callee(&self, program: &Program, caller: MethodId, op: &Op) -> Option<MethodId> {
        let Op::Invoke {
            kind,
            method,
            arguments,
        } = op
        else {
            return None;
        };
        let resolved = program
            .hierarchy()
            .resolve_method(method.class, method.selector)
            .filter(Method::has_code)?;
        let owner = program.class(resolved.id.class)?;
        let follows = match kind {
            // Of another package, only what makes objects is of interest.
            InvokeKind::Static => {
                let selector = program.selector(resolved.selector)?;
                let caller = program.class(caller.class)?;
                owner.package() == caller.package() || selector.descriptor.ends_with(b";")
            }
            _ => self.may_be_known(*arguments.first()?),
        };
        (follows && owner.origin == Owner::Application).then_some(resolved.id)
    }

    /// Objects that come from fields and arrays are not known.
    fn may_be_known(&self, value: ValueId) -> bool {
        let op = self.ssa.value(value).map(|value| &value.op);
        match op {
            Some(Op::Cast { value, .. }) => self.may_be_known(*value),
            Some(Op::Parameter(_) | Op::New(_) | Op::Invoke { .. } | Op::Phi(_)) => true,
            _ => false,
        }
    }

    /// The summary, with those of what it calls.
    pub(crate) fn summary(&self, callees: impl Fn(MethodId) -> Option<Arc<Summary>>) -> Summary {
        let mut walk = Walk {
            body: self,
            called: self
                .calls
                .iter()
                .filter_map(|(value, method)| Some((*value, callees(*method)?)))
                .collect(),
            puts: Vec::new(),
            looks: Cell::new(0),
        };
        let always = self.always();
        for (number, block) in (0..).zip(&self.ssa.blocks) {
            let always = always.get(number) == Some(&true);
            for value in &block.instructions {
                walk.instruction(*value, always);
            }
        }
        walk.ends()
    }

    /// Blocks that every way to the end of the method passes.
    fn always(&self) -> Vec<bool> {
        let blocks = &self.ssa.blocks;
        let successors = blocks
            .iter()
            .map(|block| block.successors.iter().map(|BlockId(number)| *number));
        let dominators =
            Dominators::of(&Graph::new(successors.map(Iterator::collect).collect()), 0);
        let exits: Vec<u32> = (0..)
            .zip(blocks)
            .filter(|(_, block)| matches!(block.end, End::Return(_)))
            .map(|(number, _)| number)
            .collect();
        let passes = |block: u32| exits.iter().all(|exit| dominators.dominates(block, *exit));
        (0..blocks.len() as u32).map(passes).collect()
    }
}

/// What is known of a value.
#[derive(Debug, Clone, PartialEq)]
enum Origin {
    From(From),
    /// The object that this instruction made.
    Made(ValueId),
    Unknown,
}

/// An object whose fields are followed.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Object {
    Parameter(u16),
    Made(ValueId),
}

struct Walk<'b> {
    body: &'b Body,
    called: HashMap<ValueId, Arc<Summary>>,
    puts: Vec<(Object, SelectorId, From)>,
    /// Values looked at for the one in question.
    looks: Cell<u32>,
}

impl Walk<'_> {
    fn instruction(&mut self, value: ValueId, always: bool) {
        let Some(found) = self.body.ssa.value(value) else {
            return;
        };
        match &found.op {
            Op::PutField {
                field,
                object,
                value,
            } => {
                if let Some(object) = self.object(*object) {
                    let from = self.origin(*value, 0);
                    self.put(object, field.selector, from, always);
                }
            }
            Op::Invoke { arguments, .. } => {
                let Some(summary) = self.called.get(&value).map(Arc::clone) else {
                    return;
                };
                for put in &summary.puts {
                    let object = match put.into {
                        Into::Result => Some(Object::Made(value)),
                        Into::Parameter(number) => arguments
                            .get(usize::from(number))
                            .and_then(|argument| self.object(*argument)),
                    };
                    if let Some(object) = object {
                        let from = self.given(&put.from, arguments, 0);
                        self.put(object, put.field, from, always);
                    }
                }
            }
            _ => {}
        }
    }

    fn put(&mut self, object: Object, field: SelectorId, from: Origin, always: bool) {
        if always {
            self.puts
                .retain(|(other, put, _)| (*other, *put) != (object, field));
        }
        if let Origin::From(from) = from {
            let put = (object, field, from);
            if self.puts.len() < MOST_PUTS && !self.puts.contains(&put) {
                self.puts.push(put);
            }
        }
    }

    fn object(&self, value: ValueId) -> Option<Object> {
        match self.origin(value, 0) {
            Origin::From(From::Parameter(number)) => Some(Object::Parameter(number)),
            Origin::Made(by) => Some(Object::Made(by)),
            _ => None,
        }
    }

    fn origin(&self, value: ValueId, depth: usize) -> Origin {
        let looks = if depth == 0 { 1 } else { self.looks.get() + 1 };
        self.looks.set(looks);
        let goes_on = depth < DEEPEST && looks < MOST_LOOKS;
        let found = self.body.ssa.value(value).filter(|_| goes_on);
        let Some(found) = found else {
            return Origin::Unknown;
        };
        match &found.op {
            Op::Parameter(number) => Origin::From(From::Parameter(*number)),
            Op::Constant(Constant::Int(number)) => Origin::From(From::Int(*number)),
            Op::Constant(Constant::Long(number)) => Origin::From(From::Long(*number)),
            Op::Constant(Constant::Null) => Origin::From(From::Null),
            Op::Constant(Constant::String(text)) => {
                Origin::From(From::Text(recrash_classfile::text(text)))
            }
            Op::Cast { value, .. } => self.origin(*value, depth + 1),
            Op::Arithmetic { opcode, left, .. } if NARROWING.contains(opcode) => {
                self.origin(*left, depth + 1)
            }
            Op::New(_) => Origin::Made(value),
            Op::GetField { field, object } => {
                let object = self.origin(*object, depth + 1);
                self.field_of(&object, field.selector)
            }
            Op::Phi(values) => self.joined(values, depth + 1),
            Op::Invoke { arguments, .. } => {
                let gives = self
                    .called
                    .get(&value)
                    .and_then(|known| known.gives.clone());
                match gives {
                    Some(Gives::Made) => Origin::Made(value),
                    Some(Gives::Value(from)) => self.given(&from, arguments, depth + 1),
                    None => Origin::Unknown,
                }
            }
            _ => Origin::Unknown,
        }
    }

    /// Where ways meet: what all of them bring, or the first object that one of them made.
    fn joined(&self, values: &[ValueId], depth: usize) -> Origin {
        let mut origins = values.iter().map(|value| self.origin(*value, depth));
        let Some(first) = origins.next() else {
            return Origin::Unknown;
        };
        let others: Vec<Origin> = origins.filter(|origin| *origin != first).collect();
        if others.is_empty() {
            return first;
        }
        let is_made = |origin: &Origin| matches!(origin, Origin::Made(_));
        let made = [first].into_iter().chain(others).find(is_made);
        made.unwrap_or(Origin::Unknown)
    }

    fn field_of(&self, object: &Origin, field: SelectorId) -> Origin {
        match object {
            Origin::From(From::Parameter(number)) => Origin::From(From::Field(*number, field)),
            Origin::Made(by) => {
                let object = Object::Made(*by);
                let mut puts = self.puts.iter().rev();
                let put = puts.find(|(of, put, _)| (*of, *put) == (object, field));
                put.map_or(Origin::Unknown, |(_, _, from)| Origin::From(from.clone()))
            }
            _ => Origin::Unknown,
        }
    }

    /// A callee's source, seen from here.
    fn given(&self, from: &From, arguments: &[ValueId], depth: usize) -> Origin {
        let argument = |number: &u16| match arguments.get(usize::from(*number)) {
            Some(argument) => self.origin(*argument, depth),
            None => Origin::Unknown,
        };
        match from {
            From::Parameter(number) => argument(number),
            From::Field(number, field) => self.field_of(&argument(number), *field),
            constant => Origin::From(constant.clone()),
        }
    }

    fn ends(self) -> Summary {
        let returned = self
            .body
            .ssa
            .blocks
            .iter()
            .filter_map(|block| match block.end {
                End::Return(value) => value,
                _ => None,
            });
        let returned: Vec<ValueId> = returned.collect();
        let given = self.joined(&returned, 0);
        let into = |object: Object| match object {
            Object::Parameter(number) => Some(Into::Parameter(number)),
            Object::Made(by) => (given == Origin::Made(by)).then_some(Into::Result),
        };
        let puts = self.puts.into_iter().filter_map(|(object, field, from)| {
            Some(Put {
                into: into(object)?,
                field,
                from,
            })
        });
        Summary {
            puts: puts.collect(),
            gives: match given {
                Origin::Made(_) => Some(Gives::Made),
                Origin::From(from) => Some(Gives::Value(from)),
                Origin::Unknown => None,
            },
        }
    }
}
