//! Jars that carry their classes inside, in a folder or in jars of their own: those of Spring Boot, web archives,
//! one-jar packers. Only their own class loaders read them so, and a test has none of these: it needs them unpacked.

use std::collections::HashSet;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};

use zip::ZipArchive;

use crate::class_path::ClassPath;
use crate::error::{Error, Result};

/// What one jar may unpack to.
const MOST_BYTES: u64 = 4 << 30;

/// Folders that stand for the root of a class path.
const ROOTS: [&str; 2] = ["BOOT-INF/classes/", "WEB-INF/classes/"];

/// The class path, and behind each jar what it carries inside, unpacked below `folder` unless that was done before.
pub fn unpack_nested(class_path: &ClassPath, folder: &Path) -> Result<ClassPath> {
    // The JVM that reads it works elsewhere.
    let folder = &std::path::absolute(folder).map_err(Error::io(folder))?;
    let mut whole = ClassPath::default();
    let mut seen = HashSet::new();
    for entry in class_path.entries() {
        whole.push(entry.clone());
        // One jar may stand there under several names.
        if entry.is_file() && seen.insert(entry.canonicalize().unwrap_or(entry.clone())) {
            for inner in unpack(entry, folder)? {
                whole.push(inner);
            }
        }
    }
    Ok(whole)
}

/// The roots, then the jars in the order of the archive.
fn unpack(jar: &Path, folder: &Path) -> Result<Vec<PathBuf>> {
    let bad = |reason: String| Error::BadJar {
        path: jar.to_owned(),
        reason,
    };
    let file = File::open(jar).map_err(Error::io(jar))?;
    let Ok(mut archive) = ZipArchive::new(file) else {
        // Whoever looks for a class in it is told.
        return Ok(Vec::new());
    };
    let names: Vec<String> = archive.file_names().map(str::to_owned).collect();
    let inner = inner(&names);
    if inner.is_empty() {
        return Ok(inner);
    }
    let place = folder.join(name_for(jar, &mut archive));
    if !place.is_dir() {
        fs::create_dir_all(folder).map_err(Error::io(folder))?;
        let building = tempfile::Builder::new()
            .prefix(".recrash-")
            .tempdir_in(folder)
            .map_err(Error::io(folder))?;
        let mut left = MOST_BYTES;
        for name in names.iter().filter(|name| belongs(name)) {
            let entry = archive
                .by_name(name)
                .map_err(|error| bad(format!("{name}: {error}")))?;
            // A name that leads out of the folder is nobody's class.
            let Some(inside) = entry.enclosed_name() else {
                continue;
            };
            let path = building.path().join(inside);
            fs::create_dir_all(path.parent().unwrap_or(folder)).map_err(Error::io(&path))?;
            let mut to = File::create(&path).map_err(Error::io(&path))?;
            left -=
                io::copy(&mut io::Read::take(entry, left), &mut to).map_err(Error::io(&path))?;
            if left == 0 {
                return Err(bad(format!(
                    "it unpacks to more than {} GB",
                    MOST_BYTES >> 30
                )));
            }
        }
        // Whoever else unpacks the same jar may have been faster; its files are the same.
        if fs::rename(building.path(), &place).is_ok() {
            let _ = building.keep();
        }
    }
    Ok(inner.into_iter().map(|name| place.join(name)).collect())
}

fn inner(names: &[String]) -> Vec<PathBuf> {
    let roots = ROOTS
        .iter()
        .filter(|root| names.iter().any(|name| name.starts_with(**root)));
    let jars = names.iter().filter(|name| is_jar(name));
    roots
        .map(PathBuf::from)
        .chain(jars.map(PathBuf::from))
        .collect()
}

fn belongs(name: &str) -> bool {
    !name.ends_with('/') && (is_jar(name) || ROOTS.iter().any(|root| name.starts_with(root)))
}

fn is_jar(name: &str) -> bool {
    Path::new(name)
        .extension()
        .is_some_and(|extension| extension == "jar")
}

