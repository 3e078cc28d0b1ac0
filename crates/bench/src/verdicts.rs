use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Deserialize;

/// What `recrash run` leaves beside the tests of a snapshot; only the fields that are counted.
#[derive(Debug, Deserialize)]
pub struct Verdicts {
    pub frames: Vec<FrameVerdict>,
}

#[derive(Debug, Deserialize)]
pub struct FrameVerdict {
    pub frame: usize,
    pub class: String,
    pub method: String,
    pub line: i32,
    pub verdict: String,
    pub reason: Option<String>,
    #[serde(default)]
    pub notes: Vec<String>,
    #[serde(default)]
    pub trivial: bool,
    /// The test needs no snapshot.
    #[serde(default)]
    pub self_contained: bool,
    /// Why it does.
    #[serde(default)]
    pub obstacle: Option<String>,
}

impl FrameVerdict {
    pub fn reproduced(&self) -> bool {
        self.verdict == "reproduced"
    }

    /// Whether it was handed the exception, so that no test of it could ever pass.
    pub fn passes_on(&self) -> bool {
        self.verdict == "passes-on"
    }

    /// Whether its test could show that the bug is repaired.
    pub fn counts(&self) -> bool {
        let aside = ["needs-server", "outside-build"];
        !self.passes_on() && !aside.contains(&self.verdict.as_str())
    }

    /// Whether the state on entry came from a second look, not from the crash itself.
    pub fn looked(&self) -> bool {
        let second = |note: &String| note == "entry state from a second look";
        self.notes.iter().any(second)
    }

    /// `Parser.next:12`, without the package.
    pub fn name(&self) -> String {
        let class = self.class.rsplit('.').next().unwrap_or(&self.class);
        let line = if self.line > 0 {
            format!(":{}", self.line)
        } else {
            String::new()
        };
        format!("{class}.{}{line}", self.method)
    }
}

/// A snapshot of an output folder, with the verdicts over its frames where tests were made.
pub struct Captured {
    pub snapshot: PathBuf,
    pub verdicts: Option<Verdicts>,
}

/// The snapshots directly in `out`, in the order of their names.
pub fn captured(out: &Path) -> Result<Vec<Captured>> {
    let mut snapshots = Vec::new();
    for entry in
        std::fs::read_dir(out).with_context(|| format!("{} could not be read", out.display()))?
    {
        let path = entry?.path();
        if path
            .extension()
            .is_some_and(|extension| extension == "recrash")
        {
            snapshots.push(path);
        }
    }
    snapshots.sort();
    snapshots
        .into_iter()
        .map(|snapshot| {
            Ok(Captured {
                verdicts: read(&snapshot.with_extension(""))?,
                snapshot,
            })
        })
        .collect()
}

/// The verdicts beside a snapshot, where tests were made.
pub fn of_snapshot(snapshot: &Path) -> Result<Option<Verdicts>> {
    read(&snapshot.with_extension(""))
}

fn read(folder: &Path) -> Result<Option<Verdicts>> {
    let file = folder.join("verdicts.json");
    if !file.is_file() {
        return Ok(None);
    }
    let text = std::fs::read_to_string(&file)?;
    serde_json::from_str(&text)
        .map(Some)
        .with_context(|| format!("{} is not understood", file.display()))
}
