//! Weaves one method: decides what is kept on entry, where handlers go, and applies the patch.

use recrash_advice::MethodAdvice;
use recrash_classfile::{
    Assembler, ClassFile, CodePatch, Entry, Error, Insertion, Member, PoolAppender, PoolMark,
    Position, access, text,
};

use crate::callees::{self, Known};
use crate::constructor::{self, SuperCall};
use crate::copy;
use crate::cursor;
use crate::far;
use crate::handler::{Handler, Value};
use crate::journal::{self, Journal, with_mark};
use crate::mark::Mark;
use crate::method::Method;
use crate::offline::Sleep;
use crate::origin::{Heights, only_receiver_is_written, trace, trace_receiver};
use crate::prologue::Prologue;
use crate::runtime::Runtime;
use crate::saved::{Choice, choose};
use crate::site::{Past, Place, SkipReason, Skipped};
use crate::table::SiteTable;
use crate::{Policy, Strategy};

/// HotSpot interprets longer methods for ever (`-XX:-DontCompileHugeMethods` aside).
const LONGEST_COMPILED: usize = 8000;

/// What is shared by the methods of one class.
pub(crate) struct Loom<'c> {
    pub(crate) class: &'c ClassFile<'c>,
    pub(crate) policy: &'c Policy,
    pub(crate) pool: PoolAppender<'c>,
    pub(crate) runtime: Runtime,
    pub(crate) sites: SiteTable,
    pub(crate) heights: Heights,
    /// Used for one method after the other.
    pub(crate) patch: CodePatch,
    /// What a look at the whole program says of the class.
    pub(crate) advice: Vec<MethodAdvice>,
    /// Where handlers sleep, see `offline.rs`.
    pub(crate) sleep: Option<Sleep>,
    /// Methods that stay, in part or altogether, as they are.
    pub(crate) skipped: Vec<Skipped>,
}

/// Whether `java` may start it.
fn is_program(member: &Member<'_>) -> bool {
    member.is(access::STATIC)
        && member.name == b"main"
        && member.descriptor == b"([Ljava/lang/String;)V"
}

/// Where a class was before a method that turned out unpatchable.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Before {
    pool: PoolMark,
    sites: usize,
}

impl<'c> Loom<'c> {
    pub(crate) fn new(
        class: &'c ClassFile<'c>,
        policy: &'c Policy,
        pool: PoolAppender<'c>,
        first_site: u32,
        sleep: Option<Sleep>,
    ) -> Self {
        Loom {
            class,
            policy,
            pool,
            runtime: Runtime::default(),
            sites: SiteTable::new(class.name, first_site),
            heights: Heights::default(),
            patch: CodePatch::default(),
            advice: Vec::new(),
            sleep,
            skipped: Vec::new(),
        }
    }

    /// Whether the policy asks for this method.
    pub(crate) fn is_worth_it(&self, method: &Method<'_>) -> bool {
        if self.policy.look.is_some() {
            return self.watched(method).is_some();
        }
        let class = || self.class.binary_name();
        // Entered once, and the one frame from which everything can be looked at again: never too small.
        let instructions = if is_program(method.member) {
            usize::MAX
        } else {
            method.scan.instructions
        };
        self.policy
            .monitors(class, method.member.name, instructions)
    }

    fn watched(&self, method: &Method<'_>) -> Option<usize> {
        self.policy.look.as_ref()?;
        let member = method.member;
        let class = self.class.binary_name();
        self.policy.watched(&class, member.name, member.descriptor)
    }

    /// Which Methodrefs are to be followed, see [`callees`].
    pub(crate) fn own_methodrefs(&self) -> Vec<bool> {
        if self.saves_fields() {
            callees::own_methodrefs(self.class)
        } else {
            Vec::new()
        }
    }

