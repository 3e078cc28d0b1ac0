//! Right before each write, woven code notes the place and its old value in the thread's journal
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

use recrash_classfile::{Assembler, Error, Kind, PoolAppender, Type, access, opcode};

use crate::find::jdk::Changes;
use crate::find::method::Method;
use crate::journal::note::Note;
use crate::journal::notes::{Detour, Journal};
use crate::plan::Plan;
use crate::runtime::{Call, JournalCall, Runtime};
use crate::site::table::SiteTable;

/// What the notes need on top of the stack.
pub(crate) const STACK: u16 = 5;

const RAW: &[u8] = b"java/lang/$RecrashUnsafeWrites";

/// Writes the code of notes.
pub(crate) struct NoteWriter<'n> {
    pub(crate) runtime: &'n mut Runtime,
    /// Numbers the fields.
    pub(crate) sites: &'n mut SiteTable,
}

impl NoteWriter<'_> {
    /// All notes of a method that gets no handler.
    pub(crate) fn alone<'c>(
        &mut self,
        method: &Method<'c>,
        journal: &Journal,
        plan: &mut Plan<'c>,
    ) -> Result<(), Error> {
        match journal.on_entry {
            Some(Changes::Receiver) => self.note_receiver(method, plan)?,
            Some(Changes::Argument) => {
                let Plan {
                    entry, constants, ..
                } = plan;
                entry.code.load(Kind::Reference, 0);
                self.call(JournalCall::Whole, &mut entry.code, &mut constants.pool)?;
            }
            None => {}
        }
        self.on_entry(method, journal, plan)?;
        self.at_writes(method, journal, plan)?;
        plan.needs_stack_on_top(method, STACK);
        plan.ask_for_locals(method)?;
        self.detours(method, journal, plan)
    }

    /// What is noted before anything else is done.
    pub(crate) fn on_entry<'c>(
        &mut self,
        method: &Method<'c>,
        journal: &Journal,
        plan: &mut Plan<'c>,
    ) -> Result<(), Error> {
        let Plan {
            entry, constants, ..
        } = plan;
        for &note in &journal.notes.on_entry {
            self.note(method, note, &mut entry.code, &mut constants.pool)?;
        }
        Ok(())
    }

    /// What is noted in front of loops and writes.
    pub(crate) fn at_writes<'c>(
        &mut self,
        method: &Method<'c>,
        journal: &Journal,
        plan: &mut Plan<'c>,
    ) -> Result<(), Error> {
        for &(pc, note) in &journal.notes.before_loops {
            let mut code = Assembler::new();
            self.note(method, note, &mut code, &mut plan.constants.pool)?;
            plan.above(pc, code);
        }
        for &(pc, note) in &journal.notes.at_writes {
            let mut code = Assembler::new();
            self.note(method, note, &mut code, &mut plan.constants.pool)?;
            // `o.f = c ? a : b` jumps to the write.
            plan.before(pc, code);
        }
        Ok(())
    }

    /// Leads calls elsewhere; instructions stay where they are.
    pub(crate) fn detours<'c>(
        &mut self,
        method: &Method<'c>,
        journal: &Journal,
        plan: &mut Plan<'c>,
    ) -> Result<(), Error> {
        for &(pc, detour) in &journal.detours {
            let pool = &mut plan.constants.pool;
            let target = match detour {
                Detour::ArrayCopy => {
                    let call = Call::Journal(JournalCall::ArrayCopy);
                    self.runtime.call(call, pool)?
                }
                Detour::Raw(index) => {
                    let called = method.class.pool.member(index)?;
                    let parameters = called.descriptor.strip_prefix(b"(").unwrap_or(&[]);
                    let descriptor = [b"(Ljdk/internal/misc/Unsafe;", parameters].concat();
                    pool.method(RAW, called.name, &descriptor)?
                }
            };
            let [high, low] = target.to_be_bytes();
            plan.replace(pc, [opcode::INVOKESTATIC, high, low]);
        }
        Ok(())
    }

    fn note(
        &mut self,
        method: &Method<'_>,
        note: Note,
        code: &mut Assembler,
        pool: &mut PoolAppender<'_>,
    ) -> Result<(), Error> {
        match note {
            Note::Own(index) => self.note_own(method, index, code, pool),
            Note::OwnStatic(index) | Note::Static(index) => {
                code.zero(Kind::Reference);
                code.op_index(opcode::GETSTATIC, index);
                self.note_value(method, index, code, pool)
            }
            Note::Field(index) => self.note_field(method, index, code, pool),
            Note::Element(store) => self.note_element(store, code, pool),
        }
    }

    fn call(
        &mut self,
        call: JournalCall,
        code: &mut Assembler,
        pool: &mut PoolAppender<'_>,
    ) -> Result<(), Error> {
        let index = self.runtime.call(Call::Journal(call), pool)?;
        code.op_index(opcode::INVOKESTATIC, index);
        Ok(())
    }

    /// All fields of the receiver that can change, as far as the class's own code names them.
    fn note_receiver<'c>(&mut self, method: &Method<'c>, plan: &mut Plan<'c>) -> Result<(), Error> {
        let class = method.class;
        let code = &mut plan.entry.code;
        let pool = &mut plan.constants.pool;
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
            self.note_own(method, index, code, pool)?;
            if field.descriptor.starts_with(b"[") {
                code.load(Kind::Reference, 0);
                code.op_index(opcode::GETFIELD, index);
                self.call(JournalCall::Whole, code, pool)?;
            }
        }
        Ok(())
    }

    fn note_own(
        &mut self,
        method: &Method<'_>,
        index: u16,
        code: &mut Assembler,
        pool: &mut PoolAppender<'_>,
    ) -> Result<(), Error> {
        code.load(Kind::Reference, 0);
        code.op(opcode::DUP);
        code.op_index(opcode::GETFIELD, index);
        self.note_value(method, index, code, pool)
    }

    /// With the object and the old value on the stack.
    fn note_value(
        &mut self,
        method: &Method<'_>,
        index: u16,
        code: &mut Assembler,
        pool: &mut PoolAppender<'_>,
    ) -> Result<(), Error> {
        let field = method.class.pool.member(index)?;
        let kind = kind_of(field.descriptor);
        let number = self.sites.add_field(&field);
        self.runtime.push_number(number, code, pool)?;
        self.call(JournalCall::Put(kind), code, pool)
    }

    /// With the object and the new value on the stack, before and after.
    fn note_field(
        &mut self,
        method: &Method<'_>,
        index: u16,
        code: &mut Assembler,
        pool: &mut PoolAppender<'_>,
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
        self.runtime.push_number(number, code, pool)?;
        let sort = field.descriptor.first().copied().unwrap_or(b'L');
        self.call(JournalCall::Field(sort), code, pool)?;
        if wide {
            code.op(opcode::DUP_X2);
            code.op(opcode::POP);
        }
        Ok(())
    }

    /// With the array, the index and the new value on the stack, before and after.
    fn note_element(
        &mut self,
        store: u8,
        code: &mut Assembler,
        pool: &mut PoolAppender<'_>,
    ) -> Result<(), Error> {
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
        self.call(JournalCall::Element(store), code, pool)?;
        for op in after {
            code.op(op);
        }
        Ok(())
    }
}

fn kind_of(descriptor: &[u8]) -> Kind {
    Type { descriptor }.kind()
}
