//! `recrash shrink` on crashes of small programs: the crash stays, the state goes. Every test runs the real binary.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test ends at the first surprise"
)]

use crate::common;

use common::{jdk, recrash, snapshots, text};
use recrash_heap::{Kind, ObjectId, Snapshot, Value};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;
use tempfile::TempDir;

/// A crash in a folder of its own.
struct Crash {
    folder: TempDir,
    snapshot: PathBuf,
}

impl Crash {
    /// Compiles the sources and runs `main` to its crash.
    fn of(sources: &[PathBuf], main: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let classes = folder.path().join("classes");
        common::javac(&jdk(), &[], &classes, sources);
        let out = folder.path().join("out");
        let ran = recrash()
            .args(["run", "--no-tests", "--out"])
            .arg(&out)
            .arg("--")
            .arg(jdk().java())
            .arg("-cp")
            .arg(&classes)
            .arg(main)
            .current_dir(folder.path())
            .output()
            .unwrap();
        let snapshot = snapshots(&out).into_iter().next();
        Crash {
            folder,
            snapshot: snapshot.unwrap_or_else(|| panic!("{}", text(&ran.stderr))),
        }
    }

    fn of_source(name: &str, source: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(format!("{name}.java"));
        std::fs::write(&file, source).unwrap();
        Self::of(&[file], name)
    }

    /// Captured once for all tests.
    fn of_warehouse() -> Self {
        static WAREHOUSE_CRASH: OnceLock<Crash> = OnceLock::new();
        let captured = WAREHOUSE_CRASH.get_or_init(|| Self::of_source("Warehouse", WAREHOUSE));
        let folder = tempfile::tempdir().unwrap();
        let snapshot = folder.path().join("warehouse.recrash");
        std::fs::copy(&captured.snapshot, &snapshot).unwrap();
        Crash { folder, snapshot }
    }

    fn of_example(folder: &str, main: &str) -> Self {
        let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
        let sources = std::fs::read_dir(examples.join(folder)).unwrap();
        let sources = sources.map(|entry| entry.unwrap().path());
        Self::of(&sources.collect::<Vec<_>>(), main)
    }

    fn out(&self) -> PathBuf {
        self.folder.path().join("small.recrash")
    }

    fn shrink(&self, options: &[&str]) -> Output {
        recrash()
            .arg("shrink")
            .arg(&self.snapshot)
            .arg("-o")
            .arg(self.out())
            .args(options)
            .output()
            .unwrap()
    }

    fn shrunk(&self, options: &[&str]) -> Snapshot {
        let output = self.shrink(options);
        assert!(output.status.success(), "{}", text(&output.stderr));
        Snapshot::read(&self.out()).unwrap()
    }

    /// How many frames `recrash tests` finds to reproduce in the shrunk snapshot.
    fn reproduced(&self) -> usize {
        let output = recrash()
            .args(["tests", "--json"])
            .arg(self.out())
            .output()
            .unwrap();
        let verdicts: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let frames = verdicts["frames"].as_array().unwrap();
        frames
            .iter()
            .filter(|frame| frame["verdict"] == "reproduced")
            .count()
    }
}

const WAREHOUSE: &str = r#"
import java.util.*;

public class Warehouse {
    static final Map<String, Integer> PRICES = new LinkedHashMap<>();
    static List<String> log = new ArrayList<>();

    static class Item {
        String name;
        Item bundledWith;
        int[] history = new int[50];

        Item(String name) {
            this.name = name;
        }
    }

    final List<Item> items = new ArrayList<>();
    final Map<String, Item> byName = new HashMap<>();
    final TreeMap<String, Item> sorted = new TreeMap<>();
    final LinkedList<Item> queue = new LinkedList<>();
    String owner = "Grace Hopper, 12 Harbour Street";

    void add(Item item) {
        items.add(item);
        byName.put(item.name, item);
        sorted.put(item.name, item);
        queue.add(item);
        log.add("added " + item.name);
        PRICES.put(item.name, 1000 + items.size());
    }

