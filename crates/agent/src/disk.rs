//! The folder of snapshots keeps within its budget: the oldest snapshot of the commonest failure goes first, so that the
//! rare ones, which are hard to have again, stay longest.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

#[derive(Debug, Clone, PartialEq, Eq)]
struct Kept {
    path: PathBuf,
    /// Alike for snapshots of the same failure.
    failure: String,
    bytes: u64,
    written: SystemTime,
}

/// Removes snapshots until those in the folder take no more than the budget; which ones. `newest` goes last.
pub fn make_room(folder: &Path, budget: u64, newest: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let kept = entries
        .filter_map(|entry| {
            let metadata = entry.metadata().ok()?;
            Some(Kept {
                failure: failure(entry.file_name().to_str()?)?.to_owned(),
                path: entry.path(),
                bytes: metadata.len(),
                written: metadata.modified().ok()?,
            })
        })
        .collect();
    let mut dropped = surplus(kept, budget, newest);
    // Another process may have been quicker, which is as good.
    dropped.retain(|path| fs::remove_file(path).is_ok());
    dropped
}

/// `NullPointerException-1a2b3c4d5e6f7081` of `NullPointerException-1a2b3c4d5e6f7081-4711-2.recrash`; names of before have the first
/// half of the fingerprint only. Other files are not ours to count.
fn failure(name: &str) -> Option<&str> {
    let stem = name.strip_suffix(".recrash")?;
    let is_number =
        |part: &str| !part.is_empty() && part.bytes().all(|digit| digit.is_ascii_digit());
    // Neither the name of a class nor a hash has a hyphen.
    let mut parts = stem.split('-');
    let (class, hash, process) = (parts.next()?, parts.next()?, parts.next()?);
    let is_hash =
        matches!(hash.len(), 8 | 16) && hash.bytes().all(|digit| digit.is_ascii_hexdigit());
    let is_ours = !class.is_empty() && is_hash && is_number(process) && parts.all(is_number);
    is_ours
        .then(|| stem.get(..=class.len() + hash.len()))
        .flatten()
}

fn surplus(mut kept: Vec<Kept>, budget: u64, newest: &Path) -> Vec<PathBuf> {
    let mut total: u64 = kept.iter().map(|kept| kept.bytes).sum();
    kept.sort_by_key(|kept| (kept.path == newest, kept.written));
    let mut dropped = Vec::new();
    while total > budget && !kept.is_empty() {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for kept in &kept {
            *counts.entry(&kept.failure).or_default() += 1;
        }
        let count = |kept: &Kept| counts.get(kept.failure.as_str()).copied().unwrap_or(0);
        let most = kept
            .iter()
            .filter(|kept| kept.path != newest)
            .map(count)
            .max()
            .unwrap_or(1);
        let oldest = kept
            .iter()
            .position(|kept| count(kept) == most && kept.path != newest)
            .unwrap_or(0);
        let gone = kept.remove(oldest);
        total -= gone.bytes;
        dropped.push(gone.path);
    }
    dropped
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn kept(name: &str, bytes: u64, second: u64) -> Kept {
        Kept {
            path: PathBuf::from(name),
            failure: failure(name).unwrap().to_owned(),
            bytes,
            written: SystemTime::UNIX_EPOCH + Duration::from_secs(second),
        }
    }

    fn dropped(kept: &[Kept], budget: u64) -> Vec<String> {
        let newest = kept.last().unwrap().path.clone();
        surplus(kept.to_vec(), budget, &newest)
            .iter()
            .map(|path| path.display().to_string())
            .collect()
    }

    #[test]
    fn the_oldest_of_the_commonest_goes_first_and_the_newest_last() {
        let all = [
            kept("Rare-00000001-1.recrash", 10, 1),
            kept("Often-00000002-1.recrash", 10, 2),
            kept("Often-00000002-2.recrash", 10, 3),
            kept("Often-00000002-3.recrash", 10, 4),
        ];
        assert_eq!(dropped(&all, 40), [""; 0]);
        assert_eq!(dropped(&all, 30), ["Often-00000002-1.recrash"]);
        assert_eq!(
            dropped(&all, 10),
            [
                "Often-00000002-1.recrash",
                "Often-00000002-2.recrash",
                "Rare-00000001-1.recrash"
            ]
        );
        assert_eq!(dropped(&all, 9).last().unwrap(), "Often-00000002-3.recrash");
    }

    #[test]
    fn only_files_named_like_snapshots_count() {
        let whole = "A-1a2b3c4d5e6f7081-77-2.recrash";
        assert_eq!(failure(whole), Some("A-1a2b3c4d5e6f7081"));
        assert_eq!(failure("A-1a2b3c4d5e-77.recrash"), None);
        assert_eq!(failure("A-1a2b3c4d-77.recrash"), Some("A-1a2b3c4d"));
        assert_eq!(failure("A-12345678-77-2.recrash"), Some("A-12345678"));
        assert_eq!(failure("A-12345678-12345678.recrash"), Some("A-12345678"));
        assert_eq!(failure("A-1a2b3c4d.recrash"), None);
        assert_eq!(failure("mine.recrash"), None);
        assert_eq!(failure("A-1a2b3c4d-77.zip"), None);
    }
}
