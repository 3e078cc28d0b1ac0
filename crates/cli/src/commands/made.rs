//! What is said of tests that were made.

use recrash_capture::Made;
use recrash_report::{Style, printable, table};
use std::fmt::Write as _;

/// The verdict table, and where the tests are.
pub fn report(made: &Made, style: Style) -> String {
    let verdicts = &made.verdicts;
    let mut text = format!(
        "\n{}: {}\n\n",
        printable(&verdicts.snapshot),
        printable(&verdicts.exception)
    );
    text.push_str(&table(&verdicts.rows(), style));
    text.push('\n');
    for note in &verdicts.notes {
        let _ = writeln!(text, "note: {}", printable(note));
    }
    let (reproduced, candidates) = (verdicts.reproduced(), verdicts.candidates());
    let _ = match &made.source {
        Some(source) => writeln!(
            text,
            "{} the crash; tests: {}",
            reproduced_of(reproduced, candidates),
            printable(&source.display().to_string())
        ),
        None if reproduced > 0 => writeln!(
            text,
            "{} the crash, none of them by source alone; leave out --self-contained to have them load the snapshot",
            reproduced_of(reproduced, candidates),
        ),
        None => writeln!(
            text,
            "none of {} reproduces the crash; the reasons are in {}",
            counted(candidates),
            printable(&made.folder.join("verdicts.json").display().to_string())
        ),
    };
    if !made.files.is_empty() {
        let names = made.files.iter().filter_map(|file| file.file_name());
        let names: Vec<String> = names
            .map(|name| printable(&name.to_string_lossy()))
            .collect();
        let _ = writeln!(
            text,
            "they read long values from files beside them: {}",
            names.join(", ")
        );
    }
    text
}

/// `1 of 1 frame reproduces`, `2 of 3 frames reproduce`.
fn reproduced_of(reproduced: usize, candidates: usize) -> String {
    let verb = if reproduced == 1 {
        "reproduces"
    } else {
        "reproduce"
    };
    format!("{reproduced} of {} {verb}", counted(candidates))
}

fn counted(frames: usize) -> String {
    let plural = if frames == 1 { "" } else { "s" };
    format!("{frames} frame{plural}")
}
