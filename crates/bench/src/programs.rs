//! The real programs that are measured and compared, made ready once per JDK.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use recrash_jvm::Jdk;

use crate::place::{Place, class_path};
use crate::sample::measure;

/// Jars on the class path of every benchmark program.
const JARS: [&str; 5] = [
    "subjects/ecj.jar",
    "subjects/h2.jar",
    "subjects/closure-compiler.jar",
    "subjects/log4j-api.jar",
    "subjects/log4j-core.jar",
];

/// Compiled benchmark programs and their inputs, in a folder of their own.
pub struct Programs {
    pub folder: PathBuf,
    pub class_path: String,
}

impl Programs {
    /// Compiles `bench/overhead` and `bench/verify` with `jdk` and unpacks the inputs below `folder`.
    pub fn prepare(place: &Place, jdk: &Jdk, folder: &Path) -> Result<Programs> {
        let classes = folder.join("classes");
        std::fs::create_dir_all(&classes)?;
        let mut jars = place.jars(&JARS)?;
        let mut command = Command::new(jdk.javac()?);
        command
            .args(["-nowarn", "-proc:none", "-encoding", "UTF-8", "-d"])
            .arg(&classes)
            .arg("-cp")
            .arg(class_path(&jars));
        for sources in ["bench/overhead", "bench/verify"] {
            command.args(java_files(&place.root.join(sources))?);
        }
        succeed(&mut command, folder)?;
        jars.insert(0, classes);
        let programs = Programs {
            folder: folder.to_owned(),
            class_path: class_path(&jars),
        };
        unpack(
            jdk,
            &place.jar("bench/commons-lang3-sources.jar")?,
            &programs.library_sources(),
        )?;
        unpack(jdk, &place.jar("bench/jquery.jar")?, &folder.join("jquery"))?;
        Ok(programs)
    }

    /// The sources of commons-lang3.
    pub fn library_sources(&self) -> PathBuf {
        self.folder.join("commons-lang3")
    }

    pub fn script(&self) -> PathBuf {
        self.folder
            .join("jquery/META-INF/resources/webjars/jquery/3.7.1/jquery.js")
    }
}

fn unpack(jdk: &Jdk, jar: &Path, folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder)?;
    let mut command = Command::new(jdk.home.join("bin/jar"));
    succeed(
        command.arg("xf").arg(jar).current_dir(folder),
        folder.parent().unwrap_or(folder),
    )?;
    Ok(())
}

pub fn java_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder)
        .with_context(|| format!("{} could not be read", folder.display()))?;
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .collect();
    files.retain(|file| {
        file.extension()
            .is_some_and(|extension| extension == "java")
    });
    files.sort();
    Ok(files)
}

/// Runs a command that must succeed; its messages are shown when it does not.
pub fn succeed(command: &mut Command, folder: &Path) -> Result<String> {
    let sample = measure(command, folder)?;
    if sample.status != Some(0) {
        let program = command.get_program().to_string_lossy().into_owned();
        bail!(
            "{program} failed: {}",
            std::fs::read_to_string(&sample.stderr)?.trim_end()
        );
    }
    Ok(std::fs::read_to_string(&sample.stdout)?)
}
