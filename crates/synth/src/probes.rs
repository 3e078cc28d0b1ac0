//! Makes the methods of the trace tell how far a program came: a call in front of every basic block.

use std::collections::{HashMap, VecDeque};

use recrash_classfile::{
    Assembler, ClassFile, ClassPatch, CodePatch, Entry, Error, Insertion, MethodType, PoolAppender,
    VerificationType, access, dotted, initial_locals, opcode,
};
use recrash_program::{Cfg, ClassId, MethodId, Program};

use crate::fit::{Fit, Goal};

const OWNER: &[u8] = b"recrash/synth/Probe";

/// Probes beyond these numbers are not set; the JVM's side has room for as many.
const MOST_PROBES: usize = 1 << 12;
/// Probes from here on are in the methods of stand-ins, and there are so many of them at most.
pub(crate) const FIRST_ASKED: u16 = MOST_PROBES as u16;
pub(crate) const MOST_ASKED: u16 = 1 << 14;

/// Where the probes of the trace's methods are, and what passing one is worth.
#[derive(Debug, Default)]
pub(crate) struct Probes {
    /// Changed classes by binary name.
    pub(crate) classes: Vec<(String, Vec<u8>)>,
    /// By probe.
    places: Vec<(MethodId, u32)>,
    /// By frame of the goal: for each of its methods, steps from each block to the frame's line.
    steps: Vec<HashMap<MethodId, Vec<Option<u32>>>>,
}

impl Probes {
    pub(crate) fn set(program: &Program, goal: &Goal) -> Probes {
        let mut probes = Probes::default();
        let mut by_class: Vec<(ClassId, Vec<MethodId>)> = Vec::new();
        for frame in &goal.frames {
            for method in frame.methods() {
                match by_class
                    .iter_mut()
                    .find(|(class, _)| *class == method.class)
                {
                    Some((_, methods)) if methods.contains(&method) => {}
                    Some((_, methods)) => methods.push(method),
                    None => by_class.push((method.class, vec![method])),
                }
            }
            probes.steps.push(steps(program, &frame.fit));
        }
        for (class, methods) in by_class {
            // A class that cannot be changed runs as it is; the traces of exceptions still tell of it.
            if let Some((name, bytes)) = probes.weave(program, class, &methods) {
                probes.classes.push((name, bytes));
            }
        }
        probes
    }

    fn weave(
        &mut self,
        program: &Program,
        class: ClassId,
        methods: &[MethodId],
    ) -> Option<(String, Vec<u8>)> {
        let class = program.class(class)?;
        let file = class.file().ok()?;
        let mut pool = PoolAppender::new(&file.pool);
        let mut patch = ClassPatch::new(&file);
        for id in methods {
            let before = self.places.len();
            let woven = self.weave_method(&file, *id, &mut pool, &mut patch);
            if woven.is_err() {
                self.places.truncate(before);
            }
        }
        (!patch.is_empty()).then(|| (dotted(file.name), patch.finish(&pool)))
    }

    fn weave_method<'c>(
        &mut self,
        file: &ClassFile<'c>,
        id: MethodId,
        pool: &mut PoolAppender<'_>,
        patch: &mut ClassPatch<'c>,
    ) -> Result<(), Error> {
        let Some(member) = file.methods.get(usize::from(id.index)) else {
            return Ok(());
        };
        let Some(code) = file.code(member)? else {
            return Ok(());
        };
        let Ok(cfg) = Cfg::of(&code) else {
            return Ok(());
        };
        let mut starts: Vec<(usize, u32)> = (0..)
            .zip(&cfg.blocks)
            .filter_map(|(number, block)| Some((block.instructions.first()?.pc, number)))
            .collect();
        starts.sort_unstable();
        // Subroutines are copied; their code is there once.
        starts.dedup_by_key(|(pc, _)| *pc);
        let target = probe_target(pool)?;
        let mut change = CodePatch::default();
        for (pc, block) in starts {
            let number = self.places.len();
            if number >= MOST_PROBES {
                break;
            }
            let mut assembler = Assembler::new();
            assembler.push_int(number as i32, pool)?;
            assembler.op_index(opcode::INVOKESTATIC, target);
            change.insertions.push(Insertion {
                pc,
                code: assembler.into_bytes(),
                joined: true,
            });
            self.places.push((id, block));
        }
        change.max_stack = code.max_stack.saturating_add(1);
        let entry = if file.major < 50 {
            Entry::NoFrames
        } else {
            let receiver = if member.is(access::STATIC) {
                None
            } else if member.name == b"<init>" {
                Some(VerificationType::UninitializedThis)
            } else {
                Some(VerificationType::Object(file.this_index))
            };
            Entry::Locals(initial_locals(
                receiver,
                &MethodType::read(member.descriptor)?,
                pool,
            )?)
        };
        patch.replace(&code, |out| change.apply(&code, entry, pool, out))
    }

    /// How many steps the frame's line was missed by; `None` if its method was not entered.
    pub(crate) fn missed_by(&self, frame: usize, passed: &[u16]) -> Option<u32> {
        let steps = self.steps.get(frame)?;
        passed
            .iter()
            .filter_map(|probe| {
                let (method, block) = self.places.get(usize::from(*probe))?;
                steps.get(method)?.get(*block as usize).copied().flatten()
            })
            .min()
    }
}

/// What code calls with its number to tell that it was reached.
pub(crate) fn probe_target(pool: &mut PoolAppender<'_>) -> Result<u16, Error> {
    pool.method(OWNER, b"pass", b"(I)V")
}

/// For each method of a frame, steps from each block to the nearest one with code of the frame's line.
fn steps(program: &Program, fit: &Fit) -> HashMap<MethodId, Vec<Option<u32>>> {
    let of = |method: MethodId, ranges| Some((method, steps_in(program, method, ranges)?));
    match fit {
        Fit::Lines(places) => places
            .iter()
            .filter_map(|place| of(place.method, Some(place.ranges.as_slice())))
            .collect(),
        Fit::Methods(methods) => methods
            .iter()
            .filter_map(|method| of(*method, None))
            .collect(),
        _ => HashMap::new(),
    }
}

fn steps_in(
    program: &Program,
    method: MethodId,
    ranges: Option<&[(u16, u16)]>,
) -> Option<Vec<Option<u32>>> {
    let class = program.class(method.class)?;
    let file = class.file().ok()?;
    let code = file
        .code(file.methods.get(usize::from(method.index))?)
        .ok()??;
    let cfg = Cfg::of(&code).ok()?;
    let Some(ranges) = ranges else {
        return Some(vec![Some(0); cfg.blocks.len()]);
    };
    let on_line = |pc: usize| {
        let within =
            |(start, end): &(u16, u16)| (usize::from(*start)..usize::from(*end)).contains(&pc);
        ranges.iter().any(within)
    };
    let mut steps: Vec<Option<u32>> = vec![None; cfg.blocks.len()];
    let mut queue = VecDeque::new();
    for (number, block) in cfg.blocks.iter().enumerate() {
        if block
            .instructions
            .iter()
            .any(|instruction| on_line(instruction.pc))
        {
            if let Some(slot) = steps.get_mut(number) {
                *slot = Some(0);
            }
            queue.push_back(number as u32);
        }
    }
    let backwards = cfg.graph().reversed();
    while let Some(block) = queue.pop_front() {
        let next = steps.get(block as usize).copied().flatten().unwrap_or(0) + 1;
        for &before in backwards.successors(block) {
            if let Some(slot @ None) = steps.get_mut(before as usize) {
                *slot = Some(next);
                queue.push_back(before);
            }
        }
    }
    Some(steps)
}
