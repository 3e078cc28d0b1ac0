//! Canaries in every kind of place that a rule is about: none of them may be found in any byte that recrash writes, and all
//! of them are found when it is told to withhold nothing.

// Helpers of a test may fail loudly; clippy's own exemption covers only the tests themselves.
mod canary;
mod support;

use canary::{Canary, found_in, planted};
use std::path::Path;
use support::{Run, classes, recrash, snapshots, text};

/// Canaries of a run, by where they were seen.
fn seen(canaries: &[Canary], run: &Run) -> Vec<String> {
    let mut seen = Vec::new();
    for (place, bytes) in run.everything() {
        for canary in found_in(canaries, &bytes) {
            seen.push(format!("{canary} in {place}"));
        }
    }
    seen
}

#[test]
fn no_canary_reaches_snapshot_tests_report_or_log() {
    let run = Run::of("Canaries", &["--verbose"]);
    assert_eq!(seen(&planted(), &run), Vec::<String>::new());
    assert!(
        run.log().contains("frames reproduce the crash; tests:"),
        "{}",
        run.log()
    );
    // What is not sensitive is still there, and what was withheld is told.
    let shown = run.show(&["--redactions"]);
    for rule in [
        "mask field password",
        "mask annotation recrash.Sensitive",
        "hash value email",
        "mask field card number",
    ] {
        assert!(shown.contains(rule), "{rule} is missing in {shown}");
    }
    assert!(run.show(&["--json"]).contains("visible-value"));
    let tree = run.show(&["--depth", "2"]);
    assert!(tree.contains("(redacted: mask field password)"), "{tree}");
}

#[test]
fn every_canary_is_there_when_nothing_is_withheld_and_redact_takes_them_out() {
    let run = Run::of("Canaries", &["--no-privacy", "--no-tests"]);
    let all = run.everything();
    for canary in planted() {
        assert!(
            all.iter()
                .any(|(_, bytes)| !found_in(std::slice::from_ref(&canary), bytes).is_empty()),
            "{canary} is nowhere: it proves nothing"
        );
    }
    let snapshot = run.snapshot();
    let redacted = recrash().arg("redact").arg(&snapshot).output().unwrap();
    let told = text(&redacted.stdout);
    assert!(
        redacted.status.success(),
        "{told}{}",
        text(&redacted.stderr)
    );
    assert!(
        told.contains("frames that reproduced the crash still do"),
        "{told}"
    );
    // A variable of the environment that ran is not known any more.
    let canaries: Vec<Canary> = planted()
        .into_iter()
        .filter(|canary| !canary.is_from_environment())
        .collect();
    assert_eq!(seen(&canaries, &run), Vec::<String>::new());
    assert_eq!(support::leftovers(run.out()), Vec::<String>::new());
}

#[test]
fn an_equivalent_value_is_found_for_which_the_crash_remains() {
    let run = Run::of("Transfer", &["--no-privacy", "--no-tests"]);
    let snapshot = run.snapshot();
    let redact = |name: &str, more: &[&str]| {
        let target = run.out().join(name);
        let output = recrash()
            .arg("redact")
            .arg(&snapshot)
            .arg("-o")
            .arg(&target)
            .args(more)
            .output()
            .unwrap();
        (text(&output.stdout), target)
    };
    let (told, _) = redact("masked.recrash", &[]);
    assert!(
        told.contains("1 of 2 frames that reproduced the crash still do"),
        "{told}"
    );
    assert!(
        told.contains("no longer: frame 0 Transfer.book: "),
        "{told}"
    );
    let (told, target) = redact("equivalent.recrash", &["--equivalent"]);
    assert!(
        told.contains("2 of 2 frames that reproduced the crash still do"),
        "{told}"
    );
    let bytes = canary::unpacked(&target);
    assert!(!contains(&bytes, b"DE89370400440532013000") && !contains(&bytes, b"canary.owner"));
    let tests = recrash().arg("tests").arg(&target).output().unwrap();
    assert!(
        text(&tests.stdout).contains("2 of 2 frames reproduce"),
        "{}",
        text(&tests.stdout)
    );
}

#[test]
fn rules_of_the_users_own_count_first() {
    let rules = classes().join("rules.txt");
    std::fs::write(
        &rules,
        "# ours\ndrop type Canaries$Marked\nkeep field token\n",
    )
    .unwrap();
    let run = Run::of(
        "Canaries",
        &["--no-tests", "--privacy", rules.to_str().unwrap()],
    );
    let shown = run.show(&["--redactions"]);
    assert!(shown.contains("drop type Canaries$Marked"), "{shown}");
    assert!(
        run.show(&["--json"])
            .contains("9f86d081884c7d659a2feaa0c55ad015")
    );
}

#[test]
fn bad_rules_are_told_with_their_line_before_anything_runs() {
    let rules = classes().join("bad.txt");
    std::fs::write(&rules, "mask field password\nredact everything\n").unwrap();
    for arguments in [&["run", "--privacy"][..], &["agent-path", "--privacy"]] {
        let mut command = recrash();
        command.args(arguments).arg(&rules);
        if arguments[0] == "run" {
            command.args(["--", "no-such-program"]);
        }
        let output = command.output().unwrap();
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{told}");
        assert!(
            told.contains("bad.txt: line 2: \"redact\" is no kind"),
            "{told}"
        );
        assert_eq!(told.lines().count(), 1, "{told}");
    }
    let output = recrash()
        .args(["redact", "no-such.recrash"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(!Path::new("no-such.recrash").exists());
}

#[test]
fn rules_that_the_agent_cannot_read_cost_the_snapshot_not_the_program() {
    let run = Run::with_agent_option("Transfer", "privacy=/no/such/rules.txt");
    assert_eq!(snapshots(run.out()).len(), 0);
    assert!(
        run.log()
            .contains("nothing will be captured without the rules"),
        "{}",
        run.log()
    );
}

fn contains(bytes: &[u8], wanted: &[u8]) -> bool {
    bytes.windows(wanted.len()).any(|window| window == wanted)
}
