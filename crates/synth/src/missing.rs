//! Classes that the program needs and the class path does not have, and where they may be had.

use std::collections::BTreeSet;
use std::path::Path;

use recrash_classfile::{Archive, Manifest, MethodType, dotted, is_of_jdk, text};
use recrash_program::{ClassId, Program};

use crate::fit::Goal;
use crate::pom::{self, Dependency};

/// More would hide the first.
const MOST_NAMED: usize = 3;

/// A line for each class that the methods of the trace cannot do without, and for those that `errors` of linking name.
pub(crate) fn notes<'a>(
    program: &Program,
    goal: &Goal,
    errors: impl Iterator<Item = &'a str>,
) -> Vec<String> {
    let mut named = BTreeSet::new();
    let mut notes = Vec::new();
    let mut note = |class: String, who: &str| {
        if named.insert(class.clone()) {
            let hint = where_to_find(program, &class);
            notes.push(format!("{class}{who} is not on the class path; {hint}"));
        }
    };
    for error in errors {
        for class in classes_in(error).filter(|class| is_missing(program, class)) {
            note(class, ", which programs needed,");
        }
    }
    for frame in &goal.frames {
        for method in frame.methods() {
            let name = dotted(&program.class_name(method.class));
            for class in missing_above(program, method.class) {
                note(class, &format!(", from which {name} comes,"));
            }
            let selector = program
                .method(method)
                .and_then(|method| program.selector(method.selector));
            let Some(types) = selector
                .as_ref()
                .and_then(|selector| MethodType::read(&selector.descriptor).ok())
            else {
                continue;
            };
            for ty in types.parameters.iter().chain([&types.result]) {
                let class = class_in(&text(ty.descriptor));
                if let Some(class) = class.filter(|class| is_missing(program, class)) {
                    note(class, &format!(", which {} takes or gives,", frame.printed));
                }
            }
        }
    }
    notes.truncate(MOST_NAMED);
    notes
}

/// What would bring the class: an artifact, a jar, or at least its package.
pub(crate) fn where_to_find(program: &Program, class: &str) -> String {
    let package = class.rsplit_once('.').map_or("", |(package, _)| package);
    let jars = || program.class_path().jars();
    let by_pom = jars().flat_map(|jar| {
        let named = dependencies_of(jar).into_iter();
        named.map(move |dependency| (likeness(&dependency, package), dependency, jar))
    });
    // The first of the best.
    let best = by_pom
        .filter(|(like, ..)| *like > 0)
        .reduce(|best, other| if other.0 > best.0 { other } else { best });
    if let Some((_, dependency, jar)) = best {
        let place = short(jar);
        return format!(
            "it may be in {}, which the pom.xml of {place} names",
            coordinates(&dependency)
        );
    }
    let by_manifest = jars().find_map(|jar| {
        let manifest = Manifest::read(&jar.read(Manifest::NAME).ok()??);
        let folder = Path::new(jar.place()).parent()?;
        let named = manifest.class_path().into_iter().find(|name| {
            let stem = Path::new(name)
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy();
            !folder.join(name).exists() && words_in_common(&stem, package) > 0
        });
        named.map(|name| (name, jar))
    });
    match by_manifest {
        Some((name, jar)) => {
            let place = short(jar);
            format!(
                "it may be in {name}, which the manifest of {place} names and which does not exist"
            )
        }
        None if package.is_empty() => "pass what it is in with --classpath, too".to_owned(),
        None => format!("pass the jar with the package {package} with --classpath, too"),
    }
}

fn short(jar: &Archive) -> &str {
    let place = jar.place();
    place.rsplit('/').next().unwrap_or(place)
}

fn dependencies_of(jar: &Archive) -> Vec<Dependency> {
    let is_pom = |name: &&str| name.starts_with("META-INF/maven/") && name.ends_with("/pom.xml");
    let mut poms: Vec<&str> = jar.names().filter(is_pom).collect();
    poms.sort_unstable();
    let poms = poms
        .into_iter()
        .filter_map(|name| jar.read(name).ok().flatten());
    poms.flat_map(|pom| pom::dependencies(&String::from_utf8_lossy(&pom)))
        .collect()
}

