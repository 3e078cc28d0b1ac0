//! What the environment of a process adds to the agent's options.
//!
//! In a container the option is part of the image (`JAVA_TOOL_OPTIONS`), and only variables can be set where it runs.

use crate::options::Options;

/// As for instrumented programs: options that count more than those given, or `off`.
pub const VARIABLE: &str = "RECRASH_OPTIONS";

/// The options that count; `None` when the program shall run unwatched. Where recrash itself has started the JVM, what was
/// typed there counts alone: it looks for the snapshots where it asked for them.
pub fn with(given: &str, asked: Option<&str>) -> Option<String> {
    let (options, _) = Options::parse(given);
    if options.session.is_some() || options.look.is_some() {
        return Some(given.to_owned());
    }
    match asked {
        Some("off") => None,
        Some(asked) => Some(format!("{given},{asked}")),
        None => Some(given.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_counts_more_than_the_image_and_less_than_recrash_run() {
        let out = |given, asked| {
            with(given, asked).map(|options| Options::parse(&options).0.out.display().to_string())
        };
        assert_eq!(out("out=/image", None).as_deref(), Some("/image"));
        assert_eq!(
            out("out=/image,label=1", Some("out=/volume")).as_deref(),
            Some("/volume")
        );
        assert_eq!(out("", Some("out=/volume")).as_deref(), Some("/volume"));
        assert_eq!(out("out=/image", Some("off")), None);
        assert_eq!(
            out("out=/typed,session=7", Some("out=/volume")).as_deref(),
            Some("/typed")
        );
        assert_eq!(
            out("out=/typed,look=list", Some("off")).as_deref(),
            Some("/typed")
        );
    }
}
