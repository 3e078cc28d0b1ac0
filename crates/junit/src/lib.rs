//! Compiles test sources and runs them with the real JUnit, 4 or 5, or with the TestNG of the program.
//!
//! Knows javac, JUnit's launchers and their reports. It may not know what the tests are for: what was thrown comes back as
//! the report has it, and others judge it.
//!
//! Start reading at [`run_junit`].
//!
//! Never uses: `std::net`, `judge`, `heap`.

mod error;
mod outcome;
mod report;
mod run;
mod stack_trace;
mod testng;

pub use error::{Error, Result};
pub use outcome::{TestOutcome, TestResult};
pub use run::{JunitRun, JunitVersion, run_junit};
