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