    /// What is to be known of the methods together before each is woven; nothing for most classes.
    pub(crate) fn look_into(&mut self, methods: &mut [Method<'_>], own: &[bool]) -> Vec<Known> {
        // What is wrong with one of them is found again, and said, when it is woven.
        let cursors = match self.strategy() {
            Strategy::Auto => cursor::read_by(self.class, methods, own).unwrap_or_default(),
            _ => Vec::new(),
        };
        let mut known = callees::look_into(methods, own, &mut self.heights).unwrap_or_default();
        known.resize_with(known.len().max(cursors.len()), Known::default);
        for (known, cursors) in known.iter_mut().zip(cursors) {
            known.cursors = cursors;
        }
        known
    }

    /// A second look captures entry values on entry; nothing needs to lead back to them.
    fn strategy(&self) -> Strategy {
        match self.policy.look {
            Some(_) => Strategy::Reference,
            None => self.policy.strategy,
        }
    }

    /// Writes the new content of the method's Code attribute. Its sites are added to the table.
    pub(crate) fn monitor(
        &mut self,
        method: &mut Method<'c>,
        known: Known,
        out: &mut Vec<u8>,
    ) -> Result<(), SkipReason> {
        method.check_inputs()?;
        if method.code.max_locals < method.input_slots {
            return Err(SkipReason::CannotPatch(Error::TooManySlots));
        }
        let saves = self.saves_fields();
        let mut origins = known.origins;
        if saves && origins.is_none() && !method.scan.puts.is_empty() {
            if !only_receiver_is_written(method)? {
                origins = Some(trace(method, &mut self.heights)?);
            } else if method.has_receiver && !method.is_constructor {
                origins = Some(trace_receiver(method)?);
            }
        }
        let super_call = if method.is_constructor {
            Some(constructor::find(
                method,
                origins.as_ref(),
                &mut self.heights,
            )?)
        } else {
            None
        };
        let mut choice = Choice::default();
        if let Some(origins) = &origins {
            choice.fields = choose(method, origins, &known.writes, self.policy.saved_fields)?;
        }
        // What is woven ahead of time runs without the runtime, too.
        if self.strategy() == Strategy::Auto && self.policy.offline.is_none() {
            cursor::choose(method, &known.cursors, &mut choice)?;
            far::choose(method, &self.advice, &mut choice, &mut self.sites);
        }
        let mut journal = Journal::default();
        if self.keeps_journal() {
            journal = Journal::of_program(method, super_call, &mut self.heights)?;
            if self.policy.gives_way {
                // What it calls may note what it writes all the same, so the mark stays.
                journal = journal.without_notes();
            }
        }
        let (before, length) = (self.before(), out.len());
        let written = self.write(method, &choice, super_call, &journal, out);
        match written {
            // Where there is no room for everything, the frame itself comes first.
            Err(SkipReason::TooLongToCompile | SkipReason::CannotPatch(_))
                if !journal.is_empty() || choice != Choice::default() =>
            {
                out.truncate(length);
                self.rewind(before);
                self.skip(method.member, SkipReason::TooLongToKeepWrites);
                let journal = journal.without_notes();
                self.write(method, &Choice::default(), super_call, &journal, out)
            }
            other => other,
        }
    }

    /// Whether frames remember how far the journal was.
    fn keeps_journal(&self) -> bool {
        self.strategy().keeps_journal()
    }

    /// Whether fields that methods write are kept in variables.
    fn saves_fields(&self) -> bool {
        match self.strategy() {
            Strategy::Auto => true,
            Strategy::Undo { .. } => self.policy.gives_way,
            Strategy::Reference | Strategy::Copy(_) => false,
        }
    }

    pub(crate) fn before(&self) -> Before {
        Before {
            pool: self.pool.mark(),
            sites: self.sites.len(),
        }
    }

    pub(crate) fn rewind(&mut self, before: Before) {
        self.pool.rewind(before.pool);
        self.runtime = Runtime::default();
        self.sites.truncate(before.sites);
    }

    pub(crate) fn skip(&mut self, member: &Member<'_>, why: SkipReason) {
        self.skipped.push(Skipped {
            method: text(member.name),
            descriptor: text(member.descriptor),
            why,
        });
    }

    fn write(
        &mut self,
        method: &Method<'c>,
        choice: &Choice<'c>,
        super_call: Option<SuperCall>,
        journal: &Journal,
        out: &mut Vec<u8>,
    ) -> Result<(), SkipReason> {
        let mut patch = std::mem::take(&mut self.patch);
        patch.clear();
        let entry = self.assemble(method, choice, super_call, journal, &mut patch);
        let written = entry.and_then(|entry| self.apply(method, journal, entry, &patch, out));
        self.patch = patch;
        written
    }

    fn apply(
        &mut self,
        method: &Method<'c>,
        journal: &Journal,
        entry: Entry,
        patch: &CodePatch,
        out: &mut Vec<u8>,
    ) -> Result<(), SkipReason> {
        let old = method.code.bytes.len();
        let inserted: usize = patch
            .insertions
            .iter()
            .map(|insertion| insertion.code.len())
            .sum();
        if old <= LONGEST_COMPILED && old + inserted + patch.appended.len() > LONGEST_COMPILED {
            return Err(SkipReason::TooLongToCompile);
        }
        let mut code = method.code;
        let detoured = self.detoured(&code, journal)?;
        code.bytes = detoured.as_deref().unwrap_or(code.bytes);
        Ok(patch.apply(&code, entry, &mut self.pool, out)?)
    }

    /// What a method that gets no handler has to note all the same; `None` for nothing.
    pub(crate) fn journal_alone(
        &mut self,
        method: &mut Method<'c>,
        jdk: bool,
    ) -> Result<Option<Journal>, SkipReason> {
        if !jdk && (!self.keeps_journal() || self.policy.gives_way) {
            return Ok(None);
        }
        method.check_inputs()?;
        let super_call = if method.is_constructor {
            Some(constructor::find(method, None, &mut self.heights)?)
        } else {
            None
        };
        let journal = if jdk {
            Journal::of_jdk(method, super_call, &mut self.heights)?
        } else {
            Journal::of_program(method, super_call, &mut self.heights)?
        };
        Ok(Some(journal).filter(|journal| !journal.is_empty()))
    }

    /// Writes a method with notes and without a handler.
    pub(crate) fn take_notes(
        &mut self,
        method: &Method<'c>,
        journal: &Journal,
        out: &mut Vec<u8>,
    ) -> Result<(), SkipReason> {
        let mut patch = std::mem::take(&mut self.patch);
        patch.clear();
        let entry = self
            .notes_alone(method, journal, &mut patch)
            .and_then(|()| self.entry(method, patch.insertions.is_empty()));
        let written = match entry {
            Ok(entry) => self.apply(method, journal, entry, &patch, out),
            Err(defect) => Err(defect.into()),
        };
        self.patch = patch;
        written.map_err(|why| match why {
            SkipReason::TooLongToCompile => SkipReason::TooLongToKeepWrites,
            other => other,
        })
    }

    /// Fills the patch, and says what the stack map starts from.
    fn assemble(
        &mut self,
        method: &Method<'c>,
        choice: &Choice<'c>,
        super_call: Option<SuperCall>,
        journal: &Journal,
        patch: &mut CodePatch,
    ) -> Result<Entry, SkipReason> {
        let mut prologue = Prologue::build(method, choice, &mut self.runtime, &mut self.pool)?;
        if let Strategy::Copy(copying) = self.strategy()
            && let Some(copied) = copy::choose(method, copying)?
        {
            prologue.copy(&copied, &mut self.runtime, &mut self.pool)?;
        }
        let later = prologue.keep_mark(journal.mark, &mut self.runtime, &mut self.pool)?;
        let past = prologue.past;
        let (kind, (before, behind)) = (past.kind(), past.values());
        self.notes_on_entry(method, journal, &mut prologue.code)?;
        let (inputs, saved) = (prologue.inputs.as_slice(), prologue.saved.as_slice());
        let kept = [before.as_slice(), inputs, saved, &behind];
        let body = self.sites.add(method, Place::Body, choice, kind, &kept)?;
        if let Some(number) = self.watched(method) {
            prologue.count_entry(number, body, method, &mut self.runtime, &mut self.pool)?;
        }
        if super_call.is_some_and(|call| call.calls_application) {
            // No code refers to it: the runtime finds the frame, and the arguments in it, on the stack.
            let kept = [before.as_slice(), &prologue.inputs, &behind];
            self.sites
                .add(method, Place::InsideSuper, &Choice::default(), kind, &kept)?;
        }
        let before_super = match super_call.filter(|call| call.arguments_can_throw) {
            Some(call) => Some((
                call,
                self.sites
                    .add(method, Place::BeforeSuper, choice, kind, &[])?,
            )),
            None => None,
        };

        let mut values = std::mem::take(&mut prologue.inputs);
        values.extend(&prologue.saved);
        values.extend(behind);
        values.extend(prologue.entries);
        let keep = if method.input_slots < method.code.max_locals {
            method.input_slots
        } else {
            prologue.next_local
        };
        let notes = with_mark(self.notes(method, journal)?, later);
        let entry = self.insert(method, prologue, notes, patch)?;
        let mut code = Assembler::reusing(std::mem::take(&mut patch.appended));
        let marked = kind == Past::Journal;
        let catch_type = self.sleep.map_or(0, |sleep| sleep.class);
        let start = Position::Instruction(super_call.map_or(0, |call| call.after));
        let end = Position::Boundary(method.code.bytes.len());
        Handler {
            site: body,
            place: Place::Body,
            start,
            end,
            values: &values,
            marked,
            keep,
            catch_type,
        }
        .append(method, &mut code, patch, &mut self.runtime, &mut self.pool)?;
        if let Some((call, site)) = before_super {
            if let Some(receiver) = values.first_mut() {
                *receiver = Value::Null;
            }
            let (start, end) = (Position::Instruction(0), Position::Boundary(call.pc));
            Handler {
                site,
                place: Place::BeforeSuper,
                start,
                end,
                values: &values,
                marked,
                keep,
                catch_type,
            }
            .append(method, &mut code, patch, &mut self.runtime, &mut self.pool)?;
        }
        patch.appended = code.into_bytes();
        if !journal.is_empty() || matches!(journal.mark, Mark::Before(_)) {
            let needed = method.code.max_stack.saturating_add(journal::STACK);
            patch.max_stack = patch.max_stack.max(needed);
        }
        Ok(entry)
    }

    /// What the stack map starts from, in a method whose code moves or not.
    fn entry(&mut self, method: &Method<'c>, unmoved: bool) -> Result<Entry, Error> {
        Ok(match (self.class.major >= 50, unmoved) {
            (false, _) => Entry::NoFrames,
            (true, true) => Entry::Unmoved {
                last_frame: method.last_frame,
            },
            (true, false) => Entry::Locals(method.exact_locals(&mut self.pool)?),
        })
    }

    /// Puts the code on entry and the notes into the patch, and says what the stack map starts from.
    fn insert(
        &mut self,
        method: &Method<'c>,
        prologue: Prologue,
        notes: Vec<Insertion>,
        patch: &mut CodePatch,
    ) -> Result<Entry, Error> {
        let unmoved = prologue.code.is_empty() && notes.is_empty();
        let entry = self.entry(method, unmoved)?;
        if !prologue.code.is_empty() {
            let initial = match &entry {
                Entry::Locals(locals) => locals.as_slice(),
                Entry::NoFrames | Entry::Unmoved { .. } => &[],
            };
            prologue.insert(initial, method, patch, &mut self.runtime, &mut self.pool)?;
        }
        patch.insertions.extend(notes);
        Ok(entry)
    }
}
