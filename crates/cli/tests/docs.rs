//! The `console` blocks of README.md and docs/ are run, and must print what they say.
//!
//! In a block, `$ ` begins a command and the lines below it are its output, both streams in the order written. `…` stands
//! for any text inside a line, a line with nothing but `…` for any number of lines. `(exit status N)` is the last line of
//! a command that does not end with 0. The commands of a document run one after the other in one folder, which holds a
//! copy of `examples/`.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test ends at the first surprise"
)]

use crate::common;

use common::{copy, root};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

struct Step {
    place: String,
    command: String,
    output: Vec<String>,
}

fn steps(document: &str, text: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut inside = false;
    for (index, line) in text.lines().enumerate() {
        if line.starts_with("```") {
            inside = line == "```console";
        } else if let Some(command) = line.strip_prefix("$ ").filter(|_| inside) {
            let place = format!("{document}:{}", index + 1);
            steps.push(Step {
                place,
                command: command.to_owned(),
                output: Vec::new(),
            });
        } else if let Some(step) = steps.last_mut().filter(|_| inside) {
            step.output.push(line.to_owned());
        }
    }
    steps
}

/// Whether `found` is what `expected` says; `…` gives way.
fn matches(expected: &[String], found: &[&str]) -> bool {
    match expected {
        [] => found.is_empty(),
        [any, rest @ ..] if any.trim() == "…" => {
            (0..=found.len()).any(|skipped| matches(rest, &found[skipped..]))
        }
        [line, rest @ ..] => {
            found.first().is_some_and(|first| line_matches(line, first))
                && matches(rest, &found[1..])
        }
    }
}

fn line_matches(expected: &str, found: &str) -> bool {
    let mut parts = expected.split('…');
    let Some(mut rest) = parts.next().and_then(|first| found.strip_prefix(first)) else {
        return false;
    };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else {
        return rest.is_empty();
    };
    for part in parts {
        let Some(at) = rest.find(part) else {
            return false;
        };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

const PROGRESS: [&str; 5] = [
    "recrash: verifying",
    "recrash: trying",
    "recrash: states between",
    "recrash: second look",
    "recrash: compiling and running",
];

fn run(step: &Step, folder: &Path) {
    let recrash = Path::new(env!("CARGO_BIN_EXE_recrash"));
    let path = format!(
        "{}:{}",
        recrash.parent().unwrap().display(),
        std::env::var("PATH").unwrap()
    );
    let output = Command::new("bash")
        .args(["-c", &format!("exec 2>&1; {}", step.command)])
        .env("PATH", path)
        .env(
            "JUNIT",
            root().join(".deps/junit-platform-console-standalone.jar"),
        )
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.code() != Some(0) {
        let _ = writeln!(text, "(exit status {})", output.status.code().unwrap());
    }
    // On a busy machine there are lines of progress between.
    let told = |line: &&str| PROGRESS.iter().any(|start| line.starts_with(start));
    let found: Vec<&str> = text.lines().filter(|line| !told(line)).collect();
    let wanted = step.output.join("\n");
    assert!(
        matches(&step.output, &found),
        "{}\n$ {}\n{text}\n--- is not what the document says:\n{wanted}",
        step.place,
        step.command
    );
}

fn check(document: &str) {
    let text = std::fs::read_to_string(root().join(document)).unwrap();
    let steps = steps(document, &text);
    assert!(!steps.is_empty(), "{document} has no console block");
    let folder = tempfile::tempdir().unwrap();
    copy(&root().join("examples"), &folder.path().join("examples"));
    for step in &steps {
        run(step, folder.path());
    }
}

#[test]
fn the_tour_of_the_readme_is_what_really_happens() {
    check("README.md");
}

#[test]
fn the_commands_of_the_usage_page_print_what_it_says() {
    check("docs/usage.md");
}

#[test]
fn the_walkthrough_leads_from_the_log_to_a_green_test() {
    check("docs/walkthrough.md");
}

/// Where `](…)` leads in a document, but for other sites.
fn links(text: &str) -> Vec<&str> {
    let parts = text.split("](").skip(1);
    parts
        .filter_map(|part| part.split(')').next())
        .filter(|link| !link.contains("://"))
        .collect()
}

/// The anchors of a document's headings, as GitHub makes them.
fn anchors(text: &str) -> Vec<String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    headings
        .map(|line| {
            let kept = line.trim_start_matches('#').trim().to_lowercase();
            let kept = kept
                .chars()
                .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
            kept.map(|c| if c == ' ' { '-' } else { c }).collect()
        })
        .collect()
}

#[test]
fn every_link_of_the_documentation_leads_somewhere() {
    let documents = ["README.md", "examples/README.md"].map(PathBuf::from);
    let pages = std::fs::read_dir(root().join("docs")).unwrap();
    let pages = pages.map(|entry| Path::new("docs").join(entry.unwrap().file_name()));
    for document in documents.into_iter().chain(pages) {
        if document
            .extension()
            .is_none_or(|extension| extension != "md")
        {
            continue;
        }
        let text = std::fs::read_to_string(root().join(&document)).unwrap();
        for link in links(&text) {
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if path.is_empty() {
                root().join(&document)
            } else {
                root().join(&document).parent().unwrap().join(path)
            };
            assert!(target.exists(), "{}: {link}", document.display());
            if !anchor.is_empty() {
                let anchors = anchors(&std::fs::read_to_string(&target).unwrap());
                assert!(
                    anchors.iter().any(|found| found == anchor),
                    "{}: {link}, there are {anchors:?}",
                    document.display()
                );
            }
        }
    }
}

#[test]
fn an_ellipsis_stands_for_text_within_a_line_and_for_lines() {
    let expected = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    assert!(matches(
        &expected("a … c\n…\nend"),
        &["a b c", "x", "y", "end"]
    ));
    assert!(matches(&expected("…"), &[]));
    assert!(!matches(&expected("a … c"), &["a b d"]));
    assert!(!matches(&expected("a"), &["a", "b"]));
}
