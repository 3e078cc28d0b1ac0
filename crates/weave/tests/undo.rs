//! With the strategy undo, programs do what they did before, and note what they overwrite as the comments of their source
//! say.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use crate::support;

use std::path::Path;

use recrash_classfile::{Budget, read_classes};
use recrash_javabuild::Jdk;
use recrash_weave::{Past, Policy, SiteTable, SkipReason, Strategy, Woven, weave};
use support::{compile, java, jdks, run, sources, stub, write_folder};

fn undo() -> Policy {
    Policy {
        strategy: Strategy::Undo { hot: false },
        ..Policy::default()
    }
}

/// Weaves all classes of a folder into another one; what their numbers mean.
fn woven(classes: &Path, into: &Path) -> Vec<SiteTable> {
    let mut tables: Vec<SiteTable> = Vec::new();
    let mut entries = read_classes(classes, Budget::default()).unwrap();
    for entry in &mut entries {
        let first = tables
            .last()
            .map_or(0, |last| last.first_id() + last.numbers() as u32);
        let Woven::Changed { bytes, sites, .. } = weave(&entry.bytes, first, &undo()) else {
            continue;
        };
        entry.bytes = bytes;
        tables.push(sites);
    }
    write_folder(&entries, into);
    tables
}

fn check(jdk: &Jdk, options: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let source = sources().join("Writes.java");
    let classes = compile(
        jdk,
        &folder.path().join("classes"),
        options,
        std::slice::from_ref(&source),
    );
    let stub = stub(jdk, &folder.path().join("stub"));
    let target = folder.path().join("woven");
    let tables = woven(&classes, &target);
    let execute = |classes: &Path| run(java(jdk, &stub).arg("-cp").arg(classes).arg("Writes"));
    let (plain, _) = execute(&classes);
    let (output, notes) = execute(&target);
    assert_eq!(output, plain, "{options:?} on {}", jdk.home().display());
    let source = std::fs::read_to_string(source).unwrap();
    let mut expected: Vec<&str> = source
        .lines()
        .filter_map(|line| line.trim().strip_prefix("// notes: "))
        .collect();
    let mut found: Vec<String> = notes
        .lines()
        .filter_map(|line| described(line, &tables))
        .collect();
    expected.sort_unstable();
    found.sort();
    assert_eq!(
        found.join("\n"),
        expected.join("\n"),
        "{options:?} on {}\n{notes}",
        jdk.home().display()
    );
}

/// `note Writes 12 5` with the name of the field in place of its number; indexes stay.
fn described(line: &str, tables: &[SiteTable]) -> Option<String> {
    let mut words = line.split(' ');
    words.next().filter(|first| *first == "note")?;
    let (what, place, old) = (words.next()?, words.next()?, words.next()?);
    let field = |number| tables.iter().find_map(|table| table.field(number));
    let place = match what {
        "Writes" | "Wide" | "static" => field(place.parse().unwrap())?.field,
        _ => place.to_owned(),
    };
    Some(format!("{what} {place} {old}").trim_end().to_owned())
}

#[test]
fn every_kind_of_write_is_noted_and_changes_nothing() {
    for jdk in jdks() {
        check(&jdk, &["-g"]);
        check(&jdk, &["--release", "8"]);
    }
}

/// The words after `// {what}: `, sorted.
fn comments<'s>(source: &'s str, what: &str) -> Vec<&'s str> {
    let start = format!("// {what}: ");
    let mut found: Vec<&str> = source
        .lines()
        .filter_map(|line| line.trim().strip_prefix(start.as_str()))
        .collect();
    found.sort_unstable();
    found
}

#[test]
fn frames_ask_for_their_place_in_the_journal_where_they_may_need_it_and_not_before() {
    let source = sources().join("Marks.java");
    let text = std::fs::read_to_string(&source).unwrap();
    for jdk in jdks() {
        for options in [&["-g"][..], &["--release", "8"]] {
            let folder = tempfile::tempdir().unwrap();
            let files = std::slice::from_ref(&source);
            let classes = compile(&jdk, &folder.path().join("classes"), options, files);
            let stub = stub(&jdk, &folder.path().join("stub"));
            let target = folder.path().join("woven");
            let tables = woven(&classes, &target);
            let execute =
                |classes: &Path| run(java(&jdk, &stub).arg("-cp").arg(classes).arg("Marks"));
            let (plain, _) = execute(&classes);
            let (output, told) = execute(&target);
            assert_eq!(output, plain, "{options:?} on {}", jdk.home().display());
            let mut asked: Vec<&str> = told
                .lines()
                .filter_map(|line| line.strip_prefix("asked "))
                .collect();
            asked.sort_unstable();
            assert_eq!(asked, comments(&text, "asks"), "{told}");
            for method in comments(&text, "needless") {
                let site = tables[0].iter().find(|site| site.method == method).unwrap();
                assert_eq!(site.past, Past::None, "{method}");
            }
        }
    }
}

#[test]
fn a_method_that_would_become_too_long_is_monitored_without_notes() {
    let folder = tempfile::tempdir().unwrap();
    // A frame would note its own field once.
    let writes = "other.count = count + 1; ".repeat(700);
    let source = folder.path().join("Long.java");
    let text = format!("class Long {{ int count; void grow(Long other) {{ {writes} }} }}");
    std::fs::write(&source, text).unwrap();
    let classes = compile(&jdks()[0], &folder.path().join("classes"), &[], &[source]);
    let bytes = std::fs::read(classes.join("Long.class")).unwrap();
    let Woven::Changed { sites, skipped, .. } = weave(&bytes, 0, &undo()) else {
        panic!("not woven")
    };
    assert!(sites.iter().any(|site| site.method == "grow"));
    assert_eq!(skipped[0].why, SkipReason::TooLongToKeepWrites);
}
