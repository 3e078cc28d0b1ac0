//! What code may assign, so that conditions on other things need not care about it (STAR 3.2.1).

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

use recrash_classfile::access;
use recrash_program::{
    BlockId, ElementKind, FieldId, Method, MethodId, Op, Origin, Program, Value,
};

use crate::code::{Code, Codes};
use crate::resolve::{is_exact, resolve, resolve_field};
use crate::term::{Function, Node, Term, Terms};

/// Everything that a stretch of code may write.
#[derive(Debug, Clone, Default)]
pub(crate) struct Writes {
    fields: BTreeSet<FieldId>,
    elements: BTreeSet<ElementKind>,
    /// Calls into the JDK: its own fields, and builders.
    jdk: bool,
    /// Calls something that was not looked into.
    open: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Touch {
    No,
    /// Only if code that was not looked into does.
    Perhaps,
    Yes,
}

/// What methods may write, with all they call, as far as it was found out.
pub(crate) type KnownWrites = RefCell<HashMap<MethodId, Writes>>;

pub(crate) struct WritesOf<'c, 'p> {
    codes: &'c Codes<'p>,
    known: &'c KnownWrites,
}

/// How many calls deep assignments are looked for.
const DEPTH: usize = 6;

impl Writes {
    fn add(&mut self, other: &Writes) {
        self.fields.extend(&other.fields);
        self.elements.extend(&other.elements);
        self.jdk |= other.jdk;
        self.open |= other.open;
    }

    fn everything() -> Writes {
        Writes {
            open: true,
            jdk: true,
            ..Writes::default()
        }
    }

    /// Whether the conditions are about something that is written here.
    pub(crate) fn touch(&self, terms: &Terms<'_>, conditions: &[Term]) -> Touch {
        let is_jdk = |field: &FieldId| {
            let class = terms.program.class(field.class);
            class.is_some_and(|class| class.origin == Origin::Jdk)
        };
        let (mut yes, mut heap) = (false, false);
        terms.each(conditions, &mut |_, node| match node {
            Node::Static(field, _) | Node::Apply(Function::Field(field, _), _) => {
                // What is final is written where it is seen, or nowhere.
                let may_change = !is_final(terms.program, *field);
                heap |= may_change;
                yes |= self.fields.contains(field) || (may_change && self.jdk && is_jdk(field));
            }
            Node::Apply(Function::Element(kind, _), _) => {
                heap = true;
                yes |= self.elements.contains(kind);
            }
            Node::Apply(Function::Buffer, _) => {
                heap = true;
                yes |= self.jdk;
            }
            _ => {}
        });
        match (yes, self.open && heap) {
            (true, _) => Touch::Yes,
            (false, true) => Touch::Perhaps,
            (false, false) => Touch::No,
        }
    }
}

impl<'c, 'p> WritesOf<'c, 'p> {
    pub(crate) fn new(codes: &'c Codes<'p>, known: &'c KnownWrites) -> WritesOf<'c, 'p> {
        WritesOf { codes, known }
    }

    /// Of some blocks.
    pub(crate) fn blocks(&self, code: &Code, blocks: &BTreeSet<BlockId>) -> Writes {
        let mut writes = Writes::default();
        for value in blocks
            .iter()
            .filter_map(|&block| code.block(block))
            .flat_map(|block| &block.instructions)
            .filter_map(|&value| code.value(value))
        {
            self.value(value, DEPTH, &mut writes);
        }
        writes
    }

    /// Of one call.
    pub(crate) fn call(&self, value: &Value) -> Writes {
        let mut writes = Writes::default();
        self.value(value, DEPTH, &mut writes);
        writes
    }

    fn value(&self, value: &Value, depth: usize, writes: &mut Writes) {
        let program = self.codes.program;
        match &value.op {
            Op::PutField { field, .. } | Op::PutStatic { field, .. } => {
                match resolve_field(program, *field) {
                    Some(field) => {
                        writes.fields.insert(field);
                    }
                    None => writes.open = true,
                }
            }
            Op::ArrayStore { kind, .. } => {
                writes.elements.insert(*kind);
            }
            Op::Invoke { kind, method, .. } => {
                let resolved = resolve(program, *method);
                match resolved {
                    Some(target) => {
                        let exact = is_exact(program, *kind, &target);
                        writes.add(&self.method(&target, depth));
                        writes.open |= !exact;
                    }
                    None => writes.open = true,
                }
            }
            Op::InvokeDynamic { site, .. } => {
                // To make a lambda or a string runs no code of the program, but for `toString`.
                writes.open |= matches!(site, recrash_program::CallSite::Unknown);
            }
            _ => {}
        }
    }

    fn method(&self, method: &Method, depth: usize) -> Writes {
        if let Some(known) = self.known.borrow().get(&method.id) {
            return known.clone();
        }
        let program = self.codes.program;
        let class = program.class(method.id.class);
        if class.is_some_and(|class| class.origin == Origin::Jdk) {
            return of_jdk(program, method);
        }
        if depth == 0 {
            return Writes::everything();
        }
        if !method.has_code() {
            return Writes {
                open: true,
                ..Writes::default()
            };
        }
        // What methods between here and a call back to here write is known in part only: they are taken for open.
        let unfinished = Writes {
            open: true,
            ..Writes::default()
        };
        self.known.borrow_mut().insert(method.id, unfinished);
        let mut writes = Writes::default();
        match self.codes.of(method.id) {
            Some(code) => {
                for (_, _, _, value) in code.places() {
                    self.value(value, depth - 1, &mut writes);
                }
            }
            None => writes = Writes::everything(),
        }
        self.known.borrow_mut().insert(method.id, writes.clone());
        writes
    }
}

fn is_final(program: &Program, field: FieldId) -> bool {
    program
        .field(field)
        .is_some_and(|field| field.is(access::FINAL))
}

/// The JDK writes its own fields, and elements where that is what a method is for. It may call back.
fn of_jdk(program: &Program, method: &Method) -> Writes {
    let class = program.class_name(method.id.class);
    let name = program.selector(method.selector).map(|it| it.name);
    let mut writes = Writes {
        jdk: true,
        ..Writes::default()
    };
    let quiet = class.starts_with(b"java/lang/") && !class.starts_with(b"java/lang/reflect/");
    writes.open = !quiet;
    let copies = matches!(
        (&*class, name.as_deref()),
        (b"java/lang/System", Some(b"arraycopy")) | (b"java/util/Arrays", Some(b"fill" | b"sort"))
    ) || name
        .is_some_and(|name| name.starts_with(b"read") || name.starts_with(b"get"))
        && program
            .selector(method.selector)
            .is_some_and(|it| it.descriptor.contains(&b'['));
    if copies {
        writes.elements.extend([
            ElementKind::Int,
            ElementKind::Long,
            ElementKind::Float,
            ElementKind::Double,
            ElementKind::Reference,
            ElementKind::Byte,
            ElementKind::Char,
            ElementKind::Short,
        ]);
    }
    writes
}
