//! Captures real failures and tries them in real worker JVMs, on every JDK found.
//!
//! `World` does what a file tells it. The file says `throw` while the failure is captured and something else when the
//! candidates run, which gives every outcome a candidate can have.

// Functions that only tests call may fail like tests.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;

use recrash_bundle::Paths;
use recrash_desk::{
    Desk, Error, FrameVerdict, Settings, Stop, Trials, Verification, between_states, verify,
};
use recrash_heap::{Crash, Manifest, PlanOptions, plan};
use recrash_judge::Verdict;
use recrash_junit::{JunitRun, JunitVersion, TestOutcome, run_junit};
use recrash_jvm::{ClassPath, Compilation, Compilers, Jdk, Launch, Loader, Tools, find_jdks, run};
use tempfile::TempDir;

const WORLD: &str = r#"
import java.nio.file.*;
public class World {
    static class Twisted extends RuntimeException {
        private final boolean calm;
        Twisted(boolean calm) { super("twisted"); this.calm = calm; }
        @Override public Throwable getCause() { if (calm) return null; throw new IllegalStateException("no cause"); }
    }
    private static void act(Path order) throws Exception {
        switch (new String(Files.readAllBytes(order)).trim()) {
            case "throw": throw new IllegalStateException("as told");
            case "elsewhere":
                throw new IllegalStateException("as told, elsewhere");
            case "other": throw new Twisted(false);
            case "exit": System.exit(3);
            case "halt": Runtime.getRuntime().halt(4);
            case "hang": while (true) Thread.onSpinWait();
            case "noise":
                new java.io.FileOutputStream(java.io.FileDescriptor.out).write("noise on descriptor 1".getBytes());
                System.out.println("noise");
                System.setProperty("order", "noise");
                java.util.Locale.setDefault(java.util.Locale.JAPAN);
                throw new IllegalStateException("as told".repeat(2));
            case "thread":
                new Thread(() -> { while (true) Thread.onSpinWait(); }).start();
            default:
        }
    }
    public static void main(String[] arguments) throws Exception {
        act(Paths.get(arguments[0]));
    }
}
"#;

/// Warm after the first test.
static COMPILERS: LazyLock<Compilers> =
    LazyLock::new(|| Compilers::new(recrash_bundle::unpack().unwrap().worker));

struct Captured {
    folder: TempDir,
    snapshot: PathBuf,
    jdk: Jdk,
    bundle: Paths,
}

impl Captured {
    fn new(jdk: Jdk, class: &str, source: &str, arguments: &[&str]) -> Captured {
        let folder = tempfile::tempdir().unwrap();
        let here = folder.path();
        std::fs::write(here.join("order"), "throw").unwrap();
        compile_in(&jdk, here, class, source);
        let bundle = recrash_bundle::unpack().unwrap();
        let launch = Launch::new(&jdk.java())
            .argument(format!(
                "-agentpath:{}=out={}",
                bundle.agent.display(),
                here.join("out").display()
            ))
            .argument("-classpath")
            .argument(here.join("classes"))
            .argument(class)
            .arguments(arguments)
            .directory(here);
        let finished = run(&launch).unwrap();
        let snapshot = std::fs::read_dir(here.join("out"))
            .ok()
            .and_then(|mut files| files.find_map(|file| file.ok().map(|file| file.path())))
            .unwrap_or_else(|| panic!("no snapshot: {finished:?}"));
        Captured {
            folder,
            snapshot,
            jdk,
            bundle,
        }
    }

    fn order(&self, order: &str) {
        std::fs::write(self.folder.path().join("order"), order).unwrap();
    }

    fn tools(&self) -> Tools {
        tools(&self.bundle)
    }

    fn crash(&self) -> Crash {
        Crash::read(&self.snapshot).unwrap()
    }

    fn manifest(&self) -> Manifest {
        self.crash().snapshot.manifest
    }

