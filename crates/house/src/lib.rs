//! Keeps the house in order: what the crates use, what the map of `docs/architecture.md` says of it, what their headers
//! promise, and which modules lead in a circle.
//!
//! Knows Cargo's metadata and Rust's syntax. It may not know what any of the crates is for.
//!
//! Start reading at [`violations`].
//!
//! Never uses: `std::net`.

mod circles;
mod crates;
mod headers;
mod map;
mod modules;
mod source;

use std::path::Path;

/// Everything in the workspace at `root` that breaks a rule, a sentence each.
///
/// # Errors
/// When the workspace cannot be read, a sentence that says why.
pub fn violations(root: &Path) -> Result<Vec<String>, String> {
    let crates = crates::read(root)?;
    let map = map::read(&root.join("docs/architecture.md"))?;
    let mut found = map::against(&map, &crates);
    for krate in &crates {
        let files = source::files(&krate.folder.join("src"))?;
        found.extend(headers::contradictions(krate, &files));
        found.extend(modules::circles(&krate.name, &files));
    }
    Ok(found)
}
