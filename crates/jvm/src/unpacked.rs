//! Archives with a class path inside: Spring Boot jars and WARs, which bring class loaders of their own.

use crate::ClassPath;
use crate::error::{Error, Result};
use std::fs::{self, File};
use std::io;
use std::path::Path;
use zip::ZipArchive;

/// Folders of classes, and folders of jars, inside archives.
const CLASSES: [&str; 2] = ["BOOT-INF/classes", "WEB-INF/classes"];
const JARS: [&str; 3] = ["BOOT-INF/lib", "WEB-INF/lib", "WEB-INF/lib-provided"];

impl ClassPath {
    /// This class path with what such archives hold in front of each of them, unpacked below `folder`. Other entries
    /// stay as they are, also those that are no archives: whoever looks for a class there says so.
    pub fn unpacked(&self, folder: &Path) -> Result<ClassPath> {
        let mut class_path = ClassPath::default();
        for (number, entry) in self.entries().iter().enumerate() {
            let archive = File::open(entry)
                .ok()
                .and_then(|file| ZipArchive::new(file).ok());
            if let Some(mut archive) = archive.filter(|_| entry.is_file()) {
                let place = folder.join(number.to_string());
                unpack(&mut archive, &place, &mut class_path).map_err(|source| Error::Io {
                    path: entry.clone(),
                    source,
                })?;
            }
            class_path.push(entry.clone());
        }
        Ok(class_path)
    }
}

fn unpack(archive: &mut ZipArchive<File>, place: &Path, onto: &mut ClassPath) -> io::Result<()> {
    let mut jars = Vec::new();
    for index in 0..archive.len() {
        let mut file = archive.by_index(index)?;
        // Names that lead out of the folder are nobody's class path.
        let Some(name) = file.enclosed_name().filter(|_| file.is_file()) else {
            continue;
        };
        let target = place.join(&name);
        let is_class = CLASSES.iter().any(|classes| name.starts_with(classes));
        let is_jar = JARS
            .iter()
            .any(|folder| name.parent() == Some(Path::new(folder)));
        if is_jar {
            jars.push(target.clone());
        } else if !is_class {
            continue;
        }
        if let Some(parent) = target.parent() {
            fs::create_dir_all(parent)?;
        }
        io::copy(&mut file, &mut File::create(&target)?)?;
    }
    for classes in CLASSES.map(|classes| place.join(classes)) {
        if classes.is_dir() {
            onto.push(classes);
        }
    }
    for jar in jars {
        onto.push(jar);
    }
    Ok(())
}
