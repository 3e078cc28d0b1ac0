//! What a constructor or setter puts where, read from its code.
//!
//! The answer is a good guess, not a proof: branches are taken together, and a parameter that may end up in a field counts
//! as ending up there. Whatever is built from it is compared with the captured objects, and run.

use recrash_classfile::{access, dotted, text};
use recrash_program::{
    ClassId, Constant, End, InvokeKind, MemberRef, MethodId, Op, Origin, Program, Ssa, ValueId,
};
use std::collections::{BTreeMap, BTreeSet};

/// Constructors that call each other, setters called by constructors.
const DEEPEST: usize = 4;

/// A field: the class that declares it, and its name.
pub(crate) type Slot = (String, String);

/// Where the value of a field comes from.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Source {
    /// The parameter of that number, as it is or copied.
    Parameter(usize),
    /// An array as long as that parameter says.
    Length(usize),
    /// An array of that length.
    Array(i64),
    Null,
    Integer(i64),
    Double(f64),
    Text(String),
    /// What a field of another object holds, as it is or copied.
    Field(Owner, Slot),
    /// A new object or array of that class.
    Fresh(String),
    Unknown,
}

/// Whose field is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Owner {
    /// The object whose method it is.
    This,
    /// The parameter of that number.
    Parameter(usize),
}

impl Source {
    /// Whether it is given from outside; what else ends up in the same place is a default.
    fn is_given(&self) -> bool {
        matches!(self, Source::Parameter(_) | Source::Field(..))
    }
}

#[derive(Debug, Default)]
pub(crate) struct Stores {
    pub(crate) fields: BTreeMap<Slot, Source>,
    /// Collections of the object to which the first parameter is added.
    pub(crate) added_to: BTreeSet<Slot>,
    /// Whether anything else is changed or called.
    pub(crate) others: bool,
}

pub(crate) fn stores(program: &Program, method: MethodId) -> Stores {
    analysed(program, method, 0)
}

/// The class of the new object that a method answers with, and what it leaves in that object; `None` for other methods.
pub(crate) fn made_by(program: &Program, method: MethodId) -> Option<(ClassId, Stores)> {
    let is_static = program.method(method)?.is_static();
    let ssa = Ssa::of(program, method).ok()??;
    let answer = answer(&ssa)?;
    let Op::New(class) = ssa.value(answer)?.op else {
        return None;
    };
    let code = Code {
        program,
        ssa: &ssa,
        depth: 0,
        is_static,
        subject: Some(answer),
    };
    Some((class, code.stores()))
}

/// The static field into which a method puts its one parameter, if it does nothing else.
pub(crate) fn put_by(program: &Program, method: MethodId) -> Option<Slot> {
    let ssa = Ssa::of(program, method).ok()??;
    let code = Code {
        program,
        ssa: &ssa,
        depth: 0,
        is_static: true,
        subject: None,
    };
    let instructions = ssa.blocks.iter().flat_map(|block| &block.instructions);
    let mut found = None;
    for op in instructions.filter_map(|id| code.op(*id)) {
        match op {
            Op::PutStatic { field, value } if code.source(*value, 0) == Source::Parameter(0) => {
                let known = found.replace(code.place(*field)?);
                if known.is_some() {
                    return None;
                }
            }
            Op::PutStatic { .. }
            | Op::PutField { .. }
            | Op::ArrayStore { .. }
            | Op::Invoke { .. }
            | Op::InvokeDynamic { .. } => return None,
            _ => {}
        }
    }
    found
}

/// What a method that returns in one place only answers with.
fn answer(ssa: &Ssa) -> Option<ValueId> {
    let mut answers = ssa.blocks.iter().filter_map(|block| match block.end {
        End::Return(value) => value,
        _ => None,
    });
    match (answers.next(), answers.next()) {
        (answer, None) => answer,
        _ => None,
    }
}

