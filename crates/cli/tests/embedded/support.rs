//! Jars of every layout, made of the programs beside this file, and JVMs to run them.

use crate::common::javac_with;
pub use crate::common::{api_jar, javac, jdks, recrash, root, text};
use recrash_heap::Snapshot;
use recrash_jvm::Jdk;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use tempfile::TempDir;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

pub fn subject(name: &str) -> PathBuf {
    let path = root().join(".deps/subjects").join(name);
    assert!(
        path.exists(),
        "{} is missing; ./x test fetches it",
        path.display()
    );
    path
}

/// The compiled programs.
pub fn classes() -> &'static Path {
    static CLASSES: OnceLock<TempDir> = OnceLock::new();
    CLASSES
        .get_or_init(|| {
            let folder = tempfile::tempdir().unwrap();
            let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/embedded/programs");
            let mut sources = java_files(&programs);
            sources.extend(java_files(&programs.join("shop")));
            let options = ["--release", "17"];
            javac_with(
                &jdks()[0],
                &options,
                &[api_jar().into()],
                folder.path(),
                sources,
            );
            folder
        })
        .path()
}

fn java_files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.retain(|path| {
        path.extension()
            .is_some_and(|extension| extension == "java")
    });
    files
}

/// An archive as a list of names and contents. Contents that are archives themselves are stored, as launchers want it.
#[derive(Default, Clone)]
pub struct Layout {
    pub entries: Vec<(String, Vec<u8>)>,
}

impl Layout {
    pub fn with(mut self, name: &str, bytes: &[u8]) -> Self {
        self.entries.push((name.to_owned(), bytes.to_vec()));
        self
    }

    pub fn with_manifest(self, attributes: &str) -> Self {
        let text = format!("Manifest-Version: 1.0\r\n{attributes}\r\n");
        self.with("META-INF/MANIFEST.MF", text.as_bytes())
    }

    /// Compiled classes of package `shop` below a folder of the archive.
    pub fn with_classes(mut self, below: &str, names: &[&str]) -> Self {
        for name in names {
            let bytes = fs::read(classes().join(format!("shop/{name}.class"))).unwrap();
            self = self.with(&format!("{below}shop/{name}.class"), &bytes);
        }
        self
    }

    /// Everything in another archive.
    pub fn with_unpacked(mut self, jar: &Path) -> Self {
        self.entries.extend(
            entries(jar)
                .into_iter()
                .filter(|(name, _)| !name.starts_with("META-INF/")),
        );
        self
    }

    pub fn write(&self, target: &Path) -> PathBuf {
        let mut zip = ZipWriter::new(File::create(target).unwrap());
        for (name, bytes) in &self.entries {
            let method = if bytes.starts_with(b"PK") {
                CompressionMethod::Stored
            } else {
                CompressionMethod::Deflated
            };
            let options = SimpleFileOptions::default().compression_method(method);
            if name.ends_with('/') {
                zip.add_directory(name.as_str(), options).unwrap();
                continue;
            }
            zip.start_file(name.as_str(), options).unwrap();
            zip.write_all(bytes).unwrap();
        }
        zip.finish().unwrap();
        target.to_owned()
    }
}

/// A jar that `java -jar` runs.
pub fn program(main_class: &str) -> Layout {
    Layout::default()
        .with_manifest(&format!("Main-Class: {main_class}\r\n"))
        .with_classes(
            "",
            &[
                "Main",
                "Main$Base",
                "Main$Special",
                "Order",
                "Isolated",
                "Isolated$Alone",
            ],
        )
}

/// The files of an archive.
pub fn entries(jar: &Path) -> Vec<(String, Vec<u8>)> {
    let mut zip = ZipArchive::new(File::open(jar).unwrap()).unwrap();
    let mut found = Vec::new();
    for index in 0..zip.len() {
        let mut entry = zip.by_index(index).unwrap();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).unwrap();
        if entry.is_file() {
            found.push((entry.name().to_owned(), bytes));
        }
    }
    found
}

/// `recrash instrument INPUT -o OUTPUT`, which must succeed; what it said.
pub fn instrument(input: &Path, output: &Path) -> String {
    let ran = recrash()
        .arg("instrument")
        .arg(input)
        .arg("-o")
        .arg(output)
        .output()
        .unwrap();
    assert!(ran.status.success(), "{}", text(&ran.stderr));
    assert_eq!(text(&ran.stdout), "");
    text(&ran.stderr)
}

/// Runs plain `java` in a folder of its own.
pub fn java(jdk: &Jdk, folder: &Path, arguments: &[&str]) -> Output {
    Command::new(jdk.java())
        .env_remove("JAVA_TOOL_OPTIONS")
        .env_remove("RECRASH_OPTIONS")
        .current_dir(folder)
        .args(arguments)
        .output()
        .unwrap()
}

/// Standard error without the lines of recrash, and those lines.
pub fn said(output: &Output) -> (String, Vec<String>) {
    let (ours, theirs): (Vec<String>, Vec<String>) = text(&output.stderr)
        .lines()
        .map(str::to_owned)
        .partition(|line| line.starts_with("recrash: "));
    (theirs.join("\n"), ours)
}

/// The only snapshot below `recrash-out` of a folder.
pub fn snapshot(folder: &Path, output: &Output) -> PathBuf {
    let found: Vec<PathBuf> = fs::read_dir(folder.join("recrash-out"))
        .unwrap_or_else(|_| panic!("no snapshot: {}", text(&output.stderr)))
        .map(|entry| entry.unwrap().path())
        .collect();
    assert_eq!(found.len(), 1, "{}", text(&output.stderr));
    found[0].clone()
}

/// The verdict table that `recrash tests` prints.
pub fn verdicts(snapshot: &Path, jdk: &Jdk, class_path: &Path, more: &[&str]) -> String {
    let out = tempfile::tempdir().unwrap();
    let ran = recrash()
        .arg("tests")
        .arg(snapshot)
        .arg("--jdk")
        .arg(&jdk.home)
        .arg("--classpath")
        .arg(class_path)
        .arg("--out")
        .arg(out.path())
        .args(more)
        .output()
        .unwrap();
    text(&ran.stdout) + &text(&ran.stderr)
}

/// The names of the captured frames' methods, innermost first.
pub fn captured(file: &Path) -> Vec<String> {
    let snapshot = Snapshot::read(file).unwrap();
    let frames = snapshot.manifest.frames.iter();
    frames
        .filter(|frame| frame.captured.is_some())
        .map(|frame| format!("{}.{}", frame.element.class, frame.element.method))
        .collect()
}
