//! Which state the trace's methods look at, and which methods change it: those are worth calling first.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use recrash_program::{MethodId, Op, Program, SelectorId, Ssa};

use crate::index::Index;

/// Calls are followed so far.
const DEEPEST: usize = 2;

/// Fields go by name and type: a subclass's view of a field is the same field.
type Fields = HashSet<SelectorId>;

/// Of a method without code, the code of so many classes that have it is looked at.
const MOST_IMPLEMENTERS: usize = 6;

#[derive(Default)]
pub(crate) struct Relevance {
    index: Rc<Index>,
    read: Fields,
    written: RefCell<HashMap<MethodId, Arc<Fields>>>,
}

impl Relevance {
    /// What the methods on the way read.
    pub(crate) fn of(
        program: &Program,
        index: Rc<Index>,
        methods: impl IntoIterator<Item = MethodId>,
    ) -> Relevance {
        let mut read = Fields::new();
        let mut seen = HashSet::new();
        for method in methods {
            follow(program, &index, method, DEEPEST, &mut seen, &mut |op| {
                if let Op::GetField { field, .. } | Op::GetStatic { field } = op {
                    read.insert(field.selector);
                }
            });
        }
        Relevance {
            index,
            read,
            written: RefCell::default(),
        }
    }

    /// How much a call of the method may change of it.
    pub(crate) fn weight(&self, program: &Program, method: MethodId) -> f64 {
        let written = self.written(program, method);
        if written.iter().any(|field| self.read.contains(field)) {
            8.0
        } else if written.is_empty() {
            1.0
        } else {
            2.0
        }
    }

    fn written(&self, program: &Program, method: MethodId) -> Arc<Fields> {
        if let Some(known) = self.written.borrow().get(&method) {
            return Arc::clone(known);
        }
        let mut fields = Fields::new();
        let mut seen = HashSet::new();
        follow(
            program,
            &self.index,
            method,
            DEEPEST,
            &mut seen,
            &mut |op| {
                if let Op::PutField { field, .. } | Op::PutStatic { field, .. } = op {
                    fields.insert(field.selector);
                }
            },
        );
        let fields = Arc::new(fields);
        self.written
            .borrow_mut()
            .insert(method, Arc::clone(&fields));
        fields
    }
}

/// The operations of a method and of those that it calls by name.
fn follow(
    program: &Program,
    index: &Index,
    method: MethodId,
    depth: usize,
    seen: &mut HashSet<MethodId>,
    look: &mut dyn FnMut(&Op),
) {
    if !seen.insert(method) {
        return;
    }
    let Ok(Some(ssa)) = Ssa::of(program, method) else {
        return;
    };
    for value in &ssa.values {
        look(&value.op);
        let Op::Invoke { method: called, .. } = &value.op else {
            continue;
        };
        if depth == 0 {
            continue;
        }
        let resolved = program
            .hierarchy()
            .resolve_method(called.class, called.selector);
        let Some(resolved) = resolved else {
            continue;
        };
        if resolved.has_code() {
            follow(program, index, resolved.id, depth - 1, seen, look);
            continue;
        }
        let below = index.implementers(called.class);
        for class in below.iter().take(MOST_IMPLEMENTERS) {
            if let Some(selected) = program.hierarchy().select_method(*class, &resolved) {
                follow(program, index, selected.id, depth - 1, seen, look);
            }
        }
    }
}
