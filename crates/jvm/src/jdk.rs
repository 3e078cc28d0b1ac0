use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::error::{Error, Result};
use crate::process::{Launch, run};

/// The version of a JDK: `feature` decides what it can run, `text` is what its vendor prints.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    pub feature: u32,
    pub text: String,
}

impl Version {
    /// Reads both the old scheme (`1.8.0_392`) and the new one (`17.0.15`, `25-ea`).
    pub fn parse(text: &str) -> Option<Version> {
        let mut numbers = text
            .split(|c: char| !c.is_ascii_digit())
            .filter_map(|n| n.parse::<u32>().ok());
        let first = numbers.next()?;
        let feature = if first == 1 {
            numbers.next().unwrap_or(first)
        } else {
            first
        };
        Some(Version {
            feature,
            text: text.to_owned(),
        })
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// An installed JDK (or runtime, when [`Jdk::javac`] is `None`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Jdk {
    pub home: PathBuf,
    pub version: Version,
    /// As the `release` file names it; empty when it does not.
    pub vendor: String,
    pub javac: Option<PathBuf>,
}

impl Jdk {
    /// The JDK installed in `home`.
    pub fn at(home: &Path) -> Result<Jdk> {
        let java = home.join("bin").join(executable("java"));
        if !java.is_file() {
            return Err(Error::NotAJdk(home.to_owned()));
        }
        let release = std::fs::read_to_string(home.join("release")).unwrap_or_default();
        let version = match property(&release, "JAVA_VERSION").and_then(Version::parse) {
            Some(version) => version,
            None => ask_version(&java).ok_or_else(|| Error::NoVersion(home.to_owned()))?,
        };
        let javac = Some(home.join("bin").join(executable("javac"))).filter(|path| path.is_file());
        Ok(Jdk {
            home: home.to_owned(),
            version,
            vendor: property(&release, "IMPLEMENTOR")
                .unwrap_or_default()
                .to_owned(),
            javac,
        })
    }

    pub fn java(&self) -> PathBuf {
        self.home.join("bin").join(executable("java"))
    }

    pub fn javac(&self) -> Result<&Path> {
        self.javac
            .as_deref()
            .ok_or_else(|| Error::NoJavac(self.home.clone()))
    }
}

pub(crate) fn executable(name: &str) -> String {
    format!("{name}{}", std::env::consts::EXE_SUFFIX)
}

/// `KEY="value"` lines of a `release` file.
fn property<'a>(release: &'a str, key: &str) -> Option<&'a str> {
    release.lines().find_map(|line| {
        let value = line
            .strip_prefix(key)?
            .strip_prefix('=')?
            .trim()
            .trim_matches('"');
        (!value.is_empty()).then_some(value)
    })
}

/// Distributions that strip the `release` file still print `openjdk version "17.0.15" …` on standard error.
fn ask_version(java: &Path) -> Option<Version> {
    let launch = Launch::new(java)
        .argument("-version")
        .limit(Duration::from_secs(20));
    let finished = run(&launch).ok()?;
    let text = finished.stderr.split('"').nth(1)?;
    Version::parse(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_both_schemes_give_the_feature_number() {
        let feature = |text| Version::parse(text).map(|version| version.feature);
        assert_eq!(feature("1.8.0_392"), Some(8));
        assert_eq!(feature("17.0.15"), Some(17));
        assert_eq!(feature("25"), Some(25));
        assert_eq!(feature("26-ea"), Some(26));
        assert_eq!(feature("unknown"), None);
    }

    #[test]
    fn a_release_file_is_read_by_key_not_by_prefix() {
        let release =
            "JAVA_VERSION_DATE=\"2025-04-15\"\nJAVA_VERSION=\"17.0.15\"\nIMPLEMENTOR=\"Debian\"\n";
        assert_eq!(property(release, "JAVA_VERSION"), Some("17.0.15"));
        assert_eq!(property(release, "IMPLEMENTOR"), Some("Debian"));
        assert_eq!(property(release, "SOURCE"), None);
    }

    #[test]
    fn a_folder_without_java_is_not_a_jdk() {
        let folder = tempfile::tempdir().unwrap();
        let error = Jdk::at(folder.path()).unwrap_err();
        assert!(error.to_string().contains("is not a JDK"), "{error}");
    }

    #[test]
    fn a_jdk_without_release_file_is_asked() {
        for jdk in crate::find_jdks() {
            assert_eq!(
                ask_version(&jdk.java()).map(|version| version.feature),
                Some(jdk.version.feature)
            );
        }
    }
}
