//! `Thread.dispatchUncaughtException` of every JDK can be made to tell the runtime first.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use crate::support;

use std::process::Command;

use recrash_classfile::{Budget, Error, read_entry};
use recrash_weave::{Passed, Prepended, prepend_call};
use support::{compile, jdk_classes, jdks, stub};

const CALL: Prepended<'_> = Prepended {
    owner: "java/lang/$Recrash",
    name: "uncaught",
    descriptor: "(Ljava/lang/Thread;Ljava/lang/Throwable;)V",
    passed: Passed::Everything,
    guarded: false,
};

#[test]
fn an_uncaught_exception_is_told_before_it_is_dispatched() {
    for jdk in jdks() {
        let folder = tempfile::tempdir().unwrap();
        let stub = stub(&jdk, &folder.path().join("stub"));
        let base = jdk_classes(&jdk, "java.base", folder.path());
        let thread = read_entry(&base, "java/lang/Thread.class", Budget::default())
            .unwrap()
            .unwrap();
        let patched = prepend_call(
            &thread,
            "dispatchUncaughtException",
            "(Ljava/lang/Throwable;)V",
            CALL,
        )
        .unwrap();
        std::fs::write(stub.join("java/lang/Thread.class"), patched).unwrap();

        let source = folder.path().join("Uncaught.java");
        let program = "public class Uncaught { public static void main(String[] a) { throw new RuntimeException(\"x\"); } }";
        std::fs::write(&source, program).unwrap();
        let classes = compile(&jdk, &folder.path().join("classes"), &[], &[source]);
        let mut command = Command::new(jdk.java());
        command.args(["-Xverify:all", "-Xlog:disable", "--patch-module"]);
        command
            .arg(format!("java.base={}", stub.display()))
            .arg("-cp")
            .arg(classes)
            .arg("Uncaught");
        let output = command.output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            errors.contains("uncaught main java.lang.RuntimeException: x"),
            "{errors}"
        );
        assert_eq!(output.status.code(), Some(1));
    }
}

#[test]
fn a_method_that_is_not_there_is_named() {
    let seed = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../fuzz/seeds/class/old-jsr"
    );
    let refused = prepend_call(&std::fs::read(seed).unwrap(), "missing", "()V", CALL);
    assert_eq!(
        refused,
        Err(Error::NoSuchMethod {
            method: "missing()V".to_owned()
        })
    );
}
