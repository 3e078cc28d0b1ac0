//! Where classes come from, as class loaders spell it: paths and URLs, of folders, jars, and jars inside jars.

/// The place of a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place<'a> {
    /// A folder of classes, or what stands for one inside an archive: `BOOT-INF/classes`, `WEB-INF/classes`.
    Folder(&'a str),
    /// A jar of its own.
    Jar(&'a str),
    /// A jar inside another one, of which this is the path.
    Nested(&'a str),
    /// The JDK's image: a program that was linked into it.
    Image(&'a str),
    /// A name that is no file of classes: a script, or something an engine made up.
    Other(&'a str),
}

/// Folders inside archives that are the application's root.
const ROOTS: [&str; 2] = ["BOOT-INF/classes", "WEB-INF/classes"];

/// Folders that libraries are put into.
const LIBRARY_FOLDERS: [&str; 9] = [
    "lib",
    "libs",
    "deps",
    "dependency",
    "dependencies",
    "ext",
    "endorsed",
    "plugins",
    "modules",
];

/// Where build tools keep what they have downloaded.
const CACHES: [&str; 6] = [
    "/.m2/repository/",
    "/.gradle/",
    "/.ivy2/",
    "/coursier/",
    "/caches/modules-2/",
    "/.sdkman/",
];

/// Where build tools put the jars they have built: those of other modules of one build.
const BUILT: [&str; 2] = ["build/libs", "target"];

impl<'a> Place<'a> {
    /// From a path or a URL: `file:/x/app.jar`, `jar:file:/x/app.jar!/BOOT-INF/lib/y.jar!/`, `nested:/x/app.jar/!BOOT-INF/classes/!/`.
    pub fn of(text: &'a str) -> Place<'a> {
        if let Some(module) = text.strip_prefix("jrt:/") {
            return Place::Image(module);
        }
        let mut path = text;
        for scheme in ["jar:", "nested:", "file:", "vfs:", "war:"] {
            path = path.strip_prefix(scheme).unwrap_or(path);
        }
        let path = path.trim_end_matches("!/").trim_end_matches("/!");
        if ROOTS.iter().any(|root| inner(path, root)) {
            return Place::Folder(path);
        }
        let outer = path
            .split_once(".jar!")
            .or_else(|| path.split_once(".war!"));
        if outer.is_some() || path.contains(".jar/!") || path.contains(".war/!") {
            return Place::Nested(path);
        }
        let lower = path.len().checked_sub(4).and_then(|at| path.get(at..));
        if lower.is_some_and(|end| {
            [".jar", ".war", ".zip", ".ear"]
                .iter()
                .any(|kind| end.eq_ignore_ascii_case(kind))
        }) {
            return Place::Jar(path);
        }
        if path.ends_with('/') {
            return Place::Folder(path);
        }
        let name = path.rsplit('/').next().unwrap_or(path);
        let known = ["classes", "test-classes", "main", "test", "bin", "out"];
        if known.contains(&name) || !path.starts_with('/') && !name.contains('.') {
            return Place::Folder(path);
        }
        Place::Other(path)
    }

    /// A jar that a build tool has downloaded, or one in a folder of libraries.
    pub(crate) fn is_of_libraries(self) -> bool {
        match self {
            Place::Nested(_) => true,
            Place::Jar(path) => {
                !self.was_built()
                    && (is_downloaded(path)
                        || folders(path).any(|folder| LIBRARY_FOLDERS.contains(&folder)))
            }
            _ => false,
        }
    }

    /// A jar that a build tool has downloaded.
    pub(crate) fn is_downloaded(self) -> bool {
        matches!(self, Place::Jar(path) if is_downloaded(path))
    }

    /// A jar where a build puts what it has made.
    pub(crate) fn was_built(self) -> bool {
        let Place::Jar(path) = self else { return false };
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        BUILT.iter().any(|built| {
            folder
                .strip_suffix(built)
                .is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
        })
    }

    /// The file's name says that it is generated, or between releases.
    pub(crate) fn is_named(self, part: &str) -> bool {
        let (Place::Jar(path) | Place::Nested(path)) = self else {
            return false;
        };
        path.rsplit('/')
            .next()
            .is_some_and(|name| name.contains(part))
    }

    /// The path of a jar or a folder on disk.
    pub(crate) fn path(self) -> Option<&'a str> {
        match self {
            Place::Folder(path) | Place::Jar(path) => Some(path),
            _ => None,
        }
    }
}

/// The module of a build that a folder of classes belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Module<'a> {
    /// Its folder.
    pub root: &'a str,
    /// The folder holds its tests.
    pub tests: bool,
}

/// Where build tools put the classes of a module, and whether they are its tests.
const OUTPUTS: [(&str, bool); 14] = [
    ("/target/classes", false),
    ("/target/test-classes", true),
    ("/build/classes/java/main", false),
    ("/build/classes/java/test", true),
    ("/build/classes/kotlin/main", false),
    ("/build/classes/kotlin/test", true),
    ("/build/classes/groovy/main", false),
    ("/build/classes/groovy/test", true),
    ("/build/classes/scala/main", false),
    ("/build/classes/scala/test", true),
    ("/bin/main", false),
    ("/bin/test", true),
    ("/build/classes", false),
    ("/build/test-classes", true),
];

/// The module that the place, a path or URL, belongs to; `None` where no build tool is known to put classes there.
pub fn module_of(place: &str) -> Option<Module<'_>> {
    let Place::Folder(path) = Place::of(place) else {
        return None;
    };
    let path = path.trim_end_matches('/');
    OUTPUTS.iter().find_map(|(output, tests)| {
        let root = path.strip_suffix(output)?;
        Some(Module {
            root,
            tests: *tests,
        })
    })
}

/// Whether the last part of the path is this root.
fn inner(path: &str, root: &str) -> bool {
    let path = path.trim_end_matches('/');
    path.ends_with(root)
}

fn folders(path: &str) -> impl Iterator<Item = &str> {
    path.rsplit('/').skip(1)
}

/// In a cache of a build tool, or laid out like one: `…/artifact/version/artifact-version.jar`.
fn is_downloaded(path: &str) -> bool {
    if CACHES.iter().any(|cache| path.contains(cache)) {
        return true;
    }
    let mut parts = path.rsplit('/');
    let (Some(name), Some(version), Some(artifact)) = (parts.next(), parts.next(), parts.next())
    else {
        return false;
    };
    name.strip_prefix(artifact)
        .and_then(|rest| rest.strip_prefix('-'))
        .is_some_and(|rest| rest.starts_with(version))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read_in_every_spelling() {
        for folder in [
            "file:/home/a/target/classes/",
            "/home/a/target/test-classes",
            "jar:nested:/x/app.jar/!BOOT-INF/classes/!/",
            "jar:file:/x/app.jar!/BOOT-INF/classes!/",
            "file:/tomcat/webapps/shop/WEB-INF/classes/",
            "classes",
        ] {
            assert!(matches!(Place::of(folder), Place::Folder(_)), "{folder}");
        }
        for nested in [
            "jar:nested:/x/app.jar/!BOOT-INF/lib/y-1.jar!/",
            "jar:file:/x/app.jar!/BOOT-INF/lib/y.jar!/",
        ] {
            assert!(matches!(Place::of(nested), Place::Nested(_)), "{nested}");
        }
        assert_eq!(Place::of("file:/x/app.jar"), Place::Jar("/x/app.jar"));
        assert_eq!(Place::of("jrt:/com.acme"), Place::Image("com.acme"));
        assert_eq!(
            Place::of("file:/groovy/shell"),
            Place::Other("/groovy/shell")
        );
    }

    #[test]
    fn libraries_lie_in_caches_and_in_folders_of_theirs() {
        for library in [
            "file:/home/a/.m2/repository/com/x/y/1.2/y-1.2.jar",
            "/ci/cache/com/x/y/1.2/y-1.2-linux.jar",
            "/home/a/.gradle/caches/modules-2/files-2.1/com.x/y/1/abc/y-1.jar",
            "/opt/app/lib/y.jar",
            "/opt/quarkus-app/lib/main/io.x.y-1.jar",
        ] {
            assert!(Place::of(library).is_of_libraries(), "{library}");
        }
        for own in [
            "/opt/quarkus-app/app/shop.jar",
            "/a/sub/build/libs/sub-1.jar",
            "target/b.jar",
        ] {
            assert!(!Place::of(own).is_of_libraries(), "{own}");
        }
    }

    #[test]
    fn folders_of_builds_belong_to_modules() {
        let module = |place| module_of(place).map(|module| (module.root, module.tests));
        assert_eq!(
            module("file:/a/core/target/classes/"),
            Some(("/a/core", false))
        );
        assert_eq!(
            module("/a/app/build/classes/kotlin/test"),
            Some(("/a/app", true))
        );
        assert_eq!(module("file:/a/app.jar"), None);
    }
}
