//! Reads the solver's answer as a state at the entry of a method, after asking for one that is nicer to read.

use std::collections::{BTreeMap, HashMap, HashSet};

use recrash_classfile::access;
use recrash_program::{ClassId, FieldId, MethodId};

use crate::error::Result;
use crate::precondition::{Array, Input, Object, Precondition};
use crate::sexp::Sexp;
use crate::smt::Script;
use crate::solver::Answer;
use crate::state::State;
use crate::term::{Function, Kind, Node, Term};
use crate::walk::Walk;

/// Deeper states are not told.
const DEEPEST: usize = 12;

impl Walk<'_, '_> {
    /// The state that the solver found, in the scope in which it found it, made nicer where the conditions allow it.
    pub(crate) fn precondition(
        &mut self,
        method: MethodId,
        state: &State,
        script: &Script,
    ) -> Result<Option<Precondition>> {
        let mut values = self.values(script)?;
        if values.is_empty() && !script.terms().is_empty() {
            return Ok(None);
        }
        let limit = self.options.wish_limit;
        let wishes = if limit.is_zero() {
            Vec::new()
        } else {
            self.wishes(script)
        };
        for wish in wishes {
            self.solver.push()?;
            self.solver.tell(&format!("(assert {wish})\n"))?;
            let nicer = if self.solver.check(limit)? == Answer::Satisfiable {
                self.values(script)?
            } else {
                HashMap::new()
            };
            if nicer.is_empty() {
                self.solver.pop()?;
            } else {
                // The scope stays open, so that what was wished for before holds with the next wish; it ends with that around it.
                values = nicer;
                self.solver.pop()?;
                self.solver.tell(&format!("(assert {wish})\n"))?;
            }
        }
        let mut reader = Reader {
            walk: self,
            terms: script.terms(),
            values: &values,
            told: HashSet::new(),
        };
        let (arguments, statics) = reader.read(method);
        let text = self.show(method, &state.terms());
        Ok(Some(Precondition {
            method,
            text,
            arguments,
            statics,
            assumed: state.assumed,
        }))
    }

    /// A static field that is written once.
    pub(crate) fn is_constant_field(&self, term: Term) -> bool {
        let Node::Static(field, _) = self.terms.node(term) else {
            return false;
        };
        let known = self.program.field(*field);
        known.is_some_and(|field| field.is(access::FINAL))
    }

    fn values(&mut self, script: &Script) -> Result<HashMap<Term, Sexp>> {
        let names: Vec<String> = script.terms().iter().map(|&term| term.name()).collect();
        let values = self.solver.values(&names)?;
        if values.len() != names.len() {
            return Ok(HashMap::new());
        }
        Ok(script.terms().iter().copied().zip(values).collect())
    }

    /// What a reader would rather see: different objects, small numbers, short texts of plain letters.
    fn wishes(&self, script: &Script) -> Vec<String> {
        let is_input = |term: &&Term| {
            matches!(
                self.terms.node(**term),
                Node::Argument(..)
                    | Node::Static(..)
                    | Node::Apply(
                        Function::Field(..) | Function::Element(..) | Function::Result(..),
                        _
                    )
            )
        };
        let inputs: Vec<Term> = script.terms().iter().filter(is_input).copied().collect();
        let mut wishes = Vec::new();
        let references: Vec<Term> = inputs
            .iter()
            .copied()
            .filter(|&term| self.terms.kind(term).is_reference())
            .collect();
        for &term in &references {
            // A constant is there once its class is.
            if self.is_constant_field(term) {
                wishes.push(format!("(not (= {} 0))", term.name()));
            }
        }
        let apart: Vec<String> = references
            .iter()
            .enumerate()
            .flat_map(|(place, &one)| {
                references.iter().skip(place + 1).map(move |&other| {
                    let (one, other) = (one.name(), other.name());
                    format!("(or (= {one} 0) (not (= {one} {other})))")
                })
            })
            .collect();
        if !apart.is_empty() && apart.len() < 500 {
            wishes.push(format!("(and true {})", apart.join(" ")));
        }
        for limit in [100, 10] {
            let small: Vec<String> = inputs
                .iter()
                .filter(|&&term| matches!(self.terms.kind(term), Kind::Int | Kind::Long))
                .map(|&term| format!("(<= (- {limit}) {} {limit})", term.name()))
                .collect();
            if !small.is_empty() {
                wishes.push(format!("(and true {})", small.join(" ")));
            }
        }
        for &term in script.terms() {
            if matches!(self.terms.node(term), Node::Apply(Function::Text, _)) {
                let it = term.name();
                wishes.push(format!(
                    "(and (<= (str.len {it}) 20) (str.in_re {it} (re.* (re.range \" \" \"~\"))))"
                ));
            }
            if matches!(self.terms.node(term), Node::Apply(Function::Length, _)) {
                wishes.push(format!("(<= {} 10)", term.name()));
            }
        }
        wishes
    }
}

/// Reads the state at the entry out of the solver's values.
struct Reader<'w, 'a, 'p> {
    walk: &'w Walk<'a, 'p>,
    terms: &'w [Term],
    values: &'w HashMap<Term, Sexp>,
    told: HashSet<i64>,
}

