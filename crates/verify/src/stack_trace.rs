//! Reads what `Throwable.printStackTrace` printed.

use recrash_jvm::{Thrown, TraceLine};

/// The throwable and its causes. Suppressed exceptions are left out; frames that a cause shares with what it caused
/// ("... 12 more") stay with the latter.
pub(crate) fn parse(text: &str) -> Vec<Thrown> {
    let mut chain: Vec<Thrown> = Vec::new();
    let mut suppressed = false;
    for line in text.lines() {
        let cause = line.strip_prefix("Caused by: ");
        if let Some(head) = cause.or((chain.is_empty() && !line.trim().is_empty()).then_some(line))
        {
            chain.push(head_line(head));
            suppressed = false;
        } else if line.starts_with("\tSuppressed: ") {
            // Everything below it is indented further, until the next cause.
            suppressed = true;
        } else if let (Some(at), false) = (line.strip_prefix("\tat "), suppressed) {
            if let (Some(last), Some(parsed)) = (chain.last_mut(), trace_line(at)) {
                last.trace.push(parsed);
            }
        } else if let Some(last) = chain.last_mut()
            && last.trace.is_empty()
            && !suppressed
            && !line.trim_start().starts_with("...")
        {
            // A message of several lines.
            let message = last.message.get_or_insert_default();
            message.push('\n');
            message.push_str(line);
        }
    }
    chain
}

fn head_line(head: &str) -> Thrown {
    let (class, message) = match head.split_once(": ") {
        Some((class, message)) => (class, Some(message.to_owned())),
        None => (head.trim_end_matches(':'), None),
    };
    Thrown {
        class: class.trim().to_owned(),
        printed: true,
        message,
        trace: Vec::new(),
    }
}

/// `java.base/java.util.Objects.requireNonNull(Objects.java:233)`, `app//com.acme.Main.main(Main.java:5)`,
/// `com.acme.Main.run(Unknown Source)`. Before the last `/` stand a class loader and a module with its version.
fn trace_line(text: &str) -> Option<TraceLine> {
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
    fn causes_messages_and_places_are_read() {
        let text = "app.Failure: two\nlines\n\tat app//app.Main.run(Main.java:12)\n\tat app//app.Main.main(Main.java:5)\n\
            \tSuppressed: java.io.IOException: closing\n\t\tat app//app.Main.close(Main.java:20)\n\t\t... 2 more\n\
            Caused by: java.lang.NullPointerException\n\tat java.base/java.util.Objects.requireNonNull(Objects.java:233)\n\
            \tat java.base@17.0.1/jdk.internal.X.y(Native Method)\n\t... 2 more\n";
        let chain = parse(text);
        let heads: Vec<_> = chain
            .iter()
            .map(|thrown| (thrown.class.as_str(), thrown.message.as_deref()))
            .collect();
        assert_eq!(
            heads,
            [
                ("app.Failure", Some("two\nlines")),
                ("java.lang.NullPointerException", None)
            ]
        );
        let places: Vec<_> = chain
            .iter()
            .flat_map(|thrown| &thrown.trace)
            .map(|line| {
                (
                    line.class.as_str(),
                    line.method.as_str(),
                    line.line,
                    line.module.as_deref(),
                )
            })
            .collect();
        assert_eq!(
            places,
            [
                ("app.Main", "run", 12, None),
                ("app.Main", "main", 5, None),
                (
                    "java.util.Objects",
                    "requireNonNull",
                    233,
                    Some("java.base")
                ),
                ("jdk.internal.X", "y", -2, Some("java.base")),
            ]
        );
    }

    #[test]
    fn a_hidden_class_keeps_its_name() {
        let line = trace_line("app//app.Main$$Lambda/0x000f.run(Unknown Source)").unwrap();
        assert_eq!(
            (line.class.as_str(), line.method.as_str()),
            ("app.Main$$Lambda/0x000f", "run")
        );
    }

    #[test]
    fn a_constructor_keeps_its_angle_brackets() {
        let line = trace_line("app.Main.<init>(Main.java:3)").unwrap();
        assert_eq!(
            (line.class.as_str(), line.method.as_str(), line.line),
            ("app.Main", "<init>", 3)
        );
    }
}
