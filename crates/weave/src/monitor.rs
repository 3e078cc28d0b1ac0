//! Weaves one method: decides what is kept on entry, where handlers go, and applies the patch.

use recrash_classfile::{Assembler, ClassFile, CodePatch, Entry, Error, PoolAppender, Position};

use crate::callees::{self, Known};
use crate::constructor::{self, SuperCall};
use crate::copy;
use crate::handler::{Handler, Value};
use crate::method::Method;
use crate::offline::Sleep;
use crate::origin::{Heights, only_receiver_is_written, trace, trace_receiver};
use crate::prologue::Prologue;
use crate::runtime::Runtime;
use crate::saved::{Saved, choose};
use crate::site::{Place, SkipReason};
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
    /// Where handlers sleep, see `offline.rs`.
    pub(crate) sleep: Option<Sleep>,
}

impl<'c> Loom<'c> {
    /// Whether the policy asks for this method.
    pub(crate) fn is_worth_it(&self, method: &Method<'_>) -> bool {
        if self.policy.look.is_some() {
            return self.watched(method).is_some();
        }
        let class = || self.class.binary_name();
        self.policy
            .monitors(class, method.member.name, method.scan.instructions)
    }

    fn watched(&self, method: &Method<'_>) -> Option<usize> {
        self.policy.look.as_ref()?;
        let member = method.member;
        let class = self.class.binary_name();
        self.policy.watched(&class, member.name, member.descriptor)
    }

    /// Which Methodrefs are to be followed, see [`callees`].
    pub(crate) fn own_methodrefs(&self) -> Vec<bool> {
        match self.strategy() {
            Strategy::Auto => callees::own_methodrefs(self.class),
            _ => Vec::new(),
        }
    }

    /// What is to be known of the methods together before each is woven; nothing for most classes.
    pub(crate) fn look_into(&mut self, methods: &mut [Method<'_>], own: &[bool]) -> Vec<Known> {
        // What is wrong with one of them is found again, and said, when it is woven.
        callees::look_into(methods, own, &mut self.heights).unwrap_or_default()
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
        let saves = self.strategy() == Strategy::Auto;
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
        let fields = match &origins {
            Some(origins) => choose(method, origins, &known.writes, self.policy.saved_fields)?,
            None => Vec::new(),
        };
        let mut patch = std::mem::take(&mut self.patch);
        patch.clear();
        let entry = self.assemble(method, &fields, super_call, &mut patch);
        let written =
            entry.and_then(|entry| Ok(patch.apply(&method.code, entry, &mut self.pool, out)?));
        self.patch = patch;
        written
    }

    /// Fills the patch, and says what the stack map starts from.
    fn assemble(
        &mut self,
        method: &Method<'c>,
        fields: &[Saved<'c>],
        super_call: Option<SuperCall>,
        patch: &mut CodePatch,
    ) -> Result<Entry, SkipReason> {
        let mut prologue = Prologue::build(method, fields)?;
        if let Strategy::Copy(copying) = self.strategy()
            && let Some(copied) = copy::choose(method, copying)?
        {
            prologue.copy(&copied, &mut self.runtime, &mut self.pool)?;
        }
        let past = prologue.past;
        let (inputs, saved) = (prologue.inputs.as_slice(), prologue.saved.as_slice());
        let kept = [inputs, saved, past.as_slice()];
        let body = self
            .sites
            .add(method, Place::Body, fields, past.is_some(), &kept)?;
        if let Some(number) = self.watched(method) {
            prologue.count_entry(number, body, method, &mut self.runtime, &mut self.pool)?;
        }
        if super_call.is_some_and(|call| call.calls_application) {
            // No code refers to it: the runtime finds the frame, and the arguments in it, on the stack.
            let kept = [prologue.inputs.as_slice(), past.as_slice()];
            self.sites
                .add(method, Place::InsideSuper, &[], past.is_some(), &kept)?;
        }
        let before = match super_call.filter(|call| call.arguments_can_throw) {
            Some(call) => Some((
                call,
                self.sites
                    .add(method, Place::BeforeSuper, fields, past.is_some(), &[])?,
            )),
            None => None,
        };

        let mut values = std::mem::take(&mut prologue.inputs);
        let added = prologue.saved.iter().chain(&past);
        values.extend(added.chain(&prologue.entries));
        let keep = if method.input_slots < method.code.max_locals {
            method.input_slots
        } else {
            prologue.next_local
        };
        let entry = self.insert(method, prologue, patch)?;
        let mut code = Assembler::reusing(std::mem::take(&mut patch.appended));
        let catch_type = self.sleep.map_or(0, |sleep| sleep.class);
        let start = Position::Instruction(super_call.map_or(0, |call| call.after));
        let end = Position::Boundary(method.code.bytes.len());
        Handler {
            site: body,
            place: Place::Body,
            start,
            end,
            values: &values,
            keep,
            catch_type,
        }
        .append(method, &mut code, patch, &mut self.runtime, &mut self.pool)?;
        if let Some((call, site)) = before {
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
                keep,
                catch_type,
            }
            .append(method, &mut code, patch, &mut self.runtime, &mut self.pool)?;
        }
        patch.appended = code.into_bytes();
        let old = method.code.bytes.len();
        let inserted: usize = patch
            .insertions
            .iter()
            .map(|insertion| insertion.code.len())
            .sum();
        if old <= LONGEST_COMPILED && old + inserted + patch.appended.len() > LONGEST_COMPILED {
            return Err(SkipReason::TooLongToCompile);
        }
        Ok(entry)
    }

    /// Puts the code on entry into the patch, and says what the stack map starts from.
    fn insert(
        &mut self,
        method: &Method<'c>,
        prologue: Prologue,
        patch: &mut CodePatch,
    ) -> Result<Entry, Error> {
        let has_frames = self.class.major >= 50;
        if prologue.code.is_empty() {
            return Ok(if has_frames {
                Entry::Unmoved {
                    last_frame: method.last_frame,
                }
            } else {
                Entry::NoFrames
            });
        }
        let initial = if has_frames {
            method.exact_locals(&mut self.pool)?
        } else {
            Vec::new()
        };
        prologue.insert(&initial, method, patch, &mut self.runtime, &mut self.pool)?;
        Ok(if has_frames {
            Entry::Locals(initial)
        } else {
            Entry::NoFrames
        })
    }
}
