//! The classes that instrumented programs carry, `recrash.start.Start` and what it uses, under names of the program's package.
//!
//! In a package of its own the class would be out of reach of named modules and of class loaders that look at names.

use crate::{Error, Result};
use recrash_classfile::{Budget, ClassFile, read_classes};
use std::path::Path;

const PACKAGE: &str = "recrash/start/";
const PREFIX: &str = "$Recrash";

/// Compiled classes of package `recrash.start`, by simple name.
pub(crate) struct Templates {
    classes: Vec<(String, Vec<u8>)>,
}

impl Templates {
    pub(crate) fn read(jar: &Path) -> Result<Self> {
        let broken = |detail: String| Error::Archive {
            place: jar.display().to_string(),
            detail,
        };
        let classes =
            read_classes(jar, Budget::default()).map_err(|error| broken(error.to_string()))?;
        let classes = classes
            .into_iter()
            .filter_map(|class| {
                let simple = class.name.strip_prefix(PACKAGE)?.strip_suffix(".class")?;
                Some((simple.to_owned(), class.bytes))
            })
            .collect();
        Ok(Templates { classes })
    }

    /// The internal name of `recrash.start.Start` in a package (internal name, empty or ending with a slash).
    pub(crate) fn start(package: &str) -> String {
        format!("{package}{PREFIX}Start")
    }

    /// The classes for a package: path of the class file, and bytes.
    pub(crate) fn placed(&self, package: &str) -> Result<Vec<(String, Vec<u8>)>> {
        let mut placed = Vec::new();
        for (simple, bytes) in &self.classes {
            let name = format!("{package}{PREFIX}{simple}");
            let renamed = self.renamed(bytes, package).ok_or_else(|| Error::Archive {
                place: simple.clone(),
                detail: "its constants cannot be read".to_owned(),
            })?;
            placed.push((format!("{name}.class"), renamed));
        }
        Ok(placed)
    }

    fn renamed(&self, bytes: &[u8], package: &str) -> Option<Vec<u8>> {
        let class = ClassFile::read(bytes).ok()?;
        Some(class.pool.with_texts(|text| {
            let simple = text.strip_prefix(PACKAGE.as_bytes())?;
            self.classes
                .iter()
                .find(|(known, _)| known.as_bytes() == simple)
                .map(|(known, _)| format!("{package}{PREFIX}{known}").into_bytes())
        }))
    }
}
