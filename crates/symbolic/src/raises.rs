//! When methods of the JDK throw, where that is known without looking into them.

use recrash_program::MemberRef;
use recrash_trace::Evidence;

use crate::descriptor;
use crate::models::{is_range, parses};
use crate::term::{Function, Kind, Term, Terms};

/// What must hold of the arguments, the receiver first, for the method to throw the exception.
pub(crate) fn raises(
    terms: &mut Terms<'_>,
    exception: &str,
    method: MemberRef,
    arguments: &[Term],
    evidence: Option<&Evidence>,
) -> Option<Term> {
    let class = terms.program.class_name(method.class);
    let selector = terms.program.selector(method.selector)?;
    let exception = exception.rsplit('/').next().unwrap_or(exception);
    let first = arguments.first().copied();
    let second = arguments.get(1).copied();
    match (&*class, &*selector.name, exception) {
        (b"java/util/Objects", b"requireNonNull", "NullPointerException") => {
            Some(terms.is_null(first?))
        }
        (
            b"java/lang/Integer" | b"java/lang/Long" | b"java/lang/Short" | b"java/lang/Byte",
            b"parseInt" | b"parseLong" | b"parseShort" | b"parseByte" | b"valueOf" | b"decode",
            "NumberFormatException",
        ) if selector.descriptor.starts_with(b"(Ljava/lang/String;") => {
            Some(no_number(terms, first?, evidence))
        }
        (b"java/lang/Integer", b"<init>", "NumberFormatException") => {
            Some(no_number(terms, second?, evidence))
        }
        (
            b"java/lang/String",
            b"charAt",
            "StringIndexOutOfBoundsException" | "IndexOutOfBoundsException",
        ) => {
            let text = terms.apply(Function::Text, &[first?]);
            let length = terms.apply(Function::TextLength, &[text]);
            Some(outside(terms, second?, length, evidence))
        }
        (b"java/lang/String", b"substring", "StringIndexOutOfBoundsException") => {
            let text = terms.apply(Function::Text, &[first?]);
            let length = terms.apply(Function::TextLength, &[text]);
            let begin = second?;
            let end = arguments.get(2).copied();
            let works = is_range(terms, begin, end.unwrap_or(length), length);
            let mut conditions = vec![terms.not(works)];
            if let Some(Evidence::Range {
                begin: known_begin,
                end: known_end,
                length: known_length,
            }) = evidence
            {
                let known = [
                    (Some(begin), known_begin),
                    (end, known_end),
                    (Some(length), known_length),
                ];
                for (term, value) in known {
                    if let (Some(term), Some(value)) = (term, value)
                        && let Ok(value) = i32::try_from(*value)
                    {
                        let value = terms.int(value);
                        conditions.push(terms.same(term, value));
                    }
                }
            }
            Some(terms.and(&conditions))
        }
        (_, b"next", "NoSuchElementException") => {
            let more = question(terms, method.class, first?, b"hasNext", b"()Z");
            let zero = terms.int(0);
            Some(terms.same(more, zero))
        }
        (_, b"get", "IndexOutOfBoundsException") if selector.descriptor.starts_with(b"(I)") => {
            let size = question(terms, method.class, first?, b"size", b"()I");
            Some(outside(terms, second?, size, evidence))
        }
        _ => None,
    }
}

/// The answer of a method that was not asked, but would have said so.
fn question(
    terms: &mut Terms<'_>,
    class: recrash_program::ClassId,
    receiver: Term,
    name: &[u8],
    signature: &[u8],
) -> Term {
    let selector = terms.program.selector_id(name, signature);
    let kind = Kind::of_descriptor(terms.program, descriptor::result(signature));
    let method = MemberRef { class, selector };
    terms.apply(Function::Result(0, method, kind), &[receiver])
}

fn no_number(terms: &mut Terms<'_>, text: Term, evidence: Option<&Evidence>) -> Term {
    match evidence {
        Some(Evidence::NoNumber(None)) => terms.is_null(text),
        Some(Evidence::NoNumber(Some(known))) => {
            let there = terms.is_not_null(text);
            let known = terms.characters(known);
            let characters = terms.apply(Function::Text, &[text]);
            let same = terms.same(characters, known);
            terms.and(&[there, same])
        }
        _ => {
            let works = parses(terms, text);
            terms.not(works)
        }
    }
}

fn outside(terms: &mut Terms<'_>, index: Term, length: Term, evidence: Option<&Evidence>) -> Term {
    let zero = terms.int(0);
    let below = terms.less(index, zero);
    let above = terms.at_most(length, index);
    let mut conditions = vec![terms.or(&[below, above])];
    if let Some(Evidence::Index(limits)) = evidence {
        for (term, known) in [(index, Some(limits.index)), (length, limits.length)] {
            if let Some(known) = known.and_then(|it| i32::try_from(it).ok()) {
                let known = terms.int(known);
                conditions.push(terms.same(term, known));
            }
        }
    }
    terms.and(&conditions)
}
