//! Terms in the language of the solver.
//!
//! Integers are mathematical ones that wrap explicitly: with strings, whose lengths are integers, that is decided where bit
//! vectors are not, and it is faster. Only `&`, `|`, `^` and shifts by what is no constant go through bit vectors.
//! References are integers: 0 is null, objects made on the way are negative, those that were there before are not.
//! Fields are functions from references: writes are gone from the terms already.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt::Write as _;

use recrash_program::ClassId;

use crate::sexp::quoted;
use crate::smt_arithmetic::arithmetic;
use crate::term::{Function, Kind, Node, Term, Terms};

const LITERALS: i64 = 1 << 40;

/// A set of conditions as a script, and under which names to ask for values.
pub(crate) struct Script {
    pub(crate) text: String,
    functions: BTreeMap<String, String>,
    order: Vec<Term>,
    seen: HashSet<Term>,
}

fn sort(kind: Kind) -> &'static str {
    match kind {
        Kind::Truth => "Bool",
        Kind::Float => "(_ FloatingPoint 8 24)",
        Kind::Double => "(_ FloatingPoint 11 53)",
        Kind::Text => "String",
        _ => "Int",
    }
}

fn number(value: i64) -> String {
    if value < 0 {
        format!("(- {})", value.unsigned_abs())
    } else {
        value.to_string()
    }
}

impl Script {
    /// The conditions, each under the name `c` and its place.
    pub(crate) fn of(terms: &Terms<'_>, conditions: &[Term]) -> Script {
        let mut script = Script {
            text: String::new(),
            functions: BTreeMap::new(),
            order: Vec::new(),
            seen: HashSet::new(),
        };
        for &condition in conditions {
            script.collect(terms, condition);
        }
        let mut body = String::new();
        for &term in &script.order.clone() {
            let expression = script.expression(terms, term);
            let sort = sort(terms.kind(term));
            let _ = writeln!(body, "(define-fun {} () {sort} {expression})", term.name());
            if let Some(fact) = script.fact(terms, term) {
                let _ = writeln!(body, "(assert {fact})");
            }
        }
        for fact in types(terms, &script.order) {
            let _ = writeln!(body, "(assert {fact})");
        }
        for (place, condition) in conditions.iter().enumerate() {
            let _ = writeln!(body, "(assert (! {} :named c{place}))", condition.name());
        }
        for class in is_a_classes(terms, &script.order) {
            let name = is_a(terms, class);
            script.functions.insert(name, "(Int) Bool".to_owned());
        }
        for (name, signature) in &script.functions {
            let _ = writeln!(script.text, "(declare-fun {name} {signature})");
        }
        script.text.push_str(&body);
        script
    }

    /// The terms it defines.
    pub(crate) fn terms(&self) -> &[Term] {
        &self.order
    }

    /// Every term behind those it is made of.
    fn collect(&mut self, terms: &Terms<'_>, root: Term) {
        let mut stack = vec![(root, false)];
        while let Some((term, ready)) = stack.pop() {
            if ready {
                self.order.push(term);
            } else if self.seen.insert(term) {
                stack.push((term, true));
                stack.extend(terms.arguments(term).iter().map(|&part| (part, false)));
            }
        }
    }

    fn constant(&mut self, name: String, kind: Kind) -> String {
        self.functions
            .insert(name.clone(), format!("() {}", sort(kind)));
        name
    }

    fn call(&mut self, function: String, parts: &[Term], kind: Kind) -> String {
        let domain = vec!["Int"; parts.len()].join(" ");
        let arguments: Vec<String> = parts.iter().map(|&part| part.name()).collect();
        let text = format!("({function} {})", arguments.join(" "));
        self.functions
            .insert(function, format!("({domain}) {}", sort(kind)));
        text
    }

