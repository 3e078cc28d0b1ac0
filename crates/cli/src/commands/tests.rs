use super::settings;
use crate::arguments::TestsArguments;
use crate::console::Console;
use crate::exit;
use recrash_capture::Made;
use recrash_report::{Style, printable, table};
use std::fmt::Write as _;
use std::io::Write;
use std::process::ExitCode;

pub fn tests(typed: &TestsArguments, console: &Console) -> anyhow::Result<ExitCode> {
    // Read first: a bad file needs neither JDK nor cache to be refused.
    recrash_heap::Snapshot::read(&typed.file)?;
    let bundle = recrash_bundle::unpack()?;
    let options =
        settings::generation(&typed.generation, &bundle)?(typed.file.clone(), typed.out.clone());
    console.begin();
    let made = recrash_capture::tests(&options, console);
    console.clear();
    let made = made?;
    let mut out = std::io::stdout().lock();
    if typed.json {
        serde_json::to_writer_pretty(&mut out, &made.verdicts)?;
        writeln!(out)?;
    } else {
        write!(out, "{}", report(&made, console.style()))?;
    }
    out.flush()?;
    Ok(if made.verdicts.reproduced() == 0 {
        ExitCode::from(exit::NOT_REPRODUCED)
    } else {
        ExitCode::SUCCESS
    })
}

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
    let (reproduced, candidates) = (verdicts.reproduced(), verdicts.frames.len());
    let _ = match &made.source {
        Some(source) => writeln!(
            text,
            "{reproduced} of {candidates} frames reproduce the crash; tests: {}",
            printable(&source.display().to_string())
        ),
        None => writeln!(
            text,
            "none of {candidates} frames reproduces the crash; the reasons are in {}",
            printable(&made.folder.join("verdicts.json").display().to_string())
        ),
    };
    text
}
