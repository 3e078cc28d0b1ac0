//! What is asked for: which frames, how far in plain Java, for which JUnit.

use crate::build::Style;
use recrash_heap::PlanOptions;
use std::collections::BTreeSet;

/// What runs the tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JUnit {
    Four,
    Five,
    TestNg,
}

impl JUnit {
    /// JUnit 4 and TestNG want their classes and methods public.
    pub(crate) fn visibility(self) -> &'static str {
        match self {
            JUnit::Four | JUnit::TestNg => "public ",
            JUnit::Five => "",
        }
    }

    /// The annotation of a test.
    pub(crate) fn annotation(self) -> &'static str {
        match self {
            JUnit::Four => "org.junit.Test",
            JUnit::Five => "org.junit.jupiter.api.Test",
            JUnit::TestNg => "org.testng.annotations.Test",
        }
    }

    /// The class with the assertions, and the one of them that gives back what was thrown.
    pub(crate) fn assertions(self) -> (&'static str, &'static str) {
        match self {
            JUnit::Four => ("org.junit.Assert", "assertThrows"),
            JUnit::Five => ("org.junit.jupiter.api.Assertions", "assertThrows"),
            JUnit::TestNg => ("org.testng.Assert", "expectThrows"),
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
