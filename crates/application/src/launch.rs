//! How a program was started, as its JVM tells.

/// The first word of `sun.java.command`, told apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Started {
    /// `java -jar`: the path as it was typed.
    Jar(String),
    /// `java -cp … com.acme.Main` or `java -m com.acme/com.acme.Main`.
    Class(String),
    /// An embedded JVM, or one that does not say.
    Unknown,
}

impl Started {
    /// From the value of `sun.java.command`; a path may have spaces, which that property does not tell from arguments.
    pub fn of(command: &str) -> Started {
        let command = command.trim();
        let jar = command.find(".jar").map(|at| at + ".jar".len());
        let first = command.split_whitespace().next().unwrap_or_default();
        match jar.and_then(|end| command.split_at_checked(end)) {
            Some((path, rest))
                if (rest.is_empty() || rest.starts_with(char::is_whitespace))
                    && (first.strip_suffix(".jar").is_some() || first.contains('/')) =>
            {
                Started::Jar(path.to_owned())
            }
            _ if first.is_empty() => Started::Unknown,
            _ => {
                let class = first.rsplit('/').next().unwrap_or(first);
                Started::Class(class.to_owned())
            }
        }
    }
}

/// What the manifest and the list of files of the jar behind `-jar` tell.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MainJar {
    /// `Main-Class`.
    pub main: Option<String>,
    /// `Start-Class`: the application behind the launcher that `Main-Class` then is.
    pub start: Option<String>,
    /// Libraries were put into the jar beside the application.
    pub holds_libraries: bool,
}

/// Packages at the root of a jar that no application has: the runtimes of languages.
const RUNTIMES: [&str; 5] = ["scala/", "kotlin/", "clojure/", "groovy/lang/", "BOOT-INF/"];

impl MainJar {
    /// From the two attributes, and the names of the jar's files.
    pub fn of<'n>(
        main: Option<&str>,
        start: Option<&str>,
        names: impl IntoIterator<Item = &'n str>,
    ) -> MainJar {
        let mut artifacts = 0;
        let mut runtime = start.is_some();
        for name in names {
            let described = name.strip_prefix("META-INF/maven/");
            artifacts += usize::from(described.is_some_and(|of| of.ends_with("/pom.properties")));
            runtime |= RUNTIMES.iter().any(|start| name.starts_with(start));
        }
        let class = |name: Option<&str>| name.map(|name| name.trim().replace('/', "."));
        MainJar {
            main: class(main),
            start: class(start),
            holds_libraries: runtime || artifacts > 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_tells_a_jar_from_a_class() {
        let jar = |path: &str| Started::Jar(path.to_owned());
        assert_eq!(
            Started::of("target/app-1.0.jar --port 80"),
            jar("target/app-1.0.jar")
        );
        assert_eq!(
            Started::of("/my programs/app.jar x"),
            jar("/my programs/app.jar")
        );
        let class = |name: &str| Started::Class(name.to_owned());
        assert_eq!(Started::of("com.acme.Main in.jar"), class("com.acme.Main"));
        assert_eq!(
            Started::of("com.acme/com.acme.Main"),
            class("com.acme.Main")
        );
        assert_eq!(Started::of(""), Started::Unknown);
    }

    #[test]
    fn a_jar_with_two_artifacts_or_a_runtime_in_it_holds_libraries() {
        let own = "META-INF/maven/com.acme/app/pom.properties";
        let holds = |names: &[&str]| {
            MainJar::of(Some("com.acme.Main"), None, names.iter().copied()).holds_libraries
        };
        assert!(!holds(&["com/acme/Main.class", own]));
        assert!(holds(&[
            own,
            "META-INF/maven/info.picocli/picocli/pom.properties"
        ]));
        assert!(holds(&["com/acme/Main.class", "scala/Option.class"]));
    }
}
