//! Which modules of a crate use each other in a circle.
//!
//! At each level of folders the modules there are the nodes, with all that lies in them. The file above them is none: what
//! it declares is theirs as well, and a module and those inside it are one room.

use crate::circles::{Graph, circles as circles_of};
use crate::source::File;
use std::collections::{BTreeMap, BTreeSet};

/// How often a name that is handed on may be handed on again.
const MOST_HOPS: usize = 8;

pub(crate) fn circles(krate: &str, files: &[File]) -> Vec<String> {
    let by_module: BTreeMap<&[String], &File> = files
        .iter()
        .map(|file| (file.module.as_slice(), file))
        .collect();
    let world = World { by_module };
    let levels: BTreeSet<&[String]> = files
        .iter()
        .filter_map(|file| file.module.split_last().map(|(_, level)| level))
        .collect();
    let mut found = Vec::new();
    for level in levels {
        for circle in circles_of(&world.graph(level, files)) {
            let names: Vec<&str> = circle.iter().map(String::as_str).collect();
            let place = [&[krate.to_owned()], level].concat().join("::");
            found.push(format!(
                "modules of {place} use each other in a circle: {}",
                names.join(", ")
            ));
        }
    }
    found
}

struct World<'a> {
    by_module: BTreeMap<&'a [String], &'a File>,
}

impl World<'_> {
    fn graph(&self, level: &[String], files: &[File]) -> Graph {
        let mut graph = Graph::new();
        for file in files.iter().filter(|file| file.module.starts_with(level)) {
            let Some(from) = file.module.get(level.len()) else {
                continue;
            };
            let edges = graph.entry(from.clone()).or_default();
            for path in &file.used {
                let target = self.home(&file.module, path);
                let target = target.filter(|target| target.starts_with(level));
                edges.extend(
                    target
                        .and_then(|target| target.get(level.len()).cloned())
                        .filter(|to| to != from),
                );
            }
        }
        graph
    }

    /// The module in which the thing lies that `path` names inside `module`; `None` for what is not of this crate.
    fn home(&self, module: &[String], path: &[String]) -> Option<Vec<String>> {
        let (mut at, rest) = match path.split_first() {
            Some((first, rest)) if first == "crate" => (Vec::new(), rest.to_vec()),
            Some((first, _)) if first == "self" || first == "super" => {
                let ups = path.iter().take_while(|part| *part == "super").count();
                let skip = path
                    .iter()
                    .take_while(|part| *part == "super" || *part == "self")
                    .count();
                let kept = module.len().checked_sub(ups)?;
                (module.get(..kept)?.to_vec(), path.get(skip..)?.to_vec())
            }
            Some((first, _)) => {
                // A child module, named without `self`.
                let child = [module, std::slice::from_ref(first)].concat();
                self.by_module.get(child.as_slice())?;
                (module.to_vec(), path.to_vec())
            }
            None => return None,
        };
        let mut rest = std::collections::VecDeque::from(rest);
        for _ in 0..MOST_HOPS {
            while let Some(next) = rest.front() {
                let child = [at.as_slice(), std::slice::from_ref(next)].concat();
                if !self.by_module.contains_key(child.as_slice()) {
                    break;
                }
                at = child;
                rest.pop_front();
            }
            let Some(name) = rest.front() else { break };
            let handed = self
                .by_module
                .get(at.as_slice())
                .and_then(|file| file.handed_on.get(name));
            let Some(handed) = handed else { break };
            rest.pop_front();
            let mut onward: Vec<String> = handed.clone();
            let base = match onward.first().map(String::as_str) {
                Some("crate") => Vec::new(),
                Some("super") => at.get(..at.len().checked_sub(1)?)?.to_vec(),
                _ => at.clone(),
            };
            if matches!(
                onward.first().map(String::as_str),
                Some("crate" | "self" | "super")
            ) {
                onward.remove(0);
            } else {
                // Of another crate, unless a child module has that name.
                let first = onward.first()?;
                let child = [base.as_slice(), std::slice::from_ref(first)].concat();
                self.by_module.get(child.as_slice())?;
            }
            at = base;
            for part in onward.into_iter().rev() {
                rest.push_front(part);
            }
        }
        Some(at)
    }
}
