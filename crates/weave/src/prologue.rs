//! What a woven method does on entry, where anything is needed at all: copies of parameters that the body overwrites and
//! old values of fields it writes.
//!
//! ```text
//!           (load input; store copy)*                    inputs that do not stay intact
//!           (aload 0; getfield; store)*                  fields the class itself declares: cannot fail
//!           (zero; store)*                               defaults of the fields and cursors below
//! guarded:  (aload input; ifnull +; (aload input; getfield; store)*)*
//!           (aload; invokestatic; lstore)*               cursors, see `cursor.rs`
//!           (aload; <field>; invokestatic; store)*       fields farther away, see `far.rs`
//!           (aload kept; aload; <slot>; invokestatic; astore kept)*  what is used up, see `consumed.rs`
//!           goto body
//! caught:   pop                                          a linkage error is not the program's business here
//! body:
//! ```
//! Copies (see `copy.rs`) are made in the same place, in the same guard:
//!
//! ```text
//!           aconst_null; astore copy
//! guarded:  <depth>; <used fields>; invokestatic begin; (dup; aload input; add)*; invokevirtual end; astore copy
//! ```
//! In a second look (see `Policy::look`) the entry is counted last, and captured when the runtime answers below zero:
//!
//! ```text
//!           <method>; invokestatic arrive; istore entries
//!           iload entries; ifge body
//!           <site>; invokestatic arriving; (dup; <value>; put)*; pop; invokestatic arrived
//! body:
//! ```

use recrash_classfile::{
    Assembler, Catch, CodePatch, Error, Jump, Kind, PoolAppender, Position, VerificationType,
    opcode,
};

use crate::consumed;
use crate::copy::Copied;
use crate::cursor;
use crate::far::Read;
use crate::handler::{STACK, Value, put_all};
use crate::mark::Mark;
use crate::method::Method;
use crate::runtime::{Call, JournalCall, Runtime};
use crate::saved::{Choice, Holder, Saved};
use crate::site::Past;

/// What keeps the past of the method's objects, and the variables it is in.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Kept {
    Nothing,
    Copy(Value),
    /// By the place in the thread's journal.
    Journal {
        mark: u16,
    },
}

impl Kept {
    pub(crate) fn kind(self) -> Past {
        match self {
            Kept::Nothing => Past::None,
            Kept::Copy(_) => Past::Copy,
            Kept::Journal { .. } => Past::Journal,
        }
    }

    /// The values in front of the frame's own, and those behind them.
    pub(crate) fn values(self) -> (Vec<Value>, Vec<Value>) {
        match self {
            Kept::Nothing => (Vec::new(), Vec::new()),
            Kept::Copy(copy) => (Vec::new(), vec![copy]),
            Kept::Journal { mark } => (vec![Value::Null], vec![Value::Local(Kind::Int, mark)]),
        }
    }
}

/// The values a handler records, and the code on entry that keeps them.
pub(crate) struct Prologue {
    pub(crate) code: Assembler,
    /// Of each input, the receiver included.
    pub(crate) inputs: Vec<Value>,
    /// Of each saved field, of each cursor, and of what is farther away.
    pub(crate) saved: Vec<Value>,
    /// Of the `$RecrashEntryState`, where there is one.
    pub(crate) past: Kept,
    /// The number of this entry, in a second look.
    pub(crate) entries: Option<Value>,
    /// The kinds of the locals that were added, from slot `max_locals` on.
    pub(crate) added: Vec<Kind>,
    guard: Option<Guard>,
    /// Offsets that are branched to, and how many of the added locals have a value there.
    landings: Vec<(usize, usize)>,
    /// The first slot that is still free.
    pub(crate) next_local: u16,
}

/// Offsets of `guarded`, the end of it and `caught`, and how many of the added locals have a value in there.
struct Guard {
    start: usize,
    end: usize,
    caught: usize,
    added: usize,
}

