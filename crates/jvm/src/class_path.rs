use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use recrash_classfile::Manifest;

use crate::error::{Error, Result};

/// A single class file larger than this is refused: the format itself ends far below.
const CLASS_LIMIT: u64 = 64 << 20;

/// Jars and folders, in the order the JVM searches them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ClassPath {
    entries: Vec<PathBuf>,
}

/// Where a class was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassOrigin {
    pub entry: PathBuf,
    pub bytes: Vec<u8>,
}

impl ClassPath {
    /// Entries as recorded or typed: relative ones are taken from `directory`, `folder/*` stands for its jars, an
    /// empty entry for `directory` itself, as the JVM has it.
    pub fn new<P: AsRef<Path>>(
        entries: impl IntoIterator<Item = P>,
        directory: &Path,
    ) -> ClassPath {
        let mut class_path = ClassPath::default();
        for entry in entries {
            let entry = entry.as_ref();
            if entry.file_name().is_some_and(|name| name == "*") {
                let folder = directory.join(entry.parent().unwrap_or(Path::new("")));
                for jar in jars(&folder) {
                    class_path.push(jar);
                }
            } else if entry.as_os_str().is_empty() {
                class_path.push(directory.to_owned());
            } else {
                class_path.push(directory.join(entry));
            }
        }
        class_path
    }

    /// `a.jar:b/*`, with the separator of this system.
    pub fn parse(text: &str, directory: &Path) -> ClassPath {
        ClassPath::new(std::env::split_paths(text), directory)
    }

    /// Adds an entry unless it is there already.
    pub fn push(&mut self, entry: PathBuf) {
        if !self.entries.contains(&entry) {
            self.entries.push(entry);
        }
    }

    pub fn entries(&self) -> &[PathBuf] {
        &self.entries
    }

    /// This class path behind `first`.
    #[must_use]
    pub fn after(&self, first: &[&Path]) -> ClassPath {
        let mut joined = ClassPath::default();
        for entry in first
            .iter()
            .map(|path| path.to_path_buf())
            .chain(self.entries.iter().cloned())
        {
            joined.push(entry);
        }
        joined
    }

    /// As `-classpath` wants it.
    pub fn joined(&self) -> OsString {
        // Only an entry that itself contains the separator fails, and such an entry cannot be on a class path.
        std::env::join_paths(&self.entries).unwrap_or_default()
    }

    /// Entries that do not exist.
    pub fn missing(&self) -> Vec<&Path> {
        self.entries
            .iter()
            .map(PathBuf::as_path)
            .filter(|entry| !entry.exists())
            .collect()
    }

    /// Whether the JVM refuses classes from elsewhere in the package of `class`: its jar is signed or sealed.
    pub fn closes_package_of(&self, class: &str, feature: u32) -> Result<bool> {
        match self.find_class(class, feature)? {
            Some(origin) if origin.entry.is_file() => Ok(Jar::open(&origin.entry)?.is_closed()),
            _ => Ok(false),
        }
    }

    /// The file the JVM of version `feature` would load `class` (binary name with dots) from. Jars named by a
    /// `Class-Path` in a manifest are searched behind the jar that names them.
    pub fn find_class(&self, class: &str, feature: u32) -> Result<Option<ClassOrigin>> {
        let file = format!("{}.class", class.replace('.', "/"));
        let mut queue: Vec<PathBuf> = self.entries.iter().rev().cloned().collect();
        let mut seen: Vec<PathBuf> = Vec::new();
        while let Some(entry) = queue.pop() {
            if seen.contains(&entry) {
                continue;
            }
            if entry.is_dir() {
                let path = entry.join(&file);
                if path.is_file() {
                    let bytes =
                        std::fs::read(&path).map_err(|source| Error::Io { path, source })?;
                    return Ok(Some(ClassOrigin { entry, bytes }));
                }
            } else if entry.is_file() {
                let mut jar = Jar::open(&entry)?;
                if let Some(bytes) = jar.class(&file, feature)? {
                    return Ok(Some(ClassOrigin { entry, bytes }));
                }
                let folder = entry.parent().unwrap_or(Path::new("")).to_owned();
                queue.extend(
                    jar.manifest
                        .class_path()
                        .iter()
                        .rev()
                        .map(|name| folder.join(name)),
                );
            }
            seen.push(entry);
        }
        Ok(None)
    }
}

fn jars(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut jars: Vec<PathBuf> = entries
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension.eq_ignore_ascii_case("jar"))
        })
        .collect();
    jars.sort();
    jars
}

struct Jar {
    path: PathBuf,
    archive: zip::ZipArchive<File>,
    manifest: Manifest,
}

impl Jar {
    fn open(path: &Path) -> Result<Jar> {
        let file = File::open(path).map_err(|source| Error::Io {
            path: path.to_owned(),
            source,
        })?;
        let archive = zip::ZipArchive::new(file).map_err(|error| Error::BadJar {
            path: path.to_owned(),
            reason: error.to_string(),
        })?;
        let mut jar = Jar {
            path: path.to_owned(),
            archive,
            manifest: Manifest::default(),
        };
        let manifest = jar.read(Manifest::NAME)?.unwrap_or_default();
        jar.manifest = Manifest::read(&manifest);
        Ok(jar)
    }

