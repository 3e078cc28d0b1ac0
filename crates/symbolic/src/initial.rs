//! Initial crash conditions (STAR 2): the instructions of the line that can throw the exception, and when they do.

use std::rc::Rc;

use recrash_classfile::text;
use recrash_program::{InvokeKind, MemberRef, Op, Origin, Program, ValueId};

use crate::call::is_text;
use crate::code::Code;
use crate::instruction::throws;
use crate::raises::raises;
use crate::resolve::resolve;
use crate::state::{Context, State};
use crate::target::{LibraryFrame, Place, Reason};
use crate::term::Term;
use crate::walk::Walk;

impl Walk<'_, '_> {
    /// Where the walk begins.
    pub(crate) fn starts(&mut self) -> Vec<State> {
        let target = self.target;
        let mut states = Vec::new();
        for place in target.frames.first().into_iter().flatten() {
            if let Some(code) = self.codes.of(place.method) {
                states.extend(self.throws_in(&[], &code, place, &target.below));
            }
        }
        if target.below.is_empty() {
            let hidden = self.hidden();
            if states.is_empty() {
                states = hidden;
            } else if !hidden.is_empty() {
                self.miss(Reason::Assumed);
            }
        }
        states
    }

    /// Throws in the JDK whose frames the trace does not have, because somebody took them out: calls into it on the line, but
    /// for those that are known not to throw this.
    fn hidden(&mut self) -> Vec<State> {
        let mut states = Vec::new();
        for place in self.target.frames.first().into_iter().flatten() {
            let Some(code) = self.codes.of(place.method) else {
                continue;
            };
            for (block, at, id, value) in code.places().filter(|it| place.has(it.3.pc)) {
                let Op::Invoke {
                    kind,
                    method,
                    arguments,
                } = &value.op
                else {
                    continue;
                };
                let class = self.program.class_name(method.class);
                let is_jdk = self.program.class_path().origin(&class) == Some(Origin::Jdk);
                if !is_jdk || never_throws(self.program, *method) {
                    continue;
                }
                let name = self.program.selector(method.selector).map(|it| it.name);
                let inner = LibraryFrame {
                    class: text(&class),
                    method: name.map_or_else(String::new, |name| text(&name)),
                };
                let context = Context::new(code.clone(), self.frame(), block, at);
                let call = (*kind, *method, arguments.as_slice());
                states.extend(self.raised(&[], &context, id, call, &inner, &[]));
            }
        }
        states
    }

    /// The throws in a method; `around` are the callers that are walked through afterwards.
    fn throws_in(
        &mut self,
        around: &[Context],
        code: &Rc<Code>,
        place: &Place,
        below: &[LibraryFrame],
    ) -> Vec<State> {
        let mut states = Vec::new();
        for (block, at, id, value) in code.places() {
            if !place.has(value.pc) {
                // The constructor of an exception that is made over several lines may be on any of them.
                let first = code.arguments(id).first();
                let begun = first.and_then(|&first| code.value(first));
                let is_begun = begun.is_some_and(|begun| place.has(begun.pc));
                if !is_begun || !below.is_empty() || !self.makes(code, &value.op) {
                    continue;
                }
            }
            let context = Context::new(code.clone(), self.frame(), block, at);
            let Some((inner, deeper)) = below.split_last() else {
                for conditions in self.conditions(&context, &value.op) {
                    states.push(self.start(around, context.clone(), &conditions));
                }
                continue;
            };
            if let Op::Invoke {
                kind,
                method,
                arguments,
            } = &value.op
                && self.is_named(*method, &inner.method)
            {
                states.extend(self.raised(
                    around,
                    &context,
                    id,
                    (*kind, *method, arguments),
                    inner,
                    deeper,
                ));
            }
        }
        states
    }

    fn is_named(&self, method: MemberRef, name: &str) -> bool {
        let selector = self.program.selector(method.selector);
        selector.is_some_and(|it| text(&it.name) == name)
    }

    fn start(&mut self, around: &[Context], context: Context, conditions: &[Term]) -> State {
        let mut state = State {
            stack: around.iter().cloned().chain([context]).collect(),
            conditions: Vec::new(),
            decisions: vec![self.decision()],
            level: 0,
            assumed: false,
            possible: Vec::new(),
        };
        for &condition in conditions {
            state.require(&self.terms, condition);
            self.statistics.conditions += 1;
        }
        state
    }

