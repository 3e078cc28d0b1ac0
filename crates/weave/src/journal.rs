//! Undo: right before each write, woven code notes the place and its old value in the thread's journal
//! (`java.lang.$RecrashJournal`). None of it branches, so no stack map frame is needed:
//!
//! ```text
//! this.f = v      aload_0; dup; getfield f; <field>; put
//! C.f = v         aconst_null; getstatic f; <field>; put
//! o.f = v         dup2; pop; <field>; field                         one slot
//!                 dup2_x1; pop2; dup; <field>; field; dup_x2; pop   two slots
//! a[i] = v        dup_x2; pop; dup2; element; dup2_x1; pop2         one slot
//!                 dup2_x2; pop2; dup2; element; dup2_x2; pop2       two slots
//! ```
//! `System.arraycopy` is called by way of the journal. Where the object may be null, the runtime reads the old value, and
//! lets the program's own instruction fail.
//!
//! Not noted: writes to objects that the method has made itself, because neither this frame nor one further out had them
//! on entry, and for the same reason writes to `this` in constructors; nor static fields that `<clinit>` sets, because what a
//! class is initialised with cannot be taken back.

use recrash_classfile::{Assembler, Code, CodePatch, Error, Insertion, Kind, Type, access, opcode};

use crate::constructor::SuperCall;
use crate::flow::Flow;
use crate::jdk::{Changes, changes, is_raw_write};
use crate::mark::{Mark, Writes};
use crate::method::Method;
use crate::monitor::Loom;
use crate::once::{Sparse, sparse};
use crate::origin::{Heights, Origin, Store, trace_stores};
use crate::runtime::{Call, JournalCall};

/// What the notes need on top of the stack.
pub(crate) const STACK: u16 = 5;

const RAW: &[u8] = b"java/lang/$RecrashUnsafeWrites";

