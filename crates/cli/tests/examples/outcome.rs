//! What `recrash run` left behind.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::examples::compile::succeed;

pub struct Outcome {
    /// The folder with the tests.
    pub tests: PathBuf,
    /// The uncaught exception first, the root cause last.
    pub throwables: Vec<String>,
    frames: Vec<Frame>,
}

struct Frame {
    file: String,
    line: i64,
    verdict: String,
}

impl Outcome {
    /// The snapshot of `crash` in `out`; why there is none, in words.
    pub fn read(out: &Path, crash: &str) -> Result<Outcome, String> {
        let entries = std::fs::read_dir(out).map_err(|e| format!("{}: {e}", out.display()))?;
        let snapshots: Vec<PathBuf> = entries
            .map(|entry| entry.unwrap().path())
            .filter(|path| {
                path.extension()
                    .is_some_and(|extension| extension == "recrash")
            })
            .collect();
        for snapshot in &snapshots {
            let shown = succeed(
                Command::new(env!("CARGO_BIN_EXE_recrash"))
                    .args(["show", "--json"])
                    .arg(snapshot),
            );
            let manifest = parse(&shown)["manifest"].take();
            let throwables = strings(&manifest["throwables"], "class");
            if throwables.first().is_some_and(|first| first == crash) {
                return Ok(Outcome::of(snapshot, throwables, &manifest));
            }
        }
        Err(format!(
            "none of {} snapshots is of {crash}",
            snapshots.len()
        ))
    }

    fn of(snapshot: &Path, throwables: Vec<String>, manifest: &Value) -> Outcome {
        let tests = snapshot.with_extension("");
        let verdicts = parse(&std::fs::read_to_string(tests.join("verdicts.json")).unwrap());
        let frames = verdicts["frames"].as_array().unwrap().iter().map(|frame| {
            let index = usize::try_from(frame["frame"].as_u64().unwrap()).unwrap();
            let element = &manifest["frames"][index]["element"];
            Frame {
                file: element["file"].as_str().unwrap_or_default().to_owned(),
                line: element["line"].as_i64().unwrap(),
                verdict: frame["verdict"].as_str().unwrap().to_owned(),
            }
        });
        Outcome {
            tests,
            throwables,
            frames: frames.collect(),
        }
    }

    pub fn reproduced(&self) -> usize {
        self.frames
            .iter()
            .filter(|frame| frame.verdict == "reproduced")
            .count()
    }

    /// The verdict of each line of these sources that a captured frame stood on.
    pub fn verdicts_in(&self, sources: &[String]) -> BTreeMap<String, String> {
        let ours = self
            .frames
            .iter()
            .filter(|frame| sources.contains(&frame.file) && frame.line > 0);
        ours.map(|frame| {
            (
                format!("{}:{}", frame.file, frame.line),
                frame.verdict.clone(),
            )
        })
        .collect()
    }
}

fn parse(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn strings(list: &Value, key: &str) -> Vec<String> {
    list.as_array()
        .unwrap()
        .iter()
        .map(|item| item[key].as_str().unwrap().to_owned())
        .collect()
}
