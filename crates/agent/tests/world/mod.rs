//! Small Java programs, run in every JDK of this machine with and without the agent.
//!
//! What a program is expected to do stands in comments at its top: `exit` its status, `flags` options of the JVM, `since`
//! the first JDK it runs in, `libraries` jars it needs, `options` for the agent, `main` what is run in place of the program
//! itself, and per snapshot the thread, the chain of throwables and the frames of the program, each as
//! `throwable class.method:line(values)`, with `:line` where it matters and ` -` for a frame without values.

#![allow(dead_code)] // Each test file uses its own part.
#![allow(clippy::unwrap_used)] // What fails here fails the test.

use recrash_heap::manifest::{CapturedFrame, FrameInfo, FramePlace};
use recrash_heap::{Kind, Snapshot, Value};
use recrash_javabuild::{Compilation, Jdk};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use tempfile::TempDir;

pub struct Program {
    pub name: String,
    pub flags: Vec<String>,
    pub exit: i32,
    pub since: u32,
    /// The class that is run and its arguments.
    pub main: Vec<String>,
    /// Jars, below `.deps`.
    pub libraries: Vec<String>,
    /// Of the agent.
    pub options: String,
    /// Snapshots as text, in the order of their first lines.
    pub snapshots: Vec<String>,
}

impl Program {
    pub fn named(name: &str) -> Self {
        Self::read(&sources(), name)
    }

    pub fn read(folder: &Path, name: &str) -> Self {
        let source = fs::read_to_string(folder.join(format!("{name}.java"))).unwrap();
        let mut program = Self {
            name: name.to_owned(),
            flags: Vec::new(),
            exit: 0,
            since: 0,
            main: vec![name.to_owned()],
            libraries: Vec::new(),
            options: String::new(),
            snapshots: Vec::new(),
        };
        for line in source.lines().map_while(|line| line.strip_prefix("// ")) {
            if let Some(flags) = line.strip_prefix("flags ") {
                program.flags = flags.split(' ').map(str::to_owned).collect();
            } else if let Some(exit) = line.strip_prefix("exit ") {
                program.exit = exit.parse().unwrap();
            } else if let Some(since) = line.strip_prefix("since ") {
                program.since = since.parse().unwrap();
            } else if let Some(main) = line.strip_prefix("main ") {
                program.main = main.split(' ').map(str::to_owned).collect();
            } else if let Some(libraries) = line.strip_prefix("libraries ") {
                program.libraries = libraries.split(' ').map(str::to_owned).collect();
            } else if let Some(options) = line.strip_prefix("options ") {
                options.clone_into(&mut program.options);
            } else if line.starts_with("snapshot ") {
                program.snapshots.push(format!("{line}\n"));
            } else if let (Some(frame), Some(snapshot)) =
                (line.strip_prefix("  "), program.snapshots.last_mut())
            {
                writeln!(snapshot, "  {frame}").unwrap();
            }
        }
        program.snapshots.sort();
        program
    }

    pub fn all() -> Vec<Self> {
        Self::all_in(&sources())
    }

    pub fn all_in(folder: &Path) -> Vec<Self> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| {
                entry
                    .unwrap()
                    .path()
                    .file_stem()
                    .unwrap()
                    .to_str()
                    .unwrap()
                    .to_owned()
            })
            .collect();
        names.sort();
        names.iter().map(|name| Self::read(folder, name)).collect()
    }

    /// Whether its comments can say what its snapshots are. Programs whose snapshots depend on the machine have tests of
    /// their own.
    pub fn has_fixed_snapshots(&self) -> bool {
        const BY_THEMSELVES: [&str; 7] = [
            "Crowd",
            "ExitWhileCapturing",
            "Forgotten",
            "HeapFull",
            "Overflow",
            "OverflowInObject",
            "Waiting",
        ];
        !BY_THEMSELVES.contains(&self.name.as_str())
    }

    pub fn runs_in(&self, jdk: &Jdk) -> bool {
        feature(jdk) >= self.since
    }
}

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs")
}

