//! The classic shadow stack as a Java agent: a yardstick, not part of recrash.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;
use recrash_jvm::Jdk;

use crate::place::{Place, class_path};
use crate::programs::{java_files, succeed};

/// Compiles `bench/shadow` and packs it with ASM on its boot class path; returns the agent's jar.
pub fn agent(place: &Place, jdk: &Jdk, folder: &Path) -> Result<PathBuf> {
    let folder = folder.join("shadow");
    let classes = folder.join("classes");
    std::fs::create_dir_all(&classes)?;
    let asm = place.jars(&["bench/asm.jar", "bench/asm-tree.jar"])?;
    let mut compile = Command::new(jdk.javac()?);
    compile
        .args(["-nowarn", "-proc:none", "-encoding", "UTF-8", "-d"])
        .arg(&classes)
        .arg("-cp")
        .arg(class_path(&asm))
        .args(java_files(&place.root.join("bench/shadow"))?);
    succeed(&mut compile, &folder)?;
    // The stack has to be visible to every class loader of a program.
    for (name, jar) in ["asm.jar", "asm-tree.jar"].iter().zip(&asm) {
        std::fs::copy(jar, folder.join(name))?;
    }
    let manifest = folder.join("manifest");
    std::fs::write(
        &manifest,
        "Premain-Class: ShadowAgent\nBoot-Class-Path: agent.jar asm.jar asm-tree.jar\n",
    )?;
    let jar = folder.join("agent.jar");
    let mut pack = Command::new(jdk.home.join("bin/jar"));
    pack.arg("cfm").arg(&jar).arg(&manifest);
    succeed(pack.arg("-C").arg(&classes).arg("."), &folder)?;
    Ok(jar)
}
