//! The `-agentpath` option, as the agent reads it.

use std::path::{Path, PathBuf};

use recrash_wire::options::{self as wire, Key};

/// What the agent is told.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AgentSettings {
    /// Folder for snapshots.
    pub out: PathBuf,
    /// File for the agent's messages; standard error without it.
    pub log: Option<PathBuf>,
    /// Globs on class names, `com.acme.*`.
    pub include: Vec<String>,
    pub exclude: Vec<String>,
    /// How state is kept as it was on entry, `undo`; the agent's own choice without it.
    pub strategy: Option<String>,
    pub label: Option<String>,
    pub session: Option<String>,
    pub verbose: bool,
    /// Capture a failure again although it was captured in this run.
    pub repeat: bool,
    pub max_objects: Option<u32>,
    pub max_bytes: Option<u64>,
    pub max_millis: Option<u32>,
    /// Bytes that the snapshots in the folder may take together.
    pub max_disk: Option<u64>,
    /// Kinds of failures that count; the usual ones where none is named.
    pub failures: Vec<String>,
    /// Types and places of exceptions that count even if they are caught.
    pub on: Vec<String>,
    /// The list of methods of a second look.
    pub look: Option<PathBuf>,
    /// The watch list of second chance.
    pub watch: Option<PathBuf>,
    /// What must not leave the program.
    pub privacy: Privacy,
    /// The folder of what `recrash analyze` found out about programs.
    pub advice: Option<PathBuf>,
    /// The snapshot that a second look is taken at: what it shows may be seen.
    pub known: Option<PathBuf>,
    /// Globs on the classes that are on the inside of a recording; none named: all but the driver's.
    pub record: Option<Vec<String>>,
    /// Bytes of a recording at most.
    pub max_record: Option<u64>,
}

/// Which privacy rules count.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Privacy {
    #[default]
    Defaults,
    Off,
    /// Lines of a rules file; the defaults behind them, unless they say otherwise.
    Rules(Vec<String>),
}

/// `-agentpath:/path/librecrash.so=out=…,label=…`.
pub fn agent_option(library: &Path, settings: &AgentSettings) -> String {
    format!(
        "-agentpath:{}={}",
        library.display(),
        agent_options(settings)
    )
}

/// What follows the library in the option, `out=…,label=…`.
pub fn agent_options(settings: &AgentSettings) -> String {
    let mut pairs = vec![(Key::Out, settings.out.to_string_lossy().into_owned())];
    let mut add = |key, value: Option<String>| pairs.extend(value.map(|value| (key, value)));
    let path = |path: &Option<PathBuf>| Some(path.as_ref()?.to_string_lossy().into_owned());
    add(Key::Log, path(&settings.log));
    add(Key::Include, joined(&settings.include));
    add(Key::Exclude, joined(&settings.exclude));
    add(Key::Strategy, settings.strategy.clone());
    add(Key::Label, settings.label.clone());
    add(Key::Session, settings.session.clone());
    add(Key::Verbose, settings.verbose.then(|| "1".to_owned()));
    add(Key::Repeat, settings.repeat.then(|| "1".to_owned()));
    add(
        Key::MaxObjects,
        settings.max_objects.map(|limit| limit.to_string()),
    );
    add(
        Key::MaxBytes,
        settings.max_bytes.map(|limit| limit.to_string()),
    );
    add(
        Key::MaxMillis,
        settings.max_millis.map(|limit| limit.to_string()),
    );
    add(
        Key::MaxDisk,
        settings.max_disk.map(|limit| limit.to_string()),
    );
    add(Key::Failures, joined(&settings.failures));
    add(Key::On, joined(&settings.on));
    add(Key::Look, path(&settings.look));
    add(Key::Watch, path(&settings.watch));
    match &settings.privacy {
        Privacy::Defaults => {}
        Privacy::Off => add(Key::Privacy, Some("off".to_owned())),
        Privacy::Rules(lines) => add(Key::Rules, Some(lines.join("\n"))),
    }
    add(Key::Advice, path(&settings.advice));
    add(Key::Known, path(&settings.known));
    add(
        Key::Record,
        settings.record.as_ref().map(|globs| wire::joined(globs)),
    );
    add(
        Key::MaxRecord,
        settings.max_record.map(|limit| limit.to_string()),
    );
    wire::write(&pairs)
}

fn joined(globs: &[String]) -> Option<String> {
    (!globs.is_empty()).then(|| wire::joined(globs))
}

/// An existing `JAVA_TOOL_OPTIONS` with our option behind it. The JVM splits the value at white space and lets
/// quotes hold a path together.
pub fn appended(existing: Option<&str>, option: &str) -> String {
    let ours = if option.contains(char::is_whitespace) {
        format!("\"{option}\"")
    } else {
        option.to_owned()
    };
    match existing {
        Some(existing) if !existing.trim().is_empty() => format!("{existing} {ours}"),
        _ => ours,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_survive_separators_spaces_and_quotes() {
        let settings = AgentSettings {
            out: PathBuf::from("/tmp/my out,put"),
            include: vec!["com.acme.*".into(), "org.*".into()],
            label: Some("1.4 \"rc\" 100%".into()),
            max_objects: Some(7),
            ..AgentSettings::default()
        };
        assert_eq!(
            agent_option(Path::new("/cache/librecrash.so"), &settings),
            "-agentpath:/cache/librecrash.so=out=/tmp/my%20out%2Cput,include=com.acme.*:org.*,\
             label=1.4%20%22rc%22%20100%25,max-objects=7"
        );
    }

    #[test]
    fn an_existing_java_tool_options_is_kept_in_front() {
        assert_eq!(
            appended(Some("-Xmx1g"), "-agentpath:a"),
            "-Xmx1g -agentpath:a"
        );
        assert_eq!(
            appended(None, "-agentpath:/my cache/a"),
            "\"-agentpath:/my cache/a\""
        );
    }
}