    fn expression(&mut self, terms: &Terms<'_>, term: Term) -> String {
        match terms.node(term) {
            Node::Truth(value) => value.to_string(),
            Node::Int(value) => number(i64::from(*value)),
            Node::Long(value) => number(*value),
            Node::Float(bits) => float(u64::from(*bits), 8, 23),
            Node::Double(bits) => float(*bits, 11, 52),
            Node::Null => "0".to_owned(),
            Node::Literal(_) | Node::ClassObject(_) => (LITERALS + i64::from(term.0)).to_string(),
            Node::Characters(text) => quoted(text),
            Node::Local(..) | Node::Argument(..) | Node::Static(..) | Node::Unknown(..) => {
                self.constant(format!("v{}", term.0), terms.kind(term))
            }
            Node::Apply(function, parts) => self.application(terms, term, *function, parts),
        }
    }

    fn application(
        &mut self,
        terms: &Terms<'_>,
        term: Term,
        function: Function,
        parts: &[Term],
    ) -> String {
        let part = |place: usize| parts.get(place).map_or_else(String::new, |&it| it.name());
        let plain = |word: &str| {
            let all: Vec<String> = parts.iter().map(|&it| it.name()).collect();
            format!("({word} {})", all.join(" "))
        };
        let (a, b, c) = (part(0), part(1), part(2));
        match function {
            Function::Not => plain("not"),
            Function::And => plain("and"),
            Function::Or => plain("or"),
            Function::If => plain("ite"),
            Function::Same => plain("="),
            Function::Less => plain("<"),
            Function::AtMost => plain("<="),
            Function::Java(code) => match arithmetic(terms, code, parts) {
                Some(text) => text,
                None => self.constant(format!("v{}", term.0), terms.kind(term)),
            },
            Function::IsA(class) => format!("(and (not (= {a} 0)) ({} {a}))", is_a(terms, class)),
            Function::Field(field, kind) => {
                let owner = terms.program.field_text(field);
                self.call(format!("|{owner}#{}|", field.index), parts, kind)
            }
            Function::Element(element, kind) => {
                self.call(format!("element.{element:?}"), parts, kind)
            }
            Function::Length => self.call("array.length".to_owned(), parts, Kind::Int),
            Function::Text => self.call("string.text".to_owned(), parts, Kind::Text),
            Function::Buffer => self.call("buffer.text".to_owned(), parts, Kind::Text),
            Function::Result(..) => self.constant(format!("v{}", term.0), terms.kind(term)),
            Function::Fresh(..) | Function::Made => number(-1 - i64::from(term.0)),
            Function::TextLength => format!("(str.len {a})"),
            Function::CharAt => format!("(str.to_code (str.at {a} {b}))"),
            Function::Concat => plain("str.++"),
            Function::Part => format!("(str.substr {a} {b} (- {c} {b}))"),
            Function::IndexOf => {
                format!("(str.indexof {a} {b} (ite (< {c} 0) 0 {c}))")
            }
            Function::Prefix => format!("(str.prefixof {b} {a})"),
            Function::Suffix => format!("(str.suffixof {b} {a})"),
            Function::Contains => format!("(str.contains {a} {b})"),
            Function::OfInt => {
                format!("(ite (< {a} 0) (str.++ \"-\" (str.from_int (- {a}))) (str.from_int {a}))")
            }
            Function::OfChar => format!("(str.from_code {a})"),
            Function::IsNumber => format!(
                "(str.in_re {a} (re.++ (re.opt (re.union (str.to_re \"-\") (str.to_re \"+\"))) (re.+ (re.range \"0\" \"9\"))))"
            ),
            Function::ToNumber => format!(
                "(ite (str.prefixof \"-\" {a}) (- (str.to_int (str.substr {a} 1 (str.len {a})))) \
                 (ite (str.prefixof \"+\" {a}) (str.to_int (str.substr {a} 1 (str.len {a}))) (str.to_int {a})))"
            ),
        }
    }

