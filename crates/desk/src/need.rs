//! Which of the captured state a crash needs: fields are set to zero or null, and whatever crashes as before stays so.
//!
//! Few frames look at all they can reach. Leaving out what they do not look at lets a test make the rest by source.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::{Duration, Instant};

use recrash_classfile::is_of_jdk;
use recrash_heap::manifest::{CapturedFrame, Patch, Value};
use recrash_heap::{Crash, EntryState, Heap, Kind, Manifest, ObjectId, Snapshot, plan_by};
use recrash_judge::{Verdict, Words};
use recrash_jvm::Loader;
use recrash_reduce::{Budget, Candidate, Closure, Kept, Order, Outcome as Held, Reduced, Subset};

use crate::desk::Desk;
use crate::error::{Error, Result};
use crate::trials::Trials;
use crate::verdict::Variant;

/// A field: object, declaring class, name.
pub type Place = (ObjectId, String, String);

/// A trial that takes longer than this needs the state that was taken from it.
const PATIENCE: Duration = Duration::from_secs(2);

/// After so many of these there is no patience left.
const MOST_TIMEOUTS: u64 = 4;

/// Each trial restores the heap part, so the larger it is the fewer trials there are. What comes out shall not depend on how
/// fast a machine is, unless a crash takes so long that somebody waits.
const BYTES_PER_EFFORT: usize = 30_000_000;
const MOST_TRIALS_PER_EFFORT: usize = 120;
const TIME_PER_EFFORT: Duration = Duration::from_secs(8);

/// Objects are cut off at these distances from the receiver and the arguments, the nearest that still crashes first.
const DEPTHS: [usize; 6] = [0, 1, 2, 3, 5, 8];

/// More objects than this are not looked through.
const MOST_OBJECTS: usize = 20_000;

/// Trials of the frames of one snapshot, in one warm JVM.
pub struct Needs<'a> {
    snapshot: &'a Snapshot,
    runs: Trials<'a>,
    /// What the crash has to go on saying.
    words: Words,
    budget: Budget,
    /// What the frames before did not need.
    known: BTreeSet<Place>,
    seen: BTreeSet<Place>,
    /// The static fields and locals that the frame before needed.
    known_statics: BTreeSet<usize>,
}

/// A frame as it is tried.
#[derive(Debug, Clone, Copy)]
pub struct Tried<'s> {
    pub frame: usize,
    pub variant: Variant,
    /// The static fields that keep what was captured, by their place in the manifest, and behind the last of them the thread's
    /// locals.
    pub statics: &'s BTreeSet<usize>,
}

/// The places that one frame could do without, each with its descriptor and the distance of its object.
struct Ground<'s> {
    heap: &'s Heap,
    frame: usize,
    captured: &'s CapturedFrame,
    entry: EntryState<'s>,
    variant: Variant,
    statics: BTreeSet<usize>,
    places: Vec<(Place, String, usize)>,
}

impl<'a> Needs<'a> {
    /// Of the frames that `crash` has no second look at; `effort` 1 is some seconds.
    pub fn new(desk: &'a Desk, crash: &'a Crash, effort: usize) -> Self {
        Self::of(desk, crash, &crash.snapshot, effort)
    }

    /// Of one frame, from what serves it best.
    pub fn of_frame(desk: &'a Desk, crash: &'a Crash, frame: usize, effort: usize) -> Self {
        Self::of(desk, crash, crash.for_frame(frame), effort)
    }

    fn of(desk: &'a Desk, crash: &'a Crash, snapshot: &'a Snapshot, effort: usize) -> Self {
        let trials = BYTES_PER_EFFORT / snapshot.heap.bytes().len().max(1);
        let time = TIME_PER_EFFORT * effort as u32;
        let time = desk.stop().left().map_or(time, |left| left.min(time));
        Needs {
            snapshot,
            runs: Trials::new(desk, crash),
            words: Words::recorded(&snapshot.manifest),
            budget: Budget::unlimited()
                .trials((effort * trials.min(MOST_TRIALS_PER_EFFORT)) as u64)
                .unresolved(MOST_TIMEOUTS)
                .until(Instant::now() + time),
            known: BTreeSet::new(),
            seen: BTreeSet::new(),
            known_statics: BTreeSet::new(),
        }
    }

