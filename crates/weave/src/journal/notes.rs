//! Which writes of a method are noted, and where.
//!
//! Not noted: writes to objects that the method has made itself, because neither this frame nor one further out had them
//! on entry, and for the same reason writes to `this` in constructors; nor static fields that `<clinit>` sets, because what a
//! class is initialised with cannot be taken back.

use recrash_classfile::{Error, Type, opcode};

use crate::find::constructor::SuperCall;
use crate::find::flow::Flow;
use crate::find::heights::Heights;
use crate::find::jdk::{Changes, changes, is_raw_write};
use crate::find::method::Method;
use crate::find::origin::{Origin, Store};
use crate::find::tracer::trace_stores;
use crate::journal::mark::{Mark, Writes};
use crate::journal::note::{Note, Sparse};
use crate::journal::once::sparse;

/// The notes that a method makes.
#[derive(Debug, Default)]
pub(crate) struct Journal {
    pub(crate) notes: Sparse,
    /// Calls that go by way of the journal.
    pub(crate) detours: Vec<(usize, Detour)>,
    /// Noted as a whole, before anything is done.
    pub(crate) on_entry: Option<Changes>,
    /// Where a frame asks how far the journal is.
    pub(crate) mark: Mark,
}

/// A call that is led by way of the journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detour {
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

    /// That of a frame whose own writes go unnoticed.
    pub(crate) fn of_mark(mark: Mark) -> Self {
        Journal {
            mark,
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
