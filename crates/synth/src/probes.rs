//! Makes the methods of the trace tell how far a program came: a call in front of every basic block.

use std::collections::{HashMap, VecDeque};

use recrash_classfile::{Assembler, dotted};
use recrash_program::{Cfg, ClassId, MethodId, Program};
use recrash_weave::{Method, Pass, Plan, SkipReason, Told, rewrite};

use crate::fit::{Fit, Goal};

/// What code calls with its number to tell that it was reached.
pub(crate) const PROBE: Told = Told {
    owner: "recrash/synth/Probe",
    name: "pass",
};

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
        let mut pass = ProbeBlocks {
            methods,
            before: 0,
            places: &mut self.places,
        };
        let rewritten = rewrite(file.bytes, &mut [&mut pass]).ok()?;
        Some((dotted(file.name), rewritten.bytes))
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

/// The pass that puts a probe in front of every basic block of some methods of a class.
struct ProbeBlocks<'p> {
    methods: &'p [MethodId],
    /// How many places there were before the method at hand.
    before: usize,
    places: &'p mut Vec<(MethodId, u32)>,
}

impl ProbeBlocks<'_> {
    fn id(&self, method: &Method<'_>) -> Option<MethodId> {
        let mut methods = self.methods.iter().copied();
        methods.find(|id| usize::from(id.index) == method.index)
    }
}

impl Pass for ProbeBlocks<'_> {
    fn wants(&mut self, method: &Method<'_>) -> bool {
        self.id(method).is_some()
    }

    fn plan<'c>(&mut self, method: &Method<'c>, plan: &mut Plan<'c>) -> Result<(), SkipReason> {
        self.before = self.places.len();
        let (Some(id), Ok(cfg)) = (self.id(method), Cfg::of(&method.code)) else {
            return Ok(());
        };
        let mut starts: Vec<(usize, u32)> = (0..)
            .zip(&cfg.blocks)
            .filter_map(|(number, block)| Some((block.instructions.first()?.pc, number)))
            .collect();
        starts.sort_unstable();
        // Subroutines are copied; their code is there once.
        starts.dedup_by_key(|(pc, _)| *pc);
        for (pc, block) in starts {
            let number = self.places.len();
            if number >= MOST_PROBES {
                break;
            }
            let mut code = Assembler::new();
            PROBE.call(number as u16, &mut code, &mut plan.constants.pool)?;
            plan.before(pc, code);
            self.places.push((id, block));
        }
        plan.needs_stack_on_top(method, 1);
        Ok(())
    }

    fn undo(&mut self, _method: &Method<'_>, _why: &SkipReason) -> Option<SkipReason> {
        self.places.truncate(self.before);
        None
    }
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
