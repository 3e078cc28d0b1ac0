//! Where a program starts: the methods that load the recorder before they do anything else.

use crate::archive::{Archive, Content, Entry};
use crate::manifest;
use recrash_classfile::{ClassFile, access};
use std::collections::{BTreeMap, BTreeSet};

/// Where a servlet container enters an application, whatever the version of its interfaces.
const SERVLET: [&str; 9] = [
    "main",
    "<clinit>",
    "contextInitialized",
    "onStartup",
    "init",
    "service",
    "doGet",
    "doPost",
    "doFilter",
];

/// Folders of an archive in which a class path starts.
const WEB_CLASSES: &str = "WEB-INF/classes/";
const BOOT_CLASSES: &str = "BOOT-INF/classes/";

/// For each class file of one archive, by entry name, the methods that start the recorder.
pub(crate) type Starters = BTreeMap<String, Vec<String>>;

/// What surrounds an archive decides whether it can be where a program starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// The input itself, or a jar in a folder that is the input.
    Program,
    /// A jar inside a jar: whoever loads it has started before.
    Library,
}

/// Where the class path begins that an entry belongs to, as the start of its name.
pub(crate) fn root(entry: &str) -> &str {
    [WEB_CLASSES, BOOT_CLASSES]
        .into_iter()
        .find(|root| entry.starts_with(root))
        .unwrap_or("")
}

/// `com/acme/` of a class in `com.acme`.
pub(crate) fn package(class: &[u8]) -> String {
    let name = String::from_utf8_lossy(class);
    name.rsplit_once('/')
        .map_or(String::new(), |(package, _)| format!("{package}/"))
}

pub(crate) fn find(archive: &Archive, place: Place) -> Starters {
    let mut starters = Starters::new();
    if place == Place::Program {
        // Not only the main class of the manifest: a jar on a class path starts wherever somebody says.
        each_class(archive, |entry, class| {
            if root(&entry.name).is_empty() && has_main(class) {
                starters.insert(entry.name.clone(), vec!["main".to_owned()]);
            }
        });
        let main_class = archive
            .file(manifest::NAME)
            .and_then(|manifest| manifest::attribute(manifest, "Main-Class"));
        if let Some(main_class) = main_class {
            main_starters(archive, &main_class, &mut starters);
        }
    }
    each_class(archive, |entry, class| {
        if entry.name.starts_with(WEB_CLASSES) {
            let methods: Vec<String> = SERVLET
                .into_iter()
                .filter(|name| {
                    class
                        .methods
                        .iter()
                        .any(|method| method.name == name.as_bytes())
                })
                .map(str::to_owned)
                .collect();
            if !methods.is_empty() {
                starters.insert(entry.name.clone(), methods);
            }
        }
    });
    starters
}

/// Nothing in the input looks like a start: the first class that is initialised is one.
pub(crate) fn find_initialisers(archive: &Archive) -> Starters {
    let mut starters = Starters::new();
    each_class(archive, |entry, class| {
        if class
            .methods
            .iter()
            .any(|method| method.name == b"<clinit>")
        {
            starters.insert(entry.name.clone(), vec!["<clinit>".to_owned()]);
        }
    });
    starters
}

/// The main class, and those above it: `main` may be inherited.
fn main_starters(archive: &Archive, main_class: &str, starters: &mut Starters) {
    let mut wanted = BTreeSet::from([main_class.replace('.', "/")]);
    loop {
        let before = wanted.len();
        each_class(archive, |entry, class| {
            let name = String::from_utf8_lossy(class.name);
            if root(&entry.name).is_empty() && wanted.contains(name.as_ref()) {
                starters.insert(
                    entry.name.clone(),
                    vec!["main".to_owned(), "<clinit>".to_owned()],
                );
                if !has_main(class)
                    && let Some(above) = class.super_name
                {
                    wanted.insert(String::from_utf8_lossy(above).into_owned());
                }
            }
        });
        if wanted.len() == before {
            break;
        }
    }
}

fn has_main(class: &ClassFile<'_>) -> bool {
    class.methods.iter().any(|method| {
        method.name == b"main"
            && method.is(access::STATIC)
            && method.descriptor == b"([Ljava/lang/String;)V"
    })
}

fn each_class(archive: &Archive, mut see: impl FnMut(&Entry, &ClassFile<'_>)) {
    for entry in archive.entries.iter().filter(|entry| entry.is_class()) {
        if let Content::File(bytes) = &entry.content
            && let Ok(class) = ClassFile::read(bytes)
        {
            see(entry, &class);
        }
    }
}
