use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// Copies a folder with everything in it; files keep their permissions, folders become writable.
pub fn copy(from: &Path, to: &Path) -> Result<()> {
    std::fs::create_dir_all(to).with_context(|| format!("{} could not be made", to.display()))?;
    for entry in
        std::fs::read_dir(from).with_context(|| format!("{} could not be read", from.display()))?
    {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            std::fs::copy(entry.path(), &target)
                .with_context(|| format!("{} could not be copied", entry.path().display()))?;
        }
    }
    Ok(())
}

/// Every file below `folder`, as paths relative to it, sorted.
pub fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in std::fs::read_dir(&next)
            .with_context(|| format!("{} could not be read", next.display()))?
        {
            let path = entry?.path();
            if path.is_dir() {
                open.push(path);
            } else if let Ok(relative) = path.strip_prefix(folder) {
                found.push(relative.to_owned());
            }
        }
    }
    found.sort();
    Ok(found)
}

/// The first difference between two folders, in words; `None` when they hold the same files with the same bytes.
pub fn difference(plain: &Path, other: &Path) -> Result<Option<String>> {
    let expected = files(plain)?;
    let found = files(other)?;
    if let Some(missing) = expected.iter().find(|file| !found.contains(file)) {
        return Ok(Some(format!("{} is missing", missing.display())));
    }
    if let Some(extra) = found.iter().find(|file| !expected.contains(file)) {
        return Ok(Some(format!("{} is new", extra.display())));
    }
    for file in &expected {
        if std::fs::read(plain.join(file))? != std::fs::read(other.join(file))? {
            return Ok(Some(format!("{} differs", file.display())));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_has_no_difference_until_a_file_changes_goes_or_comes() {
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (folder.path().join("from"), folder.path().join("to"));
        std::fs::create_dir_all(from.join("deep")).unwrap();
        std::fs::write(from.join("deep/file"), "text").unwrap();
        copy(&from, &to).unwrap();
        assert_eq!(difference(&from, &to).unwrap(), None);
        std::fs::write(to.join("deep/file"), "other").unwrap();
        assert_eq!(
            difference(&from, &to).unwrap().unwrap(),
            "deep/file differs"
        );
        std::fs::write(to.join("more"), "").unwrap();
        assert_eq!(difference(&from, &to).unwrap().unwrap(), "more is new");
        assert_eq!(difference(&to, &from).unwrap().unwrap(), "more is missing");
    }
}
