//! Programs of `tests/recorded` run with and without a recording: they do the same, and the events that their comments
//! name are told in that order. Of `event` a beginning is enough.

use crate::world;

use recrash_javabuild::{Compilation, Jdk};
use recrash_recording::{End, EventKind, Limits, Recording, read, read_file};
use recrash_report::recording;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use world::{command, jdks, library};

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recorded")
}

fn classes() -> PathBuf {
    static CLASSES: OnceLock<TempDir> = OnceLock::new();
    let folder = CLASSES.get_or_init(|| {
        let folder = TempDir::new().unwrap();
        let compilation = Compilation {
            sources: &sources(),
            classes: folder.path(),
            flags: &["-g", "--release", "11"],
            class_path: &libraries(),
        };
        compilation.run(&Jdk::find().unwrap()).unwrap();
        folder
    });
    folder.path().to_owned()
}

fn libraries() -> Vec<PathBuf> {
    let dependencies = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.deps");
    ["junit4.jar", "hamcrest-core.jar"]
        .map(|jar| dependencies.join(jar))
        .to_vec()
}

fn class_path() -> String {
    let all = std::iter::once(classes()).chain(libraries());
    let all: Vec<String> = all.map(|path| path.display().to_string()).collect();
    all.join(":")
}

/// What the comments of a program say.
struct Expected {
    exit: i32,
    flags: Vec<String>,
    /// The class that is run and its arguments.
    main: Vec<String>,
    events: Vec<String>,
    failure: Option<String>,
}

fn expected(name: &str) -> Expected {
    let source = fs::read_to_string(sources().join(format!("{name}.java"))).unwrap();
    let comments: Vec<&str> = source
        .lines()
        .map_while(|line| line.strip_prefix("// "))
        .collect();
    let all = |kind: &str| -> Vec<String> {
        let told = comments.iter().filter_map(|line| line.strip_prefix(kind));
        told.map(str::to_owned).collect()
    };
    Expected {
        exit: all("exit ")[0].parse().unwrap(),
        flags: all("flags "),
        main: match all("main ").pop() {
            Some(main) => main.split(' ').map(str::to_owned).collect(),
            None => vec![name.to_owned()],
        },
        events: all("event "),
        failure: all("failure ").pop(),
    }
}

struct Recorded {
    output: Output,
    messages: String,
    recording: Recording,
    bytes: Vec<u8>,
}

fn agent(folder: &Path, options: &str) -> String {
    let place = folder.display();
    format!(
        "-agentpath:{}=out={place}/out,log={place}/log,{options}",
        library().display()
    )
}

fn the_recording(folder: &Path) -> PathBuf {
    let all = fs::read_dir(folder.join("out")).unwrap();
    let mut all = all.map(|entry| entry.unwrap().path());
    all.find(|path| path.extension().is_some_and(|end| end == "recording"))
        .unwrap()
}

fn run(jdk: &Jdk, name: &str, flags: &[&str], options: &str) -> Recorded {
    let folder = TempDir::new().unwrap();
    let mut command = command(jdk);
    command.arg(agent(folder.path(), options));
    command.args(flags).args(&expected(name).flags);
    command.arg("-cp").arg(class_path());
    let output = command.args(expected(name).main).output().unwrap();
    let messages = fs::read_to_string(folder.path().join("log")).unwrap_or_default();
    let bytes = fs::read(the_recording(folder.path())).unwrap();
    let recording = read(&bytes, Limits::default()).unwrap();
    Recorded {
        output,
        messages,
        recording,
        bytes,
    }
}

fn plain(jdk: &Jdk, name: &str, flags: &[&str]) -> Output {
    let mut command = command(jdk);
    command.args(flags).args(&expected(name).flags);
    command.arg("-cp").arg(class_path());
    command.args(expected(name).main).output().unwrap()
}

/// The events as people read them, without the numbers that depend on others.
fn told(recording: &Recording) -> Vec<String> {
    let text = self::recording(recording, true);
    let events = text.rsplit("\n\n").next().unwrap();
    events.lines().map(without_numbers).collect()
}

fn without_numbers(line: &str) -> String {
    let line = line.trim_start();
    let line = line.split_once("  ").map_or(line, |(_, told)| told);
    let mut words: Vec<String> = Vec::new();
    let mut rest = line.split(' ').peekable();
    while let Some(word) = rest.next() {
        if word == "from" || word == "out" {
            // "return from 7", "throw out of 7"
            while rest.next_if(|next| next.parse::<u32>().is_err()).is_some() {}
            rest.next();
            continue;
        }
        words.push(word.to_owned());
    }
    words.join(" ")
}

fn in_order(told: &[String], expected: &[String]) -> Result<(), String> {
    let mut rest = told.iter();
    for wanted in expected {
        // Lines of source stand behind what is expected.
        if !rest.any(|line| line.starts_with(wanted.as_str())) {
            return Err(format!(
                "{wanted}\nis not in its place among\n{}",
                told.join("\n")
            ));
        }
    }
    Ok(())
}

#[test]
fn what_crosses_is_told_and_nothing_else_changes() {
    for jdk in jdks() {
        for name in ["Crossing", "Mediated", "Asking"] {
            let expected = expected(name);
            let flags = ["-Xverify:all", "-Xint"];
            let plain = plain(&jdk, name, &flags);
            let run = run(&jdk, name, &flags, "record=");
            let place = format!("{name} {} {}", jdk.home().display(), run.messages);
            assert_eq!(run.output.status.code(), Some(expected.exit), "{place}");
            assert_eq!(run.output.stdout, plain.stdout, "{place}");
            assert_eq!(run.output.stderr, plain.stderr, "{place}");
            in_order(&told(&run.recording), &expected.events).unwrap_or_else(|why| panic!("{why}"));
            let text = recording(&run.recording, false);
            match expected.failure {
                Some(failure) => assert!(text.contains(&failure), "{text}"),
                None => assert!(text.contains("no failure"), "{text}"),
            }
            assert_eq!(run.recording.end, End::Whole { dropped: 0 }, "{place}");
        }
    }
}