    fn desk(&self, class_path: Option<ClassPath>, stop: Stop) -> Desk {
        let settings = Settings {
            tools: self.tools(),
            class_path,
            jdk: None,
            limit: Duration::from_secs(4),
            unpacked: self.folder.path().to_owned(),
            stop,
        };
        Desk::new(&self.crash(), settings).unwrap()
    }

    fn verify(&self, class_path: Option<ClassPath>) -> Vec<FrameVerdict> {
        let desk = self.desk(class_path, Stop::default());
        let verification = verify(&desk, &self.crash(), &mut |_| {}).unwrap();
        assert_eq!(verification.java_version, self.jdk.version.text);
        assert_eq!(verification.notes, [""; 0]);
        verification.frames
    }
}

fn tools(bundle: &Paths) -> Tools {
    Tools {
        library: bundle.agent.clone(),
        junit_runtime: bundle.junit_runtime.clone(),
        worker: bundle.worker.clone(),
        junit5: bundle.junit5.clone(),
        junit4: bundle.junit4.clone(),
        compilers: COMPILERS.clone(),
    }
}

fn compile_in(jdk: &Jdk, folder: &Path, class: &str, source: &str) {
    let file = folder.join(format!("{class}.java"));
    std::fs::write(&file, source).unwrap();
    let compilation = Compilation {
        sources: &[file],
        class_path: &ClassPath::default(),
        output: &folder.join("classes"),
        options: &[],
        limit: Duration::from_secs(120),
    };
    COMPILERS.compile(jdk, &compilation).unwrap();
}

fn with_every_jdk(test: impl Fn(Jdk)) {
    let jdks: Vec<Jdk> = find_jdks()
        .into_iter()
        .filter(|jdk| jdk.javac.is_some() && jdk.version.feature >= 17)
        .collect();
    assert!(!jdks.is_empty());
    jdks.into_iter().for_each(test);
}

#[test]
fn every_outcome_of_a_candidate_has_its_verdict_and_reason() {
    with_every_jdk(|jdk| {
        let captured = Captured::new(jdk, "World", WORLD, &["order"]);
        for (order, verdict, reason) in [
            ("throw", Verdict::Reproduced, ""),
            (
                "noise",
                Verdict::SameExceptionElsewhere,
                "instead of World.act(World.java:11)",
            ),
            (
                "elsewhere",
                Verdict::SameExceptionElsewhere,
                "World.act(World.java:13) instead of",
            ),
            (
                "other",
                Verdict::OtherException,
                "it threw World$Twisted (twisted) at World.act",
            ),
            (
                "return",
                Verdict::Passes,
                "the method returned instead of throwing java.lang.IllegalStateException",
            ),
            ("thread", Verdict::Passes, "returned"),
            (
                "exit",
                Verdict::NotRunnable,
                "the method ends the JVM with System.exit (from World.act(World.java:15))",
            ),
            (
                "halt",
                Verdict::NotRunnable,
                "the JVM died while it ran the method: it ended with status 4",
            ),
            ("throw", Verdict::Reproduced, ""),
        ] {
            captured.order(order);
            for frame in captured.verify(None) {
                assert_eq!(frame.verdict, verdict, "{order}: {frame:?}");
                let said = frame.reason.clone().unwrap_or_default();
                assert!(said.contains(reason), "{order}: {said}");
                assert_eq!(frame.notes, [""; 0]);
            }
        }
    });
}

#[test]
fn a_candidate_that_does_not_end_is_stopped_and_says_where_it_was() {
    with_every_jdk(|jdk| {
        let captured = Captured::new(jdk, "World", WORLD, &["order"]);
        captured.order("hang");
        let frames = captured.verify(None);
        assert_eq!(frames[0].verdict, Verdict::TimedOut);
        assert!(
            frames[0]
                .reason
                .as_ref()
                .unwrap()
                .contains("World.act(World.java:17)"),
            "{frames:?}"
        );
    });
}

