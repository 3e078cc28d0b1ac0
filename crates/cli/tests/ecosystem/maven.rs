//! The Maven plugin in the example's project, under the real Maven.

use crate::ecosystem::support::{copy, jdk, recrash, root, snapshots, stderr, stdout, succeed};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, MutexGuard, PoisonError};

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A local repository of the test's own, so that what is tested is what was just built: everything but recrash is that of
/// the user, so that nothing is fetched twice.
fn repository(folder: &Path) -> PathBuf {
    let own = folder.join("repository");
    std::fs::create_dir_all(&own).unwrap();
    let home = PathBuf::from(std::env::var_os("HOME").unwrap());
    let users = home.join(".m2/repository");
    // Where most of it goes, also the first time.
    std::fs::create_dir_all(users.join("org")).unwrap();
    for entry in std::fs::read_dir(&users).unwrap().map(Result::unwrap) {
        if entry.file_name() != "io" && entry.path().is_dir() {
            std::os::unix::fs::symlink(entry.path(), own.join(entry.file_name())).unwrap();
        }
    }
    let said = succeed(recrash().args(["maven", "--repository"]).arg(&own));
    assert!(
        said.contains(&format!("io.github.recrash:recrash-maven-plugin:{VERSION}")),
        "{said}"
    );
    own
}

/// Two Mavens that fetch into one repository at the same time get into each other's way.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

struct Project {
    _turn: MutexGuard<'static, ()>,
    folder: tempfile::TempDir,
    repository: PathBuf,
}

impl Project {
    fn new() -> Self {
        let turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = tempfile::tempdir().unwrap();
        copy(
            &root().join("examples/builds/maven"),
            &folder.path().join("project"),
        );
        let repository = repository(folder.path());
        Project {
            _turn: turn,
            folder,
            repository,
        }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("project")
    }

    fn mvn(&self, arguments: &[&str]) -> Output {
        Command::new("mvn")
            .args(["-B", "-q", "-Dstyle.color=never"])
            .arg(format!("-Dmaven.repo.local={}", self.repository.display()))
            .args(arguments)
            .env("JAVA_HOME", &jdk().home)
            .env_remove("JAVA_TOOL_OPTIONS")
            .env_remove("RECRASH_HOME")
            .env_remove("GITHUB_WORKSPACE")
            .current_dir(self.path())
            .output()
            .expect("mvn, which ./x test installs")
    }
}

#[test]
fn a_test_that_fails_in_maven_leaves_a_snapshot_and_becomes_smaller_tests() {
    let project = Project::new();
    let executable = format!("-Drecrash.executable={}", env!("CARGO_BIN_EXE_recrash"));
    let goal = |name: &str| format!("io.github.recrash:recrash-maven-plugin:{VERSION}:{name}");

    let ran = project.mvn(&[&executable, "test"]);
    let text = stdout(&ran);
    assert_eq!(ran.status.code(), Some(1), "{text}{}", stderr(&ran));
    assert!(
        text.contains("TillTest") && text.contains("Failures: 0, Errors: 1"),
        "{text}"
    );
    let out = project.path().join("target/recrash");
    let found = snapshots(&out);
    assert_eq!(found.len(), 1, "{text}{}", stderr(&ran));

    let made = project.mvn(&[&executable, &goal("tests"), "-Drecrash.format=github"]);
    let text = stdout(&made);
    assert_eq!(made.status.code(), Some(0), "{text}{}", stderr(&made));
    let annotation = text.lines().find(|line| line.starts_with("::error "));
    let annotation = annotation.unwrap_or_else(|| panic!("{text}{}", stderr(&made)));
    assert!(
        annotation.starts_with("::error file=src/main/java/shop/Till.java,line="),
        "{annotation}"
    );
    // The method and the test that called it, and nothing of what runs tests.
    assert!(
        annotation.contains("%0A2 of 2 frames reproduce it"),
        "{annotation}"
    );
    assert!(found[0].with_extension("").join("verdicts.json").is_file());

    // What has its tests is not made again.
    let again = project.mvn(&[&executable, &goal("tests"), "-Drecrash.format=github"]);
    assert_eq!(again.status.code(), Some(0), "{}", stderr(&again));
    assert!(!stdout(&again).contains("::error"), "{}", stdout(&again));

    // Nor where the same tests fail again, and nothing was compiled.
    let ran = project.mvn(&[&executable, "test"]);
    assert_eq!(ran.status.code(), Some(1), "{}", stderr(&ran));
    assert_eq!(snapshots(&out).len(), 2, "{}", stderr(&ran));
    let again = project.mvn(&[&executable, &goal("tests"), "-Drecrash.format=github"]);
    assert_eq!(again.status.code(), Some(0), "{}", stderr(&again));
    assert!(!stdout(&again).contains("::error"), "{}", stdout(&again));
    assert_eq!(snapshots(&out), found);
}

#[test]
fn a_command_that_is_not_there_is_one_sentence_with_the_way_out() {
    let project = Project::new();
    let ran = project.mvn(&["-Drecrash.executable=/no/such/recrash", "initialize"]);
    assert_eq!(ran.status.code(), Some(1));
    let text = stdout(&ran);
    assert!(
        text.contains("/no/such/recrash is not an executable file; recrash.executable must name the recrash command"),
        "{text}"
    );
    let left_out = project.mvn(&["-Drecrash.skip", "initialize"]);
    assert_eq!(left_out.status.code(), Some(0), "{}", stdout(&left_out));
}
