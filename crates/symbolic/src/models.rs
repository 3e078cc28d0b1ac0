//! Methods of the JDK whose meaning is known: strings, builders, boxes, a little mathematics. What is not here is looked into
//! or may give anything.

use recrash_program::MemberRef;

use crate::term::{Function, Kind, Node, Term, Terms};

/// What a call does when it returns.
#[derive(Default)]
pub(crate) struct Model {
    pub(crate) result: Option<Term>,
    /// What must hold for it to return.
    pub(crate) requires: Vec<Term>,
    /// The builder that has other characters afterwards.
    pub(crate) buffer: Option<(Term, Term)>,
    /// A new box: the object and its value.
    pub(crate) boxed: Option<(Term, Term)>,
    /// True for most values only.
    pub(crate) assumes: bool,
}

impl Model {
    fn giving(result: Term) -> Model {
        Model {
            result: Some(result),
            ..Model::default()
        }
    }

    fn requiring(mut self, condition: Term) -> Model {
        self.requires.push(condition);
        self
    }
}

/// The meaning of a call; arguments begin with the receiver.
pub(crate) fn model(terms: &mut Terms<'_>, method: MemberRef, arguments: &[Term]) -> Option<Model> {
    let class = terms.program.class_name(method.class);
    let selector = terms.program.selector(method.selector)?;
    let (name, descriptor) = (&*selector.name, &*selector.descriptor);
    match &*class {
        b"java/lang/String" => string(terms, name, descriptor, arguments),
        b"java/lang/StringBuilder" | b"java/lang/StringBuffer" => {
            builder(terms, name, descriptor, arguments)
        }
        b"java/lang/Object" if name == b"<init>" => Some(Model::default()),
        b"java/util/Objects" if name == b"requireNonNull" => {
            let &object = arguments.first()?;
            let works = terms.is_not_null(object);
            Some(Model::giving(object).requiring(works))
        }
        b"java/lang/Math" => mathematics(terms, name, descriptor, arguments),
        b"java/lang/Integer" if name == b"parseInt" && descriptor == b"(Ljava/lang/String;)I" => {
            let &text = arguments.first()?;
            let works = parses(terms, text);
            let text = terms.apply(Function::Text, &[text]);
            let number = terms.apply(Function::ToNumber, &[text]);
            let mut model = Model::giving(number).requiring(works);
            // There are other digits than ours.
            model.assumes = true;
            Some(model)
        }
        b"java/lang/Character" => character(terms, name, descriptor, arguments),
        b"java/lang/Integer" | b"java/lang/Long" | b"java/lang/Boolean" | b"java/lang/Double"
        | b"java/lang/Float" | b"java/lang/Short" | b"java/lang/Byte" => {
            boxes(terms, method, name, descriptor, arguments)
        }
        _ => None,
    }
}

/// That a string is an `int` in decimal digits.
pub(crate) fn parses(terms: &mut Terms<'_>, text: Term) -> Term {
    let there = terms.is_not_null(text);
    let characters = terms.apply(Function::Text, &[text]);
    let is_number = terms.apply(Function::IsNumber, &[characters]);
    let number = terms.apply(Function::ToNumber, &[characters]);
    let (low, high) = (terms.int(i32::MIN), terms.int(i32::MAX));
    let above = terms.at_most(low, number);
    let below = terms.at_most(number, high);
    terms.and(&[there, is_number, above, below])
}

/// 1 or 0, as `boolean` is.
fn flag(terms: &mut Terms<'_>, condition: Term) -> Term {
    let (one, zero) = (terms.int(1), terms.int(0));
    terms.apply(Function::If, &[condition, one, zero])
}

fn is_string(terms: &Terms<'_>, term: Term) -> bool {
    terms.kind(term) == Kind::Reference(terms.string)
}

