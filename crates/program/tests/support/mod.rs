//! JDKs, compilers and subjects for the tests of the analysis.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]
#![allow(dead_code, reason = "every test uses another part of it")]

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use recrash_javabuild::Jdk;
use recrash_program::{ClassPath, MethodId, Program};

/// The JDK of this machine that is preferred.
pub fn jdk() -> Jdk {
    Jdk::find().unwrap()
}

/// The jars of real libraries that `./x` fetches; none is a valid answer in a fresh clone.
pub fn jars() -> Vec<PathBuf> {
    let mut jars = Vec::new();
    for folder in ["", "subjects", "kotlin", "scala", "bench"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../.deps")
            .join(folder);
        let Ok(files) = std::fs::read_dir(folder) else {
            continue;
        };
        jars.extend(files.filter_map(|file| Some(file.ok()?.path())));
    }
    jars.retain(|path| path.extension().is_some_and(|extension| extension == "jar"));
    jars.sort();
    jars
}

/// Compiles one source file, named after its public class, and gives the folder of classes.
pub fn compile(folder: &Path, source: &str) -> PathBuf {
    let name = source
        .split("public class ")
        .nth(1)
        .unwrap()
        .split_whitespace()
        .next()
        .unwrap();
    let file = folder.join(format!("{name}.java"));
    std::fs::write(&file, source).unwrap();
    let classes = folder.join("classes");
    let output = Command::new(jdk().javac())
        .arg("-d")
        .arg(&classes)
        .arg(&file)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    classes
}

/// A jar with these entries.
pub fn jar(path: &Path, files: &[(&str, &[u8])]) {
    let mut writer = zip::ZipWriter::new(File::create(path).unwrap());
    for (name, bytes) in files {
        writer
            .start_file(*name, zip::write::SimpleFileOptions::default())
            .unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap();
}

/// The program of these jars and folders with the classes of the JDK.
pub fn program(entries: &[&Path]) -> Program {
    Program::new(ClassPath::open(entries, Some(jdk().home()), 17).unwrap())
}

/// The method of a class by name; the first of several.
pub fn method(program: &Program, class: &str, name: &str) -> MethodId {
    let class = program.find(class).unwrap();
    let found = class
        .methods
        .iter()
        .find(|method| &*program.selector(method.selector).unwrap().name == name.as_bytes());
    found.unwrap_or_else(|| panic!("no method {name}")).id
}
