use super::settings;
use crate::arguments::InstrumentArguments;
use crate::console::Console;
use recrash_capture::Listener;
use recrash_jvm::agent_options;
use recrash_offline::{Instrumented, Options};
use std::process::ExitCode;

pub fn instrument(typed: &InstrumentArguments, console: &Console) -> anyhow::Result<ExitCode> {
    let bundle = recrash_bundle::unpack()?;
    let mut settings = settings::agent_settings(&typed.out, &typed.capture)?;
    // Decided now, once and for all.
    settings.include.clear();
    settings.exclude.clear();
    let options = Options {
        input: typed.input.clone(),
        output: typed.output.clone(),
        include: typed.capture.include.clone(),
        exclude: typed.capture.exclude.clone(),
        strategy: typed.capture.strategy,
        agent_options: agent_options(&settings),
        library: bundle.agent,
        start: bundle.offline,
    };
    console.begin();
    let done = recrash_offline::instrument(&options, &|done, total| {
        console.progress(&format!("weaving: {done} of {total} classes"));
    });
    console.clear();
    report(&done?, typed, console);
    Ok(ExitCode::SUCCESS)
}

fn report(done: &Instrumented, typed: &InstrumentArguments, console: &Console) {
    for jar in &done.unsigned {
        console.line(&format!(
            "{jar} was signed; its classes change, so the signature was taken out"
        ));
    }
    if done.guessed {
        console.line(&match done.starters {
            0 => "nothing in it can start the recorder: another instrumented jar of the program must".to_owned(),
            some => format!("no main method: the recorder starts with the first of {some} static initialisers that runs"),
        });
    }
    if typed.capture.verbose {
        for left in &done.left {
            console.line(&format!("left alone: {left}"));
        }
    }
    console.line(&format!(
        "{} of {} classes woven: {}",
        done.woven,
        done.classes,
        typed.output.display()
    ));
}