fn string(
    terms: &mut Terms<'_>,
    name: &[u8],
    descriptor: &[u8],
    arguments: &[Term],
) -> Option<Model> {
    if name == b"valueOf" {
        let &value = arguments.first()?;
        let text = match descriptor {
            b"(I)Ljava/lang/String;" => terms.apply(Function::OfInt, &[value]),
            b"(C)Ljava/lang/String;" => terms.apply(Function::OfChar, &[value]),
            _ => return None,
        };
        let made = terms.apply(Function::Made, &[text]);
        return Some(Model::giving(made));
    }
    let &receiver = arguments.first()?;
    let text = terms.apply(Function::Text, &[receiver]);
    let length = terms.apply(Function::TextLength, &[text]);
    let zero = terms.int(0);
    let first = arguments.get(1).copied();
    let made = |terms: &mut Terms<'_>, text| {
        let made = terms.apply(Function::Made, &[text]);
        Some(Model::giving(made))
    };
    match (name, descriptor, first) {
        (b"length", _, _) => Some(Model::giving(length)),
        (b"isEmpty", _, _) => {
            let empty = terms.same(length, zero);
            let result = flag(terms, empty);
            Some(Model::giving(result))
        }
        (b"toString", _, _) => Some(Model::giving(receiver)),
        (b"charAt", _, Some(index)) => {
            let result = terms.apply(Function::CharAt, &[text, index]);
            let low = terms.at_most(zero, index);
            let high = terms.less(index, length);
            Some(Model::giving(result).requiring(low).requiring(high))
        }
        (b"equals", _, Some(other)) => {
            let is_a = terms.apply(Function::IsA(terms.string), &[other]);
            let characters = terms.apply(Function::Text, &[other]);
            let same = terms.same(text, characters);
            let equal = terms.and(&[is_a, same]);
            let result = flag(terms, equal);
            Some(Model::giving(result))
        }
        (b"startsWith", b"(Ljava/lang/String;)Z", Some(other))
        | (b"endsWith" | b"contains", _, Some(other))
            if is_string(terms, other) =>
        {
            let function = match name {
                b"startsWith" => Function::Prefix,
                b"endsWith" => Function::Suffix,
                _ => Function::Contains,
            };
            let there = terms.is_not_null(other);
            let characters = terms.apply(Function::Text, &[other]);
            let holds = terms.apply(function, &[text, characters]);
            let result = flag(terms, holds);
            Some(Model::giving(result).requiring(there))
        }
        (b"indexOf", _, Some(other)) => {
            let part = if terms.kind(other).is_reference() {
                terms.apply(Function::Text, &[other])
            } else {
                terms.apply(Function::OfChar, &[other])
            };
            let from = arguments.get(2).copied().unwrap_or(zero);
            let result = terms.apply(Function::IndexOf, &[text, part, from]);
            Some(Model::giving(result))
        }
        (b"concat", _, Some(other)) => {
            let there = terms.is_not_null(other);
            let characters = terms.apply(Function::Text, &[other]);
            let both = terms.apply(Function::Concat, &[text, characters]);
            made(terms, both).map(|it| it.requiring(there))
        }
        (b"substring", _, Some(begin)) => {
            let end = arguments.get(2).copied().unwrap_or(length);
            let part = terms.apply(Function::Part, &[text, begin, end]);
            let works = is_range(terms, begin, end, length);
            made(terms, part).map(|it| it.requiring(works))
        }
        _ => None,
    }
}

/// That `begin` and `end` are within a length, in this order.
pub(crate) fn is_range(terms: &mut Terms<'_>, begin: Term, end: Term, length: Term) -> Term {
    let zero = terms.int(0);
    let low = terms.at_most(zero, begin);
    let order = terms.at_most(begin, end);
    let high = terms.at_most(end, length);
    terms.and(&[low, order, high])
}

fn builder(
    terms: &mut Terms<'_>,
    name: &[u8],
    descriptor: &[u8],
    arguments: &[Term],
) -> Option<Model> {
    let &receiver = arguments.first()?;
    let first = arguments.get(1).copied();
    let text = terms.apply(Function::Buffer, &[receiver]);
    let parameters = descriptor.split(|&byte| byte == b')').next()?;
    let becomes = |result, text| {
        Some(Model {
            result,
            buffer: Some((receiver, text)),
            ..Model::default()
        })
    };
    match (name, parameters, first) {
        (b"<init>", b"(" | b"(I", _) => {
            let empty = terms.characters("");
            becomes(None, empty)
        }
        (b"<init>", b"(Ljava/lang/String;", Some(initial)) => {
            let there = terms.is_not_null(initial);
            let characters = terms.apply(Function::Text, &[initial]);
            becomes(None, characters).map(|it| it.requiring(there))
        }
        (b"append", _, Some(added)) => {
            let added = match parameters {
                b"(Ljava/lang/String;" => {
                    let is_null = terms.is_null(added);
                    let null = terms.characters("null");
                    let characters = terms.apply(Function::Text, &[added]);
                    terms.apply(Function::If, &[is_null, null, characters])
                }
                b"(I" => terms.apply(Function::OfInt, &[added]),
                b"(C" => terms.apply(Function::OfChar, &[added]),
                _ => terms.unknown(Kind::Text),
            };
            let both = terms.apply(Function::Concat, &[text, added]);
            becomes(Some(receiver), both)
        }
        (b"toString", _, _) => {
            let made = terms.apply(Function::Made, &[text]);
            Some(Model::giving(made))
        }
        (b"length", _, _) => {
            let length = terms.apply(Function::TextLength, &[text]);
            Some(Model::giving(length))
        }
        (b"charAt", _, Some(index)) => {
            let result = terms.apply(Function::CharAt, &[text, index]);
            let length = terms.apply(Function::TextLength, &[text]);
            let zero = terms.int(0);
            let low = terms.at_most(zero, index);
            let high = terms.less(index, length);
            Some(Model::giving(result).requiring(low).requiring(high))
        }
        _ => None,
    }
}

