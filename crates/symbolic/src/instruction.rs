//! When single instructions throw (JVMS 6.5), and what the message says about it.

use recrash_classfile::text;
use recrash_program::{InvokeKind, MemberRef, Op};
use recrash_trace::{Evidence, NullUse};

use crate::state::Context;
use crate::term::{Function, Kind, Term, Terms};

/// When an instruction throws this exception of the JVM itself; `None` if it does not.
pub(crate) fn throws(
    terms: &mut Terms<'_>,
    context: &Context,
    op: &Op,
    exception: &str,
    evidence: Option<&Evidence>,
) -> Option<Vec<Term>> {
    match exception {
        "java/lang/NullPointerException" => null(terms, context, op, evidence),
        "java/lang/ArrayIndexOutOfBoundsException" => index(terms, context, op, evidence),
        "java/lang/ClassCastException" => cast(terms, context, op, evidence),
        "java/lang/ArithmeticException" => division(terms, context, op),
        "java/lang/NegativeArraySizeException" => length(terms, context, op, evidence),
        "java/lang/ArrayStoreException" => store(terms, context, op),
        _ => None,
    }
}

fn null(
    terms: &mut Terms<'_>,
    context: &Context,
    op: &Op,
    evidence: Option<&Evidence>,
) -> Option<Vec<Term>> {
    let program = terms.program;
    let named = |member: &MemberRef, used: &str| {
        let selector = program.selector(member.selector);
        selector.is_some_and(|it| {
            let name = text(&it.name);
            // `com.acme.Shop.open(int)`, or only `field`.
            let wanted = used.split('(').next().unwrap_or(used);
            wanted.rsplit('.').next().unwrap_or(wanted) == name
        })
    };
    let used = match evidence {
        Some(Evidence::Null { used, .. }) => Some(used),
        _ => None,
    };
    let (object, fits) = match op {
        Op::GetField { object, field } => (
            object,
            used.is_none_or(|it| matches!(it, NullUse::ReadField(name) if named(field, name))),
        ),
        Op::PutField { object, field, .. } => (
            object,
            used.is_none_or(|it| matches!(it, NullUse::WriteField(name) if named(field, name))),
        ),
        Op::ArrayLoad { array, .. } => (array, used.is_none_or(|it| *it == NullUse::ReadElement)),
        Op::ArrayStore { array, .. } => (array, used.is_none_or(|it| *it == NullUse::WriteElement)),
        Op::ArrayLength(array) => (array, used.is_none_or(|it| *it == NullUse::ArrayLength)),
        Op::Monitor { value, .. } => (value, used.is_none_or(|it| *it == NullUse::Lock)),
        Op::Invoke {
            kind,
            method,
            arguments,
        } if *kind != InvokeKind::Static => (
            arguments.first()?,
            used.is_none_or(|it| matches!(it, NullUse::Invoke(name) if named(method, name))),
        ),
        _ => return None,
    };
    let object = context.local(terms, *object);
    let is_null = terms.is_null(object);
    (fits && is_null != Term::NEVER).then(|| vec![is_null])
}

fn index(
    terms: &mut Terms<'_>,
    context: &Context,
    op: &Op,
    evidence: Option<&Evidence>,
) -> Option<Vec<Term>> {
    let (Op::ArrayLoad { array, index, .. } | Op::ArrayStore { array, index, .. }) = op else {
        return None;
    };
    let (array, index) = (context.local(terms, *array), context.local(terms, *index));
    let there = terms.is_not_null(array);
    let within = terms.within(array, index);
    let outside = terms.not(within);
    let mut conditions = vec![there, outside];
    if let Some(Evidence::Index(limits)) = evidence {
        let length = terms.apply(Function::Length, &[array]);
        for (term, known) in [(index, Some(limits.index)), (length, limits.length)] {
            if let Some(known) = known.and_then(|it| i32::try_from(it).ok()) {
                let known = terms.int(known);
                conditions.push(terms.same(term, known));
            }
        }
    }
    Some(conditions)
}

fn cast(
    terms: &mut Terms<'_>,
    context: &Context,
    op: &Op,
    evidence: Option<&Evidence>,
) -> Option<Vec<Term>> {
    let Op::Cast { class, value } = op else {
        return None;
    };
    let value = context.local(terms, *value);
    let there = terms.is_not_null(value);
    let is_a = terms.apply(Function::IsA(*class), &[value]);
    let other = terms.not(is_a);
    let mut conditions = vec![there, other];
    if let Some(Evidence::Cast { from, to }) = evidence {
        if *to != recrash_classfile::dotted(&terms.program.class_name(*class)) {
            return None;
        }
        let from = terms.program.class_id(from.replace('.', "/").as_bytes());
        if terms.program.class(from).is_some() {
            conditions.push(terms.apply(Function::IsA(from), &[value]));
        }
    }
    Some(conditions)
}

fn division(terms: &mut Terms<'_>, context: &Context, op: &Op) -> Option<Vec<Term>> {
    let Op::Arithmetic {
        opcode: opcode @ (108 | 109 | 112 | 113),
        right: Some(right),
        ..
    } = op
    else {
        return None;
    };
    let right = context.local(terms, *right);
    let zero = terms.default_of(Kind::of_arithmetic(*opcode));
    Some(vec![terms.same(right, zero)])
}

fn length(
    terms: &mut Terms<'_>,
    context: &Context,
    op: &Op,
    evidence: Option<&Evidence>,
) -> Option<Vec<Term>> {
    let Op::NewArray { lengths, .. } = op else {
        return None;
    };
    let known = match evidence {
        Some(Evidence::NegativeLength(length)) => i32::try_from(*length).ok(),
        _ => None,
    };
    let negative: Vec<Term> = lengths
        .iter()
        .map(|&length| {
            let length = context.local(terms, length);
            if let Some(known) = known {
                let known = terms.int(known);
                terms.same(length, known)
            } else {
                let zero = terms.int(0);
                terms.less(length, zero)
            }
        })
        .collect();
    Some(vec![terms.or(&negative)])
}

/// What does not fit is told by the class of the array that is there, which is not followed: only that it can fail.
fn store(terms: &mut Terms<'_>, context: &Context, op: &Op) -> Option<Vec<Term>> {
    let Op::ArrayStore {
        kind: recrash_program::ElementKind::Reference,
        array,
        index,
        value,
    } = op
    else {
        return None;
    };
    let (array, index) = (context.local(terms, *array), context.local(terms, *index));
    let value = context.local(terms, *value);
    let within = terms.within(array, index);
    Some(vec![
        terms.is_not_null(array),
        within,
        terms.is_not_null(value),
    ])
}