fn coordinates(dependency: &Dependency) -> String {
    let Dependency {
        group,
        artifact,
        version,
        ..
    } = dependency;
    // What a parent sets is not in this file.
    if version.is_empty() || version.contains("${") {
        format!("{group}:{artifact}")
    } else {
        format!("{group}:{artifact}:{version}")
    }
}

/// How much speaks for the artifact having the package; nothing for 0.
fn likeness(dependency: &Dependency, package: &str) -> usize {
    let group = &dependency.group;
    let within = package
        .strip_prefix(group.as_str())
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    let by_group = if within && !group.is_empty() {
        1 + group.split('.').count()
    } else {
        0
    };
    by_group + words_in_common(&dependency.artifact, package)
}

/// Of `commons-lang3` and `org.apache.commons.lang3`.
fn words_in_common(artifact: &str, package: &str) -> usize {
    let telling = |word: &&str| {
        word.len() > 2 && !["org", "com", "net", "java", "api", "core"].contains(word)
    };
    let words = artifact.split(['-', '_', '.']).filter(telling);
    words
        .filter(|word| package.split('.').any(|part| part == *word))
        .count()
}

/// Supertypes of supertypes that cannot be had.
fn missing_above(program: &Program, class: ClassId) -> Vec<String> {
    let above = program.hierarchy().supertypes(class).into_iter();
    let names = above.map(|above| dotted(&program.class_name(above)));
    names.filter(|name| is_missing(program, name)).collect()
}

fn is_missing(program: &Program, class: &str) -> bool {
    let name = class.replace('.', "/");
    !is_of_jdk(class) && program.class_path().origin(name.as_bytes()).is_none()
}

/// The classes that a `NoClassDefFoundError` and what it stands on name: `org/acme/Base: java.lang.ClassNotFoundException: …`.
fn classes_in(message: &str) -> impl Iterator<Item = String> {
    const BEFORE: [&str; 2] = ["NoClassDefFoundError: ", "ClassNotFoundException: "];
    let behind = BEFORE
        .iter()
        .flat_map(move |word| message.split(word).skip(1));
    let texts = [message].into_iter().chain(behind);
    texts.filter_map(|text| {
        let word = text.split(": ").next().unwrap_or(text);
        let is_name = |c: char| c.is_alphanumeric() || "/.$_-".contains(c);
        let end = word.find(|c| !is_name(c)).unwrap_or(word.len());
        let (name, rest) = word.split_at_checked(end)?;
        // `Could not initialize class …` is a sentence.
        let whole = rest.is_empty() || rest.starts_with(" [") || rest.starts_with(" (");
        (whole && !name.is_empty()).then(|| name.replace('/', "."))
    })
}

fn class_in(descriptor: &str) -> Option<String> {
    let name = descriptor.trim_start_matches('[').strip_prefix('L')?;
    Some(dotted(name.strip_suffix(';')?.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn likeness_of(group: &str, artifact: &str, package: &str) -> usize {
        let dependency = Dependency {
            group: group.to_owned(),
            artifact: artifact.to_owned(),
            version: String::new(),
            scope: String::new(),
            optional: false,
        };
        likeness(&dependency, package)
    }

    #[test]
    fn artifacts_are_told_by_group_and_name() {
        let package = "org.apache.commons.lang3.text";
        let right = likeness_of("org.apache.commons", "commons-lang3", package);
        let near = likeness_of(
            "org.apache.commons",
            "commons-text",
            "org.apache.commons.lang3",
        );
        assert!(right > near && near > 0, "{right} {near}");
        assert_eq!(likeness_of("org.slf4j", "slf4j-api", package), 0);
        assert!(likeness_of("joda-time", "joda-time", "org.joda.time.base") > 0);
        assert_eq!(likeness_of("org.apache.common", "x", package), 0);
    }

    #[test]
    fn errors_of_linking_name_classes() {
        let classes = |message| classes_in(message).collect::<Vec<_>>();
        assert_eq!(classes("org/acme/Base"), ["org.acme.Base"]);
        let twice = "org/acme/Base: java.lang.ClassNotFoundException: org.acme.Base";
        assert_eq!(classes(twice), ["org.acme.Base", "org.acme.Base"]);
        let initialized = "Could not initialize class bank.A: java.lang.ExceptionInInitializerError: Exception \
                           java.lang.NoClassDefFoundError: org/acme/Base [in thread \"x\"]";
        assert_eq!(classes(initialized), ["org.acme.Base"]);
    }
}
