//! Calls on the way back: known, of no interest, looked into, or taken for anything.

use recrash_program::{InvokeKind, MemberRef, Method, Op, Origin, Value, ValueId};

use crate::descriptor;
use crate::dispatch::dispatch;
use crate::models::{Model, box_field, model};
use crate::rewrite::Change;
use crate::state::{Context, State};
use crate::target::Reason;
use crate::term::{Function, Kind, Node, Term};
use crate::walk::Walk;
use crate::writes::{Touch, Writes};

/// The longest methods that are looked into, of the program and of the JDK.
const LONGEST: usize = 250;
const LONGEST_OF_JDK: usize = 40;

/// A call that is looked into.
struct Call<'c> {
    id: ValueId,
    kind: InvokeKind,
    arguments: &'c [Term],
    writes: &'c Writes,
}

impl Walk<'_, '_> {
    /// Goes back over a call. Several states if there are several ways through it; none if it never returns.
    pub(crate) fn call(&mut self, mut state: State, id: ValueId, value: &Value) -> Vec<State> {
        let Some(context) = state.top().cloned() else {
            return Vec::new();
        };
        let Op::Invoke {
            kind,
            method,
            arguments: values,
        } = &value.op
        else {
            let made = context.code.kind(self.program, id);
            let touch = self.writes.call(value).touch(&self.terms, &state.terms());
            state.assumed |= touch != Touch::No;
            self.dynamic(&mut state, id, value, made);
            return vec![state];
        };
        let arguments: Vec<Term> = values
            .iter()
            .map(|&argument| context.local(&mut self.terms, argument))
            .collect();
        if let Some(model) = model(&mut self.terms, *method, &arguments) {
            self.known(&mut state, id, model);
            self.receiver(&mut state, *kind, &arguments);
            return vec![state];
        }
        let frame = context.frame;
        let used = self.terms.mentions(
            &state.terms(),
            &|node| matches!(node, Node::Local(of, value, _) if *of == frame && *value == id),
        );
        let writes = self.writes.call(value);
        let touch = writes.touch(&self.terms, &state.terms());
        if used || touch == Touch::Yes {
            let receiver = values.first().copied();
            let targets = dispatch(self.codes, &context.code, *kind, *method, receiver);
            state.assumed |= !targets.exact;
            let call = Call {
                id,
                kind: *kind,
                arguments: &arguments,
                writes: &writes,
            };
            let worth: Vec<&Method> = targets
                .methods
                .iter()
                .filter(|target| self.is_worth(&state, target))
                .collect();
            if !worth.is_empty() && worth.len() == targets.methods.len() {
                return self.look_into_all(&state, &call, &targets.methods);
            }
            if used {
                let (term, assumes) = self.result(*method, &arguments);
                state.define(&mut self.terms, id, term, false);
                state.assumed |= assumes;
            }
        }
        state.assumed |= touch != Touch::No;
        self.receiver(&mut state, *kind, &arguments);
        vec![state]
    }

    fn receiver(&mut self, state: &mut State, kind: InvokeKind, arguments: &[Term]) {
        if let (true, Some(&receiver)) = (kind != InvokeKind::Static, arguments.first()) {
            state.require_object(&mut self.terms, receiver);
        }
    }

    fn known(&mut self, state: &mut State, id: ValueId, model: Model) {
        let terms = &mut self.terms;
        if let (Some((object, value)), Some(context)) = (model.boxed, state.top().cloned())
            && let Some(field) = box_field(terms, object)
        {
            // By its name, while it has one: a new object's fields are empty.
            let object = context.local(terms, id);
            let change = Change::Field {
                field,
                object,
                value,
            };
            state.undo(terms, &change, true);
        }
        if let Some((object, text)) = model.buffer {
            state.undo(terms, &Change::Buffer { object, text }, true);
        }
        if let Some(result) = model.result {
            state.define(terms, id, result, false);
        }
        for condition in model.requires {
            state.require(terms, condition);
        }
        state.assumed |= model.assumes;
    }

    /// `invokedynamic`: a new lambda, a new string, or anything.
    fn dynamic(&mut self, state: &mut State, id: ValueId, value: &Value, made: Kind) {
        let term = match (&value.op, made) {
            (Op::InvokeDynamic { site, .. }, Kind::Reference(class)) => match site {
                recrash_program::CallSite::Concatenation => {
                    let text = self.terms.unknown(Kind::Text);
                    self.terms.apply(Function::Made, &[text])
                }
                recrash_program::CallSite::Lambda { .. } => {
                    let number = self.terms.number();
                    self.terms.apply(Function::Fresh(number, class), &[])
                }
                _ => self.terms.unknown(made),
            },
            _ => self.terms.unknown(made),
        };
        state.define(&mut self.terms, id, term, false);
    }

