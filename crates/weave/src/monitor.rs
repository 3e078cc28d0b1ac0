//! Weaves one method: decides what is kept on entry, where handlers go, and applies the patch.

use recrash_classfile::{
    Assembler, ClassFile, CodePatch, Entry, Error, Insertion, Kind, PoolAppender, Position,
    VerificationType, dotted, opcode, text,
};

use crate::Policy;
use crate::constructor::{self, SuperCall};
use crate::handler::{Handler, Value};
use crate::method::Method;
use crate::origin::{Origins, trace};
use crate::prologue::{Prologue, kept_as, locals_with};
use crate::runtime::{Call, Runtime};
use crate::saved::{Saved, choose};
use crate::site::{Parameter, ParameterRef, Place, SavedField, Site, SkipReason, StaticRead};

/// HotSpot interprets longer methods for ever (`-XX:-DontCompileHugeMethods` aside).
const LONGEST_COMPILED: usize = 8000;

/// What is shared by the methods of one class.
pub(crate) struct Loom<'c> {
    pub(crate) class: &'c ClassFile<'c>,
    pub(crate) class_name: String,
    pub(crate) policy: &'c Policy,
    pub(crate) pool: PoolAppender<'c>,
    pub(crate) runtime: Runtime,
    pub(crate) next_site: u32,
}

impl<'c> Loom<'c> {
    /// The new content of the method's Code attribute, and its sites.
    pub(crate) fn monitor(
        &mut self,
        method: &mut Method<'c>,
    ) -> Result<(Vec<u8>, Vec<Site>), SkipReason> {
        method.check_inputs(self.class)?;
        if method.code.max_locals < method.input_slots {
            return Err(SkipReason::CannotPatch(Error::TooManySlots));
        }
        let origins = if method.scan.puts_fields {
            trace(method, &self.class.pool)?
        } else {
            Origins::default()
        };
        let super_call = if method.is_constructor {
            let known = method.scan.puts_fields;
            let again = || {
                if known {
                    Ok(Origins {
                        writes: Vec::new(),
                        super_calls: origins.super_calls.clone(),
                    })
                } else {
                    trace(method, &self.class.pool)
                }
            };
            Some(constructor::find(self.class, method, again)?)
        } else {
            None
        };
        let fields = choose(self.class, method, &origins, self.policy.saved_fields)?;
        self.assemble(method, &fields, super_call)
    }

    fn assemble(
        &mut self,
        method: &Method<'c>,
        fields: &[Saved<'c>],
        super_call: Option<SuperCall>,
    ) -> Result<(Vec<u8>, Vec<Site>), SkipReason> {
        let mut prologue = Prologue::build(method, fields)?;
        let mut sites = vec![self.site(method, Place::Body, fields)];
        let inside = super_call.filter(|call| {
            self.policy.inside_super
                && call.calls_application
                && !method.signature.parameters.is_empty()
        });
        if inside.is_some() {
            let site = self.site(method, Place::InsideSuper, &[]);
            prologue.announce_constructor(site.id, &mut self.runtime, &mut self.pool)?;
            sites.push(site);
        }
        let before = super_call.filter(|call| call.arguments_can_throw);
        if before.is_some() {
            sites.push(self.site(method, Place::BeforeSuper, fields));
        }

        let values: Vec<Value> = prologue
            .inputs
            .iter()
            .chain(&prologue.saved)
            .copied()
            .collect();
        let object = VerificationType::Object(self.runtime.object(&mut self.pool)?);
        let added: Vec<_> = prologue
            .added
            .iter()
            .map(|&kind| kept_as(kind, object))
            .collect();
        let keep = if method.input_slots < method.code.max_locals {
            method.input_slots
        } else {
            method.code.max_locals + prologue.added.iter().map(|kind| kind.slots()).sum::<u16>()
        };

        let mut patch = CodePatch::default();
        let entry = self.insert(
            method,
            prologue,
            inside.zip(site_at(&sites, Place::InsideSuper)),
            &mut patch,
        )?;
        let mut code = Assembler::new();
        for site in &sites {
            let (start, end) = match (site.place, super_call) {
                (Place::InsideSuper, _) => continue,
                (Place::BeforeSuper, Some(call)) => {
                    (Position::Instruction(0), Position::Boundary(call.pc))
                }
                (_, Some(call)) => (
                    Position::Instruction(call.after),
                    Position::Boundary(method.code.bytes.len()),
                ),
                (_, None) => (
                    Position::Instruction(0),
                    Position::Boundary(method.code.bytes.len()),
                ),
            };
            let inputs = handler_locals(method, site.place, object);
            let mut values = values.clone();
            if let (Place::BeforeSuper, Some(receiver)) = (site.place, values.first_mut()) {
                *receiver = Value::Null;
            }
            let locals = locals_with(&inputs, method, &added);
            let handler = Handler {
                site: site.id,
                start,
                end,
                values: &values,
                locals,
                keep,
            };
            handler.append(&mut code, &mut patch, &mut self.runtime, &mut self.pool)?;
        }
        patch.appended = code.into_bytes();
        let old = method.code.bytes.len();
        let grown = old
            + patch.appended.len()
            + patch.insertions.iter().map(|i| i.code.len()).sum::<usize>();
        if old <= LONGEST_COMPILED && grown > LONGEST_COMPILED {
            return Err(SkipReason::TooLongToCompile);
        }
        Ok((patch.apply(&method.code, entry, &mut self.pool)?, sites))
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
            return Ok(if has_frames {
                Entry::Locals(method.rough_locals())
            } else {
                Entry::NoFrames
            });
        }
        let initial = if has_frames {
            method.exact_locals(self.class, &mut self.pool)?
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

    fn site(&mut self, method: &Method<'_>, place: Place, fields: &[Saved<'_>]) -> Site {
        let id = self.next_site;
        self.next_site = id.wrapping_add(1);
        let first_argument = u16::from(method.has_receiver);
        let saved = fields.iter().map(|saved| SavedField {
            parameter: match saved.input.checked_sub(first_argument) {
                Some(argument) => ParameterRef::Argument(argument),
                None => ParameterRef::Receiver,
            },
            class: dotted(saved.field.class),
            field: text(saved.field.name),
            descriptor: text(saved.field.descriptor),
        });
        let reads = method
            .scan
            .reads
            .iter()
            .filter_map(|&index| self.class.pool.member(index).ok());
        let reads = reads.map(|read| StaticRead {
            class: dotted(read.class),
            field: text(read.name),
            descriptor: text(read.descriptor),
        });
        let names = method.parameter_names(self.class);
        let parameters = method
            .signature
            .parameters
            .iter()
            .zip(names)
            .map(|(parameter, name)| Parameter {
                name: name.map(text),
                descriptor: text(parameter.descriptor),
            });
        Site {
            id,
            class: self.class_name.clone(),
            method: text(method.member.name),
            descriptor: text(method.member.descriptor),
            access: method.member.access,
            place,
            parameters: parameters.collect(),
            saved: saved.collect(),
            reads: reads.collect(),
        }
    }
}

fn site_at(sites: &[Site], place: Place) -> Option<u32> {
    sites
        .iter()
        .find(|site| site.place == place)
        .map(|site| site.id)
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