fn mathematics(
    terms: &mut Terms<'_>,
    name: &[u8],
    descriptor: &[u8],
    arguments: &[Term],
) -> Option<Model> {
    let &one = arguments.first()?;
    let integers = matches!(descriptor, b"(II)I" | b"(JJ)J" | b"(I)I" | b"(J)J");
    match (name, arguments.get(1)) {
        (b"max" | b"min", Some(&other)) if integers => {
            let less = terms.less(one, other);
            let (yes, no) = if name == b"max" {
                (other, one)
            } else {
                (one, other)
            };
            let result = terms.apply(Function::If, &[less, yes, no]);
            Some(Model::giving(result))
        }
        (b"abs", None) if integers => {
            let zero = terms.default_of(terms.kind(one));
            let negative = terms.less(one, zero);
            let code = if descriptor == b"(I)I" { 116 } else { 117 };
            let negated = terms.apply(Function::Java(code), &[one]);
            let result = terms.apply(Function::If, &[negative, negated, one]);
            Some(Model::giving(result))
        }
        _ => None,
    }
}

/// Right for ASCII, and that is what is solved for.
fn character(
    terms: &mut Terms<'_>,
    name: &[u8],
    descriptor: &[u8],
    arguments: &[Term],
) -> Option<Model> {
    if !descriptor.ends_with(b")Z") {
        return None;
    }
    let &one = arguments.first()?;
    let ranges: &[(char, char)] = match name {
        b"isDigit" => &[('0', '9')],
        b"isLetter" => &[('A', 'Z'), ('a', 'z')],
        b"isLetterOrDigit" => &[('0', '9'), ('A', 'Z'), ('a', 'z')],
        b"isUpperCase" => &[('A', 'Z')],
        b"isLowerCase" => &[('a', 'z')],
        b"isWhitespace" => &[('\t', '\r'), ('\u{1c}', ' ')],
        _ => return None,
    };
    let parts: Vec<Term> = ranges
        .iter()
        .map(|&(low, high)| {
            let (low, high) = (terms.int(low as i32), terms.int(high as i32));
            let above = terms.at_most(low, one);
            let below = terms.at_most(one, high);
            terms.and(&[above, below])
        })
        .collect();
    let holds = terms.or(&parts);
    let result = flag(terms, holds);
    let limit = terms.int(127);
    let ascii = terms.at_most(one, limit);
    let mut model = Model::giving(result).requiring(ascii);
    model.assumes = true;
    Some(model)
}

/// `Integer.valueOf(int)`, `intValue()` and their like. The boxes that the JDK keeps are taken for new ones.
fn boxes(
    terms: &mut Terms<'_>,
    method: MemberRef,
    name: &[u8],
    descriptor: &[u8],
    arguments: &[Term],
) -> Option<Model> {
    let &one = arguments.first()?;
    let primitive: &[u8] = match &*terms.program.class_name(method.class) {
        b"java/lang/Integer" => b"I",
        b"java/lang/Long" => b"J",
        b"java/lang/Boolean" => b"Z",
        b"java/lang/Double" => b"D",
        b"java/lang/Float" => b"F",
        b"java/lang/Short" => b"S",
        _ => b"B",
    };
    let selector = terms.program.selector_id(b"value", primitive);
    let value = MemberRef {
        class: method.class,
        selector,
    };
    if name == b"valueOf" && descriptor.get(1) == primitive.first() {
        let number = terms.number();
        let object = terms.apply(Function::Fresh(number, method.class), &[]);
        return Some(Model {
            result: Some(object),
            boxed: Some((object, one)),
            assumes: true,
            ..Model::default()
        });
    }
    let own = name.ends_with(b"Value") && descriptor.get(2..) == Some(primitive);
    if own {
        let (field, kind) = terms.field_of(value)?;
        let result = terms.apply(Function::Field(field, kind), &[one]);
        return Some(Model::giving(result));
    }
    None
}

/// The field that holds the value of a box.
pub(crate) fn box_field(terms: &Terms<'_>, object: Term) -> Option<recrash_program::FieldId> {
    let Node::Apply(Function::Fresh(_, class), _) = terms.node(object) else {
        return None;
    };
    let class = terms.program.class(*class)?;
    let name = |field: &&recrash_program::Field| {
        let selector = terms.program.selector(field.selector);
        !field.is_static() && selector.is_some_and(|it| &*it.name == b"value")
    };
    class.fields.iter().find(name).map(|field| field.id)
}
