//! Programs to solve, compiled from sources in which comments mark the lines.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]
#![allow(dead_code, reason = "every test uses another part of it")]

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use recrash_classfile::text;
use recrash_javabuild::Jdk;
use recrash_program::{ClassPath, Program};
use recrash_symbolic::{LibraryFrame, Options, Outcome, Place, Session, Solver, Target};
use recrash_trace::Evidence;

/// A compiled source with its lines.
pub struct Subject {
    pub program: Program,
    source: String,
    folder: tempfile::TempDir,
}

impl Subject {
    /// Compiles a source file of `tests/java`.
    pub fn new(name: &str) -> Subject {
        let folder = tempfile::tempdir().unwrap();
        let file = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/java")
            .join(format!("{name}.java"));
        let jdk = Jdk::find().unwrap();
        let output = Command::new(jdk.javac())
            .arg("-d")
            .arg(folder.path())
            .arg(&file)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{said}");
        let path = ClassPath::open([folder.path()], Some(jdk.home()), 17).unwrap();
        Subject {
            program: Program::new(path),
            source: std::fs::read_to_string(file).unwrap(),
            folder,
        }
    }

    /// Where its classes are.
    pub fn classes(&self) -> &Path {
        self.folder.path()
    }

    /// The number of the line that ends with `// mark`.
    pub fn line(&self, mark: &str) -> usize {
        let wanted = format!("// {mark}");
        let lines = &mut self.source.lines();
        let found = lines.position(|line| line.trim_end().ends_with(&wanted));
        found.unwrap_or_else(|| panic!("no line {mark}")) + 1
    }

    /// The code on that line.
    pub fn place(&self, mark: &str) -> Vec<Place> {
        let line = self.line(mark);
        let mut places = Vec::new();
        for name in self.program.class_path().application() {
            let class = self.program.class(self.program.class_id(name)).unwrap();
            let file = class.file().unwrap();
            for (method, member) in class.methods.iter().zip(&file.methods) {
                let Some(code) = file.code(member).unwrap() else {
                    continue;
                };
                let ranges = ranges(&file, &code, line as u16);
                if !ranges.is_empty() {
                    places.push(Place {
                        method: method.id,
                        ranges,
                    });
                }
            }
        }
        places
    }

    /// The crash at a marked line, inside the calls at the other marked lines.
    pub fn target(&self, exception: &str, marks: &[&str]) -> Target {
        Target {
            exception: format!("java/lang/{exception}"),
            evidence: None,
            below: Vec::new(),
            frames: marks.iter().map(|mark| self.place(mark)).collect(),
        }
    }

    /// Machines that test do other things, too: no limit of time decides.
    pub fn patient() -> Options {
        Options {
            budget: Duration::from_secs(600),
            check_limit: Duration::from_secs(60),
            ..Options::default()
        }
    }

    pub fn solve_with(&self, target: &Target, options: &Options) -> Outcome {
        let mut solver = Solver::start().unwrap();
        let level = target.frames.len();
        Session::new(&self.program)
            .solve(target, level, options, &mut solver)
            .unwrap()
    }

    pub fn solve(&self, exception: &str, marks: &[&str]) -> Outcome {
        self.solve_with(&self.target(exception, marks), &Subject::patient())
    }

    /// The same for an exception out of a method of the JDK.
    pub fn solve_below(
        &self,
        exception: &str,
        mark: &str,
        below: (&str, &str),
        message: Option<&str>,
    ) -> Outcome {
        let mut target = self.target("", &[mark]);
        exception.clone_into(&mut target.exception);
        target.evidence = Evidence::of(&exception.replace('/', "."), message);
        target.below = vec![LibraryFrame {
            class: below.0.to_owned(),
            method: below.1.to_owned(),
        }];
        self.solve_with(&target, &Subject::patient())
    }
}

fn ranges(
    file: &recrash_classfile::ClassFile<'_>,
    code: &recrash_classfile::Code<'_>,
    line: u16,
) -> Vec<(u16, u16)> {
    let mut starts: Vec<(u16, u16)> = Vec::new();
    for attribute in code.attributes.iter(&file.pool).flatten() {
        if text(attribute.name) == "LineNumberTable" {
            for entry in attribute.info[2..].chunks_exact(4) {
                let number = |at: usize| u16::from_be_bytes([entry[at], entry[at + 1]]);
                starts.push((number(0), number(2)));
            }
        }
    }
    starts.sort_unstable();
    let ends = starts.iter().skip(1).map(|(start, _)| *start);
    let ends: Vec<u16> = ends.chain([code.bytes.len() as u16]).collect();
    let all = starts.into_iter().zip(ends);
    all.filter(|((_, number), _)| *number == line)
        .map(|((start, _), end)| (start, end))
        .collect()
}
