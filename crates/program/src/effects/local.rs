//! One method's summary from its body and the summaries of what it calls.
//!
//! Objects are told apart by their [`Origin`]. The heap is two tables: what may have been stored into fresh objects, by site
//! and slot, and what may have been stored into all others, by slot alone, since those may be the same object. A fresh object
//! that is stored into one of the others can be met through them from then on, so its content joins theirs.

use std::collections::HashMap;
use std::sync::Arc;

use super::origin::{Origin, Origins, Path};
use super::summary::{Detail, Summary, extend};
use crate::body::{Body, Step, Target, Var};
use crate::slots::SlotId;

/// What a call leads to.
#[derive(Clone)]
pub(super) struct Callee {
    pub(super) summary: Arc<Summary>,
    /// Set while the callee is being worked on together with the caller: only where its references go is known so far.
    pub(super) unfinished: Option<u32>,
}

/// Gives what calls lead to; `None` for what is never reached.
pub(super) trait Callees {
    fn callee(&self, target: Target, arguments: usize) -> Option<Callee>;
}

/// A call of a node whose writes are not known yet.
#[derive(Debug, Clone)]
pub(super) struct Link {
    pub(super) callee: u32,
    pub(super) then_throws: bool,
    /// By parameter of the callee: everything the argument may lead to, by parameter of the caller or anywhere.
    pub(super) arguments: Vec<Origins>,
}

/// Origins by number, so that a set of them is one number.
type Set = u128;

const ANYWHERE: Set = 1;
const FIRST_FRESH: u32 = 1;
const SITES: u32 = 8;
const FIRST_DEEP: u32 = FIRST_FRESH + SITES;
/// Parameters beyond these are objects from anywhere.
const PARAMETERS: u32 = 40;
const FIRST_PATH: u32 = FIRST_DEEP + PARAMETERS;
const ALL_FRESH: Set = ((1 << SITES) - 1) << FIRST_FRESH;
const ALL_PATHS: Set = Set::MAX << FIRST_PATH;

fn bits(set: Set) -> impl Iterator<Item = u32> {
    let mut rest = set;
    std::iter::from_fn(move || {
        let next = rest.trailing_zeros();
        (rest != 0).then(|| {
            rest &= rest - 1;
            next
        })
    })
}

fn fresh(site: u32) -> Set {
    1 << (FIRST_FRESH + site % SITES)
}

fn deep(parameter: u16) -> Set {
    let parameter = u32::from(parameter);
    if parameter < PARAMETERS {
        1 << (FIRST_DEEP + parameter)
    } else {
        ANYWHERE
    }
}

/// The paths a method deals with; what does not fit is said by parameter only.
#[derive(Default)]
struct Paths {
    known: Vec<Path>,
    numbers: HashMap<Path, u32>,
    /// All of [`ALL_PATHS`] as parameters.
    deep: Vec<Set>,
}

impl Paths {
    fn set(&mut self, path: Path) -> Set {
        if let Some(number) = self.numbers.get(&path) {
            return 1 << number;
        }
        let number = FIRST_PATH + self.known.len() as u32;
        if number >= Set::BITS || u32::from(path.parameter) >= PARAMETERS {
            return deep(path.parameter);
        }
        self.known.push(path);
        self.deep.push(deep(path.parameter));
        self.numbers.insert(path, number);
        1 << number
    }

    fn path(&self, number: u32) -> Option<Path> {
        let place = number.checked_sub(FIRST_PATH)?;
        self.known.get(place as usize).copied()
    }

    fn origin(&self, number: u32) -> Origin {
        match number {
            0 => Origin::Anywhere,
            // Callers do not tell sites of their callees apart.
            FIRST_FRESH..FIRST_DEEP => Origin::Fresh(0),
            FIRST_DEEP..FIRST_PATH => Origin::Deep((number - FIRST_DEEP) as u16),
            _ => self.path(number).map_or(Origin::Anywhere, Origin::Path),
        }
    }

