//! `Recrash.capture`: snapshots of a stack that goes on, and tests that reach the point again.

use crate::embedded::support::{
    Layout, api_jar, captured, classes, instrument, java, javac, jdks, recrash, said, text,
};
use recrash_jvm::Jdk;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use tempfile::tempdir;

fn class_path() -> String {
    format!("{}:{}", classes().display(), api_jar())
}

fn run(jdk: &Jdk, folder: &Path, options: &[&str], jvm: &[&str], main: &str) -> Output {
    recrash()
        .arg("run")
        .args(options)
        .arg("--")
        .arg(jdk.java())
        .args(jvm)
        .args(["-cp", &class_path(), main])
        .current_dir(folder)
        .output()
        .unwrap()
}

/// The snapshots of a run, oldest first.
fn snapshots(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = fs::read_dir(folder.join("recrash-out"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "recrash")
        })
        .collect();
    found.sort_by_key(|path| fs::metadata(path).unwrap().modified().unwrap());
    found
}

fn show(snapshot: &Path, frame: &str) -> String {
    let ran = recrash()
        .arg("show")
        .arg(snapshot)
        .args(["--frame", frame])
        .output()
        .unwrap();
    text(&ran.stdout)
}

#[test]
fn without_recrash_nothing_happens() {
    let folder = tempdir().unwrap();
    for jdk in jdks() {
        let ran = java(&jdk, folder.path(), &["-cp", &class_path(), "shop.Till"]);
        assert_eq!(text(&ran.stdout), "-1\ngoes on\n");
        assert_eq!(text(&ran.stderr), "");
        assert!(ran.status.success());
    }
}

#[test]
fn a_point_becomes_tests_that_reach_it_again_and_the_program_goes_on() {
    for jdk in jdks() {
        let folder = tempdir().unwrap();
        // Making the tests takes seconds, and does not hang on the JDK.
        let makes_tests = jdk == jdks()[0];
        let options: &[&str] = if makes_tests { &[] } else { &["--no-tests"] };
        let ran = run(&jdk, folder.path(), options, &[], "shop.Till");
        assert_eq!(text(&ran.stdout), "-1\ngoes on\n");
        assert!(ran.status.success());
        let said = text(&ran.stderr);
        // The label tells the points apart: that of the first does not end tests of the second.
        assert_eq!(
            said.matches("3 of 3 frames reproduce the crash").count(),
            if makes_tests { 3 } else { 0 },
            "{said}"
        );
        let found = snapshots(folder.path());
        assert_eq!(found.len(), 3, "{said}");
        assert_eq!(
            captured(&found[1]),
            ["shop.Till.check", "shop.Till.add", "shop.Till.main"]
        );
        let add = show(&found[1], "1");
        for value in [
            "price = 3",
            "weight = 1099511627778",
            "factor = 1.0",
            "discount = 2.5",
            "name = \"line 2\"",
            "total = 6",
        ] {
            assert!(add.contains(value), "{value}: {add}");
        }
        assert_eq!(
            captured(&found[2]),
            ["shop.Till.number", "shop.Till.parse", "shop.Till.main"]
        );
    }
}

#[test]
fn a_test_that_does_not_reach_the_point_passes() {
    let folder = tempdir().unwrap();
    let jdk = &jdks()[0];
    run(jdk, folder.path(), &["--no-tests"], &[], "shop.Till");
    let other = folder.path().join("other");
    fs::create_dir(&other).unwrap();
    let source = "package shop; public class Till { static int parse(String t) { return 0; }
        private static int number(String t) { return 0; }
        void add(int p, long w, double f, float d, String n) { check(n, w, f, d); }
        private void check(String n, long w, double f, float d) { recrash.Recrash.capture(\"elsewhere\"); }
        public static void main(String[] args) {} }";
    fs::write(other.join("Till.java"), source).unwrap();
    javac(jdk, &[api_jar().into()], &other, [other.join("Till.java")]);
    let ran = recrash()
        .arg("tests")
        .arg(&snapshots(folder.path())[1])
        .arg("--classpath")
        .arg(format!("{}:{}", other.display(), api_jar()))
        .output()
        .unwrap();
    assert_eq!(ran.status.code(), Some(3));
    let table = text(&ran.stdout)
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    let reason = "the method returned without reaching the capture point \"total differs\"";
    assert!(table.contains(reason), "{table}");
}

#[test]
fn compiled_frames_are_read_exactly() {
    for jdk in jdks() {
        let folder = tempdir().unwrap();
        let jvm = [
            "-XX:CompileCommand=quiet",
            "-XX:CompileCommand=dontinline,shop.Hot::tell",
        ];
        let options = ["--no-tests", "--repeat"];
        run(&jdk, folder.path(), &options, &jvm, "shop.Hot");
        let found = snapshots(folder.path());
        assert_eq!(found.len(), 4);
        let inner = show(&found[3], "1");
        for value in [
            "x = 300000",
            "y = 8590834592",
            "z = 150000.0",
            "  i = 300000",
            "l = 8590834592",
            "d = 150000.0",
            "f = 75000.0",
        ] {
            assert!(
                inner.contains(value),
                "JDK {}, {value}: {inner}",
                jdk.version.text
            );
        }
    }
}

#[test]
fn instrumented_programs_capture_their_points_too() {
    let folder = tempdir().unwrap();
    let jar = Layout::default()
        .with_manifest("Main-Class: shop.Till\r\n")
        .with_classes("", &["Till"])
        .with_unpacked(Path::new(&api_jar()))
        .write(&folder.path().join("till.jar"));
    instrument(&jar, &folder.path().join("monitored.jar"));
    for jdk in jdks() {
        let here = tempdir().unwrap();
        let monitored = folder.path().join("monitored.jar").display().to_string();
        let ran = java(&jdk, here.path(), &["-jar", &monitored]);
        assert_eq!(text(&ran.stdout), "-1\ngoes on\n");
        assert_eq!(said(&ran).0, "");
        let found = snapshots(here.path());
        assert_eq!(
            captured(&found[1]),
            ["shop.Till.check", "shop.Till.add", "shop.Till.main"]
        );
    }
}
