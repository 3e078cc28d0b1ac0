//! What may stand as a name in Java source, and how JVM names read there.

use std::collections::BTreeSet;

/// Reserved words and literals (JLS 3.9), plus the contextual ones that cannot name a type.
const RESERVED: &[&str] = &[
    "_",
    "abstract",
    "assert",
    "boolean",
    "break",
    "byte",
    "case",
    "catch",
    "char",
    "class",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extends",
    "false",
    "final",
    "finally",
    "float",
    "for",
    "goto",
    "if",
    "implements",
    "import",
    "instanceof",
    "int",
    "interface",
    "long",
    "native",
    "new",
    "null",
    "package",
    "permits",
    "private",
    "protected",
    "public",
    "record",
    "return",
    "sealed",
    "short",
    "static",
    "strictfp",
    "super",
    "switch",
    "synchronized",
    "this",
    "throw",
    "throws",
    "transient",
    "true",
    "try",
    "var",
    "void",
    "volatile",
    "while",
    "yield",
];

/// `void toString()` in a test class would clash with the one of `Object` (JLS 8.4.8.3).
const METHODS_OF_OBJECT: &[&str] = &[
    "clone",
    "equals",
    "finalize",
    "getClass",
    "hashCode",
    "notify",
    "notifyAll",
    "toString",
    "wait",
];

/// Whether `name` can be written as an identifier by a person. `$` is legal Java but marks compiler output.
pub(crate) fn is_identifier(name: &str) -> bool {
    let mut chars = name.chars();
    let starts = chars
        .next()
        .is_some_and(|c| c == '_' || c.is_ascii_alphabetic());
    starts && chars.all(|c| c == '_' || c.is_ascii_alphanumeric()) && !RESERVED.contains(&name)
}

pub(crate) fn is_package(package: &str) -> bool {
    package.is_empty() || package.split('.').all(is_identifier)
}

/// `com.acme` of `com.acme.Order$Line`; empty for the default package.
pub(crate) fn package_of(class: &str) -> &str {
    class.rsplit_once('.').map_or("", |(package, _)| package)
}

/// `Order$Line` of `com.acme.Order$Line`.
pub(crate) fn simple_binary(class: &str) -> &str {
    class.rsplit_once('.').map_or(class, |(_, simple)| simple)
}

/// `Order` of `com.acme.Order$Line`, made an identifier.
pub fn top_level_simple(class: &str) -> String {
    let simple = simple_binary(class);
    let top = simple
        .split(['$', '/'])
        .find(|part| !part.is_empty())
        .unwrap_or("Class");
    sanitized(top)
}

/// A name like `name` that is an identifier: other characters become `_`.
pub(crate) fn sanitized(name: &str) -> String {
    let mut text: String = name
        .chars()
        .map(|c| {
            if c == '_' || c.is_ascii_alphanumeric() {
                c
            } else {
                '_'
            }
        })
        .collect();
    if !text.starts_with(|c: char| c == '_' || c.is_ascii_alphabetic()) {
        text.insert(0, '_');
    }
    if RESERVED.contains(&text.as_str()) {
        text.push('_');
    }
    text
}

pub(crate) fn capitalized(name: &str) -> String {
    let mut chars = name.chars();
    chars.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(chars).collect()
    })
}

pub(crate) fn decapitalized(name: &str) -> String {
    let mut chars = name.chars();
    chars.next().map_or_else(String::new, |first| {
        first.to_lowercase().chain(chars).collect()
    })
}

/// The test's name for a captured method, before it is made unique.
pub fn test_name(class: &str, method: &str) -> String {
    match method {
        "<init>" => format!("new{}", capitalized(&innermost_simple(class))),
        "<clinit>" => format!("initialize{}", capitalized(&innermost_simple(class))),
        _ => {
            if let Some(host) = lambda_host(method) {
                return format!("lambdaIn{}", capitalized(&sanitized(host)));
            }
            // Kotlin mangles (`size-impl`, `render$default`); what comes before the mark is the user's name.
            let written = method
                .split(['-', '$'])
                .find(|part| !part.is_empty())
                .unwrap_or(method);
            if METHODS_OF_OBJECT.contains(&written) {
                return format!("crashIn{}", capitalized(written));
            }
            if RESERVED.contains(&written) {
                return format!("{written}Crash");
            }
            sanitized(written)
        }
    }
}