#[test]
fn a_class_path_without_the_program_is_told_before_anything_runs() {
    with_every_jdk(|jdk| {
        let captured = Captured::new(jdk, "World", WORLD, &["order"]);
        let empty = ClassPath::new([""], captured.snapshot.parent().unwrap());
        for frame in captured.verify(Some(empty)) {
            assert_eq!(frame.verdict, Verdict::NotRunnable);
            let reason = frame.reason.unwrap();
            assert!(reason.contains("does not contain World (frame"), "{reason}");
            assert!(
                reason.ends_with("pass the jar that ran with --classpath"),
                "{reason}"
            );
        }
    });
}

#[test]
fn a_class_that_changed_since_is_a_note() {
    with_every_jdk(|jdk| {
        let captured = Captured::new(jdk.clone(), "World", WORLD, &["order"]);
        compile_in(
            &jdk,
            captured.folder.path(),
            "World",
            &WORLD.replace("\"as told\"", "\"changed\""),
        );
        for frame in captured.verify(None) {
            assert_eq!(frame.verdict, Verdict::Reproduced);
            assert!(
                frame.notes[0].contains("differs from the class that ran"),
                "{:?}",
                frame.notes
            );
        }
    });
}

const INITIALIZER: &str = r#"
public class Init {
    static class Config {
        static final int SIZE = Integer.parseInt(System.getProperty("size"));
    }
    static abstract class Shape {
        Shape(String name) { if (name == null) throw new IllegalArgumentException(); draw(); }
        abstract void draw();
    }
    static class Circle extends Shape {
        int radius;
        Circle() { super("circle"); radius = Config.SIZE; }
        void draw() { radius = Config.SIZE + 1; }
    }
    public static void main(String[] arguments) {
        new Circle();
    }
}
"#;

#[test]
fn initialisers_and_constructors_of_abstract_classes_are_called_again() {
    with_every_jdk(|jdk| {
        let captured = Captured::new(jdk, "Init", INITIALIZER, &[]);
        let manifest = captured.manifest();
        for frame in captured.verify(None) {
            let element = &manifest.frames[frame.frame].element;
            assert_eq!(
                frame.verdict,
                Verdict::Reproduced,
                "{}.{}: {:?}",
                element.class,
                element.method,
                frame.reason
            );
        }
    });
}

const TEST: &str = r#"
import org.junit.jupiter.api.Test;
import recrash.junit.*;
class WorldTest {
    private final Snapshot crash = Snapshot.load(WorldTest.class, "NAME");
    @Test void fails() throws Throwable { crash.frame(0).invoke(); }
    @Test void passes() { crash.frame(0).withoutStatics().restore(); }
    @Test void refuses() { crash.frame(99); }
}
"#;

#[test]
fn tests_run_under_the_real_junit_of_both_versions() {
    with_every_jdk(|jdk| {
        let captured = Captured::new(jdk, "World", WORLD, &["order"]);
        let manifest = captured.manifest();
        let tools = captured.tools();
        let name = captured.snapshot.file_name().unwrap().to_str().unwrap();
        let source = TEST.replace("NAME", name);
        for (version, source) in [
            (JunitVersion::Five, source.clone()),
            (
                JunitVersion::Four,
                source
                    .replace("jupiter.api.", "")
                    .replace("class WorldTest {", "public class WorldTest {")
                    .replace("void", "public void"),
            ),
        ] {
            let sources = tempfile::tempdir().unwrap();
            std::fs::write(sources.path().join("WorldTest.java"), source).unwrap();
            std::fs::copy(&captured.snapshot, sources.path().join(name)).unwrap();
            let results = run_junit(&JunitRun {
                tools: &tools,
                jdk: &captured.jdk,
                version,
                source_dir: sources.path().to_owned(),
                test_classes: vec!["WorldTest".into()],
                class_path: ClassPath::new(
                    &manifest.environment.class_path,
                    captured.folder.path(),
                ),
                jvm_arguments: captured.desk(None, Stop::default()).jvm_arguments(),
                working_directory: captured.folder.path().to_owned(),
                limit: Duration::from_secs(60),
                trial: None,
            })
            .unwrap();
            let outcome = |method: &str| {
                &results
                    .iter()
                    .find(|result| result.method == method)
                    .unwrap()
                    .outcome
            };
            let TestOutcome::Failed(thrown) = outcome("fails") else {
                panic!("{results:?}")
            };
            assert_eq!(thrown[0].class, "java.lang.IllegalStateException");
            assert_eq!(
                (thrown[0].trace[0].method.as_str(), thrown[0].trace[0].line),
                ("act", 11)
            );
            assert_eq!(*outcome("passes"), TestOutcome::Passed);
            let TestOutcome::Failed(thrown) = outcome("refuses") else {
                panic!("{results:?}")
            };
            assert_eq!(thrown[0].class, "recrash.junit.SnapshotException");
            assert!(
                thrown[0]
                    .message
                    .as_ref()
                    .unwrap()
                    .contains("has no captured frame 99"),
                "{thrown:?}"
            );
        }
    });
}

