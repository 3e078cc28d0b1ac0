//! The jars that builds use, laid out as a Maven repository.
//!
//! <https://maven.apache.org/repository/layout.html>. A file that lies in a local repository without a note of where it
//! came from counts as installed there, which is what `mvn install` leaves.

use crate::{Error, embedded, write};
use std::path::{Path, PathBuf};

const GROUP: &str = "io.github.recrash";
const VERSION: &str = env!("CARGO_PKG_VERSION");

struct Artifact {
    name: &'static str,
    packaging: &'static str,
    about: &'static str,
    /// Comes along where the artifact is used.
    needs: Option<&'static str>,
}

const ARTIFACTS: [Artifact; 3] = [
    Artifact {
        name: "recrash-maven-plugin",
        packaging: "maven-plugin",
        about: "Runs the test phase under recrash and makes tests of what failed",
        needs: None,
    },
    Artifact {
        name: "recrash-junit",
        packaging: "jar",
        about: "What generated tests and @Crash tests need beside JUnit",
        // Tests of before name classes that are there now.
        needs: Some("recrash-api"),
    },
    Artifact {
        name: "recrash-api",
        packaging: "jar",
        about: "Capture points of a program",
        needs: None,
    },
];

/// Puts the Maven plugin and the jars for tests into the repository in `folder`; their coordinates.
pub fn publish(folder: &Path) -> Result<Vec<String>, Error> {
    let mut published = Vec::new();
    for artifact in &ARTIFACTS {
        let name = artifact.name;
        let jar = format!("{name}.jar");
        let place = place(folder, name);
        for (embedded, bytes) in embedded::FILES {
            if *embedded == jar {
                put(&place.join(format!("{name}-{VERSION}.jar")), bytes)?;
            }
        }
        let pom = place.join(format!("{name}-{VERSION}.pom"));
        put(&pom, pom_of(artifact).as_bytes())?;
        published.push(format!("{GROUP}:{name}:{VERSION}"));
    }
    Ok(published)
}

fn place(folder: &Path, name: &str) -> PathBuf {
    folder
        .join(GROUP.replace('.', "/"))
        .join(name)
        .join(VERSION)
}

fn put(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    write(path, bytes).map_err(|source| Error::Publish {
        path: path.to_owned(),
        source,
    })
}

fn pom_of(artifact: &Artifact) -> String {
    let Artifact {
        name,
        packaging,
        about,
        needs,
    } = artifact;
    let dependencies = needs.map_or_else(String::new, |needed| {
        format!(
            "  <dependencies>
    <dependency>
      <groupId>{GROUP}</groupId>
      <artifactId>{needed}</artifactId>
      <version>{VERSION}</version>
    </dependency>
  </dependencies>
"
        )
    });
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<project xmlns=\"http://maven.apache.org/POM/4.0.0\">
  <modelVersion>4.0.0</modelVersion>
  <groupId>{GROUP}</groupId>
  <artifactId>{name}</artifactId>
  <version>{VERSION}</version>
  <packaging>{packaging}</packaging>
  <description>{about}</description>
{dependencies}</project>
"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_artifact_has_its_jar_and_its_pom_where_maven_looks() {
        let folder = tempfile::tempdir().unwrap();
        let published = publish(folder.path()).unwrap();
        assert_eq!(published.len(), ARTIFACTS.len());
        for artifact in &ARTIFACTS {
            let place = place(folder.path(), artifact.name);
            let jar =
                std::fs::read(place.join(format!("{}-{VERSION}.jar", artifact.name))).unwrap();
            assert_eq!(&jar[..2], b"PK");
            let pom =
                std::fs::read_to_string(place.join(format!("{}-{VERSION}.pom", artifact.name)))
                    .unwrap();
            assert!(
                pom.contains(&format!("<artifactId>{}<", artifact.name)),
                "{pom}"
            );
        }
    }

    #[test]
    fn a_repository_that_cannot_be_written_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "").unwrap();
        let error = publish(&file).unwrap_err().to_string();
        assert!(error.contains("--repository"), "{error}");
    }
}
