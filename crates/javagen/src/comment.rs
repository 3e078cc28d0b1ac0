//! What a snapshot says, as it can stand in a comment.

use crate::literal;
use recrash_heap::manifest::TraceElement;

/// Longest line of untrusted text.
const MOST_TEXT: usize = 400;

/// `com.acme.Order.total(Order.java:12)`.
pub(crate) fn place(element: &TraceElement) -> String {
    text(&format!(
        "{}.{}({})",
        element.class,
        element.method,
        source(element)
    ))
}

fn source(element: &TraceElement) -> String {
    match (&element.file, element.line) {
        (_, -2) => "Native Method".to_owned(),
        (Some(file), line) if line >= 0 => format!("{file}:{line}"),
        (Some(file), _) => file.clone(),
        (None, _) => "Unknown Source".to_owned(),
    }
}

/// A stranger's text inside a comment: escaped as in a literal, because `\u000a` ends a comment (JLS 3.3).
pub fn text(raw: &str) -> String {
    let units: Vec<u16> = raw.encode_utf16().take(MOST_TEXT).collect();
    let mut escaped = literal::unquoted(&units);
    if raw.len() > MOST_TEXT {
        escaped.push_str("...");
    }
    escaped
}
