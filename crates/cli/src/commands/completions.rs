use crate::arguments::{Arguments, CompletionsArguments, Shell};
use clap::CommandFactory;
use std::io::Write;
use std::process::ExitCode;

pub fn completions(typed: &CompletionsArguments) -> anyhow::Result<ExitCode> {
    let shell = match typed.shell {
        Shell::Bash => clap_complete::Shell::Bash,
        Shell::Elvish => clap_complete::Shell::Elvish,
        Shell::Fish => clap_complete::Shell::Fish,
        Shell::Powershell => clap_complete::Shell::PowerShell,
        Shell::Zsh => clap_complete::Shell::Zsh,
    };
    // Into memory first: the generator panics on a closed pipe.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "recrash", &mut script);
    std::io::stdout().lock().write_all(&script)?;
    Ok(ExitCode::SUCCESS)
}