/// The launcher's parser of command lines looks for Groovy; an old one cannot be initialised on a new JDK.
#[test]
fn what_the_launcher_of_junit_meets_on_the_class_path_does_not_stop_the_tests() {
    with_every_jdk(|jdk| {
        let folder = tempfile::tempdir().unwrap();
        let closure = r"
package groovy.lang;
public class Closure {
    static { if (true) throw new IllegalStateException(); }
}
";
        compile_in(&jdk, folder.path(), "Closure", closure);
        let tests = tempfile::tempdir().unwrap();
        let test = "import org.junit.jupiter.api.Test;\nclass OldTest { @Test void fails() { throw new ArithmeticException(); } }";
        std::fs::write(tests.path().join("OldTest.java"), test).unwrap();
        let results = run_junit(&JunitRun {
            tools: &tools(&recrash_bundle::unpack().unwrap()),
            jdk: &jdk,
            version: JunitVersion::Five,
            source_dir: tests.path().to_owned(),
            test_classes: vec!["OldTest".into()],
            class_path: ClassPath::default().after(&[&folder.path().join("classes")]),
            jvm_arguments: Vec::new(),
            working_directory: folder.path().to_owned(),
            limit: Duration::from_secs(60),
            trial: None,
        })
        .unwrap();
        let TestOutcome::Failed(thrown) = &results[0].outcome else {
            panic!("{results:?}")
        };
        assert_eq!(thrown[0].class, "java.lang.ArithmeticException");
    });
}

#[test]
fn a_kept_class_loader_remembers_what_a_trial_did_and_a_fresh_one_does_not() {
    let source = r#"
public class Spent {
    static boolean spent;
    static void spend() {
        if (spent) return;
        spent = true;
        throw new IllegalStateException("at first only");
    }
    public static void main(String[] arguments) { spend(); }
}
"#;
    with_every_jdk(|jdk| {
        let captured = Captured::new(jdk, "Spent", source, &[]);
        let crash = captured.crash();
        let stop = Stop::default();
        let desk = captured.desk(None, stop.clone());
        let fresh = PlanOptions {
            statics: false,
            patches: true,
        };
        let bytes = plan(&crash.snapshot, 0, fresh).unwrap();
        let mut trials = Trials::new(&desk, &crash);
        for (loader, verdict) in [
            (Loader::KeptAnew, Verdict::Reproduced),
            (Loader::Kept, Verdict::Passes),
            (Loader::Own, Verdict::Reproduced),
            (Loader::Kept, Verdict::Passes),
            (Loader::KeptAnew, Verdict::Reproduced),
        ] {
            let trial = trials.run(0, bytes.clone(), loader, desk.limit()).unwrap();
            assert_eq!(trial.verdict, verdict, "{loader:?}: {:?}", trial.reason);
        }
        assert_eq!(trials.runs(), 5);
        // A plan that is none is an answer, too.
        let trial = trials
            .run(0, b"nonsense".to_vec(), Loader::Kept, desk.limit())
            .unwrap();
        assert_eq!(trial.verdict, Verdict::NotRunnable);
        // Once somebody wants an end, nothing runs any more.
        stop.order();
        let stopped = trials.run(0, bytes, Loader::Own, desk.limit());
        assert!(matches!(stopped, Err(Error::Stopped)), "{stopped:?}");
        assert_eq!(trials.runs(), 6);
    });
}