/// `main` of `lambda$main$0`.
pub(crate) fn lambda_host(method: &str) -> Option<&str> {
    let rest = method.strip_prefix("lambda$")?;
    let host = rest.split('$').next()?;
    (!host.is_empty() && !host.starts_with(|c: char| c.is_ascii_digit())).then_some(host)
}

/// The last written part of a nested name: `Line` of `Order$Line`, `Order` of `Order$1`.
fn innermost_simple(class: &str) -> String {
    let simple = simple_binary(class);
    let part = simple
        .split('$')
        .rev()
        .find(|part| part.starts_with(|c: char| c.is_alphabetic() || c == '_'));
    sanitized(part.unwrap_or(simple))
}

/// A variable's name: the given one if a person would write it, else after a class: `order` of `com.acme.Order`.
pub fn variable(hint: &str) -> String {
    /// Longer names do not help the reader.
    const LONGEST: usize = 24;
    let simple = innermost_simple(hint);
    let bare = simple.trim_start_matches('_');
    // `url` of `URL`, `urlParser` of `URLParser`, `utf8Parser` of `UTF8Parser`.
    let capitals = bare.chars().take_while(char::is_ascii_uppercase).count();
    let behind = bare.chars().nth(capitals);
    let lowered = if behind.is_some_and(|c| c.is_ascii_lowercase()) {
        capitals.max(2) - 1
    } else {
        capitals
    };
    let wanted: String = bare
        .chars()
        .enumerate()
        .map(|(index, c)| {
            if index < lowered {
                c.to_ascii_lowercase()
            } else {
                c
            }
        })
        .collect();
    if is_identifier(&wanted) && wanted.len() <= LONGEST {
        wanted
    } else {
        "value".to_owned()
    }
}

/// Hands out each name once: `hexAbs`, `hexAbs2`, `hexAbs3`.
#[derive(Clone, Default)]
pub struct Unique {
    taken: BTreeSet<String>,
}

impl Unique {
    pub fn reserve(&mut self, name: &str) {
        self.taken.insert(name.to_owned());
    }

    pub fn take(&mut self, wanted: &str) -> String {
        let mut name = wanted.to_owned();
        let mut number = 2u32;
        while !self.taken.insert(name.clone()) {
            name = format!("{wanted}{number}");
            number += 1;
        }
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reserved_words_and_compiler_names_are_no_identifiers() {
        assert!(is_identifier("hexAbs"));
        for bad in [
            "",
            "new",
            "size-impl",
            "access$000",
            "9lives",
            "var",
            "größe",
        ] {
            assert!(!is_identifier(bad), "{bad}");
        }
        assert!(is_package("com.acme") && is_package("") && !is_package("kotlin.in.native"));
    }

    #[test]
    fn tests_are_named_after_what_the_user_wrote() {
        for (class, method, expected) in [
            ("RandomCrash", "hexAbs", "hexAbs"),
            ("com.acme.Order$Line", "<init>", "newLine"),
            ("com.acme.Order$1", "<init>", "newOrder"),
            ("com.acme.Order", "<clinit>", "initializeOrder"),
            ("A", "lambda$main$0", "lambdaInMain"),
            ("A", "lambda$0", "lambda"),
            ("A", "toString", "crashInToString"),
            ("A", "render$default", "render"),
            ("A", "size-impl", "size"),
            ("A", "$plus$plus", "plus"),
            ("A", "new", "newCrash"),
        ] {
            assert_eq!(test_name(class, method), expected);
        }
    }

    #[test]
    fn variables_are_named_after_fields_or_classes() {
        for (hint, expected) in [
            ("customers", "customers"),
            ("com.acme.Order$Line", "line"),
            ("java.net.URL", "url"),
            ("HTMLParser", "htmlParser"),
            ("UTF8Parser", "utf8Parser"),
            ("_count", "count"),
            ("val$compiler", "compiler"),
            ("com.acme.Default", "value"),
            ("", "value"),
        ] {
            assert_eq!(variable(hint), expected, "{hint}");
        }
    }

    #[test]
    fn a_name_taken_twice_gets_a_number() {
        let mut unique = Unique::default();
        assert_eq!(
            ["a", "a", "a", "b"].map(|name| unique.take(name)),
            ["a", "a2", "a3", "b"]
        );
    }
}
