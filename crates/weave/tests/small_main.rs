//! `main` is monitored however small it is, wherever a larger one would be, and no other small method is.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use crate::support;

use recrash_classfile::{Budget, JarEntry, read_classes};
use recrash_weave::{Offline, Policy, Strategy, Watched};
use support::{compile, jdks, weave_all};

const SOURCE: &str = r#"
class Small {
    public static void main(String[] args) { Other.start("one"); }
    static void start(String[] args) { Other.start("two"); }
}
class Other {
    static void start(String text) { throw new IllegalStateException(text + text.length() + text.trim()); }
    void main(String[] args) { start("three"); }
    static void main(String argument) { start(argument); }
}
"#;

fn classes() -> Vec<JarEntry> {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("Small.java");
    std::fs::write(&source, SOURCE).unwrap();
    let classes = compile(&jdks()[0], &folder.path().join("classes"), &[], &[source]);
    read_classes(&classes, Budget::default()).unwrap()
}

/// The monitored methods, `Small.main([Ljava/lang/String;)V`, in the order of their names.
fn monitored(policy: &Policy) -> Vec<String> {
    let sites = weave_all(&mut classes(), policy);
    let mut methods: Vec<String> = sites
        .iter()
        .map(|site| format!("{}.{}{}", site.class, site.method, site.descriptor))
        .collect();
    methods.sort();
    methods
}

const START: &str = "Other.start(Ljava/lang/String;)V";
const MAIN: &str = "Small.main([Ljava/lang/String;)V";

#[test]
fn only_what_java_starts_is_never_too_small() {
    assert_eq!(monitored(&Policy::default()), [START, MAIN]);
    for strategy in [Strategy::Reference, Strategy::Undo { hot: false }] {
        let policy = Policy {
            strategy,
            ..Policy::default()
        };
        assert_eq!(monitored(&policy), [START, MAIN]);
    }
}

#[test]
fn ahead_of_time_it_is_woven_too() {
    for offline in [Offline::Asleep, Offline::Awake] {
        let policy = Policy {
            offline: Some(offline),
            ..Policy::default()
        };
        assert_eq!(monitored(&policy), [START, MAIN]);
    }
}

#[test]
fn filters_still_leave_it_out() {
    let globs = |glob: &str| vec![glob.to_owned()];
    for exclude in ["*#main", "Small#*", "Small"] {
        let policy = Policy {
            exclude: globs(exclude),
            ..Policy::default()
        };
        assert_eq!(monitored(&policy), [START], "{exclude}");
    }
    let policy = Policy {
        include: globs("Other"),
        ..Policy::default()
    };
    assert_eq!(monitored(&policy), [START]);
}

#[test]
fn where_only_some_methods_are_watched_it_has_to_be_among_them() {
    let second_chance = Policy {
        only: Some(vec!["start".to_owned()]),
        exclude: vec!["Small#start".to_owned()],
        ..Policy::default()
    };
    assert_eq!(monitored(&second_chance), [START]);
    let second_look = Policy {
        look: Some(vec![Watched {
            class: "*".to_owned(),
            method: "start".to_owned(),
            descriptor: "(Ljava/lang/String;)V".to_owned(),
        }]),
        ..Policy::default()
    };
    assert_eq!(monitored(&second_look), [START]);
}
