//! JDKs, compilers and subjects for the tests of the weaver.

#![allow(dead_code, reason = "every test uses another part of it")]

use std::path::{Path, PathBuf};
use std::process::Command;

use recrash_classfile::{Budget, JarEntry, read_entries};
use recrash_javabuild::Jdk;
use recrash_weave::{Policy, Site, Woven, weave};

/// Every JDK of this machine.
pub fn jdks() -> Vec<Jdk> {
    let all = Jdk::all();
    assert!(!all.is_empty(), "these tests need a JDK");
    all
}

/// Where the Java sources of these tests are.
pub fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java")
}

/// The jars of real libraries that `./x` fetches; none is a valid answer in a fresh clone.
pub fn subjects() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.deps/subjects");
    let Ok(files) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut jars: Vec<PathBuf> = files.filter_map(|file| Some(file.ok()?.path())).collect();
    jars.retain(|path| path.extension().is_some_and(|extension| extension == "jar"));
    jars.sort();
    jars
}

/// Every file of a jar but its signatures, which do not survive weaving.
pub fn read_jar(jar: &Path) -> Vec<JarEntry> {
    let signature = |name: &str| {
        name.starts_with("META-INF/") && (name.ends_with(".SF") || name.ends_with(".RSA"))
    };
    read_entries(jar, Budget::default(), |name| !signature(name)).unwrap()
}

/// Runs a command and returns what it printed; a failure is a test failure.
pub fn run(command: &mut Command) -> (String, String) {
    let output = command
        .output()
        .unwrap_or_else(|defect| panic!("{command:?}: {defect}"));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{command:?} failed\n{out}\n{err}");
    (out, err)
}

/// Compiles Java files; returns the folder of classes.
pub fn compile(jdk: &Jdk, into: &Path, options: &[&str], files: &[PathBuf]) -> PathBuf {
    std::fs::create_dir_all(into).unwrap();
    run(Command::new(jdk.javac())
        .args(["-nowarn", "-d"])
        .arg(into)
        .args(options)
        .args(files));
    into.to_owned()
}

/// The stand-in for `java.lang.$Recrash`, compiled to be patched into `java.base`.
pub fn stub(jdk: &Jdk, into: &Path) -> PathBuf {
    let stub = sources().join("stub");
    let lang = stub.join("java/lang");
    let patch = format!("java.base={}", stub.display());
    let options = [
        "-XDignore.symbol.file",
        "-XDstringConcat=inline",
        "--patch-module",
        &patch,
    ];
    compile(
        jdk,
        into,
        &options,
        &[lang.join("$Recrash.java"), lang.join("$RecrashFrames.java")],
    )
}

/// `java` with every class verified and the stand-in in place.
pub fn java(jdk: &Jdk, stub: &Path) -> Command {
    let mut command = Command::new(jdk.java());
    command.args(["-Xverify:all", "-Xlog:disable", "-Xlog:all=off"]);
    command
        .arg("--patch-module")
        .arg(format!("java.base={}", stub.display()));
    command
}

/// Weaves entries in place and returns all sites; ids count through.
pub fn weave_all(entries: &mut [JarEntry], policy: &Policy) -> Vec<Site> {
    let mut all = Vec::new();
    for entry in entries.iter_mut().filter(|entry| entry.is_class()) {
        if let Woven::Changed { bytes, sites, .. } = weave(&entry.bytes, all.len() as u32, policy) {
            entry.bytes = bytes;
            all.extend(sites);
        }
    }
    all
}

/// Writes entries as files below a folder.
pub fn write_folder(entries: &[JarEntry], folder: &Path) {
    for entry in entries {
        let path = folder.join(&entry.name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, &entry.bytes).unwrap();
    }
}

/// Writes entries as a jar.
pub fn write_jar(entries: &[JarEntry], path: &Path) {
    use std::io::Write;
    let options =
        zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    let mut jar = zip::ZipWriter::new(std::fs::File::create(path).unwrap());
    for entry in entries {
        jar.start_file(entry.name.as_str(), options).unwrap();
        jar.write_all(&entry.bytes).unwrap();
    }
    jar.finish().unwrap();
}