impl Reader<'_, '_, '_> {
    fn read(&mut self, method: MethodId) -> (Vec<Input>, Vec<(FieldId, Input)>) {
        let mut arguments: BTreeMap<u16, Input> = BTreeMap::new();
        let mut statics = Vec::new();
        for &term in self.terms {
            match self.walk.terms.node(term) {
                Node::Argument(number, _) => {
                    let input = self.input(term, 0);
                    arguments.insert(*number, input);
                }
                Node::Static(field, _) => {
                    let input = self.input(term, 0);
                    statics.push((*field, input));
                }
                _ => {}
            }
        }
        let program = self.walk.program;
        let known = program.method(method);
        let selector = known.and_then(|method| program.selector(method.selector));
        let count = selector.map_or(0, |it| {
            crate::descriptor::parameters(&it.descriptor).count()
        }) + usize::from(known.is_some_and(|method| !method.is_static()));
        let arguments = (0..count as u16)
            .map(|number| arguments.remove(&number).unwrap_or(Input::Any))
            .collect();
        (arguments, statics)
    }

    fn integer(&self, term: Term) -> Option<i64> {
        self.values.get(&term).and_then(Sexp::integer)
    }

    fn input(&mut self, term: Term, depth: usize) -> Input {
        let value = self.values.get(&term);
        match self.walk.terms.kind(term) {
            Kind::Long => self.integer(term).map_or(Input::Any, Input::Long),
            Kind::Float => value
                .and_then(|value| value.float_bits(8, 23))
                .map_or(Input::Any, |bits| Input::Float(f32::from_bits(bits as u32))),
            Kind::Double => value
                .and_then(|value| value.float_bits(11, 52))
                .map_or(Input::Any, |bits| Input::Double(f64::from_bits(bits))),
            Kind::Reference(class) => match self.integer(term) {
                Some(0) => Input::Null,
                Some(id) if depth < DEEPEST => self.object(id, class, depth),
                _ => Input::Any,
            },
            _ => self
                .integer(term)
                .map_or(Input::Any, |value| Input::Int(value as i32)),
        }
    }

    /// The object that a reference is, from everything that is said of this reference under whatever name.
    fn object(&mut self, id: i64, declared: ClassId, depth: usize) -> Input {
        let terms = &self.walk.terms;
        let about: Vec<(Term, Function, Vec<Term>)> = self
            .terms
            .iter()
            .filter_map(|&term| match terms.node(term) {
                Node::Apply(function, parts)
                    if parts.first().and_then(|&it| self.integer(it)) == Some(id)
                        && parts
                            .first()
                            .is_some_and(|&it| terms.kind(it).is_reference()) =>
                {
                    Some((term, *function, parts.to_vec()))
                }
                _ => None,
            })
            .collect();
        let text =
            about.iter().find_map(
                |(term, function, _)| match (function, self.values.get(term)) {
                    (Function::Text, Some(Sexp::Text(text))) => Some(text.clone()),
                    _ => None,
                },
            );
        let literal = self.terms.iter().find_map(|&term| match terms.node(term) {
            Node::Literal(text) if self.integer(term) == Some(id) => Some(text.to_string()),
            _ => None,
        });
        if let Some(text) = text.or(literal) {
            return Input::Text(text);
        }
        if !self.told.insert(id) {
            return Input::Again(id as u32);
        }
        let (class, not) = self.class(id, declared);
        let is_array = terms.program.class_name(class).first() == Some(&b'[');
        let mut fields = Vec::new();
        let mut results = Vec::new();
        let mut elements = BTreeMap::new();
        let mut length = None;
        for (term, function, parts) in about {
            match function {
                Function::Field(field, _) if !fields.iter().any(|(it, _)| *it == field) => {
                    let value = self.input(term, depth + 1);
                    fields.push((field, value));
                }
                Function::Result(_, method, _) => {
                    let value = self.input(term, depth + 1);
                    results.push((method, value));
                }
                Function::Length => length = self.integer(term),
                Function::Element(..) => {
                    if let Some(at) = parts.get(1).and_then(|&at| self.integer(at)) {
                        let value = self.input(term, depth + 1);
                        elements.insert(at as i32, value);
                    }
                }
                _ => {}
            }
        }
        if !is_array && length.is_none() {
            return Input::Object(Object {
                id: id as u32,
                class,
                not,
                fields,
                results,
            });
        }
        let longest = elements
            .keys()
            .last()
            .map_or(0, |last| i64::from(*last) + 1);
        let length = length.unwrap_or(longest) as i32;
        Input::Array(Array {
            id: id as u32,
            class,
            length,
            elements: elements
                .into_iter()
                .filter(|(at, _)| (0..length).contains(at))
                .collect(),
        })
    }

    /// The narrowest class that the references to an object are declared or asked to be of, and what it is not.
    fn class(&self, id: i64, declared: ClassId) -> (ClassId, Vec<ClassId>) {
        let terms = &self.walk.terms;
        let mut class = declared;
        let mut not = Vec::new();
        for &term in self.terms {
            let narrower = match terms.node(term) {
                Node::Apply(Function::IsA(asked), parts)
                    if parts.first().and_then(|&it| self.integer(it)) == Some(id) =>
                {
                    if self.values.get(&term).is_some_and(|it| it.word() == "true") {
                        *asked
                    } else {
                        not.push(*asked);
                        continue;
                    }
                }
                _ => match terms.kind(term) {
                    Kind::Reference(class) if self.integer(term) == Some(id) => class,
                    _ => continue,
                },
            };
            if terms.is_below(narrower, class) {
                class = narrower;
            }
        }
        (class, not)
    }
}
