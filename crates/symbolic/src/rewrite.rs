//! What a condition says one step earlier: an instruction is undone by putting what it made in the place of its name.

use std::collections::HashMap;

use recrash_program::{ElementKind, FieldId, ValueId};

use crate::term::{Function, Node, Term, Terms};

/// What an instruction changed.
#[derive(Debug, Clone)]
pub(crate) enum Change {
    /// Values got these terms, all at once.
    Values(u32, HashMap<ValueId, Term>),
    /// The walk goes on in the caller: what the arguments are there.
    Arguments(Vec<Term>),
    Static(FieldId, Term),
    Field {
        field: FieldId,
        object: Term,
        value: Term,
    },
    Element {
        kind: ElementKind,
        array: Term,
        index: Term,
        value: Term,
    },
    Buffer {
        object: Term,
        text: Term,
    },
}

impl Terms<'_> {
    /// The condition before the change.
    pub(crate) fn before(&mut self, term: Term, change: &Change) -> Term {
        let mut done = HashMap::new();
        self.rewrite(term, change, &mut done)
    }

    fn rewrite(&mut self, root: Term, change: &Change, done: &mut HashMap<Term, Term>) -> Term {
        // Terms can be deep; the stack of this thread is not for them.
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if done.contains_key(&term) {
                stack.pop();
                continue;
            }
            let waiting: Vec<Term> = self
                .arguments(term)
                .iter()
                .copied()
                .filter(|part| !done.contains_key(part))
                .collect();
            if waiting.is_empty() {
                let new = self.step(term, change, done);
                done.insert(term, new);
                stack.pop();
            } else {
                stack.extend(waiting);
            }
        }
        done.get(&root).copied().unwrap_or(root)
    }

    fn step(&mut self, term: Term, change: &Change, done: &HashMap<Term, Term>) -> Term {
        match (self.node(term), change) {
            (Node::Local(frame, value, _), Change::Values(of, values)) if frame == of => {
                values.get(value).copied().unwrap_or(term)
            }
            (Node::Argument(number, _), Change::Arguments(values)) => {
                values.get(usize::from(*number)).copied().unwrap_or(term)
            }
            (Node::Static(field, _), Change::Static(written, value)) if field == written => *value,
            (Node::Apply(function, parts), _) => {
                let function = *function;
                let old = parts.clone();
                let parts: Vec<Term> = old
                    .iter()
                    .map(|part| done.get(part).copied().unwrap_or(*part))
                    .collect();
                let now = if *old == *parts {
                    term
                } else {
                    self.apply(function, &parts)
                };
                self.written(now, function, &parts, change)
            }
            _ => term,
        }
    }

    /// A read of what the change may have written.
    fn written(&mut self, now: Term, function: Function, parts: &[Term], change: &Change) -> Term {
        // What became simpler is no read any more.
        if !matches!(self.node(now), Node::Apply(same, _) if *same == function) {
            return now;
        }
        let (hit, value) = match (function, parts, change) {
            (
                Function::Field(field, _),
                [read],
                Change::Field {
                    field: written,
                    object,
                    value,
                },
            ) if field == *written => (self.same(*read, *object), *value),
            (Function::Buffer, [read], Change::Buffer { object, text }) => {
                (self.same(*read, *object), *text)
            }
            (
                Function::Element(kind, _),
                [read, at],
                Change::Element {
                    kind: written,
                    array,
                    index,
                    value,
                },
            ) if kind == *written => {
                let same_array = self.same(*read, *array);
                let same_index = self.same(*at, *index);
                (self.and(&[same_array, same_index]), *value)
            }
            _ => return now,
        };
        self.apply(Function::If, &[hit, value, now])
    }

    /// Whether the term mentions one of these.
    pub(crate) fn mentions(&self, roots: &[Term], wanted: &dyn Fn(&Node) -> bool) -> bool {
        let mut found = false;
        self.each(roots, &mut |_, node| found |= wanted(node));
        found
    }
}
