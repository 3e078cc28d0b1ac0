//! Folders that cannot be written, disks that are full, processes that die while writing.

use crate::trouble::support::{
    assert_one_line, compile, crash, files, jdk, recrash, run, snapshots, stderr,
};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A folder nobody can write to: root may write everywhere but into the kernel's own file system.
fn unwritable(folder: &Path) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let locked = folder.join("locked");
    std::fs::create_dir(&locked).unwrap();
    std::fs::set_permissions(&locked, std::fs::Permissions::from_mode(0o555)).unwrap();
    if std::fs::write(locked.join("probe"), "").is_ok() {
        PathBuf::from("/proc")
    } else {
        locked
    }
}

#[test]
fn an_unwritable_out_folder_is_named_before_the_program_starts() {
    let folder = tempfile::tempdir().unwrap();
    let out = unwritable(folder.path()).join("out");
    let started = folder.path().join("started");
    let output = recrash()
        .args(["run", "--out"])
        .arg(&out)
        .args(["--", "touch"])
        .arg(&started)
        .output()
        .unwrap();
    let text = assert_one_line(&output, 1);
    assert!(
        text.contains(&out.display().to_string()) && text.contains("--out"),
        "{text}"
    );
    assert!(!started.exists());
}

#[test]
fn tests_into_an_unwritable_folder_leave_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let out = unwritable(folder.path());
    let (_kept, snapshot) = crash().copy();
    let output = recrash()
        .arg("tests")
        .arg(snapshot)
        .arg("--out")
        .arg(out.join("tests"))
        .output()
        .unwrap();
    let text = assert_one_line(&output, 1);
    assert!(text.contains("--out"), "{text}");
}

#[test]
fn an_out_folder_that_is_a_file_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let output = recrash()
        .args(["run", "--out"])
        .arg(&file)
        .args(["--", "true"])
        .output()
        .unwrap();
    assert_one_line(&output, 1);
}

#[test]
fn a_folder_of_tests_that_is_not_ours_is_left_alone() {
    let (folder, snapshot) = crash().copy();
    let precious = folder.path().join("crash/precious");
    std::fs::create_dir(folder.path().join("crash")).unwrap();
    std::fs::write(&precious, "mine").unwrap();
    let output = run([std::ffi::OsStr::new("tests"), snapshot.as_os_str()]);
    let text = assert_one_line(&output, 1);
    assert!(text.contains("was not made by recrash"), "{text}");
    assert_eq!(std::fs::read_to_string(precious).unwrap(), "mine");
}

const LARGE: &str = "
public class Large {
    public static void main(String[] args) throws Exception {
        Object[] graph = new Object[Integer.parseInt(args[0])];
        for (int i = 0; i < graph.length; i++) {
            graph[i] = new int[] {i, i * 31, i ^ 0x5bd1e995};
        }
        if (args.length > 1) {
            ProcessHandle self = ProcessHandle.current();
            new ProcessBuilder(\"sh\", \"-c\", \"sleep \" + args[1] + \"; kill -9 \" + self.pid()).start();
        }
        fail(graph, graph.length);
    }

    static int fail(Object[] graph, int index) {
        int[] found = (int[]) graph[index];
        return found[0] + found[1] + found[2];
    }
}";

#[test]
fn a_full_disk_costs_the_snapshot_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    compile(folder.path(), "Large", LARGE);
    let out = folder.path().join("out");
    std::fs::create_dir(&out).unwrap();
    // A tiny file system where we may mount one; else a limit on the size of files, which fails the same write.
    let mounted = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=64k", "tmpfs"])
        .arg(&out)
        .output();
    let mounted = mounted.is_ok_and(|output| output.status.success());
    let limit = if mounted { "" } else { "ulimit -f 64; " };
    let java = format!(
        "{limit}exec {} -XX:-UsePerfData -cp {} Large 200000",
        jdk().java().display(),
        folder.path().display()
    );
    let output = recrash()
        .args(["run", "--out"])
        .arg(&out)
        .args(["--", "sh", "-c", &java])
        .output()
        .unwrap();
    let left = files(&out);
    if mounted {
        assert!(Command::new("umount").arg(&out).status().unwrap().success());
    }
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("ArrayIndexOutOfBoundsException"), "{text}");
    let ours: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("recrash: "))
        .collect();
    assert!(
        ours.iter()
            .any(|line| line.contains("No space left") || line.contains("too large")),
        "{text}"
    );
    assert!(!text.contains("panicked"), "{text}");
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_program_killed_while_its_snapshot_is_written_leaves_a_whole_one_or_none() {
    let folder = tempfile::tempdir().unwrap();
    compile(folder.path(), "Large", LARGE);
    for delay in ["0.02", "0.1", "0.2", "0.4"] {
        let out = folder.path().join(format!("out-{delay}"));
        let output = recrash()
            .args(["run", "--no-tests", "--out"])
            .arg(&out)
            .arg("--")
            .arg(jdk().java())
            .arg("-cp")
            .arg(folder.path())
            .args(["Large", "1000000", delay])
            .output()
            .unwrap();
        let ended = (output.status.signal(), output.status.code());
        assert!(
            matches!(ended, (Some(9), _) | (_, Some(137 | 1))),
            "{ended:?} {}",
            stderr(&output)
        );
        for snapshot in snapshots(&out) {
            recrash_heap::Snapshot::read(&snapshot).unwrap();
        }
        let left: Vec<_> = files(&out)
            .into_iter()
            .filter(|path| !snapshots(&out).contains(path))
            .collect();
        assert!(left.is_empty(), "{left:?}");
    }
}

#[test]
fn an_interrupted_making_of_tests_leaves_nothing() {
    let (folder, snapshot) = crash().copy();
    let before = files(folder.path());
    let mut child = recrash()
        .arg("tests")
        .arg(&snapshot)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let is_building = |path: &PathBuf| {
        path.file_name()
            .unwrap()
            .to_string_lossy()
            .starts_with(".recrash-")
    };
    while !files(folder.path()).iter().any(is_building) {
        assert!(
            child.try_wait().unwrap().is_none(),
            "it ended before it could be interrupted"
        );
        std::thread::yield_now();
    }
    assert!(
        // The shell's own kill: the program of that name is not everywhere.
        Command::new("sh")
            .args(["-c", &format!("kill -TERM {}", child.id())])
            .status()
            .unwrap()
            .success()
    );
    assert_eq!(child.wait().unwrap().signal(), Some(15));
    assert_eq!(files(folder.path()), before);
}
