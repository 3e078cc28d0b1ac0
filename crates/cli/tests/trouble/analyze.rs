//! `recrash analyze`: figures, the cache, and input that is none.

use crate::support::{assert_one_line, compile, recrash, stderr, stdout};

const COUNTER: &str = "public class Counter { int n; void up() { n++; } int get() { return n; } }";

#[test]
fn figures_come_from_the_cache_the_second_time_and_a_torn_cache_is_one_line() {
    let folder = tempfile::tempdir().unwrap();
    compile(folder.path(), "Counter", COUNTER);
    let analyze = |arguments: &[&str]| {
        let output = recrash()
            .env("RECRASH_CACHE", folder.path().join("cache"))
            .arg("analyze")
            .arg(folder.path())
            .args(arguments)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        output
    };
    let first = analyze(&[]);
    assert!(
        stdout(&first).contains("computed anew in"),
        "{}",
        stdout(&first)
    );
    let second = analyze(&["--json"]);
    assert_eq!(stderr(&second), "");
    let figures: serde_json::Value = serde_json::from_str(&stdout(&second)).unwrap();
    assert_eq!(figures["fromCache"], true);
    // `up` changes its object; `get` does not, nor does the constructor, which sets nothing.
    assert_eq!(figures["application"]["methods"], 3);
    assert_eq!(figures["application"]["pure"], 2);
    let cache = figures["cache"].as_str().unwrap();
    std::fs::write(cache, "torn").unwrap();
    let third = analyze(&[]);
    assert_eq!(stderr(&third).lines().count(), 1, "{}", stderr(&third));
    assert!(
        stderr(&third).contains("is cut off; it is thrown away"),
        "{}",
        stderr(&third)
    );
    assert!(stdout(&third).contains("computed anew in"));
}

#[test]
fn what_cannot_be_analyzed_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let jar = folder.path().join("app.jar");
    let analyze = |arguments: &[&str]| {
        let mut command = recrash();
        command.env("RECRASH_CACHE", folder.path().join("cache"));
        command
            .arg("analyze")
            .arg(&jar)
            .args(arguments)
            .output()
            .unwrap()
    };
    assert!(assert_one_line(&analyze(&[]), 1).contains("app.jar does not exist"));
    std::fs::write(&jar, "not a zip").unwrap();
    assert!(assert_one_line(&analyze(&[]), 1).contains("cannot be read as a jar"));
    assert!(assert_one_line(&analyze(&["--jdk", "/nowhere"]), 1).contains("is not a JDK"));
}
