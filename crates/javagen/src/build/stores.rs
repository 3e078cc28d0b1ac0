//! What a constructor or setter puts where, read from its code.
//!
//! The answer is a good guess, not a proof: branches are taken together, and a parameter that may end up in a field counts
//! as ending up there. Whatever is built from it is compared with the captured objects, and run.

use recrash_classfile::{access, dotted, text};
use recrash_program::{
    ClassId, Constant, End, InvokeKind, MemberRef, MethodId, Op, Program, Ssa, ValueId,
};
use std::collections::BTreeMap;

/// Constructors that call each other, setters called by constructors.
const DEEPEST: usize = 4;

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
    /// A new object or array of that class.
    Fresh(String),
    Unknown,
}

#[derive(Debug, Default)]
pub(crate) struct Stores {
    /// By declaring class and field.
    pub(crate) fields: BTreeMap<(String, String), Source>,
    /// Whether anything else is changed or called.
    pub(crate) others: bool,
}

pub(crate) fn stores(program: &Program, method: MethodId) -> Stores {
    analysed(program, method, 0)
}

/// What a static method that answers with a new object of its own class leaves in that object; `None` for others.
pub(crate) fn made_by(program: &Program, method: MethodId) -> Option<Stores> {
    let ssa = Ssa::of(program, method).ok()??;
    let code = Code {
        program,
        ssa: &ssa,
        depth: 0,
        is_static: true,
    };
    let mut answers = ssa.blocks.iter().filter_map(|block| match block.end {
        End::Return(value) => value,
        _ => None,
    });
    let (answer, None) = (answers.next()?, answers.next()) else {
        return None;
    };
    match code.op(answer)? {
        Op::New(class) if *class == method.class => {}
        _ => return None,
    }
    let (constructor, arguments) = ssa.values.iter().find_map(|value| match &value.op {
        Op::Invoke {
            method, arguments, ..
        } if arguments.first() == Some(&answer) => Some((*method, arguments)),
        _ => None,
    })?;
    let inner = analysed(program, code.declared(constructor)?, 1);
    let mut found = Stores::default();
    code.seen_from_here(inner, arguments, &mut found);
    Some(found)
}

fn analysed(program: &Program, method: MethodId, depth: usize) -> Stores {
    let mut found = Stores::default();
    // What cannot be read stores nothing that anybody knows of.
    let Ok(Some(ssa)) = Ssa::of(program, method) else {
        found.others = true;
        return found;
    };
    let code = Code {
        program,
        ssa: &ssa,
        depth,
        is_static: false,
    };
    for block in &ssa.blocks {
        for &id in &block.instructions {
            if let Some(value) = ssa.value(id) {
                code.instruction(&value.op, &mut found);
            }
        }
    }
    found
}

struct Code<'a> {
    program: &'a Program,
    ssa: &'a Ssa,
    depth: usize,
    is_static: bool,
}

impl Code<'_> {
    fn op(&self, id: ValueId) -> Option<&Op> {
        self.ssa.value(id).map(|value| &value.op)
    }

    fn is_this(&self, id: ValueId) -> bool {
        !self.is_static && matches!(self.op(id), Some(Op::Parameter(0)))
    }

    fn instruction(&self, op: &Op, found: &mut Stores) {
        match op {
            Op::PutField {
                field,
                object,
                value,
            } if self.is_this(*object) => {
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
        let on_this = arguments.first().is_some_and(|first| self.is_this(*first));
        if kind == InvokeKind::Static || !on_this {
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
        self.seen_from_here(inner, arguments, found);
    }

    /// What a method called with these arguments stores, in terms of the parameters here.
    fn seen_from_here(&self, inner: Stores, arguments: &[ValueId], found: &mut Stores) {
        found.others |= inner.others;
        for (place, source) in inner.fields {
            let source = match source {
                Source::Parameter(number) => match arguments.get(number + 1) {
                    Some(argument) => self.source(*argument, 0),
                    None => Source::Unknown,
                },
                Source::Length(number) => match arguments.get(number + 1) {
                    Some(argument) => self.length(*argument),
                    None => Source::Unknown,
                },
                known => known,
            };
            put(found, place, source);
        }
    }

    /// Other constructors and what cannot be overridden; setters, though a subclass may see that differently.
    fn is_followed(&self, target: MethodId) -> bool {
        let Some(method) = self.program.method(target) else {
            return false;
        };
        let selector = self.program.selector(method.selector);
        let name = selector.map_or_else(String::new, |selector| text(&selector.name));
        name == "<init>" || name.starts_with("set") || method.is(access::PRIVATE | access::FINAL)
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

    fn place(&self, field: MemberRef) -> Option<(String, String)> {
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
            }) => match again(*left) {
                Source::Parameter(number) => Source::Parameter(number),
                _ => Source::Unknown,
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
                    (one, other) if one == other => one,
                    _ => Source::Unknown,
                })
            }
            Some(Op::New(class)) => self.copied(id, *class, depth),
            Some(Op::NewArray { class, lengths }) => match lengths.as_slice() {
                [length] if self.length(*length) != Source::Unknown => self.length(*length),
                _ => Source::Fresh(dotted(&self.program.class_name(*class))),
            },
            Some(Op::Invoke {
                method, arguments, ..
            }) if self.gives_back(*method) => {
                let mut sources = arguments.iter().map(|argument| again(*argument));
                let parameter = sources.find(|source| matches!(source, Source::Parameter(_)));
                parameter.unwrap_or(Source::Unknown)
            }
            _ => Source::Unknown,
        }
    }

    fn length(&self, id: ValueId) -> Source {
        match self.source(id, 1) {
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
                let parameter = sources.find_map(|argument| {
                    let source = self.source(*argument, depth + 1);
                    matches!(source, Source::Parameter(_)).then_some(source)
                });
                if let Some(parameter) = parameter {
                    return parameter;
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

/// A parameter that once was stored stays the better guess; else the later store wins.
fn put(found: &mut Stores, place: (String, String), source: Source) {
    let known = found.fields.get(&place);
    if !matches!(known, Some(Source::Parameter(_) | Source::Length(_)))
        || matches!(source, Source::Parameter(_))
    {
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
