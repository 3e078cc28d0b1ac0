//! Real JVMs for the tests: find every JDK, compile the runtime and the test programs, run them.

use recrash_heap::{ObjectId, Value};
use recrash_javabuild::{Jdk, compile_rooms};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

pub fn jdks() -> Vec<PathBuf> {
    let mut homes = BTreeSet::new();
    let mut add = |home: &Path| {
        if home.join("bin/javac").is_file()
            && let Ok(home) = home.canonicalize()
        {
            homes.insert(home);
        }
    };
    if let Some(home) = std::env::var_os("JAVA_HOME") {
        add(Path::new(&home));
    }
    for folder in std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()) {
        if let Ok(java) = folder.join("javac").canonicalize()
            && let Some(home) = java.parent().and_then(Path::parent)
        {
            add(home);
        }
    }
    let sdkman = std::env::home_dir().map(|home| home.join(".sdkman/candidates/java"));
    for parent in [Some(PathBuf::from("/usr/lib/jvm")), sdkman]
        .into_iter()
        .flatten()
    {
        for entry in std::fs::read_dir(parent).into_iter().flatten().flatten() {
            add(&entry.path());
        }
    }
    let homes: Vec<PathBuf> = homes
        .into_iter()
        .filter(|home| release(home) >= 17)
        .collect();
    assert!(
        !homes.is_empty(),
        "the tests need a JDK of version 17 or newer"
    );
    homes
}

/// The feature release from the JDK's `release` file; 0 when it has none.
pub fn release(home: &Path) -> u32 {
    let text = std::fs::read_to_string(home.join("release")).unwrap_or_default();
    let version = text
        .lines()
        .find_map(|line| line.strip_prefix("JAVA_VERSION=\""));
    version
        .and_then(|v| v.split(['.', '"', '-', '+']).next())
        .and_then(|v| v.parse().ok())
        .unwrap_or(0)
}

/// Class folders of the recrash runtime (for java.base) and of the test programs.
pub struct Built {
    pub runtime: PathBuf,
    pub programs: PathBuf,
}

/// Compiled once per test program.
pub fn built() -> &'static Built {
    static BUILT: OnceLock<(tempfile::TempDir, Built)> = OnceLock::new();
    let (_, built) = BUILT.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let built = build(folder.path());
        (folder, built)
    });
    built
}

/// Compiles with the oldest JDK found, as a release is.
fn build(folder: &Path) -> Built {
    let jdk = jdks().into_iter().min_by_key(|home| release(home)).unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let tests = root.join("tests/java");
    let runtime_sources = root.join("../../java/runtime");
    let built = Built {
        runtime: folder.join("runtime"),
        programs: folder.join("programs"),
    };
    let compiler = Jdk::at(&jdk).unwrap();
    let generated = recrash_wire::java::runtime();
    compile_rooms(&compiler, &runtime_sources, &generated, &built.runtime).unwrap();
    run(Command::new(jdk.join("bin/javac"))
        .arg("--patch-module")
        .arg(format!(
            "java.base={}:{}",
            built.runtime.display(),
            tests.display()
        ))
        .args([
            "-source",
            "11",
            "-target",
            "11",
            "-nowarn",
            "-XDignore.symbol.file",
        ])
        .args(["-XDstringConcat=inline", "-encoding", "UTF-8", "-d"])
        .arg(&built.runtime)
        .args(java_files(&tests.join("java"))));
    let programs: Vec<PathBuf> = java_files(&tests)
        .into_iter()
        .filter(|file| file.parent() == Some(&tests))
        .collect();
    run(Command::new(jdk.join("bin/javac"))
        .arg("--patch-module")
        .arg(format!("java.base={}", built.runtime.display()))
        .args(["-nowarn", "-encoding", "UTF-8", "-d"])
        .arg(&built.programs)
        .args(programs));
    // A class with an optional dependency that is not there when it runs.
    std::fs::remove_file(built.programs.join("Missing.class")).unwrap();
    built
}

fn java_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(java_files(&path));
        } else if path.extension().is_some_and(|e| e == "java") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// A JVM with the runtime inside java.base, and no other door opened.
pub fn java(jdk: &Path, built: &Built) -> Command {
    let mut command = Command::new(jdk.join("bin/java"));
    command
        .arg("--patch-module")
        .arg(format!("java.base={}", built.runtime.display()))
        .arg("-cp")
        .arg(&built.programs);
    command
}

pub fn run(command: &mut Command) -> String {
    let output = command.output().expect("the JDK's tools start");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success(),
        "{command:?}\n{text}\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    text
}

/// A captured reference; 0 is null.
pub fn reference(id: u32) -> Value {
    if id == 0 {
        Value::Null
    } else {
        Value::Ref(ObjectId(id))
    }
}
