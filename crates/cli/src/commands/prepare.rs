//! `recrash run --analyze`: what is worth knowing of a program is found out before it starts.

use super::settings;
use crate::console::Console;
use anyhow::Context;
use recrash_capture::Listener;
use recrash_jvm::{class_path_of, is_java, jdk_of};
use recrash_program::{Analysis, Cache, ClassPath};
use std::ffi::OsString;
use std::path::Path;

/// An error only where nothing can come of it; whatever else goes wrong, the program runs.
pub fn prepare(command: &[OsString], console: &Console) -> anyhow::Result<()> {
    let java = command
        .split_first()
        .filter(|(program, _)| is_java(program));
    let (java, arguments) = java.context(
        "--analyze sees the class path of a command that is java itself, and this one is not; \
         run recrash analyze APP.jar first, then recrash run without --analyze",
    )?;
    console.begin();
    console.progress("finding out what the program's methods change");
    let analysis = analyze(Path::new(java), arguments);
    console.clear();
    match analysis {
        Ok(analysis) => {
            if let Some(note) = &analysis.note {
                console.line(note);
            }
        }
        Err(error) => console.line(&format!(
            "the program runs without being analysed: {error:#}"
        )),
    }
    Ok(())
}

fn analyze(java: &Path, arguments: &[OsString]) -> anyhow::Result<Analysis> {
    let jdk = jdk_of(java).with_context(|| format!("{} is in no JDK", java.display()))?;
    let variable = std::env::var_os("CLASSPATH");
    let here = std::env::current_dir()?;
    let class_path = class_path_of(arguments, variable.as_deref(), &here);
    // As the JVM has it, what is not there is left out.
    let there = class_path.entries().iter().filter(|entry| entry.exists());
    let class_path = ClassPath::open(there, Some(&jdk.home), jdk.version.feature)?;
    Ok(Cache::at(settings::analysis_cache()).analyze(class_path)?)
}
