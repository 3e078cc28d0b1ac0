//! One file per subcommand: from what was typed to what the engine is asked.

mod account;
mod agent_path;
mod analyze;
mod api_jar;
mod completions;
mod doctor;
mod instrument;
mod made;
mod man;
mod maven;
mod minimize;
mod prepare;
mod redact;
mod run;
mod settings;
mod show;
mod shrink;
mod synth;
mod tests;
mod watch;

use crate::arguments::{Arguments, Command};
use crate::console::Console;
use std::process::ExitCode;

pub fn dispatch(typed: Arguments, console: &Console) -> anyhow::Result<ExitCode> {
    match typed.command {
        Command::Run(arguments) => run::run(arguments, console),
        Command::Tests(arguments) => tests::tests(&arguments, console),
        Command::Show(arguments) => show::show(&arguments, console),
        Command::Synth(arguments) => synth::synth(&arguments, console),
        Command::Shrink(arguments) => shrink::shrink(&arguments, console),
        Command::Minimize(arguments) => minimize::minimize(&arguments, console),
        Command::Redact(arguments) => redact::redact(&arguments, console),
        Command::Instrument(arguments) => instrument::instrument(&arguments, console),
        Command::Analyze(arguments) => analyze::analyze(&arguments, console),
        Command::Doctor(arguments) => doctor::doctor(&arguments),
        Command::AgentPath(arguments) => agent_path::agent_path(&arguments),
        Command::Watch(command) => watch::watch(&command, console),
        Command::ApiJar => api_jar::api_jar(),
        Command::Maven(arguments) => maven::maven(&arguments, console),
        Command::Completions(arguments) => completions::completions(&arguments),
        Command::Man(arguments) => man::man(&arguments),
    }
}
