//! Places in stack traces, and when two of them are the same.

use std::fmt;

use recrash_heap::manifest::TraceElement;
use recrash_jvm::TraceLine;

/// One stack trace element, recorded or replayed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Location<'a> {
    pub class: &'a str,
    pub method: &'a str,
    pub file: Option<&'a str>,
    pub line: i32,
    pub module: Option<&'a str>,
}

impl<'a> Location<'a> {
    pub(crate) fn recorded(element: &'a TraceElement) -> Location<'a> {
        Location {
            class: &element.class,
            method: &element.method,
            file: element.file.as_deref(),
            line: element.line,
            module: element.module.as_deref(),
        }
    }

    pub(crate) fn replayed(line: &'a TraceLine) -> Location<'a> {
        Location {
            class: &line.class,
            method: &line.method,
            file: line.file.as_deref(),
            line: line.line,
            module: line.module.as_deref(),
        }
    }

    pub(crate) fn same_method(&self, other: &Location<'_>) -> bool {
        same_class(self.class, other.class) && self.method == other.method
    }

    pub(crate) fn same_line(&self, other: &Location<'_>) -> bool {
        self.same_method(other) && self.line == other.line
    }
}

impl fmt::Display for Location<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.class, self.method)?;
        match (self.file, self.line) {
            (Some(file), line) if line >= 0 => write!(f, "({file}:{line})"),
            (None, line) if line >= 0 => write!(f, "(line {line})"),
            (_, -2) => write!(f, "(native method)"),
            _ => Ok(()),
        }
    }
}

/// A class of the JDK: by its module, or by name where the module was not recorded.
pub(crate) fn in_jdk(location: &Location<'_>) -> bool {
    match location.module {
        Some(module) => module.starts_with("java.") || module.starts_with("jdk."),
        None => ["java.", "jdk.internal.", "jdk.proxy", "sun."]
            .iter()
            .any(|start| location.class.starts_with(start)),
    }
}

/// recrash's own frames: the way into the candidate, never part of the failure.
pub(crate) fn is_recrash(class: &str) -> bool {
    class.starts_with("java.lang.$Recrash") || class.starts_with("recrash.")
}

/// Equal, apart from the parts that a JVM or a code generator numbers anew in each run.
pub fn same_class(a: &str, b: &str) -> bool {
    a == b || normalized(a) == normalized(b)
}

/// Names behind these are numbered or hashed by whoever makes the class at run time.
const NUMBERED: [&str; 9] = [
    "$$Lambda",
    "$Proxy",
    "LambdaForm$",
    "GeneratedMethodAccessor",
    "GeneratedConstructorAccessor",
    "$$EnhancerBy",
    "$$FastClassBy",
    "$ByteBuddy$",
    "$MockitoMock$",
];

/// Made at run time, under a name that no other run gives it.
pub fn is_numbered(class: &str) -> bool {
    class.contains('/') || NUMBERED.iter().any(|marker| class.contains(marker))
}

/// A glob for all classes that are the same in this sense, which is the name itself for most.
pub fn glob(class: &str) -> String {
    match normalized(class) {
        (name, "") => name.to_owned(),
        ("", marker) => format!("*{marker}*"),
        (before, marker) => format!("{before}{marker}*"),
    }
}

fn normalized(class: &str) -> (&str, &str) {
    // A hidden class is `name/address` (JDK 15+).
    let name = class.split('/').next().unwrap_or(class);
    for marker in NUMBERED {
        if let Some((before, _)) = name.split_once(marker) {
            // The package of a proxy is numbered as well (`jdk.proxy2`).
            return (if marker == "$Proxy" { "" } else { before }, marker);
        }
    }
    (name, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_made_at_run_time_are_equal_up_to_their_numbers() {
        for (a, b) in [
            ("app.Main$$Lambda/0x00007f1", "app.Main$$Lambda/0x0000abc"),
            (
                "app.Main$$Lambda$14/0x00007f1",
                "app.Main$$Lambda/0x0000abc",
            ),
            ("com.sun.proxy.$Proxy3", "jdk.proxy2.$Proxy11"),
            ("app.Hidden/0x1", "app.Hidden/0x2"),
            (
                "app.Order$$EnhancerBySpringCGLIB$$1a",
                "app.Order$$EnhancerBySpringCGLIB$$2b",
            ),
            (
                "jdk.internal.reflect.GeneratedMethodAccessor1",
                "jdk.internal.reflect.GeneratedMethodAccessor9",
            ),
        ] {
            assert!(same_class(a, b), "{a} {b}");
        }
    }

    #[test]
    fn a_glob_leaves_open_what_differs() {
        assert_eq!(glob("app.Main$1"), "app.Main$1");
        assert_eq!(
            glob("app.Order$$EnhancerBySpringCGLIB$$1a"),
            "app.Order$$EnhancerBy*"
        );
        assert_eq!(glob("jdk.proxy2.$Proxy11"), "*$Proxy*");
    }

    #[test]
    fn ordinary_names_are_compared_whole() {
        assert!(!same_class("app.Main$1", "app.Main$2"));
        assert!(!same_class("app.Main$$Lambda/0x1", "app.Other$$Lambda/0x1"));
    }

    #[test]
    fn the_module_decides_what_the_jdk_is_and_names_only_where_it_is_unknown() {
        let location = |class, module| Location {
            class,
            method: "m",
            file: None,
            line: 1,
            module,
        };
        assert!(in_jdk(&location("javax.crypto.Cipher", Some("java.base"))));
        assert!(!in_jdk(&location("javax.servlet.Servlet", None)));
        assert!(!in_jdk(&location("com.sun.mail.Session", None)));
        assert!(in_jdk(&location("java.util.List", None)));
    }
}
