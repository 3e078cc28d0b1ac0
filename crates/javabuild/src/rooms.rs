//! The Java runtime: packages of the JDK's own base module, sorted into rooms.

use crate::compilation::at;
use crate::{Compilation, Error, Jdk};
use std::fs;
use std::path::{Path, PathBuf};

/// The list of rooms beside them, lowest first: a name per line, then what the room is for.
const LIST: &str = "rooms.txt";

/// Class file version 55 runs on every JDK from 11 on. Handlers run with the stack or the heap exhausted, so nothing may
/// bootstrap `invokedynamic` there: string concatenation stays inline.
const FLAGS: [&str; 7] = [
    "-source",
    "11",
    "-target",
    "11",
    "-g",
    "-XDignore.symbol.file",
    "-XDstringConcat=inline",
];

/// Compiles the rooms in `sources`, and returns the class files in the order of their names.
pub fn compile_rooms(jdk: &Jdk, sources: &Path, classes: &Path) -> Result<Vec<PathBuf>, Error> {
    let rooms = names(sources)?;
    let paths: Vec<String> = rooms
        .iter()
        .map(|room| sources.join(room).display().to_string())
        .collect();
    let patch = format!("java.base={}", paths.join(":"));
    let mut flags = vec!["--patch-module", &patch];
    flags.extend(FLAGS);
    let compilation = Compilation {
        sources,
        classes,
        flags: &flags,
        class_path: &[],
    };
    compilation.run(jdk)
}

fn names(sources: &Path) -> Result<Vec<String>, Error> {
    let list = sources.join(LIST);
    let text = fs::read_to_string(&list).map_err(at(&list))?;
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    Ok(lines
        .filter_map(|line| line.split_whitespace().next())
        .map(str::to_owned)
        .collect())
}
