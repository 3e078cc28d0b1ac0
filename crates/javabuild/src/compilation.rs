//! Running `javac` over a folder of sources, and `jar` over a folder of classes.

use crate::{Error, Jdk};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// One run of `javac`: every `.java` file below a folder.
#[derive(Debug, Clone)]
pub struct Compilation<'a> {
    pub sources: &'a Path,
    /// Receives the class files; emptied first, so that a removed class does not linger.
    pub classes: &'a Path,
    /// Options of `javac` (`--release 8`, `--patch-module …`), each element one argument.
    pub flags: &'a [&'a str],
    pub class_path: &'a [PathBuf],
}

impl Compilation<'_> {
    /// Compiles, and returns the class files in the order of their names.
    pub fn run(&self, jdk: &Jdk) -> Result<Vec<PathBuf>, Error> {
        println!("cargo::rerun-if-changed={}", self.sources.display());
        empty(self.classes)?;
        let mut command = Command::new(jdk.javac());
        command.args(["-nowarn", "-encoding", "UTF-8", "-d"]);
        command.arg(self.classes).args(self.flags);
        if !self.class_path.is_empty() {
            command.arg("-cp").arg(joined(self.class_path));
        }
        command.args(files(self.sources, "java")?);
        run("javac", self.sources, command)?;
        files(self.classes, "class")
    }
}

/// Makes `target` from everything below `folder`. Entries carry a fixed date: the same classes give the same bytes.
pub fn jar(jdk: &Jdk, folder: &Path, target: &Path) -> Result<(), Error> {
    let mut command = Command::new(jdk.jar());
    command.arg("--create").arg("--file").arg(target);
    command.args(["--date=1980-01-01T00:00:02Z", "--no-manifest", "-C"]);
    command.arg(folder).arg(".");
    run("jar", folder, command)
}

pub(crate) fn empty(folder: &Path) -> Result<(), Error> {
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(at(folder))?;
    }
    fs::create_dir_all(folder).map_err(at(folder))
}

/// Writes sources into a folder that has nothing else: path below it and text.
pub fn write_sources(folder: &Path, sources: &[(String, String)]) -> Result<(), Error> {
    empty(folder)?;
    for (path, text) in sources {
        let file = folder.join(path);
        if let Some(parent) = file.parent() {
            fs::create_dir_all(parent).map_err(at(parent))?;
        }
        fs::write(&file, text).map_err(at(&file))?;
    }
    Ok(())
}

pub(crate) fn run(tool: &'static str, folder: &Path, mut command: Command) -> Result<(), Error> {
    // The tools print "Picked up JAVA_TOOL_OPTIONS" and would load whatever agent the caller's environment names.
    command.env_remove("JAVA_TOOL_OPTIONS");
    command.env_remove("JDK_JAVAC_OPTIONS");
    let program = PathBuf::from(command.get_program());
    let output = command.output().map_err(at(&program))?;
    if output.status.success() {
        return Ok(());
    }
    let mut text = String::from_utf8_lossy(&output.stderr).into_owned();
    text.push_str(&String::from_utf8_lossy(&output.stdout));
    Err(Error::Tool {
        tool,
        folder: folder.to_owned(),
        output: text,
    })
}

pub(crate) fn files(folder: &Path, extension: &str) -> Result<Vec<PathBuf>, Error> {
    let mut found = Vec::new();
    let mut pending = vec![folder.to_owned()];
    while let Some(folder) = pending.pop() {
        for entry in folder.read_dir().map_err(at(&folder))? {
            let path = entry.map_err(at(&folder))?.path();
            if path.is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

fn joined(paths: &[PathBuf]) -> OsString {
    let mut all = OsString::new();
    for path in paths {
        if !all.is_empty() {
            all.push(":");
        }
        all.push(path);
    }
    all
}

pub(crate) fn at(path: &Path) -> impl FnOnce(std::io::Error) -> Error + use<> {
    let path = path.to_owned();
    move |source| Error::Io { path, source }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_becomes_a_jar_that_runs_and_is_the_same_every_time() {
        let folder = std::env::temp_dir().join(format!("javabuild-{}", std::process::id()));
        let sources = folder.join("src");
        fs::create_dir_all(sources.join("a")).unwrap();
        fs::write(
            sources.join("a/Hello.java"),
            "package a; public class Hello { public static void main(String[] s) { System.out.print(\"hi\"); } }",
        )
        .unwrap();
        let jdk = Jdk::find().unwrap();
        let classes = folder.join("classes");
        let compilation = Compilation {
            sources: &sources,
            classes: &classes,
            flags: &["--release", "8"],
            class_path: &[],
        };
        let made = compilation.run(&jdk).unwrap();
        assert_eq!(made, [classes.join("a/Hello.class")]);
        let target = folder.join("hello.jar");
        jar(&jdk, &classes, &target).unwrap();
        let first = fs::read(&target).unwrap();
        jar(&jdk, &classes, &target).unwrap();
        assert_eq!(first, fs::read(&target).unwrap());
        let output = Command::new(jdk.java())
            .arg("-cp")
            .arg(&target)
            .arg("a.Hello")
            .output()
            .unwrap();
        assert_eq!(output.stdout, b"hi");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_source_that_does_not_compile_is_reported_with_the_compiler_s_words() {
        let folder = std::env::temp_dir().join(format!("javabuild-bad-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("Bad.java"), "class Bad {").unwrap();
        let compilation = Compilation {
            sources: &folder,
            classes: &folder.join("classes"),
            flags: &[],
            class_path: &[],
        };
        let error = compilation.run(&Jdk::find().unwrap()).unwrap_err();
        assert!(error.to_string().contains("reached end of file"), "{error}");
        fs::remove_dir_all(folder).unwrap();
    }
}
