//! A place on the way back, and what has to hold there.

use std::collections::HashMap;
use std::rc::Rc;

use recrash_program::{BlockId, Op, ValueId};

use crate::code::Code;
use crate::rewrite::Change;
use crate::term::{Function, Node, Term, Terms};
use crate::writes::{Touch, Writes};

/// A method in which the walk is, or to which it comes back.
#[derive(Clone)]
pub(crate) struct Context {
    pub(crate) code: Rc<Code>,
    /// Tells apart the values of several walks through one method.
    pub(crate) frame: u32,
    pub(crate) block: BlockId,
    /// How many instructions of the block are still in front.
    pub(crate) at: usize,
    /// The call that the context further in answers.
    pub(crate) call: Option<ValueId>,
    pub(crate) visits: HashMap<BlockId, u8>,
}

/// Something that has to hold.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Condition {
    pub(crate) term: Term,
    /// How many of the decisions on the way it depends on: whatever shares these, has this condition.
    pub(crate) depth: usize,
}

#[derive(Clone)]
pub(crate) struct State {
    /// The innermost method is the last.
    pub(crate) stack: Vec<Context>,
    pub(crate) conditions: Vec<Condition>,
    /// The decisions taken, by number.
    pub(crate) decisions: Vec<u32>,
    /// How many frames of the trace are behind.
    pub(crate) level: usize,
    /// A call was taken to change nothing, or to mean one method, without knowing.
    pub(crate) assumed: bool,
    /// The conditions that the solver last found possible, all together.
    pub(crate) possible: Vec<Term>,
}

impl State {
    pub(crate) fn top(&self) -> Option<&Context> {
        self.stack.last()
    }

    pub(crate) fn terms(&self) -> Vec<Term> {
        self.conditions.iter().map(|it| it.term).collect()
    }

    /// Adds what has to hold, as of the last decision.
    pub(crate) fn require(&mut self, terms: &Terms<'_>, term: Term) {
        let parts: Vec<Term> = match terms.node(term) {
            Node::Apply(Function::And, parts) => parts.to_vec(),
            _ => vec![term],
        };
        for term in parts {
            self.insert(term, self.decisions.len());
        }
    }

    fn insert(&mut self, term: Term, depth: usize) {
        if term == Term::ALWAYS {
            return;
        }
        match self.conditions.iter_mut().find(|it| it.term == term) {
            Some(known) => known.depth = known.depth.min(depth),
            None => self.conditions.push(Condition { term, depth }),
        }
    }

    /// Undoes a change. If it `depends` on the last decision, so does what it touches.
    pub(crate) fn undo(&mut self, terms: &mut Terms<'_>, change: &Change, depends: bool) {
        let now = self.decisions.len();
        for condition in std::mem::take(&mut self.conditions) {
            let term = terms.before(condition.term, change);
            let depth = if depends && term != condition.term {
                now
            } else {
                condition.depth
            };
            let parts: Vec<Term> = match terms.node(term) {
                Node::Apply(Function::And, parts) => parts.to_vec(),
                _ => vec![term],
            };
            for term in parts {
                self.insert(term, depth);
            }
        }
        self.contradict(terms);
    }

    /// Two conditions that are each other's opposite become one that never holds.
    fn contradict(&mut self, terms: &mut Terms<'_>) {
        for place in 0..self.conditions.len() {
            let Some(&one) = self.conditions.get(place) else {
                break;
            };
            let opposite = terms.not(one.term);
            if let Some(other) = self.conditions.iter().find(|it| it.term == opposite) {
                let depth = one.depth.max(other.depth);
                let term = Term::NEVER;
                self.conditions.push(Condition { term, depth });
                return;
            }
        }
    }

    /// The least deep condition that never holds.
    pub(crate) fn contradiction(&self) -> Option<usize> {
        self.conditions
            .iter()
            .filter(|it| it.term == Term::NEVER)
            .map(|it| it.depth)
            .min()
    }

    /// A decision was taken between ways that may write this: what they could have written depends on it.
    pub(crate) fn decided(&mut self, terms: &Terms<'_>, writes: &Writes) {
        let now = self.decisions.len();
        for condition in &mut self.conditions {
            if writes.touch(terms, &[condition.term]) != Touch::No {
                condition.depth = now;
            }
        }
    }

    /// A decision was taken that may have to do with everything.
    pub(crate) fn depend_on_all(&mut self) {
        let now = self.decisions.len();
        for condition in &mut self.conditions {
            condition.depth = now;
        }
    }
}

impl Context {
    pub(crate) fn new(code: Rc<Code>, frame: u32, block: BlockId, at: usize) -> Context {
        Context {
            code,
            frame,
            block,
            at,
            call: None,
            visits: HashMap::new(),
        }
    }

    /// Constants are themselves, everything else is what its name stands for here.
    pub(crate) fn local(&self, terms: &mut Terms<'_>, value: ValueId) -> Term {
        if let Some(Op::Constant(constant)) = self.code.value(value).map(|it| &it.op)
            && let Some(term) = terms.constant(constant)
        {
            return term;
        }
        let kind = self.code.kind(terms.program, value);
        terms.leaf(Node::Local(self.frame, value, kind))
    }
}
