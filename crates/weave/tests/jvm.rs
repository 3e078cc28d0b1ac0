//! The JVM's verifier judges woven jars: whatever it accepted before, it accepts after.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use crate::support;

use std::path::{Path, PathBuf};
use std::process::Command;

use recrash_classfile::{Budget, read_entries};
use recrash_javabuild::Jdk;
use recrash_weave::{Past, Policy, Strategy};
use support::{
    compile, java, jdk_classes, jdks, move_apart, read_jar, run, sources, stub, subjects,
    weave_all, write_jar,
};

struct Court<'j> {
    jdk: &'j Jdk,
    stub: PathBuf,
    judge: PathBuf,
}

impl<'j> Court<'j> {
    fn new(jdk: &'j Jdk, folder: &Path) -> Self {
        let judge = sources().join("judge/Judge.java");
        Court {
            jdk,
            stub: stub(jdk, &folder.join("stub")),
            judge: compile(jdk, &folder.join("judge"), &[], &[judge]),
        }
    }

    fn java(&self) -> Command {
        let mut command = java(self.jdk, &self.stub);
        command.args(["-Xmx2g", "-cp"]).arg(&self.judge);
        command
    }

    /// Links the classes of the first jar against all of them.
    fn judge(&self, jar: &Path, others: &[PathBuf]) -> String {
        run(self.java().arg("judge.Judge").arg(jar).args(others)).0
    }
}

#[test]
fn a_broken_class_is_refused_so_the_judge_can_be_trusted() {
    let folder = tempfile::tempdir().unwrap();
    let jdk = &jdks()[0];
    let court = Court::new(jdk, folder.path());
    let classes = compile(
        jdk,
        &folder.path().join("classes"),
        &[],
        &[sources().join("Kinds.java")],
    );
    let mut entries = read_entries(&classes, Budget::default(), |_| true).unwrap();
    let kinds = entries
        .iter_mut()
        .find(|entry| entry.name == "Kinds.class")
        .unwrap();
    // An `ireturn` in place of an `areturn`.
    let at = kinds
        .bytes
        .windows(2)
        .rposition(|pair| pair == [0x2a, 0xb7])
        .unwrap();
    kinds.bytes[at] = 0x01;
    let jar = folder.path().join("broken.jar");
    write_jar(&entries, &jar);
    assert!(court.judge(&jar, &[]).contains("refused 1 "));
}

#[test]
fn every_class_of_every_subject_still_links_when_woven_or_moved_apart() {
    let (subjects, jdks) = (subjects(), jdks());
    std::thread::scope(|scope| {
        for jdk in &jdks {
            scope.spawn(|| links_when_woven(jdk, &subjects));
        }
        // What moves does not depend on the JDK, and verifiers have not changed in this respect: one is enough.
        scope.spawn(|| links_when_moved(&jdks[0], &subjects));
    });
}

fn links_when_woven(jdk: &Jdk, subjects: &[PathBuf]) {
    let folder = tempfile::tempdir().unwrap();
    let court = Court::new(jdk, folder.path());
    let changed = folder.path().join("changed.jar");
    for subject in subjects {
        let mut entries = read_jar(subject);
        let sites = weave_all(&mut entries, &Policy::everything());
        write_jar(&entries, &changed);
        assert_eq!(
            court.judge(&changed, subjects),
            court.judge(subject, subjects),
            "{} with {} sites",
            subject.display(),
            sites.len()
        );
    }
}

fn links_when_moved(jdk: &Jdk, subjects: &[PathBuf]) {
    let folder = tempfile::tempdir().unwrap();
    let court = Court::new(jdk, folder.path());
    let changed = folder.path().join("changed.jar");
    for subject in subjects {
        let before = court.judge(subject, subjects);
        let mut entries = read_jar(subject);
        let sites = weave_all(&mut entries, &copying());
        assert!(
            sites.iter().any(|site| site.past == Past::Copy),
            "{}",
            subject.display()
        );
        write_jar(&entries, &changed);
        let after = court.judge(&changed, subjects);
        assert_eq!(after, before, "{} with copies", subject.display());
        for gives_way in [false, true] {
            let mut entries = read_jar(subject);
            weave_all(&mut entries, &undo(gives_way));
            write_jar(&entries, &changed);
            let after = court.judge(&changed, subjects);
            let place = subject.display();
            assert_eq!(after, before, "{place} with undo, given way: {gives_way}");
        }
        let mut entries = read_jar(subject);
        let moved: usize = entries.iter_mut().map(move_apart).sum();
        write_jar(&entries, &changed);
        let after = court.judge(&changed, subjects);
        assert_eq!(
            after,
            before,
            "{} with {moved} methods moved",
            subject.display()
        );
    }
}

fn undo(gives_way: bool) -> Policy {
    Policy {
        strategy: Strategy::Undo { hot: false },
        gives_way,
        ..Policy::everything()
    }
}

fn copying() -> Policy {
    Policy {
        strategy: "deep+used-fields".parse().unwrap(),
        ..Policy::default()
    }
}

/// Parts of the JDK that say something: the core, a compiler, old and new code, big switches.
const MODULES: [&str; 5] = [
    "java.base",
    "java.xml",
    "java.desktop",
    "jdk.compiler",
    "jdk.jshell",
];

#[test]
fn the_jdk_itself_starts_and_links_when_woven() {
    for jdk in jdks() {
        let folder = tempfile::tempdir().unwrap();
        let court = Court::new(&jdk, folder.path());
        let mut patches = Vec::new();
        for module in MODULES {
            let plain = jdk_classes(&jdk, module, folder.path());
            let mut entries = read_jar(&plain);
            let sites = weave_all(&mut entries, &Policy::everything());
            let woven = folder.path().join(format!("{module}-woven.jar"));
            write_jar(&entries, &woven);
            println!("{module}: {} classes, {} sites", entries.len(), sites.len());
            patches.push((module, plain, woven));
        }
        for (module, plain, _) in &patches {
            let mut before = court.java();
            let before = run(before.args(["-Djudge.jdk=true", "judge.Judge"]).arg(plain)).0;
            let mut after = Command::new(jdk.java());
            after.args([
                "-Xverify:all",
                "-Xlog:disable",
                "-Xlog:all=off",
                "-Drecrash.silent=true",
                "-Xmx2g",
            ]);
            for (patched, _, woven) in &patches {
                let stub = if *patched == "java.base" {
                    format!("{}:", court.stub.display())
                } else {
                    String::new()
                };
                after
                    .arg("--patch-module")
                    .arg(format!("{patched}={stub}{}", woven.display()));
            }
            after
                .arg("-cp")
                .arg(&court.judge)
                .args(["-Djudge.jdk=true", "judge.Judge"])
                .arg(plain);
            assert_eq!(
                run(&mut after).0,
                before,
                "{module} of {}",
                jdk.home().display()
            );
        }
    }
}
