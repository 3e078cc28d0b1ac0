//! Compiles `java/runtime` and embeds its class files, which the agent defines in every JVM it is loaded into.

use recrash_javabuild::{Error, Jdk, compile_rooms};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, process};

fn main() {
    if let Err(error) = embed() {
        eprintln!("{error}");
        process::exit(1);
    }
}

fn embed() -> Result<(), Error> {
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../java/runtime");
    let classes = out.join("runtime");
    let mut list = String::from("pub const CLASSES: &[(&str, &[u8])] = &[\n");
    for class in compile_rooms(
        &Jdk::find()?,
        &sources,
        &recrash_wire::java::runtime(),
        &classes,
    )? {
        let name = class
            .strip_prefix(&classes)
            .unwrap_or(&class)
            .with_extension("");
        let _ = writeln!(
            list,
            "    ({:?}, include_bytes!({:?})),",
            name.display().to_string(),
            class.display().to_string()
        );
    }
    list.push_str("];\n");
    let target = out.join("classes.rs");
    fs::write(&target, list).map_err(|source| Error::Io {
        path: target,
        source,
    })
}