/// The notes that a method makes.
#[derive(Debug, Default)]
pub(crate) struct Journal {
    notes: Sparse,
    /// Calls that go by way of the journal.
    detours: Vec<(usize, Detour)>,
    on_entry: Option<Changes>,
    /// Where a frame asks how far the journal is.
    pub(crate) mark: Mark,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Note {
    /// A field of the receiver, which is never null.
    Own(u16),
    /// A static field of the class itself, which is initialised.
    OwnStatic(u16),
    Static(u16),
    Field(u16),
    /// By the instruction that stores it.
    Element(u8),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Detour {
    ArrayCopy,
    /// The method of `Unsafe`.
    Raw(u16),
}

impl Journal {
    /// What a method of the program has to note.
    pub(crate) fn of_program(
        method: &Method<'_>,
        super_call: Option<SuperCall>,
        heights: &mut Heights,
    ) -> Result<Self, Error> {
        let mut found = Found::of(method, super_call, heights)?;
        let mut instructions = method.code.instructions();
        if found.changes_nothing() && instructions.find_next(&CALLS).1.is_none() {
            return Ok(Journal::default());
        }
        let flow = Flow::read(&method.code)?;
        let mut journal = found.journal(&flow);
        let detours: Vec<usize> = journal.detours.iter().map(|(pc, _)| *pc).collect();
        let writes = Writes {
            notes: &journal.notes,
            safe: &found.safe,
            detours: &detours,
        };
        journal.mark = Mark::place(method, &flow, &writes)?;
        Ok(journal)
    }

    /// What a method of the JDK has to note: no static fields, which tests do not set.
    pub(crate) fn of_jdk(
        method: &Method<'_>,
        super_call: Option<SuperCall>,
        heights: &mut Heights,
    ) -> Result<Self, Error> {
        let on_entry = changes(method.class.name, method.member.name);
        if on_entry == Some(Changes::Argument) {
            return Ok(Journal {
                on_entry,
                ..Journal::default()
            });
        }
        let mut found = Found::of(method, super_call, heights)?;
        let is_static = |note: &Note| matches!(note, Note::OwnStatic(_) | Note::Static(_));
        found.notes.retain(|(_, note)| !is_static(note));
        // Most methods write nothing, and starting waits for this.
        let mut journal = if found.changes_nothing() {
            Journal::default()
        } else {
            found.journal(&Flow::read(&method.code)?)
        };
        journal.on_entry = on_entry;
        let mut instructions = method.code.instructions();
        while let Some(call) = instructions.find_next(&CALLS).1.transpose()? {
            if call.opcode == opcode::INVOKEVIRTUAL
                && is_raw_write(&method.class.pool.member(call.index())?)
            {
                journal.detours.push((call.pc, Detour::Raw(call.index())));
            }
        }
        Ok(journal)
    }

    /// Nothing is noted by the method itself.
    pub(crate) fn is_empty(&self) -> bool {
        self.notes.is_empty() && self.detours.is_empty() && self.on_entry.is_none()
    }

    /// The same frame, but what it writes goes unnoticed.
    pub(crate) fn without_notes(&self) -> Self {
        Journal {
            mark: self.mark,
            ..Journal::default()
        }
    }
}

/// The writes of a method, before it is decided where they are noted.
#[derive(Default)]
struct Found {
    notes: Vec<(usize, Note)>,
    detours: Vec<(usize, Detour)>,
    /// Stores into objects that are not null.
    safe: Vec<usize>,
}

impl Found {
    fn of(
        method: &Method<'_>,
        super_call: Option<SuperCall>,
        heights: &mut Heights,
    ) -> Result<Self, Error> {
        let mut found = Found::default();
        let mut instructions = method.code.instructions();
        if instructions.find_next(&WRITES).1.is_none() {
            return Ok(found);
        }
        for store in trace_stores(method, heights)? {
            // Before super(...) an unknown object may be `this`, which nothing may be called with.
            let early = super_call.is_some_and(|call| store.pc < call.pc);
            let receiver = method.has_receiver && store.origin == Origin::Input(0);
            if receiver || store.origin == Origin::Fresh {
                found.safe.push(store.pc);
            }
            match store.opcode {
                _ if store.origin == Origin::Fresh => {}
                opcode::PUTFIELD if early => {}
                opcode::INVOKESTATIC => found.detours.push((store.pc, Detour::ArrayCopy)),
                _ => {
                    if let Some(note) = note(method, &store)? {
                        found.notes.push((store.pc, note));
                    }
                }
            }
        }
        Ok(found)
    }

    fn changes_nothing(&self) -> bool {
        self.notes.is_empty() && self.detours.is_empty()
    }

    fn journal(&mut self, flow: &Flow) -> Journal {
        Journal {
            notes: sparse(flow, std::mem::take(&mut self.notes)),
            detours: std::mem::take(&mut self.detours),
            ..Journal::default()
        }
    }
}

/// What must be noted before the store, if anything.
fn note(method: &Method<'_>, store: &Store) -> Result<Option<Note>, Error> {
    let receiver = method.has_receiver && store.origin == Origin::Input(0);
    Ok(match store.opcode {
        opcode::PUTFIELD if receiver && method.is_constructor => None,
        opcode::PUTFIELD if receiver => Some(Note::Own(store.index)),
        opcode::PUTFIELD => Some(Note::Field(store.index)),
        opcode::PUTSTATIC => {
            let class = method.class;
            let own = class.pool.class_of(store.index)? == class.this_index;
            let of_own_type = || {
                let descriptor = class.pool.descriptor_of(store.index)?;
                Ok::<bool, Error>(Type { descriptor }.class_name() == class.name)
            };
            // In the test's JVM the class is initialised, and stays so. Scala's objects store themselves meanwhile.
            let initialises =
                method.member.name == b"<clinit>" || own && method.is_constructor && of_own_type()?;
            let kind = if own { Note::OwnStatic } else { Note::Static };
            (!initialises).then_some(kind(store.index))
        }
        element => Some(Note::Element(element)),
    })
}

const fn table(from: &[u8]) -> [bool; 256] {
    let mut table = [false; 256];
    let mut at = 0;
    #[allow(
        clippy::indexing_slicing,
        reason = "evaluated by the compiler, which would refuse a bad index"
    )]
    while at < from.len() {
        table[from[at] as usize] = true;
        at += 1;
    }
    table
}

const CALLS: [bool; 256] = table(&[
    opcode::INVOKEVIRTUAL,
    opcode::INVOKESPECIAL,
    opcode::INVOKESTATIC,
    opcode::INVOKEINTERFACE,
    opcode::INVOKEDYNAMIC,
]);

