//! Small programs for tests.

use std::path::Path;
use std::process::Command;

use recrash_javabuild::Jdk;
use recrash_program::{ClassPath, Program};
use tempfile::TempDir;

pub(crate) struct Compiled {
    pub(crate) folder: TempDir,
    pub(crate) program: Program,
}

impl Compiled {
    /// A source file with this public class.
    pub(crate) fn new(class: &str, source: &str) -> Compiled {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(class).with_extension("java");
        std::fs::write(&file, source).unwrap();
        let compiled = Command::new(Jdk::find().unwrap().javac())
            .arg("-d")
            .arg(folder.path().join("classes"))
            .arg(&file)
            .status()
            .unwrap();
        assert!(compiled.success());
        let program = open(folder.path());
        Compiled { folder, program }
    }

    /// The same classes, read by another run.
    pub(crate) fn again(self) -> Compiled {
        Compiled {
            program: open(self.folder.path()),
            ..self
        }
    }
}

fn open(folder: &Path) -> Program {
    let home = Jdk::find().unwrap().home().to_owned();
    Program::new(ClassPath::open([folder.join("classes")], Some(&home), 17).unwrap())
}
