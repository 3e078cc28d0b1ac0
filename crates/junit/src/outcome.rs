use recrash_jvm::Thrown;

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
