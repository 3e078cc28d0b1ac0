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
    /// Whether ProGuard or R8 seems to have named it: `a.b.c.a(Unknown Source)`, `a.a(SourceFile:12)`.
    pub fn looks_obfuscated(&self) -> bool {
        let file = self.file.as_deref().unwrap_or_default();
        if matches!(file, "SourceFile" | "Proguard" | "PG") || file.starts_with("r8-map-id-") {
            return true;
        }
        let simple = self.class.rsplit('.').next().unwrap_or_default();
        let (around, inner) = simple.split_once('$').unwrap_or((simple, simple));
        // A shrinker leaves files their names or takes them away.
        let same_file = file.split_once('.').is_some_and(|(name, _)| name == around);
        let is_short = |name: &str| name.chars().count() <= 2;
        !same_file && is_short(inner) && (is_short(&self.method) || self.method.starts_with('<'))
    }

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

/// A hidden class has a `/` of its own, in front of its address, or before JDK 15 a number: `app//Main$$Lambda/0x1f.run`,
/// `Main$$Lambda$7/81628611.run`. Neither modules nor packages begin with a digit.
fn split_prefix(name: &str) -> (Option<&str>, &str) {
    let is_number = |behind: &str| behind.starts_with(|first: char| first.is_ascii_digit());
    let mut slashes = name.match_indices('/').map(|(at, _)| at);
    let own = slashes.find(|at| name.get(at + 1..).is_some_and(is_number));
    let end = own.unwrap_or(name.len());
    match name.get(..end).and_then(|visible| visible.rfind('/')) {
        Some(slash) => (name.get(..slash), name.get(slash + 1..).unwrap_or_default()),
        None => (None, name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_a_shrinker_made_are_told() {
        let looks = |frame| TraceLine::parse(frame).unwrap().looks_obfuscated();
        for frame in [
            "a.b.c.a(Unknown Source)",
            "a.b.c.a(Unknown Source:12)",
            "com.acme.ab.<init>(SourceFile:123)",
            "com.acme.Shop.a(SourceFile:123)",
            "p000.b.d(r8-map-id-0f1e:7)",
            "a.b.c.a(Shop.java:12)",
        ] {
            assert!(looks(frame), "{frame}");
        }
        for frame in [
            "com.acme.Shop.open(Unknown Source)",
            "com.acme.Vec3.x(Vec3.java:3)",
            "io.Db.of(Db.java:3)",
            "com.acme.Main$1.run(Main.java:3)",
            "com.acme.Main$1.of(Main.java:3)",
        ] {
            assert!(!looks(frame), "{frame}");
        }
    }

    #[test]
    fn a_hidden_class_keeps_its_name() {
        let line = TraceLine::parse("app//app.Main$$Lambda/0x000f.run(Unknown Source)").unwrap();
        assert_eq!(
            (line.class.as_str(), line.method.as_str()),
            ("app.Main$$Lambda/0x000f", "run")
        );
        let line = TraceLine::parse("app.Main$$Lambda$7/81628611.run(Unknown Source)").unwrap();
        assert_eq!(
            (line.class.as_str(), line.method.as_str(), line.module),
            ("app.Main$$Lambda$7/81628611", "run", None)
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
