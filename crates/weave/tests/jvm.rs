//! The JVM's verifier judges woven jars: whatever it accepted before, it accepts after.

mod support;

use std::path::Path;
use std::process::Command;

use recrash_classfile::{Budget, read_entries};
use recrash_javabuild::Jdk;
use recrash_weave::Policy;
use support::{compile, java, jdks, run, sources, stub, subjects, weave_all, write_jar};

struct Court<'j> {
    jdk: &'j Jdk,
    stub: std::path::PathBuf,
    judge: std::path::PathBuf,
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
    fn judge(&self, jar: &Path, others: &[std::path::PathBuf]) -> String {
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
fn every_class_of_every_subject_still_links_when_woven() {
    let subjects = subjects();
    for jdk in jdks() {
        let folder = tempfile::tempdir().unwrap();
        let court = Court::new(&jdk, folder.path());
        for subject in &subjects {
            let mut entries = read_entries(subject, Budget::default(), |_| true).unwrap();
            let sites = weave_all(&mut entries, &Policy::everything());
            let woven = folder.path().join("woven.jar");
            write_jar(&entries, &woven);
            let (before, after) = (
                court.judge(subject, &subjects),
                court.judge(&woven, &subjects),
            );
            assert_eq!(
                after,
                before,
                "{} with {} sites",
                subject.display(),
                sites.len()
            );
        }
    }
}