/// `app.jar-1a2b3c4d`, after what the jar holds: a copy of it elsewhere is the same, another build is unpacked beside it.
fn name_for(jar: &Path, archive: &mut ZipArchive<File>) -> String {
    let mut hasher = DefaultHasher::new();
    for index in 0..archive.len() {
        if let Ok(entry) = archive.by_index_raw(index) {
            (entry.name(), entry.crc32(), entry.size()).hash(&mut hasher);
        }
    }
    let name = jar.file_name().unwrap_or_default().to_string_lossy();
    format!("{name}-{:08x}", hasher.finish() as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn jar(path: &Path, files: &[(&str, &[u8])]) {
        let mut writer = zip::ZipWriter::new(File::create(path).unwrap());
        for (name, bytes) in files {
            writer
                .start_file(*name, zip::write::SimpleFileOptions::default())
                .unwrap();
            writer.write_all(bytes).unwrap();
        }
        writer.finish().unwrap();
    }

    #[test]
    fn a_jar_under_two_names_is_unpacked_once() {
        let folder = tempfile::tempdir().unwrap();
        let here = folder.path();
        jar(&here.join("app.jar"), &[("BOOT-INF/classes/A.class", b"a")]);
        fs::create_dir(here.join("copy")).unwrap();
        fs::copy(here.join("app.jar"), here.join("copy/app.jar")).unwrap();
        let twice = ClassPath::parse("app.jar:./app.jar:copy/app.jar", here);
        let whole = unpack_nested(&twice, &here.join("out")).unwrap();
        assert_eq!(fs::read_dir(here.join("out")).unwrap().count(), 1);
        let inside = |entry: &&PathBuf| entry.starts_with(here.join("out"));
        assert_eq!(whole.entries().iter().filter(inside).count(), 1);
    }

    #[test]
    fn classes_inside_a_jars_folder_and_inside_its_jars_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let here = folder.path();
        jar(&here.join("lib.jar"), &[("lib/B.class", b"b")]);
        let lib = fs::read(here.join("lib.jar")).unwrap();
        jar(
            &here.join("app.jar"),
            &[
                ("BOOT-INF/lib/lib.jar", &lib),
                ("BOOT-INF/classes/app/A.class", b"a"),
                ("../out.jar", b"hostile"),
                ("readme.txt", b""),
            ],
        );
        let plain = ClassPath::parse("app.jar", here);
        assert_eq!(plain.find_class("app.A", 17).unwrap(), None);
        let unpacked = here.join("unpacked");
        let whole = unpack_nested(&plain, &unpacked).unwrap();
        for (class, bytes) in [("app.A", b"a"), ("lib.B", b"b")] {
            let origin = whole.find_class(class, 17).unwrap().unwrap();
            assert_eq!(origin.bytes, bytes);
        }
        assert!(!here.join("out.jar").exists());
        assert_eq!(unpack_nested(&plain, &unpacked).unwrap(), whole);
        assert_eq!(fs::read_dir(&unpacked).unwrap().count(), 1);
    }

    #[test]
    fn what_is_unpacked_is_found_from_everywhere() {
        let folder = tempfile::tempdir_in(".").unwrap();
        jar(&folder.path().join("app.jar"), &[("lib/lib.jar", b"")]);
        let plain = ClassPath::parse("app.jar", folder.path());
        let name = folder.path().file_name().unwrap();
        let whole = unpack_nested(&plain, Path::new(name)).unwrap();
        assert_eq!(whole.entries().len(), 2);
        assert!(whole.entries().iter().all(|entry| entry.is_absolute()));
    }

    #[test]
    fn a_jar_of_classes_alone_is_left_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        jar(&folder.path().join("app.jar"), &[("app/A.class", b"a")]);
        let plain = ClassPath::parse("app.jar:gone.jar", folder.path());
        let unpacked = folder.path().join("unpacked");
        assert_eq!(unpack_nested(&plain, &unpacked).unwrap(), plain);
        assert!(!unpacked.exists());
    }
}