    /// What a call gave that was not looked into. A question that changes nothing is taken to give the same again.
    fn result(&mut self, method: MemberRef, arguments: &[Term]) -> (Term, bool) {
        let Some(selector) = self.program.selector(method.selector) else {
            return (self.terms.unknown(Kind::Int), false);
        };
        let kind = Kind::of_descriptor(self.program, descriptor::result(&selector.descriptor));
        let assumes = is_question(&selector.name);
        let number = if assumes { 0 } else { self.terms.number() };
        let result = Function::Result(number, method, kind);
        (self.terms.apply(result, arguments), assumes)
    }

    fn is_worth(&self, state: &State, target: &Method) -> bool {
        let inside = state.stack.len();
        let again = state
            .stack
            .iter()
            .filter(|context| context.code.method == target.id)
            .count();
        if inside > self.options.call_depth || again > 1 || !target.has_code() {
            return false;
        }
        let class = self.program.class(target.id.class);
        let jdk = class.filter(|class| class.origin == Origin::Jdk);
        if jdk.as_ref().is_some_and(|class| !is_plain(&class.name)) {
            return false;
        }
        let longest = if jdk.is_some() {
            LONGEST_OF_JDK
        } else {
            LONGEST
        };
        self.codes
            .of(target.id)
            .is_some_and(|code| code.len() <= longest)
    }

    /// Goes back through each of the methods that the call may mean, on condition that the receiver is such that it does.
    fn look_into_all(&mut self, state: &State, call: &Call<'_>, targets: &[Method]) -> Vec<State> {
        let mut states = Vec::new();
        for target in targets {
            let mut state = state.clone();
            if targets.len() > 1
                && let Some(&receiver) = call.arguments.first()
            {
                state.decisions.push(self.decision());
                state.depend_on_all();
                let class = target.id.class;
                let is_a = self.terms.apply(Function::IsA(class), &[receiver]);
                state.require(&self.terms, is_a);
                for other in targets.iter().map(|other| other.id.class) {
                    if other != class && self.terms.is_below(other, class) {
                        let is_other = self.terms.apply(Function::IsA(other), &[receiver]);
                        let is_not = self.terms.not(is_other);
                        state.require(&self.terms, is_not);
                    }
                }
            }
            states.extend(self.look_into(state, call, target));
        }
        states
    }

    fn look_into(&mut self, mut state: State, call: &Call<'_>, target: &Method) -> Vec<State> {
        let Some(code) = self.codes.of(target.id) else {
            return vec![state];
        };
        let id = call.id;
        self.receiver(&mut state, call.kind, call.arguments);
        if let Some(context) = state.stack.last_mut() {
            context.call = Some(id);
        }
        let returns = code.returns();
        if returns.is_empty() && state.assumed {
            self.miss(Reason::Assumed);
        }
        let several = returns.len() > 1;
        let mut states = Vec::new();
        for (block, value) in returns {
            let mut state = state.clone();
            if several {
                state.decisions.push(self.decision());
                state.decided(&self.terms, call.writes);
            }
            let length = code.block(block).map_or(0, |it| it.instructions.len());
            let inner = Context::new(code.clone(), self.frame(), block, length);
            if let Some(value) = value {
                let term = inner.local(&mut self.terms, value);
                state.define(&mut self.terms, id, term, several);
            }
            state.stack.push(inner);
            states.push(state);
        }
        states
    }
}

/// Classes of the JDK whose methods compute from their arguments. Collections, threads, files and reflection lead far.
fn is_plain(name: &[u8]) -> bool {
    name.strip_prefix(b"java/lang/").is_some_and(|rest| {
        let leads_far: [&[u8]; 3] = [b"Thread", b"Class", b"System"];
        !rest.contains(&b'/') && !leads_far.iter().any(|prefix| rest.starts_with(prefix))
    }) && !is_text(name)
        || name == b"java/util/Objects"
}

/// Strings and builders are their characters here; how they keep them is not looked at.
pub(crate) fn is_text(name: &[u8]) -> bool {
    name.starts_with(b"java/lang/String") || name == b"java/lang/AbstractStringBuilder"
}

/// By its name: asked twice, it says the same. An iterator's questions are about what comes next.
fn is_question(name: &[u8]) -> bool {
    let starts = |prefix: &[u8]| name.starts_with(prefix);
    !starts(b"getNext")
        && !starts(b"getAnd")
        && (starts(b"get") || starts(b"is") || starts(b"contains"))
        || matches!(
            name,
            b"size"
                | b"length"
                | b"equals"
                | b"hashCode"
                | b"toString"
                | b"name"
                | b"ordinal"
                | b"charAt"
                | b"keySet"
                | b"values"
                | b"entrySet"
                | b"compareTo"
                | b"compare"
        )
}
