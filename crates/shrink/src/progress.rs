use std::time::Duration;

/// How far a shrinking is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    pub objects_before: u32,
    pub objects: u32,
    pub trials: u64,
    pub elapsed: Duration,
}
