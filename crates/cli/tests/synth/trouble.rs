//! Input that does not fit, is not whole, or is none: clear words, and the documented exit status.

use super::{Reproduced, Subject, jdk, said};
use std::path::Path;
use std::process::Command;

#[test]
fn a_class_path_that_does_not_fit_is_told_before_anything_is_searched() {
    let bank = Subject::bank();
    let refused = |trace: &str, words: &str| {
        let output = bank.synth(trace, &["--classpath", "classes"]);
        let text = said(&output);
        assert_eq!(output.status.code(), Some(3), "{text}");
        assert!(text.contains("the class path does not fit"), "{text}");
        assert!(text.contains(words), "{text}");
        assert!(text.contains("0 programs"), "{text}");
    };
    let head = "java.lang.IllegalStateException\n";
    refused(
        &format!("{head}\tat bank.Account.kind(Account.java:7)\n"),
        "no code on that line, but on ",
    );
    refused(
        &format!("{head}\tat bank.Account.close(Account.java:7)\n"),
        "the class has no such method",
    );
    refused(
        &format!("{head}\tat bank.Branch.open(Branch.java:7)\n"),
        "the class is not on the class path",
    );
}

/// The method is only reached through the one that does not fit.
#[test]
fn a_frame_that_does_not_fit_is_never_reproduced() {
    let bank = Subject::bank();
    let (trace, frames) = bank.traces().swap_remove(0);
    let (before, _) = trace.trim_end().rsplit_once(':').unwrap();
    let output = bank.synth(
        &format!("{before}:1)\n"),
        &["--classpath", "classes", "--json"],
    );
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let test = Reproduced::of(&output);
    assert!(test.source.contains(".perMonth("), "{}", test.source);
    assert_eq!((test.level, frames), (1, 2));
}

#[test]
fn bad_input_is_one_line() {
    let bank = Subject::bank();
    let refused = |trace: &str, class_path: &str, words: &str| {
        let output = bank.synth(trace, &["--classpath", class_path]);
        let text = said(&output);
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert_eq!(text.lines().count(), 1, "{text}");
        assert!(
            text.starts_with("recrash: ") && text.contains(words),
            "{text}"
        );
    };
    let (trace, _) = bank.traces().swap_remove(0);
    refused("it does not work\n", "classes", "holds no stack trace");
    for (foreign, language) in [
        (
            "Traceback (most recent call last):\n  File \"a.py\", line 3, in f\n",
            "Python",
        ),
        (
            "panic: runtime error: index out of range\n\ngoroutine 1 [running]:\nmain.main()\n\t/srv/main.go:3 +0x1d\n",
            "Go",
        ),
        (
            "TypeError: x is undefined\n    at Shop.open (/srv/shop.js:10:5)\n    at /srv/main.js:1:2\n",
            "JavaScript",
        ),
        (
            "System.NullReferenceException: no\n   at Acme.Shop.Open(String name) in C:\\Shop.cs:line 12\n   at Acme.Main.Run()\n",
            ".NET",
        ),
    ] {
        refused(foreign, "classes", &format!("a stack trace of {language}"));
    }
    refused(&trace, "nowhere.jar", "nowhere.jar does not exist");
    refused(&trace, "trace.txt", "trace.txt");
}

/// A program of two packages, of which the jar has one: the other is a library's.
struct Till {
    subject: Subject,
}

impl Till {
    const SOURCE: &str = "package till;\npublic class Till extends org.acme.devices.Device {\n    public int sum(String text) {\n        return text.length();\n    }\n}\nclass Shelf {\n    static int count(org.acme.devices.Device device) { return device.hashCode(); }\n}\n";
    const LIBRARY: &str =
        "package org.acme.devices;\npublic class Device {\n    protected int state;\n}\n";
    const TRACE: &str = "java.lang.NullPointerException\n\tat till.Till.sum(Till.java:4)\n";

    fn new() -> Till {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), "src/till/Till.java", Till::SOURCE);
        write(
            folder.path(),
            "src/org/acme/devices/Device.java",
            Till::LIBRARY,
        );
        let subject = Subject {
            folder,
            class: "till.Till",
            source: Vec::new(),
        };
        let till = Till { subject };
        let sources = ["src/till/Till.java", "src/org/acme/devices/Device.java"];
        till.run("javac", &[&["-g", "-d", "classes"], &sources[..]].concat());
        till
    }

    fn path(&self) -> &Path {
        self.subject.folder.path()
    }

    fn run(&self, tool: &str, arguments: &[&str]) {
        let done = Command::new(jdk().home.join("bin").join(tool))
            .args(arguments)
            .current_dir(self.path())
            .output()
            .unwrap();
        assert!(done.status.success(), "{}", said(&done));
    }

    /// What is said of a trace that is not reproduced.
    fn missed(&self, trace: &str, class_path: &str) -> String {
        let options = ["--classpath", class_path, "--budget", "3"];
        let output = self.subject.synth(trace, &options);
        assert_eq!(output.status.code(), Some(3), "{}", said(&output));
        said(&output)
    }
}

fn write(folder: &Path, name: &str, text: impl AsRef<[u8]>) {
    let file = folder.join(name);
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(file, text).unwrap();
}

