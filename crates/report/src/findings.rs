//! What else is known about a crash beside the snapshot itself.

use crate::sources::Excerpt;
use crate::table::Row;

/// Everything that lies beside a snapshot: verdicts, generated tests, the program's own source. Empty unless told.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Findings {
    /// The verdict over each captured frame that was tried.
    pub rows: Vec<Row>,
    /// Sentences that qualify the verdicts.
    pub notes: Vec<String>,
    pub tests: Vec<TestSource>,
    pub excerpts: Vec<Excerpt>,
}

/// A generated test class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestSource {
    /// Where it lies, as the user would type it.
    pub path: String,
    pub text: String,
}

impl Findings {
    pub(crate) fn row(&self, frame: usize) -> Option<&Row> {
        self.rows.iter().find(|row| row.frame == frame)
    }

    pub(crate) fn excerpt(&self, frame: usize) -> Option<&Excerpt> {
        self.excerpts.iter().find(|excerpt| excerpt.frame == frame)
    }
}
