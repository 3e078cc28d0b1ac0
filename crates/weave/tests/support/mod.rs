//! JDKs, compilers and subjects for the tests of the weaver.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]
#![allow(dead_code, reason = "every test uses another part of it")]

use std::path::{Path, PathBuf};
use std::process::Command;

use recrash_classfile::{
    Budget, ClassFile, ClassPatch, Code, CodePatch, Entry, Error, Insertion, JarEntry, Member,
    MethodType, PoolAppender, VerificationType, access, initial_locals, opcode, read_entries,
};
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
        name.starts_with("META-INF/") && [".SF", ".RSA"].iter().any(|end| name.ends_with(end))
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
        &["$Recrash", "$RecrashFrames", "$RecrashJournal"]
            .map(|class| lang.join(format!("{class}.java"))),
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
            all.extend(sites.iter());
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

/// The classes of a module of the JDK.
pub fn jdk_classes(jdk: &Jdk, module: &str, folder: &Path) -> PathBuf {
    let dump = compile(
        jdk,
        &folder.join("dump"),
        &[],
        &[sources().join("judge/Dump.java")],
    );
    let jar = folder.join(format!("{module}.jar"));
    run(Command::new(jdk.java())
        .arg("-cp")
        .arg(&dump)
        .args(["judge.Dump", module])
        .arg(&jar));
    jar
}

/// Puts a `nop` in front of every instruction that another one runs into; returns how many methods had room for it.
pub fn move_apart(entry: &mut JarEntry) -> usize {
    if !entry.is_class() {
        return 0;
    }
    let nops = |code: &Code<'_>| {
        let mut insertions = Vec::new();
        let mut runs_on = true;
        for instruction in code.instructions().map(Result::unwrap) {
            if runs_on {
                insertions.push(Insertion {
                    pc: instruction.pc,
                    code: vec![opcode::NOP],
                    joined: false,
                });
            }
            let opcode = instruction.opcode;
            runs_on = !matches!(
                opcode,
                opcode::GOTO | opcode::RET..=opcode::RETURN | opcode::ATHROW | opcode::GOTO_W
            );
        }
        insertions
    };
    let (bytes, moved) = insert(&entry.bytes, nops);
    entry.bytes = bytes;
    moved
}

/// Inserts code into every method where that is possible; returns the class and how many methods there were.
pub fn insert(bytes: &[u8], what: impl Fn(&Code<'_>) -> Vec<Insertion>) -> (Vec<u8>, usize) {
    let class = ClassFile::read(bytes).unwrap();
    let mut pool = PoolAppender::new(&class.pool);
    let mut patch = ClassPatch::new(&class);
    let mut moved = 0;
    for method in &class.methods {
        let Some(code) = class.code(method).unwrap() else {
            continue;
        };
        let entry = entry_of(&class, method, &mut pool).unwrap();
        let mut change = CodePatch::default();
        change.insertions = what(&code);
        match patch.replace(&code, |out| change.apply(&code, entry, &mut pool, out)) {
            Ok(()) => moved += 1,
            Err(Error::BranchTooFar { .. } | Error::CodeTooLong { .. }) => {}
            Err(other) => panic!("{}: {other}", class.binary_name()),
        }
    }
    (patch.finish(&pool), moved)
}

pub fn entry_of(
    class: &ClassFile<'_>,
    method: &Member<'_>,
    pool: &mut PoolAppender<'_>,
) -> Result<Entry, Error> {
    if class.major < 50 {
        return Ok(Entry::NoFrames);
    }
    let receiver = match (method.is(access::STATIC), method.name) {
        (true, _) => None,
        (false, b"<init>") => Some(VerificationType::UninitializedThis),
        (false, _) => Some(VerificationType::Object(class.this_index)),
    };
    Ok(Entry::Locals(initial_locals(
        receiver,
        &MethodType::read(method.descriptor)?,
        pool,
    )?))
}
