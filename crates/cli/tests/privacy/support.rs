//! A program under `recrash run`, and everything that is written about it.

use crate::common::{api_jar, javac_with, jdk};
pub use crate::common::{recrash, snapshots, text};
use crate::privacy::canary::{self, FROM_ENVIRONMENT, OPTION, PROPERTY};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use tempfile::TempDir;

/// The compiled programs. The API jar is needed to compile, not to run.
pub fn classes() -> &'static Path {
    static CLASSES: OnceLock<TempDir> = OnceLock::new();
    CLASSES
        .get_or_init(|| {
            let folder = tempfile::tempdir().unwrap();
            let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/privacy/programs");
            let sources = ["Canaries.java", "Transfer.java"].map(|name| programs.join(name));
            let options = ["--release", "17"];
            javac_with(
                &jdk(),
                &options,
                &[api_jar().into()],
                folder.path(),
                sources,
            );
            folder
        })
        .path()
}

pub struct Run {
    folder: TempDir,
    output: Output,
}

impl Run {
    pub fn of(program: &str, options: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let output = recrash()
            .args(["run", "--out"])
            .arg(folder.path())
            .args(options)
            .arg("--")
            .arg(jdk().java())
            .arg(format!("-Dapp.secret={PROPERTY}"))
            .arg("-cp")
            .arg(classes())
            .arg(program)
            .arg(format!("--db-password={OPTION}"))
            .env("CANARY_APP_SECRET", FROM_ENVIRONMENT)
            .output()
            .unwrap();
        let run = Self { folder, output };
        assert_eq!(run.output.status.code(), Some(1), "{}", run.log());
        run
    }

    /// Not by `recrash run`, but with an option of the agent's that it would not give.
    pub fn with_agent_option(program: &str, option: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let library = recrash()
            .args(["agent-path", "--library"])
            .output()
            .unwrap();
        let agent = format!(
            "-agentpath:{}=out={},{option}",
            text(&library.stdout).trim(),
            folder.path().display()
        );
        let output = Command::new(jdk().java())
            .arg(agent)
            .arg("-cp")
            .arg(classes())
            .arg(program)
            .output()
            .unwrap();
        Self { folder, output }
    }

    pub fn out(&self) -> &Path {
        self.folder.path()
    }

    pub fn log(&self) -> String {
        text(&self.output.stdout) + &text(&self.output.stderr)
    }

    pub fn snapshot(&self) -> PathBuf {
        let found = snapshots(self.out());
        assert_eq!(found.len(), 1, "{}", self.log());
        found[0].clone()
    }

    /// What `recrash show` prints.
    pub fn show(&self, options: &[&str]) -> String {
        let shown = recrash()
            .arg("show")
            .arg(self.snapshot())
            .args(options)
            .output()
            .unwrap();
        assert!(shown.status.success(), "{}", text(&shown.stderr));
        text(&shown.stdout)
    }

    /// Every file below the folder with what is packed in it, every form of the report, and the log.
    pub fn everything(&self) -> Vec<(String, Vec<u8>)> {
        let html = self.out().join("report.html");
        self.show(&["--html", html.to_str().unwrap()]);
        let mut all = vec![("the log".to_owned(), self.log().into_bytes())];
        for options in [
            &["--json"][..],
            &["--verbose", "--depth", "9"],
            &["--redactions"],
        ] {
            let shown = self.show(options);
            all.push((format!("show {}", options.join(" ")), shown.into_bytes()));
        }
        for path in files(self.out()) {
            // The agent itself is packed in it, and none of the program's values.
            if !path.ends_with("recrash-junit.jar") {
                all.push((path.display().to_string(), canary::unpacked(&path)));
            }
        }
        all
    }
}

/// Hidden files and folders, which nothing may leave behind.
pub fn leftovers(folder: &Path) -> Vec<String> {
    let names = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
    names.filter(|name| name.starts_with('.')).collect()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push(path);
        }
    }
    found
}
