//! Failures of tests, where the engines report them.

use super::gate::{Rule, THROWABLE, gate, known};
use crate::kinds::Kind;

pub const RULE: Rule = Rule {
    kind: Kind::Tests,
    known: &[
        // Every engine of the JUnit Platform makes its failures here.
        known(
            "org/junit/platform/engine/TestExecutionResult",
            "failed",
            &[THROWABLE],
            gate("testFails"),
        ),
        known(
            "org/junit/runner/notification/RunNotifier",
            "fireTestFailure",
            &["Lorg/junit/runner/notification/Failure;"],
            gate("junit4Fails"),
        ),
        known(
            "org/testng/TestRunner",
            "addFailedTest",
            &["Lorg/testng/ITestResult;"],
            gate("testNgFails"),
        ),
    ],
    shape: None,
};
