//! Second chance with the real binary: nothing is watched until something fails, in no process that shares the list, and
//! what is then watched is captured without a restart.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test ends at the first surprise"
)]

mod support;

use std::io::Write;
use std::path::PathBuf;
use std::process::Stdio;
use support::{Place, Server, jdks, recrash, text};

const METHODS: [&str; 3] = ["Bill.perGuest", "Shop.answer", "Request.run"];
const FRAMES: [&str; 3] = ["perGuest", "answer", "run"];

#[test]
fn a_server_that_fails_twice_is_captured_at_the_second_failure_without_a_restart() {
    for jdk in jdks() {
        let place = Place::of_shop(jdk);
        let server = Server::start(&place, "out", &[]);
        assert_eq!(server.ask("3000 4"), "750 each");
        assert_eq!(place.listed(), Vec::<String>::new());
        assert_eq!(server.ask("1250 0"), "sorry");
        assert_eq!(place.listed(), METHODS);
        assert_eq!(place.snapshots("out"), Vec::<PathBuf>::new());
        assert_eq!(server.ask("900 3"), "300 each");
        assert_eq!(server.ask("8020 0"), "sorry");
        assert_eq!(place.captured("out"), FRAMES);
        assert_eq!(server.ask("77 0"), "sorry");
        assert_eq!(server.ask("900 9"), "100 each");
        let (status, said) = server.stop();
        assert_eq!(status, Some(0), "{said}");
        assert!(said.contains("3 of 3 frames reproduce the crash"), "{said}");
        assert_eq!(place.snapshots("out").len(), 1, "the same failure again");
    }
}

#[test]
fn processes_that_share_the_list_arm_each_other() {
    for jdk in jdks() {
        let place = Place::of_shop(jdk);
        let options = ["--no-tests", "--verbose"];
        let first = Server::start(&place, "first", &options);
        let mut second = Server::start(&place, "second", &options);
        assert_eq!(second.ask("3000 4"), "750 each");
        assert_eq!(first.ask("1250 0"), "sorry");
        second.await_message("3 methods are watched");
        assert_eq!(second.ask("1250 0"), "sorry");
        assert_eq!(place.captured("second"), FRAMES, "its own first failure");
        assert_eq!(place.snapshots("first").len(), 0);

        let third = Server::start(&place, "third", &options);
        assert_eq!(third.ask("1 0"), "sorry");
        assert_eq!(place.captured("third"), FRAMES, "armed before it started");

        let removed = recrash()
            .args(["watch", "remove", "*"])
            .arg(place.list())
            .output()
            .unwrap();
        assert_eq!(removed.status.code(), Some(0), "{}", text(&removed));
        second.await_message("0 methods are watched");
        for server in [first, second, third] {
            assert_eq!(server.stop().0, Some(0));
        }
    }
}

#[test]
fn a_trace_from_a_bug_report_arms_a_program_before_it_fails_for_the_first_time() {
    let place = Place::of_shop(jdks().remove(0));
    let mut add = recrash()
        .args(["watch", "add", "-"])
        .arg(place.list())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let report = "ERROR java.lang.ArithmeticException: / by zero\n\tat Bill.perGuest(Bill.java:9)\n\
        \tat app//Shop.answer(Shop.java:25) ~[shop.jar:?]\n\tat java.base/java.lang.Thread.run(Thread.java:840)\n";
    let mut input = add.stdin.take().unwrap();
    input.write_all(report.as_bytes()).unwrap();
    drop(input);
    let added = add.wait_with_output().unwrap();
    assert_eq!(
        String::from_utf8_lossy(&added.stdout),
        "Bill.perGuest\nShop.answer\n"
    );
    let server = Server::start(&place, "out", &["--no-tests"]);
    assert_eq!(server.ask("1250 0"), "sorry");
    assert_eq!(place.captured("out"), FRAMES[..2]);
    assert_eq!(place.listed(), METHODS, "what the report left out");
    assert_eq!(server.stop().0, Some(0));
}

#[test]
fn a_class_of_several_loaders_is_watched_in_each() {
    for jdk in jdks() {
        let place = Place::of_program(jdk, "Loaders");
        let output = place.run("Loaders");
        assert_eq!(place.captured("out"), ["run"], "{}", text(&output));
    }
}

#[test]
fn frames_that_run_already_are_not_captured_and_those_inside_them_are() {
    for jdk in jdks() {
        let place = Place::of_program(jdk, "Waiting");
        let output = place.run("Waiting");
        assert_eq!(place.captured("out"), ["index"], "{}", text(&output));
        assert_eq!(output.status.code(), Some(0));
    }
}

#[test]
fn virtual_threads_have_a_second_chance_too() {
    for jdk in jdks().into_iter().filter(|jdk| jdk.version.feature >= 21) {
        let place = Place::of_program(jdk, "Virtual");
        let output = place.run("Virtual");
        assert_eq!(
            place.captured("out"),
            ["parse", "lambda$main$0"],
            "{}",
            text(&output)
        );
    }
}

#[test]
fn classes_made_before_anything_was_watched_travel_with_the_snapshot() {
    for jdk in jdks() {
        let place = Place::of_program(jdk, "Made");
        let output = place.command("out", &[], &["Made"]).output().unwrap();
        let said = text(&output);
        assert_eq!(place.captured("out"), ["run"], "{said}");
        assert!(said.contains("1 of 1 frame reproduces"), "{said}");
    }
}

#[test]
fn what_is_wrong_with_the_list_is_said_once_and_the_rest_counts() {
    for jdk in jdks() {
        let place = Place::of_shop(jdk);
        let list = "# mine\nBill.perGuest\nBill.perGhost # gone\nShop answer\n\njava.lang.Thread.run\nNoSuchClass.run\n";
        std::fs::write(place.list(), list).unwrap();
        let output = place.run("Shop");
        let said = text(&output);
        let path = place.list().display().to_string();
        for sentence in [
            format!("Bill.perGhost is on the watch list {path}, but Bill has no such method"),
            format!("{path}:4: `Shop answer` is more than a name"),
            format!("java.lang.Thread.run on the watch list {path} is not watched"),
        ] {
            assert_eq!(said.matches(&sentence).count(), 1, "{sentence}\n{said}");
        }
        assert!(!said.contains("NoSuchClass"), "{said}");
        // The first failure is captured in part, the second whole.
        assert_eq!(place.snapshots("out").len(), 2, "{said}");
        assert!(
            std::fs::read_to_string(place.list())
                .unwrap()
                .starts_with(list)
        );
    }
}

#[test]
fn a_list_that_disappears_costs_nothing_but_the_sharing() {
    let place = Place::of_shop(jdks().remove(0));
    let server = Server::start(&place, "out", &["--no-tests"]);
    std::fs::remove_file(place.list()).unwrap();
    std::fs::create_dir(place.list()).unwrap();
    assert_eq!(server.ask("1250 0"), "sorry");
    assert_eq!(server.ask("8020 0"), "sorry");
    let (status, said) = server.stop();
    assert_eq!(status, Some(0));
    assert_eq!(said.matches("in this process only").count(), 1, "{said}");
    assert_eq!(place.captured("out"), FRAMES, "{said}");
}
