use super::account::Account;
use super::made::report;
use super::prepare::prepare;
use super::settings;
use crate::arguments::RunArguments;
use crate::console::Console;
use crate::exit;
use recrash_capture::{Ending, Listener, RunOptions};
use std::process::ExitCode;

pub fn run(typed: RunArguments, console: &Console) -> anyhow::Result<ExitCode> {
    let bundle = recrash_bundle::unpack()?;
    // Asked before the program starts: a typing error must not cost a run.
    let options_for = settings::generation(&typed.generation, &bundle)?;
    let mut account = Account::beside_a_program(&typed.report)?;
    if typed.analyze {
        prepare(&typed.command, console)?;
    }
    let mut settings = settings::agent_settings(&typed.out, &typed.capture)?;
    settings.record = typed.record.record.map(|mut globs| {
        globs.retain(|glob| !glob.is_empty());
        globs
    });
    settings.max_record = typed.record.max_record;
    let options = RunOptions {
        command: typed.command,
        settings,
        bundle: bundle.clone(),
    };
    let ran = recrash_capture::run(&options, console)?;
    if ran.snapshots.is_empty() {
        let failed = ran.ending != Ending::Exited(0);
        if let Some(unheard) = &ran.unheard {
            console.line(unheard);
        } else if !ran.heard && (failed || typed.capture.verbose) {
            console.line("no uncaught exception was captured");
        }
    }
    // Whatever happens to our tests, the program's own ending is what the caller must see.
    let tell = |error: &anyhow::Error| {
        exit::failure(error);
    };
    for snapshot in ran.snapshots {
        let mut kept = None;
        if !typed.no_tests {
            console.begin();
            let made = recrash_capture::tests(&options_for(snapshot.clone(), None), console);
            console.clear();
            match made {
                Ok(made) => {
                    if account.is_text() {
                        console.block(&report(&made, console.error_style()));
                    }
                    kept = Some(made);
                }
                Err(error) => tell(&error.into()),
            }
        }
        if let Err(error) = account.add_file(&snapshot, kept) {
            tell(&error);
        }
    }
    match account.finish() {
        Ok(document) => console.block(&String::from_utf8_lossy(&document)),
        Err(error) => tell(&error),
    }
    Ok(exit::like(ran.ending))
}
