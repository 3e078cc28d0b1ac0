//! Finding a JDK to compile with.

use crate::Error;
use std::env;
use std::path::{Path, PathBuf};

/// A JDK: a folder with `bin/javac`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Jdk {
    home: PathBuf,
}

impl Jdk {
    /// `JAVA_HOME` if set, else the JDK behind `javac` on the path, else the newest of the usual folders.
    pub fn find() -> Result<Self, Error> {
        println!("cargo::rerun-if-env-changed=JAVA_HOME");
        if let Some(home) = env::var_os("JAVA_HOME").filter(|home| !home.is_empty()) {
            let home = PathBuf::from(home);
            return Self::at(&home).ok_or(Error::WrongJavaHome(home));
        }
        on_path()
            .or_else(|| usual_places().into_iter().next())
            .ok_or(Error::NoJdk)
    }

    /// Every JDK of this machine, each once: the one of [`Jdk::find`] first.
    pub fn all() -> Vec<Self> {
        let mut found: Vec<Self> = Vec::new();
        for jdk in Self::find().into_iter().chain(usual_places()) {
            if !found.contains(&jdk) {
                found.push(jdk);
            }
        }
        found
    }

    /// The JDK in `home`, links resolved so that the same JDK is never found twice.
    pub fn at(home: &Path) -> Option<Self> {
        let home = home.canonicalize().ok()?;
        home.join("bin/javac").is_file().then_some(Self { home })
    }

    pub fn home(&self) -> &Path {
        &self.home
    }

    pub fn java(&self) -> PathBuf {
        self.home.join("bin/java")
    }

    pub fn javac(&self) -> PathBuf {
        self.home.join("bin/javac")
    }

    pub fn jar(&self) -> PathBuf {
        self.home.join("bin/jar")
    }
}

fn on_path() -> Option<Jdk> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path).find_map(|folder| {
        let javac = folder.join("javac").canonicalize().ok()?;
        Jdk::at(javac.parent()?.parent()?)
    })
}

fn usual_places() -> Vec<Jdk> {
    let mut parents = vec![PathBuf::from("/usr/lib/jvm"), PathBuf::from("/opt/java")];
    if let Some(home) = env::var_os("HOME") {
        let home = PathBuf::from(home);
        parents.push(home.join(".sdkman/candidates/java"));
        parents.push(home.join(".jdks"));
    }
    let mut homes: Vec<PathBuf> = parents
        .iter()
        .filter_map(|parent| parent.read_dir().ok())
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    homes.sort();
    let mut found: Vec<Jdk> = Vec::new();
    for jdk in homes.iter().filter_map(|home| Jdk::at(home)) {
        if !found.contains(&jdk) {
            found.push(jdk);
        }
    }
    found
}
