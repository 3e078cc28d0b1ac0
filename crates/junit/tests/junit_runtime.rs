//! recrash-junit.jar in real JVMs: without any system property, and on snapshots that are not what they should be.

// Functions that only tests call may fail like tests.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use std::path::Path;
use std::time::Duration;

use recrash_jvm::{ClassPath, Compilation, Compilers, Finished, Jdk, Launch, find_jdks, run};

const PROGRAM: &str = r#"
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.zip.*;
import recrash.junit.*;

public class Trouble {
    private static final ThreadLocal<List<String>> LOCAL = ThreadLocal.withInitial(ArrayList::new);
    private static String label = "initial";
    private final String name;

    Trouble(String name) { this.name = name; }

    private int size(int... more) {
        return name.length() + more.length + LOCAL.get().get(0).length() + label.length();
    }

    static void fail() {
        label = "captured";
        LOCAL.get().add(Locale.getDefault() + " " + TimeZone.getDefault().getID() + " " + System.getProperty("app.mode"));
        new Trouble(null).size(1, 2);
    }

    public static void main(String[] arguments) throws Exception {
        if (arguments.length == 0) {
            fail();
        }
        Path good = Paths.get(arguments[0]);
        report("good", good, 0);
        System.out.println(Locale.getDefault() + " " + TimeZone.getDefault().getID() + " " + System.getProperty("app.mode")
                + " " + label + " " + LOCAL.get());
        Path bad = Paths.get("bad.recrash");
        report("missing", bad, 0);
        Files.write(bad, new byte[0]);
        report("empty", bad, 0);
        report("folder", Paths.get("."), 0);
        report("frame", good, 1000);
        byte[] bytes = Files.readAllBytes(good);
        for (int cut = 1; cut < bytes.length; cut += Math.max(1, bytes.length / 40)) {
            Files.write(bad, Arrays.copyOf(bytes, cut));
            report("truncated", bad, 0);
        }
        Random random = new Random(7);
        for (int i = 0; i < 200; i++) {
            byte[] flipped = bytes.clone();
            flipped[random.nextInt(flipped.length)] ^= 1 << random.nextInt(8);
            Files.write(bad, flipped);
            report("flipped", bad, 0);
        }
        String manifest = manifest(good);
        for (String text : new String[] {"", "{", "[]", "nonsense", manifest.replaceFirst("\"format\": *1", "\"format\":99"),
                String.join("", Collections.nCopies(100_000, "[")), manifest.substring(0, manifest.length() / 2)}) {
            write(good, bad, text);
            report("manifest", bad, 0);
        }
    }

