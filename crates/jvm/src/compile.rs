use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::class_path::ClassPath;
use crate::error::{Error, Result};
use crate::jdk::Jdk;
use crate::process::{Launch, SHORT_LIVED, run};

/// A run of javac.
#[derive(Debug, Clone)]
pub struct Compilation<'a> {
    pub sources: &'a [PathBuf],
    pub class_path: &'a ClassPath,
    /// Where the class files go; created when missing.
    pub output: &'a Path,
    /// Further options, `--add-exports …` for instance.
    pub options: &'a [String],
    pub limit: Duration,
}

/// Compiles with debug information. The error carries javac's own lines.
pub fn compile(jdk: &Jdk, compilation: &Compilation<'_>) -> Result<()> {
    let javac = jdk.javac()?;
    std::fs::create_dir_all(compilation.output).map_err(|source| Error::Io {
        path: compilation.output.to_owned(),
        source,
    })?;
    let launch = Launch::new(javac)
        .arguments(SHORT_LIVED.map(|option| format!("-J{option}")))
        .arguments([
            "-g",
            "-nowarn",
            "-proc:none",
            "-encoding",
            "UTF-8",
            "-Xlint:none",
        ])
        .arguments(compilation.options)
        .argument("-d")
        .argument(compilation.output)
        .argument("-classpath")
        .argument(compilation.class_path.joined())
        .arguments(compilation.sources)
        .limit(compilation.limit);
    let finished = run(&launch)?;
    if finished.timed_out {
        return Err(Error::TimeLimit {
            what: "javac".to_owned(),
            limit: compilation.limit,
        });
    }
    if finished.status == Some(0) {
        return Ok(());
    }
    let mut text = finished.stderr;
    text.push_str(&finished.stdout);
    Err(Error::Compile(text.trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn try_compile(source: &str) -> Vec<Result<()>> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("Greeting.java");
        std::fs::write(&file, source).unwrap();
        let compile_with = |jdk: Jdk| {
            compile(
                &jdk,
                &Compilation {
                    sources: std::slice::from_ref(&file),
                    class_path: &ClassPath::default(),
                    output: &folder.path().join("classes"),
                    options: &[],
                    limit: Duration::from_secs(120),
                },
            )
        };
        crate::find_jdks()
            .into_iter()
            .filter(|jdk| jdk.javac.is_some())
            .map(compile_with)
            .collect()
    }

    #[test]
    fn good_source_compiles_on_every_jdk() {
        for result in try_compile("class Greeting { String text = \"hé\"; }") {
            result.unwrap();
        }
    }

    #[test]
    fn errors_carry_the_compilers_own_lines() {
        for result in try_compile("class Greeting { int text = \"no\"; }") {
            let error = result.unwrap_err().to_string();
            assert!(
                error.contains("Greeting.java:1: error: incompatible types"),
                "{error}"
            );
        }
    }
}