    /// What always holds of a term because of its type.
    fn fact(&mut self, terms: &Terms<'_>, term: Term) -> Option<String> {
        let it = term.name();
        match terms.node(term) {
            Node::Local(_, _, kind)
            | Node::Argument(_, kind)
            | Node::Static(_, kind)
            | Node::Unknown(_, kind)
            | Node::Apply(
                Function::Field(_, kind)
                | Function::Element(_, kind)
                | Function::Result(_, _, kind),
                _,
            ) => match kind.range() {
                Some((low, high)) => Some(format!("(<= {} {it} {})", number(low), number(high))),
                None if kind.is_reference() && !terms.is_opaque(term) => {
                    Some(format!("(>= {it} 0)"))
                }
                None => None,
            },
            Node::Apply(Function::Length | Function::TextLength, _) => {
                Some(format!("(<= 0 {it} 2147483647)"))
            }
            Node::Apply(Function::CharAt, _) => Some(format!("(<= {it} 65535)")),
            Node::Literal(text) => {
                self.functions
                    .insert("string.text".to_owned(), "(Int) String".to_owned());
                Some(format!("(= (string.text {it}) {})", quoted(text)))
            }
            _ => None,
        }
    }
}

fn is_a(terms: &Terms<'_>, class: ClassId) -> String {
    let name = terms.program.class_name(class);
    format!(
        "|is {}|",
        String::from_utf8_lossy(&name).replace(['|', '\\'], "?")
    )
}

/// The classes that conditions ask for, and those that the references are declared to be of.
fn is_a_classes(terms: &Terms<'_>, order: &[Term]) -> BTreeSet<ClassId> {
    let mut classes: BTreeSet<ClassId> = order
        .iter()
        .filter_map(|&term| match terms.node(term) {
            Node::Apply(Function::IsA(class), _) => Some(*class),
            _ => None,
        })
        .collect();
    classes.extend(references(terms, order).into_iter().map(|(_, class)| class));
    classes
}

/// References that could be anything of their class.
fn references(terms: &Terms<'_>, order: &[Term]) -> Vec<(Term, ClassId)> {
    order
        .iter()
        .filter(|&&term| !matches!(terms.node(term), Node::Null | Node::Apply(Function::If, _)))
        .filter_map(|&term| match terms.kind(term) {
            Kind::Reference(class) if class != terms.object => Some((term, class)),
            _ => None,
        })
        .collect()
}

/// What is known of the classes of references: enough that no two objects of unrelated classes are the same one.
fn types(terms: &Terms<'_>, order: &[Term]) -> Vec<String> {
    let references = references(terms, order);
    let classes: Vec<ClassId> = is_a_classes(terms, order).into_iter().collect();
    let mut facts = Vec::new();
    let mut asked: BTreeSet<Term> = references.iter().map(|(term, _)| *term).collect();
    asked.extend(order.iter().filter_map(|&term| match terms.node(term) {
        Node::Apply(Function::IsA(_), parts) => parts.first().copied(),
        _ => None,
    }));
    for (term, class) in references {
        let it = term.name();
        facts.push(format!("(or (= {it} 0) ({} {it}))", is_a(terms, class)));
    }
    for (place, &one) in classes.iter().enumerate() {
        for &other in classes.iter().skip(place + 1) {
            let (first, second) = (is_a(terms, one), is_a(terms, other));
            let rule = if terms.is_below(one, other) {
                |a: &str, b: &str, it: &str| format!("(=> ({a} {it}) ({b} {it}))")
            } else if terms.is_below(other, one) {
                |a: &str, b: &str, it: &str| format!("(=> ({b} {it}) ({a} {it}))")
            } else if terms.are_apart(one, other) {
                |a: &str, b: &str, it: &str| format!("(not (and ({a} {it}) ({b} {it})))")
            } else {
                continue;
            };
            facts.extend(
                asked
                    .iter()
                    .map(|&term| rule(&first, &second, &term.name())),
            );
        }
    }
    facts
}

fn float(bits: u64, exponent: usize, mantissa: usize) -> String {
    let digits = format!("{bits:0width$b}", width = 1 + exponent + mantissa);
    let (sign, rest) = digits.split_at(1);
    let (high, low) = rest.split_at(exponent);
    format!("(fp #b{sign} #b{high} #b{low})")
}
