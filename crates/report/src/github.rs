//! Crashes as the annotations that GitHub shows beside the lines of a change: one workflow command each.
//!
//! <https://docs.github.com/actions/reference/workflow-commands-for-github-actions>. Forgejo and Gitea read them, too.

use crate::crash::Crash;
use std::fmt::Write as _;

/// One `::error …::…` line per crash, at the innermost line whose source was found.
pub fn github(crashes: &[Crash]) -> String {
    let mut out = String::new();
    for crash in crashes {
        let mut properties = Vec::new();
        if let Some(place) = crash.place() {
            properties.push(format!("file={}", property(&place.path)));
            properties.push(format!("line={}", place.line));
        }
        properties.push(format!("title={}", property(&crash.title())));
        let mut message = format!("{}\n{}", crash.headline(), crash.outcome());
        if let Some(class) = &crash.test_class {
            for row in crash.reproduced() {
                if let Some(test) = &row.test {
                    let _ = write!(message, "\n{class}.{test}() reproduces frame {}", row.frame);
                }
            }
        }
        let _ = writeln!(out, "::error {}::{}", properties.join(","), data(&message));
    }
    out
}

/// A command is one line, and `%` begins an escape.
fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_end_a_command_or_a_property_is_escaped() {
        assert_eq!(data("100%\nof: it,"), "100%25%0Aof: it,");
        assert_eq!(property("a:b,c%\r"), "a%3Ab%2Cc%25%0D");
    }
}
