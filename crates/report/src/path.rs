//! `receiver.items[3].name`: the way from a frame to one of its values.

use crate::class_name::class_name;
use crate::describe::{describe, inner};
use crate::error::Error;
use crate::graph::Graph;
use crate::style::printable;
use crate::view::{View, view};
use crate::wording::argument_name;
use recrash_heap::Snapshot;
use recrash_heap::manifest::{CapturedFrame, ObjectId, Value};

/// One step of a path, as typed.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    /// `.name`
    Field(String),
    /// `[3]`, `["key"]`, `[key 0]`
    Element(String),
}

/// A path in its parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Path {
    root: String,
    steps: Vec<Step>,
}

impl Path {
    pub(crate) fn parse(text: &str) -> Result<Self, Error> {
        let bad = |trouble| Error::BadPath {
            path: text.to_owned(),
            trouble,
        };
        let end = text.find(['.', '[']).unwrap_or(text.len());
        let (root, mut rest) = text.split_at_checked(end).unwrap_or((text, ""));
        if root.is_empty() {
            return Err(bad("it does not begin with a name"));
        }
        let mut steps = Vec::new();
        while !rest.is_empty() {
            if let Some(behind) = rest.strip_prefix('.') {
                let end = behind.find(['.', '[']).unwrap_or(behind.len());
                let (name, more) = behind.split_at_checked(end).unwrap_or((behind, ""));
                if name.is_empty() {
                    return Err(bad("a name is missing behind a dot"));
                }
                steps.push(Step::Field(name.to_owned()));
                rest = more;
            } else if let Some(behind) = rest.strip_prefix('[') {
                let end = closing_bracket(behind).ok_or_else(|| bad("a bracket is not closed"))?;
                let (index, more) = behind.split_at_checked(end).unwrap_or((behind, ""));
                steps.push(Step::Element(index.to_owned()));
                rest = more.strip_prefix(']').unwrap_or(more);
            } else {
                return Err(bad("a dot or a bracket is missing behind a bracket"));
            }
        }
        Ok(Path {
            root: root.to_owned(),
            steps,
        })
    }

    /// The value at the end of the path.
    pub(crate) fn follow(
        &self,
        snapshot: &Snapshot,
        graph: Graph<'_>,
        frame: usize,
        captured: &CapturedFrame,
    ) -> Result<Value, Error> {
        let mut value = self.root(snapshot, frame, captured)?;
        let mut at = self.root.clone();
        for step in &self.steps {
            value = advance(graph, value, step, &at)?;
            match step {
                Step::Field(name) => at = format!("{at}.{name}"),
                Step::Element(index) => at = format!("{at}[{index}]"),
            }
        }
        Ok(value)
    }

    fn root(
        &self,
        snapshot: &Snapshot,
        frame: usize,
        captured: &CapturedFrame,
    ) -> Result<Value, Error> {
        let name = self.root.as_str();
        if let Some(id) = name.strip_prefix('#') {
            let objects = snapshot.heap.len();
            let id = id.parse().ok().filter(|id| (1..=objects).contains(id));
            return id
                .map(|id| Value::Ref(ObjectId(id)))
                .ok_or_else(|| Error::NoObject {
                    name: name.to_owned(),
                    objects,
                });
        }
        let has_receiver = captured.receiver != Value::Null;
        if has_receiver && matches!(name, "this" | "receiver") {
            return Ok(captured.receiver);
        }
        let names: Vec<String> = (0..captured.arguments.len())
            .map(|number| argument_name(captured, number))
            .collect();
        let position = names.iter().position(|known| known == name);
        if let Some(argument) = position.and_then(|number| captured.arguments.get(number)) {
            return Ok(argument.value);
        }
        let receiver = has_receiver.then(|| "receiver".to_owned());
        Err(Error::NoRoot {
            frame,
            name: name.to_owned(),
            known: listed(receiver.into_iter().chain(names)),
        })
    }
}

/// The bracket that closes the one before `text`; those inside quotes do not count.
fn closing_bracket(text: &str) -> Option<usize> {
    let mut quoted = false;
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => quoted = !quoted,
            ']' if !quoted => return Some(at),
            _ => {}
        }
    }
    None
}