    /// Adds to `dropped` what keeps the last object of `path` from the frame, if the crash stays: the field nearest to it, or
    /// one further out. Whether there is such a field.
    pub fn drop_object(
        &mut self,
        tried: Tried<'_>,
        path: &[ObjectId],
        dropped: &mut BTreeSet<Place>,
    ) -> Result<bool> {
        let Some(ground) = self.ground(tried, false) else {
            return Ok(false);
        };
        for pair in path.windows(2).rev() {
            let [holder, held] = pair else {
                continue;
            };
            let holding: Vec<Place> = ground
                .fields(*holder)
                .into_iter()
                .filter(|(_, _, value)| *value == Value::Ref(*held))
                .map(|(place, _, _)| place)
                .collect();
            if holding.is_empty() {
                continue;
            }
            let mut wanted = dropped.clone();
            wanted.extend(holding);
            if self.crashes(&ground, &wanted)? {
                *dropped = wanted;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The static fields without which a frame does not crash as it did, by their place in the manifest, and the thread's locals,
    /// which are counted behind them; `None` when it does
    /// so without any, not even with all, or when there were no trials left to find out.
    pub fn statics(&mut self, frame: usize, variant: Variant) -> Result<Option<BTreeSet<usize>>> {
        let manifest = &self.snapshot.manifest;
        let count = manifest.statics.len() + manifest.thread_locals.len();
        let all: BTreeSet<usize> = (0..count).collect();
        let tried = Tried {
            frame,
            variant,
            statics: &all,
        };
        let Some(mut ground) = self.ground(tried, false) else {
            return Ok(None);
        };
        let mut crashes_with = |needs: &mut Self, statics: &BTreeSet<usize>| {
            ground.statics.clone_from(statics);
            needs.crashes(&ground, &BTreeSet::new())
        };
        if crashes_with(self, &BTreeSet::new())? || !crashes_with(self, &all)? {
            return Ok(None);
        }
        let known = &self.known_statics;
        let guess: Vec<usize> = all.difference(known).copied().collect();
        let guesses = if known.is_empty() {
            vec![]
        } else {
            vec![guess]
        };
        let subset = Subset::new(all.len(), Order::Halving).guesses(guesses);
        let needed = self.reduce(subset, |needs, candidate| {
            ground.statics = candidate.kept.iter().collect();
            needs.trial(&ground, &BTreeSet::new())
        })?;
        let needed: BTreeSet<usize> = needed.kept.iter().collect();
        self.known_statics.clone_from(&needed);
        Ok(Some(needed))
    }

    /// Fields of the program's objects that a frame does not need to crash as it did; `None` when it does not do so without
    /// the other static fields, or when there were no trials left to find out.
    pub fn unneeded(
        &mut self,
        tried: Tried<'_>,
        constructs: bool,
    ) -> Result<Option<BTreeSet<Place>>> {
        let Some(ground) = self.ground(tried, constructs) else {
            return Ok(None);
        };
        if !self.crashes(&ground, &BTreeSet::new())? {
            return Ok(None);
        }
        let place = |number: &usize| {
            ground
                .places
                .get(*number)
                .map(|(place, _, _)| place.clone())
        };
        let all = |from: usize| -> Vec<usize> {
            let places = ground.places.iter().enumerate();
            let far = places.filter(|(_, (_, _, depth))| *depth >= from);
            far.map(|(number, _)| number).collect()
        };
        let mut guesses = Vec::new();
        if !self.known.is_empty() {
            // Frames of one stack mostly need the same.
            let is_like = |place: Place| self.known.contains(&place) || !self.seen.contains(&place);
            let like = all(0).into_iter();
            guesses.push(
                like.filter(|number| place(number).is_some_and(is_like))
                    .collect(),
            );
        }
        guesses.extend(DEPTHS.map(all));
        let subset = Subset::new(ground.places.len(), Order::Halving)
            .guesses(guesses)
            .closure(&ground);
        let reduced = self.reduce(subset, |needs, candidate| {
            let gone = candidate.taken.iter().chain(&candidate.going);
            needs.trial(&ground, &gone.filter_map(place).collect())
        })?;
        let dropped: BTreeSet<Place> = reduced.taken.iter().filter_map(place).collect();
        self.seen.extend(all(0).iter().filter_map(place));
        self.known.extend(dropped.iter().cloned());
        Ok((!dropped.is_empty()).then_some(dropped))
    }

    /// A reduction within the budget of all of them.
    fn reduce(
        &mut self,
        subset: Subset<'_>,
        mut trial: impl FnMut(&mut Self, &Candidate<'_>) -> Result<Held>,
    ) -> Result<Reduced> {
        let mut budget = std::mem::take(&mut self.budget);
        let reduced = subset.run(&mut budget, |candidate| trial(self, candidate));
        self.budget = budget;
        reduced
    }

    /// Whether a frame crashes as it did without what is dropped, as far as there are trials left.
    fn crashes(&mut self, ground: &Ground<'a>, dropped: &BTreeSet<Place>) -> Result<bool> {
        if self.budget.over().is_some() {
            return Ok(false);
        }
        let held = self.trial(ground, dropped)?;
        self.budget.charge(held);
        Ok(held.holds())
    }

    fn trial(&mut self, ground: &Ground<'a>, dropped: &BTreeSet<Place>) -> Result<Held> {
        let frame = ground.frame;
        let mut manifest = self.snapshot.manifest.clone();
        keep_statics(&mut manifest, &ground.statics);
        for (number, info) in manifest.frames.iter_mut().enumerate() {
            info.captured = info.captured.take().filter(|_| number == frame);
            if let Some(captured) = &mut info.captured {
                captured.patches = ground.patches(dropped);
                captured.back_to = None;
            }
        }
        let variant = if ground.statics.is_empty() {
            Variant::WithoutStatics
        } else {
            Variant::AsCaptured
        };
        let plan = plan_by(&manifest, self.snapshot, frame, variant.plan_options())?;
        let trial = match self.runs.run(frame, plan, Loader::Own, PATIENCE) {
            Err(Error::Stopped) => return Ok(Held::Unresolved),
            tried => tried?,
        };
        if trial.verdict == Verdict::TimedOut {
            return Ok(Held::Unresolved);
        }
        Ok(Held::of(trial.holds(&self.words)))
    }

    fn ground(&self, tried: Tried<'_>, constructs: bool) -> Option<Ground<'a>> {
        let frames = &self.snapshot.manifest.frames;
        let Tried { frame, variant, .. } = tried;
        let captured = frames.get(frame)?.captured.as_ref()?;
        let entry = if variant.patches() {
            EntryState::of(frames, frame)
        } else {
            EntryState::default()
        };
        let mut ground = Ground {
            heap: &self.snapshot.heap,
            frame,
            captured,
            entry,
            variant,
            statics: tried.statics.clone(),
            places: Vec::new(),
        };
        let depths = ground.depths(&BTreeSet::new(), constructs)?;
        let mut places = Vec::new();
        for (id, depth) in depths {
            for (place, descriptor, value) in ground.fields(id) {
                if !value.is_zero() {
                    places.push((place, descriptor, depth));
                }
            }
        }
        places.sort_by_key(|(_, _, depth)| *depth);
        ground.places = places;
        Some(ground)
    }
}

/// Leaves these static fields and locals, and the fields that hold the locals: the program's code finds them there.
fn keep_statics(manifest: &mut Manifest, kept: &BTreeSet<usize>) {
    let count = manifest.statics.len();
    let locals = std::mem::take(&mut manifest.thread_locals).into_iter();
    manifest.thread_locals = locals
        .enumerate()
        .filter(|(index, _)| kept.contains(&(count + index)))
        .map(|(_, local)| local)
        .collect();
    let keys: BTreeSet<ObjectId> = manifest
        .thread_locals
        .iter()
        .map(|local| local.key)
        .collect();
    let holds = |value: Value| matches!(value, Value::Ref(id) if keys.contains(&id));
    let statics = std::mem::take(&mut manifest.statics).into_iter();
    manifest.statics = statics
        .enumerate()
        .filter(|(index, field)| kept.contains(index) || holds(field.value))
        .map(|(_, field)| field)
        .collect();
}

impl Ground<'_> {
    /// The objects within reach and how far they are; `None` when they are too many.
    fn depths(
        &self,
        dropped: &BTreeSet<Place>,
        constructs: bool,
    ) -> Option<BTreeMap<ObjectId, usize>> {
        let mut depths = BTreeMap::new();
        let mut waiting = VecDeque::new();
        let receiver = (!constructs).then_some(self.captured.receiver);
        let arguments = self
            .captured
            .arguments
            .iter()
            .map(|argument| argument.value);
        for root in receiver.into_iter().chain(arguments) {
            if let Value::Ref(id) = root {
                waiting.push_back((id, 0));
            }
        }
        while let Some((id, depth)) = waiting.pop_front() {
            if depths.contains_key(&id) {
                continue;
            }
            depths.insert(id, depth);
            if depths.len() > MOST_OBJECTS {
                return None;
            }
            let fields = self.fields(id);
            if fields.is_empty() {
                // The JDK's objects and arrays are containers: what they hold is as near as they are.
                let heap = self.heap;
                heap.each_reference(id, |target| waiting.push_back((ObjectId(target), depth)));
                continue;
            }
            for (place, _, value) in fields {
                if let Value::Ref(target) = value
                    && !dropped.contains(&place)
                {
                    waiting.push_back((target, depth + 1));
                }
            }
        }
        Some(depths)
    }

    /// The fields of an object of the program's classes, as the frame saw them.
    fn fields(&self, id: ObjectId) -> Vec<(Place, String, Value)> {
        let Some(object) = self.heap.object(id) else {
            return Vec::new();
        };
        let Kind::Instance { fields } = &object.kind else {
            return Vec::new();
        };
        if of_jdk(object.class) {
            return Vec::new();
        }
        let patched = |class: &str, name: &str| {
            let mut patches = self.entry.of_object(id);
            patches
                .find(|patch| patch.class == class && patch.field == name)
                .map(|patch| patch.value)
        };
        fields
            .iter()
            .filter(|field| !of_jdk(field.declared_in))
            .map(|field| {
                let place = (id, field.declared_in.to_owned(), field.name.to_owned());
                let value = patched(field.declared_in, field.name).unwrap_or(field.value);
                (place, field.descriptor.to_owned(), value)
            })
            .collect()
    }

    /// The entry state, with what is dropped at zero or null.
    fn patches(&self, dropped: &BTreeSet<Place>) -> Vec<Patch> {
        let is_dropped = |patch: &&Patch| {
            dropped.contains(&(patch.object, patch.class.clone(), patch.field.clone()))
        };
        let entry = self.entry.patches().filter(|_| self.variant.patches());
        let mut patches: Vec<Patch> = entry.filter(|patch| !is_dropped(patch)).cloned().collect();
        for (place, descriptor, _) in &self.places {
            if dropped.contains(place) {
                let (object, class, field) = place.clone();
                patches.push(Patch {
                    object,
                    class,
                    field,
                    descriptor: descriptor.clone(),
                    value: Value::zero_of(descriptor),
                });
            }
        }
        patches
    }
}

impl Closure for Ground<'_> {
    /// What hangs on something dropped goes with it.
    fn along(&self, kept: &Kept, _going: &[usize]) -> Vec<usize> {
        let places = || self.places.iter().enumerate();
        let dropped = places()
            .filter(|(number, _)| !kept.contains(*number))
            .map(|(_, (place, _, _))| place.clone())
            .collect();
        let Some(reached) = self.depths(&dropped, false) else {
            return Vec::new();
        };
        places()
            .filter(|(_, ((object, _, _), _, _))| !reached.contains_key(object))
            .map(|(number, _)| number)
            .collect()
    }
}

fn of_jdk(class: &str) -> bool {
    class.starts_with('[') || is_of_jdk(class)
}
