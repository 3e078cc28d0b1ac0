use crate::arguments::MavenArguments;
use crate::console::Console;
use anyhow::Context;
use recrash_capture::Listener;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

pub fn maven(typed: &MavenArguments, console: &Console) -> anyhow::Result<ExitCode> {
    let folder = match &typed.repository {
        Some(folder) => folder.clone(),
        None => usual().context(
            "there is no HOME, so Maven's repository cannot be found; name it with --repository",
        )?,
    };
    let published = recrash_bundle::publish(&folder)?;
    let mut out = std::io::stdout().lock();
    for artifact in &published {
        writeln!(out, "{artifact}")?;
    }
    out.flush()?;
    console.line(&format!("{} has them now", folder.display()));
    Ok(ExitCode::SUCCESS)
}

/// Where Maven keeps what it has, unless its settings say otherwise.
fn usual() -> Option<PathBuf> {
    let home = PathBuf::from(std::env::var_os("HOME")?);
    home.is_absolute().then(|| home.join(".m2/repository"))
}