impl Prologue {
    pub(crate) fn build(
        method: &Method<'_>,
        choice: &Choice<'_>,
        runtime: &mut Runtime,
        pool: &mut PoolAppender<'_>,
    ) -> Result<Self, Error> {
        let fields = &choice.fields;
        let mut prologue = Prologue {
            code: Assembler::new(),
            inputs: Vec::with_capacity(method.inputs.len()),
            saved: Vec::with_capacity(fields.len()),
            past: Kept::Nothing,
            entries: None,
            added: Vec::new(),
            guard: None,
            landings: Vec::new(),
            next_local: method.code.max_locals.max(method.input_slots),
        };
        prologue.copy_inputs(method)?;
        prologue.load_certain(method, fields)?;
        let cursors = choice.cursors.iter().map(|_| cursor::KIND);
        let far = choice.far.holders.iter().chain(&choice.far.fields);
        for kind in cursors.chain(far.map(Read::kind)) {
            let local = prologue.new_local(kind)?;
            prologue.saved.push(Value::Local(kind, local));
            prologue.code.zero(kind);
            prologue.code.store(kind, local);
        }
        let consumed = prologue.local_for_consumed(choice)?;
        if prologue.saved.len() > fields.len()
            || fields.iter().any(|field| !field.certain)
            || consumed.is_some()
        {
            let start = prologue.code.len();
            prologue.load_uncertain(method, fields)?;
            prologue.load_cursors(method, choice, runtime, pool)?;
            prologue.load_far(method, choice, runtime, pool)?;
            if let Some(local) = consumed {
                prologue.keep_consumed(method, choice, local, runtime, pool)?;
            }
            prologue.guard_from(start)?;
        }
        Ok(prologue)
    }

    fn new_local(&mut self, kind: Kind) -> Result<u16, Error> {
        let local = self.next_local;
        self.next_local = local
            .checked_add(kind.slots())
            .ok_or_else(|| Error::TooManySlots)?;
        self.added.push(kind);
        Ok(local)
    }

    fn copy_inputs(&mut self, method: &Method<'_>) -> Result<(), Error> {
        for (number, input) in method.inputs.iter().enumerate() {
            let value = if input.intact {
                Value::Local(input.kind, input.slot)
            } else if number == 0 && method.is_constructor {
                // It cannot be copied before super(...), and afterwards it is no longer there.
                Value::Null
            } else {
                let local = self.new_local(input.kind)?;
                self.code.load(input.kind, input.slot);
                self.code.store(input.kind, local);
                Value::Local(input.kind, local)
            };
            self.inputs.push(value);
        }
        Ok(())
    }