/// Every JDK of this machine; a test that would run in none fails.
pub fn jdks() -> Vec<Jdk> {
    let jdks = Jdk::all();
    assert!(!jdks.is_empty(), "no JDK found");
    jdks
}

pub fn feature(jdk: &Jdk) -> u32 {
    let release = fs::read_to_string(jdk.home().join("release")).unwrap();
    let version = release
        .lines()
        .find_map(|line| line.strip_prefix("JAVA_VERSION=\""))
        .unwrap();
    version.split(['.', '"']).next().unwrap().parse().unwrap()
}

/// The agent library, built as `cargo build` would: integration tests of a C library do not imply it.
pub fn library() -> &'static Path {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let test = std::env::current_exe().unwrap();
        let target = test.ancestors().nth(3).unwrap();
        let mut command = Command::new(env!("CARGO"));
        command
            .args(["build", "--quiet", "-p", "recrash-agent", "--target-dir"])
            .arg(target);
        command.current_dir(env!("CARGO_MANIFEST_DIR"));
        assert!(command.status().unwrap().success());
        target.join("debug/librecrash.so")
    })
}

pub fn classes() -> &'static Path {
    static CLASSES: OnceLock<TempDir> = OnceLock::new();
    CLASSES
        .get_or_init(|| {
            let folder = TempDir::new().unwrap();
            let compilation = Compilation {
                sources: &sources(),
                classes: &folder.path().join("classes"),
                flags: &["-g", "--release", "11"],
                class_path: &[],
            };
            compilation.run(&Jdk::find().unwrap()).unwrap();
            folder
        })
        .path()
}

/// What a run left behind.
pub struct Run {
    pub output: Output,
    pub messages: String,
    pub folder: TempDir,
}

impl Run {
    pub fn status(&self) -> Option<i32> {
        self.output.status.code()
    }

    pub fn stdout(&self) -> String {
        String::from_utf8_lossy(&self.output.stdout).into_owned()
    }

    pub fn stderr(&self) -> String {
        String::from_utf8_lossy(&self.output.stderr).into_owned()
    }

    pub fn files(&self) -> Vec<PathBuf> {
        let mut files: Vec<PathBuf> = fs::read_dir(self.folder.path().join("out"))
            .into_iter()
            .flatten()
            .map(|entry| entry.unwrap().path())
            .collect();
        files.sort();
        files
    }

    pub fn snapshots(&self) -> Vec<Snapshot> {
        self.files()
            .iter()
            .map(|file| Snapshot::read(file).unwrap())
            .collect()
    }

    /// The snapshots in the words of the program's comments, sorted.
    pub fn told(&self, program: &Program) -> Vec<String> {
        let expected = program.snapshots.concat();
        let mut told: Vec<String> = self
            .snapshots()
            .iter()
            .map(|snapshot| text(snapshot, &expected))
            .collect();
        told.sort();
        told
    }
}

pub fn command(jdk: &Jdk) -> Command {
    let mut command = Command::new(jdk.java());
    command
        .env_remove("JAVA_TOOL_OPTIONS")
        .env_remove("JDK_JAVA_OPTIONS");
    command
}

pub fn plain(jdk: &Jdk, program: &Program) -> Output {
    let mut command = command(jdk);
    command
        .args(&program.flags)
        .arg("-cp")
        .arg(classes().join("classes"))
        .arg(&program.name);
    command.output().unwrap()
}

/// Runs with the agent; messages go to a file so that the program's own output stays as it is.
pub fn run(jdk: &Jdk, program: &Program, flags: &[&str], options: &str) -> Run {
    run_in(command(jdk), program, flags, options)
}

pub fn run_in(command: Command, program: &Program, flags: &[&str], options: &str) -> Run {
    let class_path = classes().join("classes").display().to_string();
    run_with(command, program, flags, options, &class_path)
}

