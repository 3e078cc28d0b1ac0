//! Whether the crash stays: trials in a warm JVM, and what they are worth.
//!
//! Most trials run in one class loader, because loading the program anew is most of the cost. There, static state that
//! earlier trials left behind can make a crash stay, or go, for the wrong reason. So nothing counts as held before it was
//! confirmed in a class loader of its own, and from time to time the state that is known to crash is tried again.

use recrash_desk::{Trial, Trials, variants};
use recrash_heap::{PlanOptions, Snapshot, plan};
use recrash_judge::{Verdict, Words};
use recrash_jvm::Loader;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use crate::error::Result;

/// Each frame runs so often before anything is changed; less often where that takes long.
const FIRST_TRIES: u32 = 3;
const FIRST_TIME: Duration = Duration::from_secs(1);
/// A frame that takes longer than this, and so many times longer than most, is late.
const LATE_TIME: Duration = Duration::from_millis(200);
const LATE_FACTOR: u32 = 5;
/// What flickers must hold so often to count.
const FLAKY_REPEATS: u32 = 3;
/// After so many refusals in a row, the state that is known to crash is tried again.
const REFUSALS: u32 = 50;
/// So often the kept class loader may turn out to be spoiled before it is given up.
const SPOILED: u32 = 3;

/// A frame that must go on reproducing the crash.
#[derive(Debug, Clone)]
pub(crate) struct Witness {
    pub(crate) frame: usize,
    pub(crate) restore: PlanOptions,
    limit: Duration,
    /// The JVM's own words for what was wrong, which are to stay.
    words: Words,
    /// What it throws cannot be printed from the start.
    unprintable: bool,
    /// It only works in a class loader of its own, as an initialiser does.
    cold: bool,
    /// What a run takes.
    time: Duration,
    /// It takes so much longer than the others that it is only asked when their word is confirmed.
    late: bool,
}

/// What the first tries gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum First {
    Steady,
    /// It reproduced in some of the tries.
    Flickers {
        held: u32,
        tries: u32,
    },
    Never(String),
}

pub(crate) struct Oracle<'a> {
    trials: Trials<'a>,
    /// Those that refused last are asked first.
    witnesses: Vec<Witness>,
    repeats: u32,
    /// The next trial gets a new kept class loader.
    anew: bool,
    spoiled: u32,
    /// What a run in a class loader of its own took at most.
    cold_time: Duration,
    refusals: u32,
    /// Plans that did not reproduce.
    refused: HashSet<u64>,
}

impl<'a> Oracle<'a> {
    pub(crate) fn new(trials: Trials<'a>) -> Self {
        Oracle {
            trials,
            witnesses: Vec::new(),
            repeats: 1,
            anew: true,
            spoiled: 0,
            cold_time: Duration::ZERO,
            refusals: 0,
            refused: HashSet::new(),
        }
    }

    pub(crate) fn trials(&self) -> u64 {
        self.trials.runs()
    }

    pub(crate) fn witnesses(&self) -> &[Witness] {
        &self.witnesses
    }

    /// Tries a frame as it is, in so many variants at most; from here on it is a witness, unless it does not reproduce.
    pub(crate) fn call(
        &mut self,
        snapshot: &Snapshot,
        frame: usize,
        most: usize,
        limit: Duration,
    ) -> Result<First> {
        let mut reason = None;
        for variant in variants(&snapshot.manifest, frame).into_iter().take(most) {
            let restore = variant.plan_options();
            let bytes = plan(snapshot, frame, restore)?;
            let trial = self.trials.run(frame, bytes.clone(), Loader::Own, limit)?;
            if trial.verdict == Verdict::Reproduced {
                return self.examine(snapshot, frame, restore, &bytes, &trial, limit);
            }
            // Without static state another way may end; what runs too long even so does for another reason.
            if trial.verdict == Verdict::TimedOut && !variant.statics() {
                break;
            }
            reason = reason.or(trial.reason);
        }
        Ok(First::Never(reason.unwrap_or_default()))
    }

    /// How steadily a frame reproduces that did so once, how long it takes, and where it does.
    fn examine(
        &mut self,
        snapshot: &Snapshot,
        frame: usize,
        restore: PlanOptions,
        bytes: &[u8],
        first: &Trial,
        limit: Duration,
    ) -> Result<First> {
        let (mut tries, mut held) = (1, 1);
        let (mut slowest, mut taken) = (first.took, first.took);
        while tries < FIRST_TRIES && taken < FIRST_TIME {
            let trial = self.trials.run(frame, bytes.to_vec(), Loader::Own, limit)?;
            slowest = slowest.max(trial.took);
            taken += trial.took;
            tries += 1;
            held += u32::from(trial.verdict == Verdict::Reproduced);
        }
        self.cold_time = self.cold_time.max(slowest);
        let mut witness = Witness {
            frame,
            restore,
            limit: limit.min(slowest * 10 + Duration::from_millis(500)),
            words: Words::of_the_jvm(&first.outcome),
            unprintable: first.is_unprintable(),
            cold: snapshot.manifest.initialises_its_class(frame),
            time: slowest,
            late: false,
        };
        let mut warm_tries = 0;
        while !witness.cold && warm_tries < 2 && (warm_tries == 0 || taken < FIRST_TIME) {
            let loader = self.kept();
            let trial = self.trials.run(frame, bytes.to_vec(), loader, limit)?;
            witness.cold = trial.verdict != Verdict::Reproduced;
            witness.time = trial.took;
            warm_tries += 1;
        }
        self.witnesses.push(witness);
        if held < tries {
            self.repeats = FLAKY_REPEATS;
            return Ok(First::Flickers { held, tries });
        }
        Ok(First::Steady)
    }

