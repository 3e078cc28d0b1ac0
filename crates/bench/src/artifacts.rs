//! The class path of published artifacts, by Maven.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};
use recrash_synth::{Dependency, dependencies};

use crate::programs::succeed;

/// Group, artifact, version.
type Coordinate = [String; 3];

/// Of `group:artifact:version,…`, with what they depend on. What they call optional is taken along where it can be had:
/// the program that printed a trace had it, or the frames would not be there.
pub fn class_path(coordinates: &str, keep: &Path) -> Result<String> {
    let name: String = coordinates
        .chars()
        .map(|letter| {
            if letter.is_ascii_alphanumeric() || letter == '.' {
                letter
            } else {
                '-'
            }
        })
        .collect();
    let folder = keep.join("artifacts").join(name);
    let file = folder.join("classpath.txt");
    if let Ok(known) = fs::read_to_string(&file) {
        return Ok(known);
    }
    fs::create_dir_all(&folder)?;
    let mut wanted = Vec::new();
    for coordinate in coordinates.split(',') {
        let parts: Vec<String> = coordinate.split(':').map(str::to_owned).collect();
        let Ok(parts) = Coordinate::try_from(parts) else {
            bail!("'{coordinate}' is not group:artifact:version");
        };
        wanted.push(parts);
    }
    let mut found = resolve(&wanted, "", &folder).or_else(|_| in_parts(&wanted, &folder))?;
    // Not everything that was optional years ago can still be had; then it goes without.
    if let Ok(more) = optional(&wanted, &found, &folder)
        && !more.is_empty()
    {
        wanted.extend(more);
        found = resolve(&wanted, "", &folder).unwrap_or(found);
    }
    fs::write(&file, &found)?;
    Ok(found)
}

/// Some old artifacts depend on ones that were never published: each on its own, and those that can be had.
fn in_parts(wanted: &[Coordinate], folder: &Path) -> Result<String> {
    let mut entries = Vec::new();
    let mut failure = None;
    for one in wanted {
        match resolve(std::slice::from_ref(one), ALONE, folder) {
            Ok(jar) => entries.push(jar),
            Err(error) => failure = Some(error),
        }
    }
    match failure {
        Some(failure) if entries.is_empty() => Err(failure),
        _ => Ok(entries.join(":")),
    }
}

const ALONE: &str = "<exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions>";

fn resolve(wanted: &[Coordinate], without: &str, folder: &Path) -> Result<String> {
    let mut dependencies = String::new();
    for [group, artifact, version] in wanted {
        let _ = write!(
            dependencies,
            "<dependency><groupId>{group}</groupId><artifactId>{artifact}</artifactId><version>{version}</version>{without}</dependency>"
        );
    }
    fs::write(
        folder.join("pom.xml"),
        format!(
            "<project xmlns=\"http://maven.apache.org/POM/4.0.0\"><modelVersion>4.0.0</modelVersion>\
             <groupId>recrash</groupId><artifactId>traces</artifactId><version>1</version><packaging>pom</packaging>\
             <dependencies>{dependencies}</dependencies></project>"
        ),
    )?;
    let made = folder.join("made.txt");
    let mut maven = Command::new("mvn");
    maven
        .args([
            "-q",
            "-B",
            "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:build-classpath",
        ])
        .arg(format!("-Dmdep.outputFile={}", made.display()))
        .current_dir(folder);
    succeed(&mut maven, folder)?;
    Ok(fs::read_to_string(&made)?.trim().to_owned())
}

/// What the artifacts themselves list as optional, by the descriptions beside their jars.
fn optional(wanted: &[Coordinate], class_path: &str, folder: &Path) -> Result<Vec<Coordinate>> {
    let mut more = Vec::new();
    for [_, artifact, version] in wanted {
        let name = format!("{artifact}-{version}.jar");
        let jar = class_path
            .split(':')
            .map(PathBuf::from)
            .find(|jar| jar.ends_with(&name));
        let Some(description) = jar.map(|jar| jar.with_extension("pom")) else {
            continue;
        };
        if description.is_file() {
            more.extend(optional_in(&complete(&description, folder)?));
        }
    }
    Ok(more)
}

/// A description with what it leaves to its parents: versions, above all.
fn complete(description: &Path, folder: &Path) -> Result<String> {
    let alone = folder.join("description");
    fs::create_dir_all(&alone)?;
    fs::copy(description, alone.join("pom.xml"))?;
    let made = alone.join("complete.xml");
    let mut maven = Command::new("mvn");
    maven
        .args([
            "-q",
            "-B",
            "org.apache.maven.plugins:maven-help-plugin:3.4.0:effective-pom",
        ])
        .arg(format!("-Doutput={}", made.display()))
        .current_dir(&alone);
    succeed(&mut maven, &alone)?;
    Ok(fs::read_to_string(&made)?)
}

/// What is optional, is not for tests, and says its version.
fn optional_in(description: &str) -> Vec<Coordinate> {
    let usable = |dependency: &Dependency| {
        dependency.optional
            && matches!(&*dependency.scope, "" | "compile" | "runtime")
            && !dependency.version.is_empty()
            && !dependency.version.contains("${")
    };
    let usable = dependencies(description).into_iter().filter(usable);
    usable
        .map(|dependency| [dependency.group, dependency.artifact, dependency.version])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_program_may_run_with_is_taken_along() {
        let dependency = |name: &str, rest: &str| {
            format!(
                "<dependency><groupId>g</groupId><artifactId>{name}</artifactId><version>1</version>{rest}</dependency>"
            )
        };
        let description = format!(
            "<project><dependencyManagement><dependencies>{}</dependencies></dependencyManagement><dependencies>{}{}{}</dependencies></project>",
            dependency("managed", "<optional>true</optional>"),
            dependency("needed", ""),
            dependency("log", "<optional> true </optional>"),
            dependency("junit", "<scope>test</scope><optional>true</optional>"),
        );
        let found = optional_in(&description);
        assert_eq!(found, [["g", "log", "1"].map(str::to_owned)]);
    }
}
