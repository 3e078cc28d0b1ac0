//! A method under rewriting, as it is before anything is changed: its code, its parameters and where they are.

use recrash_classfile::{
    ClassFile, Code, Error, Frames, Instruction, Kind, Member, MemberRef, MethodType, Outline,
    Parameters, PoolAppender, Type, VerificationType, access, initial_locals, opcode,
};

use crate::find::scan::{Scan, scan};

/// A method with code, seen from its entry.
#[derive(Debug)]
pub struct Method<'a> {
    pub class: &'a ClassFile<'a>,
    pub member: &'a Member<'a>,
    /// Its place among the methods of the class.
    pub index: usize,
    pub code: Code<'a>,
    pub(crate) scan: Scan,
    /// The receiver first, where there is one.
    pub(crate) inputs: Vec<Input>,
    /// Slots of all inputs together: the first slot that is the body's own.
    pub(crate) input_slots: u16,
    pub(crate) has_receiver: bool,
    pub(crate) is_constructor: bool,
    /// The content of its StackMapTable.
    pub(crate) stack_map: Option<&'a [u8]>,
    /// Where its last frame is.
    pub(crate) last_frame: Option<usize>,
}

/// The methods of a class that are under rewriting.
#[derive(Debug)]
pub struct Methods<'a> {
    pub class: &'a ClassFile<'a>,
    pub all: Vec<Method<'a>>,
    /// See `callees::own_methodrefs`; empty where no pass follows calls.
    pub(crate) own: Vec<bool>,
}

/// The receiver or a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Input {
    pub(crate) kind: Kind,
    pub(crate) slot: u16,
    /// Nothing writes its slot, and every stack map frame still vouches for it: a handler can read it where it is.
    pub(crate) intact: bool,
}

/// Whether a method that is called on this type may be the program's: not one of the JDK's, other than what it has for the
/// program's functions.
fn may_be_of_program(owner: &[u8]) -> bool {
    const FUNCTIONS: [&[u8]; 3] = [
        b"java/util/function/",
        b"java/lang/Runnable",
        b"java/util/concurrent/Callable",
    ];
    !owner.starts_with(b"java/") && !owner.starts_with(b"[")
        || FUNCTIONS.iter().any(|function| owner.starts_with(function))
}

