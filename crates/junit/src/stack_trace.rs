//! Reads what `Throwable.printStackTrace` printed.

use recrash_jvm::{Thrown, TraceLine};

/// The throwable and its causes, each with all its frames. Suppressed exceptions are left out.
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
            if let (Some(last), Some(parsed)) = (chain.last_mut(), TraceLine::parse(at)) {
                last.trace.push(parsed);
            }
        } else if let (Some(count), false) = (in_common(line), suppressed) {
            share(&mut chain, count);
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

/// How many frames a cause has in common with what it caused.
fn in_common(line: &str) -> Option<usize> {
    let count = line.strip_prefix("\t... ")?.strip_suffix(" more")?;
    count.parse().ok()
}

/// Gives the last one the frames that it shares with the one before, the outermost ones.
fn share(chain: &mut [Thrown], count: usize) {
    if let [.., outer, last] = chain {
        let first = outer.trace.len().saturating_sub(count);
        last.trace.extend(outer.trace.iter().skip(first).cloned());
    }
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
        unprintable: false,
        restored: 0,
        trace: Vec::new(),
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
            \tat java.base@17.0.1/jdk.internal.X.y(Native Method)\n\t... 1 more\n";
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
                // In common with what it caused.
                ("app.Main", "main", 5, None),
            ]
        );
    }
}
