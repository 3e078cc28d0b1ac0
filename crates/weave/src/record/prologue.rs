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

use recrash_classfile::{Assembler, Error, Kind, opcode};

use crate::find::method::Method;
use crate::journal::mark::Mark;
use crate::plan::Plan;
use crate::record::choice::{CURSOR, Choice, Holder, Read, Saved};
use crate::record::consumed;
use crate::record::copy::Copied;
use crate::record::value::{Value, put_all};
use crate::runtime::{Call, JournalCall, Runtime};
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

/// The values a handler records, kept by code on entry.
pub(crate) struct Prologue {
    /// Of each input, the receiver included.
    pub(crate) inputs: Vec<Value>,
    /// Of each saved field, of each cursor, and of what is farther away.
    pub(crate) saved: Vec<Value>,
    /// Of the `$RecrashEntryState`, where there is one.
    pub(crate) past: Kept,
    /// The number of this entry, in a second look.
    pub(crate) entries: Option<Value>,
}

impl Prologue {
    pub(crate) fn build(
        method: &Method<'_>,
        choice: &Choice<'_>,
        plan: &mut Plan<'_>,
        runtime: &mut Runtime,
    ) -> Result<Self, Error> {
        let fields = &choice.fields;
        let mut prologue = Prologue {
            inputs: Vec::with_capacity(method.inputs.len()),
            saved: Vec::with_capacity(fields.len()),
            past: Kept::Nothing,
            entries: None,
        };
        prologue.copy_inputs(method, plan)?;
        prologue.load_certain(method, fields, plan)?;
        let cursors = choice.cursors.iter().map(|_| CURSOR);
        let far = choice.far.holders.iter().chain(&choice.far.fields);
        for kind in cursors.chain(far.map(Read::kind)) {
            let local = plan.entry.new_local(kind)?;
            prologue.saved.push(Value::Local(kind, local));
            plan.entry.code.zero(kind);
            plan.entry.code.store(kind, local);
        }
        let consumed = prologue.local_for_consumed(choice, plan)?;
        if prologue.saved.len() > fields.len()
            || fields.iter().any(|field| !field.certain)
            || consumed.is_some()
        {
            let start = plan.entry.code.len();
            prologue.load_uncertain(method, fields, plan)?;
            prologue.load_cursors(method, choice, plan, runtime)?;
            prologue.load_far(method, choice, plan, runtime)?;
            if let Some(local) = consumed {
                prologue.keep_consumed(method, choice, local, plan, runtime)?;
            }
            plan.entry.guard_from(start)?;
        }
        Ok(prologue)
    }

    fn copy_inputs(&mut self, method: &Method<'_>, plan: &mut Plan<'_>) -> Result<(), Error> {
        for (number, input) in method.inputs.iter().enumerate() {
            let value = if input.intact {
                Value::Local(input.kind, input.slot)
            } else if number == 0 && method.is_constructor {
                // It cannot be copied before super(...), and afterwards it is no longer there.
                Value::Null
            } else {
                let local = plan.entry.new_local(input.kind)?;
                plan.entry.code.load(input.kind, input.slot);
                plan.entry.code.store(input.kind, local);
                Value::Local(input.kind, local)
            };
            self.inputs.push(value);
        }
        Ok(())
    }

