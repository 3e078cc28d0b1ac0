//! The binary, the programs, and a server to talk to.

use crate::common;
pub use crate::common::{jdks, recrash};
use recrash_jvm::Jdk;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, Output, Stdio};
use tempfile::TempDir;

/// A folder with classes, a watch list and snapshots.
pub struct Place {
    folder: TempDir,
    jdk: Jdk,
}

impl Place {
    fn with(jdk: Jdk, sources: &[PathBuf]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        common::javac(&jdk, &[], &folder.path().join("classes"), sources);
        Self { folder, jdk }
    }

    /// The server of `examples/`.
    pub fn of_shop(jdk: Jdk) -> Self {
        let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/second-chance");
        let sources: Vec<PathBuf> = std::fs::read_dir(example)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        Self::with(jdk, &sources)
    }

    /// A program of the tests' own.
    pub fn of_program(jdk: Jdk, name: &str) -> Self {
        let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/second_chance/programs");
        Self::with(jdk, &[programs.join(format!("{name}.java"))])
    }

    pub fn list(&self) -> PathBuf {
        self.folder.path().join("watch.txt")
    }

    /// The methods on the list.
    pub fn listed(&self) -> Vec<String> {
        let output = recrash().args(["watch", "list"]).arg(self.list()).output();
        let text = String::from_utf8(output.unwrap().stdout).unwrap();
        text.lines().map(str::to_owned).collect()
    }

    pub fn command(&self, out: &str, options: &[&str], program: &[&str]) -> Command {
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
    pub fn run(&self, main: &str) -> Output {
        let options = ["--no-tests"];
        self.command("out", &options, &[main]).output().unwrap()
    }

    pub fn snapshots(&self, out: &str) -> Vec<PathBuf> {
        common::snapshots(&self.folder.path().join(out))
    }

    /// The methods of the captured frames of the only snapshot.
    pub fn captured(&self, out: &str) -> Vec<String> {
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

pub fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A server that runs; dropped, it is told to stop.
pub struct Server {
    child: Child,
    messages: std::io::Lines<BufReader<ChildStderr>>,
    port: u16,
}

impl Server {
    pub fn start(place: &Place, out: &str, options: &[&str]) -> Self {
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

    pub fn ask(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        writeln!(stream, "{request}").unwrap();
        let mut answer = String::new();
        BufReader::new(stream).read_line(&mut answer).unwrap();
        answer.trim().to_owned()
    }

    /// Reads what recrash and the program say until a line contains `part`.
    pub fn await_message(&mut self, part: &str) {
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
    pub fn stop(mut self) -> (Option<i32>, String) {
        self.ask("stop");
        let rest: Vec<String> = self.messages.by_ref().map(Result::unwrap).collect();
        (self.child.wait().unwrap().code(), rest.join("\n"))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Where a test has failed; otherwise nobody listens any more.
        let told = TcpStream::connect(("127.0.0.1", self.port));
        let _ = told.and_then(|mut server| server.write_all(b"stop\n"));
    }
}
