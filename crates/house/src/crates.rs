//! The crates of a workspace and what each of them uses, as Cargo has it.

use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Crates are named without this in the map.
const PREFIX: &str = "recrash-";

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Crate {
    pub(crate) name: String,
    pub(crate) folder: PathBuf,
    /// The crates of the workspace that its code or its build script uses; tests may use more.
    pub(crate) uses: BTreeSet<String>,
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    manifest_path: PathBuf,
    dependencies: Vec<Dependency>,
    targets: Vec<Target>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
    kind: Option<String>,
    path: Option<PathBuf>,
}

#[derive(Deserialize)]
struct Target {
    name: String,
    kind: Vec<String>,
}

pub(crate) fn read(root: &Path) -> Result<Vec<Crate>, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args([
            "metadata",
            "--no-deps",
            "--offline",
            "--format-version",
            "1",
        ])
        .current_dir(root)
        .output()
        .map_err(|error| format!("cargo could not be started: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let metadata: Metadata = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("cargo's metadata cannot be read: {error}"))?;
    Ok(metadata.packages.iter().map(Package::krate).collect())
}

impl Package {
    fn krate(&self) -> Crate {
        let uses = self.dependencies.iter();
        let uses = uses.filter(|used| used.path.is_some() && used.kind.as_deref() != Some("dev"));
        Crate {
            name: self.short_name(),
            folder: self
                .manifest_path
                .parent()
                .unwrap_or(Path::new(""))
                .to_owned(),
            uses: uses.map(|used| short(&used.name).to_owned()).collect(),
        }
    }

    /// The command's package has the name of the whole; its folder tells what it is.
    fn short_name(&self) -> String {
        let is_command = self
            .targets
            .iter()
            .any(|target| target.name == self.name && target.kind.iter().any(|kind| kind == "bin"));
        let folder = self.manifest_path.parent().and_then(Path::file_name);
        match folder {
            Some(folder) if is_command => folder.to_string_lossy().into_owned(),
            _ => short(&self.name).to_owned(),
        }
    }
}

fn short(name: &str) -> &str {
    name.strip_prefix(PREFIX).unwrap_or(name)
}
