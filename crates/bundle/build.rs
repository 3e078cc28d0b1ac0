//! Makes what the binary carries: the agent library (by a nested cargo run, because it is another artefact for another
//! process), the jars of `java/`, and JUnit.

use std::collections::BTreeSet;
use std::collections::hash_map::DefaultHasher;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::hash::Hasher;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use recrash_javabuild::{Compilation, Jdk, jar, write_sources};

/// Where recrash.junit.Native looks for the library.
const LIBRARY_IN_JAR: &str = "recrash/junit/native/linux-x86_64/librecrash.so";

/// Java 8 class files: a test project may be older than the JDK that captured the failure.
const FLAGS: [&str; 4] = ["--release", "8", "-g", "-Xlint:-options"];

/// What the Maven plugin is compiled against; Maven has it, so nothing of it is carried.
const MAVEN_API: &str = "maven-plugin-api.jar";

const JUNIT: [&str; 3] = [
    "junit-platform-console-standalone.jar",
    "junit4.jar",
    "hamcrest-core.jar",
];

fn main() -> ExitCode {
    match build() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn build() -> Result<(), Box<dyn Error>> {
    let out = PathBuf::from(std::env::var_os("OUT_DIR").ok_or("OUT_DIR is not set")?);
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .ok_or("the crate is not inside its workspace")?;
    let junit = JUNIT.map(|name| dependency(workspace, name));
    let junit = junit.into_iter().collect::<Result<Vec<_>, _>>()?;
    let library = agent(workspace, &out)?;
    let jdk = Jdk::find()?;
    let runtime = junit_runtime(workspace, &out, &jdk, &library, &junit)?;
    let worker = worker(workspace, &out, &jdk)?;
    let api = api(workspace, &out, &jdk, &junit)?;
    let offline = offline(workspace, &out, &jdk)?;
    let maven_plugin = maven_plugin(workspace, &out, &jdk)?;
    let mut files = vec![
        ("librecrash.so", library),
        ("recrash-junit.jar", runtime),
        ("recrash-worker.jar", worker),
        ("recrash-offline.jar", offline),
        ("recrash-api.jar", api),
        ("recrash-maven-plugin.jar", maven_plugin),
    ];
    files.extend(JUNIT.into_iter().zip(junit));
    embed(&out, &files)
}

fn dependency(workspace: &Path, name: &str) -> Result<PathBuf, Box<dyn Error>> {
    let path = workspace.join(".deps").join(name);
    println!("cargo::rerun-if-changed={}", path.display());
    if path.is_file() {
        Ok(path)
    } else {
        Err(format!("{} is missing; `./x build` fetches it", path.display()).into())
    }
}

/// The agent library, built with optimization whatever the outer profile is: one build serves them all.
fn agent(workspace: &Path, out: &Path) -> Result<PathBuf, Box<dyn Error>> {
    // OUT_DIR is TARGET/PROFILE/build/PACKAGE/out.
    let target = out.ancestors().nth(4).unwrap_or(out).join("agent");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args([
            "build",
            "--release",
            "--package",
            "recrash-agent",
            "--target-dir",
        ])
        .arg(&target)
        .current_dir(workspace)
        // Under `cargo clippy` the nested build would be linted too, and fail on warnings.
        .env_remove("RUSTC_WORKSPACE_WRAPPER")
        .env_remove("CLIPPY_ARGS")
        .output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    let library = target.join("release/librecrash.so");
    follow(workspace, &library.with_extension("d"))?;
    Ok(library)
}

/// Tells cargo to come back when anything changes that the nested build read: cargo wrote the list itself, so none of its
/// crates can be forgotten here. Manifests are not on that list.
fn follow(workspace: &Path, list: &Path) -> Result<(), Box<dyn Error>> {
    let text = fs::read_to_string(list)?;
    let (_, sources) = text
        .split_once(": ")
        .ok_or_else(|| format!("{} names no sources", list.display()))?;
    let mut watched: BTreeSet<PathBuf> = ["Cargo.toml", "Cargo.lock"]
        .map(|file| workspace.join(file))
        .into();
    // A space inside a path is escaped.
    let sources = sources.trim_end().replace("\\ ", "\0");
    for source in sources.split(' ') {
        let source = PathBuf::from(source.replace('\0', " "));
        // What the build itself made lies in the target folder and changes with what it was made of.
        if list
            .parent()
            .is_some_and(|target| source.starts_with(target))
        {
            continue;
        }
        let manifests = source.ancestors().map(|folder| folder.join("Cargo.toml"));
        watched.extend(
            manifests
                .take_while(|path| path.starts_with(workspace))
                .find(|path| path.is_file()),
        );
        watched.insert(source);
    }
    for path in watched {
        println!("cargo::rerun-if-changed={}", path.display());
    }
    Ok(())
}

fn junit_runtime(
    workspace: &Path,
    out: &Path,
    jdk: &Jdk,
    library: &Path,
    junit: &[PathBuf],
) -> Result<PathBuf, Box<dyn Error>> {
    let classes = out.join("junit-classes");
    compile(&workspace.join("java/junit"), &classes, junit, jdk)?;
    let inside = classes.join(LIBRARY_IN_JAR);
    fs::create_dir_all(inside.parent().unwrap_or(&classes))?;
    fs::copy(library, inside)?;
    let target = out.join("recrash-junit.jar");
    jar(jdk, &classes, &target)?;
    Ok(target)
}

/// The JVM that tries candidates: it uses the classes that tests use.
fn worker(workspace: &Path, out: &Path, jdk: &Jdk) -> Result<PathBuf, Box<dyn Error>> {
    let classes = out.join("worker-classes");
    let generated = out.join("worker-generated");
    write_sources(&generated, &recrash_wire::java::worker())?;
    let source_path = generated.display().to_string();
    let flags = [&FLAGS[..], &["-sourcepath", &source_path]].concat();
    Compilation {
        sources: &workspace.join("java/worker"),
        classes: &classes,
        flags: &flags,
        class_path: &[out.join("junit-classes")],
    }
    .run(jdk)?;
    let target = out.join("recrash-worker.jar");
    jar(jdk, &classes, &target)?;
    Ok(target)
}

/// What programs with capture points are compiled against, and the names that tests of before use: they lead to
/// `recrash.junit`, which is why its classes and JUnit are needed here.
fn api(
    workspace: &Path,
    out: &Path,
    jdk: &Jdk,
    junit: &[PathBuf],
) -> Result<PathBuf, Box<dyn Error>> {
    let classes = out.join("api-classes");
    let mut class_path = vec![out.join("junit-classes")];
    class_path.extend_from_slice(junit);
    compile(&workspace.join("java/api"), &classes, &class_path, jdk)?;
    let target = out.join("recrash-api.jar");
    jar(jdk, &classes, &target)?;
    Ok(target)
}

/// The Maven plugin: its classes, and the descriptor that Maven reads, with our version.
fn maven_plugin(workspace: &Path, out: &Path, jdk: &Jdk) -> Result<PathBuf, Box<dyn Error>> {
    let (sources, classes) = (workspace.join("java/maven"), out.join("maven-classes"));
    let api = dependency(workspace, MAVEN_API)?;
    compile(&sources, &classes, &[api], jdk)?;
    let descriptor = "META-INF/maven/plugin.xml";
    let text = fs::read_to_string(sources.join(descriptor))?;
    let text = text.replace("@VERSION@", env!("CARGO_PKG_VERSION"));
    fs::create_dir_all(classes.join("META-INF/maven"))?;
    fs::write(classes.join(descriptor), text)?;
    let target = out.join("recrash-maven-plugin.jar");
    jar(jdk, &classes, &target)?;
    Ok(target)
}

/// What instrumented programs carry. It stands alone, so it has the one class that it shares with tests as its own.
fn offline(workspace: &Path, out: &Path, jdk: &Jdk) -> Result<PathBuf, Box<dyn Error>> {
    let sources = out.join("offline-sources");
    let package = Path::new("recrash/start");
    fs::create_dir_all(sources.join(package))?;
    let start = workspace
        .join("java/offline")
        .join(package)
        .join("Start.java");
    let library = workspace.join("java/junit/recrash/junit/Library.java");
    for source in [&start, &library] {
        println!("cargo::rerun-if-changed={}", source.display());
    }
    fs::copy(start, sources.join(package).join("Start.java"))?;
    let text = fs::read_to_string(library)?;
    let text = text.replace("package recrash.junit;", "package recrash.start;");
    fs::write(sources.join(package).join("Library.java"), text)?;
    let classes = out.join("offline-classes");
    compile(&sources, &classes, &[], jdk)?;
    let target = out.join("recrash-offline.jar");
    jar(jdk, &classes, &target)?;
    Ok(target)
}

fn compile(
    sources: &Path,
    classes: &Path,
    class_path: &[PathBuf],
    jdk: &Jdk,
) -> Result<(), Box<dyn Error>> {
    Compilation {
        sources,
        classes,
        flags: &FLAGS,
        class_path,
    }
    .run(jdk)?;
    Ok(())
}

fn embed(out: &Path, files: &[(&str, PathBuf)]) -> Result<(), Box<dyn Error>> {
    let mut hasher = DefaultHasher::new();
    let mut list = String::from("pub const FILES: &[(&str, &[u8])] = &[\n");
    for (name, path) in files {
        hasher.write(&fs::read(path)?);
        writeln!(
            list,
            "    ({name:?}, include_bytes!({:?})),",
            path.display().to_string()
        )?;
    }
    list.push_str("];\n");
    writeln!(list, "pub const HASH: &str = \"{:016x}\";", hasher.finish())?;
    fs::write(out.join("files.rs"), list)?;
    Ok(())
}
