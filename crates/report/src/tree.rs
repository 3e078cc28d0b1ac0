//! A value and what hangs below it, as an indented tree.

use crate::class_name::class_name;
use crate::describe::{self, head, scalar};
use crate::graph::Graph;
use crate::literal::{primitive, quoted_within};
use crate::redactions::Redacted;
use crate::style::{Style, printable, shortened};
use crate::view::{View, view};
use recrash_heap::manifest::{ObjectId, Value};
use recrash_heap::{Kind, Object};
use std::collections::BTreeSet;

/// How much of a tree is shown.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    pub(crate) depth: usize,
    /// Elements or fields per object.
    pub(crate) items: usize,
    /// Lines in all.
    pub(crate) lines: usize,
}

/// Writes trees, remembering which objects it has shown so that aliases and cycles end in a reference.
pub(crate) struct Trees<'a> {
    graph: Graph<'a>,
    style: Style,
    bounds: Bounds,
    redacted: &'a Redacted<'a>,
    shown: BTreeSet<ObjectId>,
    pub(crate) lines: Vec<String>,
    left_out: bool,
}

impl<'a> Trees<'a> {
    pub(crate) fn new(
        graph: Graph<'a>,
        style: Style,
        bounds: Bounds,
        redacted: &'a Redacted<'a>,
    ) -> Self {
        Trees {
            graph,
            style,
            bounds,
            redacted,
            shown: BTreeSet::new(),
            lines: Vec::new(),
            left_out: false,
        }
    }

    /// Adds the tree of one named value, which has its place in the manifest.
    pub(crate) fn add(&mut self, name: &str, value: Value, place: &str) {
        let mark = self.redacted.slot(ObjectId(0), place);
        self.node(1, name, value, &mark);
    }

    /// `mark`: what is to be said of the place where the value stands.
    fn node(&mut self, level: usize, name: &str, value: Value, mark: &str) {
        if self.lines.len() >= self.bounds.lines {
            if !self.left_out {
                self.left_out = true;
                self.lines.push(
                    self.style
                        .dim("    … more than fits here; --json has everything"),
                );
            }
            return;
        }
        let Some(object) = self.graph.target(value) else {
            self.line(level, name, &primitive(value), mark);
            return;
        };
        let readable = view(self.graph, &object);
        match &readable {
            View::String(text) => {
                let most = self
                    .style
                    .width
                    .saturating_sub(name.len() + 2 * level + 24)
                    .max(20);
                let mark = self.redacted.contents(object.id);
                self.line(
                    level,
                    name,
                    &quoted_within(text.units(), text.len(), most),
                    &mark,
                );
            }
            View::Scalar(text) => {
                let mark = self.redacted.slot(object.id, "value");
                self.line(level, name, &scalar(&object, text), &mark);
            }
            View::Absent(reason) => {
                let mark = self.style.yellow(&format!("<{}>", printable(reason)));
                let text = format!("{} {mark}", class_name(object.class));
                self.lines.push(format!(
                    "{}{} = {text}",
                    "  ".repeat(level),
                    printable(name)
                ));
            }
            View::Sequence { size: 0, .. } | View::Table { size: 0, .. } => {
                self.line(level, name, &head(&object, 0), "");
            }
            View::Sequence { .. } | View::Table { .. } | View::Fields(_) => {
                self.branch(level, name, &object, &readable);
            }
        }
    }

    fn branch(&mut self, level: usize, name: &str, object: &Object<'_>, readable: &View<'_>) {
        let title = match readable {
            View::Sequence { size, .. } | View::Table { size, .. } => head(object, *size),
            _ => title(object),
        };
        let id = format!(" #{}{}", object.id.0, self.redacted.contents(object.id));
        if let Some(flat) = self.flat(object, readable, level, name) {
            self.shown.insert(object.id);
            let note = id + &self.mark_inside(readable);
            self.line(level, name, &flat, &note);
            return;
        }
        if self.shown.contains(&object.id) {
            self.line(level, name, &title, &format!("{id}, shown above"));
            return;
        }
        if level > self.bounds.depth {
            let text = describe::describe_object(
                self.graph,
                object,
                self.style.width.saturating_sub(2 * level + 12),
            );
            self.line(level, name, &text, &id);
            return;
        }
        self.shown.insert(object.id);
        self.line(level, name, &title, &id);
        self.children(level + 1, object.id, readable);
    }

