//! The house as it is, and houses with something planted in them.

// Functions that only tests call may fail like tests.
#![allow(clippy::unwrap_used)]

use recrash_house::violations;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

#[test]
fn the_house_is_in_order() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let found = violations(&root).unwrap();
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
}

const MAP: &str = "```\nL4 engine  does it\n           uses base\nL4 other   does that\nL0 base    is below\n```\n";

/// Two engines over one base, in order.
fn house() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    write(
        root,
        "Cargo.toml",
        "[workspace]\nresolver = \"3\"\nmembers = [\"crates/*\"]\n",
    );
    write(root, "docs/architecture.md", MAP);
    for (name, uses) in [("base", ""), ("engine", "base"), ("other", "")] {
        let mut manifest =
            format!("[package]\nname = \"recrash-{name}\"\nedition = \"2024\"\n[dependencies]\n");
        if !uses.is_empty() {
            manifest.push_str(&depends_on(uses));
        }
        write(root, &format!("crates/{name}/Cargo.toml"), &manifest);
        let lib =
            "//! A crate.\n//!\n//! Never uses: `std::net`.\n\nmod a;\nmod b;\npub use a::A;\n";
        write(root, &format!("crates/{name}/src/lib.rs"), lib);
        write(root, &format!("crates/{name}/src/a.rs"), "pub struct A;\n");
        write(
            root,
            &format!("crates/{name}/src/b.rs"),
            "use crate::A;\npub fn b(_: A) {}\n",
        );
    }
    folder
}

fn depends_on(name: &str) -> String {
    format!("recrash-{name} = {{ path = \"../{name}\" }}\n")
}

fn write(root: &Path, file: &str, text: &str) {
    let path = root.join(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn append(root: &Path, file: &str, text: &str) {
    let path = root.join(file);
    let before = fs::read_to_string(&path).unwrap();
    fs::write(path, before + text).unwrap();
}

fn found(folder: &TempDir) -> Vec<String> {
    violations(folder.path()).unwrap()
}

#[test]
fn a_house_in_order_has_no_violations() {
    assert_eq!(found(&house()), [""; 0]);
}

#[test]
fn a_crate_that_uses_one_above_or_a_neighbour_is_found() {
    let house = house();
    append(house.path(), "crates/base/Cargo.toml", &depends_on("other"));
    append(
        house.path(),
        "crates/engine/Cargo.toml",
        &depends_on("other"),
    );
    assert_eq!(
        found(&house),
        [
            "base uses other, which the map does not say",
            "base (L0) uses other of a higher layer (L4)",
            "engine uses other, which the map does not say",
            "engine uses other, and both are engines",
        ]
    );
}

#[test]
fn a_map_that_is_not_the_graph_is_found() {
    let house = house();
    let map = MAP
        .replace("L4 other", "L4 gone")
        .replace("uses base", "uses base gone");
    write(house.path(), "docs/architecture.md", &map);
    assert_eq!(
        found(&house),
        [
            "the map says that engine uses gone, which it does not",
            "the map lacks the crate other",
            "the map has the crate gone, which does not exist",
        ]
    );
}

#[test]
fn a_circle_of_modules_is_found_also_behind_a_name_that_is_handed_on() {
    let house = house();
    append(
        house.path(),
        "crates/engine/src/a.rs",
        "pub fn a() { crate::b::b(A); }\n",
    );
    assert_eq!(
        found(&house),
        ["modules of engine use each other in a circle: a, b"]
    );
}

#[test]
fn a_circle_inside_a_folder_is_found_and_tests_may_use_what_they_like() {
    let house = house();
    let root = house.path();
    append(
        root,
        "crates/engine/src/a.rs",
        "mod x;\nmod y;\n#[cfg(test)]\nmod tests { use crate::b; }\n",
    );
    write(
        root,
        "crates/engine/src/a/x.rs",
        "use super::y::Y;\npub struct X(Y);\n",
    );
    write(
        root,
        "crates/engine/src/a/y.rs",
        "pub fn y() -> String { format!(\"{}\", super::x::NAME) }\n",
    );
    assert_eq!(
        found(&house),
        ["modules of engine::a use each other in a circle: x, y"]
    );
}

#[test]
fn a_header_that_its_imports_contradict_is_found() {
    let house = house();
    let root = house.path();
    append(
        root,
        "crates/engine/src/b.rs",
        "pub fn dial() { std::net::TcpStream::connect(\"x\"); }\n",
    );
    write(
        root,
        "crates/other/src/lib.rs",
        "//! Says nothing.\n\nmod a;\nmod b;\npub use a::A;\n",
    );
    assert_eq!(
        found(&house),
        [
            "the header of engine says that it never uses std::net, and b does",
            "the header of other has no line \"Never uses: …\" that says what it keeps away from",
        ]
    );
}
