use crate::arguments::ShowArguments;
use crate::console::Console;
use anyhow::bail;
use recrash_heap::Snapshot;
use recrash_report::{ShowOptions, json, show as rendered};
use std::io::{BufWriter, Write};
use std::process::ExitCode;

pub fn show(typed: &ShowArguments, console: &Console) -> anyhow::Result<ExitCode> {
    let mut out = BufWriter::new(std::io::stdout().lock());
    for (index, file) in typed.files.iter().enumerate() {
        let snapshot = Snapshot::read(file)?;
        let frames = snapshot.manifest.frames.len();
        if let Some(frame) = typed.frame.filter(|frame| *frame >= frames) {
            bail!(
                "{} has no frame {frame}; its frames are 0 to {}",
                file.display(),
                frames.saturating_sub(1)
            );
        }
        if typed.json {
            json(&snapshot, &mut out)?;
            continue;
        }
        if index > 0 {
            writeln!(out)?;
        }
        let options = ShowOptions {
            style: console.style(),
            frame: typed.frame,
            depth: typed.depth,
            verbose: typed.verbose,
            ..ShowOptions::default()
        };
        write!(out, "{}", rendered(&snapshot, &options))?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