#[test]
fn a_failing_test_is_recorded_without_its_runner() {
    let expected = expected("ShelfTest");
    let run = run(&jdks()[0], "ShelfTest", &[], "record=");
    assert_eq!(run.output.status.code(), Some(expected.exit));
    let told = told(&run.recording);
    in_order(&told, &expected.events).unwrap_or_else(|why| panic!("{why}"));
    assert!(!told.iter().any(|line| line.contains("org.junit.runner")));
    let text = recording(&run.recording, false);
    assert!(text.contains(&expected.failure.unwrap()), "{text}");
}

#[test]
fn a_static_initialiser_is_inside_whoever_needs_it_first() {
    let run = run(&jdks()[0], "Asking", &[], "record=");
    let told = told(&run.recording);
    assert!(!told.iter().any(|line| line.contains("Word")), "{told:#?}");
}

#[test]
fn threads_share_one_order() {
    for jdk in jdks() {
        let run = run(&jdk, "Threads", &[], "record=");
        let mut next = 0;
        for event in &run.recording.events {
            if let EventKind::Return {
                value:
                    Some(recrash_recording::Value::Primitive(recrash_recording::Primitive::Int(n))),
                ..
            } = event.kind
            {
                next += 1;
                assert!((1..=4101).contains(&n));
            }
        }
        assert_eq!(next, 4101);
        let threads = run.recording.events.iter().map(|event| event.thread);
        let mut threads: Vec<u32> = threads.collect();
        threads.sort_unstable();
        threads.dedup();
        assert_eq!(threads.len(), 105);
    }
}

#[test]
fn objects_are_the_same_ones_after_they_have_moved() {
    for jdk in jdks() {
        for collector in [
            "-XX:+UseSerialGC",
            "-XX:+UseParallelGC",
            "-XX:+UseG1GC",
            "-XX:+UseZGC",
        ] {
            let run = run(&jdk, "Moving", &[collector, "-Xmx64m", "-Xmn4m"], "record=");
            let place = format!("{collector} {} {}", jdk.home().display(), run.messages);
            let text = recording(&run.recording, false);
            assert!(text.contains("11 Place"), "{place}\n{text}");
        }
    }
}

#[test]
fn a_recording_of_a_killed_program_reads() {
    let jdk = &jdks()[0];
    for moment in [1, 20, 90, 250] {
        let folder = TempDir::new().unwrap();
        let mut command = command(jdk);
        command.arg(agent(folder.path(), "record="));
        command.arg("-cp").arg(classes()).arg("Endless");
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let begun = Instant::now();
        let has_begun = || {
            let file = fs::read_dir(folder.path().join("out")).ok()?.next()?.ok()?;
            Some(file.metadata().ok()?.len() > 2000)
        };
        while has_begun() != Some(true) && begun.elapsed() < Duration::from_secs(20) {
            std::thread::yield_now();
        }
        std::thread::sleep(Duration::from_millis(moment));
        child.kill().unwrap();
        child.wait().unwrap();
        let recording = read_file(&the_recording(folder.path()), Limits::default()).unwrap();
        assert_eq!(recording.end, End::Cut);
        assert!(!recording.events.is_empty());
    }
}

#[test]
fn a_full_recording_ends_and_the_program_goes_on() {
    let jdk = &jdks()[0];
    let plain = plain(jdk, "Threads", &[]);
    let run = run(jdk, "Threads", &[], "record=,max-record=25000");
    assert_eq!(run.output.stdout, plain.stdout);
    assert!(run.bytes.len() <= 26_000, "{}", run.bytes.len());
    assert!(
        run.messages.contains("the recording is full"),
        "{}",
        run.messages
    );
    assert!(!run.recording.events.is_empty());
}

#[test]
fn what_is_named_is_the_inside() {
    let run = run(&jdks()[0], "Crossing", &[], "record=Item");
    let text = recording(&run.recording, false);
    assert!(text.contains("Item.<init>()V  at Cart.add"), "{text}");
    assert!(
        !text.contains("Cart.add(Ljava/lang/String;D)LItem;  at"),
        "{text}"
    );
}

#[test]
fn what_must_not_leave_the_program_is_not_in_the_file() {
    let jdk = &jdks()[0];
    let plain = plain(jdk, "Private", &[]);
    let with_secrets = run(jdk, "Private", &[], "record=,privacy=off");
    let run = run(jdk, "Private", &[], "record=");
    assert_eq!(run.output.stdout, plain.stdout);
    let has = |bytes: &[u8], text: &str| {
        let mut places = bytes.windows(text.len());
        places.any(|place| place == text.as_bytes())
    };
    for secret in [
        "Setter-42-secret",
        "Field-43-secret",
        "Header-44-secret",
        "jane.doe@example.org",
        "PROPERTY-is-secret",
    ] {
        assert!(has(&with_secrets.bytes, secret), "{secret}");
        assert!(!has(&run.bytes, secret), "{secret}");
    }
    assert!(has(&run.bytes, "text-is-kept"));
    assert!(has(&run.bytes, "a copy: Xxxxxx-00-xxxxxx"));
}
