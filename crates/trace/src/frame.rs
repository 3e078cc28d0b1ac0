//! One line of a printed stack trace, behind its `at `.

use std::fmt;

/// A `StackTraceElement`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct TraceLine {
    pub class: String,
    pub method: String,
    pub file: Option<String>,
    /// -1 when it is not known, -2 in native methods, as in Java.
    pub line: i32,
    pub module: Option<String>,
}

impl fmt::Display for TraceLine {
    /// `com.acme.Shop.open(Shop.java:12)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}(", self.class, self.method)?;
        match (&self.file, self.line) {
            (_, -2) => f.write_str("Native Method"),
            (Some(file), line) if line >= 0 => write!(f, "{file}:{line}"),
            (Some(file), _) => f.write_str(file),
            (None, _) => f.write_str("Unknown Source"),
        }?;
        f.write_str(")")
    }
}

impl TraceLine {
    /// `java.base/java.util.Objects.requireNonNull(Objects.java:233)`, `app//com.acme.Main.main(Main.java:5)`,
    /// `com.acme.Main.run(Unknown Source)`. Before the last `/` stand a class loader and a module with its version.
    pub fn parse(text: &str) -> Option<TraceLine> {
        let (name, place) = text.trim_end().strip_suffix(')')?.rsplit_once('(')?;
        let (prefix, qualified) = split_prefix(name);
        let (class, method) = qualified.rsplit_once('.')?;
        let module = prefix
            .and_then(|prefix| prefix.rsplit('/').next())
            .map(|module| module.split('@').next().unwrap_or(module).to_owned())
            .filter(|module| !module.is_empty());
        let (file, line) = match place {
            "Native Method" => (None, -2),
            "Unknown Source" => (None, -1),
            _ => match place.rsplit_once(':') {
                Some((file, line)) => (Some(file.to_owned()), line.parse().unwrap_or(-1)),
                None => (Some(place.to_owned()), -1),
            },
        };
        Some(TraceLine {
            class: class.to_owned(),
            method: method.to_owned(),
            file,
            line,
            module,
        })
    }
}

/// A hidden class has a `/` of its own, in front of its address: `app//Main$$Lambda/0x1f.run`.
fn split_prefix(name: &str) -> (Option<&str>, &str) {
    let end = name.find("/0x").unwrap_or(name.len());
    match name.get(..end).and_then(|visible| visible.rfind('/')) {
        Some(slash) => (name.get(..slash), name.get(slash + 1..).unwrap_or_default()),
        None => (None, name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hidden_class_keeps_its_name() {
        let line = TraceLine::parse("app//app.Main$$Lambda/0x000f.run(Unknown Source)").unwrap();
        assert_eq!(
            (line.class.as_str(), line.method.as_str()),
            ("app.Main$$Lambda/0x000f", "run")
        );
    }

    #[test]
    fn a_constructor_keeps_its_angle_brackets() {
        let line = TraceLine::parse("app.Main.<init>(Main.java:3)").unwrap();
        assert_eq!(
            (line.class.as_str(), line.method.as_str(), line.line),
            ("app.Main", "<init>", 3)
        );
    }
}