pub fn run_with(
    mut command: Command,
    program: &Program,
    flags: &[&str],
    options: &str,
    class_path: &str,
) -> Run {
    let folder = TempDir::new().unwrap();
    let log = folder.path().join("log");
    let comma = if options.is_empty() { "" } else { "," };
    command.args(
        flags
            .iter()
            .map(|flag| flag.replace("AGENT", &agent(folder.path(), options, comma))),
    );
    if !flags.iter().any(|flag| flag.contains("AGENT")) {
        command.arg(agent(folder.path(), options, comma));
    }
    command
        .args(&program.flags)
        .arg("-cp")
        .arg(class_path)
        .args(&program.main);
    let output = command.output().unwrap();
    let messages = fs::read_to_string(log).unwrap_or_default();
    Run {
        output,
        messages,
        folder,
    }
}

fn agent(folder: &Path, options: &str, comma: &str) -> String {
    let folder = folder.display();
    format!(
        "-agentpath:{}=out={folder}/out,log={folder}/log{comma}{options}",
        library().display()
    )
}

/// A snapshot in the words of the programs' comments; frames of the JDK are left out.
pub fn text(snapshot: &Snapshot, expected: &str) -> String {
    let manifest = &snapshot.manifest;
    let chain: Vec<&str> = manifest
        .throwables
        .iter()
        .map(|thrown| thrown.class.as_str())
        .collect();
    let mut text = format!("snapshot {} {}\n", manifest.thread.name, chain.join(" <- "));
    let with_lines = expected.lines().skip(1).any(|line| {
        let place = line.split('(').next().unwrap_or_default();
        place
            .rsplit(':')
            .next()
            .is_some_and(|line| line.parse::<u32>().is_ok())
    });
    for frame in &manifest.frames {
        let class = &frame.element.class;
        if class.starts_with("java.") || class.starts_with("jdk.") || class.starts_with("sun.") {
            continue;
        }
        let line = if with_lines {
            format!(":{}", frame.element.line)
        } else {
            String::new()
        };
        writeln!(
            text,
            "  {} {class}.{}{line}{}",
            frame.throwable,
            frame.element.method,
            values(snapshot, frame)
        )
        .unwrap();
    }
    text
}

fn values(snapshot: &Snapshot, frame: &FrameInfo) -> String {
    let Some(captured) = &frame.captured else {
        return " -".to_owned();
    };
    let place = match captured.place {
        FramePlace::Body => "",
        FramePlace::BeforeSuper => "#before-super",
        FramePlace::InsideSuper => "#inside-super",
    };
    format!("{place}({})", arguments(snapshot, captured).join(", "))
}

pub fn arguments(snapshot: &Snapshot, captured: &CapturedFrame) -> Vec<String> {
    let mut values = Vec::new();
    if captured.receiver != Value::Null {
        values.push(format!("this={}", value(snapshot, captured.receiver)));
    }
    values.extend(
        captured
            .arguments
            .iter()
            .map(|argument| value(snapshot, argument.value)),
    );
    values
}

fn value(snapshot: &Snapshot, value: Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Boolean(value) => value.to_string(),
        Value::Char(unit) => format!("{:?}", char::from_u32(unit.into()).unwrap()),
        Value::Byte(number) => number.to_string(),
        Value::Short(number) => number.to_string(),
        Value::Int(number) => number.to_string(),
        Value::Long(number) => number.to_string(),
        Value::FloatBits(bits) => f32::from_bits(bits).to_string(),
        Value::DoubleBits(bits) => f64::from_bits(bits).to_string(),
        Value::Ref(id) => {
            let object = snapshot.heap.object(id).unwrap();
            match object.kind {
                Kind::String(text) => format!("{:?}", text.to_string()),
                _ => object.class.to_owned(),
            }
        }
    }
}
