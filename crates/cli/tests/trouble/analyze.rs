//! `recrash analyze`: figures, the cache, and input that is none.

use crate::trouble::support::{assert_one_line, compile, recrash, stderr, stdout};
use recrash_jvm::{Jdk, find_jdks};
use std::path::Path;

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

/// Its words are used up by another class when it fails, and it cannot be run again.
const USED: &str = r#"
public class Used {
    static final class Words {
        private final String[] words;
        private int next;

        Words(String... words) {
            this.words = words;
        }

        String word() {
            String word = words[next];
            next++;
            return word;
        }
    }

    private final Words words;

    Used(Words words) {
        this.words = words;
    }

    int sum(int limit) {
        int total = 0;
        int count = 0;
        for (String word = words.word(); !word.isEmpty() && total < limit; word = words.word()) {
            total += Integer.parseInt(word);
            count++;
        }
        return total / count;
    }

    public static void main(String[] args) throws Exception {
        java.io.File used = new java.io.File("used");
        if (used.createNewFile()) {
            new Used(new Words("1", "two", "3", "")).sum(9);
        }
    }
}
"#;

/// What `recrash run` says of the crash, in a folder of its own.
fn crash(jdk: &Jdk, classes: &Path, cache: &Path) -> String {
    crash_with(&["run", "--"], jdk, classes, cache)
}

fn crash_with(options: &[&str], jdk: &Jdk, classes: &Path, cache: &Path) -> String {
    let place = tempfile::tempdir().unwrap();
    let output = recrash()
        .env("RECRASH_CACHE", cache)
        .args(options)
        .arg(jdk.java())
        .arg("-cp")
        .args([classes.as_os_str(), "Used".as_ref()])
        .current_dir(place.path())
        .output()
        .unwrap();
    stderr(&output) + &stdout(&output)
}

fn reproduces(said: &str) -> bool {
    let mut lines = said.lines();
    lines.any(|line| line.contains("Used.sum") && line.contains("reproduced"))
}

#[test]
fn what_other_classes_change_is_kept_once_the_program_was_analysed() {
    for jdk in find_jdks() {
        let folder = tempfile::tempdir().unwrap();
        let (classes, cache) = (folder.path().join("classes"), folder.path().join("cache"));
        std::fs::create_dir(&classes).unwrap();
        compile(&classes, "Used", USED);
        let said = crash(&jdk, &classes, &cache);
        assert!(!reproduces(&said) && said.contains("passes"), "{said}");

        let mut analyze = recrash();
        analyze.env("RECRASH_CACHE", &cache).arg("analyze");
        analyze.args([&classes, Path::new("--jdk"), &jdk.home]);
        let analyzed = analyze.arg("--json").output().unwrap();
        let figures: serde_json::Value = serde_json::from_str(&stdout(&analyzed)).unwrap();
        let said = crash(&jdk, &classes, &cache);
        assert!(reproduces(&said), "{said}");

        // A field that is gone says nothing, although the class that leads to it is the same.
        compile(&classes, "Used", &USED.replace("next", "following"));
        let said = crash(&jdk, &classes, &cache);
        assert!(!reproduces(&said) && said.contains("passes"), "{said}");

        // Of a class that has changed nothing is known.
        compile(
            &classes,
            "Used",
            &USED.replace("count++", "count += 1 + limit / 9"),
        );
        let said = crash(&jdk, &classes, &cache);
        assert!(!reproduces(&said) && said.contains("passes"), "{said}");

        std::fs::write(figures["advice"].as_str().unwrap(), "torn").unwrap();
        let said = crash(&jdk, &classes, &cache);
        let line = "is damaged or of another version and does not count";
        assert_eq!(said.matches(line).count(), 1, "{said}");
        assert!(said.contains("Used.sum"), "{said}");
    }
}

#[test]
fn a_run_can_have_the_program_analysed_first() {
    for jdk in find_jdks() {
        let folder = tempfile::tempdir().unwrap();
        let cache = folder.path().join("cache");
        compile(folder.path(), "Used", USED);
        let options = ["run", "--analyze", "--"];
        let said = crash_with(&options, &jdk, folder.path(), &cache);
        assert!(reproduces(&said), "{said}");
        // Even where nothing is there to be analysed, what is to run runs.
        let nowhere = folder.path().join("nowhere");
        let said = crash_with(&options, &jdk, &nowhere, &cache);
        assert!(said.contains("ClassNotFoundException: Used"), "{said}");
    }
}

#[test]
fn only_the_class_path_of_a_java_can_be_analysed() {
    let mut run = recrash();
    let output = run.args(["run", "--analyze", "--", "./gradlew", "run"]);
    let said = assert_one_line(&output.output().unwrap(), 1);
    assert!(said.contains("run recrash analyze APP.jar first"), "{said}");
}
