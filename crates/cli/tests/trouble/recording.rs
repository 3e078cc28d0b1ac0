//! A recording from the command line to the terminal, and files that are none.

use crate::trouble::support::{assert_one_line, compile, jdk, run, stderr, stdout};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const COUNTING: &str = "
public class Counting {
    public static void main(String[] args) {
        Meter meter = new Meter();
        for (int i = 0; i < 50; i++) {
            System.out.println(meter.count(i));
        }
    }
}

class Meter {
    private int total;

    int count(int more) {
        if (total > 20) {
            throw new IllegalStateException(\"full at \" + total);
        }
        return total += more;
    }
}";

/// The folder, and the recording of a run.
fn recorded() -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    compile(folder.path(), "Counting", COUNTING);
    let path = |path: &Path| path.display().to_string();
    let (java, out) = (jdk().java(), folder.path().join("out"));
    let words = ["run", "--no-tests", "--record", "--out", &path(&out), "--"];
    let program = [&path(&java), "-cp", &path(folder.path()), "Counting"];
    let ran = run(words.into_iter().chain(program));
    assert_eq!(ran.status.code(), Some(1), "{}", stderr(&ran));
    assert_eq!(stdout(&ran), "0\n1\n3\n6\n10\n15\n21\n");
    assert!(stderr(&ran).contains("recorded: "), "{}", stderr(&ran));
    let all = std::fs::read_dir(&out).unwrap();
    let mut all = all.map(|entry| entry.unwrap().path());
    let recording = all.find(|path| path.extension().is_some_and(|end| end == "recording"));
    (folder, recording.unwrap())
}

#[test]
fn a_run_is_recorded_and_shown() {
    let (_folder, file) = recorded();
    let file = file.display().to_string();
    let shown = stdout(&run(["show", &file]));
    let first = "Counting: 19 events, 9 calls, whole, ended by java.lang.IllegalStateException: full at 21 at Meter.count:";
    assert!(shown.starts_with(first), "{shown}");
    assert!(
        shown.contains("8  call      Meter.count(I)I  at Counting.main:6"),
        "{shown}"
    );
    let every = stdout(&run(["show", "--verbose", &file]));
    assert!(
        every.contains("call Meter#0 Meter.count(I)I (7)"),
        "{every}"
    );
    let json: serde_json::Value =
        serde_json::from_str(&stdout(&run(["show", "--json", &file]))).unwrap();
    assert_eq!(json["calls"], 9);
    assert_eq!(json["talks"][0]["times"], 8);
    let page = run(["show", "--html", "page.html", &file]);
    assert!(assert_one_line(&page, 1).contains("is a recording"));
}

#[test]
fn what_is_no_recording_is_refused_and_a_part_of_one_is_shown() {
    let (_folder, path) = recorded();
    let file = path.display().to_string();
    let whole = std::fs::read(&path).unwrap();
    std::fs::write(&path, &whole[..whole.len() - 20]).unwrap();
    assert!(stdout(&run(["show", &file])).contains(" cut"));
    let mut flipped = whole.clone();
    flipped[40] ^= 1;
    for (bytes, said) in [
        (b"PK\x03\x04 and more".to_vec(), "is no recording"),
        (Vec::new(), "is empty"),
        (flipped, "is damaged"),
    ] {
        std::fs::write(&path, bytes).unwrap();
        let line = assert_one_line(&run(["show", &file]), 1);
        assert!(line.contains(said) && line.contains(&file), "{line}");
    }
}
