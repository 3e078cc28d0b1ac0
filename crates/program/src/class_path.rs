//! Where classes come from: the JDK's image, jars, folders, and jars inside of jars.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use recrash_classfile::{Archive, Budget, JImage, Manifest, release_of, text};
use xxhash_rust::xxh3::Xxh3;

use crate::error::{Error, Result};

/// The folders in which Spring Boot jars and WARs keep classes, and those with their jars.
const CLASSES_INSIDE: [&str; 2] = ["BOOT-INF/classes/", "WEB-INF/classes/"];
const JARS_INSIDE: [&str; 2] = ["BOOT-INF/lib/", "WEB-INF/lib/"];

/// All classes a program sees, found but not read. What comes first hides what comes later, and the JDK comes first.
#[derive(Debug)]
pub struct ClassPath {
    jdk: Option<Jdk>,
    /// The first entry, as it was given.
    first: Option<PathBuf>,
    roots: Vec<Root>,
    /// By internal name; the application's only.
    classes: HashMap<Box<[u8]>, Place>,
    /// The version of Java whose entries of a multi-release jar count.
    feature: u32,
    budget: Budget,
}

#[derive(Debug)]
struct Jdk {
    image: JImage,
    hash: u64,
}

#[derive(Debug)]
enum Root {
    Jar(Archive),
    Folder(PathBuf),
}

#[derive(Debug)]
struct Place {
    root: usize,
    entry: String,
}

/// Whose class it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    Jdk,
    Application,
}

impl ClassPath {
    /// Jars and folders in order, and the JDK installed in `jdk`, whose version is `feature`.
    pub fn open<P: AsRef<Path>>(
        entries: impl IntoIterator<Item = P>,
        jdk: Option<&Path>,
        feature: u32,
    ) -> Result<ClassPath> {
        let mut class_path = ClassPath {
            jdk: jdk.map(Jdk::open).transpose()?,
            first: None,
            roots: Vec::new(),
            classes: HashMap::new(),
            feature,
            budget: Budget::default(),
        };
        let mut queue: Vec<PathBuf> = Vec::new();
        for entry in entries {
            let entry = entry.as_ref();
            if !entry.exists() {
                return Err(Error::Missing(entry.to_owned()));
            }
            queue.push(entry.to_owned());
        }
        class_path.first = queue.first().cloned();
        queue.reverse();
        let mut seen = HashSet::new();
        while let Some(entry) = queue.pop() {
            // What a manifest names and does not exist is no more to the JVM than it is here.
            let Ok(entry) = entry.canonicalize() else {
                continue;
            };
            if !seen.insert(entry.clone()) {
                continue;
            }
            if entry.is_dir() {
                class_path.add_folder(&entry)?;
            } else {
                let archive = Archive::open(&entry, class_path.budget)?;
                let named = class_path.add_jar(archive)?;
                let folder = entry.parent().unwrap_or(Path::new(""));
                queue.extend(named.iter().rev().map(|name| folder.join(name)));
            }
        }
        Ok(class_path)
    }

    fn add_folder(&mut self, folder: &Path) -> Result<()> {
        let root = self.roots.len();
        self.roots.push(Root::Folder(folder.to_owned()));
        for name in files_below(folder)? {
            self.add_class(&name, root, &name);
        }
        Ok(())
    }

    /// Gives what the manifest's `Class-Path` names.
    fn add_jar(&mut self, archive: Archive) -> Result<Vec<String>> {
        let manifest = Manifest::read(&archive.read(Manifest::NAME)?.unwrap_or_default());
        let root = self.roots.len();
        let mut names: Vec<String> = archive.names().map(str::to_owned).collect();
        names.sort_unstable();
        if manifest.is_true("Multi-Release") {
            let mut releases: Vec<(u32, &str, &str)> = names
                .iter()
                .filter_map(|entry| {
                    let (release, name) = release_of(entry)?;
                    (9..=self.feature)
                        .contains(&release)
                        .then_some((release, name, entry.as_str()))
                })
                .collect();
            releases.sort_unstable_by_key(|release| std::cmp::Reverse(release.0));
            for (_, name, entry) in releases {
                self.add_class(name, root, entry);
            }
        }
        for entry in &names {
            let inside = CLASSES_INSIDE
                .iter()
                .find_map(|folder| entry.strip_prefix(folder));
            self.add_class(inside.unwrap_or(entry), root, entry);
        }
        let is_jar = |name: &str| {
            Path::new(name)
                .extension()
                .is_some_and(|extension| extension.eq_ignore_ascii_case("jar"))
        };
        let mut nested = Vec::new();
        for entry in &names {
            if is_jar(entry) && JARS_INSIDE.iter().any(|folder| entry.starts_with(folder)) {
                nested.extend(archive.nested(entry)?);
            }
        }
        self.roots.push(Root::Jar(archive));
        for jar in nested {
            self.add_jar(jar)?;
        }
        Ok(manifest.class_path())
    }

    fn add_class(&mut self, name: &str, root: usize, entry: &str) {
        let Some(class) = name.strip_suffix(".class") else {
            return;
        };
        let no_class = class.starts_with("META-INF/")
            || class == "module-info"
            || class.ends_with("package-info");
        if no_class || self.is_of_jdk(class.as_bytes()) {
            return;
        }
        self.classes
            .entry(class.as_bytes().into())
            .or_insert_with(|| Place {
                root,
                entry: entry.to_owned(),
            });
    }

