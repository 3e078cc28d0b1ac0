//! Each program of `tests/programs` fails in its own way; its snapshots say what its comments say.

use crate::world;

use world::{Program, jdks, run};

#[test]
fn every_program_is_captured_as_its_comments_say() {
    for jdk in jdks() {
        for program in Program::all() {
            if !program.has_fixed_snapshots() || !program.runs_in(&jdk) {
                continue;
            }
            let run = run(&jdk, &program, &[], "");
            let place = format!(
                "{} in {}\n{}{}",
                program.name,
                jdk.home().display(),
                run.messages,
                run.stderr()
            );
            let (found, expected) = (run.told(&program), program.snapshots.concat());
            assert_eq!(found.concat(), expected, "{place}");
            assert_eq!(run.status(), Some(program.exit), "{place}");
            // What a future kept is captured, and again when it ends a thread that asks for it.
            let replaced = run.messages.matches(" (instead of ").count();
            let said = run.messages.lines().count() - replaced;
            assert_eq!(said, found.len(), "{place}");
        }
    }
}

#[test]
fn a_stack_overflow_keeps_both_ends_of_the_stack() {
    for jdk in jdks() {
        let run = run(
            &jdk,
            &Program::named("Overflow"),
            &["-Xss32m", "-XX:TieredStopAtLevel=1"],
            "",
        );
        let snapshots = run.snapshots();
        let manifest = &snapshots[0].manifest;
        assert_eq!(manifest.throwables[0].class, "java.lang.StackOverflowError");
        assert!(manifest.frames_total > 100_000, "{}", manifest.frames_total);
        assert_eq!(manifest.frames.len(), 100);
        let main = manifest.frames.last().unwrap();
        assert_eq!(main.element.method, "main");
        assert!(main.captured.is_some());
        let first_call = manifest.frames[98].captured.as_ref().unwrap();
        assert_eq!(world::arguments(&snapshots[0], first_call), ["0", "\"x\""]);
    }
}

#[test]
fn threads_that_fail_together_are_captured_one_after_the_other() {
    for jdk in jdks() {
        let run = run(&jdk, &Program::named("Crowd"), &[], "");
        let mut classes: Vec<String> = run
            .snapshots()
            .iter()
            .map(|snapshot| snapshot.manifest.throwables[0].class.clone())
            .collect();
        classes.sort();
        classes.dedup();
        assert_eq!(classes.len(), 8, "{}", run.messages);
    }
}

#[test]
fn the_same_failure_again_is_captured_only_on_request() {
    let jdk = &jdks()[0];
    let twice = run(jdk, &Program::named("TwoFailures"), &[], "repeat=1");
    assert_eq!(twice.snapshots().len(), 4, "{}", twice.messages);
}

#[test]
fn forgotten_exceptions_do_not_keep_their_arguments() {
    for jdk in jdks() {
        let program = Program::named("Forgotten");
        let run = run(&jdk, &program, &[], "");
        let expected = "an exception is forgotten\none without a stack trace is forgotten\n\
                        one out of constructors is forgotten\n";
        assert_eq!(run.stdout(), expected, "{}", jdk.home().display());
        assert_eq!(run.status(), Some(0));
    }
}

#[test]
fn classes_made_at_run_time_travel_with_the_snapshot_as_they_were_made() {
    for jdk in jdks() {
        let run = run(&jdk, &Program::named("Tailor"), &[], "");
        let classes = &run.snapshots()[0].classes;
        let names: Vec<&str> = classes.iter().map(|class| class.name.as_str()).collect();
        assert_eq!(names, ["TailoredCloth", "TailoredSuit"]);
        for class in classes {
            let template = class.name.replace("Tailored", "Template");
            let file = world::classes().join(format!("classes/{template}.class"));
            let bytes = std::fs::read(file).unwrap();
            assert_eq!(class.bytes.len(), bytes.len(), "{template} is not woven");
        }
    }
}

#[test]
fn the_environment_label_and_session_are_recorded() {
    for jdk in jdks() {
        let flags = [
            "-Dgreeting=good day",
            "-Duser.language=de",
            "-Duser.country=CH",
            "-Xmx123m",
        ];
        let run = run(
            &jdk,
            &Program::named("NpeInMain"),
            &flags,
            "label=v%2C1,session=s7",
        );
        let snapshots = run.snapshots();
        let manifest = &snapshots[0].manifest;
        assert_eq!(manifest.label.as_deref(), Some("v,1"));
        assert_eq!(manifest.session.as_deref(), Some("s7"));
        let environment = &manifest.environment;
        assert_eq!(environment.locale, "de-CH");
        assert!(environment.jvm_arguments.contains(&"-Xmx123m".to_owned()));
        assert!(
            !environment
                .jvm_arguments
                .iter()
                .any(|argument| argument.contains("agentpath"))
        );
        assert!(
            environment
                .system_properties
                .contains(&("greeting".to_owned(), "good day".to_owned()))
        );
        assert_eq!(
            environment.class_path,
            [world::classes().join("classes").display().to_string()]
        );
        assert_eq!(environment.java_home, jdk.home().display().to_string());
        let captured = manifest.frames[0].captured.as_ref().unwrap();
        assert!(
            captured.source.as_ref().unwrap().ends_with("/classes/"),
            "{:?}",
            captured.source
        );
        assert_eq!(captured.patches[0].field, "name");
    }
}
