//! What of the recorded environment a JVM must be started with to behave alike.

use std::path::Path;

use recrash_heap::manifest::Environment;
use recrash_jvm::ClassPath;

/// The recorded class path, with the module path behind it: neither modules nor class loaders of the program's own
/// (plugins, containers) are rebuilt.
pub(crate) fn recorded_class_path(environment: &Environment) -> ClassPath {
    let forked: Vec<String> = environment
        .system_properties
        .iter()
        .filter(|(name, _)| name == FORKED_CLASS_PATH)
        .flat_map(|(_, path)| path.split(':').map(str::to_owned))
        .collect();
    let known = |entry: &&String| !environment.class_path.contains(entry);
    let recorded = environment
        .class_path
        .iter()
        .chain(forked.iter().filter(known))
        .chain(&environment.module_path);
    ClassPath::new(recorded, Path::new(&environment.working_directory))
}

/// Where Maven's test runner says what it runs; the class path of its JVM is a jar that is gone by then.
const FORKED_CLASS_PATH: &str = "surefire.test.class.path";

/// The recorded JVM options that decide behaviour: modules, properties, assertions, sizes. Options that only tune
/// (collectors, compilers, logging) or would load agents stay behind.
pub(crate) fn jvm_arguments(environment: &Environment) -> Vec<String> {
    // Options of another JDK's version are ignored rather than keep the JVM from starting.
    let mut arguments = vec!["-XX:+IgnoreUnrecognizedVMOptions".to_owned()];
    let mut recorded = environment.jvm_arguments.iter().peekable();
    while let Some(argument) = recorded.next() {
        let (name, value) = match argument.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            // `--add-opens java.base/java.lang=ALL-UNNAMED` as two arguments.
            None if MODULE_OPTIONS.contains(&argument.as_str()) => {
                (argument.as_str(), recorded.next().cloned())
            }
            None => (argument.as_str(), None),
        };
        if MODULE_OPTIONS.contains(&name) {
            arguments.extend(value.and_then(|value| module_option(name, &value)));
        } else if decides_behaviour(argument) {
            arguments.push(argument.clone());
        }
    }
    if !arguments
        .iter()
        .any(|argument| argument.starts_with("-Dfile.encoding="))
        && !environment.charset.is_empty()
    {
        arguments.push(format!("-Dfile.encoding={}", environment.charset));
    }
    arguments
}

const MODULE_OPTIONS: [&str; 5] = [
    "--add-opens",
    "--add-exports",
    "--add-reads",
    "--add-modules",
    "--enable-native-access",
];

/// The program's modules are on the class path now, so what was opened to one of them is opened to the unnamed one.
fn module_option(name: &str, value: &str) -> Option<String> {
    match name {
        "--add-opens" | "--add-exports" => {
            let (package, _) = value.split_once('=')?;
            of_the_jdk(package).then(|| format!("{name}={package}=ALL-UNNAMED"))
        }
        "--add-modules" => {
            let modules: Vec<&str> = value
                .split(',')
                .filter(|module| of_the_jdk(module))
                .collect();
            (!modules.is_empty()).then(|| format!("{name}={}", modules.join(",")))
        }
        "--enable-native-access" => Some("--enable-native-access=ALL-UNNAMED".to_owned()),
        _ => None,
    }
}

fn of_the_jdk(module: &str) -> bool {
    ["java.", "jdk.", "ALL-"]
        .iter()
        .any(|start| module.starts_with(start))
}

const DECISIVE: [&str; 13] = [
    "-ea",
    "-da",
    "-enableassertions",
    "-disableassertions",
    "-esa",
    "-dsa",
    "--enable-preview",
    "-Xss",
    "-Xmx",
    "-XX:MaxHeapSize=",
    "-XX:ThreadStackSize=",
    "-XX:MaxJavaStackTraceDepth=",
    "-XX:-StackTraceInThrowable",
];

fn decides_behaviour(argument: &str) -> bool {
    if let Some(property) = argument.strip_prefix("-D") {
        let name = property.split('=').next().unwrap_or_default();
        return !name.starts_with("recrash.") && !OF_THE_LAUNCH.contains(&name);
    }
    DECISIVE.iter().any(|start| argument.starts_with(start))
}

/// Properties that say how the recorded JVM was started, not how the program shall behave.
const OF_THE_LAUNCH: [&str; 6] = [
    "java.class.path",
    "java.home",
    "java.system.class.loader",
    "sun.java.command",
    "jdk.module.main",
    "jdk.module.path",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(arguments: &[&str]) -> Vec<String> {
        let environment = Environment {
            java_home: String::new(),
            java_version: "17".into(),
            class_path: vec![],
            module_path: vec![],
            jvm_arguments: arguments.iter().map(ToString::to_string).collect(),
            working_directory: "/".into(),
            locale: "en".into(),
            time_zone: "UTC".into(),
            charset: "UTF-8".into(),
            system_properties: vec![],
        };
        let kept = jvm_arguments(&environment);
        kept[1..]
            .iter()
            .filter(|argument| *argument != "-Dfile.encoding=UTF-8")
            .cloned()
            .collect()
    }

    #[test]
    fn what_decides_behaviour_is_kept_and_what_only_tunes_is_not() {
        assert_eq!(
            kept(&[
                "-Xmx64m",
                "-Xss2m",
                "-XX:+UseZGC",
                "-ea",
                "-Dapp.mode=x",
                "-javaagent:a.jar",
                "-Xlog:gc"
            ]),
            ["-Xmx64m", "-Xss2m", "-ea", "-Dapp.mode=x"]
        );
    }

    #[test]
    fn packages_are_opened_to_the_class_path() {
        assert_eq!(
            kept(&[
                "--add-opens=java.base/java.lang=com.acme",
                "--add-exports",
                "java.base/sun.misc=ALL-UNNAMED"
            ]),
            [
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--add-exports=java.base/sun.misc=ALL-UNNAMED"
            ]
        );
    }

    #[test]
    fn modules_of_the_program_are_not_asked_for() {
        assert_eq!(
            kept(&["--add-modules=com.acme.app,java.sql"]),
            ["--add-modules=java.sql"]
        );
        assert_eq!(kept(&["--add-modules=com.acme.app"]), [""; 0]);
    }

    #[test]
    fn a_recorded_encoding_is_not_overruled() {
        assert_eq!(
            kept(&["-Dfile.encoding=ISO-8859-1"]),
            ["-Dfile.encoding=ISO-8859-1"]
        );
    }
}
