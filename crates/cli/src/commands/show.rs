use crate::arguments::ShowArguments;
use crate::console::Console;
use anyhow::{Context, bail};
use recrash_capture::{Listener, StoredTests};
use recrash_heap::{Manifest, Snapshot};
use recrash_recording::Limits;
use recrash_report::{
    Findings, ShowOptions, TestSource, excerpts, json, page, recording, recording_json, redactions,
    show as rendered,
};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;

pub fn show(typed: &ShowArguments, console: &Console) -> anyhow::Result<ExitCode> {
    if let (Some(html), [_, second, ..]) = (&typed.html, typed.files.as_slice()) {
        bail!(
            "{} would hold one snapshot, and {} is a second one; run recrash show once for each",
            html.display(),
            second.display()
        );
    }
    let mut out = BufWriter::new(std::io::stdout().lock());
    for (index, file) in typed.files.iter().enumerate() {
        if is_recording(file) {
            show_recording(typed, file, &mut out)?;
            continue;
        }
        let snapshot = Snapshot::read(file)?;
        if typed.json {
            json(&snapshot, &mut out)?;
            continue;
        }
        if typed.redactions {
            write!(out, "{}", redactions(&snapshot, console.style()))?;
            continue;
        }
        let findings = findings(typed, file, &snapshot.manifest, console)?;
        let options = ShowOptions {
            style: console.style(),
            frame: typed.frame,
            path: typed.path.as_deref(),
            depth: typed.depth,
            verbose: typed.verbose,
            ..ShowOptions::default()
        };
        if let Some(html) = &typed.html {
            let page = page(&snapshot, &findings, typed.frame)
                .with_context(|| file.display().to_string())?;
            std::fs::write(html, &page)
                .with_context(|| format!("{} cannot be written", html.display()))?;
            console.line(&format!(
                "{} is written, {} KB; open it in a browser",
                html.display(),
                page.len().div_ceil(1024)
            ));
            continue;
        }
        let text =
            rendered(&snapshot, &findings, &options).with_context(|| file.display().to_string())?;
        if index > 0 {
            writeln!(out)?;
        }
        write!(out, "{text}")?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// What lies beside the snapshot, or where the user says.
fn findings(
    typed: &ShowArguments,
    file: &Path,
    manifest: &Manifest,
    console: &Console,
) -> anyhow::Result<Findings> {
    let stored = match &typed.tests {
        Some(folder) => Some(StoredTests::of(folder, &manifest.fingerprint)?),
        // Nobody asked for them: the snapshot can be shown without.
        None => StoredTests::beside(file, &manifest.fingerprint).unwrap_or_else(|error| {
            console.line(&error.to_string());
            None
        }),
    };
    let mut findings = Findings {
        excerpts: excerpts(manifest, &typed.sources)?,
        ..Findings::default()
    };
    if let Some(stored) = stored {
        findings.rows = stored.verdicts.rows();
        findings.notes = stored.verdicts.notes;
        let tests = stored.sources.into_iter().map(|(path, text)| TestSource {
            path: path.display().to_string(),
            text,
        });
        findings.tests = tests.collect();
    }
    Ok(findings)
}

/// By its name: what begins like none is to be refused as a recording, then.
fn is_recording(file: &Path) -> bool {
    file.extension().is_some_and(|end| end == "recording")
}

fn show_recording(typed: &ShowArguments, file: &Path, out: &mut impl Write) -> anyhow::Result<()> {
    let place = || file.display().to_string();
    if typed.html.is_some() || typed.redactions || typed.frame.is_some() || typed.path.is_some() {
        bail!(
            "{} is a recording: it is shown as text or with --json, and with --verbose event by event",
            file.display()
        );
    }
    let read = recrash_recording::read_file(file, Limits::default()).with_context(place)?;
    if typed.json {
        writeln!(out, "{:#}", recording_json(&read))?;
    } else {
        write!(out, "{}", recording(&read, typed.verbose))?;
    }
    Ok(())
}