    /// A call into the JDK that throws: by what is known of the method, by its code, or whenever it is called.
    fn raised(
        &mut self,
        around: &[Context],
        context: &Context,
        id: ValueId,
        call: (InvokeKind, MemberRef, &[ValueId]),
        inner: &LibraryFrame,
        deeper: &[LibraryFrame],
    ) -> Vec<State> {
        let (kind, method, arguments) = call;
        let arguments: Vec<Term> = arguments
            .iter()
            .map(|&it| context.local(&mut self.terms, it))
            .collect();
        let mut conditions = Vec::new();
        if let (true, Some(&receiver)) = (kind != InvokeKind::Static, arguments.first()) {
            conditions.push(self.terms.is_not_null(receiver));
        }
        let target = self.target;
        let evidence = target.evidence.as_ref();
        if let Some(raised) = raises(
            &mut self.terms,
            &target.exception,
            method,
            &arguments,
            evidence,
        ) {
            conditions.push(raised);
            return vec![self.start(around, context.clone(), &conditions)];
        }
        let mut states = Vec::new();
        if target.exception == "java/lang/NullPointerException" {
            // What most methods of the JDK do not bear.
            let receivers = usize::from(kind != InvokeKind::Static);
            for &argument in arguments.iter().skip(receivers) {
                if self.terms.kind(argument).is_reference() {
                    let is_null = self.terms.is_null(argument);
                    let conditions: Vec<Term> =
                        conditions.iter().copied().chain([is_null]).collect();
                    states.push(self.start(around, context.clone(), &conditions));
                }
            }
        }
        // The object's class is told by the trace, where the call only knows an interface.
        let actual = self
            .program
            .find(&inner.class)
            .and_then(|class| class.method(method.selector).copied())
            .or_else(|| resolve(self.program, method));
        let looked_into = actual
            .filter(|method| !is_text(&self.program.class_name(method.id.class)))
            .and_then(|method| self.codes.of(method.id));
        if let Some(code) = looked_into {
            let mut caller = context.clone();
            caller.call = Some(id);
            let around: Vec<Context> = around.iter().cloned().chain([caller]).collect();
            let anywhere = Place {
                method: code.method,
                ranges: Vec::new(),
            };
            states.extend(self.throws_in(&around, &code, &anywhere, deeper));
        }
        // The JDK of today is not that of the trace: in the end, whatever gets as far as the call may do.
        states.push(self.start(around, context.clone(), &conditions));
        states
    }

    /// When an instruction throws the exception; each entry is one way to do so.
    fn conditions(&mut self, context: &Context, op: &Op) -> Vec<Vec<Term>> {
        let target = self.target;
        let evidence = target.evidence.as_ref();
        let thrown = throws(&mut self.terms, context, op, &target.exception, evidence);
        let mut ways: Vec<Vec<Term>> = thrown.into_iter().collect();
        if self.makes(&context.code, op) {
            ways.push(Vec::new());
        }
        ways
    }

    /// The constructor call of a new exception of that class: this is the line that its stack trace names.
    fn makes(&self, code: &Code, op: &Op) -> bool {
        let Op::Invoke {
            kind: InvokeKind::Special,
            method,
            arguments,
        } = op
        else {
            return false;
        };
        let made = arguments.first().and_then(|&it| code.value(it));
        let is_new = made.is_some_and(|made| matches!(made.op, Op::New(_)));
        is_new
            && self.is_named(*method, "<init>")
            && *self.program.class_name(method.class) == *self.target.exception.as_bytes()
    }
}

/// Exceptions that are made, strings that are put together, numbers that are put into objects and taken out.
fn never_throws(program: &Program, method: MemberRef) -> bool {
    let class = program.class_name(method.class);
    let selector = program.selector(method.selector);
    let name = selector.as_ref().map(|it| it.name.clone());
    match &*class {
        b"java/lang/Boolean"
        | b"java/lang/Character"
        | b"java/lang/Byte"
        | b"java/lang/Short"
        | b"java/lang/Integer"
        | b"java/lang/Long"
        | b"java/lang/Float"
        | b"java/lang/Double" => selector.is_some_and(|it| {
            let puts_in = *it.name == *b"valueOf" && !it.descriptor.starts_with(b"(L");
            puts_in || it.name.ends_with(b"Value")
        }),
        b"java/lang/String" => matches!(name.as_deref(), Some(b"length" | b"isEmpty")),
        b"java/lang/StringBuilder" | b"java/lang/StringBuffer" => {
            matches!(name.as_deref(), Some(b"<init>" | b"append" | b"toString"))
        }
        b"java/lang/Object" => name.as_deref() == Some(b"<init>"),
        _ => {
            let throwable = program.class_id(b"java/lang/Throwable");
            name.as_deref() == Some(b"<init>")
                && program.hierarchy().is_subtype(method.class, throwable)
        }
    }
}
