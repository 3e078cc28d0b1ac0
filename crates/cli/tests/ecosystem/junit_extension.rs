//! `@Crash` tests under the real JUnit.

use crate::ecosystem::support::{
    compile, crash, dependency, jdks, joined, recrash, stdout, succeed,
};
use recrash_jvm::Jdk;
use std::path::{Path, PathBuf};
use std::process::Command;

const TILL_TEST: &str = r#"
package shop;

import static org.junit.jupiter.api.Assertions.*;

import java.util.Locale;
import org.junit.jupiter.api.*;
import recrash.junit.*;

@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class TillTest {
    private static final Locale BEFORE = Locale.getDefault();

    @Test
    @Order(1)
    @Crash("crash.recrash")
    void theFrameIsThere(Frame frame, @Receiver Till till, @Argument(0) String goods, @Argument(1) int count) {
        assertSame(till, frame.receiver());
        assertEquals("milk", goods);
        assertEquals(5, count);
        assertEquals(19, Till.rate);
        assertEquals("Ada", Till.CASHIER.get());
        assertEquals("sale", System.getProperty("shop.mode"));
        assertEquals(Locale.ITALY, Locale.getDefault());
        assertThrows(NullPointerException.class, () -> till.total(goods, count));
    }

    @Test
    @Order(2)
    void whatItReplacedIsPutBack() {
        assertEquals(1, Till.rate);
        assertNull(Till.CASHIER.get());
        assertNull(System.getProperty("shop.mode"));
        assertEquals(BEFORE, Locale.getDefault());
    }

    @Nested
    @Crash("crash.recrash")
    class OfTheClass {
        @BeforeEach
        void isRestoredBefore(@Argument(0) Object first) {
            assertNotNull(first);
        }

        @Test
        void theInnermostFrame(@Argument(0) String goods) {
            assertEquals("milk", goods);
        }

        @Test
        @Crash(frame = 1)
        void anotherFrame(Frame frame, @Argument(0) String[] arguments) {
            assertEquals(0, arguments.length);
            assertThrows(NullPointerException.class, frame::invoke);
        }
    }

    @Test
    @Crash("missing.recrash")
    void noSuchFile() {}

    @Test
    @Crash(value = "crash.recrash", frame = 77)
    void noSuchFrame() {}

    @Test
    @Crash("crash.recrash")
    void anotherType(@Argument(0) Integer goods) {}

    @Test
    @Crash(frame = 0)
    void nameless() {}
}
"#;

/// Knows nothing of the program.
const ABSENT_TEST: &str = r#"
package elsewhere;

import org.junit.jupiter.api.Test;
import recrash.junit.*;

@Crash("crash.recrash")
class AbsentTest {
    @Test
    void theProgramIsNotHere(Frame frame) {}
}
"#;

/// The jar that `recrash tests` puts beside tests, found as a user finds it.
fn runtime(folder: &Path) -> PathBuf {
    published(folder, "recrash-junit")
}

fn published(folder: &Path, name: &str) -> PathBuf {
    let repository = folder.join("repository");
    succeed(recrash().args(["maven", "--repository"]).arg(&repository));
    let version = env!("CARGO_PKG_VERSION");
    repository.join(format!(
        "io/github/recrash/{name}/{version}/{name}-{version}.jar"
    ))
}

/// What the console prints about the tests in a folder.
fn junit(jdk: &Jdk, class_path: &[PathBuf], tests: &Path) -> String {
    let output = Command::new(jdk.java())
        .env_remove("JAVA_TOOL_OPTIONS")
        .arg("-jar")
        .arg(dependency("junit-platform-console-standalone.jar"))
        .args(["execute", "--disable-banner", "--disable-ansi-colors"])
        .args(["--details=tree", "--details-theme=ascii", "--class-path"])
        .arg(joined(class_path))
        .arg("--scan-class-path")
        .arg(tests)
        .output()
        .unwrap();
    stdout(&output)
}

#[test]
fn a_frame_is_handed_to_the_test_and_what_it_replaced_is_put_back() {
    told(TILL_TEST, &["recrash-junit"]);
}

#[test]
fn tests_that_use_the_names_of_before_run_with_the_jar_that_has_them() {
    let source = TILL_TEST.replace("recrash.junit.*", "recrash.*");
    told(&source, &["recrash-junit", "recrash-api"]);
}

fn told(test: &str, jars: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let console = dependency("junit-platform-console-standalone.jar");
    let source = folder.path().join("TillTest.java");
    std::fs::write(&source, test).unwrap();
    let tests = folder.path().join("tests");
    let mut class_path = vec![tests.clone(), crash().classes()];
    class_path.extend(jars.iter().map(|jar| published(folder.path(), jar)));
    let mut compiled_against = class_path.clone();
    compiled_against.push(console);
    compile(&tests, &compiled_against, [source]);
    crash().copy(&tests.join("shop"));
    for jdk in jdks() {
        assert_told(&junit(&jdk, &class_path, &tests));
    }
}

fn assert_told(text: &str) {
    for test in [
        "theFrameIsThere",
        "whatItReplacedIsPutBack",
        "theInnermostFrame",
        "anotherFrame",
    ] {
        let line = text.lines().find(|line| line.contains(test));
        assert!(
            line.is_some_and(|line| line.ends_with("[OK]")),
            "{test}\n{text}"
        );
    }
    for (test, sentence) in [
        (
            "noSuchFile",
            "missing.recrash is not beside shop.TillTest: put it into src/test/resources/shop/",
        ),
        ("noSuchFrame", "crash.recrash has no captured frame 77"),
        (
            "anotherType",
            "argument 0 of frame 0 of crash.recrash (shop.Till.total) is of class java.lang.String, but",
        ),
        ("nameless", "shop.TillTest names no snapshot; put @Crash("),
    ] {
        let line = text.lines().find(|line| line.contains(test));
        assert!(
            line.is_some_and(|line| line.contains("[X]")),
            "{test}\n{text}"
        );
        assert!(text.contains(sentence), "{sentence}\n{text}");
    }
}

#[test]
fn a_class_path_without_the_program_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let runtime = runtime(folder.path());
    let console = dependency("junit-platform-console-standalone.jar");
    let source = folder.path().join("AbsentTest.java");
    std::fs::write(&source, ABSENT_TEST).unwrap();
    let tests = folder.path().join("tests");
    compile(&tests, &[console, runtime.clone()], [source]);
    crash().copy(&tests);
    let text = junit(&jdks()[0], &[tests.clone(), runtime], &tests);
    assert!(
        text.contains("shop.Till is not on the class path, but frame 0 of crash.recrash (shop.Till.total) needs it"),
        "{text}"
    );
}