const HANDED: &str = r#"
public class Handed {
    static final IllegalStateException EMPTY = new IllegalStateException("empty");
    private final RuntimeException failure;
    Handed(RuntimeException failure) { this.failure = failure; }
    int value(String fallback) {
        if (failure != null) { throw failure; }
        return fallback.length() + 1;
    }
    static int ask(Handed handed, String fallback) {
        int value = handed.value(fallback + "!");
        return value * 2;
    }
    static int parse(String text) {
        String digits = text.trim();
        if (digits.isEmpty()) { throw EMPTY; }
        return Integer.parseInt(digits) + digits.length();
    }
    public static void main(String[] arguments) {
        RuntimeException failure = null;
        try {
            System.out.println(parse(arguments[0]));
        } catch (IllegalStateException e) {
            System.out.println(parse(" "));
        } catch (RuntimeException e) {
            failure = e;
        }
        System.out.println(ask(new Handed(failure), "none"));
    }
}
"#;

#[test]
fn who_is_handed_the_exception_only_passes_it_on() {
    let jdk = find_jdks().into_iter().find(|jdk| jdk.javac.is_some());
    let captured = Captured::new(jdk.unwrap(), "Handed", HANDED, &["seven"]);
    let verdicts: Vec<Verdict> = captured.verify(None).iter().map(|it| it.verdict).collect();
    let passed_on = [Verdict::PassesOn; 2];
    let expected = [
        &[Verdict::Reproduced][..],
        &passed_on,
        &[Verdict::Reproduced],
    ]
    .concat();
    assert_eq!(verdicts, expected);
}

#[test]
fn who_throws_the_constant_exception_fails_by_himself() {
    let jdk = find_jdks().into_iter().find(|jdk| jdk.javac.is_some());
    let captured = Captured::new(jdk.unwrap(), "Handed", HANDED, &[""]);
    let frames = captured.verify(None);
    assert!(frames.len() > 1);
    assert!(
        frames
            .iter()
            .all(|frame| frame.verdict == Verdict::Reproduced),
        "{frames:?}"
    );
}

const MOVES: &str = r#"
import java.util.*;
public class Moves {
    record Move(String sku, int amount, String to) {}
    private final Map<String, Integer> stock = new HashMap<>(Map.of("tea", 5));
    int apply(List<Move> moves) {
        int done = 0;
        for (Move move : moves) {
            transfer(move);
            done++;
        }
        return done;
    }
    private void transfer(Move move) {
        if (stock.get(move.sku()) < move.amount()) {
            throw new IllegalStateException("too few");
        }
        stock.merge(move.sku(), -move.amount(), Integer::sum);
        stock.merge(move.to().trim(), move.amount(), Integer::sum);
    }
    public static void main(String[] arguments) {
        List<Move> moves = List.of(new Move("tea", 2, "shelf"), new Move("tea", 1, null));
        System.out.println(new Moves().apply(new ArrayList<>(moves)));
    }
}
"#;

#[test]
fn who_went_through_a_list_fails_again_with_what_was_left_to_do() {
    let jdk = find_jdks().into_iter().find(|jdk| jdk.javac.is_some());
    let captured = Captured::new(jdk.unwrap(), "Moves", MOVES, &[]);
    let desk = captured.desk(None, Stop::default());
    let mut crash = captured.crash();
    let mut verification = verify(&desk, &crash, &mut |_| {}).unwrap();
    let apply = |verification: &Verification| verification.frames[1].clone();
    assert_eq!(apply(&verification).verdict, Verdict::OtherException);
    assert!(between_states(&desk, &mut crash, &mut verification, &mut |_| {}).unwrap());
    let apply = apply(&verification);
    assert_eq!(apply.verdict, Verdict::Reproduced);
    assert_eq!(
        apply.notes,
        ["without the first 1 of 2 elements of a list, which were done"]
    );
}
