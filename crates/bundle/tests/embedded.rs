//! What is embedded is what the sources say, also where a crate that the agent uses changes alone.

// Functions that only tests call may fail like tests.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// A text of the crate `watchlist`, which the agent writes into files and nothing else of the build uses.
const TEXT: &str = "Methods that recrash watches";

#[test]
fn a_change_in_a_crate_of_the_agent_reaches_the_embedded_library() {
    let folder = tempfile::tempdir().unwrap();
    let workspace = folder.path().join("work space");
    copy_workspace(&workspace);
    let target = folder.path().join("target");
    let library = build(&workspace, &target);
    assert!(has(&library, TEXT));
    let changed = "Methods that somebody changed";
    let source = workspace.join("crates/watchlist/src/file.rs");
    let text = fs::read_to_string(&source).unwrap();
    fs::write(&source, text.replace(TEXT, changed)).unwrap();
    let library = build(&workspace, &target);
    assert!(has(&library, changed));
    assert!(!has(&library, TEXT));
}

/// Builds the crate as cargo does it for whoever depends on it, and returns the library that it embeds. Without
/// optimization, because only its texts are looked at.
fn build(workspace: &Path, target: &Path) -> Vec<u8> {
    let output = Command::new(env!("CARGO"))
        .args(["build", "--locked", "--package", "recrash-bundle"])
        .current_dir(workspace)
        .env("CARGO_TARGET_DIR", target)
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0")
        .env("CARGO_PROFILE_RELEASE_DEBUG", "false")
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
    // `files.rs` is what the crate includes; it names the library by its path.
    let made = fs::read_dir(target.join("debug/build")).unwrap();
    let mut list = made.map(|entry| entry.unwrap().path().join("out/files.rs"));
    let list = fs::read_to_string(list.find(|path| path.is_file()).unwrap()).unwrap();
    let (_, rest) = list
        .split_once("(\"librecrash.so\", include_bytes!(\"")
        .unwrap();
    let (path, _) = rest.split_once('"').unwrap();
    fs::read(path).unwrap()
}

fn has(library: &[u8], text: &str) -> bool {
    library
        .windows(text.len())
        .any(|window| window == text.as_bytes())
}

fn copy_workspace(to: &Path) {
    let from = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    fs::create_dir(to).unwrap();
    for part in ["Cargo.toml", "Cargo.lock", ".deps", "crates", "java"] {
        copy(&from.join(part), &to.join(part));
    }
}

fn copy(from: &Path, to: &Path) {
    if from.is_dir() {
        fs::create_dir_all(to).unwrap();
        for entry in fs::read_dir(from).unwrap() {
            let entry = entry.unwrap();
            copy(&entry.path(), &to.join(entry.file_name()));
        }
    } else {
        fs::copy(from, to).unwrap();
    }
}