fn analysed(program: &Program, method: MethodId, depth: usize) -> Stores {
    // What cannot be read stores nothing that anybody knows of.
    let Ok(Some(ssa)) = Ssa::of(program, method) else {
        return Stores {
            others: true,
            ..Stores::default()
        };
    };
    let code = Code {
        program,
        ssa: &ssa,
        depth,
        is_static: false,
        subject: None,
    };
    code.stores()
}

struct Code<'a> {
    program: &'a Program,
    ssa: &'a Ssa,
    depth: usize,
    is_static: bool,
    /// The object whose fields are of interest; `None` for the one whose method it is.
    subject: Option<ValueId>,
}

impl Code<'_> {
    fn op(&self, id: ValueId) -> Option<&Op> {
        self.ssa.value(id).map(|value| &value.op)
    }

    fn is_this(&self, id: ValueId) -> bool {
        !self.is_static && matches!(self.op(id), Some(Op::Parameter(0)))
    }

    fn is_subject(&self, id: ValueId) -> bool {
        match self.subject {
            Some(subject) => subject == id,
            None => self.is_this(id),
        }
    }

    fn stores(&self) -> Stores {
        let mut found = Stores::default();
        for block in &self.ssa.blocks {
            for &id in &block.instructions {
                if let Some(op) = self.op(id) {
                    self.instruction(op, &mut found);
                }
            }
        }
        found
    }

    fn instruction(&self, op: &Op, found: &mut Stores) {
        match op {
            Op::PutField {
                field,
                object,
                value,
            } if self.is_subject(*object) => {
                if let Some(place) = self.place(*field) {
                    put(found, place, self.source(*value, 0));
                }
            }
            Op::Invoke {
                kind,
                method,
                arguments,
            } => self.call(*kind, *method, arguments, found),
            Op::PutField { .. }
            | Op::PutStatic { .. }
            | Op::ArrayStore { .. }
            | Op::InvokeDynamic { .. } => found.others = true,
            _ => {}
        }
    }

    /// What a method of the object itself does, seen from here; other calls are no stores.
    fn call(&self, kind: InvokeKind, method: MemberRef, arguments: &[ValueId], found: &mut Stores) {
        let on_subject = arguments
            .first()
            .is_some_and(|first| self.is_subject(*first));
        if kind == InvokeKind::Static || !on_subject {
            found.added_to.extend(self.added_to(method, arguments));
            found.others = true;
            return;
        }
        let Some(target) = self.declared(method) else {
            found.others = true;
            return;
        };
        if self.depth >= DEEPEST || !self.is_followed(target) {
            found.others = true;
            return;
        }
        let inner = analysed(self.program, target, self.depth + 1);
        found.others |= inner.others;
        for (slot, source) in inner.fields {
            // Parameters are counted without the object itself.
            put(found, slot, self.seen_from_here(source, arguments, 1, 0));
        }
    }

    /// `this.items.add(item)`.
    fn added_to(&self, method: MemberRef, arguments: &[ValueId]) -> Option<Slot> {
        let [collection, added] = arguments else {
            return None;
        };
        let selector = self.program.selector(method.selector)?;
        let adds = text(&selector.name) == "add" && self.source(*added, 0) == Source::Parameter(0);
        match self.source(*collection, 0) {
            Source::Field(Owner::This, slot) if adds => Some(slot),
            _ => None,
        }
    }

    /// What a method called with these arguments, of which it does not count the first few, says in terms of the
    /// parameters here.
    fn seen_from_here(
        &self,
        source: Source,
        arguments: &[ValueId],
        uncounted: usize,
        depth: usize,
    ) -> Source {
        let argument = |number: usize| arguments.get(number + uncounted).copied();
        match source {
            Source::Parameter(number) => {
                argument(number).map_or(Source::Unknown, |id| self.source(id, depth))
            }
            Source::Length(number) => {
                argument(number).map_or(Source::Unknown, |id| self.length(id, depth))
            }
            Source::Field(Owner::Parameter(number), slot) => {
                self.field_of(argument(number), slot, depth)
            }
            Source::Field(Owner::This, slot) => {
                self.field_of(arguments.first().copied(), slot, depth)
            }
            known => known,
        }
    }

    fn field_of(&self, object: Option<ValueId>, slot: Slot, depth: usize) -> Source {
        match object {
            Some(object) if self.is_this(object) => Source::Field(Owner::This, slot),
            Some(object) => match self.source(object, depth + 1) {
                Source::Parameter(number) => Source::Field(Owner::Parameter(number), slot),
                _ => Source::Unknown,
            },
            None => Source::Unknown,
        }
    }

    /// What a getter, or the accessor that compilers make for private fields of nested classes, answers with.
    fn got(&self, method: MemberRef, arguments: &[ValueId], depth: usize) -> Source {
        let [_object] = arguments else {
            return Source::Unknown;
        };
        let of_program = self
            .program
            .class(method.class)
            .is_some_and(|class| class.origin != Origin::Jdk);
        let target = self.declared(method).filter(|_| of_program);
        let Some(target) = target.and_then(|target| self.program.method(target)) else {
            return Source::Unknown;
        };
        let Ok(Some(ssa)) = Ssa::of(self.program, target.id) else {
            return Source::Unknown;
        };
        let is_static = target.is_static();
        let getter = Code {
            program: self.program,
            ssa: &ssa,
            depth: self.depth,
            is_static,
            subject: None,
        };
        let answered = answer(&ssa).map(|answer| getter.source(answer, depth + 1));
        match answered {
            Some(field @ Source::Field(..)) => {
                self.seen_from_here(field, arguments, usize::from(!is_static), depth)
            }
            _ => Source::Unknown,
        }
    }

    /// Other constructors and what cannot be overridden; setters, though a subclass may see that differently. The class of
    /// an object made here is known.
    fn is_followed(&self, target: MethodId) -> bool {
        let Some(method) = self.program.method(target) else {
            return false;
        };
        let selector = self.program.selector(method.selector);
        let name = selector.map_or_else(String::new, |selector| text(&selector.name));
        self.subject.is_some()
            || name == "<init>"
            || name.starts_with("set")
            || method.is(access::PRIVATE | access::FINAL)
    }

    /// The method itself, in the class that the call names or above it.
    fn declared(&self, method: MemberRef) -> Option<MethodId> {
        let mut next = Some(method.class);
        for _ in 0..64 {
            let class = self.program.class(next?)?;
            if let Some(found) = class.method(method.selector) {
                return found.has_code().then_some(found.id);
            }
            next = class.super_class;
        }
        None
    }

    fn place(&self, field: MemberRef) -> Option<Slot> {
        let name = text(&self.program.selector(field.selector)?.name);
        let mut next = Some(field.class);
        for _ in 0..64 {
            let class = self.program.class(next?)?;
            if class.field(field.selector).is_some() {
                return Some((dotted(&class.name), name));
            }
            next = class.super_class;
        }
        None
    }

    /// Loops lead in circles, so every step counts, in whatever method it is.
    fn source(&self, id: ValueId, depth: usize) -> Source {
        if depth > DEEPEST {
            return Source::Unknown;
        }
        let again = |id: ValueId| self.source(id, depth + 1);
        match self.op(id) {
            Some(Op::Parameter(number)) if self.is_static => Source::Parameter((*number).into()),
            Some(Op::Parameter(number)) if *number > 0 => {
                Source::Parameter(usize::from(*number) - 1)
            }
            Some(Op::Constant(constant)) => of_constant(constant),
            Some(Op::Cast { value, .. }) => again(*value),
            // A conversion such as i2b has one operand.
            Some(Op::Arithmetic {
                left, right: None, ..
            }) => Some(again(*left))
                .filter(Source::is_given)
                .unwrap_or(Source::Unknown),
            Some(Op::GetField { field, object }) => match self.place(*field) {
                Some(slot) => self.field_of(Some(*object), slot, depth),
                None => Source::Unknown,
            },
            Some(Op::Phi(values)) => {
                let mut sources = values
                    .iter()
                    .filter(|value| **value != id)
                    .map(|v| again(*v));
                let first = sources.next().unwrap_or(Source::Unknown);
                sources.fold(first, |one, other| match (one, other) {
                    (Source::Parameter(number), _) | (_, Source::Parameter(number)) => {
                        Source::Parameter(number)
                    }
                    (one, other) if one == other || one.is_given() => one,
                    (_, other) if other.is_given() => other,
                    _ => Source::Unknown,
                })
            }
            Some(Op::New(class)) => self.copied(id, *class, depth),
            Some(Op::NewArray { class, lengths }) => {
                let fresh = || Source::Fresh(dotted(&self.program.class_name(*class)));
                match lengths.as_slice() {
                    [length] => Some(self.length(*length, depth))
                        .filter(|known| *known != Source::Unknown)
                        .unwrap_or_else(fresh),
                    _ => fresh(),
                }
            }
            Some(Op::Invoke {
                method, arguments, ..
            }) if self.gives_back(*method) => {
                let mut sources = arguments.iter().map(|argument| again(*argument));
                sources.find(Source::is_given).unwrap_or(Source::Unknown)
            }
            Some(Op::Invoke {
                method, arguments, ..
            }) => self.got(*method, arguments, depth),
            _ => Source::Unknown,
        }
    }

    fn length(&self, id: ValueId, depth: usize) -> Source {
        match self.source(id, depth + 1) {
            Source::Parameter(number) => Source::Length(number),
            Source::Integer(length) => Source::Array(length),
            _ => Source::Unknown,
        }
    }

    /// `new ArrayList<>(items)` holds what `items` holds.
    fn copied(&self, made: ValueId, class: ClassId, depth: usize) -> Source {
        let name = dotted(&self.program.class_name(class));
        if name.starts_with("java.util.") || name.starts_with("java.lang.") {
            let calls = self.ssa.values.iter().filter_map(|value| match &value.op {
                Op::Invoke { arguments, .. } if arguments.first() == Some(&made) => Some(arguments),
                _ => None,
            });
            for arguments in calls {
                let mut sources = arguments.iter().skip(1);
                let given = sources.find_map(|argument| {
                    let source = self.source(*argument, depth + 1);
                    source.is_given().then_some(source)
                });
                if let Some(given) = given {
                    return given;
                }
            }
        }
        Source::Fresh(name)
    }

    /// Null checks, copies and boxes answer with what they were given.
    fn gives_back(&self, method: MemberRef) -> bool {
        let Some(selector) = self.program.selector(method.selector) else {
            return false;
        };
        let name = text(&selector.name);
        let lower = name.to_ascii_lowercase();
        ["notnull", "nonnull", "notempty", "copyof", "unmodifiable"]
            .iter()
            .any(|part| lower.contains(part))
            || matches!(name.as_str(), "clone" | "valueOf" | "intern")
    }
}

/// What is given from outside stays the better guess, a parameter the best; else the later store wins.
fn put(found: &mut Stores, place: Slot, source: Source) {
    let stays = match found.fields.get(&place) {
        Some(Source::Parameter(_) | Source::Length(_)) => !matches!(source, Source::Parameter(_)),
        Some(Source::Field(..)) => !source.is_given(),
        _ => false,
    };
    if !stays {
        found.fields.insert(place, source);
    }
}

fn of_constant(constant: &Constant) -> Source {
    match constant {
        Constant::Null => Source::Null,
        Constant::Int(value) => Source::Integer((*value).into()),
        Constant::Long(value) => Source::Integer(*value),
        Constant::Float(value) => Source::Double((*value).into()),
        Constant::Double(value) => Source::Double(*value),
        Constant::String(bytes) => Source::Text(text(bytes)),
        _ => Source::Unknown,
    }
}
