//! Second chance with the real binary: nothing is watched until something fails, in no process that shares the list, and
//! what is then watched is captured without a restart.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test ends at the first surprise"
)]

use recrash_jvm::{Jdk, find_jdks};
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, Output, Stdio};
use tempfile::TempDir;

fn jdks() -> Vec<Jdk> {
    let usable = |jdk: &Jdk| jdk.version.feature >= 17 && jdk.javac.is_some();
    let jdks: Vec<Jdk> = find_jdks().into_iter().filter(usable).collect();
    assert!(!jdks.is_empty(), "there is no JDK 17 or newer");
    jdks
}

fn recrash() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_recrash"));
    command.env_remove("JAVA_TOOL_OPTIONS").env("NO_COLOR", "1");
    command
}

/// A folder with classes, a watch list and snapshots.
struct Place {
    folder: TempDir,
    jdk: Jdk,
}

impl Place {
    fn with(jdk: Jdk, sources: &[PathBuf]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let compiled = Command::new(jdk.javac().unwrap())
            .args(["-g", "-encoding", "UTF-8", "-d"])
            .arg(folder.path().join("classes"))
            .args(sources)
            .status();
        assert!(compiled.unwrap().success());
        Self { folder, jdk }
    }

    /// The server of `examples/`.
    fn of_shop(jdk: Jdk) -> Self {
        let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/second-chance");
        let sources: Vec<PathBuf> = std::fs::read_dir(example)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        Self::with(jdk, &sources)
    }

    /// One class of the test's own.
    fn of_source(jdk: Jdk, name: &str, source: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(format!("{name}.java"));
        std::fs::write(&file, source).unwrap();
        Self::with(jdk, &[file])
    }

    fn list(&self) -> PathBuf {
        self.folder.path().join("watch.txt")
    }

    /// The methods on the list.
    fn listed(&self) -> Vec<String> {
        let output = recrash().args(["watch", "list"]).arg(self.list()).output();
        let text = String::from_utf8(output.unwrap().stdout).unwrap();
        text.lines().map(str::to_owned).collect()
    }

    fn command(&self, out: &str, options: &[&str], program: &[&str]) -> Command {
        let mut command = recrash();
        command
            .args(["run", "--second-chance"])
            .arg(self.list())
            .arg("--out")
            .arg(self.folder.path().join(out))
            .args(options)
            .arg("--")
            .arg(self.jdk.java())
            .arg("-cp")
            .arg(self.folder.path().join("classes"))
            .args(program);
        command
    }

    /// Runs a program to its end, without making tests.
    fn run(&self, main: &str) -> Output {
        let options = ["--no-tests"];
        self.command("out", &options, &[main]).output().unwrap()
    }

    fn snapshots(&self, out: &str) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(self.folder.path().join(out))
            .into_iter()
            .flatten();
        let mut found: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        found.retain(|path| path.extension().is_some_and(|it| it == "recrash"));
        found
    }

    /// The methods of the captured frames of the only snapshot.
    fn captured(&self, out: &str) -> Vec<String> {
        let snapshots = self.snapshots(out);
        assert_eq!(snapshots.len(), 1, "{snapshots:?}");
        let shown = recrash()
            .args(["show", "--json"])
            .arg(&snapshots[0])
            .output()
            .unwrap();
        let json: serde_json::Value = serde_json::from_slice(&shown.stdout).unwrap();
        let frames = json["manifest"]["frames"].as_array().unwrap().iter();
        frames
            .filter(|frame| !frame["captured"].is_null())
            .map(|frame| frame["element"]["method"].as_str().unwrap().to_owned())
            .collect()
    }
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A server that runs; dropped, it is told to stop.
struct Server {
    child: Child,
    messages: std::io::Lines<BufReader<ChildStderr>>,
    port: u16,
}

impl Server {
    fn start(place: &Place, out: &str, options: &[&str]) -> Self {
        let mut child = place
            .command(out, options, &["Shop", "serve"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut port = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut port)
            .unwrap();
        Self {
            messages: BufReader::new(child.stderr.take().unwrap()).lines(),
            port: port.trim().parse().unwrap(),
            child,
        }
    }

    fn ask(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        writeln!(stream, "{request}").unwrap();
        let mut answer = String::new();
        BufReader::new(stream).read_line(&mut answer).unwrap();
        answer.trim().to_owned()
    }

    /// Reads what recrash and the program say until a line contains `part`.
    fn await_message(&mut self, part: &str) {
        let mut heard = Vec::new();
        for line in self.messages.by_ref().map(Result::unwrap) {
            if line.contains(part) {
                return;
            }
            heard.push(line);
        }
        panic!("nobody said '{part}' but:\n{}", heard.join("\n"));
    }

    /// The exit status, and everything that was said and not waited for.
    fn stop(mut self) -> (Option<i32>, String) {
        self.ask("stop");
        let rest: Vec<String> = self.messages.by_ref().map(Result::unwrap).collect();
        (self.child.wait().unwrap().code(), rest.join("\n"))
    }
}

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

const LOADERS: &str = r#"
import java.net.*;

public class Loaders {
    public static class Task implements Runnable {
        static int zero;

