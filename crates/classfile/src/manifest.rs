//! The main attributes of a jar's manifest that decide which classes a JVM sees.

/// `META-INF/MANIFEST.MF`, its main section.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Manifest {
    text: String,
}

impl Manifest {
    pub const NAME: &'static str = "META-INF/MANIFEST.MF";

    pub fn read(bytes: &[u8]) -> Manifest {
        // A manifest line continues on the next one after a line break and one space (JAR specification).
        let text = String::from_utf8_lossy(bytes)
            .replace("\r\n", "\n")
            .replace("\n ", "");
        Manifest { text }
    }

    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.text
            .lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }

    pub fn is_true(&self, name: &str) -> bool {
        self.attribute(name)
            .is_some_and(|value| value.trim() == "true")
    }

    /// The jars and folders that `Class-Path` names, relative to the folder of the jar.
    pub fn class_path(&self) -> Vec<String> {
        self.attribute("Class-Path")
            .unwrap_or_default()
            .split(' ')
            .filter(|name| !name.is_empty() && !name.contains("://"))
            .map(|name| {
                name.strip_prefix("file:")
                    .unwrap_or(name)
                    .replace("%20", " ")
            })
            .collect()
    }
}

/// The version of Java an entry of a multi-release jar is for, and the name it stands for.
pub fn release_of(entry: &str) -> Option<(u32, &str)> {
    let (version, name) = entry.strip_prefix("META-INF/versions/")?.split_once('/')?;
    Some((version.parse().ok()?, name))
}
