use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::jdk::{Jdk, Version, executable};

/// Every JDK found on this machine, each once (symbolic links resolved): `JAVA_HOME` first, then the `java` on the
/// `PATH`, then the usual folders, newest version first.
pub fn find_jdks() -> Vec<Jdk> {
    let mut preferred = Vec::new();
    preferred.extend(std::env::var_os("JAVA_HOME").map(PathBuf::from));
    preferred.extend(home_of_java_on_path());
    let mut others: Vec<PathBuf> = Vec::new();
    for folder in usual_folders() {
        others.extend(children(&folder));
    }
    let mut seen = BTreeSet::new();
    let mut installed = |homes: Vec<PathBuf>| -> Vec<Jdk> {
        homes
            .into_iter()
            .filter_map(|home| home.canonicalize().ok())
            .filter(|home| seen.insert(home.clone()))
            .filter_map(|home| Jdk::at(&home).ok())
            .collect()
    };
    let mut jdks = installed(preferred);
    let mut rest = installed(others);
    rest.sort_by(|a, b| {
        b.version
            .feature
            .cmp(&a.version.feature)
            .then_with(|| a.home.cmp(&b.home))
    });
    jdks.append(&mut rest);
    jdks
}

fn usual_folders() -> Vec<PathBuf> {
    let mut folders = vec![
        PathBuf::from("/usr/lib/jvm"),
        PathBuf::from("/opt"),
        PathBuf::from("/usr/java"),
    ];
    if let Some(home) = std::env::var_os("HOME").map(PathBuf::from) {
        folders.push(home.join(".sdkman/candidates/java"));
        folders.push(home.join(".jdks"));
    }
    folders
}

fn children(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = entries
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .collect();
    paths.sort();
    paths
}

/// The JDK that a `java` belongs to: by its path, or by its name alone the one on the `PATH`.
pub fn jdk_of(java: &Path) -> Option<Jdk> {
    let named = java.parent().is_some_and(|folder| folder == Path::new(""));
    let home = if named {
        home_of_java_on_path()
    } else {
        home_of(java)
    };
    Jdk::at(&home?).ok()
}

fn home_of_java_on_path() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).find_map(|folder| home_of(&folder.join(executable("java"))))
}

/// `/usr/bin/java` is a chain of links into the JDK; a wrapper script is not, and leads nowhere.
fn home_of(java: &Path) -> Option<PathBuf> {
    let java = java.canonicalize().ok()?;
    let home = java.parent()?.parent()?.to_owned();
    // A JDK 8 keeps its runtime in `jre` below the JDK's own folder.
    let jdk8 = home
        .ends_with("jre")
        .then(|| home.parent().map(Path::to_owned))
        .flatten();
    jdk8.filter(|home| home.join("bin").join(executable("javac")).is_file())
        .or(Some(home))
}

/// The JDK to run a recorded program on, and what the user should know about the choice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chosen {
    pub jdk: Jdk,
    pub note: Option<String>,
}

/// The recorded JDK when it is still there; else the nearest version, newer ones first, because a class file never
/// runs on an older JVM than it was compiled for.
pub fn choose(jdks: &[Jdk], recorded_home: &Path, recorded_version: &str) -> Option<Chosen> {
    let recorded = Version::parse(recorded_version);
    if let Ok(jdk) = Jdk::at(recorded_home)
        && recorded
            .as_ref()
            .is_none_or(|version| version.feature == jdk.version.feature)
    {
        return Some(Chosen { jdk, note: None });
    }
    let wanted = recorded.as_ref().map_or(0, |version| version.feature);
    let nearest = jdks.iter().min_by_key(|jdk| {
        let feature = jdk.version.feature;
        (feature < wanted, feature.abs_diff(wanted))
    })?;
    let note = (nearest.version.text != recorded_version).then(|| {
        format!(
            "the failure was recorded on Java {recorded_version} ({}), which is not here; Java {} ({}) is used",
            recorded_home.display(),
            nearest.version,
            nearest.home.display()
        )
    });
    Some(Chosen {
        jdk: nearest.clone(),
        note,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn jdk(feature: u32) -> Jdk {
        Jdk {
            home: PathBuf::from(format!("/jdk{feature}")),
            version: Version {
                feature,
                text: format!("{feature}.0.1"),
            },
            vendor: String::new(),
            javac: None,
        }
    }

    #[test]
    fn a_jdk_is_found_once_however_many_links_lead_to_it() {
        let jdks = find_jdks();
        let homes: BTreeSet<_> = jdks.iter().map(|jdk| jdk.home.clone()).collect();
        assert_eq!(homes.len(), jdks.len());
        for jdk in &jdks {
            assert!(jdk.java().is_file());
        }
    }

    #[test]
    fn the_recorded_jdk_is_chosen_without_a_note() {
        for jdk in find_jdks() {
            let chosen = choose(&[], &jdk.home, &jdk.version.text).unwrap();
            assert_eq!(chosen, Chosen { jdk, note: None });
        }
    }

    #[test]
    fn a_missing_jdk_is_replaced_by_the_nearest_newer_one_with_a_note() {
        let jdks = [jdk(8), jdk(17), jdk(21), jdk(25)];
        let chosen = choose(&jdks, Path::new("/gone"), "18.0.2").unwrap();
        assert_eq!(chosen.jdk.version.feature, 21);
        assert!(chosen.note.unwrap().contains("18.0.2"));
    }

    #[test]
    fn only_older_jdks_left_gives_the_newest_of_them() {
        let chosen = choose(&[jdk(8), jdk(17)], Path::new("/gone"), "21").unwrap();
        assert_eq!(chosen.jdk.version.feature, 17);
    }

    #[test]
    fn no_jdk_at_all_chooses_nothing() {
        assert_eq!(choose(&[], Path::new("/gone"), "21"), None);
    }
}
