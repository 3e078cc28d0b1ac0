//! The classes on the desk are not those that ran.

use crate::trouble::support::{CRASHING, compile, crash, recrash, stderr, stdout};
use std::path::Path;
use std::process::Output;

fn tests_with(class_path: &Path) -> (Output, tempfile::TempDir) {
    let (folder, snapshot) = crash().copy();
    let output = recrash()
        .arg("tests")
        .arg(snapshot)
        .arg("--classpath")
        .arg(class_path)
        .output()
        .unwrap();
    (output, folder)
}

#[test]
fn a_class_path_without_the_frames_class_says_which_and_what_to_do() {
    let empty = tempfile::tempdir().unwrap();
    let (output, folder) = tests_with(empty.path());
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    let text = stdout(&output).replace('\n', " ");
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ");
    assert!(
        text.contains("does not contain Crashing (frame 0)"),
        "{text}"
    );
    assert!(
        text.contains("pass the jar that ran with --classpath"),
        "{text}"
    );
    assert!(folder.path().join("crash/verdicts.json").is_file());
    assert_eq!(stderr(&output), "");
}

#[test]
fn a_class_path_entry_that_is_gone_is_named() {
    let (output, _folder) = tests_with(Path::new("/nowhere/app.jar"));
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(
        stdout(&output).contains("/nowhere/app.jar"),
        "{}",
        stdout(&output)
    );
}

#[test]
fn a_broken_jar_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let jar = folder.path().join("app.jar");
    std::fs::write(&jar, "no jar").unwrap();
    let (output, _folder) = tests_with(&jar);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(stdout(&output).contains("app.jar"), "{}", stdout(&output));
}

#[test]
fn another_version_of_the_class_is_noted() {
    let other = tempfile::tempdir().unwrap();
    compile(
        other.path(),
        "Crashing",
        &CRASHING.replace("to standard output", "to somewhere else"),
    );
    let (output, _folder) = tests_with(other.path());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output)
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    assert!(text.contains("differs from the class that ran"), "{text}");
}

#[test]
fn a_fixed_version_of_the_class_no_longer_reproduces() {
    let fixed = tempfile::tempdir().unwrap();
    compile(
        fixed.path(),
        "Crashing",
        &CRASHING.replace("copy[index]", "copy[index % 3]"),
    );
    let (output, folder) = tests_with(fixed.path());
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(stdout(&output).contains("passes"), "{}", stdout(&output));
    let left: Vec<_> = crate::trouble::support::files(&folder.path().join("crash"));
    assert!(
        left.iter()
            .all(|path| path.extension().is_none_or(|extension| extension != "java")),
        "{left:?}"
    );
}

#[test]
fn a_class_inside_a_jar_inside_the_jar_is_found() {
    use std::io::Write;
    let jar = |files: &[(&str, &[u8])]| {
        let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        for (name, bytes) in files {
            let options = zip::write::SimpleFileOptions::default();
            writer.start_file(*name, options).unwrap();
            writer.write_all(bytes).unwrap();
        }
        writer.finish().unwrap().into_inner()
    };
    let program = tempfile::tempdir().unwrap();
    compile(program.path(), "Crashing", CRASHING);
    let class = std::fs::read(program.path().join("Crashing.class")).unwrap();
    let inner = jar(&[("Crashing.class", &class)]);
    let app = program.path().join("app.jar");
    std::fs::write(&app, jar(&[("BOOT-INF/lib/inner.jar", &inner)])).unwrap();
    let (output, folder) = tests_with(&app);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(
        stdout(&output).contains("reproduced"),
        "{}",
        stdout(&output)
    );
    let unpacked = crate::trouble::support::files(folder.path())
        .into_iter()
        .find(|path| path.to_string_lossy().contains("app.jar-"));
    assert!(unpacked.unwrap().join("BOOT-INF/lib/inner.jar").is_file());
}
