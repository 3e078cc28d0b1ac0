//! What a search may use, and when it ends.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::given::Given;
use crate::runner::RunnerOptions;
use crate::summaries::Summaries;

pub(crate) struct SearchOptions<'a> {
    pub(crate) runner: RunnerOptions,
    pub(crate) budget: Duration,
    pub(crate) seed: u64,
    pub(crate) threads: usize,
    pub(crate) given: &'a Given,
    pub(crate) summaries: &'a Summaries,
    pub(crate) allow_reflection: bool,
    /// Whether tests may not lie in the package of a class: its jar is signed or sealed.
    pub(crate) closes: &'a (dyn Fn(&str) -> bool + Sync),
    pub(crate) stop: &'a AtomicBool,
    pub(crate) progress: &'a (dyn Fn(&str) + Sync),
}

impl SearchOptions<'_> {
    pub(crate) fn is_over(&self, end: Instant) -> bool {
        Instant::now() >= end || self.stop.load(Ordering::Relaxed)
    }
}
