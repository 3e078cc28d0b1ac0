//! Woven programs do what they did before, and record what the comments in their sources say.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use crate::support;

use std::path::Path;

use recrash_classfile::{Budget, JarEntry, read_classes};
use recrash_javabuild::Jdk;
use recrash_weave::{Policy, Site};
use support::{compile, java, jdks, run, sources, stub, weave_all, write_folder};

/// Runs a program plainly and woven: output must be equal, records as the source says.
fn check(jdk: &Jdk, name: &str, options: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let source = sources().join(format!("{name}.java"));
    let classes = compile(
        jdk,
        &folder.path().join("classes"),
        options,
        std::slice::from_ref(&source),
    );
    let stub = stub(jdk, &folder.path().join("stub"));
    let mut entries = read_classes(&classes, Budget::default()).unwrap();
    let sites = weave_all(&mut entries, &Policy::default());
    let woven = folder.path().join("woven");
    write_folder(&entries, &woven);

    let execute = |classes: &Path| run(java(jdk, &stub).arg("-cp").arg(classes).arg(name));
    let (plain_output, _) = execute(&classes);
    let (woven_output, records) = execute(&woven);
    assert_eq!(
        woven_output,
        plain_output,
        "{name} on {}",
        jdk.home().display()
    );
    let expected = expectations(&std::fs::read_to_string(source).unwrap());
    let mut found: Vec<String> = records
        .lines()
        .filter_map(|line| describe(line, &sites))
        .collect();
    let mut wanted = expected;
    found.sort();
    wanted.sort();
    assert_eq!(
        found.join("\n"),
        wanted.join("\n"),
        "{name} on {}\n{records}",
        jdk.home().display()
    );
}

fn expectations(source: &str) -> Vec<String> {
    source
        .lines()
        .filter_map(|line| line.trim().strip_prefix("// records: "))
        .map(str::to_owned)
        .collect()
}

/// `enter 12 values…` as `method Place values…`; the lambdas that only start a scenario do not count.
fn describe(line: &str, sites: &[Site]) -> Option<String> {
    let mut words = line.split(' ');
    words.next().filter(|kind| *kind == "enter")?;
    let site = &sites[words.next()?.parse::<usize>().unwrap()];
    if site.method.starts_with("lambda$main") {
        return None;
    }
    let mut described = format!("{} {:?}", site.method, site.place);
    for value in words {
        described.push(' ');
        described.push_str(value);
    }
    Some(described)
}

#[test]
fn every_kind_of_method_records_its_entry_values_and_behaves_as_before() {
    for jdk in jdks() {
        check(&jdk, "Kinds", &["-g"]);
        check(&jdk, "Kinds", &["-g:none"]);
        check(&jdk, "Kinds", &["--release", "8"]);
    }
}

/// Compiled by hand once (version 45, `jsr` and `ret`), because today's compilers no longer write such classes.
#[test]
fn subroutines_of_old_classes_survive_copies_of_their_parameters() {
    let seed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/class/old-jsr");
    let bytes = std::fs::read(seed).unwrap();
    for jdk in jdks() {
        let folder = tempfile::tempdir().unwrap();
        let stub = stub(&jdk, &folder.path().join("stub"));
        let mut entries = [JarEntry {
            name: "Old.class".to_owned(),
            bytes: bytes.clone(),
        }];
        let plain = folder.path().join("plain");
        write_folder(&entries, &plain);
        let sites = weave_all(&mut entries, &Policy::default());
        assert!(
            sites
                .iter()
                .any(|site| site.method == "subroutine" && site.saved.len() == 2)
        );
        let woven = folder.path().join("woven");
        write_folder(&entries, &woven);
        let execute = |classes: &Path| run(java(&jdk, &stub).arg("-cp").arg(classes).arg("Old")).0;
        assert_eq!(execute(&woven), execute(&plain));
    }
}
