use crate::arguments::DoctorArguments;
use crate::exit;
use recrash_jvm::{AgentSettings, Jdk, Launch, agent_option, find_jdks, run};
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

pub fn doctor(typed: &DoctorArguments) -> anyhow::Result<ExitCode> {
    let bundle = recrash_bundle::unpack()?;
    let mut out = std::io::stdout().lock();
    writeln!(out, "recrash {}", env!("CARGO_PKG_VERSION"))?;
    writeln!(out, "agent   {}", bundle.agent.display())?;
    let jdks = match &typed.jdk {
        Some(home) => vec![Jdk::at(home)?],
        None => find_jdks(),
    };
    if jdks.is_empty() {
        return Err(recrash_jvm::Error::NoJdk.into());
    }
    let mut loads_somewhere = false;
    for jdk in &jdks {
        let tools = if jdk.javac.is_some() {
            ""
        } else {
            ", no javac: tests cannot be compiled with it"
        };
        let verdict = match try_agent(jdk, &bundle.agent) {
            Ok(()) => {
                loads_somewhere = true;
                "the agent loads".to_owned()
            }
            Err(reason) => format!("the agent does not load: {reason}"),
        };
        writeln!(
            out,
            "java    {:10} {}: {verdict}{tools}",
            jdk.version.text,
            jdk.home.display()
        )?;
    }
    out.flush()?;
    Ok(if loads_somewhere {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(exit::BAD_INPUT)
    })
}

/// Really starts the JVM with the agent.
fn try_agent(jdk: &Jdk, library: &Path) -> Result<(), String> {
    let settings = AgentSettings {
        out: std::env::temp_dir(),
        ..AgentSettings::default()
    };
    let launch = Launch::new(&jdk.java())
        .argument(agent_option(library, &settings))
        .argument("-version")
        .limit(Duration::from_secs(60));
    let finished = run(&launch).map_err(|error| error.to_string())?;
    if finished.timed_out {
        return Err("the JVM does not come up within a minute".to_owned());
    }
    if finished.status == Some(0) {
        return Ok(());
    }
    let said = finished
        .stdout
        .lines()
        .chain(finished.stderr.lines())
        .find(|line| !line.trim().is_empty());
    let ended = finished
        .status
        .map_or("it was killed".to_owned(), |status| {
            format!("exit status {status}")
        });
    Err(recrash_report::printable(said.unwrap_or(&ended)))
}
