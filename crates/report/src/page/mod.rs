//! The snapshot as one HTML page that needs nothing but itself.
//!
//! The page is a template with four holes: style, script, the facts (one JSON document) and the objects (a line of JSON
//! each, parsed when somebody looks at them). Nothing of the snapshot becomes markup: the script puts text into text
//! nodes, and in the two data blocks `<` is written `\u003c`, so that none of it can end its block. The page's own
//! policy forbids it to load or send anything.

mod facts;
mod objects;

use crate::error::Error;
use crate::findings::Findings;
use crate::frame::captured_at;
use facts::Facts;
use recrash_heap::Snapshot;

const TEMPLATE: &str = include_str!("template.html");
const STYLE: &str = include_str!("style.css");
const SCRIPT: &[&str] = &[
    include_str!("script/text.js"),
    include_str!("script/heap.js"),
    include_str!("script/tree.js"),
    include_str!("script/search.js"),
    include_str!("script/state.js"),
    include_str!("script/stack.js"),
    include_str!("script/explorer.js"),
    include_str!("script/page.js"),
];

/// Bytes of objects that a page holds at most; browsers grow slow long before they fail.
const MOST_BYTES: usize = 48 << 20;

/// The page of `recrash show --html`, with `frame` chosen when it opens.
pub fn page(
    snapshot: &Snapshot,
    findings: &Findings,
    frame: Option<usize>,
) -> Result<String, Error> {
    if let Some(frame) = frame {
        captured_at(&snapshot.manifest, frame)?;
    }
    let (objects, overlays) = objects::encode(snapshot, MOST_BYTES);
    let facts = Facts::new(snapshot, findings, frame, &objects, overlays);
    let title = facts.title();
    let json = escaped(&serde_json::to_string(&facts).unwrap_or_default());
    let mut out = String::with_capacity(objects.lines.len() + json.len() + (1 << 17));
    let mut rest = TEMPLATE;
    while let Some((before, behind)) = rest.split_once("{{") {
        let (hole, more) = behind.split_once("}}").unwrap_or((behind, ""));
        out.push_str(before);
        match hole {
            "title" => out.push_str(&markup(&title)),
            "style" => out.push_str(STYLE),
            "script" => out.extend(SCRIPT.iter().copied()),
            "facts" => out.push_str(&json),
            "objects" => out.push_str(&objects.lines),
            _ => {}
        }
        rest = more;
    }
    out.push_str(rest);
    Ok(out)
}

/// JSON inside a `script` element: outside of strings it has no `<`.
fn escaped(json: &str) -> String {
    json.replace('<', "\\u003c")
}

/// Text inside an element.
fn markup(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_template_has_every_hole_once() {
        for hole in ["title", "style", "script", "facts", "objects"] {
            assert_eq!(TEMPLATE.matches(&format!("{{{{{hole}}}}}")).count(), 1);
        }
        assert_eq!(TEMPLATE.matches("{{").count(), 5);
    }

    #[test]
    fn script_and_style_cannot_end_their_elements_early() {
        for part in SCRIPT.iter().chain(&[STYLE]) {
            assert!(!part.contains("</") && !part.contains("<!--"));
        }
    }
}