#[test]
fn the_artifact_of_a_missing_class_is_named_where_the_jar_tells() {
    let till = Till::new();
    let pom = "<project><dependencies><dependency><groupId>org.slf4j</groupId><artifactId>slf4j-api</artifactId></dependency><dependency><groupId>org.acme</groupId><artifactId>acme-devices</artifactId><version>2.1</version></dependency></dependencies></project>";
    write(till.path(), "classes/META-INF/maven/shop/till/pom.xml", pom);
    let jar = ["--create", "--file", "till.jar", "-C", "classes"];
    till.run(
        "jar",
        &[&jar[..], &["till", "-C", "classes", "META-INF"]].concat(),
    );
    let words = "it may be in org.acme:acme-devices:2.1, which the pom.xml of till.jar names";
    // Its superclass is missing.
    let text = till.missed(Till::TRACE, "till.jar");
    let note = format!(
        "note: org.acme.devices.Device, which programs needed, is not on the class path; {words}"
    );
    assert!(text.contains("a class could not be loaded: "), "{text}");
    assert!(text.contains(&note), "{text}");
    // So is a parameter's class.
    let text = till.missed(
        "java.lang.NullPointerException\n\tat till.Shelf.count(Till.java:8)\n",
        "till.jar",
    );
    let note = format!(
        "note: org.acme.devices.Device, which till.Shelf.count(Till.java:8) takes or gives, is not on the class path; {words}"
    );
    assert!(text.contains(&note), "{text}");
    // It is itself what threw.
    let text = till.missed(
        "java.lang.IllegalStateException\n\tat org.acme.devices.Device.open(Device.java:7)\n",
        "till.jar",
    );
    assert!(
        text.contains("does not fit") && text.contains(words),
        "{text}"
    );

    write(
        till.path(),
        "manifest",
        "Class-Path: lib/log.jar lib/devices-2.1.jar\n",
    );
    till.run(
        "jar",
        &[
            "--create",
            "--file",
            "bare.jar",
            "--manifest",
            "manifest",
            "-C",
            "classes",
            "till",
        ],
    );
    let text = till.missed(Till::TRACE, "bare.jar");
    let words = "it may be in lib/devices-2.1.jar, which the manifest of bare.jar names and which does not exist";
    assert!(text.contains(words), "{text}");

    till.run(
        "jar",
        &["--create", "--file", "bare.jar", "-C", "classes", "till"],
    );
    let text = till.missed(Till::TRACE, "bare.jar");
    let words = "pass the jar with the package org.acme.devices with --classpath, too";
    assert!(text.contains(words), "{text}");
}

#[test]
fn obfuscated_names_are_told() {
    let till = Till::new();
    let words = "the names look obfuscated (ProGuard, R8)";
    for frame in ["a.b.c.a(Unknown Source)", "till.Till.a(SourceFile:12)"] {
        let trace = format!("java.lang.NullPointerException\n\tat {frame}\n");
        let text = till.missed(&trace, "classes");
        assert!(
            text.contains(words) && text.contains("0 programs"),
            "{text}"
        );
    }
    let text = till.missed(
        "java.lang.NullPointerException\n\tat till.Shop.open(Unknown Source)\n",
        "classes",
    );
    assert!(!text.contains(words), "{text}");
}

#[test]
fn two_versions_of_a_class_are_told() {
    let till = Till::new();
    let copied = |folder: &str| {
        let class = std::fs::read(till.path().join("classes/till/Till.class")).unwrap();
        write(till.path(), &format!("{folder}/till/Till.class"), class);
    };
    copied("same");
    let other = Till::SOURCE.replace("return", "\n\n\n\nreturn");
    write(till.path(), "src/till/Till.java", other);
    let sources = ["src/till/Till.java", "src/org/acme/devices/Device.java"];
    till.run("javac", &[&["-g", "-d", "newer"], &sources[..]].concat());
    let text = till.missed(Till::TRACE, "newer:same:classes");
    assert!(text.contains("no code on that line"), "{text}");
    let place = |folder: &str| {
        let folder = till.path().join(folder).canonicalize().unwrap();
        folder.display().to_string()
    };
    let words = format!(
        "note: till.Till of {} is taken; there are other versions of it in {}, {}\n",
        place("newer"),
        place("same"),
        place("classes")
    );
    assert!(text.contains(&words), "{text}");

    let options = ["--classpath", "same:classes", "--budget", "60"];
    let output = till.subject.synth(Till::TRACE, &options);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(!said(&output).contains("note:"), "{}", said(&output));
}

#[test]
fn class_files_that_cannot_be_read_or_run_are_told() {
    let till = Till::new();
    let file = till.path().join("classes/till/Till.class");
    let whole = std::fs::read(&file).unwrap();
    let said_of = |bytes: &[u8]| {
        std::fs::write(&file, bytes).unwrap();
        till.missed(Till::TRACE, "classes")
    };
    let mut newer = whole.clone();
    newer[7] = 70;
    let text = said_of(&newer);
    let words = "the class cannot be read: class file version 70 is not one of 45 to 69";
    assert!(
        text.contains(words) && text.contains("0 programs"),
        "{text}"
    );
    let text = said_of(&whole[..whole.len() / 2]);
    assert!(text.contains("the class cannot be read: "), "{text}");

    let home = jdk().home.display().to_string();
    newer[7] = 69;
    std::fs::write(&file, &newer).unwrap();
    let options = ["--classpath", "classes", "--budget", "3", "--jdk", &home];
    let text = said(&till.subject.synth(Till::TRACE, &options));
    if jdk().version.feature < 25 {
        let words = "till.Till is compiled for Java 25, and ";
        assert!(text.contains(words) && text.contains("--jdk"), "{text}");
    }
}
