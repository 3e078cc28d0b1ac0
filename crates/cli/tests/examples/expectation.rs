//! The expectations inside an example's sources.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

pub struct Example {
    pub sources: Vec<PathBuf>,
    pub runs: Vec<Run>,
    frames: Vec<FrameExpectation>,
}

/// A source with `// crash:`.
pub struct Run {
    pub name: String,
    pub main: String,
    pub crash: String,
    pub causes: Vec<String>,
    pub least_jdk: u32,
    /// Of `recrash run`.
    pub options: Vec<String>,
}

impl Run {
    /// The uncaught exception first, the root cause last.
    pub fn throwables(&self) -> Vec<String> {
        std::iter::once(&self.crash)
            .chain(&self.causes)
            .cloned()
            .collect()
    }
}

/// `// frame: VERDICT` or `// frame in RUN: VERDICT` behind the line the frame stood on.
struct FrameExpectation {
    run: Option<String>,
    line: SourceLine,
    verdict: String,
}

/// `Bst.java:30`.
pub type SourceLine = String;

impl Example {
    pub fn read(folder: &Path) -> Example {
        let mut sources: Vec<PathBuf> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| {
                path.extension()
                    .is_some_and(|e| ["java", "kt", "scala"].iter().any(|known| e == *known))
            })
            .collect();
        sources.sort();
        let mut example = Example {
            sources: sources.clone(),
            runs: Vec::new(),
            frames: Vec::new(),
        };
        for source in &sources {
            let text = std::fs::read_to_string(source).unwrap();
            let file = source.file_name().unwrap().to_str().unwrap();
            let name = source.file_stem().unwrap().to_str().unwrap();
            example.runs.extend(read_run(name, &text));
            example.frames.extend(read_frames(file, &text));
        }
        example
    }

    /// The verdict each line must have in this run.
    pub fn expected(&self, run: &Run) -> BTreeMap<SourceLine, String> {
        let alone = self.runs.len() == 1;
        let of_other_run = |line: &str| {
            let file = line.split(':').next().unwrap_or_default();
            self.runs.iter().any(|other| {
                other.name != run.name && file.split('.').next() == Some(other.name.as_str())
            })
        };
        self.frames
            .iter()
            .filter(|frame| match &frame.run {
                Some(name) => *name == run.name,
                None => alone || !of_other_run(&frame.line),
            })
            .map(|frame| (frame.line.clone(), frame.verdict.clone()))
            .collect()
    }

    pub fn source_names(&self) -> Vec<String> {
        self.sources
            .iter()
            .map(|source| source.file_name().unwrap().to_str().unwrap().to_owned())
            .collect()
    }
}

fn read_run(name: &str, text: &str) -> Option<Run> {
    let mut run = Run {
        name: name.to_owned(),
        main: name.to_owned(),
        crash: String::new(),
        causes: Vec::new(),
        least_jdk: 17,
        options: Vec::new(),
    };
    for line in text.lines().take_while(|line| line.starts_with("//")) {
        let (key, value) = line
            .trim_start_matches("// ")
            .split_once(": ")
            .unwrap_or((line, ""));
        match key {
            "crash" => value.clone_into(&mut run.crash),
            "cause" => run.causes.push(value.to_owned()),
            "main" => value.clone_into(&mut run.main),
            "options" => run.options = value.split(' ').map(str::to_owned).collect(),
            "jdk" => run.least_jdk = value.parse().unwrap(),
            _ => panic!("{name} begins with '{line}', which is no expectation"),
        }
    }
    (!run.crash.is_empty()).then_some(run)
}

fn read_frames(file: &str, text: &str) -> Vec<FrameExpectation> {
    let mut frames = Vec::new();
    for (index, line) in text.lines().enumerate() {
        for comment in line.split("// frame").skip(1) {
            let (which, verdict) = comment
                .split_once(": ")
                .unwrap_or_else(|| panic!("{file}: '{comment}' has no verdict"));
            let runs: Vec<Option<String>> = match which.strip_prefix(" in ") {
                Some(names) => names
                    .split(", ")
                    .map(|name| Some(name.to_owned()))
                    .collect(),
                None => vec![None],
            };
            for run in runs {
                let line = format!("{file}:{}", index + 1);
                frames.push(FrameExpectation {
                    run,
                    line,
                    verdict: verdict.trim().to_owned(),
                });
            }
        }
    }
    frames
}
