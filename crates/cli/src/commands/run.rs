use super::settings;
use super::tests::report;
use crate::arguments::RunArguments;
use crate::console::Console;
use crate::exit;
use recrash_capture::{Ending, Listener, RunOptions};
use std::process::ExitCode;

pub fn run(typed: RunArguments, console: &Console) -> anyhow::Result<ExitCode> {
    let bundle = recrash_bundle::unpack()?;
    // Asked before the program starts: a typing error must not cost a run.
    let options_for = settings::generation(&typed.generation, &bundle)?;
    let settings = settings::agent_settings(&typed.out, &typed.capture)?;
    let options = RunOptions {
        command: typed.command,
        settings,
        bundle: bundle.clone(),
    };
    let ran = recrash_capture::run(&options, console)?;
    if ran.snapshots.is_empty() {
        let failed = ran.ending != Ending::Exited(0);
        if !ran.heard && (failed || typed.capture.verbose) {
            console.line("no uncaught exception was captured");
        }
        return Ok(exit::like(ran.ending));
    }
    for snapshot in ran.snapshots {
        if typed.no_tests {
            continue;
        }
        console.begin();
        let made = recrash_capture::tests(&options_for(snapshot, None), console);
        console.clear();
        // Whatever happens to our tests, the program's own ending is what the caller must see.
        match made {
            Ok(made) => console.block(&report(&made, console.error_style())),
            Err(error) => {
                exit::failure(&error.into());
            }
        }
    }
    Ok(exit::like(ran.ending))
}