    fn read(&mut self, name: &str) -> Result<Option<Vec<u8>>> {
        let bad = |reason: String| Error::BadJar {
            path: self.path.clone(),
            reason,
        };
        let file = match self.archive.by_name(name) {
            Ok(file) => file,
            Err(zip::result::ZipError::FileNotFound) => return Ok(None),
            Err(error) => return Err(bad(error.to_string())),
        };
        let mut bytes = Vec::new();
        file.take(CLASS_LIMIT)
            .read_to_end(&mut bytes)
            .map_err(|error| bad(format!("{name}: {error}")))?;
        Ok(Some(bytes))
    }

    fn is_closed(&self) -> bool {
        let signed = self.archive.file_names().any(|name| {
            let name = Path::new(name);
            name.starts_with("META-INF")
                && name
                    .extension()
                    .is_some_and(|extension| extension.eq_ignore_ascii_case("SF"))
        });
        signed || self.manifest.is_true("Sealed")
    }

    fn class(&mut self, file: &str, feature: u32) -> Result<Option<Vec<u8>>> {
        if self.manifest.is_true("Multi-Release") {
            for version in (9..=feature).rev() {
                if let Some(bytes) = self.read(&format!("META-INF/versions/{version}/{file}"))? {
                    return Ok(Some(bytes));
                }
            }
        }
        self.read(file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn jar(path: &Path, files: &[(&str, &str)]) {
        let mut writer = zip::ZipWriter::new(File::create(path).unwrap());
        for (name, text) in files {
            writer
                .start_file(*name, zip::write::SimpleFileOptions::default())
                .unwrap();
            writer.write_all(text.as_bytes()).unwrap();
        }
        writer.finish().unwrap();
    }

    #[test]
    fn wildcards_and_relative_entries_are_expanded_as_the_jvm_does() {
        let folder = tempfile::tempdir().unwrap();
        let here = folder.path();
        std::fs::create_dir(here.join("lib")).unwrap();
        for name in ["lib/b.jar", "lib/a.JAR", "lib/notes.txt"] {
            std::fs::write(here.join(name), "").unwrap();
        }
        let class_path = ClassPath::parse("lib/*:classes:", here);
        let expected = [
            here.join("lib/a.JAR"),
            here.join("lib/b.jar"),
            here.join("classes"),
            here.to_owned(),
        ];
        assert_eq!(class_path.entries(), expected);
        assert_eq!(class_path.missing(), [here.join("classes")]);
    }

    #[test]
    fn a_class_is_found_behind_the_jar_that_names_its_jar() {
        let folder = tempfile::tempdir().unwrap();
        let here = folder.path();
        jar(
            &here.join("app.jar"),
            &[(
                "META-INF/MANIFEST.MF",
                "Class-Path: first.jar li\r\n b.jar\r\n",
            )],
        );
        jar(&here.join("lib.jar"), &[("com/acme/Order.class", "order")]);
        let origin = ClassPath::parse("app.jar", here)
            .find_class("com.acme.Order", 17)
            .unwrap()
            .unwrap();
        assert_eq!(
            origin,
            ClassOrigin {
                entry: here.join("lib.jar"),
                bytes: b"order".to_vec()
            }
        );
    }

    #[test]
    fn a_multi_release_jar_gives_the_class_of_the_running_version() {
        let folder = tempfile::tempdir().unwrap();
        let here = folder.path();
        jar(
            &here.join("app.jar"),
            &[
                ("META-INF/MANIFEST.MF", "Multi-Release: true\n"),
                ("A.class", "8"),
                ("META-INF/versions/11/A.class", "11"),
                ("META-INF/versions/21/A.class", "21"),
            ],
        );
        let class_path = ClassPath::parse("app.jar", here);
        let loaded = |feature| class_path.find_class("A", feature).unwrap().unwrap().bytes;
        assert_eq!(
            (loaded(8), loaded(17), loaded(25)),
            (b"8".to_vec(), b"11".to_vec(), b"21".to_vec())
        );
    }

    #[test]
    fn signed_and_sealed_jars_close_their_packages() {
        let folder = tempfile::tempdir().unwrap();
        let here = folder.path();
        let class = ("com/acme/A.class", "");
        for (manifest, signature, closed) in [
            ("Sealed: true\n", "META-INF/NOTES.TXT", true),
            ("Manifest-Version: 1.0\n", "META-INF/ECLIPSE_.SF", true),
            ("Manifest-Version: 1.0\n", "META-INF/NOTES.TXT", false),
        ] {
            let files = [("META-INF/MANIFEST.MF", manifest), (signature, ""), class];
            jar(&here.join("app.jar"), &files);
            let class_path = ClassPath::parse("app.jar", here);
            assert_eq!(
                class_path.closes_package_of("com.acme.A", 17).unwrap(),
                closed
            );
            assert!(!class_path.closes_package_of("com.acme.B", 17).unwrap());
        }
    }

    #[test]
    fn jars_that_name_each_other_end() {
        let folder = tempfile::tempdir().unwrap();
        let here = folder.path();
        jar(
            &here.join("a.jar"),
            &[("META-INF/MANIFEST.MF", "Class-Path: b.jar\n")],
        );
        jar(
            &here.join("b.jar"),
            &[("META-INF/MANIFEST.MF", "Class-Path: a.jar\n")],
        );
        assert_eq!(
            ClassPath::parse("a.jar", here).find_class("A", 17).unwrap(),
            None
        );
    }

    #[test]
    fn a_broken_jar_is_named() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("app.jar"), "not a zip").unwrap();
        let error = ClassPath::parse("app.jar", folder.path())
            .find_class("A", 17)
            .unwrap_err();
        assert!(
            error
                .to_string()
                .contains("app.jar cannot be read as a jar"),
            "{error}"
        );
    }
}
