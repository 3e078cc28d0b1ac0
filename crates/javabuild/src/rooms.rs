//! The Java runtime: classes of the JDK's own base module, sorted into rooms that are compiled one after the other.

use crate::compilation::{at, empty, files, run, write_sources};
use crate::{Error, Jdk};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The list of rooms in the folder that holds them, lowest first: a name per line, then what the room is for.
const LIST: &str = "rooms.txt";

/// Runs the compiler once per room, in one JVM.
const COMPILER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/CompileRooms.java");

/// Class file version 55 runs on every JDK from 11 on. Handlers run with the stack or the heap exhausted, so nothing may
/// bootstrap `invokedynamic` there: string concatenation stays inline.
const FLAGS: [&str; 10] = [
    "-source",
    "11",
    "-target",
    "11",
    "-g",
    "-XDignore.symbol.file",
    "-XDstringConcat=inline",
    "-nowarn",
    "-encoding",
    "UTF-8",
];

/// Compiles the rooms that `folder` lists and returns the class files in the order of their names. Of our classes a room
/// sees its own and those of lower rooms: a reference upwards is the compiler's error. `generated` are sources that no
/// folder has, path (from the room on) and text.
pub fn compile_rooms(
    jdk: &Jdk,
    folder: &Path,
    generated: &[(String, String)],
    classes: &Path,
) -> Result<Vec<PathBuf>, Error> {
    println!("cargo::rerun-if-changed={}", folder.display());
    println!("cargo::rerun-if-changed={COMPILER}");
    empty(classes)?;
    let written = classes.with_extension("generated");
    write_sources(&written, generated)?;
    let mut runs = String::new();
    for room in names(folder)? {
        let (sources, more) = (folder.join(&room), written.join(&room));
        let patch = format!(
            "java.base={}:{}:{}",
            sources.display(),
            more.display(),
            classes.display()
        );
        let output = classes.display().to_string();
        let mut arguments = vec!["--patch-module".to_owned(), patch, "-d".to_owned(), output];
        arguments.extend(FLAGS.map(str::to_owned));
        let mut sources = files(&sources, "java")?;
        if more.is_dir() {
            sources.extend(files(&more, "java")?);
        }
        arguments.extend(sources.iter().map(|file| file.display().to_string()));
        runs.push_str(&arguments.join("\t"));
        runs.push('\n');
    }
    let list = classes.with_extension("javac");
    fs::write(&list, runs).map_err(at(&list))?;
    let mut command = Command::new(jdk.java());
    command.arg(COMPILER).arg(&list);
    run("javac", folder, command)?;
    files(classes, "class")
}

fn names(folder: &Path) -> Result<Vec<String>, Error> {
    let list = folder.join(LIST);
    let text = fs::read_to_string(&list).map_err(at(&list))?;
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let names = lines.filter_map(|line| line.split_whitespace().next());
    Ok(names.map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two rooms, of which `lower` refers to a class of `upper` if asked to.
    fn compile(name: &str, upwards: bool) -> Result<Vec<PathBuf>, Error> {
        let folder = std::env::temp_dir().join(format!("{name}-{}", std::process::id()));
        let (lower, upper) = (
            folder.join("lower/java/lang"),
            folder.join("upper/java/lang"),
        );
        fs::create_dir_all(&lower).unwrap();
        fs::create_dir_all(&upper).unwrap();
        fs::write(folder.join(LIST), "# rooms\nlower  below\nupper  above\n").unwrap();
        let field = if upwards { "$Upper upper;" } else { "" };
        fs::write(
            lower.join("$Lower.java"),
            format!("package java.lang; class $Lower {{ {field} }}"),
        )
        .unwrap();
        fs::write(
            upper.join("$Upper.java"),
            "package java.lang; class $Upper extends $Lower {}",
        )
        .unwrap();
        let compiled = compile_rooms(&Jdk::find().unwrap(), &folder, &[], &folder.join("classes"));
        fs::remove_dir_all(folder).unwrap();
        compiled
    }

    #[test]
    fn a_room_sees_the_rooms_below_it() {
        assert_eq!(compile("rooms-down", false).unwrap().len(), 2);
    }

    #[test]
    fn a_reference_upwards_does_not_compile() {
        let error = compile("rooms-up", true).unwrap_err().to_string();
        assert!(
            error.contains("$Lower.java") && error.contains("class $Upper"),
            "{error}"
        );
    }
}
