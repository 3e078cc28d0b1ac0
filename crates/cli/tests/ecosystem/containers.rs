//! As in a container: no root, no home, a root file system that cannot be written, and one volume that can.
//!
//! There is no container engine here. Its means are used directly: a mount namespace in which everything but the volume is
//! read-only, and a user that no file knows.

use crate::ecosystem::support::{crash, jdk, recrash, root, snapshots, stderr, stdout, succeed};
use recrash_heap::Snapshot;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

const USER: u32 = 10_001;

struct Container {
    folder: TempDir,
    /// What the test may do on this machine.
    means: Means,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Means {
    /// Mounts and another user.
    Root,
    /// Mounts in a user namespace of our own.
    User,
    /// Nothing: the volume and the missing home remain.
    None,
}

impl Means {
    fn find() -> Self {
        let works = |arguments: &[&str]| {
            let tried = Command::new("unshare")
                .args(arguments)
                .args(["sh", "-c", "mount -o remount,bind,ro /"])
                .output();
            tried.is_ok_and(|output| output.status.success())
        };
        if rustix::process::geteuid().is_root() && works(&["--mount"]) {
            Means::Root
        } else if works(&["--map-root-user", "--mount"]) {
            Means::User
        } else {
            eprintln!("no mount namespace can be had here: the file system stays writable");
            Means::None
        }
    }
}

impl Container {
    /// With the agent below `/opt/recrash`, the command, the program's classes and an empty volume.
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let container = Container {
            folder,
            means: Means::find(),
        };
        let everybody = |path: &Path, mode| {
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
        };
        everybody(container.folder.path(), 0o755);
        for name in ["opt/recrash", "bin", "classes/shop", "volume"] {
            std::fs::create_dir_all(container.path(name)).unwrap();
        }
        everybody(&container.path("volume"), 0o777);
        let library = succeed(recrash().args(["agent-path", "--library"]));
        let agent = container.path("opt/recrash/librecrash.so");
        std::fs::copy(library.trim_end(), agent).unwrap();
        std::fs::copy(env!("CARGO_BIN_EXE_recrash"), container.path("bin/recrash")).unwrap();
        std::fs::copy(
            crash().classes().join("shop/Till.class"),
            container.path("classes/shop/Till.class"),
        )
        .unwrap();
        container
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }

    fn volume(&self) -> PathBuf {
        self.path("volume")
    }

    /// `ENV JAVA_TOOL_OPTIONS=…` of the example, with the paths of this container.
    fn java_tool_options(&self) -> String {
        let file = root().join("examples/builds/docker/Dockerfile");
        let text = std::fs::read_to_string(file).unwrap();
        let line = text
            .lines()
            .find_map(|line| line.strip_prefix("ENV JAVA_TOOL_OPTIONS="))
            .unwrap();
        let option = line.trim_matches('"');
        assert_eq!(option, "-agentpath:/opt/recrash/librecrash.so=out=/crashes");
        option
            .replace("/opt/recrash", &self.text("opt/recrash"))
            .replace("/crashes", &self.text("volume"))
    }

    /// Runs a command in the volume, with no variables but these.
    fn run(&self, variables: &[(&str, &str)], command: &[&str]) -> Output {
        let mut inside = match self.means {
            Means::None => Command::new("sh"),
            Means::Root | Means::User => {
                let mut unshare = Command::new("unshare");
                if self.means == Means::User {
                    unshare.arg("--map-root-user");
                }
                unshare.args(["--mount", "sh"]);
                unshare
            }
        };
        let lock = if self.means == Means::None {
            ""
        } else {
            // A mount of its own stays writable when those around it do not.
            "mount --bind \"$0\" \"$0\"; mount -o remount,bind,ro /; mount -o remount,bind,ro /tmp 2> /dev/null || :; \
             if touch \"$0/../probe\" 2> /dev/null; then echo writable; exit 99; fi; "
        };
        let user = match self.means {
            Means::Root => format!("setpriv --reuid {USER} --regid {USER} --clear-groups "),
            Means::User | Means::None => String::new(),
        };
        inside
            .args(["-c", &format!("set -e; {lock}cd \"$0\"; exec {user}\"$@\"")])
            .arg(self.volume())
            .args(command)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap())
            .envs(variables.iter().copied());
        let output = inside.output().unwrap();
        assert_ne!(output.status.code(), Some(99), "{output:?}");
        output
    }

    /// The program, started as images start it.
    fn java(&self, variables: &[(&str, &str)], arguments: &[&str]) -> Output {
        let java = jdk().java().display().to_string();
        let command = [&[java.as_str()][..], arguments].concat();
        self.run(variables, &command)
    }
}

/// The program ended as it always does.
fn assert_as_ever(ran: &Output) {
    assert_eq!(
        (ran.status.code(), stdout(ran)),
        (Some(1), "114\n".to_owned()),
        "{}",
        stderr(ran)
    );
    assert!(stderr(ran).contains("at shop.Till.main"), "{}", stderr(ran));
}

