use recrash_bundle::Paths;
use recrash_javagen::JUnit;
use recrash_jvm::{ClassPath, Jdk};
use std::path::PathBuf;
use std::time::Duration;

/// How the tests of one snapshot are made.
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a choice of its own that a person makes"
)]
#[derive(Debug, Clone)]
pub struct TestsOptions {
    pub snapshot: PathBuf,
    /// The folder that gets a folder of tests; the snapshot's own without it.
    pub out: Option<PathBuf>,
    /// `None`: the recorded one.
    pub class_path: Option<ClassPath>,
    /// `None`: the recorded one, or the nearest.
    pub jdk: Option<Jdk>,
    /// `None`: TestNG where the program has that and no JUnit 5, else JUnit 5.
    pub junit: Option<JUnit>,
    pub package: Option<String>,
    pub expect_crash: bool,
    /// Only tests that need neither the snapshot nor anything else of recrash.
    pub self_contained: bool,
    /// Whether frames of libraries that called the application are tried although its own reproduce.
    pub all_frames: bool,
    /// Whether a frame that reproduces may be run again to see what those inside it were given.
    pub second_look: bool,
    /// Per candidate.
    pub limit: Duration,
    pub bundle: Paths,
    /// The version of recrash, for the header of the source.
    pub version: String,
}
