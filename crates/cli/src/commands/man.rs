//! Manual pages, made of the same definition as the help texts.

use crate::arguments::{Arguments, ManArguments};
use anyhow::{Context, bail};
use clap::{Command, CommandFactory};
use clap_mangen::Man;
use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

pub fn man(typed: &ManArguments) -> anyhow::Result<ExitCode> {
    let mut recrash = Arguments::command();
    // Gives the commands below their full names, `recrash-watch-add`.
    recrash.build();
    if let Some(folder) = &typed.output {
        std::fs::create_dir_all(folder).with_context(|| unwritable(folder))?;
        write_all(&recrash, folder)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut command = &recrash;
    for name in &typed.command {
        let Some(found) = command.find_subcommand(name) else {
            let known: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
            bail!(
                "there is no command `{name}`; there are {}",
                known.join(", ")
            );
        };
        command = found;
    }
    std::io::stdout().lock().write_all(&page(command)?)?;
    Ok(ExitCode::SUCCESS)
}

fn write_all(command: &Command, folder: &Path) -> anyhow::Result<()> {
    let name = command.get_display_name().unwrap_or(command.get_name());
    let file = folder.join(format!("{name}.1"));
    std::fs::write(&file, page(command)?).with_context(|| unwritable(&file))?;
    for command in command.get_subcommands() {
        write_all(command, folder)?;
    }
    Ok(())
}

fn unwritable(path: &Path) -> String {
    format!(
        "{} cannot be written; choose another folder with --output",
        path.display()
    )
}

fn page(command: &Command) -> anyhow::Result<Vec<u8>> {
    let mut page = Vec::new();
    let without = command.clone().after_help(None::<&'static str>);
    Man::new(without)
        .source(concat!("recrash ", env!("CARGO_PKG_VERSION")))
        .render(&mut page)?;
    if let Some(after) = command.get_after_help() {
        page.extend(sections(&after.to_string()).into_bytes());
    }
    Ok(page)
}

/// What stands below the options of a help text: `Examples:` and `Exit status:` head sections, everything is shown as it
/// was typed.
fn sections(after_help: &str) -> String {
    let mut text = String::new();
    for part in after_help.split("\n\n") {
        let (heading, lines) = match part.split_once('\n') {
            Some((first, rest)) if first.ends_with(':') => (first.trim_end_matches(':'), rest),
            _ => ("Notes", part),
        };
        let _ = writeln!(text, ".SH {}\n.nf", heading.to_uppercase());
        for line in lines.lines() {
            // Neither a request nor an escape of the formatter's, and hyphens that can be copied.
            let line = line.replace('\\', "\\e").replace('-', "\\-");
            let _ = writeln!(text, "\\&{line}");
        }
        text.push_str(".fi\n");
    }
    text
}
