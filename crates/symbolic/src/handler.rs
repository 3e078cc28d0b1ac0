//! From a handler back to what threw: an instruction of the block it guards.

use recrash_classfile::text;
use recrash_program::{BlockId, ClassId, End, Op};

use crate::instruction::throws;
use crate::raises::raises;
use crate::state::{Context, State};
use crate::term::Term;
use crate::walk::Walk;
use crate::writes::Touch;

impl Walk<'_, '_> {
    /// One state for each instruction of `from` that may have thrown what `handler` caught, in front of that instruction.
    pub(crate) fn thrown(&mut self, state: &State, handler: BlockId, from: BlockId) -> Vec<State> {
        let Some(context) = state.top().cloned() else {
            return Vec::new();
        };
        let code = context.code.clone();
        let Some(block) = code.block(from) else {
            return Vec::new();
        };
        let caught = block.handlers.iter().find(|(to, _)| *to == handler);
        let caught = caught.and_then(|(_, class)| *class);
        let mut states = Vec::new();
        let mut places: Vec<usize> = (0..block.instructions.len()).collect();
        if matches!(block.end, End::Throw(_)) {
            places.push(block.instructions.len());
        }
        for at in places {
            let value = block.instructions.get(at).and_then(|&id| code.value(id));
            if value.is_some_and(|value| !self.may_throw(&value.op, caught)) {
                continue;
            }
            let mut state = state.clone();
            state.decisions.push(self.decision());
            state.depend_on_all();
            if let Some(value) = value {
                // What a call changed before it threw is not followed.
                let touch = self.writes.call(value).touch(&self.terms, &state.terms());
                state.assumed |= touch != Touch::No;
                for condition in self.when_thrown(&context, &value.op, caught) {
                    state.require(&self.terms, condition);
                    state.assumed = true;
                }
            }
            if let Some(mut state) = self.jump(state, from) {
                if let Some(context) = state.stack.last_mut() {
                    context.at = at;
                }
                states.push(state);
            }
        }
        states
    }

    /// Calls may throw anything; other instructions throw exceptions that need not be declared, if at all.
    fn may_throw(&self, op: &Op, caught: Option<ClassId>) -> bool {
        match op {
            // The first use of a class may fail in many ways.
            Op::Invoke { .. }
            | Op::InvokeDynamic { .. }
            | Op::GetStatic { .. }
            | Op::PutStatic { .. } => true,
            Op::Constant(_)
            | Op::Parameter(_)
            | Op::Caught
            | Op::New(_)
            | Op::InstanceOf { .. } => false,
            Op::Arithmetic { opcode, .. } if !matches!(opcode, 108 | 109 | 112 | 113) => false,
            _ => {
                let hierarchy = self.program.hierarchy();
                let runtime = self.program.class_id(b"java/lang/RuntimeException");
                caught.is_none_or(|caught| {
                    hierarchy.is_subtype(caught, runtime) || hierarchy.is_subtype(runtime, caught)
                })
            }
        }
    }

    /// What is known of the arguments if exactly this was thrown.
    fn when_thrown(&mut self, context: &Context, op: &Op, caught: Option<ClassId>) -> Vec<Term> {
        let Some(caught) = caught else {
            return Vec::new();
        };
        let exception = text(&self.program.class_name(caught));
        if let Op::Invoke {
            method, arguments, ..
        } = op
        {
            let arguments: Vec<Term> = arguments
                .iter()
                .map(|&it| context.local(&mut self.terms, it))
                .collect();
            let raised = raises(&mut self.terms, &exception, *method, &arguments, None);
            return raised.into_iter().collect();
        }
        throws(&mut self.terms, context, op, &exception, None).unwrap_or_default()
    }
}