fn advance(graph: Graph<'_>, value: Value, step: &Step, at: &str) -> Result<Value, Error> {
    let nothing_inside = || Error::NothingInside {
        at: at.to_owned(),
        value: describe(graph, value, 80),
    };
    let object = graph.target(value).ok_or_else(nothing_inside)?;
    let readable = view(graph, &object);
    match step {
        Step::Field(name) => {
            let fields = object.kind.fields();
            if fields.is_empty() {
                return Err(nothing_inside());
            }
            // As in Java: the nearest declaration hides those above it.
            let found = fields.iter().rev().find(|field| field.name == name);
            found
                .map(|field| field.value)
                .ok_or_else(|| Error::NoField {
                    at: at.to_owned(),
                    class: class_name(object.class),
                    name: name.clone(),
                    known: listed(fields.iter().map(|field| printable(field.name))),
                })
        }
        Step::Element(index) => match readable {
            View::Sequence { elements, size } => {
                let found = index.parse().ok().and_then(|i: usize| elements.get(i));
                found.copied().ok_or_else(|| Error::NoElement {
                    at: at.to_owned(),
                    index: index.clone(),
                    known: indices(elements.len(), size),
                })
            }
            View::Table { entries, .. } => {
                entry(graph, &entries, index).ok_or_else(|| Error::NoElement {
                    at: at.to_owned(),
                    index: index.clone(),
                    known: listed(
                        entries
                            .iter()
                            .map(|(key, _)| format!("[{}]", inner(graph, *key))),
                    ),
                })
            }
            _ => Err(nothing_inside()),
        },
    }
}

/// The value behind a key as it reads, `["tea"]`; where keys read alike, `[key 0]` and `[value 0]` by number.
fn entry(graph: Graph<'_>, entries: &[(Value, Value)], index: &str) -> Option<Value> {
    let number = |prefix| {
        let number: &str = index.strip_prefix(prefix)?;
        entries.get(number.parse::<usize>().ok()?)
    };
    let by_key = || entries.iter().find(|(key, _)| inner(graph, *key) == index);
    if let Some((key, _)) = number("key ") {
        return Some(*key);
    }
    number("value ").or_else(by_key).map(|(_, value)| *value)
}

fn indices(reachable: usize, size: usize) -> String {
    match (reachable, size) {
        (0, _) => "none".to_owned(),
        (1, 1) => "[0]".to_owned(),
        (_, _) if reachable < size => {
            format!("{size}, and [0] to [{}] can be looked at", reachable - 1)
        }
        _ => format!("[0] to [{}]", size - 1),
    }
}

/// The first of them, and how many more.
pub(crate) fn listed(names: impl Iterator<Item = String>) -> String {
    const MOST: usize = 24;
    let names: Vec<String> = names.collect();
    if names.is_empty() {
        return "none".to_owned();
    }
    let shown: Vec<&str> = names.iter().take(MOST).map(String::as_str).collect();
    let more = match names.len().saturating_sub(MOST) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    shown.join(", ") + &more
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_a_root_with_fields_and_elements() {
        let path = Path::parse("receiver.items[3][\"a]\\\"b\"].name").unwrap();
        assert_eq!(path.root, "receiver");
        assert_eq!(
            path.steps,
            [
                Step::Field("items".into()),
                Step::Element("3".into()),
                Step::Element("\"a]\\\"b\"".into()),
                Step::Field("name".into()),
            ]
        );
    }

    #[test]
    fn what_is_no_path_says_why() {
        for (text, expected) in [
            ("", "it does not begin with a name"),
            (".a", "it does not begin with a name"),
            ("a..b", "a name is missing behind a dot"),
            ("a.", "a name is missing behind a dot"),
            ("a[1", "a bracket is not closed"),
            ("a[1]b", "a dot or a bracket is missing behind a bracket"),
        ] {
            let Err(Error::BadPath { trouble, .. }) = Path::parse(text) else {
                panic!("{text} was taken");
            };
            assert_eq!(trouble, expected, "{text}");
        }
    }
}
