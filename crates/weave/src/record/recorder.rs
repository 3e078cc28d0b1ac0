//! The pass that makes frames tell what they were given: decides what is kept on entry, what is noted, and where handlers go.

use recrash_advice::MethodAdvice;
use recrash_classfile::{ClassFile, Error, Member, Position, access};

use crate::constants::Constants;
use crate::find::callees::{self, Known};
use crate::find::constructor::{self, SuperCall};
use crate::find::heights::Heights;
use crate::find::method::{Method, Methods};
use crate::find::receiver::{only_receiver_is_written, trace_receiver};
use crate::find::tracer::trace;
use crate::journal::mark::Mark;
use crate::journal::notes::Journal;
use crate::journal::write::{self, NoteWriter};
use crate::offline::{self, Sleep};
use crate::pass::Pass;
use crate::plan::Plan;
use crate::policy::{Offline, Policy};
use crate::reason::SkipReason;
use crate::record::choice::Choice;
use crate::record::handler::Handler;
use crate::record::prologue::Prologue;
use crate::record::saved::choose;
use crate::record::value::Value;
use crate::record::{copy, cursor, far, site};
use crate::runtime::Runtime;
use crate::site::table::SiteTable;
use crate::site::{Past, Place};
use crate::strategy::Strategy;

/// Gives handlers to the methods of one class, and notes to those that get none.
pub(crate) struct Recorder<'p> {
    policy: &'p Policy,
    /// The class as it is in its file.
    original: &'p [u8],
    runtime: Runtime,
    pub(crate) sites: SiteTable,
    heights: Heights,
    /// What a look at the whole program says of the class.
    advice: Vec<MethodAdvice>,
    /// By method, where anything had to be looked into.
    known: Vec<Known>,
    /// By method, Fieldrefs of cursors that it reads, itself or by callees, see `cursor.rs`.
    cursors: Vec<Vec<u16>>,
    /// Where handlers sleep, see `offline.rs`.
    sleep: Option<Sleep>,
    attempt: Attempt,
    /// How many sites there were before the method at hand.
    before: usize,
}

/// What the method at hand gets.
#[derive(Debug, Clone, Copy)]
enum Attempt {
    /// A handler.
    Handler,
    /// The same, with something beside it that it can go without.
    Everything {
        super_call: Option<SuperCall>,
        mark: Mark,
    },
    /// That was too much: what is left of it.
    FrameAlone {
        super_call: Option<SuperCall>,
        mark: Mark,
    },
    /// Notes without a handler.
    Notes,
    Nothing,
}

/// Whether `java` may start it.
fn is_program(member: &Member<'_>) -> bool {
    member.is(access::STATIC)
        && member.name == b"main"
        && member.descriptor == b"([Ljava/lang/String;)V"
}

impl<'p> Recorder<'p> {
    pub(crate) fn new(
        class: &ClassFile<'_>,
        original: &'p [u8],
        first_site: u32,
        policy: &'p Policy,
    ) -> Self {
        let advice = policy.advice.iter().find_map(|advice| advice.of(original));
        Recorder {
            policy,
            original,
            runtime: Runtime::default(),
            sites: SiteTable::new(class.name, first_site),
            heights: Heights::default(),
            advice: advice.unwrap_or_default(),
            known: Vec::new(),
            cursors: Vec::new(),
            sleep: None,
            attempt: Attempt::Nothing,
            before: 0,
        }
    }

    /// Whether the policy asks for this method.
    fn is_worth_it(&self, method: &Method<'_>) -> bool {
        if self.policy.look.is_some() {
            return self.watched(method).is_some();
        }
        let class = || method.class.binary_name();
        let instructions = method.scan.instructions;
        // `main` is entered once, and the one frame from which everything can be looked at again: never too small.
        let counts = is_program(method.member)
            || instructions <= self.policy.trivial
                && self.policy.is_own
                && method.passes_on()
                && !method.member.is(access::BRIDGE);
        let instructions = if counts && self.policy.only.is_none() {
            usize::MAX
        } else {
            instructions
        };
        self.policy
            .monitors(class, method.member.name, instructions)
    }

    fn watched(&self, method: &Method<'_>) -> Option<usize> {
        self.policy.look.as_ref()?;
        let member = method.member;
        let class = method.class.binary_name();
        self.policy.watched(&class, member.name, member.descriptor)
    }

    /// A second look captures entry values on entry; nothing needs to lead back to them.
    fn strategy(&self) -> Strategy {
        match self.policy.look {
            Some(_) => Strategy::Reference,
            None => self.policy.strategy,
        }
    }

    /// Whether frames remember how far the journal was.
    fn keeps_journal(&self) -> bool {
        self.strategy().keeps_journal()
    }

    /// Whether methods note what they write.
    fn takes_notes(&self) -> bool {
        self.keeps_journal() && !self.policy.gives_way
    }

    /// Whether fields that methods write are kept in variables.
    fn saves_fields(&self) -> bool {
        match self.strategy() {
            Strategy::Auto => true,
            Strategy::Undo { .. } => self.policy.gives_way,
            Strategy::Reference | Strategy::Copy(_) => false,
        }
    }

