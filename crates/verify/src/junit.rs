//! The last word: the emitted source, compiled by javac and run by JUnit itself.

use std::path::PathBuf;
use std::time::Duration;

use recrash_jvm::{ClassPath, Jdk, Thrown};

use crate::environment::Tools;
use crate::error::{Error, Result};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum JunitVersion {
    Four,
    #[default]
    Five,
}

/// Test sources to compile and run.
#[derive(Debug, Clone)]
pub struct JunitRun<'a> {
    pub tools: &'a Tools,
    pub jdk: &'a Jdk,
    pub version: JunitVersion,
    /// Every `.java` file below it is compiled; snapshots lie beside them.
    pub source_dir: PathBuf,
    /// Fully qualified names of the test classes.
    pub test_classes: Vec<String>,
    /// The program's.
    pub class_path: ClassPath,
    /// Options of the recorded JVM that decide behaviour, see [`crate::jvm_arguments`].
    pub jvm_arguments: Vec<String>,
    pub working_directory: PathBuf,
    /// For the whole run.
    pub limit: Duration,
}

/// What JUnit said about one test method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestResult {
    pub class: String,
    pub method: String,
    pub outcome: TestOutcome,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TestOutcome {
    Passed,
    /// The throwable and its causes, as the trace in the report has them.
    Failed(Vec<Thrown>),
    Skipped,
}

/// Compiles the sources and runs the tests with the real runner.
pub fn run_junit(run: &JunitRun<'_>) -> Result<Vec<TestResult>> {
    Err(Error::NoSource(run.source_dir.clone()))
}
