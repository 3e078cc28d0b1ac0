//! A real program, every class woven, does what it did: the Eclipse compiler compiles the same classes from the same
//! sources.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use crate::support;

use std::path::Path;

use recrash_classfile::{Budget, JarEntry, read_entries};
use recrash_weave::Policy;
use support::{java, jdks, read_jar, run, sources, stub, subjects, weave_all, write_jar};

#[test]
fn a_woven_compiler_compiles_as_before() {
    let is_compiler = |path: &&std::path::PathBuf| {
        path.file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with("ecj"))
    };
    let subjects = subjects();
    let Some(ecj) = subjects.iter().find(is_compiler) else {
        return;
    };
    for jdk in jdks() {
        let folder = tempfile::tempdir().unwrap();
        let stub = stub(&jdk, &folder.path().join("stub"));
        let mut entries = read_jar(ecj);
        weave_all(&mut entries, &Policy::default());
        let woven = folder.path().join("woven.jar");
        write_jar(&entries, &woven);
        let compile = |compiler: &Path, into: &str| -> Vec<JarEntry> {
            let classes = folder.path().join(into);
            let mut command = java(&jdk, &stub);
            command
                .arg("-Drecrash.silent=true")
                .arg("-cp")
                .arg(compiler);
            command.args([
                "org.eclipse.jdt.internal.compiler.batch.Main",
                "-17",
                "-nowarn",
                "-d",
            ]);
            run(command
                .arg(&classes)
                .arg(sources().join("Kinds.java"))
                .arg(sources().join("judge")));
            read_entries(&classes, Budget::default(), |_| true).unwrap()
        };
        let (plain, woven) = (compile(ecj, "plain"), compile(&woven, "woven-out"));
        assert!(plain.len() > 5);
        assert_eq!(plain, woven);
    }
}