    int total() {
        int total = 0;
        for (Item item : items) {
            total += price(item);
        }
        return total;
    }

    int price(Item item) {
        return item.name.startsWith("bundle") ? item.bundledWith.name.length() : 1;
    }

    public static void main(String[] arguments) {
        Warehouse warehouse = new Warehouse();
        for (int i = 0; i < 60; i++) {
            warehouse.add(new Item("item number " + i));
        }
        warehouse.add(new Item("bundle of nothing"));
        System.out.println(warehouse.total());
    }
}
"#;

#[test]
fn a_crash_keeps_what_it_needs_and_nothing_else() {
    let crash = Crash::of_warehouse();
    let before = Snapshot::read(&crash.snapshot).unwrap();
    let after = crash.shrunk(&[]);
    let noted = after.manifest.shrunk.clone().unwrap();
    assert_eq!(noted.objects_before, before.heap.len());
    assert_eq!(noted.objects, after.heap.len());
    assert_eq!(noted.frames, [0, 1, 2]);
    assert!(noted.minimal);
    assert!(
        after.heap.len() * 10 <= before.heap.len(),
        "{} of {} objects are left",
        after.heap.len(),
        before.heap.len()
    );
    // The one that matters is left, and nobody's address.
    let strings: Vec<String> = after
        .heap
        .objects()
        .filter_map(|object| match object.kind {
            Kind::String(text) => Some(text.to_string()),
            _ => None,
        })
        .collect();
    assert!(strings.iter().any(|text| text == "bundle"), "{strings:?}");
    assert!(!strings.iter().any(|text| text.contains("Harbour")));
    // A list that lost members is still a list: its size is the number of its elements.
    let lists = after
        .heap
        .objects()
        .filter(|o| o.class == "java.util.ArrayList");
    for list in lists {
        let fields = list.kind.fields();
        let field = |name| fields.iter().find(|f| f.name == name).unwrap().value;
        let Value::Ref(array) = field("elementData") else {
            continue;
        };
        if let Some(length) = after.heap.array_length(array) {
            assert_eq!(field("size"), Value::Int(length as i32));
        }
    }
    assert_eq!(crash.reproduced(), 3);
    let left: Vec<_> = std::fs::read_dir(crash.folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.contains("unfinished") || name.contains(".part"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn one_frame_alone_is_smaller_and_the_others_are_gone() {
    let crash = Crash::of_warehouse();
    let after = crash.shrunk(&["--frame", "0"]);
    let captured = |frame: usize| after.manifest.frames[frame].captured.as_ref();
    assert!(captured(1).is_none() && captured(2).is_none());
    let innermost = captured(0).unwrap();
    let Value::Ref(ObjectId(item)) = innermost.arguments[0].value else {
        panic!("{innermost:?}");
    };
    assert!(item > 0 && after.heap.len() <= 4, "{}", after.heap.len());
    let shown = recrash().arg("show").arg(crash.out()).output().unwrap();
    let shown = text(&shown.stdout);
    assert!(
        shown.contains("so that frame 0 reproduces the crash as before"),
        "{shown}"
    );
    assert_eq!(crash.reproduced(), 1);
}

#[test]
fn a_tree_of_the_programs_own_shrinks() {
    let crash = Crash::of_example("bst", "CastOnInsert");
    let before = Snapshot::read(&crash.snapshot).unwrap();
    let after = crash.shrunk(&[]);
    assert!(after.heap.len() < before.heap.len());
    assert_eq!(
        crash.reproduced(),
        after.manifest.shrunk.unwrap().frames.len()
    );
}

#[test]
fn static_state_that_the_crash_needs_stays() {
    let crash = Crash::of_example("static-state", "Registry");
    let after = crash.shrunk(&[]);
    let frames = after.manifest.shrunk.unwrap().frames.len();
    assert!(frames > 0);
    assert_eq!(crash.reproduced(), frames);
}

#[test]
fn what_was_ended_early_is_taken_up_again() {
    let crash = Crash::of_warehouse();
    let nothing = crash.shrink(&["--resume"]);
    assert_eq!(nothing.status.code(), Some(1));
    assert!(text(&nothing.stderr).contains("nothing to resume"));
    let early = crash.shrunk(&["--limit", "0.01"]);
    let unfinished = crash.folder.path().join("small.recrash.unfinished");
    assert!(!early.manifest.shrunk.as_ref().unwrap().minimal);
    assert!(unfinished.is_file());
    let other = crash.shrink(&["--resume", "--frame", "0"]);
    assert_eq!(other.status.code(), Some(1));
    assert!(text(&other.stderr).contains("progress of another"));
    let late = crash.shrunk(&["--resume"]);
    let (first, second) = (
        early.manifest.shrunk.unwrap(),
        late.manifest.shrunk.unwrap(),
    );
    assert!(second.minimal && second.objects < first.objects);
    assert!(second.trials > first.trials && second.milliseconds >= first.milliseconds);
    assert!(!unfinished.exists());
    assert_eq!(crash.reproduced(), 3);
}

#[test]
fn a_crash_that_does_not_happen_again_is_not_shrunk() {
    let source = r#"
public class Once {
    public static void main(String[] arguments) throws Exception {
        if (new java.io.File("ran").createNewFile()) {
            throw new IllegalStateException("only here");
        }
    }
}
"#;
    let crash = Crash::of_source("Once", source);
    let output = crash.shrink(&[]);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{message}");
    assert_eq!(message.lines().count(), 1, "{message}");
    assert!(
        message.contains("no frame reproduces the crash"),
        "{message}"
    );
    assert!(!crash.out().exists());
}

#[test]
fn bad_input_is_one_line() {
    let crash = Crash::of_warehouse();
    let refused = |output: Output, expected: &str| {
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{message}");
        assert_eq!(message.lines().count(), 1, "{message}");
        assert!(message.starts_with("recrash: "), "{message}");
        assert!(message.contains(expected), "{expected}: {message}");
    };
    refused(crash.shrink(&["--frame", "77"]), "no frame 77");
    let same = recrash()
        .arg("shrink")
        .arg(&crash.snapshot)
        .arg("-o")
        .arg(&crash.snapshot)
        .output()
        .unwrap();
    refused(same, "would replace the snapshot itself");
    let nowhere = recrash()
        .args(["shrink", "/nowhere/crash.recrash"])
        .output()
        .unwrap();
    refused(nowhere, "/nowhere/crash.recrash");
    let nowhere = recrash()
        .arg("shrink")
        .arg(&crash.snapshot)
        .args(["-o", "/nowhere/small.recrash"])
        .output()
        .unwrap();
    refused(nowhere, "/nowhere");
}

#[test]
fn an_interrupt_leaves_the_best_so_far() {
    let crash = Crash::of_warehouse();
    let mut child = recrash()
        .arg("shrink")
        .arg(&crash.snapshot)
        .arg("-o")
        .arg(crash.out())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    // Its first child is the worker, which is started after the signals are listened for.
    let children = format!("/proc/{0}/task/{0}/children", child.id());
    while std::fs::read_to_string(&children).is_ok_and(|children| children.is_empty()) {
        std::thread::yield_now();
    }
    let sent = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(sent.success());
    assert!(child.wait().unwrap().success());
    let noted = Snapshot::read(&crash.out())
        .unwrap()
        .manifest
        .shrunk
        .unwrap();
    assert!(!noted.minimal);
    let mut left: Vec<String> = std::fs::read_dir(crash.folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    left.sort();
    assert_eq!(
        left,
        [
            "small.recrash",
            "small.recrash.unfinished",
            "warehouse.recrash"
        ]
    );
}