    /// What is worth keeping beside references.
    fn choose<'c>(
        &mut self,
        method: &Method<'c>,
    ) -> Result<(Choice<'c>, Option<SuperCall>, Journal), SkipReason> {
        let known = self.known.get_mut(method.index).map(std::mem::take);
        let Known {
            mut origins,
            writes,
        } = known.unwrap_or_default();
        if self.saves_fields() && origins.is_none() && !method.scan.puts.is_empty() {
            if !only_receiver_is_written(method)? {
                origins = Some(trace(method, &[], &mut self.heights)?);
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
            choice.fields = choose(method, origins, &writes, self.policy.saved_fields)?;
        }
        // What is woven ahead of time runs without the runtime, too.
        if self.strategy() == Strategy::Auto && self.policy.offline.is_none() {
            let cursors = self
                .cursors
                .get(method.index)
                .map_or(&[][..], Vec::as_slice);
            cursor::choose(method, cursors, &mut choice)?;
            far::choose(method, &self.advice, &mut choice, &mut self.sites);
        }
        let mut journal = Journal::default();
        if self.keeps_journal() {
            journal = Journal::of_program(method, super_call, &mut self.heights)?;
            if self.policy.gives_way {
                // What it calls may note what it writes all the same, so the mark stays.
                journal = Journal::of_mark(journal.mark);
            }
        }
        Ok((choice, super_call, journal))
    }

    /// Keeps what was chosen on entry, and adds the handlers that hand it over.
    fn record<'c>(
        &mut self,
        method: &Method<'c>,
        choice: &Choice<'c>,
        super_call: Option<SuperCall>,
        journal: &Journal,
        plan: &mut Plan<'c>,
    ) -> Result<(), SkipReason> {
        plan.stay_compilable();
        let mut prologue = Prologue::build(method, choice, plan, &mut self.runtime)?;
        if let Strategy::Copy(copying) = self.strategy()
            && let Some(copied) = copy::choose(method, copying)?
        {
            prologue.copy(&copied, plan, &mut self.runtime)?;
        }
        let later = prologue.keep_mark(journal.mark, plan, &mut self.runtime)?;
        let past = prologue.past;
        let (kind, (before, behind)) = (past.kind(), past.values());
        self.notes().on_entry(method, journal, plan)?;
        let (inputs, saved) = (prologue.inputs.as_slice(), prologue.saved.as_slice());
        let kept = [before.as_slice(), inputs, saved, &behind];
        let body = site::add(&mut self.sites, method, Place::Body, choice, kind, &kept)?;
        if let Some(number) = self.watched(method) {
            prologue.count_entry(number, body, method, plan, &mut self.runtime)?;
        }
        if super_call.is_some_and(|call| call.calls_application) {
            // No code refers to it: the runtime finds the frame, and the arguments in it, on the stack.
            let kept = [before.as_slice(), &prologue.inputs, &behind];
            let (place, nothing) = (Place::InsideSuper, Choice::default());
            site::add(&mut self.sites, method, place, &nothing, kind, &kept)?;
        }
        let before_super = match super_call.filter(|call| call.arguments_can_throw) {
            Some(call) => {
                let place = Place::BeforeSuper;
                let site = site::add(&mut self.sites, method, place, choice, kind, &[])?;
                Some((call, site))
            }
            None => None,
        };
        let mut values = std::mem::take(&mut prologue.inputs);
        values.extend(&prologue.saved);
        values.extend(behind);
        values.extend(prologue.entries);
        if let Some((pc, asked)) = later {
            plan.before(pc, asked);
        }
        self.notes().at_writes(method, journal, plan)?;
        ask_for_frames(method, plan)?;
        let handler = Handler {
            site: body,
            place: Place::Body,
            start: Position::Instruction(super_call.map_or(0, |call| call.after)),
            end: Position::Boundary(method.code.bytes.len()),
            values: &values,
            marked: kind == Past::Journal,
            keep: plan.slot_for_throwable(method)?,
            catch_type: self.sleep.map_or(0, |sleep| sleep.class),
        };
        handler.append(method, plan, &mut self.runtime)?;
        if let Some((call, site)) = before_super {
            let mut unborn = values.clone();
            if let Some(receiver) = unborn.first_mut() {
                *receiver = Value::Null;
            }
            let handler = Handler {
                site,
                place: Place::BeforeSuper,
                start: Position::Instruction(0),
                end: Position::Boundary(call.pc),
                values: &unborn,
                ..handler
            };
            handler.append(method, plan, &mut self.runtime)?;
        }
        if !journal.is_empty() || matches!(journal.mark, Mark::Before(_)) {
            plan.needs_stack_on_top(method, write::STACK);
        }
        Ok(self.notes().detours(method, journal, plan)?)
    }

    fn notes(&mut self) -> NoteWriter<'_> {
        NoteWriter {
            runtime: &mut self.runtime,
            sites: &mut self.sites,
        }
    }

    /// What a method without a handler notes all the same.
    fn note_alone<'c>(
        &mut self,
        method: &Method<'c>,
        plan: &mut Plan<'c>,
    ) -> Result<(), SkipReason> {
        let super_call = if method.is_constructor {
            Some(constructor::find(method, None, &mut self.heights)?)
        } else {
            None
        };
        let journal = Journal::of_program(method, super_call, &mut self.heights)?;
        if journal.is_empty() {
            return Ok(());
        }
        plan.stay_compilable();
        Ok(self.notes().alone(method, &journal, plan)?)
    }
}

