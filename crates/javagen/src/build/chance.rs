//! What source cannot repeat because the JVM makes it up anew in every run.

use super::made::{Blocked, Result};
use super::planner::Planner;
use recrash_heap::manifest::Value;
use recrash_heap::{Kind, Object};

/// Collections that hand out what they hold by hash codes.
const HASHED: [&str; 5] = [
    "java.util.HashMap",
    "java.util.HashSet",
    "java.util.Hashtable",
    "java.util.WeakHashMap",
    "java.util.concurrent.ConcurrentHashMap",
];

impl<'s> Planner<'s, '_> {
    /// Keys without a hash code of their own have that of their identity: a test that makes them anew finds them in one
    /// order today and in another tomorrow. Only the snapshot brings identity hashes back.
    pub(super) fn refuse_made_up_order(
        &self,
        object: &Object<'s>,
        keys: impl ExactSizeIterator<Item = Value>,
    ) -> Result<()> {
        if keys.len() < 2 || !HASHED.contains(&object.class) {
            return Ok(());
        }
        let mut keys = keys.filter_map(|key| self.target(key));
        let by_identity = keys.find(|key| {
            key.identity_hash.is_some() && !matches!(key.kind, Kind::Enum { .. } | Kind::String(_))
        });
        match by_identity {
            Some(key) => Err(Blocked::because(format!(
                "the order of {} by identity",
                key.class
            ))),
            None => Ok(()),
        }
    }
}
