//! Where classes say that they come from, and whether they lie there: script engines and generators name their own jar,
//! or a place that never was.

use crate::jvm::Jni;
use jvmti_bindings::sys::jni::{jfieldID, jobject};
use recrash_classfile::{Budget, entry_names};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use xxhash_rust::xxh3::xxh3_64;

/// Folders inside jars that class loaders take for their root.
const ROOTS: [&str; 2] = ["BOOT-INF/classes/", "WEB-INF/classes/"];

/// The fields of the JDK that lead from a class's domain to its place. Only fields are read: the methods could be those
/// of a class of the program.
struct Fields {
    code_source: jfieldID,
    location: jfieldID,
    protocol: jfieldID,
    path: jfieldID,
}

// SAFETY: field ids of classes of the boot loader are valid in every thread for as long as the JVM lives.
unsafe impl Send for Fields {}
// SAFETY: as above.
unsafe impl Sync for Fields {}

/// The places that classes have named so far.
pub struct Places {
    fields: Fields,
    known: Mutex<HashMap<String, Place>>,
}

enum Place {
    /// A jar, with the hashes of its files' names.
    Jar(HashSet<u64>),
    Folder(PathBuf),
    Nowhere,
}

impl Places {
    pub fn find(jni: Jni) -> Option<Self> {
        const TEXT: &std::ffi::CStr = c"Ljava/lang/String;";
        let domain = jni.find_class("java/security/ProtectionDomain")?;
        let source = jni.find_class("java/security/CodeSource")?;
        let url = jni.find_class("java/net/URL")?;
        Some(Self {
            fields: Fields {
                code_source: jni.field(domain, c"codesource", c"Ljava/security/CodeSource;")?,
                location: jni.field(source, c"location", c"Ljava/net/URL;")?,
                protocol: jni.field(url, c"protocol", TEXT)?,
                path: jni.field(url, c"path", TEXT)?,
            },
            known: Mutex::default(),
        })
    }

    /// Whether the domain names a place.
    pub fn names_one(&self, jni: Jni, domain: jobject) -> bool {
        let location = self.location(jni, domain);
        location.inspect(|&url| jni.release(url)).is_some()
    }

    /// Whether the domain names the place that the class of this internal name lies in. A place that is neither a file
    /// nor a folder is believed.
    pub fn has(&self, jni: Jni, domain: jobject, class: &str) -> bool {
        let Some(url) = self.location(jni, domain) else {
            return false;
        };
        match self.read(jni, url) {
            (Some(protocol), Some(path)) if protocol == "file" => self.holds(path, class),
            _ => true,
        }
    }

    /// The URL that the domain names.
    pub fn url(&self, jni: Jni, domain: jobject) -> Option<String> {
        let (protocol, path) = self.read(jni, self.location(jni, domain)?);
        Some(format!("{}:{}", protocol?, path?))
    }

    /// Protocol and path.
    fn read(&self, jni: Jni, url: jobject) -> (Option<String>, Option<String>) {
        let text = |field| {
            let string = jni.object_field(url, field)?;
            let text = jni.text(string);
            jni.release(string);
            text
        };
        let parts = (text(self.fields.protocol), text(self.fields.path));
        jni.release(url);
        parts
    }

    fn location(&self, jni: Jni, domain: jobject) -> Option<jobject> {
        if domain.is_null() {
            return None;
        }
        let source = jni.object_field(domain, self.fields.code_source)?;
        let location = jni.object_field(source, self.fields.location);
        jni.release(source);
        location
    }

    fn holds(&self, path: String, class: &str) -> bool {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let place = known.entry(path).or_insert_with_key(|path| Place::at(path));
        place.holds(&format!("{class}.class"))
    }
}

impl Place {
    fn at(url_path: &str) -> Self {
        let path = PathBuf::from(decoded(url_path));
        if path.is_dir() {
            return Self::Folder(path);
        }
        match entry_names(&path, Budget::default()) {
            Ok(names) => Self::Jar(names.iter().map(|name| hash(in_root(name))).collect()),
            Err(_) => Self::Nowhere,
        }
    }

    fn holds(&self, file: &str) -> bool {
        match self {
            Self::Jar(names) => names.contains(&hash(file)),
            Self::Folder(folder) => folder.join(Path::new(file)).is_file(),
            Self::Nowhere => false,
        }
    }
}

fn hash(name: &str) -> u64 {
    xxh3_64(name.as_bytes())
}

/// The name that a class loader asks for: without the folder of a release or a container.
fn in_root(name: &str) -> &str {
    let release = name
        .strip_prefix("META-INF/versions/")
        .and_then(|rest| Some(rest.split_once('/')?.1));
    release
        .or_else(|| ROOTS.iter().find_map(|root| name.strip_prefix(root)))
        .unwrap_or(name)
}

/// Percent-encoded bytes as they were.
pub fn decoded(url_path: &str) -> String {
    let mut bytes = Vec::with_capacity(url_path.len());
    let mut rest = url_path.as_bytes();
    while let [first, tail @ ..] = rest {
        rest = tail;
        let code = match (first, tail) {
            (b'%', [high, low, ..]) => std::str::from_utf8(&[*high, *low])
                .ok()
                .and_then(|digits| u8::from_str_radix(digits, 16).ok()),
            _ => None,
        };
        bytes.push(code.unwrap_or(*first));
        if code.is_some() {
            rest = rest.get(2..).unwrap_or_default();
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_decoded_and_names_freed_of_their_root() {
        assert_eq!(decoded("/a%20b/%C3%A4.jar%"), "/a b/ä.jar%");
        assert_eq!(decoded("100%zz"), "100%zz");
        assert_eq!(in_root("META-INF/versions/11/app/A.class"), "app/A.class");
        assert_eq!(in_root("BOOT-INF/classes/app/A.class"), "app/A.class");
        assert_eq!(in_root("app/A.class"), "app/A.class");
    }

    #[test]
    fn a_class_is_where_its_file_is() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(folder.path().join("app")).expect("a package");
        std::fs::write(folder.path().join("app/A.class"), "").expect("a class");
        let place = Place::at(&format!("{}/", folder.path().display()));
        assert!(place.holds("app/A.class") && !place.holds("app/B.class"));
        assert!(!Place::at("/groovy/shell").holds("Script1.class"));
    }
}
