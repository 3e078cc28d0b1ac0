use crate::arguments::WatchCommand;
use crate::console::Console;
use anyhow::{Context, bail};
use recrash_capture::{Listener, methods_of_trace};
use recrash_report::printable;
use recrash_watchlist::{Method, WatchFile};
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::ExitCode;

pub fn watch(typed: &WatchCommand, console: &Console) -> anyhow::Result<ExitCode> {
    let mut out = std::io::stdout().lock();
    match typed {
        WatchCommand::Add { trace, list } => {
            let (text, name) = text_of(trace)?;
            let methods = methods_of_trace(text, &name)?;
            let added = WatchFile::at(list).add(&methods, &format!("from {name}"))?;
            print(&mut out, &added)?;
            let before = methods.len() - added.len();
            console.line(&format!(
                "{} methods added to {}, {before} were on it already",
                added.len(),
                list.display()
            ));
        }
        WatchCommand::List { list } => {
            let found = existing(list)?.read()?;
            print(&mut out, &found.methods)?;
            for defect in found.defects {
                let place = format!("{}:{}", list.display(), defect.line);
                console.line(&format!("{place}: {}; the line is skipped", defect.reason));
            }
        }
        WatchCommand::Remove { method, list } => {
            let removed = existing(list)?.remove(|listed| {
                let listed = listed.to_string();
                match method.strip_suffix('*') {
                    Some(beginning) => listed.starts_with(beginning),
                    None => listed == *method,
                }
            })?;
            if removed.is_empty() {
                bail!(
                    "{method} is not on the watch list {}; `recrash watch list` shows what is",
                    list.display()
                );
            }
            print(&mut out, &removed)?;
            console.line(&format!(
                "{} methods taken off {}",
                removed.len(),
                list.display()
            ));
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn existing(list: &Path) -> anyhow::Result<WatchFile> {
    let file = WatchFile::at(list);
    if file.stamp().is_none() {
        bail!(
            "there is no watch list {}; `recrash run --second-chance` and `recrash watch add` make one",
            list.display()
        );
    }
    Ok(file)
}

fn print(out: &mut impl Write, methods: &[Method]) -> std::io::Result<()> {
    for method in methods {
        writeln!(out, "{}", printable(&method.to_string()))?;
    }
    Ok(())
}

/// The text, and where it is from.
fn text_of(trace: &Path) -> anyhow::Result<(Box<dyn BufRead>, String)> {
    if trace == Path::new("-") {
        return Ok((
            Box::new(std::io::stdin().lock()),
            "standard input".to_owned(),
        ));
    }
    let name = trace.display().to_string();
    let file = File::open(trace).with_context(|| name.clone())?;
    Ok((Box::new(BufReader::new(file)), name))
}
