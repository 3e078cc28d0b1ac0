//! What is asked, and what is answered.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use recrash_program::MethodId;
use recrash_trace::Evidence;

use crate::precondition::Precondition;

/// A crash: what was thrown, and where.
#[derive(Debug, Clone)]
pub struct Target {
    /// Internal name of the exception's class, `java/lang/NullPointerException`.
    pub exception: String,
    pub evidence: Option<Evidence>,
    /// Frames of the JDK below the innermost frame of the program, innermost first. Their lines tell nothing.
    pub below: Vec<LibraryFrame>,
    /// Frames of the program, innermost first; each may be several methods, where the trace does not tell.
    pub frames: Vec<Vec<Place>>,
}

/// A frame by names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LibraryFrame {
    /// Internal name.
    pub class: String,
    pub method: String,
}

/// Code of a method that belongs to a line of the trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    pub method: MethodId,
    /// Where instructions of the line begin and end; empty if the line is not known: anywhere.
    pub ranges: Vec<(u16, u16)>,
}

#[derive(Debug, Clone)]
pub struct Options {
    /// Leave out conditional blocks that have nothing to do with the condition (STAR 3.2.1).
    pub prune_paths: bool,
    /// After a contradiction, go back to what took part in it (STAR 3.2.2).
    pub unsat_core: bool,
    /// Look for contradictions where ways meet, not only at the entry (STAR 3.2.3).
    pub merge_contradictions: bool,
    pub budget: Duration,
    /// How often a way may pass a block.
    pub loop_bound: u8,
    /// How many calls deep callees are looked into.
    pub call_depth: usize,
    /// For one question to the solver.
    pub check_limit: Duration,
    /// How many preconditions are wanted.
    pub wanted: usize,
    /// For one question for a nicer state, once one is found: with small numbers, short texts, different objects. Zero asks none.
    pub wish_limit: Duration,
    /// Once true, time is up.
    pub stop: Option<Arc<AtomicBool>>,
}

impl Options {
    pub(crate) fn is_stopped(&self) -> bool {
        let stop = self.stop.as_ref();
        stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}

impl Default for Options {
    fn default() -> Options {
        Options {
            prune_paths: true,
            unsat_core: true,
            merge_contradictions: true,
            budget: Duration::from_secs(10),
            loop_bound: 3,
            call_depth: 3,
            check_limit: Duration::from_secs(1),
            wanted: 5,
            wish_limit: Duration::from_millis(250),
            stop: None,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// There are preconditions.
    Found,
    /// Every way was followed to the entry and contradicts itself; nothing was left out or assumed.
    Unreachable,
    GaveUp(Reason),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// Nothing on the line can throw this.
    NothingThrows,
    /// The next frame's line does not call the frame inside it.
    NoCall,
    Time,
    /// All ways that were followed contradict themselves; longer ones through loops were not.
    LoopBound,
    /// All ways that were followed contradict themselves, if calls that were not looked into changed nothing.
    Assumed,
    /// The solver did not know.
    Solver,
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Reason::NothingThrows => "nothing on the line can throw this exception",
            Reason::NoCall => "the next frame's line does not call the frame inside it",
            Reason::Time => "the time ran out",
            Reason::LoopBound => "no way through the loops that is short enough leads there",
            Reason::Assumed => {
                "no way leads there if calls that were not looked into changed nothing"
            }
            Reason::Solver => "the solver gave up",
        })
    }
}

#[derive(Debug, Clone)]
pub struct Outcome {
    pub preconditions: Vec<Precondition>,
    pub verdict: Verdict,
    pub statistics: Statistics,
}

/// What the search took, as in STAR's table 6.
#[derive(Debug, Clone, Default)]
pub struct Statistics {
    /// Ways that were followed to an entry, or to a contradiction.
    pub paths: u64,
    /// Questions to the solver.
    pub checks: u64,
    /// Places at which ways met and more than one was followed.
    pub branches: u64,
    /// Conditions that were collected.
    pub conditions: u64,
    pub time: Duration,
}

impl Statistics {
    pub(crate) fn add(&mut self, other: &Statistics) {
        self.paths += other.paths;
        self.checks += other.checks;
        self.branches += other.branches;
        self.conditions += other.conditions;
        self.time += other.time;
    }
}
