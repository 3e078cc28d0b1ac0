//! Crashes as a SARIF 2.1.0 log, which code scanning services and editors show: a rule per type of exception, a result
//! per crash with its stack.
//!
//! <https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html>.

use crate::crash::Crash;
use crate::findings::Findings;
use crate::wording::{thread, trace_line};
use crate::{class_name, printable};
use recrash_heap::manifest::TraceElement;
use serde_json::{Value as Json, json};
use std::fmt::Write as _;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
const HOME: &str = env!("CARGO_PKG_REPOSITORY");

/// The whole log.
pub fn sarif(crashes: &[Crash]) -> Json {
    let mut rules: Vec<&str> = crashes.iter().map(Crash::exception).collect();
    rules.sort_unstable();
    rules.dedup();
    let results: Vec<Json> = crashes.iter().map(|crash| result(crash, &rules)).collect();
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "recrash",
                "version": env!("CARGO_PKG_VERSION"),
                "informationUri": HOME,
                "rules": rules.iter().map(|class| rule(class)).collect::<Vec<_>>(),
            }},
            "columnKind": "utf16CodeUnits",
            "results": results,
        }],
    })
}

fn rule(class: &str) -> Json {
    json!({
        "id": class,
        "name": class_name(class),
        "shortDescription": {"text": format!("{} was thrown where nobody expected it", class_name(class))},
        "helpUri": HOME,
        "defaultConfiguration": {"level": "error"},
    })
}

fn result(crash: &Crash, rules: &[&str]) -> Json {
    let class = crash.exception();
    let mut result = json!({
        "ruleId": class,
        "ruleIndex": rules.iter().position(|rule| *rule == class),
        "level": "error",
        "message": {"text": format!("{}\n{}", crash.headline(), crash.outcome())},
        "stacks": stacks(crash),
        "partialFingerprints": {"recrash/v1": crash.manifest.fingerprint},
        "properties": {
            "snapshot": crash.snapshot,
            "label": crash.manifest.label,
            "testClass": crash.test_class,
            "verdicts": crash.findings.rows.iter().map(|row| json!({
                "frame": row.frame,
                "method": row.method,
                "verdict": row.verdict,
                "reason": row.reason,
                "test": row.test,
            })).collect::<Vec<_>>(),
        },
    });
    let frames = &crash.manifest.frames;
    let looked_at = crash
        .frame_to_look_at()
        .and_then(|frame| Some((frames.iter().position(|other| other == frame)?, frame)));
    if let (Some((index, frame)), Some(map)) = (looked_at, result.as_object_mut()) {
        let location = location(&crash.findings, Some(index), &frame.element);
        map.insert("locations".to_owned(), json!([location]));
    }
    result
}

/// One stack per exception of the chain: what was thrown first, then its causes.
fn stacks(crash: &Crash) -> Vec<Json> {
    let manifest = &crash.manifest;
    let throwables = manifest.throwables.iter().enumerate();
    throwables
        .map(|(index, throwable)| {
            let frames: Vec<Json> = throwable
                .trace
                .iter()
                .map(|element| {
                    let frame = manifest.frames.iter().position(|frame| {
                        frame.throwable as usize == index && frame.element == *element
                    });
                    json!({
                        "location": location(&crash.findings, frame, element),
                        "module": element.module,
                    })
                })
                .map(without_nulls)
                .collect();
            let on = if index == 0 {
                format!("{} on {}", throwable.class, thread(manifest))
            } else {
                format!("caused by {}", throwable.class)
            };
            json!({"message": {"text": printable(&on)}, "frames": frames})
        })
        .collect()
}

/// Where a line of the trace lies: always by the name of its method, and in a file where its source was found.
fn location(findings: &Findings, frame: Option<usize>, element: &TraceElement) -> Json {
    let mut location = json!({
        "message": {"text": printable(&trace_line(element))},
        "logicalLocations": [{
            "name": element.method,
            "fullyQualifiedName": format!("{}.{}", element.class, element.method),
            "kind": "function",
        }],
    });
    let excerpt = frame.and_then(|frame| findings.excerpt(frame));
    if let (Some(excerpt), Some(map)) = (excerpt, location.as_object_mut()) {
        let physical = json!({
            "artifactLocation": {"uri": uri(&excerpt.path)},
            "region": {"startLine": excerpt.line},
        });
        map.insert("physicalLocation".to_owned(), physical);
    }
    location
}

/// The schema has no null: what is not known is left out.
fn without_nulls(mut value: Json) -> Json {
    if let Some(map) = value.as_object_mut() {
        map.retain(|_, value| !value.is_null());
    }
    value
}

/// A path as a URI reference: RFC 3986 leaves these characters as they are.
fn uri(path: &str) -> String {
    let mut text = String::from(if path.starts_with('/') { "file://" } else { "" });
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte) {
            text.push(char::from(byte));
        } else {
            let _ = write!(text, "%{byte:02X}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_becomes_a_uri() {
        assert_eq!(uri("src/my code/Bär.java"), "src/my%20code/B%C3%A4r.java");
        assert_eq!(uri("/home/a/B.java"), "file:///home/a/B.java");
    }
}