/// What [`trace_stores`] may find something at.
const WRITES: [bool; 256] = table(&[
    opcode::PUTFIELD,
    opcode::PUTSTATIC,
    opcode::IASTORE,
    opcode::LASTORE,
    opcode::FASTORE,
    opcode::DASTORE,
    opcode::AASTORE,
    opcode::BASTORE,
    opcode::CASTORE,
    opcode::SASTORE,
    opcode::INVOKESTATIC,
]);

impl<'c> Loom<'c> {
    /// Notes of a method that gets no handler, as a patch.
    pub(crate) fn notes_alone(
        &mut self,
        method: &Method<'c>,
        notes: &Journal,
        patch: &mut CodePatch,
    ) -> Result<(), Error> {
        let mut code = Assembler::new();
        match notes.on_entry {
            Some(Changes::Receiver) => self.note_receiver(method, &mut code)?,
            Some(Changes::Argument) => {
                code.load(Kind::Reference, 0);
                self.journal_call(JournalCall::Whole, &mut code)?;
            }
            None => {}
        }
        self.notes_on_entry(method, notes, &mut code)?;
        if !code.is_empty() {
            patch.insertions.push(Insertion {
                pc: 0,
                code: code.into_bytes(),
                joined: false,
            });
        }
        patch.insertions.extend(self.notes(method, notes)?);
        patch.max_stack = method.code.max_stack.saturating_add(STACK);
        Ok(())
    }

    /// The code of the notes, in order of their pcs.
    pub(crate) fn notes(
        &mut self,
        method: &Method<'c>,
        notes: &Journal,
    ) -> Result<Vec<Insertion>, Error> {
        let notes = &notes.notes;
        let mut insertions: Vec<Insertion> = Vec::with_capacity(notes.len());
        for &(pc, note) in &notes.before_loops {
            let mut code = Assembler::new();
            self.note(method, note, &mut code)?;
            match insertions.last_mut() {
                Some(last) if last.pc == pc => last.code.extend(code.into_bytes()),
                _ => insertions.push(Insertion {
                    pc,
                    code: code.into_bytes(),
                    joined: false,
                }),
            }
        }
        for &(pc, note) in &notes.at_writes {
            let mut code = Assembler::new();
            self.note(method, note, &mut code)?;
            insertions.push(Insertion {
                pc,
                code: code.into_bytes(),
                // `o.f = c ? a : b` jumps to the write.
                joined: true,
            });
        }
        insertions.sort_by_key(|insertion| insertion.pc);
        Ok(insertions)
    }

    /// What is noted before anything else is done.
    pub(crate) fn notes_on_entry(
        &mut self,
        method: &Method<'c>,
        notes: &Journal,
        code: &mut Assembler,
    ) -> Result<(), Error> {
        for &note in &notes.notes.on_entry {
            self.note(method, note, code)?;
        }
        Ok(())
    }

    fn note(&mut self, method: &Method<'c>, note: Note, code: &mut Assembler) -> Result<(), Error> {
        match note {
            Note::Own(index) => self.note_own(method, index, code),
            Note::OwnStatic(index) | Note::Static(index) => {
                code.zero(Kind::Reference);
                code.op_index(opcode::GETSTATIC, index);
                self.note_value(method, index, code)
            }
            Note::Field(index) => self.note_field(method, index, code),
            Note::Element(store) => self.note_element(store, code),
        }
    }

    /// The method's code, with calls led elsewhere; instructions stay where they are.
    pub(crate) fn detoured(
        &mut self,
        code: &Code<'_>,
        notes: &Journal,
    ) -> Result<Option<Vec<u8>>, Error> {
        if notes.detours.is_empty() {
            return Ok(None);
        }
        let mut bytes = code.bytes.to_vec();
        for &(pc, detour) in &notes.detours {
            let target = match detour {
                Detour::ArrayCopy => {
                    let call = Call::Journal(JournalCall::ArrayCopy);
                    self.runtime.call(call, &mut self.pool)?
                }
                Detour::Raw(index) => {
                    let called = self.class.pool.member(index)?;
                    let parameters = called.descriptor.strip_prefix(b"(").unwrap_or(&[]);
                    let descriptor = [b"(Ljdk/internal/misc/Unsafe;", parameters].concat();
                    self.pool.method(RAW, called.name, &descriptor)?
                }
            };
            let [high, low] = target.to_be_bytes();
            if let Some(call) = bytes.get_mut(pc..pc + 3) {
                call.copy_from_slice(&[opcode::INVOKESTATIC, high, low]);
            }
        }
        Ok(Some(bytes))
    }

