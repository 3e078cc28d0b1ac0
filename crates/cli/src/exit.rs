//! Exit statuses, and errors as the one line the user sees.

use clap::error::ErrorKind;
use recrash_capture::Ending;
use std::io::Write;
use std::process::ExitCode;

/// Bad usage or bad input.
pub const BAD_INPUT: u8 = 1;
/// No captured frame could be reproduced.
pub const NOT_REPRODUCED: u8 = 3;
/// A defect of recrash itself.
pub const INTERNAL: u8 = 70;
/// As shells have it: the command exists but cannot be started, or does not exist.
pub const NOT_EXECUTABLE: u8 = 126;
pub const NOT_FOUND: u8 = 127;

/// A panic is a defect of ours and reads as one line, never as a trace.
pub fn hide_panics() {
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map_or_else(String::new, |place| {
            format!(" ({}:{})", place.file(), place.line())
        });
        let _ = writeln!(
            std::io::stderr(),
            "recrash: internal error{place}; please report it with the command you ran"
        );
    }));
}

/// Help and version are answers; everything else clap reports is bad usage.
pub fn usage(error: &clap::Error) -> ExitCode {
    let _ = error.print();
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => ExitCode::SUCCESS,
        _ => ExitCode::from(BAD_INPUT),
    }
}

/// One sentence on standard error, and the status that goes with it.
pub fn failure(error: &anyhow::Error) -> ExitCode {
    if is_broken_pipe(error) {
        return ExitCode::SUCCESS;
    }
    let mut text = error.to_string();
    for cause in error.chain().skip(1) {
        let cause = cause.to_string();
        // Transparent errors repeat their source.
        if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    let _ = writeln!(std::io::stderr(), "recrash: {}", visible(&text));
    ExitCode::from(match error.downcast_ref::<recrash_capture::Error>() {
        Some(recrash_capture::Error::NotFound { .. }) => NOT_FOUND,
        Some(recrash_capture::Error::NotStarted { .. }) => NOT_EXECUTABLE,
        _ => BAD_INPUT,
    })
}

/// Names from snapshots and file systems may hold terminal escapes; a compiler's line breaks stay.
fn visible(text: &str) -> String {
    text.lines()
        .map(recrash_report::printable)
        .collect::<Vec<_>>()
        .join("\n")
}

/// The reader of our output has gone (`recrash show … | head`): nobody is left to tell.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<std::io::Error>()
            .is_some_and(|io| io.kind() == std::io::ErrorKind::BrokenPipe)
    })
}

/// Ends as the child did, so that whoever started us sees what it would have seen without us.
pub fn like(ending: Ending) -> ExitCode {
    match ending {
        Ending::Exited(status) => ExitCode::from(status as u8),
        Ending::Signalled(number) => {
            // The child has left its core file already.
            let none = rustix::process::Rlimit {
                current: Some(0),
                maximum: Some(0),
            };
            let _ = rustix::process::setrlimit(rustix::process::Resource::Core, none);
            if let Some(signal) = rustix::process::Signal::from_named_raw(number) {
                let _ = signal_hook::low_level::emulate_default_handler(number);
                let _ = rustix::process::kill_process(rustix::process::getpid(), signal);
            }
            // As a container's first process we survive our own signal; shells know this form.
            ExitCode::from(128u8.wrapping_add(number as u8))
        }
    }
}
