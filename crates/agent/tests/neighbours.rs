//! The program does not notice the agent, and other agents, collectors and modes of the JVM do not disturb it.

use crate::world;

use std::path::{Path, PathBuf};
use world::{Program, feature, jdks, plain, run, text};

#[test]
fn output_and_exit_status_are_those_of_the_plain_run() {
    for jdk in jdks() {
        for program in Program::all() {
            if program.name == "Waiting" || !program.runs_in(&jdk) {
                continue;
            }
            let plain = plain(&jdk, &program);
            let run = run(&jdk, &program, &[], "");
            let place = format!(
                "{} in {}: {}",
                program.name,
                jdk.home().display(),
                run.messages
            );
            assert_eq!(run.status(), plain.status.code(), "{place}");
            assert_eq!(sorted(&run.output.stdout), sorted(&plain.stdout), "{place}");
            // Threads that fail together tear each other's lines apart, and how deep a stack goes varies.
            if program.name != "Crowd" && !program.name.starts_with("Overflow") {
                assert_eq!(sorted(&run.output.stderr), sorted(&plain.stderr), "{place}");
            }
        }
    }
}

/// A method that the JIT compiler gives up on would be interpreted for ever.
#[test]
fn woven_methods_are_compiled_like_others() {
    let flags = ["-Xcomp", "-XX:TieredStopAtLevel=1", "-XX:+PrintCompilation"];
    for jdk in jdks() {
        for name in ["Constructors", "Finally", "Recursion"] {
            let run = run(&jdk, &Program::named(name), &flags, "");
            let output = run.stdout();
            let home = jdk.home().display();
            assert!(
                output.contains(&format!("{name}::")),
                "{name} in {home}: {output}"
            );
            assert!(
                !output.contains("COMPILE SKIPPED"),
                "{name} in {home}: {output}"
            );
        }
    }
}

/// Threads print in any order.
fn sorted(bytes: &[u8]) -> Vec<String> {
    let mut lines: Vec<String> = String::from_utf8_lossy(bytes)
        .lines()
        .map(str::to_owned)
        .collect();
    lines.sort();
    lines
}

fn jacoco() -> PathBuf {
    let jar = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.deps/jacocoagent.jar");
    assert!(
        jar.is_file(),
        "{} is missing; run ./x test, which fetches it",
        jar.display()
    );
    jar
}

#[test]
fn the_jacoco_agent_may_stand_before_or_behind() {
    let folder = tempfile::TempDir::new().unwrap();
    let jacoco = format!(
        "-javaagent:{}=destfile={}/exec",
        jacoco().display(),
        folder.path().display()
    );
    for jdk in jdks() {
        for flags in [[jacoco.as_str(), "AGENT"], ["AGENT", jacoco.as_str()]] {
            for name in ["NpeInMain", "Constructors", "Recursion"] {
                let program = Program::named(name);
                let mut all = vec!["-Xverify:all"];
                all.extend(flags);
                let run = run(&jdk, &program, &all, "");
                let place = format!(
                    "{name} in {} with {flags:?}\n{}{}",
                    jdk.home().display(),
                    run.messages,
                    run.stderr()
                );
                let (found, expected) = (run.told(&program), program.snapshots.concat());
                assert_eq!(found.concat(), expected, "{place}");
                let coverage = std::fs::read(folder.path().join("exec")).unwrap();
                assert!(String::from_utf8_lossy(&coverage).contains(name), "{place}");
            }
        }
    }
}

#[test]
fn every_collector_and_mode_of_the_jvm_will_do() {
    let modes = [
        "-XX:+UseSerialGC",
        "-XX:+UseParallelGC",
        "-XX:+UseZGC",
        "-Xshare:off",
        "-Xint",
        "-Xcomp",
        "-XX:-UseCompressedOops",
        "-Xcheck:jni",
    ];
    for jdk in jdks() {
        let newer = (feature(&jdk) >= 25).then_some("-XX:+UseCompactObjectHeaders");
        for mode in modes.into_iter().chain(newer) {
            for name in ["NpeInMain", "OutOfMemory", "ExecutorTask"] {
                let program = Program::named(name);
                let run = run(&jdk, &program, &[mode], "");
                let expected = program.snapshots.concat();
                let found: String = run
                    .snapshots()
                    .iter()
                    .map(|snapshot| text(snapshot, &expected))
                    .collect();
                assert_eq!(
                    found,
                    expected,
                    "{name} in {} with {mode}\n{}{}{}",
                    jdk.home().display(),
                    run.messages,
                    run.stderr(),
                    run.stdout()
                );
            }
        }
    }
}

#[test]
fn only_included_classes_are_woven() {
    let jdk = &jdks()[0];
    let run = run(jdk, &Program::named("NpeInMain"), &[], "exclude=Npe*");
    assert!(run.snapshots().is_empty());
    assert!(
        run.messages.contains("no monitored method"),
        "{}",
        run.messages
    );
    assert_eq!(run.status(), Some(1));
}

#[test]
fn a_method_that_is_excluded_is_left_alone_and_the_others_are_woven() {
    let jdk = &jdks()[0];
    let program = Program::named("Recursion");
    let all = run(jdk, &program, &[], "");
    let some = run(jdk, &program, &[], "exclude=Recursion%23main");
    let captured = |run: &world::Run| {
        let frames = run.snapshots()[0].manifest.frames.clone();
        let captured = frames.into_iter().filter(|frame| frame.captured.is_some());
        captured
            .map(|frame| frame.element.method)
            .collect::<Vec<_>>()
    };
    let mut expected = captured(&all);
    assert!(expected.contains(&"main".to_owned()), "{expected:?}");
    expected.retain(|method| method != "main");
    assert_eq!(captured(&some), expected);
}
