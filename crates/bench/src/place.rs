use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use recrash_jvm::{Jdk, find_jdks};

/// Where things are: the checkout, the jars `./x` fetched, and the `recrash` command built beside this one.
pub struct Place {
    pub root: PathBuf,
    pub recrash: PathBuf,
}

impl Place {
    pub fn find() -> Result<Place> {
        let root = std::env::current_dir()?;
        if !root.join("deps.tsv").is_file() {
            bail!(
                "{} is not a checkout of recrash; start the benchmarks with ./x bench",
                root.display()
            );
        }
        let recrash = std::env::current_exe()?.with_file_name("recrash");
        Ok(Place { root, recrash })
    }

    /// The command under measurement; only the benchmarks that need it ask.
    pub fn recrash(&self) -> Result<&Path> {
        if !self.recrash.is_file() {
            bail!(
                "{} does not exist; build it with ./x build",
                self.recrash.display()
            );
        }
        Ok(&self.recrash)
    }

    /// A jar of `.deps/`.
    pub fn jar(&self, name: &str) -> Result<PathBuf> {
        let jar = self.root.join(".deps").join(name);
        if !jar.is_file() {
            bail!("{} does not exist; ./x bench fetches it", jar.display());
        }
        Ok(jar)
    }

    pub fn jars(&self, names: &[&str]) -> Result<Vec<PathBuf>> {
        names.iter().map(|name| self.jar(name)).collect()
    }
}

/// The JDKs named, or every one found that recrash supports.
pub fn jdks(homes: &[PathBuf]) -> Result<Vec<Jdk>> {
    if homes.is_empty() {
        let found: Vec<Jdk> = find_jdks()
            .into_iter()
            .filter(|jdk| jdk.version.feature >= 17 && jdk.javac.is_some())
            .collect();
        if found.is_empty() {
            bail!("no JDK 17 or newer was found; name one with --jdk HOME");
        }
        return Ok(found);
    }
    homes
        .iter()
        .map(|home| Jdk::at(home).with_context(|| format!("--jdk {}", home.display())))
        .collect()
}

/// Paths as a class path.
pub fn class_path(parts: &[PathBuf]) -> String {
    let parts: Vec<String> = parts
        .iter()
        .map(|part| part.display().to_string())
        .collect();
    parts.join(":")
}
