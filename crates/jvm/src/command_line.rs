//! What the command line of a `java` says about the program.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use crate::class_path::ClassPath;

/// Whether the command is the JVM's own launcher.
pub fn is_java(command: &OsStr) -> bool {
    Path::new(command).file_name() == Some(OsStr::new("java"))
}

/// Options whose value is the next argument, those for the class path aside.
const WITH_VALUE: [&str; 14] = [
    "-p",
    "--module-path",
    "--upgrade-module-path",
    "--add-modules",
    "--limit-modules",
    "--add-exports",
    "--add-opens",
    "--add-reads",
    "--patch-module",
    "--enable-native-access",
    "--illegal-native-access",
    "--source",
    "-d",
    "--describe-module",
];

/// The class path that `java` takes from these arguments, or from `variable`, which is what `CLASSPATH` holds.
pub fn class_path_of(
    arguments: &[OsString],
    variable: Option<&OsStr>,
    directory: &Path,
) -> ClassPath {
    let mut typed: Option<OsString> = None;
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        let text = argument.to_string_lossy();
        match &*text {
            "-cp" | "-classpath" | "--class-path" => typed = arguments.next().cloned(),
            "-jar" => {
                let jar = arguments.next().map(PathBuf::from);
                return ClassPath::new(jar, directory);
            }
            option if WITH_VALUE.contains(&option) => drop(arguments.next()),
            option => match option.strip_prefix("--class-path=") {
                Some(path) => typed = Some(path.into()),
                None if option.starts_with(['-', '@']) => {}
                // The main class: what follows is the program's own.
                None => break,
            },
        }
    }
    let path = typed.as_deref().or(variable).unwrap_or(OsStr::new("."));
    ClassPath::new(std::env::split_paths(path), directory)
}

/// What a command line of `java` starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Started {
    /// Options of the JVM that are not about the class path.
    pub options: Vec<String>,
    pub main: Main,
    /// The program's own.
    pub arguments: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Main {
    /// A class, with dots.
    Class(String),
    Jar(PathBuf),
}

/// What `java` starts with these arguments; `None` where that is no class and no jar.
pub fn started_by(arguments: &[OsString]) -> Option<Started> {
    let mut options = Vec::new();
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let text = argument.to_string_lossy().into_owned();
        match &*text {
            "-cp" | "-classpath" | "--class-path" => drop(rest.next()),
            "-jar" => {
                let jar = rest.next()?;
                return Some(Started {
                    options,
                    main: Main::Jar(PathBuf::from(jar)),
                    arguments: rest.map(|one| one.to_string_lossy().into_owned()).collect(),
                });
            }
            option if option.starts_with("--class-path=") => {}
            "-m" | "--module" => return None,
            option if WITH_VALUE.contains(&option) => {
                options.push(text);
                options.extend(rest.next().map(|one| one.to_string_lossy().into_owned()));
            }
            option if option.starts_with(['-', '@']) => options.push(text),
            _ => {
                return Some(Started {
                    options,
                    main: Main::Class(text.replace('/', ".")),
                    arguments: rest.map(|one| one.to_string_lossy().into_owned()).collect(),
                });
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(typed: &str, variable: Option<&str>) -> Vec<PathBuf> {
        let arguments: Vec<OsString> = typed.split_whitespace().map(OsString::from).collect();
        let class_path = class_path_of(&arguments, variable.map(OsStr::new), Path::new("/here"));
        class_path.entries().to_vec()
    }

    #[test]
    fn the_class_path_is_found_among_other_options() {
        let expected = [PathBuf::from("/here/a.jar"), PathBuf::from("/b")];
        for typed in [
            "-cp a.jar:/b Main -cp other",
            "-Xmx1g --add-opens java.base/java.lang=ALL-UNNAMED -classpath a.jar:/b Main",
            "--class-path=a.jar:/b @more Main",
        ] {
            assert_eq!(entries(typed, Some("no.jar")), expected, "{typed}");
        }
    }

    #[test]
    fn what_is_started_is_told_apart_from_its_options() {
        let typed = |text: &str| {
            let words: Vec<OsString> = text.split_whitespace().map(OsString::from).collect();
            started_by(&words)
        };
        let started =
            typed("-Da=b -cp x.jar --add-opens java.base/java.lang=ALL-UNNAMED Main -cp y")
                .unwrap();
        assert_eq!(started.main, Main::Class("Main".to_owned()));
        assert_eq!(
            started.options,
            ["-Da=b", "--add-opens", "java.base/java.lang=ALL-UNNAMED"]
        );
        assert_eq!(started.arguments, ["-cp", "y"]);
        let started = typed("-ea -jar app.jar one").unwrap();
        assert_eq!(started.main, Main::Jar(PathBuf::from("app.jar")));
        assert_eq!(typed("-version"), None);
        assert_eq!(typed("-m app/Main"), None);
    }

    #[test]
    fn a_jar_is_the_whole_class_path() {
        let jar = [PathBuf::from("/here/app.jar")];
        assert_eq!(entries("-cp a.jar -jar app.jar -cp b", None), jar);
    }

    #[test]
    fn without_an_option_the_variable_counts_and_else_the_folder() {
        assert_eq!(entries("Main", Some("c.jar")), [Path::new("/here/c.jar")]);
        assert_eq!(entries("Main", None), [Path::new("/here/.")]);
    }
}
