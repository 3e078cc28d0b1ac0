//! `com.acme.Order.total  # why`: a method, and a comment that goes with it.

use std::fmt;

/// A method by name, whatever its parameters: stack traces do not tell overloads apart.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Method {
    /// Binary name with dots.
    pub class: String,
    pub method: String,
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.class, self.method)
    }
}

/// Why a line names no method.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Malformed {
    #[error("it is not UTF-8 text")]
    NotText,
    #[error("`{0}` has no class and method with a dot between them, as in com.acme.Order.total")]
    NoDot(String),
    #[error("`{0}` is more than a name; a line is com.acme.Order.total, without parameters")]
    MoreThanAName(String),
    #[error("`{0}` is no name of a method; constructors are <init>, static initialisers <clinit>")]
    Angles(String),
}

/// A line that is skipped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Defect {
    /// Counts from 1.
    pub line: usize,
    pub reason: Malformed,
}

/// Packages that are the JDK's even where no module is printed, and recrash's own.
const NOT_OF_PROGRAMS: [&str; 4] = ["java.", "jdk.", "sun.", "recrash."];

impl Method {
    /// The method of a stack frame, where it can be watched: not the JDK's, and of a class that has a name to find it by.
    pub fn of_frame(module: Option<&str>, class: &str, method: &str) -> Option<Self> {
        let of_jdk = module.is_some_and(|module| {
            ["java.", "jdk."]
                .iter()
                .any(|prefix| module.starts_with(prefix))
        }) || NOT_OF_PROGRAMS
            .iter()
            .any(|package| class.starts_with(package));
        // Hidden classes carry an address: the next run names them otherwise.
        let nameless = class.contains('/');
        (!of_jdk && !nameless)
            .then(|| Self::parse(&format!("{class}.{method}")).ok())
            .flatten()
    }

    pub fn parse(text: &str) -> Result<Self, Malformed> {
        let no_dot = || Malformed::NoDot(text.to_owned());
        if text.contains(|letter: char| letter.is_whitespace() || "()/;[:,*".contains(letter)) {
            return Err(Malformed::MoreThanAName(text.to_owned()));
        }
        let (class, method) = text.rsplit_once('.').ok_or_else(no_dot)?;
        if method.is_empty() || class.split('.').any(str::is_empty) {
            return Err(no_dot());
        }
        let angles = method.contains(['<', '>']) && !["<init>", "<clinit>"].contains(&method);
        if angles || class.contains(['<', '>']) {
            return Err(Malformed::Angles(text.to_owned()));
        }
        Ok(Self {
            class: class.to_owned(),
            method: method.to_owned(),
        })
    }

    /// What a line of the file says; nothing where it is empty or a comment.
    pub(crate) fn of_line(line: &[u8]) -> Result<Option<Self>, Malformed> {
        let text = std::str::from_utf8(line).map_err(|_| Malformed::NotText)?;
        let text = text.trim_start_matches('\u{feff}').trim();
        // A name may hold a `#` (other languages than Java do that); a comment stands apart.
        let comment = text
            .starts_with('#')
            .then_some(0)
            .or_else(|| text.find(" #"))
            .or_else(|| text.find("\t#"));
        let name = comment
            .and_then(|at| text.get(..at))
            .unwrap_or(text)
            .trim_end();
        (!name.is_empty()).then(|| Self::parse(name)).transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn method(class: &str, method: &str) -> Method {
        Method {
            class: class.to_owned(),
            method: method.to_owned(),
        }
    }

    #[test]
    fn a_line_is_a_method_with_a_comment_or_without() {
        let line = |text: &str| Method::of_line(text.as_bytes()).unwrap();
        assert_eq!(
            line("com.acme.A$B.run"),
            Some(method("com.acme.A$B", "run"))
        );
        assert_eq!(line("  A.<init>\t# why\r"), Some(method("A", "<init>")));
        assert_eq!(line("A.odd#name"), Some(method("A", "odd#name")));
        assert_eq!(line("\u{feff}# com.acme.A.run"), None);
        assert_eq!(line(" "), None);
    }

    #[test]
    fn anything_else_is_told_with_its_reason() {
        let reason = |text: &str| Method::of_line(text.as_bytes()).unwrap_err();
        assert_eq!(reason("run"), Malformed::NoDot("run".into()));
        assert_eq!(reason("a..run"), Malformed::NoDot("a..run".into()));
        assert_eq!(reason("A."), Malformed::NoDot("A.".into()));
        assert_eq!(
            reason("at A.run"),
            Malformed::MoreThanAName("at A.run".into())
        );
        assert_eq!(
            reason("A.run(int)"),
            Malformed::MoreThanAName("A.run(int)".into())
        );
        assert_eq!(reason("A.<new>"), Malformed::Angles("A.<new>".into()));
        assert_eq!(Method::of_line(&[0xff]), Err(Malformed::NotText));
    }

    #[test]
    fn only_frames_of_programs_are_watched() {
        let watched = |module, class| Method::of_frame(module, class, "run").is_some();
        assert!(watched(None, "com.acme.Order"));
        assert!(watched(Some("com.acme"), "com.acme.Order"));
        assert!(!watched(None, "java.lang.Thread"));
        assert!(!watched(
            Some("jdk.httpserver"),
            "com.sun.net.httpserver.Filter"
        ));
        assert!(!watched(None, "Main$$Lambda/0x00007f"));
    }
}