    /// Those that cannot fail, and defaults for the others.
    fn load_certain(
        &mut self,
        method: &Method<'_>,
        fields: &[Saved<'_>],
        plan: &mut Plan<'_>,
    ) -> Result<(), Error> {
        for field in fields {
            let local = plan.entry.new_local(field.kind())?;
            self.saved.push(Value::Local(field.kind(), local));
            if field.certain {
                load_field(method, field, local, &mut plan.entry.code);
            } else {
                plan.entry.code.zero(field.kind());
                plan.entry.code.store(field.kind(), local);
            }
        }
        Ok(())
    }

    fn load_uncertain(
        &self,
        method: &Method<'_>,
        fields: &[Saved<'_>],
        plan: &mut Plan<'_>,
    ) -> Result<(), Error> {
        for (number, input) in method.inputs.iter().enumerate() {
            let uncertain =
                |field: &Saved<'_>| usize::from(field.input) == number && !field.certain;
            if !fields.iter().any(uncertain) {
                continue;
            }
            // The receiver is never null.
            let nothing = (number > 0 || !method.has_receiver).then(|| {
                plan.entry.code.load(Kind::Reference, input.slot);
                plan.entry.code.jump(opcode::IFNULL)
            });
            for (place, field) in fields.iter().enumerate() {
                if let (true, Some(&Value::Local(_, local))) =
                    (uncertain(field), self.saved.get(place))
                {
                    load_field(method, field, local, &mut plan.entry.code);
                }
            }
            if let Some(jump) = nothing {
                plan.entry.land(&jump)?;
            }
        }
        Ok(())
    }

    fn load_cursors(
        &mut self,
        method: &Method<'_>,
        choice: &Choice<'_>,
        plan: &mut Plan<'_>,
        runtime: &mut Runtime,
    ) -> Result<(), Error> {
        for (place, followed) in (choice.fields.len()..).zip(&choice.cursors) {
            if let (Some(holder), Some(local)) = (self.held(method, followed.of), self.local(place))
            {
                plan.entry.code.load(Kind::Reference, holder);
                let call = runtime.call(Call::Cursor(followed.cursor), &mut plan.constants.pool)?;
                plan.entry.code.op_index(opcode::INVOKESTATIC, call);
                plan.entry.code.store(CURSOR, local);
            }
        }
        Ok(())
    }

    fn load_far(
        &mut self,
        method: &Method<'_>,
        choice: &Choice<'_>,
        plan: &mut Plan<'_>,
        runtime: &mut Runtime,
    ) -> Result<(), Error> {
        let first = choice.fields.len() + choice.cursors.len();
        let reads = choice.far.holders.iter().chain(&choice.far.fields);
        for (place, read) in (first..).zip(reads) {
            if let (Some(holder), Some(local)) = (self.held(method, read.of), self.local(place)) {
                plan.entry.code.load(Kind::Reference, holder);
                runtime.push_number(read.number, &mut plan.entry.code, &mut plan.constants.pool)?;
                let letter = read.member().descriptor.first().copied();
                let call = runtime.call(
                    Call::Far(letter.unwrap_or_default()),
                    &mut plan.constants.pool,
                )?;
                plan.entry.code.op_index(opcode::INVOKESTATIC, call);
                plan.entry.code.store(read.kind(), local);
            }
        }
        Ok(())
    }

    /// The variable for what is used up, where there is any.
    fn local_for_consumed(
        &mut self,
        choice: &Choice<'_>,
        plan: &mut Plan<'_>,
    ) -> Result<Option<u16>, Error> {
        let is_any = !choice.consumed.is_empty();
        is_any.then(|| self.local_for_copy(plan)).transpose()
    }

    /// The variable for what is kept beside the fields, nothing at first.
    fn local_for_copy(&mut self, plan: &mut Plan<'_>) -> Result<u16, Error> {
        let local = plan.entry.new_local(Kind::Reference)?;
        self.past = Kept::Copy(Value::Local(Kind::Reference, local));
        plan.entry.code.zero(Kind::Reference);
        plan.entry.code.store(Kind::Reference, local);
        Ok(local)
    }

    fn keep_consumed(
        &mut self,
        method: &Method<'_>,
        choice: &Choice<'_>,
        local: u16,
        plan: &mut Plan<'_>,
        runtime: &mut Runtime,
    ) -> Result<(), Error> {
        for &of in &choice.consumed {
            if let Some(holder) = self.held(method, of) {
                plan.entry.code.load(Kind::Reference, local);
                plan.entry.code.load(Kind::Reference, holder);
                plan.entry
                    .code
                    .push_int(consumed::slot(method), &mut plan.constants.pool)?;
                let call = runtime.call(Call::Consumed, &mut plan.constants.pool)?;
                plan.entry.code.op_index(opcode::INVOKESTATIC, call);
                plan.entry.code.store(Kind::Reference, local);
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

    /// Copies what the method was given. Not together with fields that are loaded here.
    pub(crate) fn copy(
        &mut self,
        copied: &Copied,
        plan: &mut Plan<'_>,
        runtime: &mut Runtime,
    ) -> Result<(), Error> {
        let local = self.local_for_copy(plan)?;
        let code = &mut plan.entry.code;
        let pool = &mut plan.constants.pool;
        let start = code.len();
        code.push_int(copied.depth as i32, pool)?;
        match &copied.used {
            Some(names) => code.push_string(names, pool)?,
            None => code.zero(Kind::Reference),
        }
        let mut call = |code: &mut Assembler, opcode, call| {
            code.op_index(opcode, runtime.call(call, pool)?);
            Ok::<_, Error>(())
        };
        call(code, opcode::INVOKESTATIC, Call::BeginCopy)?;
        for &slot in &copied.slots {
            code.op(opcode::DUP);
            code.load(Kind::Reference, slot);
            call(code, opcode::INVOKEVIRTUAL, Call::AddToCopy)?;
        }
        call(code, opcode::INVOKEVIRTUAL, Call::EndCopy)?;
        code.store(Kind::Reference, local);
        plan.entry.guard_from(start)
    }

    /// Counts the entry into the second look's method `number` and captures it where that is due.
    pub(crate) fn count_entry(
        &mut self,
        number: usize,
        site: u32,
        method: &Method<'_>,
        plan: &mut Plan<'_>,
        runtime: &mut Runtime,
    ) -> Result<(), Error> {
        let entry = &mut plan.entry;
        let pool = &mut plan.constants.pool;
        let local = entry.new_local(Kind::Int)?;
        let entries = Value::Local(Kind::Int, local);
        entry.code.push_int(number as i32, pool)?;
        let arrive = runtime.call(Call::Arrive, pool)?;
        entry.code.op_index(opcode::INVOKESTATIC, arrive);
        entry.code.store(Kind::Int, local);
        entry.code.load(Kind::Int, local);
        let body = entry.code.jump(opcode::IFGE);
        let mut values = self.inputs.clone();
        if method.is_constructor
            && let Some(receiver) = values.first_mut()
        {
            // It does not exist yet.
            *receiver = Value::Null;
        }
        values.push(entries);
        entry.code.push_int(site as i32, pool)?;
        let arriving = runtime.call(Call::Arriving, pool)?;
        entry.code.op_index(opcode::INVOKESTATIC, arriving);
        put_all(values.iter(), &mut entry.code, runtime, pool)?;
        entry.code.op(opcode::POP);
        let arrived = runtime.call(Call::Arrived, pool)?;
        entry.code.op_index(opcode::INVOKESTATIC, arrived);
        entry.land(&body)?;
        self.entries = Some(entries);
        Ok(())
    }

    /// Keeps how far the thread's journal is. Where that is asked for later, the code to put in front of an instruction.
    pub(crate) fn keep_mark(
        &mut self,
        mark: Mark,
        plan: &mut Plan<'_>,
        runtime: &mut Runtime,
    ) -> Result<Option<(usize, Assembler)>, Error> {
        if mark == Mark::Needless {
            return Ok(None);
        }
        let place = plan.entry.new_local(Kind::Int)?;
        self.past = Kept::Journal { mark: place };
        let now = runtime.call(Call::Journal(JournalCall::Now), &mut plan.constants.pool)?;
        let mut asked = Assembler::new();
        asked.op_index(opcode::INVOKESTATIC, now);
        asked.store(Kind::Int, place);
        if let Mark::Before(pc) = mark {
            // Nothing has been written yet; no place is zero.
            plan.entry.code.zero(Kind::Int);
            plan.entry.code.store(Kind::Int, place);
            return Ok(Some((pc, asked)));
        }
        plan.entry.code.append(asked);
        Ok(None)
    }
}

fn load_field(method: &Method<'_>, field: &Saved<'_>, local: u16, code: &mut Assembler) {
    let slot = method.slot(field.input).unwrap_or(0);
    code.load(Kind::Reference, slot);
    code.op_index(opcode::GETFIELD, field.index);
    code.store(field.kind(), local);
}
