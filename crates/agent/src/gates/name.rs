//! Names of classes as their authors understand them: words in camel case.

/// The name without its package, of a nested class without the ones around it.
pub fn simple(class: &str) -> &str {
    let last = class.rsplit('/').next().unwrap_or(class);
    last.rsplit('$')
        .find(|part| part.starts_with(char::is_alphabetic))
        .unwrap_or(last)
}

/// The type that a descriptor names, without its package; arrays and primitives have no such name.
pub fn of_type(descriptor: &str) -> &str {
    let class = descriptor
        .strip_prefix('L')
        .and_then(|class| class.strip_suffix(';'));
    class.map_or("", simple)
}

/// Whether one of the words of a name begins like that and goes on with nothing else than one of the endings: `Log` with
/// `ger` is in `FileLog` and `JdkLogger`, and not in `Login`, `Catalog` or `Logic`.
pub fn has_word(name: &str, word: &str, endings: &[&str]) -> bool {
    name.match_indices(word).any(|(at, _)| {
        let after = name.get(at + word.len()..).unwrap_or_default();
        let ends = |rest: &str| !rest.starts_with(char::is_lowercase);
        let ends_like = |ending: &&str| after.strip_prefix(*ending).is_some_and(ends);
        ends(after) || endings.iter().any(ends_like)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_told_from_letters_in_a_row() {
        let is_log = |name| has_word(name, "Log", &["ger", "ging", "back"]);
        for logger in [
            "Log",
            "FileLog",
            "JDK14Logger",
            "LogFactory",
            "SLF4JLog",
            "LoggingAdapter",
        ] {
            assert!(is_log(logger), "{logger}");
        }
        for other in ["Login", "Catalog", "Logic", "Blog", "Dialog", "Logistics"] {
            assert!(!is_log(other), "{other}");
        }
    }

    #[test]
    fn a_nested_class_is_known_by_its_own_name() {
        assert_eq!(simple("com/acme/Outer$Inner"), "Inner");
        assert_eq!(simple("com/acme/Outer$1"), "Outer");
        assert_eq!(of_type("Lorg/slf4j/event/Level;"), "Level");
        assert_eq!(of_type("[Ljava/lang/Object;"), "");
        assert_eq!(of_type("I"), "");
    }
}
