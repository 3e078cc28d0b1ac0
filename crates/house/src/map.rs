//! The map in `docs/architecture.md`: a fenced block of crates, each with its layer and what it uses.
//!
//! ```text
//! L3 desk         tries frames in worker JVMs
//!                 uses heap judge jvm
//! ```

use crate::crates::Crate;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The layer in which nothing uses its neighbours.
const ENGINES: u32 = 4;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Entry {
    layer: u32,
    uses: BTreeSet<String>,
}

pub(crate) type Map = BTreeMap<String, Entry>;

pub(crate) fn read(path: &Path) -> Result<Map, String> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
    let mut map = Map::new();
    let mut current: Option<String> = None;
    for line in text.lines() {
        let mut words = line.split_whitespace();
        let first = words.next().unwrap_or_default();
        if let Some(layer) = first.strip_prefix('L').and_then(|layer| layer.parse().ok()) {
            let name = words.next().unwrap_or_default().to_owned();
            let entry = Entry {
                layer,
                uses: BTreeSet::new(),
            };
            map.insert(name.clone(), entry);
            current = Some(name);
        } else if first == "uses"
            && line.starts_with(' ')
            && let Some(entry) = current.take().and_then(|name| map.get_mut(&name))
        {
            entry.uses = words.map(str::to_owned).collect();
        }
    }
    if map.is_empty() {
        return Err(format!("{} has no map of the crates", path.display()));
    }
    Ok(map)
}

/// Where the map is not the real graph, and where either goes upwards.
pub(crate) fn against(map: &Map, crates: &[Crate]) -> Vec<String> {
    let mut found = Vec::new();
    for krate in crates {
        let name = &krate.name;
        let Some(entry) = map.get(name) else {
            found.push(format!("the map lacks the crate {name}"));
            continue;
        };
        for used in krate.uses.difference(&entry.uses) {
            found.push(format!("{name} uses {used}, which the map does not say"));
        }
        for said in entry.uses.difference(&krate.uses) {
            found.push(format!(
                "the map says that {name} uses {said}, which it does not"
            ));
        }
        for used in &krate.uses {
            let Some(other) = map.get(used) else { continue };
            if other.layer > entry.layer {
                let (own, above) = (entry.layer, other.layer);
                found.push(format!(
                    "{name} (L{own}) uses {used} of a higher layer (L{above})"
                ));
            } else if other.layer == entry.layer && entry.layer == ENGINES {
                found.push(format!("{name} uses {used}, and both are engines"));
            }
        }
    }
    let known: BTreeSet<&String> = crates.iter().map(|krate| &krate.name).collect();
    for name in map.keys().filter(|name| !known.contains(name)) {
        found.push(format!(
            "the map has the crate {name}, which does not exist"
        ));
    }
    found
}