    private static String manifest(Path file) throws IOException {
        try (ZipFile zip = new ZipFile(file.toFile()); InputStream in = zip.getInputStream(zip.getEntry("manifest.json"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static void write(Path from, Path to, String manifest) throws IOException {
        try (ZipFile zip = new ZipFile(from.toFile()); ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(to))) {
            for (ZipEntry entry : Collections.list(zip.entries())) {
                out.putNextEntry(new ZipEntry(entry.getName()));
                out.write(entry.getName().equals("manifest.json") ? manifest.getBytes(StandardCharsets.UTF_8)
                        : zip.getInputStream(entry).readAllBytes());
            }
        }
    }

    private static void report(String what, Path file, int frame) {
        try {
            Snapshot.open(file, Trouble.class.getClassLoader()).frame(frame).invoke();
            System.out.println(what + ": returned");
        } catch (Throwable e) {
            StackTraceElement[] trace = e.getStackTrace();
            System.out.println(what + ": " + e.getClass().getName() + " "
                    + (e instanceof SnapshotException ? e.getMessage() : trace.length > 0 ? trace[0].getMethodName() : ""));
        }
    }
}
"#;

fn with_every_jdk(test: impl Fn(&Jdk, &Path)) {
    let jdks: Vec<Jdk> = find_jdks()
        .into_iter()
        .filter(|jdk| jdk.javac.is_some() && jdk.version.feature >= 17)
        .collect();
    assert!(!jdks.is_empty());
    for jdk in jdks {
        let folder = tempfile::tempdir().unwrap();
        test(&jdk, folder.path());
    }
}

/// Captures a failure of `Trouble` in `folder`, then runs it again on the snapshot with `options`.
fn replay(jdk: &Jdk, folder: &Path, options: &[&str]) -> Finished {
    let bundle = recrash_bundle::unpack().unwrap();
    let source = folder.join("Trouble.java");
    std::fs::write(&source, PROGRAM).unwrap();
    let class_path = ClassPath::new(
        [folder.join("classes"), bundle.junit_runtime.clone()],
        folder,
    );
    let compilation = Compilation {
        sources: &[source],
        class_path: &class_path,
        output: &folder.join("classes"),
        options: &[],
        limit: Duration::from_secs(120),
    };
    let compilers = Compilers::new(bundle.worker.clone());
    compilers.compile(jdk, &compilation).unwrap();
    let java = || {
        Launch::new(&jdk.java())
            .directory(folder)
            .limit(Duration::from_secs(200))
    };
    let out = folder.join("out");
    let captured = java()
        .argument(format!(
            "-agentpath:{}=out={}",
            bundle.agent.display(),
            out.display()
        ))
        .arguments([
            "-Duser.language=tr",
            "-Duser.country=",
            "-Duser.timezone=Asia/Tokyo",
            "-Dapp.mode=crash",
        ])
        .arguments([
            "-classpath".as_ref(),
            class_path.joined().as_os_str(),
            "Trouble".as_ref(),
        ]);
    let captured = run(&captured).unwrap();
    let snapshot = std::fs::read_dir(&out)
        .ok()
        .and_then(|mut files| files.find_map(|file| Some(file.ok()?.path())))
        .unwrap_or_else(|| panic!("no snapshot: {captured:?}"));
    let again = java()
        .arguments(options)
        .arguments([
            "-classpath".as_ref(),
            class_path.joined().as_os_str(),
            "Trouble".as_ref(),
        ])
        .argument(snapshot);
    run(&again).unwrap()
}

#[test]
fn the_jar_alone_restores_statics_thread_locals_and_surroundings() {
    with_every_jdk(|jdk, folder| {
        let home = format!("-Duser.home={}", folder.display());
        let finished = replay(jdk, folder, &[&home]);
        let lines: Vec<&str> = finished.stdout.lines().collect();
        assert_eq!(
            lines[0], "good: java.lang.NullPointerException size",
            "{finished:?}"
        );
        assert_eq!(
            lines[1], "tr Asia/Tokyo crash captured [tr Asia/Tokyo crash]",
            "{finished:?}"
        );
    });
}

#[test]
fn a_bad_snapshot_is_one_sentence_and_never_a_dead_jvm() {
    with_every_jdk(|jdk, folder| {
        let finished = replay(jdk, folder, &[]);
        assert_eq!(finished.status, Some(0), "{finished:?}");
        let mut seen = 0;
        for line in finished.stdout.lines().skip(2) {
            let (what, said) = line.split_once(": ").unwrap();
            seen += 1;
            // A flipped bit may hit what nobody reads, a name or a number: then the frame runs, differently or not.
            if what != "flipped" {
                assert!(
                    said.starts_with("recrash.junit.SnapshotException "),
                    "{line}"
                );
            }
            assert!(
                !said.contains("java.lang.IllegalArgumentException"),
                "{line}"
            );
            assert!(said.len() < 400, "{line}");
        }
        assert!(seen > 250, "{finished:?}");
    });
}

#[test]
fn a_home_that_cannot_be_written_does_not_matter() {
    with_every_jdk(|jdk, folder| {
        let finished = replay(jdk, folder, &["-Duser.home=/dev/null"]);
        assert!(
            finished
                .stdout
                .starts_with("good: java.lang.NullPointerException size"),
            "{finished:?}"
        );
    });
}

#[test]
fn a_library_that_is_none_is_named() {
    with_every_jdk(|jdk, folder| {
        let finished = replay(jdk, folder, &["-Drecrash.library=/dev/null"]);
        let first = finished.stdout.lines().next().unwrap();
        assert!(
            first.starts_with("good: recrash.junit.SnapshotException /dev/null cannot be loaded"),
            "{first}"
        );
    });
}