    fn journal_call(&mut self, call: JournalCall, code: &mut Assembler) -> Result<(), Error> {
        let index = self.runtime.call(Call::Journal(call), &mut self.pool)?;
        code.op_index(opcode::INVOKESTATIC, index);
        Ok(())
    }

    /// All fields of the receiver that can change, as far as the class's own code names them.
    fn note_receiver(&mut self, method: &Method<'c>, code: &mut Assembler) -> Result<(), Error> {
        let class = method.class;
        for index in 1..class.pool.count() {
            let Ok(field) = class.pool.member(index) else {
                continue;
            };
            let own = class.fields.iter().any(|own| {
                field.class == class.name
                    && own.name == field.name
                    && own.descriptor == field.descriptor
                    && !own.is(access::STATIC | access::FINAL)
            });
            if !own {
                continue;
            }
            self.note_own(method, index, code)?;
            if field.descriptor.starts_with(b"[") {
                code.load(Kind::Reference, 0);
                code.op_index(opcode::GETFIELD, index);
                self.journal_call(JournalCall::Whole, code)?;
            }
        }
        Ok(())
    }

    fn note_own(
        &mut self,
        method: &Method<'c>,
        index: u16,
        code: &mut Assembler,
    ) -> Result<(), Error> {
        code.load(Kind::Reference, 0);
        code.op(opcode::DUP);
        code.op_index(opcode::GETFIELD, index);
        self.note_value(method, index, code)
    }

    /// With the object and the old value on the stack.
    fn note_value(
        &mut self,
        method: &Method<'c>,
        index: u16,
        code: &mut Assembler,
    ) -> Result<(), Error> {
        let field = method.class.pool.member(index)?;
        let kind = kind_of(field.descriptor);
        let number = self.sites.add_field(&field);
        self.runtime.push_number(number, code, &mut self.pool)?;
        self.journal_call(JournalCall::Put(kind), code)
    }

    /// With the object and the new value on the stack, before and after.
    fn note_field(
        &mut self,
        method: &Method<'c>,
        index: u16,
        code: &mut Assembler,
    ) -> Result<(), Error> {
        let field = method.class.pool.member(index)?;
        let wide = kind_of(field.descriptor).slots() == 2;
        let before: &[u8] = if wide {
            &[opcode::DUP2_X1, opcode::POP2, opcode::DUP]
        } else {
            &[opcode::DUP2, opcode::POP]
        };
        for &op in before {
            code.op(op);
        }
        let number = self.sites.add_field(&field);
        self.runtime.push_number(number, code, &mut self.pool)?;
        let sort = field.descriptor.first().copied().unwrap_or(b'L');
        self.journal_call(JournalCall::Field(sort), code)?;
        if wide {
            code.op(opcode::DUP_X2);
            code.op(opcode::POP);
        }
        Ok(())
    }

    /// With the array, the index and the new value on the stack, before and after.
    fn note_element(&mut self, store: u8, code: &mut Assembler) -> Result<(), Error> {
        let wide = matches!(store, opcode::LASTORE | opcode::DASTORE);
        let (before, after) = if wide {
            (
                [opcode::DUP2_X2, opcode::POP2],
                [opcode::DUP2_X2, opcode::POP2],
            )
        } else {
            (
                [opcode::DUP_X2, opcode::POP],
                [opcode::DUP2_X1, opcode::POP2],
            )
        };
        for op in before {
            code.op(op);
        }
        code.op(opcode::DUP2);
        self.journal_call(JournalCall::Element(store), code)?;
        for op in after {
            code.op(op);
        }
        Ok(())
    }
}

/// The notes, and what asks for the place in the journal in front of one instruction.
pub(crate) fn with_mark(
    mut notes: Vec<Insertion>,
    mark: Option<(usize, Vec<u8>)>,
) -> Vec<Insertion> {
    let Some((pc, mut code)) = mark else {
        return notes;
    };
    let at = notes.partition_point(|note| note.pc < pc);
    match notes.get_mut(at).filter(|note| note.pc == pc) {
        Some(note) => {
            code.append(&mut note.code);
            note.code = code;
        }
        None => notes.insert(
            at,
            Insertion {
                pc,
                code,
                joined: true,
            },
        ),
    }
    notes
}

fn kind_of(descriptor: &[u8]) -> Kind {
    Type { descriptor }.kind()
}
