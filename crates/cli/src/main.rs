//! The `recrash` command: parses what was typed, delegates, prints.
//!
//! Start reading at `arguments.rs` (what can be typed); each subcommand is a file under `commands/`.
//!
//! Never uses: `std::net`, `classfile`, `desk`, `symbolic`.

mod arguments;
mod commands;
mod console;
mod exit;
mod interrupt;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    exit::hide_panics();
    let typed = match arguments::Arguments::try_parse() {
        Ok(typed) => typed,
        Err(error) => return exit::usage(&error),
    };
    let console = console::Console::new();
    match std::panic::catch_unwind(|| commands::dispatch(typed, &console)) {
        Ok(Ok(code)) => code,
        Ok(Err(error)) => exit::failure(&error),
        Err(_) => ExitCode::from(exit::INTERNAL),
    }
}
