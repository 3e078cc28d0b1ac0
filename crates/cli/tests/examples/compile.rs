//! Compiles an example with the compiler its sources ask for.

use std::path::{Path, PathBuf};
use std::process::Command;

use recrash_jvm::{Jdk, SHORT_LIVED};

use crate::common;
use crate::examples::expectation::Example;
use crate::examples::root;

/// The class path to run the example with.
pub fn compile(example: &Example, jdk: &Jdk, scratch: &Path) -> String {
    let classes = scratch.join("classes");
    std::fs::create_dir_all(&classes).unwrap();
    let of = |extension: &str| -> Vec<&PathBuf> {
        example
            .sources
            .iter()
            .filter(|source| source.extension().is_some_and(|e| e == extension))
            .collect()
    };
    let mut class_path = classes.display().to_string();
    if !of("java").is_empty() {
        common::javac(jdk, &[], &classes, java_sources_for(jdk, example));
    }
    let kotlin = of("kt");
    if !kotlin.is_empty() {
        let jars = compiler_jars("kotlin");
        let library = root()
            .join(".deps/kotlin/kotlin-stdlib.jar")
            .display()
            .to_string();
        let mut compiler = Command::new(jdk.java());
        compiler.args(SHORT_LIVED);
        compiler.args(["-cp", &jars, "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler"]);
        compiler
            .args([
                "-no-stdlib",
                "-no-reflect",
                "-nowarn",
                "-cp",
                &library,
                "-d",
            ])
            .arg(&classes)
            .args(kotlin);
        succeed(&mut compiler);
        class_path = format!("{class_path}:{library}");
    }
    let scala = of("scala");
    if !scala.is_empty() {
        let jars = compiler_jars("scala");
        let mut compiler = Command::new(jdk.java());
        compiler
            .args(SHORT_LIVED)
            .args(["-cp", &jars, "scala.tools.nsc.Main", "-usejavacp", "-d"])
            .arg(&classes)
            .args(scala);
        succeed(&mut compiler);
        class_path = format!(
            "{class_path}:{}",
            root().join(".deps/scala/scala-library.jar").display()
        );
    }
    class_path
}

/// Sources that need a newer JDK than this one are left out.
fn java_sources_for<'a>(jdk: &Jdk, example: &'a Example) -> Vec<&'a PathBuf> {
    let too_new = |source: &&PathBuf| {
        let name = source.file_stem().and_then(|stem| stem.to_str()).unwrap();
        example
            .runs
            .iter()
            .any(|run| run.name == name && run.least_jdk > jdk.version.feature)
    };
    example
        .sources
        .iter()
        .filter(|source| !too_new(source))
        .collect()
}

fn compiler_jars(folder: &str) -> String {
    let folder = root().join(".deps").join(folder);
    assert!(
        folder.is_dir(),
        "{} is missing; ./x test fetches it",
        folder.display()
    );
    format!("{}/*", folder.display())
}

/// Runs a command that must succeed, and gives its output.
pub fn succeed(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(
        output.status.success(),
        "{command:?} failed:\n{}{}",
        text(&output.stdout),
        text(&output.stderr)
    );
    text(&output.stdout)
}
