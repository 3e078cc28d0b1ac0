//! One instruction, backwards: what it made is put in the place of its name, and that it ended without an exception is
//! added to the conditions.

use std::collections::HashMap;

use recrash_classfile::opcode;
use recrash_program::{BlockId, ElementKind, End, FieldId, MemberRef, Op, SsaBlock, ValueId};

use crate::resolve::resolve_field;
use crate::rewrite::Change;
use crate::state::{Context, State};
use crate::term::{Function, Kind, Node, Term, Terms};

impl Terms<'_> {
    pub(crate) fn field_of(&self, field: MemberRef) -> Option<(FieldId, Kind)> {
        let id = resolve_field(self.program, field)?;
        let selector = self.program.selector(field.selector)?;
        Some((id, Kind::of_descriptor(self.program, &selector.descriptor)))
    }

    /// That an index is one of the array's.
    pub(crate) fn within(&mut self, array: Term, index: Term) -> Term {
        let zero = self.int(0);
        let length = self.apply(Function::Length, &[array]);
        let low = self.at_most(zero, index);
        let high = self.less(index, length);
        self.and(&[low, high])
    }
}

fn element_kind(terms: &Terms<'_>, kind: ElementKind, made: Kind) -> Kind {
    match kind {
        ElementKind::Byte => Kind::Byte,
        ElementKind::Char => Kind::Char,
        ElementKind::Short => Kind::Short,
        ElementKind::Reference => match made {
            Kind::Reference(class) => Kind::Reference(class),
            _ => Kind::Reference(terms.object),
        },
        ElementKind::Int => Kind::Int,
        ElementKind::Long => Kind::Long,
        ElementKind::Float => Kind::Float,
        ElementKind::Double => Kind::Double,
    }
}

impl State {
    /// Gives a value of the innermost method its term.
    pub(crate) fn define(
        &mut self,
        terms: &mut Terms<'_>,
        value: ValueId,
        term: Term,
        depends: bool,
    ) {
        let Some(frame) = self.top().map(|context| context.frame) else {
            return;
        };
        let change = Change::Values(frame, HashMap::from([(value, term)]));
        self.undo(terms, &change, depends);
    }

    /// Goes back over an instruction that is no call.
    pub(crate) fn step(&mut self, terms: &mut Terms<'_>, id: ValueId) {
        let Some(context) = self.top().cloned() else {
            return;
        };
        let Some(value) = context.code.value(id) else {
            return;
        };
        let local = |terms: &mut Terms<'_>, value: ValueId| context.local(terms, value);
        let made = context.code.kind(terms.program, id);
        match &value.op {
            Op::Parameter(number) => {
                let term = self.parameter(terms, &context, *number);
                self.define(terms, id, term, false);
            }
            Op::Caught => {
                let term = terms.unknown(made);
                self.define(terms, id, term, false);
                let thrown = terms.is_not_null(term);
                self.require(terms, thrown);
            }
            Op::Constant(_) => {
                // Those that `local` does not know are objects.
                let term = terms.unknown(made);
                self.define(terms, id, term, false);
            }
            Op::Arithmetic {
                opcode,
                left,
                right,
            } => {
                let left = local(terms, *left);
                let right = right.map(|right| local(terms, right));
                let parts: Vec<Term> = std::iter::once(left).chain(right).collect();
                let term = terms.apply(Function::Java(*opcode), &parts);
                self.define(terms, id, term, false);
                if let (108 | 109 | 112 | 113, Some(right)) = (*opcode, right) {
                    let zero = terms.default_of(made);
                    let is_zero = terms.same(right, zero);
                    let works = terms.not(is_zero);
                    self.require(terms, works);
                }
            }
            Op::GetField { .. }
            | Op::PutField { .. }
            | Op::GetStatic { .. }
            | Op::PutStatic { .. }
            | Op::ArrayLoad { .. }
            | Op::ArrayStore { .. }
            | Op::ArrayLength(_) => self.access(terms, &context, id, &value.op),
            Op::New(class) => {
                let number = terms.number();
                let term = terms.apply(Function::Fresh(number, *class), &[]);
                self.define(terms, id, term, false);
            }
            Op::NewArray { class, lengths } => {
                let lengths: Vec<Term> = lengths.iter().map(|&it| local(terms, it)).collect();
                let number = terms.number();
                let first = lengths.get(..1).unwrap_or(&[]);
                let term = terms.apply(Function::Fresh(number, *class), first);
                self.define(terms, id, term, false);
                for length in lengths {
                    let zero = terms.int(0);
                    let works = terms.at_most(zero, length);
                    self.require(terms, works);
                }
            }
            Op::Cast { class, value } => {
                let value = local(terms, *value);
                self.define(terms, id, value, false);
                let is_null = terms.is_null(value);
                let is_a = terms.apply(Function::IsA(*class), &[value]);
                let works = terms.or(&[is_null, is_a]);
                self.require(terms, works);
            }
            Op::InstanceOf { class, value } => {
                let value = local(terms, *value);
                let is_a = terms.apply(Function::IsA(*class), &[value]);
                let (one, zero) = (terms.int(1), terms.int(0));
                let term = terms.apply(Function::If, &[is_a, one, zero]);
                self.define(terms, id, term, false);
            }
            Op::Monitor { value, .. } => {
                let value = local(terms, *value);
                self.require_object(terms, value);
            }
            Op::Phi(_) | Op::Invoke { .. } | Op::InvokeDynamic { .. } => {}
        }
    }

