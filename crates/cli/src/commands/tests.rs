use super::account::Account;
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
    let mut manifests = Vec::new();
    for file in &typed.files {
        manifests.push(recrash_heap::Snapshot::read(file)?.manifest);
    }
    let mut account = Account::new(&typed.report, typed.json)?;
    let bundle = recrash_bundle::unpack()?;
    let options_for = settings::generation(&typed.generation, &bundle)?;
    let (mut reproduced, mut failed) = (0, Vec::new());
    let mut out = std::io::stdout().lock();
    for (file, manifest) in typed.files.iter().zip(manifests) {
        console.begin();
        let made = recrash_capture::tests(&options_for(file.clone(), typed.out.clone()), console);
        console.clear();
        match made {
            Ok(made) => {
                reproduced += made.verdicts.reproduced();
                if account.is_text() {
                    write!(out, "{}", report(&made, console.style()))?;
                }
                account.add(file, manifest, Some(made))?;
            }
            Err(error) => {
                failed.push(anyhow::Error::from(error));
                account.add(file, manifest, None)?;
            }
        }
    }
    out.write_all(&account.finish()?)?;
    out.flush()?;
    // The last one is told by whoever prints errors; what could be made is made.
    let last = failed.pop();
    for error in failed {
        exit::failure(&error);
    }
    match last {
        Some(error) => Err(error),
        None if reproduced == 0 => Ok(ExitCode::from(exit::NOT_REPRODUCED)),
        None => Ok(ExitCode::SUCCESS),
    }
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
        None if reproduced > 0 => writeln!(
            text,
            "{reproduced} of {candidates} frames reproduce the crash, none of them by source alone; leave out --self-contained to have them load the snapshot",
        ),
        None => writeln!(
            text,
            "none of {candidates} frames reproduces the crash; the reasons are in {}",
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
