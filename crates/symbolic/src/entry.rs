//! The entry of a frame's method: a precondition, or on at the call in the frame around it.

use recrash_program::{MethodId, Op};

use crate::error::Result;
use crate::resolve::resolve;
use crate::rewrite::Change;
use crate::smt::Script;
use crate::solver::Answer;
use crate::state::{Context, State};
use crate::step::parameter_kinds;
use crate::target::{Place, Reason};
use crate::term::{Node, Term};
use crate::walk::Walk;

impl Walk<'_, '_> {
    /// The entry of a frame's method: a result, or on with the frame around it.
    pub(crate) fn entry(&mut self, mut state: State) -> Result<()> {
        self.note_receiver(&mut state);
        if let Some(depth) = state.contradiction() {
            let shared = self.shared(&state, depth);
            self.end(&state, &shared);
            return Ok(());
        }
        if let Some(shared) = self.known_contradiction(&state) {
            self.end(&state, &shared);
            return Ok(());
        }
        let last = state.level + 1 == self.level;
        if last {
            return self.finish(&state);
        }
        let (answer, shared) = self.ask(&mut state, self.limit())?;
        if answer == Answer::Unsatisfiable {
            self.end(&state, &shared);
            return Ok(());
        }
        let states = self.callers(&state);
        if states.is_empty() {
            // Says more than any other reason.
            self.missed = Some(Reason::NoCall);
        }
        self.enqueue(states);
        Ok(())
    }

    /// A method that runs has its receiver.
    fn note_receiver(&mut self, state: &mut State) {
        let Some(context) = state.top().cloned() else {
            return;
        };
        let method = self.program.method(context.code.method);
        if method.is_some_and(|method| !method.is_static()) {
            let kinds = parameter_kinds(&self.terms, &context);
            if let Some(&kind) = kinds.first() {
                let receiver = self.terms.leaf(Node::Argument(0, kind));
                state.require_object(&mut self.terms, receiver);
            }
        }
    }

    fn finish(&mut self, state: &State) -> Result<()> {
        let Some(entry) = state.top().map(|context| context.code.method) else {
            return Ok(());
        };
        let terms = state.terms();
        let script = Script::of(&self.terms, &terms);
        self.solver.push()?;
        self.solver.tell(&script.text)?;
        let limit = self.limit();
        match self.solver.check(limit)? {
            Answer::Satisfiable => {
                let found = self.precondition(entry, state, &script)?;
                if let Some(found) = found
                    && !self.found.iter().any(|known| known.says(&found))
                {
                    self.found.push(found);
                }
            }
            Answer::Unsatisfiable => {
                let shared = self.contradicted(state)?;
                self.end(state, &shared);
            }
            Answer::Unknown => self.miss(Reason::Solver),
        }
        self.solver.pop()
    }

    /// Where the next frame calls the method whose entry was reached.
    fn callers(&mut self, state: &State) -> Vec<State> {
        let target = self.target;
        let Some(inner) = state.top().map(|context| context.code.method) else {
            return Vec::new();
        };
        let places = target.frames.get(state.level + 1);
        let mut states = Vec::new();
        for place in places.into_iter().flatten() {
            let Some(code) = self.codes.of(place.method) else {
                continue;
            };
            let calls: Vec<_> = code
                .places()
                .filter(|(_, _, _, value)| place.has(value.pc))
                .filter(|(_, _, _, value)| self.may_call(&value.op, inner))
                .map(|(block, at, id, _)| (block, at, id))
                .collect();
            for (block, at, id) in calls {
                let mut state = state.clone();
                state.level += 1;
                state.decisions.push(self.decision());
                let context = Context::new(code.clone(), self.frame(), block, at);
                let arguments: Vec<Term> = code
                    .arguments(id)
                    .iter()
                    .map(|&it| context.local(&mut self.terms, it))
                    .collect();
                state.undo(&mut self.terms, &Change::Arguments(arguments), true);
                state.depend_on_all();
                state.stack = vec![context];
                states.push(state);
            }
        }
        states
    }

    /// Whether a call may run a method: by name and types, and the classes do not exclude it.
    pub(crate) fn may_call(&self, op: &Op, method: MethodId) -> bool {
        let Op::Invoke { method: named, .. } = op else {
            return false;
        };
        let Some(known) = self.program.method(method) else {
            return false;
        };
        if resolve(self.program, *named).is_some_and(|resolved| resolved.id == method) {
            return true;
        }
        let hierarchy = self.program.hierarchy();
        named.selector == known.selector
            && (hierarchy.is_subtype(method.class, named.class)
                || hierarchy.is_subtype(named.class, method.class))
    }
}

impl Place {
    /// Whether code at this place belongs to the line.
    pub(crate) fn has(&self, pc: u16) -> bool {
        self.ranges.is_empty()
            || self
                .ranges
                .iter()
                .any(|(start, end)| (*start..*end).contains(&pc))
    }
}
