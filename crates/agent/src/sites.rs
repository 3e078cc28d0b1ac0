//! What the site ids in woven code stand for: a table that only grows, written while classes load and read at failures.

use recrash_weave::{FieldName, Place, Site, SiteTable};
use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A woven class as it was loaded.
#[derive(Debug, Clone)]
pub struct WovenClass {
    /// xxh3 of the class file; unknown of a class that was there before, which the JVM writes anew for us.
    pub hash: Option<u64>,
    pub sites: SiteTable,
}

#[derive(Debug, Default)]
pub struct Sites {
    next: AtomicU32,
    /// By the id of each class's first site.
    classes: Mutex<BTreeMap<u32, Arc<WovenClass>>>,
    /// Fields that are not where the code, or what was found out ahead, says.
    missing: Mutex<HashSet<FieldName>>,
}

impl Sites {
    /// Weaves with the next free ids, without a lock: when another thread took them meanwhile, weaves again.
    ///
    /// Ids stay dense, which keeps the woven code small; the second attempt is rare.
    pub fn with_next_ids<W>(&self, weave: impl Fn(u32) -> (W, u32)) -> W {
        loop {
            let first = self.next.load(Ordering::Relaxed);
            let (woven, count) = weave(first);
            let taken = self.next.compare_exchange(
                first,
                first.saturating_add(count),
                Ordering::Relaxed,
                Ordering::Relaxed,
            );
            if count == 0 || taken.is_ok() {
                return woven;
            }
        }
    }

    /// False when the ids belong to another class, which only happens to classes that were woven elsewhere.
    pub fn add(&self, class: WovenClass) -> bool {
        let first = class.sites.first_id();
        let end = first.saturating_add(class.sites.numbers() as u32);
        let mut classes = self.classes.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = classes.range(..end).next_back().is_some_and(|(_, known)| {
            let known_end = known.sites.first_id() + known.sites.numbers() as u32;
            // The same class may come again, by another loader or when it is transformed anew.
            known_end > first && known.sites != class.sites
        });
        if !taken {
            classes.insert(first, Arc::new(class));
        }
        !taken
    }

    /// How many classes were woven.
    pub fn classes(&self) -> usize {
        self.classes
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .len()
    }

    /// A part of a method, by names, in a frame with so many local variables; any one of several classes of that name.
    pub fn find(
        &self,
        class: &str,
        method: &str,
        descriptor: &str,
        place: Place,
        locals: usize,
    ) -> Option<Site> {
        // The newest that fits: a class that is transformed anew leaves its old sites behind, and frames that have them.
        let fits = |site: &Site| {
            site.slots
                .iter()
                .flatten()
                .all(|&slot| usize::from(slot) < locals)
        };
        self.of_class(class).iter().rev().find_map(|woven| {
            woven.sites.iter().find(|site| {
                site.place == place
                    && site.method == method
                    && site.descriptor == descriptor
                    && fits(site)
            })
        })
    }

    /// Whether a class of that binary name with that hash was woven.
    pub fn knows(&self, class: &str, hash: u64) -> bool {
        let mut known = self.of_class(class).into_iter();
        known.any(|woven| woven.hash == Some(hash))
    }

    /// In the order in which they were woven.
    fn of_class(&self, class: &str) -> Vec<Arc<WovenClass>> {
        let classes = self.classes.lock().unwrap_or_else(PoisonError::into_inner);
        let named = classes.values().filter(|woven| woven.sites.is_of(class));
        named.cloned().collect()
    }

    /// The class that contains `site`, and the site.
    pub fn get(&self, site: u32) -> Option<(Arc<WovenClass>, Site)> {
        let class = self.class(site)?;
        let found = class.sites.get(site)?;
        Some((class, found))
    }

    /// A field whose writes are kept.
    pub fn field(&self, number: u32) -> Option<FieldName> {
        self.class(number)?.sites.field(number)
    }

    /// No value of the field was read: what was kept for it says nothing.
    pub fn note_missing(&self, field: FieldName) {
        let mut missing = self.missing.lock().unwrap_or_else(PoisonError::into_inner);
        missing.insert(field);
    }

    pub fn is_missing(&self, field: &FieldName) -> bool {
        let missing = self.missing.lock().unwrap_or_else(PoisonError::into_inner);
        missing.contains(field)
    }

    fn class(&self, number: u32) -> Option<Arc<WovenClass>> {
        let classes = self.classes.lock().unwrap_or_else(PoisonError::into_inner);
        Some(classes.range(..=number).next_back()?.1.clone())
    }
}