impl<'a> Method<'a> {
    /// Whether it calls code of the program, which may fail inside it. Constructors that only call the one of the superclass do
    /// not count, nor initialisers of classes, which nothing can call again.
    pub(crate) fn passes_on(&self) -> bool {
        let calls_program = |instruction: &Instruction<'_>| {
            matches!(
                instruction.opcode,
                opcode::INVOKEVIRTUAL..=opcode::INVOKEINTERFACE
            ) && self
                .class
                .pool
                .member(instruction.index())
                .is_ok_and(|called| may_be_of_program(called.class))
        };
        !self.member.name.starts_with(b"<")
            && self
                .code
                .instructions()
                .any(|instruction| instruction.is_ok_and(|it| calls_program(&it)))
    }

    /// `own` as `callees::own_methodrefs` finds it, or empty where calls do not matter.
    pub(crate) fn read(
        class: &'a ClassFile<'a>,
        index: usize,
        member: &'a Member<'a>,
        code: Code<'a>,
        own: &[bool],
    ) -> Result<Self, Error> {
        let has_receiver = !member.is(access::STATIC);
        let is_constructor = member.name == b"<init>";
        let mut inputs = Vec::with_capacity(4);
        let mut slot = 0_u16;
        let receiver = has_receiver.then_some(Ok(Kind::Reference));
        let parameters =
            Parameters::of(member.descriptor).map(|parameter| parameter.map(Type::kind));
        for kind in receiver.into_iter().chain(parameters) {
            let kind = kind?;
            inputs.push(Input {
                kind,
                slot,
                intact: true,
            });
            slot = slot
                .checked_add(kind.slots())
                .ok_or_else(|| Error::TooManySlots)?;
        }
        let is_constructor_call = |index| {
            is_constructor
                && class
                    .pool
                    .name_of(index)
                    .is_ok_and(|name| name == b"<init>")
        };
        let scan = scan(&code, own, is_constructor_call)?;
        Ok(Method {
            class,
            member,
            index,
            code,
            scan,
            inputs,
            input_slots: slot,
            has_receiver,
            is_constructor,
            stack_map: None,
            last_frame: None,
        })
    }

    /// Finds out which inputs are still where they were when a handler runs.
    pub(crate) fn check_inputs(&mut self) -> Result<(), Error> {
        for input in &mut self.inputs {
            input.intact =
                (0..input.kind.slots()).all(|half| !self.scan.written.contains(input.slot + half));
        }
        if self.class.major < 50 {
            return Ok(());
        }
        self.stack_map = self
            .code
            .attributes
            .find(&self.class.pool, b"StackMapTable")?
            .map(|found| found.info);
        let Some(table) = self.stack_map else {
            return Ok(());
        };
        let outline = Outline::read(table, self.inputs.len())?;
        self.last_frame = outline.last;
        if outline.keeps_entry {
            return Ok(());
        }
        let mut frames = Frames::read(table, self.rough_locals())?;
        while let Some((_, frame)) = frames.next_frame()? {
            let mut slot = 0_u16;
            let mut locals = frame.locals.iter();
            for input in &mut self.inputs {
                // Entries line up with inputs as long as all of them had the widths of the inputs.
                let found = if slot == input.slot {
                    locals.next()
                } else {
                    None
                };
                input.intact &= found.is_some_and(|found| vouches(*found, input.kind));
                slot = slot.saturating_add(found.map_or(u16::MAX, |found| found.slots() as u16));
            }
        }
        Ok(())
    }

    /// The locals on entry with the right widths and kinds but not the right classes; enough where nothing is rewritten.
    pub(crate) fn rough_locals(&self) -> Vec<VerificationType> {
        let mut locals: Vec<_> = self.inputs.iter().map(|input| rough(input.kind)).collect();
        if let (true, Some(receiver)) = (self.is_constructor, locals.first_mut()) {
            *receiver = VerificationType::UninitializedThis;
        }
        locals
    }

    pub(crate) fn exact_locals(
        &self,
        pool: &mut PoolAppender<'_>,
    ) -> Result<Vec<VerificationType>, Error> {
        let receiver = match (self.has_receiver, self.is_constructor) {
            (false, _) => None,
            (true, true) => Some(VerificationType::UninitializedThis),
            (true, false) => Some(VerificationType::Object(self.class.this_index)),
        };
        initial_locals(receiver, &MethodType::read(self.member.descriptor)?, pool)
    }

    /// The variable that an input is in on entry.
    pub(crate) fn slot(&self, input: u16) -> Option<u16> {
        let input = self.inputs.get(usize::from(input))?;
        Some(input.slot)
    }

    /// Whether its fields can be read on entry. Those of a constructor's receiver have their default values then, and it
    /// cannot be read yet.
    pub(crate) fn is_readable(&self, input: u16) -> bool {
        let receiver = self.has_receiver && input == 0;
        !receiver || !self.is_constructor && !self.scan.written.contains(0)
    }

    /// How many parameters there are, the receiver not counted.
    pub(crate) fn parameters(&self) -> usize {
        self.inputs.len() - usize::from(self.has_receiver)
    }
}

fn rough(kind: Kind) -> VerificationType {
    match kind {
        Kind::Int => VerificationType::Integer,
        Kind::Long => VerificationType::Long,
        Kind::Float => VerificationType::Float,
        Kind::Double => VerificationType::Double,
        Kind::Reference => VerificationType::Object(0),
    }
}

/// Handlers take every reference for a `java.lang.Object`, so any initialised class will do.
fn vouches(found: VerificationType, kind: Kind) -> bool {
    match found {
        VerificationType::Object(_) | VerificationType::UninitializedThis => {
            kind == Kind::Reference
        }
        VerificationType::Integer => kind == Kind::Int,
        VerificationType::Long => kind == Kind::Long,
        VerificationType::Float => kind == Kind::Float,
        VerificationType::Double => kind == Kind::Double,
        VerificationType::Top | VerificationType::Null | VerificationType::Uninitialized(_) => {
            false
        }
    }
}

/// Whether the class itself declares the field.
pub(crate) fn is_own(class: &ClassFile<'_>, field: &MemberRef<'_>) -> bool {
    let same = |declared: &Member<'_>| {
        declared.name == field.name
            && declared.descriptor == field.descriptor
            && !declared.is(access::STATIC)
    };
    field.class == class.name && class.fields.iter().any(same)
}