    /// Goes back over a read or write of a field or element.
    fn access(&mut self, terms: &mut Terms<'_>, context: &Context, id: ValueId, op: &Op) {
        let made = context.code.kind(terms.program, id);
        match op {
            Op::GetField { field, object } => {
                let object = context.local(terms, *object);
                let term = match terms.field_of(*field) {
                    Some((field, kind)) => terms.apply(Function::Field(field, kind), &[object]),
                    None => terms.unknown(made),
                };
                self.define(terms, id, term, false);
                self.require_object(terms, object);
            }
            Op::PutField {
                field,
                object,
                value,
            } => {
                let object = context.local(terms, *object);
                let value = context.local(terms, *value);
                if let Some((field, _)) = terms.field_of(*field) {
                    let change = Change::Field {
                        field,
                        object,
                        value,
                    };
                    self.undo(terms, &change, true);
                }
                self.require_object(terms, object);
            }
            Op::GetStatic { field } => {
                let term = match terms.field_of(*field) {
                    Some((field, kind)) => terms.leaf(Node::Static(field, kind)),
                    None => terms.unknown(made),
                };
                self.define(terms, id, term, false);
            }
            Op::PutStatic { field, value } => {
                let value = context.local(terms, *value);
                if let Some((field, _)) = terms.field_of(*field) {
                    self.undo(terms, &Change::Static(field, value), true);
                }
            }
            Op::ArrayLoad { kind, array, index } => {
                let (array, index) = (context.local(terms, *array), context.local(terms, *index));
                let element = element_kind(terms, *kind, made);
                let term = terms.apply(Function::Element(*kind, element), &[array, index]);
                self.define(terms, id, term, false);
                self.require_element(terms, array, index);
            }
            Op::ArrayStore {
                kind,
                array,
                index,
                value,
            } => {
                let (array, index) = (context.local(terms, *array), context.local(terms, *index));
                let value = context.local(terms, *value);
                let change = Change::Element {
                    kind: *kind,
                    array,
                    index,
                    value,
                };
                self.undo(terms, &change, true);
                self.require_element(terms, array, index);
            }
            Op::ArrayLength(array) => {
                let array = context.local(terms, *array);
                let term = terms.apply(Function::Length, &[array]);
                self.define(terms, id, term, false);
                self.require_object(terms, array);
            }
            _ => {}
        }
    }

