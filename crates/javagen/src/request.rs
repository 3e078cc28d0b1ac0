//! What is asked for: which frames, how far in plain Java, for which JUnit.

use crate::build::Style;
use recrash_heap::PlanOptions;
use std::collections::BTreeSet;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JUnit {
    Four,
    Five,
}

impl JUnit {
    /// JUnit 4 wants its classes and methods public.
    pub(crate) fn visibility(self) -> &'static str {
        match self {
            JUnit::Four => "public ",
            JUnit::Five => "",
        }
    }
}

/// How far a frame is written in plain Java.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Everything made by source; nothing is loaded.
    Built(Style),
    /// By name, with literals, as far as the language allows.
    Plain,
    /// By name, every object loaded.
    Objects,
    /// Everything loaded, called through `frame.invoke()`.
    Loaded,
}

/// A frame to make a test of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Candidate {
    pub frame: usize,
    /// What is restored with the frame: the variant that reproduced.
    pub restore: PlanOptions,
    pub form: Form,
}

#[derive(Debug, Clone)]
pub struct Options {
    pub junit: JUnit,
    /// `None`: the package of the most useful frame's class.
    pub package: Option<String>,
    /// Tests pass while the bug exists.
    pub expect_crash: bool,
    /// File name of the snapshot beside the test.
    pub snapshot: String,
    /// The version of recrash.
    pub version: String,
    /// Qualified names that the test classes of other crashes have: this one is called otherwise.
    pub taken: BTreeSet<String>,
    /// Tests that compare the objects they make with the captured ones, instead of calling anything.
    pub proof: bool,
}
