//! Compiles the Java parts of recrash from build scripts, with nothing but a JDK.
//!
//! Knows how to find a JDK, run `javac` over a folder and make a jar; it may not know what the classes are for. Start
//! reading at [`Jdk::find`], then [`Compilation`]. Every function prints the `cargo::rerun-if-…` lines it implies.
//!
//! Never uses: `std::net`, `classfile`.

mod compilation;
mod jdk;
mod rooms;

pub use compilation::{Compilation, jar, write_sources};
pub use jdk::Jdk;
pub use rooms::compile_rooms;

use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(
        "no JDK with javac found (looked at JAVA_HOME, PATH, /usr/lib/jvm, ~/.sdkman); install one (17 or newer) or set JAVA_HOME"
    )]
    NoJdk,
    #[error("JAVA_HOME is {0}, which has no bin/javac; point it at a JDK (17 or newer)")]
    WrongJavaHome(PathBuf),
    #[error("{path}: {source}")]
    Io {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error("{tool} failed on {folder}:\n{output}")]
    Tool {
        tool: &'static str,
        folder: PathBuf,
        output: String,
    },
}
