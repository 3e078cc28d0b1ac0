//! Runs candidate tests in a worker JVM and judges them.
//!
//! A *candidate* is a captured frame whose method is called again with the receiver and arguments of the snapshot. It
//! *reproduces* when the same exceptions come out, thrown at the same place. This crate knows what a snapshot's
//! manifest says and what a worker JVM answers; it may not know how a snapshot came about, nor how test source is
//! written: [`run_junit`] compiles and runs whatever source it is given and judges by what JUnit reports.
//!
//! Start reading at [`judge`], which is pure, then [`verify`], which climbs the ladder of variants per frame.

mod environment;
mod error;
mod halfway;
mod judge;
#[cfg(test)]
mod judge_tests;
mod junit;
mod junit_report;
mod ladder;
mod location;
mod need;
mod second_look;
mod stack_trace;
mod trial;
mod trouble;
mod verdict;

pub use environment::{Tools, choose_jdk, jvm_arguments, recorded_class_path, whole_class_path};
pub use error::{Error, Result};
pub use halfway::halfway;
pub use judge::{Expected, judge};
pub use junit::{JunitRun, JunitVersion, TestOutcome, TestResult, run_junit};
pub use ladder::{VerifyOptions, variants, verify, verify_frames};
pub use need::{Needs, Tried, same_message};
pub use second_look::second_look;
pub use trial::{Trial, Trials};
pub use verdict::{FrameVerdict, Variant, Verdict, Verification};
