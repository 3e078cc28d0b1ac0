//! One captured bug: its snapshot, and the tests that come of it.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;

use super::answers::Printed;
use crate::sample::without_foreign_options;
use crate::verdicts::{FrameVerdict, of_snapshot};

pub struct Bug {
    /// Exception, and the application's frame nearest to the throw.
    pub name: String,
    pub how: String,
    own: usize,
    own_captured: usize,
    pub own_reproduced: usize,
    /// The frame whose test is shown first.
    first: String,
    objects: usize,
    kilobytes: u64,
    capture: Option<u64>,
    /// Of making its tests.
    pub seconds: f64,
    /// Frames that only pass the failure on.
    pub passing: Vec<String>,
}

impl Bug {
    /// Makes the tests of a snapshot and looks at both.
    pub fn of(recrash: &Path, snapshot: &Path, how: &str, printed: &Printed) -> Result<Bug> {
        let mut tests = Command::new(recrash);
        tests.arg("tests").arg(snapshot);
        without_foreign_options(&mut tests);
        let start = std::time::Instant::now();
        let said = tests.output()?;
        let seconds = start.elapsed().as_secs_f64();
        std::fs::write(
            snapshot.with_extension("said"),
            [said.stdout, said.stderr].concat(),
        )?;
        let shown = Command::new(recrash)
            .args(["show", "--json"])
            .arg(snapshot)
            .output()?;
        let shown: Value = serde_json::from_slice(&shown.stdout)
            .with_context(|| format!("recrash show --json {}", snapshot.display()))?;
        let verdicts = of_snapshot(snapshot)?.map_or_else(Vec::new, |verdicts| verdicts.frames);
        let manifest = shown.get("manifest").cloned().unwrap_or_default();
        let own = own_frames(&manifest);
        let reproduces = |frame: &FrameVerdict| {
            frame.reproduced() && own.iter().any(|it| it.number == frame.frame)
        };
        let first = verdicts.iter().find(|frame| frame.reproduced());
        let file = snapshot.file_name().unwrap_or_default().to_string_lossy();
        Ok(Bug {
            name: name(&manifest, &own),
            how: how.to_owned(),
            own_captured: own.iter().filter(|frame| frame.captured).count(),
            own_reproduced: verdicts.iter().filter(|frame| reproduces(frame)).count(),
            own: own.len(),
            first: first.map_or_else(|| "-".to_owned(), FrameVerdict::name),
            objects: shown
                .get("objects")
                .and_then(Value::as_array)
                .map_or(0, Vec::len),
            kilobytes: snapshot.metadata()?.len().div_ceil(1024),
            capture: printed.capture_of(&file),
            seconds,
            passing: verdicts
                .iter()
                .filter(|frame| frame.passes_on())
                .map(FrameVerdict::name)
                .collect(),
        })
    }

    pub fn row(&self, id: &str, all: f64) -> Vec<String> {
        vec![
            id.to_owned(),
            self.name.clone(),
            self.how.clone(),
            self.own.to_string(),
            self.own_captured.to_string(),
            self.own_reproduced.to_string(),
            self.first.clone(),
            self.objects.to_string(),
            self.kilobytes.to_string(),
            self.capture
                .map_or_else(|| "-".to_owned(), |ms| ms.to_string()),
            format!("{:.1}", self.seconds),
            format!("{all:.1}"),
            self.passing.len().to_string(),
        ]
    }
}

struct OwnFrame {
    number: usize,
    place: String,
    captured: bool,
}

/// The application's frames, innermost first.
fn own_frames(manifest: &Value) -> Vec<OwnFrame> {
    let classes = manifest
        .pointer("/application/classes")
        .and_then(Value::as_array);
    let is_own =
        |class: &str| classes.is_none_or(|own| own.iter().any(|it| it.as_str() == Some(class)));
    let frames = manifest.get("frames").and_then(Value::as_array);
    let frames = frames.into_iter().flatten().enumerate();
    frames
        .filter_map(|(number, frame)| {
            let text = |key: &str| frame.pointer(key).and_then(Value::as_str);
            let class = text("/element/class").filter(|class| is_own(class))?;
            let simple = class.rsplit('.').next().unwrap_or(class);
            Some(OwnFrame {
                number,
                place: format!("{simple}.{}", text("/element/method").unwrap_or_default()),
                captured: frame
                    .get("captured")
                    .is_some_and(|captured| !captured.is_null()),
            })
        })
        .collect()
}

fn name(manifest: &Value, own: &[OwnFrame]) -> String {
    let thrown = manifest.get("throwables").and_then(Value::as_array);
    let class = thrown.and_then(|all| all.last()?.get("class")?.as_str());
    let simple = class
        .and_then(|class| class.rsplit('.').next())
        .unwrap_or("?");
    let nearest = own.first().map_or("", |frame| frame.place.as_str());
    format!("{simple} in {nearest}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_bug_is_named_by_its_root_and_the_applications_nearest_frame() {
        let frame = |class: &str, captured: Value| json!({"element": {"class": class, "method": "m"}, "captured": captured});
        let manifest = json!({
            "throwables": [{"class": "x.Wrapper"}, {"class": "java.lang.Error"}],
            "application": {"classes": ["app.A"]},
            "frames": [frame("lib.B", json!({})), frame("app.A", Value::Null), frame("app.A", json!({}))],
        });
        let own = own_frames(&manifest);
        assert_eq!(name(&manifest, &own), "Error in A.m");
        assert_eq!(
            (own.len(), own[0].number, own[0].captured, own[1].captured),
            (2, 1, false, true)
        );
    }
}