    /// Paths as what lies below their parameters.
    fn deepened(&self, set: Set) -> Set {
        bits(set & ALL_PATHS).fold(set & !ALL_PATHS, |all, number| {
            let place = (number - FIRST_PATH) as usize;
            all | self.deep.get(place).copied().unwrap_or(ANYWHERE)
        })
    }
}

/// What may have been stored, by slot.
#[derive(Default)]
struct Cells {
    slots: HashMap<SlotId, Set>,
    all: Set,
}

impl Cells {
    /// Whether something was added.
    fn store(&mut self, slot: SlotId, values: Set) -> bool {
        let place = self.slots.entry(slot).or_default();
        let changed = values & !*place != 0;
        *place |= values;
        self.all |= values;
        changed
    }

    fn load(&self, slot: SlotId) -> Set {
        if matches!(slot, SlotId::ANY | SlotId::PLATFORM) {
            return self.all;
        }
        let at = |slot| self.slots.get(&slot).copied().unwrap_or(0);
        at(slot) | at(SlotId::ANY) | at(SlotId::PLATFORM)
    }
}

/// The summary of a body, as far as its callees are finished, and the calls of the others.
pub(super) fn summarize(
    body: &Body,
    callees: &dyn Callees,
    detail: Detail,
) -> (Summary, Vec<Link>) {
    let mut solver = Solver {
        body,
        calls: body
            .steps
            .iter()
            .map(|step| match step {
                Step::Call {
                    target, arguments, ..
                } => callees.callee(*target, arguments.len()),
                _ => None,
            })
            .collect(),
        paths: Paths::default(),
        vars: vec![0; body.vars as usize],
        inside: std::array::from_fn(|_| Cells::default()),
        outside: Cells::default(),
        escaped: 0,
        changed: true,
        detail,
        record: None,
        stored: HashMap::new(),
        links: Vec::new(),
    };
    while solver.changed {
        solver.changed = false;
        solver.pass();
        solver.escape();
    }
    solver.record = Some(Summary {
        reads: Arc::new(body.reads.clone()),
        initializes: !body.initializes.is_empty(),
        ..Summary::default()
    });
    solver.pass();
    solver.finish()
}

struct Solver<'a> {
    body: &'a Body,
    /// By step: what a call leads to.
    calls: Vec<Option<Callee>>,
    paths: Paths,
    vars: Vec<Set>,
    /// By site.
    inside: [Cells; SITES as usize],
    outside: Cells,
    /// Fresh objects that can be met from outside.
    escaped: Set,
    changed: bool,
    /// Once nothing changes any more: what happens.
    record: Option<Summary>,
    /// What is stored where, by base and slot.
    stored: HashMap<(u32, SlotId), Set>,
    detail: Detail,
    links: Vec<Link>,
}