    fn parameter(&self, terms: &mut Terms<'_>, context: &Context, number: u16) -> Term {
        let outer = self
            .stack
            .len()
            .checked_sub(2)
            .and_then(|place| self.stack.get(place));
        if let Some(caller) = outer
            && let Some(call) = caller.call
        {
            let argument = caller
                .code
                .arguments(call)
                .get(usize::from(number))
                .copied();
            return match argument {
                Some(argument) => caller.local(terms, argument),
                None => terms.unknown(Kind::Int),
            };
        }
        let kind = parameter_kinds(terms, context)
            .get(usize::from(number))
            .copied();
        terms.leaf(Node::Argument(number, kind.unwrap_or(Kind::Int)))
    }

    pub(crate) fn require_object(&mut self, terms: &mut Terms<'_>, object: Term) {
        let works = terms.is_not_null(object);
        self.require(terms, works);
    }

    fn require_element(&mut self, terms: &mut Terms<'_>, array: Term, index: Term) {
        self.require_object(terms, array);
        let works = terms.within(array, index);
        self.require(terms, works);
    }
}

/// What a method's parameters are, the receiver included.
pub(crate) fn parameter_kinds(terms: &Terms<'_>, context: &Context) -> Vec<Kind> {
    let program = terms.program;
    let method = program.method(context.code.method);
    let selector = method.and_then(|method| program.selector(method.selector));
    let (Some(method), Some(selector)) = (method, selector) else {
        return Vec::new();
    };
    let receiver = (!method.is_static()).then_some(Kind::Reference(method.id.class));
    receiver
        .into_iter()
        .chain(
            crate::descriptor::parameters(&selector.descriptor)
                .map(|it| Kind::of_descriptor(program, it)),
        )
        .collect()
}

/// What must hold for a block to go on with `next`.
pub(crate) fn branch(
    terms: &mut Terms<'_>,
    context: &Context,
    block: &SsaBlock,
    next: BlockId,
) -> Term {
    match &block.end {
        End::If {
            opcode,
            left,
            right,
        } => {
            let (Some(&yes), Some(&no)) = (block.successors.first(), block.successors.get(1))
            else {
                return Term::ALWAYS;
            };
            if yes == no {
                return Term::ALWAYS;
            }
            let left = context.local(terms, *left);
            let right = match (right, *opcode) {
                (Some(right), _) => context.local(terms, *right),
                (None, opcode::IFNULL | opcode::IFNONNULL) => Term::NULL,
                (None, _) => terms.int(0),
            };
            let holds = compare(terms, *opcode, left, right);
            if next == yes { holds } else { terms.not(holds) }
        }
        End::Switch { key, keys } => {
            let key = context.local(terms, *key);
            let mut taken = Vec::new();
            let mut others = Vec::new();
            for (&value, &target) in keys.iter().zip(block.successors.iter().skip(1)) {
                let value = terms.int(value);
                let is_key = terms.same(key, value);
                if target == next {
                    taken.push(is_key);
                } else {
                    others.push(terms.not(is_key));
                }
            }
            if block.successors.first() == Some(&next) {
                // None of the keys that lead elsewhere.
                return terms.and(&others);
            }
            terms.or(&taken)
        }
        _ => Term::ALWAYS,
    }
}

fn compare(terms: &mut Terms<'_>, code: u8, left: Term, right: Term) -> Term {
    // The comparisons with zero, of two integers and of two references are in the same order.
    let which = match code {
        opcode::IFEQ..=158 => code - opcode::IFEQ,
        opcode::IF_ICMPEQ..=164 => code - opcode::IF_ICMPEQ,
        165 | opcode::IFNULL => 0,
        _ => 1,
    };
    match which {
        0 => terms.same(left, right),
        1 => {
            let same = terms.same(left, right);
            terms.not(same)
        }
        2 => terms.less(left, right),
        3 => terms.at_most(right, left),
        4 => terms.less(right, left),
        _ => terms.at_most(left, right),
    }
}