    /// Arrays and lists of plain values take one line.
    fn flat(
        &self,
        object: &Object<'_>,
        readable: &View<'_>,
        level: usize,
        name: &str,
    ) -> Option<String> {
        let View::Sequence { elements, size } = readable else {
            return None;
        };
        let plain = |value: &Value| match self.graph.target(*value) {
            None => true,
            Some(element) => matches!(
                element.kind,
                Kind::String(_) | Kind::Boxed(_) | Kind::Enum { .. } | Kind::Class { .. }
            ),
        };
        if !elements.iter().take(64).all(plain) {
            return None;
        }
        let parts: Vec<String> = elements
            .iter()
            .take(64)
            .map(|value| describe::inner(self.graph, *value))
            .collect();
        let more = if *size > parts.len() { ", …" } else { "" };
        let text = format!("{} {{{}{more}}}", head(object, *size), parts.join(", "));
        Some(shortened(
            &text,
            self.style
                .width
                .saturating_sub(2 * level + name.len() + 10)
                .max(30),
        ))
    }

    /// The mark of the first redacted text in a line of several.
    fn mark_inside(&self, readable: &View<'_>) -> String {
        let View::Sequence { elements, .. } = readable else {
            return String::new();
        };
        let targets = elements.iter().filter_map(|value| match value {
            Value::Ref(id) => Some(self.redacted.contents(*id)),
            _ => None,
        });
        targets
            .into_iter()
            .find(|mark| !mark.is_empty())
            .unwrap_or_default()
    }

    fn children(&mut self, level: usize, parent: ObjectId, readable: &View<'_>) {
        let most = self.bounds.items;
        match readable {
            View::Sequence { elements, size } => {
                for (index, value) in elements.iter().take(most).enumerate() {
                    let name = format!("[{index}]");
                    let mark = self.redacted.slot(parent, &name);
                    self.node(level, &name, *value, &mark);
                }
                self.rest(level, *size);
            }
            View::Table { entries, size } => {
                for (key, value) in entries.iter().take(most) {
                    let key = describe::describe(self.graph, *key, 40);
                    self.node(level, &format!("[{key}]"), *value, "");
                }
                self.rest(level, *size);
            }
            View::Fields(fields) => {
                for (name, value) in fields.iter().take(most) {
                    let mark = self.redacted.slot(parent, name);
                    self.node(level, name, *value, &mark);
                }
                self.rest(level, fields.len());
            }
            _ => {}
        }
    }

    fn rest(&mut self, level: usize, size: usize) {
        if size > self.bounds.items {
            let text = format!("{}… {} more", "  ".repeat(level), size - self.bounds.items);
            self.lines.push(self.style.dim(&text));
        }
    }

    fn line(&mut self, level: usize, name: &str, text: &str, note: &str) {
        let note = self.style.dim(note);
        self.lines.push(format!(
            "{}{} = {text}{note}",
            "  ".repeat(level),
            printable(name)
        ));
    }
}

/// An object by its class, a lambda by what it calls, a proxy by what it stands for.
pub(crate) fn title(object: &Object<'_>) -> String {
    match &object.kind {
        Kind::Lambda { lambda, .. } => {
            format!(
                "{} calling {}::{}",
                class_name(object.class),
                class_name(&lambda.owner),
                printable(&lambda.name)
            )
        }
        Kind::Proxy { interfaces, .. } => {
            let names: Vec<String> = interfaces.iter().map(|name| class_name(name)).collect();
            format!("proxy of {}", names.join(", "))
        }
        _ => class_name(object.class),
    }
}
