//! `recrash watch` and its file.

use crate::trouble::support::{assert_one_line, recrash, run, stderr, stdout};
use std::path::{Path, PathBuf};
use std::process::Output;
use tempfile::TempDir;

fn place() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("watch.txt");
    (folder, list)
}

fn watch(words: &[&str], list: &Path) -> Output {
    recrash()
        .arg("watch")
        .args(words)
        .arg(list)
        .output()
        .unwrap()
}

fn add(folder: &Path, name: &str, trace: &str, list: &Path) -> Output {
    let file = folder.join(name);
    std::fs::write(&file, trace).unwrap();
    watch(&["add", file.to_str().unwrap()], list)
}

#[test]
fn methods_are_added_listed_and_removed() {
    let (folder, list) = place();
    let trace = "X: y\n\tat com.acme.Order.total(Order.java:3)\n\tat com.acme.Order.<init>(Order.java:9)\n\t... 1 more\n";
    let added = add(folder.path(), "trace.txt", trace, &list);
    assert_eq!(
        stdout(&added),
        "com.acme.Order.total\ncom.acme.Order.<init>\n"
    );
    let again = add(folder.path(), "trace.txt", trace, &list);
    assert_eq!(stdout(&again), "");
    assert!(
        stderr(&again).contains("0 methods added")
            && stderr(&again).contains("2 were on it already"),
        "{}",
        stderr(&again)
    );
    let removed = watch(&["remove", "com.acme.Order.total"], &list);
    assert_eq!(stdout(&removed), "com.acme.Order.total\n");
    assert_eq!(stdout(&watch(&["list"], &list)), "com.acme.Order.<init>\n");
    let removed = watch(&["remove", "com.acme.*"], &list);
    assert_eq!(stdout(&removed), "com.acme.Order.<init>\n");
    let text = assert_one_line(&watch(&["remove", "com.acme.*"], &list), 1);
    assert!(
        text.contains("com.acme.* is not on the watch list"),
        "{text}"
    );
}

#[test]
fn a_text_without_a_stack_trace_is_refused_and_leaves_no_list() {
    let (folder, list) = place();
    let text = assert_one_line(&add(folder.path(), "trace.txt", "all is well\n", &list), 1);
    assert!(text.contains("trace.txt holds no stack trace"), "{text}");
    let jdk = "\tat java.base/java.lang.Thread.run(Thread.java:840)\n";
    let text = assert_one_line(&add(folder.path(), "trace.txt", jdk, &list), 1);
    assert!(text.contains("only methods of the JDK"), "{text}");
    let missing = folder.path().join("nowhere.txt");
    let text = assert_one_line(&watch(&["add", missing.to_str().unwrap()], &list), 1);
    assert!(text.contains("nowhere.txt"), "{text}");
    for words in [&["list"][..], &["remove", "A.f"]] {
        let text = assert_one_line(&watch(words, &list), 1);
        assert!(text.contains("there is no watch list"), "{text}");
    }
    assert!(!list.exists());
}

#[test]
fn malformed_lines_are_told_with_their_place_and_kept() {
    let (folder, list) = place();
    std::fs::write(&list, "A.f\nA.f(int) # mine\nnonsense\n").unwrap();
    let output = watch(&["list"], &list);
    assert_eq!(stdout(&output), "A.f\n");
    let said = stderr(&output);
    assert_eq!(said.lines().count(), 2, "{said}");
    assert!(
        said.contains("watch.txt:2: `A.f(int)` is more than a name"),
        "{said}"
    );
    assert!(
        said.contains("watch.txt:3: `nonsense` has no class"),
        "{said}"
    );
    add(folder.path(), "trace.txt", "at B.g(B.java:1)", &list);
    assert_eq!(
        std::fs::read_to_string(&list)
            .unwrap()
            .lines()
            .take(3)
            .collect::<Vec<_>>(),
        ["A.f", "A.f(int) # mine", "nonsense"]
    );
}

#[test]
fn processes_that_write_one_list_at_the_same_time_lose_nothing() {
    let (folder, list) = place();
    let writers: Vec<_> = (0..12)
        .map(|number| {
            let file = folder.path().join(format!("{number}.txt"));
            std::fs::write(
                &file,
                format!("at W{number}.run(W.java:1)\nat All.run(W.java:2)"),
            )
            .unwrap();
            recrash()
                .args(["watch", "add"])
                .args([&file, &list])
                .stdout(std::process::Stdio::null())
                .stderr(std::process::Stdio::null())
                .spawn()
                .unwrap()
        })
        .collect();
    for mut writer in writers {
        assert!(writer.wait().unwrap().success());
    }
    let listed = stdout(&watch(&["list"], &list));
    assert_eq!(listed.lines().count(), 13, "{listed}");
}

#[test]
fn a_list_that_cannot_be_made_is_refused_before_the_program_starts() {
    let (folder, list) = place();
    std::fs::create_dir(&list).unwrap();
    let nowhere = folder.path().join("no/folder/watch.txt");
    for (list, why) in [(&list, "Is a directory"), (&nowhere, "No such file")] {
        let list = list.to_str().unwrap();
        let out = folder.path().join("out");
        let output = run([
            "run",
            "--second-chance",
            list,
            "--out",
            out.to_str().unwrap(),
            "--",
            "echo",
            "started",
        ]);
        let text = assert_one_line(&output, 1);
        assert!(text.contains(list) && text.contains(why), "{text}");
    }
}

#[test]
fn the_option_of_the_jvm_names_the_list_by_its_whole_path() {
    let (folder, _) = place();
    let output = recrash()
        .args(["agent-path", "--second-chance"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let option = stdout(&output);
    let expected = format!("watch={}/recrash-watch.txt", folder.path().display());
    assert!(option.contains(&expected), "{option}");
}