        public void run() {
            System.out.println(5 / zero);
        }
    }

    static void fail(Runnable task) throws Exception {
        Thread thread = new Thread(task, "task");
        thread.start();
        thread.join();
    }

    public static void main(String[] args) throws Exception {
        URL[] here = {Loaders.class.getProtectionDomain().getCodeSource().getLocation()};
        Runnable[] tasks = new Runnable[2];
        for (int i = 0; i < 2; i++) {
            ClassLoader loader = new URLClassLoader(here, ClassLoader.getPlatformClassLoader());
            tasks[i] = (Runnable) loader.loadClass("Loaders$Task").getDeclaredConstructor().newInstance();
        }
        fail(tasks[0]);
        fail(tasks[1]);
    }
}"#;

#[test]
fn a_class_of_several_loaders_is_watched_in_each() {
    for jdk in jdks() {
        let place = Place::of_source(jdk, "Loaders", LOADERS);
        let output = place.run("Loaders");
        assert_eq!(place.captured("out"), ["run"], "{}", text(&output));
    }
}

const WAITING: &str = r#"
import java.util.concurrent.CountDownLatch;

/** The second thread is inside `run` and `pause` when the first one fails: they end as the code they began as. */
public class Waiting implements Runnable {
    static final CountDownLatch go = new CountDownLatch(1);
    final boolean waits;

    Waiting(boolean waits) {
        this.waits = waits;
    }

    public void run() {
        pause();
        index(3);
    }

    void pause() {
        try {
            if (waits) {
                go.await();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    int index(int at) {
        int[] numbers = {1, 2};
        return numbers[at] + numbers.length;
    }

    public static void main(String[] args) throws Exception {
        Thread second = new Thread(new Waiting(true));
        second.start();
        while (second.getState() != Thread.State.WAITING) {
            Thread.yield();
        }
        Thread first = new Thread(new Waiting(false));
        first.start();
        first.join();
        go.countDown();
        second.join();
    }
}"#;

#[test]
fn frames_that_run_already_are_not_captured_and_those_inside_them_are() {
    for jdk in jdks() {
        let place = Place::of_source(jdk, "Waiting", WAITING);
        let output = place.run("Waiting");
        assert_eq!(place.captured("out"), ["index"], "{}", text(&output));
        assert_eq!(output.status.code(), Some(0));
    }
}

const VIRTUAL: &str = r#"
public class Virtual {
    static void parse(String text) {
        Integer.parseInt(text);
    }

    public static void main(String[] args) throws Exception {
        for (String text : new String[] {"one", "two"}) {
            Thread.ofVirtual().start(() -> parse(text)).join();
        }
    }
}"#;

#[test]
fn virtual_threads_have_a_second_chance_too() {
    for jdk in jdks().into_iter().filter(|jdk| jdk.version.feature >= 21) {
        let place = Place::of_source(jdk, "Virtual", VIRTUAL);
        let output = place.run("Virtual");
        assert_eq!(
            place.captured("out"),
            ["parse", "lambda$main$0"],
            "{}",
            text(&output)
        );
    }
}

const MADE: &str = r#"
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** The failing class and its superclass are made at run time, before anything is watched. */
public class Made extends ClassLoader {
    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        try (InputStream in = Made.class.getResourceAsStream(name.replace("Tailored", "Template") + ".class")) {
            String template = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
            byte[] made = template.replace("Template", "Tailored").getBytes(StandardCharsets.ISO_8859_1);
            return defineClass(name, made, 0, made.length);
        } catch (java.io.IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    public static void main(String[] args) throws Exception {
        var constructor = new Made().loadClass("LowTailored").getDeclaredConstructor();
        constructor.setAccessible(true);
        for (int i = 0; i < 2; i++) {
            Thread thread = new Thread((Runnable) constructor.newInstance());
            thread.start();
            thread.join();
        }
    }
}

class HighTemplate {
    int[] numbers = {1, 2};
}

class LowTemplate extends HighTemplate implements Runnable {
    public void run() {
        System.out.println(numbers[numbers.length]);
    }
}"#;

#[test]
fn classes_made_before_anything_was_watched_travel_with_the_snapshot() {
    for jdk in jdks() {
        let place = Place::of_source(jdk, "Made", MADE);
        let output = place.command("out", &[], &["Made"]).output().unwrap();
        let said = text(&output);
        assert_eq!(place.captured("out"), ["run"], "{said}");
        assert!(said.contains("1 of 1 frames reproduce"), "{said}");
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