#[test]
fn an_image_with_the_agent_leaves_its_snapshots_on_the_volume() {
    let container = Container::new();
    let options = container.java_tool_options();
    let classes = container.text("classes");
    let program = ["-cp", classes.as_str(), "shop.Till"];
    let watched = [("JAVA_TOOL_OPTIONS", options.as_str())];

    let ran = container.java(&watched, &program);
    assert_as_ever(&ran);
    let found = snapshots(&container.volume());
    assert_eq!(found.len(), 1, "{}", stderr(&ran));
    if container.means == Means::Root {
        assert_eq!(found[0].metadata().unwrap().uid(), USER);
    }

    // What is set where the image runs counts more than what is in it.
    let off = [watched[0], ("RECRASH_OPTIONS", "off")];
    assert_as_ever(&container.java(&off, &program));
    assert_eq!(snapshots(&container.volume()).len(), 1);
    let elsewhere = container.text("volume/pods");
    let asked = format!("out={elsewhere},label=pod-7");
    let ran = container.java(&[watched[0], ("RECRASH_OPTIONS", &asked)], &program);
    assert_as_ever(&ran);
    let found = snapshots(Path::new(&elsewhere));
    let manifest = Snapshot::read(&found[0]).unwrap().manifest;
    assert_eq!(manifest.label.as_deref(), Some("pod-7"));
}

#[test]
fn a_volume_that_cannot_be_written_costs_the_snapshot_and_nothing_else() {
    let container = Container::new();
    if container.means == Means::None {
        return;
    }
    let option = format!(
        "-agentpath:{}=out={}",
        container.text("opt/recrash/librecrash.so"),
        container.text("classes/out")
    );
    let ran = container.java(
        &[("JAVA_TOOL_OPTIONS", &option)],
        &["-cp", &container.text("classes"), "shop.Till"],
    );
    assert_as_ever(&ran);
    let text = stderr(&ran);
    let ours: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("recrash: "))
        .collect();
    assert!(
        matches!(ours[..], [line] if line.contains("was not captured") && line.contains("Read-only file system")),
        "{text}"
    );
}

#[test]
fn the_command_needs_one_folder_it_may_write_and_says_which() {
    let container = Container::new();
    if container.means == Means::None {
        return;
    }
    let snapshot = crash().copy(&container.volume()).display().to_string();
    std::fs::set_permissions(&snapshot, std::fs::Permissions::from_mode(0o644)).unwrap();
    let (command, home) = (
        container.text("bin/recrash"),
        jdk().home.display().to_string(),
    );
    let tests = |variables: &[(&str, &str)]| {
        let classes = container.text("classes");
        container.run(
            variables,
            &[
                &command,
                "tests",
                &snapshot,
                "--classpath",
                &classes,
                "--jdk",
                &home,
            ],
        )
    };
    let (locked, volume) = (container.text("opt"), container.text("volume"));
    for (variables, sentence) in [
        (&[("TMPDIR", locked.as_str())][..], "XDG_CACHE_HOME"),
        (
            &[("TMPDIR", &locked), ("XDG_CACHE_HOME", &volume)],
            "point TMPDIR at a folder that can be written",
        ),
    ] {
        let refused = tests(variables);
        let text = stderr(&refused);
        assert_eq!(
            (refused.status.code(), text.lines().count()),
            (Some(1), 1),
            "{text}"
        );
        assert!(
            text.contains("cannot be written") && text.contains(sentence),
            "{text}"
        );
    }
    // To capture, no more is needed than the folder of the snapshots and the cache.
    let (java, classes) = (
        jdk().java().display().to_string(),
        container.text("classes"),
    );
    let ran = container.run(
        &[("TMPDIR", &locked), ("XDG_CACHE_HOME", &volume)],
        &[
            &command,
            "run",
            "--no-tests",
            "--out",
            "captured",
            "--",
            &java,
            "-cp",
            &classes,
            "shop.Till",
        ],
    );
    assert_as_ever(&ran);
    assert!(
        stderr(&ran).contains("recrash: captured"),
        "{}",
        stderr(&ran)
    );
    assert_eq!(snapshots(&container.path("volume/captured")).len(), 1);
    let left = std::fs::read_dir(container.path("volume/captured")).unwrap();
    assert_eq!(left.count(), 1);
    let made = tests(&[("TMPDIR", &volume)]);
    assert_eq!(made.status.code(), Some(0), "{}", stderr(&made));
    assert!(
        stdout(&made).contains("2 of 2 frames reproduce the crash"),
        "{}",
        stdout(&made)
    );
}

#[test]
fn an_instrumented_program_runs_where_its_library_cannot_be_unpacked() {
    let container = Container::new();
    let (jar, monitored) = (container.text("app.jar"), container.text("monitored.jar"));
    succeed(
        Command::new(jdk().home.join("bin/jar"))
            .args([
                "--create",
                "--file",
                &jar,
                "--main-class",
                "shop.Till",
                "-C",
            ])
            .arg(container.path("classes"))
            .arg("."),
    );
    succeed(recrash().args(["instrument", &jar, "-o", &monitored]));
    let with = |temporary: &str| {
        let option = format!("-Djava.io.tmpdir={}", container.text(temporary));
        container.java(&[], &[&option, "-jar", &monitored])
    };
    if container.means != Means::None {
        let ran = with("opt");
        assert_as_ever(&ran);
        assert!(
            stderr(&ran).contains("recrash: this program was instrumented but runs unwatched: "),
            "{}",
            stderr(&ran)
        );
    }
    let ran = with("volume");
    assert_as_ever(&ran);
    let out = container.path("volume/recrash-out");
    assert_eq!(snapshots(&out).len(), 1, "{}", stderr(&ran));
    // A user without a home has one called "?", which is no place to leave things in.
    assert!(!container.path("volume/?").exists());
}
