//! The motivating example of the paper, and what the three optimisations save.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use crate::support;

use recrash_symbolic::{Options, Statistics, Verdict};
use support::Subject;

fn texts(
    subject: &Subject,
    exception: &str,
    mark: &str,
    options: &Options,
) -> (Vec<String>, Statistics) {
    let outcome = subject.solve_with(&subject.target(exception, &[mark]), options);
    assert_eq!(outcome.verdict, Verdict::Found, "{mark}");
    let texts = outcome.preconditions.into_iter().map(|it| it.text);
    (texts.collect(), outcome.statistics)
}

#[test]
fn the_three_crashes_have_their_preconditions() {
    let subject = Subject::new("ComponentImpl");
    let options = Subject::patient();
    let (a, _) = texts(&subject, "RuntimeException", "crash a", &options);
    assert_eq!(
        a[0],
        "this.length != this.width && this.subComponents != null"
    );
    let (b, _) = texts(&subject, "NullPointerException", "crash b", &options);
    assert!(
        b[0].contains("this.defaultColor == null") && b[0].contains("arg0 <= 0"),
        "{b:?}"
    );
    let (c, _) = texts(&subject, "NullPointerException", "crash c", &options);
    assert!(
        c[0].contains("arg1 == null") && c[0].contains("arg0 != null"),
        "{c:?}"
    );
}

#[test]
fn each_optimisation_saves_work_and_changes_no_answer() {
    let subject = Subject::new("ComponentImpl");
    let all = Options {
        wanted: usize::MAX,
        loop_bound: 2,
        ..Subject::patient()
    };
    let work = |options: &Options, mark, exception| {
        let (texts, statistics) = texts(&subject, exception, mark, options);
        (texts.is_empty(), statistics)
    };
    let null = "NullPointerException";
    // The loop in front of crash a, the logging in front of b.
    let without = Options {
        prune_paths: false,
        ..all.clone()
    };
    for (mark, exception) in [("crash a", "RuntimeException"), ("crash b", null)] {
        let (with, without) = (work(&all, mark, exception), work(&without, mark, exception));
        assert_eq!(with.0, without.0);
        assert!(with.1.paths < without.1.paths, "{with:?} {without:?}");
        assert!(with.1.checks < without.1.checks, "{with:?} {without:?}");
    }
    // After the way over line 17, the logging has nothing to do with the contradiction.
    let plain = Options {
        prune_paths: false,
        merge_contradictions: false,
        ..all.clone()
    };
    let no_core = Options {
        unsat_core: false,
        ..plain.clone()
    };
    let (with, without) = (
        work(&plain, "crash b", null),
        work(&no_core, "crash b", null),
    );
    assert!(with.1.paths < without.1.paths, "{with:?} {without:?}");
    // That the components are the same and not null contradicts that one of them is null.
    let merging = Options {
        prune_paths: false,
        unsat_core: false,
        ..all
    };
    let no_merging = Options {
        merge_contradictions: false,
        ..merging.clone()
    };
    let (with, without) = (
        work(&merging, "crash c", null),
        work(&no_merging, "crash c", null),
    );
    assert!(with.1.paths < without.1.paths, "{with:?} {without:?}");
}