    /// Those that cannot fail, and defaults for the others.
    fn load_certain(&mut self, method: &Method<'_>, fields: &[Saved<'_>]) -> Result<(), Error> {
        for field in fields {
            let local = self.new_local(field.kind())?;
            self.saved.push(Value::Local(field.kind(), local));
            if field.certain {
                self.load_field(method, field, local);
            } else {
                self.code.zero(field.kind());
                self.code.store(field.kind(), local);
            }
        }
        Ok(())
    }

    fn load_uncertain(&mut self, method: &Method<'_>, fields: &[Saved<'_>]) -> Result<(), Error> {
        for (number, input) in method.inputs.iter().enumerate() {
            let uncertain =
                |field: &Saved<'_>| usize::from(field.input) == number && !field.certain;
            if !fields.iter().any(uncertain) {
                continue;
            }
            // The receiver is never null.
            let nothing = (number > 0 || !method.has_receiver).then(|| {
                self.code.load(Kind::Reference, input.slot);
                self.code.jump(opcode::IFNULL)
            });
            for (place, field) in fields.iter().enumerate() {
                if let (true, Some(&Value::Local(_, local))) =
                    (uncertain(field), self.saved.get(place))
                {
                    self.load_field(method, field, local);
                }
            }
            if let Some(jump) = nothing {
                self.land(&jump)?;
            }
        }
        Ok(())
    }

    fn load_cursors(
        &mut self,
        method: &Method<'_>,
        choice: &Choice<'_>,
        runtime: &mut Runtime,
        pool: &mut PoolAppender<'_>,
    ) -> Result<(), Error> {
        for (place, followed) in (choice.fields.len()..).zip(&choice.cursors) {
            if let (Some(holder), Some(local)) = (self.held(method, followed.of), self.local(place))
            {
                self.code.load(Kind::Reference, holder);
                let call = runtime.call(Call::Cursor(followed.cursor), pool)?;
                self.code.op_index(opcode::INVOKESTATIC, call);
                self.code.store(cursor::KIND, local);
            }
        }
        Ok(())
    }

    fn load_far(
        &mut self,
        method: &Method<'_>,
        choice: &Choice<'_>,
        runtime: &mut Runtime,
        pool: &mut PoolAppender<'_>,
    ) -> Result<(), Error> {
        let first = choice.fields.len() + choice.cursors.len();
        let reads = choice.far.holders.iter().chain(&choice.far.fields);
        for (place, read) in (first..).zip(reads) {
            if let (Some(holder), Some(local)) = (self.held(method, read.of), self.local(place)) {
                self.code.load(Kind::Reference, holder);
                runtime.push_number(read.number, &mut self.code, pool)?;
                let letter = read.member().descriptor.first().copied();
                let call = runtime.call(Call::Far(letter.unwrap_or_default()), pool)?;
                self.code.op_index(opcode::INVOKESTATIC, call);
                self.code.store(read.kind(), local);
            }
        }
        Ok(())
    }

    /// The variable for what is used up, where there is any.
    fn local_for_consumed(&mut self, choice: &Choice<'_>) -> Result<Option<u16>, Error> {
        let is_any = !choice.consumed.is_empty();
        is_any.then(|| self.local_for_copy()).transpose()
    }

    /// The variable for what is kept beside the fields, nothing at first.
    fn local_for_copy(&mut self) -> Result<u16, Error> {
        let local = self.new_local(Kind::Reference)?;
        self.past = Kept::Copy(Value::Local(Kind::Reference, local));
        self.code.zero(Kind::Reference);
        self.code.store(Kind::Reference, local);
        Ok(local)
    }

    fn keep_consumed(
        &mut self,
        method: &Method<'_>,
        choice: &Choice<'_>,
        local: u16,
        runtime: &mut Runtime,
        pool: &mut PoolAppender<'_>,
    ) -> Result<(), Error> {
        for &of in &choice.consumed {
            if let Some(holder) = self.held(method, of) {
                self.code.load(Kind::Reference, local);
                self.code.load(Kind::Reference, holder);
                self.code.push_int(consumed::slot(method), pool)?;
                let call = runtime.call(Call::Consumed, pool)?;
                self.code.op_index(opcode::INVOKESTATIC, call);
                self.code.store(Kind::Reference, local);
            }
        }
        Ok(())
    }

    /// The variable that refers to an object.
    fn held(&self, method: &Method<'_>, holder: Holder) -> Option<u16> {
        match holder {
            Holder::Input(input) => method.slot(input),
            Holder::Kept(kept) => self.local(usize::from(kept)),
        }
    }

    /// The variable of a saved value.
    fn local(&self, saved: usize) -> Option<u16> {
        match self.saved.get(saved) {
            Some(&Value::Local(_, local)) => Some(local),
            _ => None,
        }
    }

    /// Whatever is thrown from `start` to here is dropped, and the method goes on.
    fn guard_from(&mut self, start: usize) -> Result<(), Error> {
        let end = self.code.len();
        let body = self.code.jump(opcode::GOTO);
        let caught = self.code.len();
        self.code.op(opcode::POP);
        self.land(&body)?;
        self.guard = Some(Guard {
            start,
            end,
            caught,
            added: self.added.len(),
        });
        Ok(())
    }

    /// Lets a jump lead here. All locals that were added up to here have a value by now.
    fn land(&mut self, jump: &Jump) -> Result<(), Error> {
        self.code.land(jump)?;
        self.landings.push((self.code.len(), self.added.len()));
        Ok(())
    }

    /// Copies what the method was given. Not together with fields that are loaded here.
    pub(crate) fn copy(
        &mut self,
        copied: &Copied,
        runtime: &mut Runtime,
        pool: &mut PoolAppender<'_>,
    ) -> Result<(), Error> {
        let local = self.local_for_copy()?;
        let start = self.code.len();
        self.code.push_int(copied.depth as i32, pool)?;
        match &copied.used {
            Some(names) => self.code.push_string(names, pool)?,
            None => self.code.zero(Kind::Reference),
        }
        let mut call = |code: &mut Assembler, opcode, call| {
            code.op_index(opcode, runtime.call(call, pool)?);
            Ok::<_, Error>(())
        };
        call(&mut self.code, opcode::INVOKESTATIC, Call::BeginCopy)?;
        for &slot in &copied.slots {
            self.code.op(opcode::DUP);
            self.code.load(Kind::Reference, slot);
            call(&mut self.code, opcode::INVOKEVIRTUAL, Call::AddToCopy)?;
        }
        call(&mut self.code, opcode::INVOKEVIRTUAL, Call::EndCopy)?;
        self.code.store(Kind::Reference, local);
        self.guard_from(start)
    }

    fn load_field(&mut self, method: &Method<'_>, field: &Saved<'_>, local: u16) {
        let slot = method.slot(field.input).unwrap_or(0);
        self.code.load(Kind::Reference, slot);
        self.code.op_index(opcode::GETFIELD, field.index);
        self.code.store(field.kind(), local);
    }

    /// Counts the entry into the second look's method `number` and captures it where that is due.
    pub(crate) fn count_entry(
        &mut self,
        number: usize,
        site: u32,
        method: &Method<'_>,
        runtime: &mut Runtime,
        pool: &mut PoolAppender<'_>,
    ) -> Result<(), Error> {
        let local = self.new_local(Kind::Int)?;
        let entries = Value::Local(Kind::Int, local);
        self.code.push_int(number as i32, pool)?;
        self.code
            .op_index(opcode::INVOKESTATIC, runtime.call(Call::Arrive, pool)?);
        self.code.store(Kind::Int, local);
        self.code.load(Kind::Int, local);
        let body = self.code.jump(opcode::IFGE);
        let mut values = self.inputs.clone();
        if method.is_constructor
            && let Some(receiver) = values.first_mut()
        {
            // It does not exist yet.
            *receiver = Value::Null;
        }
        values.push(entries);
        self.code.push_int(site as i32, pool)?;
        self.code
            .op_index(opcode::INVOKESTATIC, runtime.call(Call::Arriving, pool)?);
        put_all(values.iter(), &mut self.code, runtime, pool)?;
        self.code.op(opcode::POP);
        self.code
            .op_index(opcode::INVOKESTATIC, runtime.call(Call::Arrived, pool)?);
        self.land(&body)?;
        self.entries = Some(entries);
        Ok(())
    }

    /// Keeps how far the thread's journal is. Where that is asked for later, the code to put in front of an instruction.
    pub(crate) fn keep_mark(
        &mut self,
        mark: Mark,
        runtime: &mut Runtime,
        pool: &mut PoolAppender<'_>,
    ) -> Result<Option<(usize, Vec<u8>)>, Error> {
        if mark == Mark::Needless {
            return Ok(None);
        }
        let place = self.new_local(Kind::Int)?;
        self.past = Kept::Journal { mark: place };
        let now = runtime.call(Call::Journal(JournalCall::Now), pool)?;
        let mut asked = Assembler::new();
        asked.op_index(opcode::INVOKESTATIC, now);
        asked.store(Kind::Int, place);
        if let Mark::Before(pc) = mark {
            // Nothing has been written yet; no place is zero.
            self.code.zero(Kind::Int);
            self.code.store(Kind::Int, place);
            return Ok(Some((pc, asked.into_bytes())));
        }
        self.code.append(asked);
        Ok(None)
    }

    /// Hands the code over to the patch. `entry` are the exact locals on entry.
    pub(crate) fn insert(
        self,
        entry: &[VerificationType],
        method: &Method<'_>,
        patch: &mut CodePatch,
        runtime: &mut Runtime,
        pool: &mut PoolAppender<'_>,
    ) -> Result<(), Error> {
        let object = VerificationType::Object(runtime.object(pool)?);
        let new_locals: Vec<_> = self
            .added
            .iter()
            .map(|&kind| kept_as(kind, object))
            .collect();
        patch.max_stack = STACK;
        let mut landings = self.landings;
        landings.dedup();
        let given = |added: usize| new_locals.get(..added).unwrap_or(&new_locals);
        for (offset, added) in landings {
            let at = if offset == self.code.len() {
                Position::Instruction(0)
            } else {
                Position::Inserted(0, offset)
            };
            patch.place_frame(
                at,
                with_added(entry.iter().copied(), method, given(added)),
                None,
            );
        }
        if let Some(guard) = self.guard {
            let throwable = VerificationType::Object(runtime.throwable(pool)?);
            let caught = Position::Inserted(0, guard.caught);
            patch.place_frame(
                caught,
                with_added(entry.iter().copied(), method, given(guard.added)),
                Some(throwable),
            );
            patch.catches.push(Catch {
                start: Position::Inserted(0, guard.start),
                end: Position::Inserted(0, guard.end),
                target: caught,
                catch_type: 0,
            });
        }
        patch.new_locals = new_locals;
        patch.insertions.push(recrash_classfile::Insertion {
            pc: 0,
            code: self.code.into_bytes(),
            joined: false,
        });
        Ok(())
    }
}

/// References are kept as plain objects: the handler asks no more of them.
pub(crate) fn kept_as(kind: Kind, object: VerificationType) -> VerificationType {
    match kind {
        Kind::Int => VerificationType::Integer,
        Kind::Long => VerificationType::Long,
        Kind::Float => VerificationType::Float,
        Kind::Double => VerificationType::Double,
        Kind::Reference => object,
    }
}

/// `inputs`, which take the slots they have on entry, nothing in the body's own slots, and the added locals.
pub(crate) fn with_added(
    inputs: impl Iterator<Item = VerificationType>,
    method: &Method<'_>,
    added: &[VerificationType],
) -> impl Iterator<Item = VerificationType> {
    let own = if added.is_empty() {
        0
    } else {
        method.code.max_locals.saturating_sub(method.input_slots)
    };
    let nothing = std::iter::repeat_n(VerificationType::Top, usize::from(own));
    inputs.chain(nothing).chain(added.iter().copied())
}