    fn is_of_jdk(&self, name: &[u8]) -> bool {
        self.jdk
            .as_ref()
            .is_some_and(|jdk| jdk.image.contains(name))
    }

    pub fn origin(&self, name: &[u8]) -> Option<Origin> {
        if self.is_of_jdk(name) {
            Some(Origin::Jdk)
        } else {
            self.classes
                .contains_key(name)
                .then_some(Origin::Application)
        }
    }

    /// The class with this internal name; `None` if there is none.
    pub fn read(&self, name: &[u8]) -> Result<Option<Vec<u8>>> {
        if let Some(jdk) = &self.jdk
            && let Some(bytes) = jdk.image.read(name, self.budget)?
        {
            return Ok(Some(bytes));
        }
        let Some(place) = self.classes.get(name) else {
            return Ok(None);
        };
        match self.roots.get(place.root) {
            Some(Root::Jar(archive)) => Ok(archive.read(&place.entry)?),
            Some(Root::Folder(folder)) => {
                let path = folder.join(&place.entry);
                fs::read(&path)
                    .map(Some)
                    .map_err(|source| Error::Io { path, source })
            }
            None => Ok(None),
        }
    }

    /// The application's jars in order, jars inside of jars included.
    pub fn jars(&self) -> impl Iterator<Item = &Archive> {
        self.roots.iter().filter_map(|root| match root {
            Root::Jar(archive) => Some(archive),
            Root::Folder(_) => None,
        })
    }

    /// Every jar and folder of the application that has the class, with what it has; the first one's is taken.
    pub fn copies(&self, name: &[u8]) -> Vec<(String, Vec<u8>)> {
        let Some(taken) = self.classes.get(name) else {
            return Vec::new();
        };
        let file = format!("{}.class", text(name));
        let copy = |(number, root): (usize, &Root)| {
            // Of a jar for several versions of Java, only one version counts.
            let own = (number == taken.root).then_some(taken.entry.as_str());
            let inside = CLASSES_INSIDE.map(|folder| format!("{folder}{file}"));
            let mut names = own.into_iter().chain([&*file]);
            match root {
                Root::Jar(archive) => names
                    .chain(inside.iter().map(String::as_str))
                    .find_map(|name| archive.read(name).ok().flatten())
                    .map(|bytes| (archive.place().to_owned(), bytes)),
                Root::Folder(folder) => names
                    .find_map(|name| fs::read(folder.join(name)).ok())
                    .map(|bytes| (folder.display().to_string(), bytes)),
            }
        };
        self.roots.iter().enumerate().filter_map(copy).collect()
    }

    /// Internal names of the application's classes, sorted.
    pub fn application(&self) -> Vec<&[u8]> {
        let mut names: Vec<&[u8]> = self.classes.keys().map(|name| &**name).collect();
        names.sort_unstable();
        names
    }

    /// Internal names of the JDK's classes, sorted.
    pub fn jdk(&self) -> Vec<&[u8]> {
        let mut names: Vec<&[u8]> = self.jdk.iter().flat_map(|jdk| jdk.image.names()).collect();
        names.sort_unstable();
        names
    }

    /// The first entry, as it was given.
    pub fn first(&self) -> Option<&Path> {
        self.first.as_deref()
    }

    /// One number for everything that can be found here: it changes when a jar, a class file or the JDK does.
    pub fn hash(&self) -> Result<u64> {
        let mut hash = Xxh3::new();
        hash.update(&self.feature.to_le_bytes());
        hash.update(&self.jdk.as_ref().map_or(0, |jdk| jdk.hash).to_le_bytes());
        for root in &self.roots {
            match root {
                Root::Jar(archive) => hash.update(archive.bytes()),
                Root::Folder(folder) => {
                    for name in files_below(folder)? {
                        let path = folder.join(&name);
                        let bytes = fs::read(&path).map_err(|source| Error::Io { path, source })?;
                        hash.update(name.as_bytes());
                        hash.update(&bytes);
                    }
                }
            }
        }
        Ok(hash.digest())
    }
}

impl Jdk {
    fn open(home: &Path) -> Result<Jdk> {
        let path = home.join("lib/modules");
        if !path.is_file() {
            return Err(Error::NoImage(home.to_owned()));
        }
        let image = JImage::open(&path)?;
        // Reading 130 MB at every start is too much. Size and time tell images apart, `release` names the build.
        let data = fs::metadata(&path).map_err(|source| Error::Io { path, source })?;
        let mut hash = Xxh3::new();
        hash.update(&data.len().to_le_bytes());
        let modified = data
            .modified()
            .ok()
            .and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
        hash.update(&modified.unwrap_or_default().as_nanos().to_le_bytes());
        hash.update(&fs::read(home.join("release")).unwrap_or_default());
        Ok(Jdk {
            image,
            hash: hash.digest(),
        })
    }
}

/// Class files below a folder, with slashes, sorted. Links to folders are not followed: they may lead in circles.
fn files_below(folder: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    let mut pending = vec![(folder.to_owned(), String::new())];
    while let Some((path, prefix)) = pending.pop() {
        let io = |source| Error::Io {
            path: path.clone(),
            source,
        };
        for child in fs::read_dir(&path).map_err(io)? {
            let child = child.map_err(io)?;
            let name = format!("{prefix}{}", child.file_name().to_string_lossy());
            if child.file_type().map_err(io)?.is_dir() {
                pending.push((child.path(), format!("{name}/")));
            } else if name.strip_suffix(".class").is_some() {
                names.push(name);
            }
        }
    }
    names.sort_unstable();
    Ok(names)
}
