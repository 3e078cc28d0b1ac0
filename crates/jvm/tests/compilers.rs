//! Compilers that stay warm, of every JDK found.

// Functions that only tests call may fail like tests.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::time::Duration;

use recrash_jvm::{ClassPath, Compilation, Compilers, Error, Jdk, find_jdks};

fn jdks() -> Vec<Jdk> {
    let mut jdks = find_jdks();
    jdks.retain(|jdk| jdk.javac.is_some());
    jdks
}

fn compilers() -> Compilers {
    Compilers::new(recrash_bundle::unpack().unwrap().worker)
}

fn compile(
    compilers: &Compilers,
    jdk: &Jdk,
    folder: &Path,
    source: &str,
    limit: Duration,
) -> Result<PathBuf, Error> {
    let file = folder.join("Greeting.java");
    std::fs::write(&file, source).unwrap();
    let output = folder.join("classes");
    let compilation = Compilation {
        sources: &[file],
        class_path: &ClassPath::default(),
        output: &output,
        options: &[],
        limit,
    };
    compilers.compile(jdk, &compilation)?;
    Ok(output.join("Greeting.class"))
}

#[test]
fn a_compiler_goes_on_after_source_that_is_wrong() {
    let compilers = compilers();
    let limit = Duration::from_secs(120);
    for jdk in jdks() {
        let folder = tempfile::tempdir().unwrap();
        let try_one = |source| compile(&compilers, &jdk, folder.path(), source, limit);
        let class = try_one("class Greeting { String text = \"hé\"; }").unwrap();
        assert!(class.is_file());
        let wrong = try_one("class Greeting { int text = \"no\"; }").unwrap_err();
        let words = wrong.to_string();
        assert!(
            words.contains("Greeting.java:1: error: incompatible types"),
            "{words}"
        );
        std::fs::remove_file(&class).unwrap();
        try_one("class Greeting {}").unwrap();
        assert!(class.is_file());
    }
}

#[test]
fn a_compiler_that_takes_too_long_is_ended_and_the_next_run_has_another() {
    let compilers = compilers();
    let jdk = jdks().remove(0);
    let folder = tempfile::tempdir().unwrap();
    let source = "class Greeting {}";
    let try_within = |limit| compile(&compilers, &jdk, folder.path(), source, limit);
    let late = try_within(Duration::ZERO).unwrap_err();
    assert_eq!(late.to_string(), "javac did not end within 0ns");
    try_within(Duration::from_secs(120)).unwrap();
}