    /// All witnesses are there: the outermost ones often run the whole program, the others are done in no time.
    pub(crate) fn sort(&mut self) {
        self.witnesses.sort_by_key(|witness| witness.time);
        let middle = self.witnesses.get(self.witnesses.len() / 2);
        let usual = middle.map_or(Duration::ZERO, |witness| witness.time);
        for witness in &mut self.witnesses {
            witness.late = witness.time > LATE_TIME && witness.time > usual * LATE_FACTOR;
        }
    }

    fn kept(&mut self) -> Loader {
        if std::mem::take(&mut self.anew) {
            Loader::KeptAnew
        } else {
            Loader::Kept
        }
    }

    /// What a run in a class loader of its own takes.
    pub(crate) fn cold_time(&self) -> Duration {
        self.cold_time
    }

    /// Lets the next trials begin in a new kept class loader.
    pub(crate) fn renew(&mut self) {
        self.anew = true;
        self.refused.clear();
    }

    /// Whether the frames for which `touched` holds still crash. With `cold` each in a class loader of its own; else
    /// [`Oracle::confirms`] has the last word.
    pub(crate) fn holds(
        &mut self,
        candidate: &Snapshot,
        best: &Snapshot,
        touched: impl Fn(usize) -> bool,
        cold: bool,
    ) -> Result<bool> {
        for position in 0..self.witnesses.len() {
            let Some(witness) = self.witnesses.get(position).cloned() else {
                break;
            };
            if witness.late || !touched(witness.frame) {
                continue;
            }
            let bytes = plan(candidate, witness.frame, witness.restore)?;
            let key = key(witness.frame, &bytes, cold);
            if self.refused.contains(&key) || !self.reproduces(&witness, &bytes, cold)? {
                self.refused.insert(key);
                self.witnesses.remove(position);
                self.witnesses.insert(0, witness.clone());
                if !cold {
                    self.refusals += 1;
                    self.check(&witness, best)?;
                }
                return Ok(false);
            }
        }
        self.refusals = 0;
        Ok(true)
    }

    /// Whether all frames crash in class loaders of their own, or only those that were not asked yet.
    pub(crate) fn confirms(&mut self, candidate: &Snapshot, only_late: bool) -> Result<bool> {
        let mut all_hold = true;
        for position in 0..self.witnesses.len() {
            let Some(witness) = self.witnesses.get(position).cloned() else {
                break;
            };
            if only_late && !witness.late {
                continue;
            }
            let bytes = plan(candidate, witness.frame, witness.restore)?;
            if self.reproduces(&witness, &bytes, true)? {
                continue;
            }
            all_hold = false;
            if let Some(refuses) = self.witnesses.get_mut(position).filter(|one| one.late) {
                // From here on it is asked every time.
                refuses.late = false;
            } else {
                self.spoil();
            }
        }
        Ok(all_hold)
    }

    fn reproduces(&mut self, witness: &Witness, bytes: &[u8], cold: bool) -> Result<bool> {
        for _ in 0..self.repeats {
            let loader = if cold || witness.cold || self.spoiled >= SPOILED {
                Loader::Own
            } else {
                self.kept()
            };
            let limit = witness.limit;
            let trial = self
                .trials
                .run(witness.frame, bytes.to_vec(), loader, limit)?;
            let shown = witness.unprintable || !trial.is_unprintable();
            if !trial.holds(&witness.words) || !shown {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Many refusals may mean that nothing is left to take, or that nothing reproduces in the kept loader any more.
    fn check(&mut self, witness: &Witness, best: &Snapshot) -> Result<()> {
        if self.refusals < REFUSALS {
            return Ok(());
        }
        self.refusals = 0;
        let bytes = plan(best, witness.frame, witness.restore)?;
        if !self.reproduces(witness, &bytes, false)? {
            self.spoil();
        }
        Ok(())
    }

    fn spoil(&mut self) {
        self.spoiled += 1;
        self.renew();
    }
}

fn key(frame: usize, plan: &[u8], cold: bool) -> u64 {
    let mut hasher = DefaultHasher::new();
    (frame, plan, cold).hash(&mut hasher);
    hasher.finish()
}