/// Has the constants that the frames of code on entry name put in front of those of handlers.
fn ask_for_frames(method: &Method<'_>, plan: &mut Plan<'_>) -> Result<(), Error> {
    plan.ask_for_locals(method)?;
    if !plan.entry.code.is_empty() {
        plan.constants.object()?;
        if plan.entry.is_guarded() {
            plan.constants.throwable()?;
        }
    }
    Ok(())
}

impl Pass for Recorder<'_> {
    /// Accessors that compilers make for nested classes only pass a call on; lambda bodies and bridges are monitored like
    /// any other method once they do more than a handful of instructions.
    fn considers(&self, member: &Member<'_>) -> bool {
        let accessor = member.is(access::SYNTHETIC) && member.name.starts_with(b"access$");
        !member.is(access::ABSTRACT | access::NATIVE) && !accessor
    }

    fn follows_calls(&self) -> bool {
        self.saves_fields()
    }

    /// Nothing has to be looked into in most classes.
    fn find<'c>(
        &mut self,
        methods: &Methods<'c>,
        constants: &mut Constants<'c>,
    ) -> Result<(), Error> {
        if self.policy.offline == Some(Offline::Asleep) {
            self.sleep = Some(Sleep::prepare(&mut constants.pool)?);
        }
        if !self.saves_fields() {
            return Ok(());
        }
        let Methods { class, all, own } = methods;
        // What is wrong with one of them is found again, and said, when it is woven.
        if self.strategy() == Strategy::Auto {
            let read = cursor::read_by(class, all, own).unwrap_or_default();
            self.cursors = by_index(read, methods);
        }
        let known = callees::look_into(all, own, &mut self.heights).unwrap_or_default();
        self.known = by_index(known, methods);
        Ok(())
    }

    fn wants(&mut self, method: &Method<'_>) -> bool {
        self.before = self.sites.len();
        self.attempt = if self.is_worth_it(method) {
            Attempt::Handler
        } else if self.takes_notes() {
            Attempt::Notes
        } else {
            Attempt::Nothing
        };
        !matches!(self.attempt, Attempt::Nothing)
    }

    fn plan<'c>(&mut self, method: &Method<'c>, plan: &mut Plan<'c>) -> Result<(), SkipReason> {
        match self.attempt {
            Attempt::Handler | Attempt::Everything { .. } => {
                let (choice, super_call, journal) = self.choose(method)?;
                if !journal.is_empty() || choice != Choice::default() {
                    let mark = journal.mark;
                    self.attempt = Attempt::Everything { super_call, mark };
                }
                self.record(method, &choice, super_call, &journal, plan)
            }
            Attempt::FrameAlone { super_call, mark } => {
                let (choice, journal) = (Choice::default(), Journal::of_mark(mark));
                self.record(method, &choice, super_call, &journal, plan)
            }
            Attempt::Notes => self.note_alone(method, plan),
            Attempt::Nothing => Ok(()),
        }
    }

    /// Where there is no room for everything, the frame itself comes first.
    fn undo(&mut self, _method: &Method<'_>, why: &SkipReason) -> Option<SkipReason> {
        self.runtime = Runtime::default();
        self.sites.truncate(self.before);
        self.attempt = match (self.attempt, why) {
            (
                Attempt::Everything { super_call, mark },
                SkipReason::TooLongToCompile | SkipReason::CannotPatch(_),
            ) => Attempt::FrameAlone { super_call, mark },
            (Attempt::Notes, SkipReason::TooLongToCompile) => Attempt::Nothing,
            _ => return None,
        };
        Some(SkipReason::TooLongToKeepWrites)
    }

    fn finish(&mut self, constants: &mut Constants<'_>) -> Result<(), Error> {
        self.sites.shrink();
        match self.policy.offline {
            Some(_) => offline::keep(self.original, &self.sites, self.sleep, &mut constants.pool),
            None => Ok(()),
        }
    }
}

/// What was found of each of some methods, by their places in the class; nothing where nothing was found.
fn by_index<T: Default>(found: Vec<T>, methods: &Methods<'_>) -> Vec<T> {
    let mut by_index = Vec::new();
    if !found.is_empty() {
        by_index.resize_with(methods.class.methods.len(), T::default);
    }
    for (found, method) in found.into_iter().zip(&methods.all) {
        if let Some(place) = by_index.get_mut(method.index) {
            *place = found;
        }
    }
    by_index
}