impl Solver<'_> {
    fn pass(&mut self) {
        let body = self.body;
        for (number, step) in body.steps.iter().enumerate() {
            self.step(number, step);
        }
    }

    fn get(&self, var: Var) -> Set {
        self.vars.get(var.0 as usize).copied().unwrap_or(0)
    }

    fn add(&mut self, to: Var, set: Set) {
        if let Some(place) = self.vars.get_mut(to.0 as usize) {
            self.changed |= set & !*place != 0;
            *place |= set;
        }
    }

    fn site(&self, number: u32) -> Option<&Cells> {
        self.inside.get((number - FIRST_FRESH) as usize)
    }

    fn step(&mut self, number: usize, step: &Step) {
        match step {
            Step::Parameter { to, number } => {
                let set = self.paths.set(Path::of(*number));
                self.add(*to, set);
            }
            Step::Fresh { to, site } => self.add(*to, fresh(*site)),
            Step::Anywhere { to } => self.add(*to, ANYWHERE),
            Step::Caught { to } => {
                let thrown = self.outside.slots.get(&SlotId::THROWN).copied();
                self.add(*to, ANYWHERE | thrown.unwrap_or(0));
            }
            Step::Copy { to, from } => self.add(*to, self.get(*from)),
            Step::Load { to, base, slot } => {
                let set = self.load(self.get(*base), *slot);
                self.add(*to, set);
            }
            Step::Store {
                base,
                slot,
                value,
                then_throws,
            } => {
                let bases = self.get(*base);
                if let Some(summary) = &mut self.record
                    && self.detail != Detail::References
                {
                    for base in bits(bases) {
                        summary.write(self.paths.origin(base), *slot, *then_throws);
                    }
                }
                self.store(bases, *slot, value.map_or(0, |value| self.get(value)));
            }
            Step::LoadStatic { to, slot } => {
                let set = self.load(ANYWHERE, *slot);
                self.add(*to, set);
            }
            Step::StoreStatic {
                slot,
                value,
                then_throws,
            } => {
                if let Some(summary) = &mut self.record {
                    summary.write(Origin::Anywhere, *slot, *then_throws);
                }
                self.store(ANYWHERE, *slot, value.map_or(0, |value| self.get(value)));
            }
            Step::Call {
                arguments,
                result,
                site,
                then_throws,
                ..
            } => {
                if let Some(callee) = self.calls.get(number).cloned().flatten() {
                    let arguments: Vec<Set> = arguments
                        .iter()
                        .map(|argument| argument.map_or(0, |var| self.get(var)))
                        .collect();
                    self.call(&callee, &arguments, *result, *site, *then_throws);
                }
            }
            Step::Return { value } => {
                let set = self.get(*value);
                if let Some(summary) = &mut self.record {
                    for origin in bits(set) {
                        summary.returns.insert(self.paths.origin(origin));
                    }
                }
            }
            Step::Throw { value } => self.store(ANYWHERE, SlotId::THROWN, self.get(*value)),
        }
    }

    /// What a slot of any of these objects may hold.
    fn load(&mut self, bases: Set, slot: SlotId) -> Set {
        let any = matches!(slot, SlotId::ANY | SlotId::PLATFORM);
        // From anywhere one gets anywhere, and from below a parameter one stays below it.
        let mut found = bases & !ALL_FRESH & !ALL_PATHS;
        if bases & !(ALL_FRESH & !self.escaped) != 0 {
            found |= self.outside.load(slot);
        }
        for number in bits(bases & ALL_FRESH) {
            found |= self.site(number).map_or(0, |cells| cells.load(slot));
        }
        for number in bits(bases & ALL_PATHS) {
            let Some(path) = self.paths.path(number) else {
                continue;
            };
            found |= match path.then(slot).filter(|_| !any) {
                Some(next) => self.paths.set(next),
                None => deep(path.parameter),
            };
        }
        found
    }

    fn store(&mut self, bases: Set, slot: SlotId, values: Set) {
        if values == 0 {
            return;
        }
        for number in bits(bases & ALL_FRESH) {
            if let Some(cells) = self.inside.get_mut((number - FIRST_FRESH) as usize) {
                self.changed |= cells.store(slot, values);
            }
        }
        if bases & !(ALL_FRESH & !self.escaped) != 0 {
            self.changed |= self.outside.store(slot, values);
        }
        if self.record.is_none() {
            return;
        }
        let (bases, slot, values) = if self.detail == Detail::Full {
            (bases, slot, values)
        } else {
            let slot = if slot == SlotId::THROWN {
                slot
            } else {
                SlotId::ANY
            };
            (
                self.paths.deepened(bases),
                slot,
                self.paths.deepened(values),
            )
        };
        for base in bits(bases) {
            *self.stored.entry((base, slot)).or_default() |= values;
        }
    }

    /// Fresh objects that can be met from outside take their content along.
    fn escape(&mut self) {
        loop {
            let new = self.outside.all & ALL_FRESH & !self.escaped;
            if new == 0 {
                return;
            }
            self.escaped |= new;
            self.changed = true;
            for number in bits(new) {
                let content: Vec<(SlotId, Set)> = self
                    .site(number)
                    .into_iter()
                    .flat_map(|cells| &cells.slots)
                    .map(|(&slot, &set)| (slot, set))
                    .collect();
                for (slot, set) in content {
                    self.outside.store(slot, set);
                }
            }
        }
    }

    /// Everything that can be reached from these objects, they included.
    fn reach(&self, from: Set) -> Set {
        let mut found = self.paths.deepened(from);
        loop {
            let mut more = found;
            if found & !(ALL_FRESH & !self.escaped) != 0 {
                more |= self.outside.all;
            }
            for number in bits(found & ALL_FRESH) {
                more |= self.site(number).map_or(0, |cells| cells.all);
            }
            let more = self.paths.deepened(more);
            if more == found {
                return found;
            }
            found = more;
        }
    }

    /// What an origin of the callee is here.
    fn translate(&mut self, origin: Origin, arguments: &[Set], site: u32) -> Set {
        let argument = |number: u16| arguments.get(usize::from(number)).copied().unwrap_or(0);
        match origin {
            Origin::Anywhere => ANYWHERE,
            Origin::Fresh(_) => fresh(site),
            Origin::Deep(number) => self.reach(argument(number)),
            Origin::Path(path) => path
                .slots()
                .fold(argument(path.parameter), |set, slot| self.load(set, slot)),
        }
    }

    fn call(
        &mut self,
        callee: &Callee,
        arguments: &[Set],
        result: Option<Var>,
        site: u32,
        then_throws: bool,
    ) {
        let summary = &callee.summary;
        for &(base, slot, value) in &summary.stores {
            let bases = self.translate(base, arguments, site);
            let values = self.translate(value, arguments, site);
            self.store(bases, slot, values);
        }
        if let Some(to) = result {
            for origin in summary.returns.iter() {
                let set = self.translate(origin, arguments, site);
                self.add(to, set);
            }
        }
        if self.record.is_none() || self.detail == Detail::References {
            return;
        }
        match callee.unfinished {
            Some(node) => {
                let roots = |set: &Set| {
                    let mut origins = Origins::default();
                    for number in bits(self.reach(*set) & !ALL_FRESH) {
                        origins.insert(self.paths.origin(number));
                    }
                    origins
                };
                let arguments = arguments.iter().map(roots).collect();
                self.links.push(Link {
                    callee: node,
                    then_throws,
                    arguments,
                });
            }
            None => self.written_by(summary, arguments, site, then_throws),
        }
    }

    /// What a finished callee writes, in terms of this method.
    fn written_by(&mut self, summary: &Summary, arguments: &[Set], site: u32, then_throws: bool) {
        let Some(mut mine) = self.record.take() else {
            return;
        };
        mine.initializes |= summary.initializes;
        extend(&mut mine.reads, &summary.reads);
        mine.anywhere.extend(&summary.anywhere, then_throws);
        for (&(path, slot), &throws) in &summary.places {
            for number in bits(self.translate(Origin::Path(path), arguments, site)) {
                mine.write(self.paths.origin(number), slot, throws || then_throws);
            }
        }
        for (&parameter, written) in &summary.deep {
            for number in bits(self.translate(Origin::Deep(parameter), arguments, site)) {
                mine.write_below(self.paths.origin(number), written, then_throws);
            }
        }
        self.record = Some(mine);
    }

    fn finish(mut self) -> (Summary, Vec<Link>) {
        let mut summary = self.record.take().unwrap_or_default();
        // What is stored into fresh objects that nobody outside can come by matters to nobody.
        let is_fresh = |origin: Origin| matches!(origin, Origin::Fresh(_));
        let fresh_leaves = self.escaped != 0 || summary.returns.iter().any(is_fresh);
        for ((base, slot), values) in std::mem::take(&mut self.stored) {
            let base = self.paths.origin(base);
            if is_fresh(base) && !fresh_leaves {
                continue;
            }
            for value in bits(values) {
                summary
                    .stores
                    .insert((base, slot, self.paths.origin(value)));
            }
        }
        summary.limit(self.detail);
        (summary, self.links)
    }
}
