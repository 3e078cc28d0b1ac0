//! Terms are made here, as simple as rules that always hold can make them.

use recrash_classfile::{access, opcode};
use recrash_program::ClassId;

use crate::arithmetic;
use crate::term::{Function, Kind, Node, Term, Terms};

impl Terms<'_> {
    pub(crate) fn apply(&mut self, function: Function, arguments: &[Term]) -> Term {
        let simpler = match (function, arguments) {
            (Function::Not, [one]) => self.simpler_not(*one),
            (Function::And, all) => Some(self.join(all, true)),
            (Function::Or, all) => Some(self.join(all, false)),
            (Function::If, [condition, yes, no]) => self.simpler_if(*condition, *yes, *no),
            (Function::Same, [one, other]) => self.simpler_same(*one, *other),
            (Function::Less | Function::AtMost, [one, other]) => {
                self.simpler_order(function, *one, *other)
            }
            (Function::Java(code), [left, rest @ ..]) => {
                self.simpler_java(code, *left, rest.first().copied())
            }
            (Function::IsA(class), [one]) => self.simpler_is_a(class, *one),
            (Function::Field(_, kind), [object]) | (Function::Element(_, kind), [object, _])
                if self.is_fresh(*object) =>
            {
                Some(self.default_of(kind))
            }
            (Function::Length, [array]) if self.is_fresh(*array) => {
                self.arguments(*array).first().copied()
            }
            (Function::Field(..) | Function::Length | Function::Text | Function::Buffer, [one]) => {
                self.through_if(function, *one, None)
            }
            (Function::Element(..), [one, index]) => self.through_if(function, *one, Some(*index)),
            _ => None,
        };
        let simpler = simpler.or_else(|| self.simpler_text(function, arguments));
        simpler.unwrap_or_else(|| self.leaf(Node::Apply(function, arguments.into())))
    }

    pub(crate) fn not(&mut self, term: Term) -> Term {
        self.apply(Function::Not, &[term])
    }

    pub(crate) fn and(&mut self, terms: &[Term]) -> Term {
        self.apply(Function::And, terms)
    }

    pub(crate) fn or(&mut self, terms: &[Term]) -> Term {
        self.apply(Function::Or, terms)
    }

    pub(crate) fn same(&mut self, one: Term, other: Term) -> Term {
        self.apply(Function::Same, &[one, other])
    }

    pub(crate) fn less(&mut self, one: Term, other: Term) -> Term {
        self.apply(Function::Less, &[one, other])
    }

    pub(crate) fn at_most(&mut self, one: Term, other: Term) -> Term {
        self.apply(Function::AtMost, &[one, other])
    }

    pub(crate) fn is_null(&mut self, term: Term) -> Term {
        let null = Term::NULL;
        self.same(term, null)
    }

    pub(crate) fn is_not_null(&mut self, term: Term) -> Term {
        let is_null = self.is_null(term);
        self.not(is_null)
    }

    fn is_fresh(&self, term: Term) -> bool {
        matches!(self.node(term), Node::Apply(Function::Fresh(..), _))
    }

    /// An object that is surely there.
    fn is_object(&self, term: Term) -> bool {
        matches!(
            self.node(term),
            Node::Literal(_)
                | Node::ClassObject(_)
                | Node::Apply(Function::Fresh(..) | Function::Made, _)
        )
    }

    fn is_constant(&self, term: Term) -> bool {
        !matches!(
            self.node(term),
            Node::Local(..)
                | Node::Argument(..)
                | Node::Static(..)
                | Node::Unknown(..)
                | Node::Apply(..)
        )
    }

    fn as_if(&self, term: Term) -> Option<(Term, Term, Term)> {
        match self.node(term) {
            Node::Apply(Function::If, parts) => match **parts {
                [condition, yes, no] => Some((condition, yes, no)),
                _ => None,
            },
            _ => None,
        }
    }

    fn simpler_not(&mut self, one: Term) -> Option<Term> {
        match self.node(one).clone() {
            Node::Truth(value) => Some(Term::truth(!value)),
            Node::Apply(Function::Not, inner) => inner.first().copied(),
            Node::Apply(Function::Less, parts) => match *parts {
                [left, right] => Some(self.at_most(right, left)),
                _ => None,
            },
            Node::Apply(Function::AtMost, parts) => match *parts {
                [left, right] => Some(self.less(right, left)),
                _ => None,
            },
            Node::Apply(Function::Or, parts) => {
                let parts: Vec<Term> = parts.iter().map(|&part| self.not(part)).collect();
                Some(self.and(&parts))
            }
            Node::Apply(Function::And, parts) => {
                let parts: Vec<Term> = parts.iter().map(|&part| self.not(part)).collect();
                Some(self.or(&parts))
            }
            _ => None,
        }
    }

    /// Conjunction if `all`, else disjunction, without what is nested, repeated or decided.
    fn join(&mut self, parts: &[Term], all: bool) -> Term {
        let function = if all { Function::And } else { Function::Or };
        let (neutral, decisive) = (Term::truth(all), Term::truth(!all));
        let mut flat: Vec<Term> = Vec::new();
        for &part in parts {
            let inner: Vec<Term> = match self.node(part) {
                Node::Apply(same, inner) if *same == function => inner.to_vec(),
                _ => vec![part],
            };
            for part in inner {
                if part != neutral && !flat.contains(&part) {
                    flat.push(part);
                }
            }
        }
        let opposite = flat.clone().into_iter().any(|part| {
            let other = self.not(part);
            flat.contains(&other)
        });
        match flat.as_slice() {
            _ if opposite || flat.contains(&decisive) => decisive,
            [] => neutral,
            [one] => *one,
            _ => self.leaf(Node::Apply(function, flat.into())),
        }
    }

    fn simpler_if(&mut self, condition: Term, yes: Term, no: Term) -> Option<Term> {
        if yes == no || condition == Term::ALWAYS {
            return Some(yes);
        }
        if condition == Term::NEVER {
            return Some(no);
        }
        if self.kind(yes) == Kind::Truth {
            let other = self.not(condition);
            let one = self.and(&[condition, yes]);
            let two = self.and(&[other, no]);
            let (always, never) = (Term::ALWAYS, Term::NEVER);
            return Some(match (yes, no) {
                _ if yes == always => self.or(&[condition, no]),
                _ if no == always => self.or(&[other, yes]),
                _ if yes == never || no == never => self.or(&[one, two]),
                _ => return None,
            });
        }
        None
    }

    fn simpler_same(&mut self, one: Term, other: Term) -> Option<Term> {
        if one == other {
            return Some(Term::ALWAYS);
        }
        if self.is_constant(one) && self.is_constant(other) {
            return Some(Term::NEVER);
        }
        for (object, other) in [(one, other), (other, one)] {
            if self.is_object(object) && other == Term::NULL {
                return Some(Term::NEVER);
            }
            // Whatever was there before an object was made is another one, unless unseen code had it in its hands.
            if self.is_fresh(object)
                && !self.is_opaque(other)
                && self.as_if(other).is_none()
                && !matches!(self.node(other), Node::Apply(Function::Made, _))
            {
                return Some(Term::NEVER);
            }
        }
        for (choice, other) in [(one, other), (other, one)] {
            if let Some((condition, yes, no)) = self.as_if(choice)
                && (self.is_constant(other) || self.is_object(other))
            {
                let yes = self.same(yes, other);
                let no = self.same(no, other);
                return Some(self.apply(Function::If, &[condition, yes, no]));
            }
        }
        if self.kind(one) == Kind::Truth {
            let not = self.not(one);
            return match other {
                _ if other == Term::ALWAYS => Some(one),
                _ if other == Term::NEVER => Some(not),
                _ => None,
            };
        }
        if one.0 > other.0 {
            return Some(self.leaf(Node::Apply(Function::Same, [other, one].into())));
        }
        None
    }

    fn simpler_order(&mut self, function: Function, one: Term, other: Term) -> Option<Term> {
        if one == other {
            return Some(Term::truth(function == Function::AtMost));
        }
        let value = |node: &Node| match node {
            Node::Int(value) => Some(i64::from(*value)),
            Node::Long(value) => Some(*value),
            _ => None,
        };
        let (left, right) = (value(self.node(one)), value(self.node(other)));
        if let (Some(left), Some(right)) = (left, right) {
            let holds = match function {
                Function::Less => left < right,
                _ => left <= right,
            };
            return Some(Term::truth(holds));
        }
        let compared = |terms: &Self, term| match terms.node(term) {
            Node::Apply(Function::Java(opcode::LCMP), parts) => match **parts {
                [left, right] => Some((left, right)),
                _ => None,
            },
            _ => None,
        };
        if let (Some((left, right)), Some(0)) = (compared(self, one), right) {
            return Some(self.apply(function, &[left, right]));
        }
        if let (Some(0), Some((left, right))) = (left, compared(self, other)) {
            return Some(self.apply(function, &[right, left]));
        }
        if let (Some((condition, yes, no)), Some(_)) = (self.as_if(one), right) {
            let yes = self.apply(function, &[yes, other]);
            let no = self.apply(function, &[no, other]);
            return Some(self.apply(Function::If, &[condition, yes, no]));
        }
        if let (Some(_), Some((condition, yes, no))) = (left, self.as_if(other)) {
            let yes = self.apply(function, &[one, yes]);
            let no = self.apply(function, &[one, no]);
            return Some(self.apply(Function::If, &[condition, yes, no]));
        }
        None
    }

    fn simpler_java(&mut self, code: u8, left: Term, right: Option<Term>) -> Option<Term> {
        let folded = arithmetic::fold(code, self.node(left), right.map(|right| self.node(right)));
        if let Some(node) = folded {
            return Some(self.leaf(node));
        }
        let zero = right.is_some_and(|right| matches!(self.node(right), Node::Int(0)));
        match code {
            // Adding, subtracting, shifting by, or-ing with nothing.
            96 | 100 | 120 | 122 | 124 | 128 | 130 if zero => Some(left),
            // Widened from what has the range already.
            145..=147 if self.kind(left) == Kind::of_arithmetic(code) => Some(left),
            _ => None,
        }
    }

    fn simpler_is_a(&mut self, class: ClassId, one: Term) -> Option<Term> {
        if one == Term::NULL {
            return Some(Term::NEVER);
        }
        if let Some((condition, yes, no)) = self.as_if(one) {
            let yes = self.apply(Function::IsA(class), &[yes]);
            let no = self.apply(Function::IsA(class), &[no]);
            return Some(self.apply(Function::If, &[condition, yes, no]));
        }
        let Kind::Reference(declared) = self.kind(one) else {
            return None;
        };
        let exact = self.is_object(one);
        if self.is_below(declared, class) {
            return Some(if exact {
                Term::ALWAYS
            } else {
                self.is_not_null(one)
            });
        }
        let is_array = self.program.class_name(declared).first() == Some(&b'[');
        (exact && !is_array && self.is_complete(declared)).then_some(Term::NEVER)
    }

    /// Whether every object of `class` is one of `above`, as far as the class path tells. What a verifier calls an
    /// interface may be anything.
    pub(crate) fn is_below(&self, class: ClassId, above: ClassId) -> bool {
        above == self.object || self.program.hierarchy().is_subtype(class, above)
    }

    /// Whether everything above a class is on the class path: only then it is known what it is not.
    fn is_complete(&self, class: ClassId) -> bool {
        let above = self.program.hierarchy().supertypes(class);
        above
            .iter()
            .all(|&class| self.program.class(class).is_some())
    }

    /// Whether no object can be of both classes.
    pub(crate) fn are_apart(&self, one: ClassId, other: ClassId) -> bool {
        if self.is_below(one, other) || self.is_below(other, one) {
            return false;
        }
        let (Some(first), Some(second)) = (self.program.class(one), self.program.class(other))
        else {
            // An array and a class: arrays are cloneable and serializable objects, which was asked before.
            let is_array = |class| self.program.class_name(class).first() == Some(&b'[');
            let is_class = |class| self.program.class(class).is_some();
            return (is_array(one) && is_class(other)) || (is_class(one) && is_array(other));
        };
        if !self.is_complete(one) || !self.is_complete(other) {
            return false;
        }
        match (first.is_interface(), second.is_interface()) {
            (false, false) => true,
            (false, true) => first.access & access::FINAL != 0,
            (true, false) => second.access & access::FINAL != 0,
            (true, true) => false,
        }
    }

    fn through_if(&mut self, function: Function, one: Term, index: Option<Term>) -> Option<Term> {
        let (condition, yes, no) = self.as_if(one)?;
        let with = |object: Term| {
            [Some(object), index]
                .into_iter()
                .flatten()
                .collect::<Vec<_>>()
        };
        let yes = self.apply(function, &with(yes));
        let no = self.apply(function, &with(no));
        Some(self.apply(Function::If, &[condition, yes, no]))
    }

    fn simpler_text(&mut self, function: Function, arguments: &[Term]) -> Option<Term> {
        match (function, arguments) {
            (Function::Text, [one]) => match self.node(*one).clone() {
                Node::Literal(text) => Some(self.leaf(Node::Characters(text))),
                Node::Apply(Function::Made, inner) => inner.first().copied(),
                _ => None,
            },
            (Function::TextLength, [one]) => match self.node(*one) {
                Node::Characters(text) => {
                    let length = text.encode_utf16().count() as i32;
                    Some(self.int(length))
                }
                _ => None,
            },
            (Function::Concat, [one, other]) => match (self.node(*one), self.node(*other)) {
                (Node::Characters(first), Node::Characters(second)) => {
                    let both = format!("{first}{second}");
                    Some(self.characters(&both))
                }
                (Node::Characters(empty), _) if empty.is_empty() => Some(*other),
                (_, Node::Characters(empty)) if empty.is_empty() => Some(*one),
                _ => None,
            },
            (Function::OfInt, [one]) => match self.node(*one) {
                Node::Int(value) => {
                    let text = value.to_string();
                    Some(self.characters(&text))
                }
                _ => None,
            },
            (Function::CharAt, [one, at]) => match (self.node(*one), self.node(*at)) {
                (Node::Characters(text), Node::Int(at)) => {
                    let unit = text.encode_utf16().nth(usize::try_from(*at).ok()?)?;
                    Some(self.int(unit.into()))
                }
                _ => None,
            },
            _ => None,
        }
    }
}
