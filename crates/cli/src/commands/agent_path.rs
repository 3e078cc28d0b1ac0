use super::settings;
use crate::arguments::AgentPathArguments;
use recrash_jvm::agent_option;
use std::io::Write;
use std::process::ExitCode;

pub fn agent_path(typed: &AgentPathArguments) -> anyhow::Result<ExitCode> {
    let bundle = recrash_bundle::unpack()?;
    let mut out = std::io::stdout().lock();
    if typed.library {
        writeln!(out, "{}", bundle.agent.display())?;
    } else {
        // The JVM may run in another folder than ours.
        let folder = std::path::absolute(&typed.out)?;
        let settings = settings::agent_settings(&folder, &typed.capture)?;
        writeln!(out, "{}", agent_option(&bundle.agent, &settings))?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
