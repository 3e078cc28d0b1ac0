//! Weaves one method: decides what is kept on entry, where handlers go, and applies the patch.

use recrash_classfile::{
    Assembler, ClassFile, CodePatch, Entry, Error, Insertion, Kind, PoolAppender, Position,
    VerificationType, opcode,
};

use crate::Policy;
use crate::constructor::{self, SuperCall};
use crate::handler::{Handler, Value};
use crate::method::Method;
use crate::origin::{Heights, trace};
use crate::prologue::{Prologue, kept_as, locals_with};
use crate::runtime::{Call, Runtime};
use crate::saved::{Saved, choose};
use crate::site::{Place, SkipReason};
use crate::table::SiteTable;

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
}

impl<'c> Loom<'c> {
    /// Whether the policy asks for this method.
    pub(crate) fn is_worth_it(&self, method: &Method<'_>) -> bool {
        if self.policy.look.is_some() {
            return self.watched(method).is_some();
        }
        method.scan.instructions > self.policy.trivial
    }

    fn watched(&self, method: &Method<'_>) -> Option<usize> {
        self.policy.look.as_ref()?;
        let member = method.member;
        let class = self.class.binary_name();
        self.policy.watched(&class, member.name, member.descriptor)
    }

    /// The new content of the method's Code attribute. Its sites are added to the table.
    pub(crate) fn monitor(&mut self, method: &mut Method<'c>) -> Result<Vec<u8>, SkipReason> {
        method.check_inputs()?;
        if method.code.max_locals < method.input_slots {
            return Err(SkipReason::CannotPatch(Error::TooManySlots));
        }
        let origins = if method.scan.puts_fields {
            Some(trace(method, &mut self.heights)?)
        } else {
            None
        };
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
            // A second look captures entry values on entry; nothing needs to lead back to them.
            Some(origins) if self.policy.look.is_none() => {
                choose(method, origins, self.policy.saved_fields)?
            }
            _ => Vec::new(),
        };
        self.assemble(method, &fields, super_call)
    }

    fn assemble(
        &mut self,
        method: &Method<'c>,
        fields: &[Saved<'c>],
        super_call: Option<SuperCall>,
    ) -> Result<Vec<u8>, SkipReason> {
        let mut prologue = Prologue::build(method, fields)?;
        let body = self.sites.add(method, Place::Body, fields)?;
        if let Some(number) = self.watched(method) {
            prologue.count_entry(number, body, method, &mut self.runtime, &mut self.pool)?;
        }
        let announced = super_call.filter(|call| {
            let has_arguments = !method.signature.parameters.is_empty();
            self.policy.inside_super && call.calls_application && has_arguments
        });
        let inside = match announced {
            Some(call) => {
                let site = self.sites.add(method, Place::InsideSuper, &[])?;
                prologue.announce_constructor(site, &mut self.runtime, &mut self.pool)?;
                Some((call, site))
            }
            None => None,
        };
        let before = match super_call.filter(|call| call.arguments_can_throw) {
            Some(call) => Some((call, self.sites.add(method, Place::BeforeSuper, fields)?)),
            None => None,
        };

        let object = VerificationType::Object(self.runtime.object(&mut self.pool)?);
        let added: Vec<_> = prologue
            .added
            .iter()
            .map(|&kind| kept_as(kind, object))
            .collect();
        let mut values: Vec<Value> = prologue
            .inputs
            .iter()
            .chain(&prologue.saved)
            .chain(&prologue.entries)
            .copied()
            .collect();
        let keep = if method.input_slots < method.code.max_locals {
            method.input_slots
        } else {
            prologue.next_local
        };

        let mut patch = CodePatch::default();
        let entry = self.insert(method, prologue, inside, &mut patch)?;
        let mut code = Assembler::new();
        let start = super_call.map_or(0, |call| call.after);
        Handler {
            site: body,
            start: Position::Instruction(start),
            end: Position::Boundary(method.code.bytes.len()),
            values: &values,
            locals: locals_with(handler_locals(method, Place::Body, object), method, &added),
            keep,
        }
        .append(&mut code, &mut patch, &mut self.runtime, &mut self.pool)?;
        if let Some((call, site)) = before {
            if let Some(receiver) = values.first_mut() {
                *receiver = Value::Null;
            }
            Handler {
                site,
                start: Position::Instruction(0),
                end: Position::Boundary(call.pc),
                values: &values,
                locals: locals_with(
                    handler_locals(method, Place::BeforeSuper, object),
                    method,
                    &added,
                ),
                keep,
            }
            .append(&mut code, &mut patch, &mut self.runtime, &mut self.pool)?;
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
        Ok(patch.apply(&method.code, entry, &mut self.pool)?)
    }

    /// Puts the code on entry and after `super(...)` into the patch, and says what the stack map starts from.
    fn insert(
        &mut self,
        method: &Method<'c>,
        prologue: Prologue,
        inside: Option<(SuperCall, u32)>,
        patch: &mut CodePatch,
    ) -> Result<Entry, Error> {
        let has_frames = self.class.major >= 50;
        if prologue.code.is_empty() {
            // Nothing moves, so no frame is rewritten and nobody asks what they start from.
            return Ok(if has_frames {
                Entry::Locals(Vec::new())
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
        if let Some((call, site)) = inside {
            let mut code = Assembler::new();
            code.push_int(site as i32, &mut self.pool)?;
            code.op_index(
                opcode::INVOKESTATIC,
                self.runtime.call(Call::Constructed, &mut self.pool)?,
            );
            patch.insertions.push(Insertion {
                pc: call.after,
                code: code.into_bytes(),
            });
        }
        Ok(if has_frames {
            Entry::Locals(initial)
        } else {
            Entry::NoFrames
        })
    }
}

/// What a handler may assume of the inputs: plain objects, and nothing of those that were copied.
fn handler_locals(
    method: &Method<'_>,
    place: Place,
    object: VerificationType,
) -> Vec<VerificationType> {
    let mut locals = Vec::with_capacity(method.inputs.len() + 4);
    for (number, input) in method.inputs.iter().enumerate() {
        if number == 0 && place == Place::BeforeSuper {
            // Also says that `this` is still uninitialised, as the code the handler covers does.
            locals.push(VerificationType::UninitializedThis);
        } else if input.intact {
            locals.push(kept_as(input.kind, object));
        } else {
            let slots = if matches!(input.kind, Kind::Long | Kind::Double) {
                2
            } else {
                1
            };
            locals.extend(std::iter::repeat_n(VerificationType::Top, slots));
        }
    }
    locals
}
