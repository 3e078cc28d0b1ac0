use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use clap::Args;
use recrash_jvm::Jdk;
use serde::Deserialize;

use crate::folder;
use crate::place::{Place, class_path, jdks};
use crate::programs::succeed;
use crate::progress;
use crate::table::Table;

#[derive(Args)]
pub struct Options {
    /// Only this JDK; may be repeated
    #[arg(long, value_name = "HOME")]
    jdk: Vec<PathBuf>,
    /// Rounds over the graph that rates are taken from, the later half counted
    #[arg(long, value_name = "N", default_value_t = 40)]
    rounds: usize,
}

/// Levels of the tree whose rates are compared (8,191 nodes, about 100,000 objects)...
const COMPARED: usize = 13;

/// ...and of the one with more than a million objects, carried once by each route in a cold process.
const MILLION: usize = 17;

const JARS: [&str; 4] = [
    "bench/xstream.jar",
    "bench/mxparser.jar",
    "bench/xmlpull.jar",
    "bench/kryo.jar",
];

/// The line of JSON that `bench/heap/HeapRounds.java` prints.
#[derive(Debug, Deserialize)]
struct Rounds {
    objects: u64,
    routes: Vec<Route>,
}

#[derive(Debug, Deserialize)]
struct Route {
    #[serde(rename = "route")]
    name: String,
    capture_per_second: u64,
    restore_per_second: u64,
    bytes: u64,
    cold_capture_ms: u64,
    cold_restore_ms: u64,
}

pub fn run(place: &Place, options: &Options) -> Result<()> {
    for jdk in jdks(&options.jdk)? {
        let scratch = tempfile::tempdir()?;
        let heap = Heap::prepare(place, &jdk, scratch.path())?;
        progress::show(&format!("Java {}, the compared graph", jdk.version));
        let compared = heap.rounds(options.rounds, COMPARED)?;
        progress::show(&format!("Java {}, the large graph", jdk.version));
        let million = heap.rounds(1, MILLION)?;
        progress::clear();
        print!("{}", report(&jdk, options.rounds, &compared, &million));
    }
    Ok(())
}

/// The compiled benchmark; the runtime is patched into java.base, where the agent would define it.
struct Heap<'a> {
    jdk: &'a Jdk,
    folder: &'a Path,
    runtime: PathBuf,
    class_path: String,
}

impl<'a> Heap<'a> {
    fn prepare(place: &Place, jdk: &'a Jdk, scratch: &'a Path) -> Result<Heap<'a>> {
        let (sources, bench) = (
            place.root.join("java/runtime"),
            place.root.join("bench/heap"),
        );
        let (runtime, classes) = (scratch.join("runtime"), scratch.join("classes"));
        let compiler = recrash_javabuild::Jdk::at(&jdk.home).context("the JDK has no javac")?;
        let generated = recrash_wire::java::runtime();
        recrash_javabuild::compile_rooms(&compiler, &sources, &generated, &runtime)?;
        let mut javac = Command::new(jdk.javac()?);
        javac.arg("--patch-module").arg(patch(&runtime)).args([
            "-source",
            "11",
            "-target",
            "11",
            "-nowarn",
            "-encoding",
            "UTF-8",
        ]);
        javac
            .args(["-XDignore.symbol.file", "-XDstringConcat=inline", "-d"])
            .arg(&runtime);
        javac.args(java_files(&bench.join("java"))?);
        succeed(&mut javac, scratch)?;
        let mut path = place.jars(&JARS)?;
        let mut javac = Command::new(jdk.javac()?);
        javac
            .arg("--patch-module")
            .arg(patch(&runtime))
            .args(["-nowarn", "-encoding", "UTF-8", "-d"])
            .arg(&classes);
        javac
            .arg("-cp")
            .arg(class_path(&path))
            .arg(bench.join("Graph.java"))
            .arg(bench.join("HeapRounds.java"));
        succeed(&mut javac, scratch)?;
        path.push(classes);
        Ok(Heap {
            jdk,
            folder: scratch,
            runtime,
            class_path: class_path(&path),
        })
    }

    fn rounds(&self, rounds: usize, depth: usize) -> Result<Rounds> {
        let mut java = Command::new(self.jdk.java());
        java.arg("--patch-module")
            .arg(patch(&self.runtime))
            .args(["-Xms3g", "-Xmx3g", "-Xss16m", "-cp"]);
        java.args([
            &self.class_path,
            "HeapRounds",
            &rounds.to_string(),
            &depth.to_string(),
        ]);
        let output = succeed(&mut java, self.folder)?;
        serde_json::from_str(&output)
            .context("bench/heap/HeapRounds.java prints something else than expected")
    }
}

fn patch(folder: &Path) -> String {
    format!("java.base={}", folder.display())
}

fn java_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let files = folder::files(folder)?
        .into_iter()
        .map(|file| folder.join(file));
    Ok(files
        .filter(|file| {
            file.extension()
                .is_some_and(|extension| extension == "java")
        })
        .collect())
}

fn report(jdk: &Jdk, rounds: usize, compared: &Rounds, million: &Rounds) -> String {
    let headings = [
        "route",
        "capture objects/s ",
        "restore objects/s ",
        "bytes/object ",
        "large: capture ms ",
        "restore ms ",
    ];
    let mut table = Table::new(&headings);
    for (route, large) in compared.routes.iter().zip(&million.routes) {
        table.row(vec![
            route.name.clone(),
            route.capture_per_second.to_string(),
            route.restore_per_second.to_string(),
            format!("{:.1}", route.bytes as f64 / compared.objects as f64),
            large.cold_capture_ms.to_string(),
            large.cold_restore_ms.to_string(),
        ]);
    }
    let mut text = format!(
        "Java {}: {} objects, {rounds} rounds; large: {} objects, a cold process\n{}",
        jdk.version,
        compared.objects,
        million.objects,
        table.text()
    );
    if let [recrash, others @ ..] = compared.routes.as_slice() {
        for other in others {
            let ratio = |ours: u64, theirs: u64| ours as f64 / theirs as f64;
            let capture = ratio(recrash.capture_per_second, other.capture_per_second);
            let restore = ratio(recrash.restore_per_second, other.restore_per_second);
            let name = &other.name;
            let _ = writeln!(
                text,
                "recrash is {capture:.1}x as fast as {name} at capture, {restore:.1}x at restore"
            );
        }
    }
    text
}
