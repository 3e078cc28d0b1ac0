//! What callees of the same class write is kept on entry, and what callees of others use up, and no more than that.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use crate::support;

use std::fmt::Write as _;

use recrash_classfile::{Budget, read_classes};
use recrash_weave::{Owner, Past, Policy, Site, Strategy};
use support::{compile, jdks, sources, weave_all};

/// `callsSetter this.count`, as the comments in the source have it.
fn described(site: &Site) -> String {
    let mut text = site.method.clone();
    for saved in &site.saved {
        let owner = match saved.owner {
            Owner::Receiver => "this",
            Owner::Argument(number) => site.parameters[usize::from(number)]
                .name
                .as_deref()
                .unwrap(),
            Owner::Kept(place) => unreachable!("a field of what is kept at {place}"),
        };
        let _ = write!(text, " {owner}.{}", saved.field.field);
    }
    if site.past == Past::Copy {
        text.push_str(" and what is used up");
    }
    text
}

#[test]
fn methods_keep_what_their_comments_say() {
    let source = sources().join("Callees.java");
    let text = std::fs::read_to_string(&source).unwrap();
    let wanted: Vec<&str> = text
        .lines()
        .filter_map(|line| line.trim().strip_prefix("// saves: "))
        .collect();
    assert!(wanted.len() > 10);
    for jdk in jdks() {
        let folder = tempfile::tempdir().unwrap();
        let classes = compile(&jdk, folder.path(), &["-g"], std::slice::from_ref(&source));
        let mut entries = read_classes(&classes, Budget::default()).unwrap();
        let sites = weave_all(&mut entries, &Policy::default());
        let found: Vec<String> = sites.iter().map(described).collect();
        for wanted in &wanted {
            assert!(
                found.iter().any(|found| found == wanted),
                "not \"{wanted}\" but {found:#?}"
            );
        }
    }
}

#[test]
fn with_undo_fields_are_kept_where_writes_are_not_noted() {
    let folder = tempfile::tempdir().unwrap();
    let source = sources().join("Callees.java");
    let classes = compile(&jdks()[0], folder.path(), &["-g"], &[source]);
    let saved_with = |policy: &Policy| {
        let mut entries = read_classes(&classes, Budget::default()).unwrap();
        let sites = weave_all(&mut entries, policy).into_iter();
        sites.map(|site| site.saved).collect::<Vec<_>>()
    };
    let undo = |gives_way| Policy {
        strategy: Strategy::Undo { hot: false },
        gives_way,
        ..Policy::default()
    };
    assert_eq!(saved_with(&undo(true)), saved_with(&Policy::default()));
    assert!(saved_with(&undo(false)).iter().all(Vec::is_empty));
}

#[test]
fn only_references_are_kept_on_request() {
    let jdk = &jdks()[0];
    let folder = tempfile::tempdir().unwrap();
    let source = sources().join("Callees.java");
    let classes = compile(jdk, folder.path(), &["-g"], &[source]);
    let mut entries = read_classes(&classes, Budget::default()).unwrap();
    let policy = Policy {
        strategy: Strategy::Reference,
        ..Policy::default()
    };
    let sites = weave_all(&mut entries, &policy);
    assert!(sites.len() > 10);
    assert!(
        sites
            .iter()
            .all(|site| site.saved.is_empty() && site.past == Past::None)
    );
}
