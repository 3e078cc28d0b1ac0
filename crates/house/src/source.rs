//! The sources of one crate: modules, and the paths that the code in them names.

use proc_macro2::{TokenStream, TokenTree};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use syn::visit::{self, Visit};
use syn::{Attribute, Item, Meta, UseTree};

/// A file of a crate. What only tests have is left out.
#[derive(Debug)]
pub(crate) struct File {
    /// `[]` for the root, `["build", "planner"]` for `build/planner.rs`.
    pub(crate) module: Vec<String>,
    pub(crate) path: PathBuf,
    pub(crate) text: String,
    /// Paths that its code uses, in the form in which they stand there.
    pub(crate) used: Vec<Vec<String>>,
    /// What it hands on under a name of its own: `pub use a::b::C`.
    pub(crate) handed_on: BTreeMap<String, Vec<String>>,
}

pub(crate) fn files(folder: &Path) -> Result<Vec<File>, String> {
    let mut files = Vec::new();
    let mut test_only = Vec::new();
    let mut waiting = vec![(folder.to_owned(), Vec::new())];
    while let Some((folder, module)) = waiting.pop() {
        let entries = std::fs::read_dir(&folder)
            .map_err(|error| format!("{} cannot be read: {error}", folder.display()))?;
        for path in entries.filter_map(|entry| entry.ok().map(|entry| entry.path())) {
            let name = path
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            let mut inner = module.clone();
            if path.is_dir() {
                inner.push(name);
                waiting.push((path, inner));
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                if !["lib", "main", "mod"].contains(&name.as_str()) {
                    inner.push(name);
                }
                files.push(file(path, inner, &mut test_only)?);
            }
        }
    }
    files.retain(|file| {
        !test_only
            .iter()
            .any(|module| file.module.starts_with(module))
    });
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

fn file(
    path: PathBuf,
    module: Vec<String>,
    test_only: &mut Vec<Vec<String>>,
) -> Result<File, String> {
    let text = std::fs::read_to_string(&path)
        .map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
    let tree = syn::parse_file(&text)
        .map_err(|error| format!("{} cannot be parsed: {error}", path.display()))?;
    let mut reader = Reader::default();
    for item in &tree.items {
        if let Item::Mod(inner) = item
            && inner.content.is_none()
            && is_test(&inner.attrs)
        {
            let mut module = module.clone();
            module.push(inner.ident.to_string());
            test_only.push(module);
        }
        reader.visit_item(item);
    }
    Ok(File {
        module,
        path,
        text,
        used: reader.used,
        handed_on: reader.handed_on,
    })
}

#[derive(Default)]
struct Reader {
    used: Vec<Vec<String>>,
    handed_on: BTreeMap<String, Vec<String>>,
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_item(&mut self, item: &'ast Item) {
        let attributes = match item {
            Item::Mod(item) => &item.attrs,
            Item::Fn(item) => &item.attrs,
            Item::Impl(item) => &item.attrs,
            Item::Use(item) => &item.attrs,
            Item::Const(item) => &item.attrs,
            Item::Struct(item) => &item.attrs,
            _ => return visit::visit_item(self, item),
        };
        if !is_test(attributes) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        let mut paths = Vec::new();
        flatten(&item.tree, &mut Vec::new(), &mut paths);
        let hands_on = !matches!(item.vis, syn::Visibility::Inherited);
        for (name, path) in paths {
            if hands_on {
                self.handed_on.insert(name, path);
            } else {
                self.used.push(path);
            }
        }
    }

    /// `pub(crate)` names who may look, not what is used.
    fn visit_visibility(&mut self, _: &'ast syn::Visibility) {}

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments = path.segments.iter();
        self.used
            .push(segments.map(|segment| segment.ident.to_string()).collect());
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, invocation: &'ast syn::Macro) {
        if let Some(name) = invocation.path.get_ident() {
            self.used.push(vec![format!("{name}!")]);
        }
        paths_in(&invocation.tokens, &mut self.used);
        visit::visit_macro(self, invocation);
    }
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        Meta::List(list) => {
            list.path.is_ident("cfg")
                && list
                    .tokens
                    .to_string()
                    .split_whitespace()
                    .any(|word| word == "test")
        }
        _ => false,
    })
}

fn flatten(tree: &UseTree, before: &mut Vec<String>, paths: &mut Vec<(String, Vec<String>)>) {
    match tree {
        UseTree::Path(path) => {
            before.push(path.ident.to_string());
            flatten(&path.tree, before, paths);
            before.pop();
        }
        UseTree::Group(group) => {
            for tree in &group.items {
                flatten(tree, before, paths);
            }
        }
        UseTree::Name(name) => leaf(&name.ident.to_string(), None, before, paths),
        UseTree::Rename(rename) => {
            let new = rename.rename.to_string();
            leaf(&rename.ident.to_string(), Some(new), before, paths);
        }
        UseTree::Glob(_) => paths.push(("*".to_owned(), before.clone())),
    }
}

fn leaf(
    name: &str,
    new: Option<String>,
    before: &[String],
    paths: &mut Vec<(String, Vec<String>)>,
) {
    let mut path = before.to_vec();
    if name != "self" {
        path.push(name.to_owned());
    }
    let shown = new.or_else(|| path.last().cloned()).unwrap_or_default();
    paths.push((shown, path));
}

/// Paths such as `crate::a::b` among the tokens of a macro's argument.
fn paths_in(tokens: &TokenStream, used: &mut Vec<Vec<String>>) {
    let mut path: Vec<String> = Vec::new();
    let mut joined = false;
    for token in tokens.clone() {
        match token {
            TokenTree::Ident(ident) => {
                if !joined {
                    used.push(std::mem::take(&mut path));
                }
                path.push(ident.to_string());
                joined = false;
            }
            TokenTree::Punct(punct) if punct.as_char() == ':' => joined = true,
            TokenTree::Group(group) => paths_in(&group.stream(), used),
            _ => joined = false,
        }
    }
    used.push(path);
}
