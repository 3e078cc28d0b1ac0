//! Hash tables whose keys were redacted: every entry goes where its new key is looked for.
//!
//! Entries keep their records; only the links between them and the hashes they keep change. A hash left as it was would also
//! tell much of a short secret.

use crate::text::{hash_code, units};
use recrash_heap::{Contents, Form, Heap, ObjectId, Value};
use std::collections::HashSet;

struct Kind {
    array: &'static str,
    /// Whether the upper half of a hash is mixed into the lower one, and the size is a power of two.
    spread: bool,
    /// Which bits of a hash the entry keeps.
    bits: i32,
}

const KINDS: [Kind; 3] = [
    Kind {
        array: "[Ljava.util.HashMap$Node;",
        spread: true,
        bits: -1,
    },
    Kind {
        array: "[Ljava.util.concurrent.ConcurrentHashMap$Node;",
        spread: true,
        bits: i32::MAX,
    },
    Kind {
        array: "[Ljava.util.Hashtable$Entry;",
        spread: false,
        bits: -1,
    },
];

/// Puts the entries of every table that has a changed string as a key into their places.
pub(crate) fn rebuild(heap: &mut Heap, changed: &HashSet<u32>) {
    if changed.is_empty() {
        return;
    }
    for id in (1..=heap.len()).map(ObjectId) {
        let kind = heap
            .class_name(id)
            .and_then(|class| KINDS.iter().find(|kind| kind.array == class));
        if let (Some(kind), Some(table)) = (kind, heap.contents(id))
            && table.form == Form::References
        {
            let entries = Table {
                heap: &*heap,
                contents: &table,
            }
            .entries();
            let is_changed = |entry: &Entry| changed.contains(&entry.key);
            if let Some(mut entries) = entries
                && entries.iter().any(is_changed)
            {
                for entry in &mut entries {
                    entry.rehash(heap, changed, kind);
                }
                link(heap, &table, &entries, kind.spread);
            }
        }
    }
}

struct Entry {
    id: u32,
    contents: Contents,
    hash_at: usize,
    next_at: usize,
    key: u32,
    hash: i32,
}

impl Entry {
    fn rehash(&mut self, heap: &mut Heap, changed: &HashSet<u32>, kind: &Kind) {
        if !changed.contains(&self.key) {
            return;
        }
        let Some(contents) = heap.contents(ObjectId(self.key)) else {
            return;
        };
        let hash = hash_code(&units(contents.form, heap.bytes_of(&contents)));
        let above = if kind.spread { (hash as u32) >> 16 } else { 0 };
        self.hash = (hash ^ above as i32) & kind.bits;
        heap.set_value(&self.contents, self.hash_at, Value::Int(self.hash));
    }
}

struct Table<'a> {
    heap: &'a Heap,
    contents: &'a Contents,
}

impl Table<'_> {
    /// All entries in the order of the chains; `None` for a table of another shape, such as one with trees.
    fn entries(&self) -> Option<Vec<Entry>> {
        let mut entries: Vec<Entry> = Vec::new();
        let mut seen = HashSet::new();
        for offset in (0..self.heap.bytes_of(self.contents).len()).step_by(4) {
            let mut next = self.heap.value_at(self.contents, offset, "L")?;
            while let Value::Ref(ObjectId(id)) = next {
                if !seen.insert(id) {
                    return None;
                }
                let entry = self.entry(id)?;
                next = self.heap.value_at(&entry.contents, entry.next_at, "L")?;
                entries.push(entry);
            }
        }
        Some(entries)
    }

    fn entry(&self, id: u32) -> Option<Entry> {
        let contents = self.heap.contents(ObjectId(id))?;
        if contents.form != Form::Fields {
            return None;
        }
        let layout = self.heap.layout(contents.class);
        if layout.iter().any(|slot| slot.name == "red") {
            return None;
        }
        let at = |name: &str| {
            let slot = layout.iter().find(|slot| slot.name == name)?;
            Some((slot.offset, slot.descriptor))
        };
        let ((hash_at, _), (next_at, _), (key_at, key_type)) =
            (at("hash")?, at("next")?, at("key")?);
        let Value::Int(hash) = self.heap.value_at(&contents, hash_at, "I")? else {
            return None;
        };
        // Negative hashes mark what is no entry in tables of concurrent maps.
        let key = match self.heap.value_at(&contents, key_at, key_type)? {
            Value::Ref(ObjectId(key)) => key,
            _ => 0,
        };
        Some(Entry {
            id,
            contents,
            hash_at,
            next_at,
            key,
            hash,
        })
    }
}

fn link(heap: &mut Heap, table: &Contents, entries: &[Entry], spread: bool) {
    let size = heap.bytes_of(table).len() / 4;
    if size == 0 {
        return;
    }
    for index in 0..size {
        heap.set_value(table, 4 * index, Value::Null);
    }
    // From behind, each in front of those that are there: the order within a chain stays.
    for entry in entries.iter().rev() {
        let positive = (entry.hash & i32::MAX) as usize;
        let index = if spread {
            positive & (size - 1)
        } else {
            positive % size
        };
        let first = heap.value_at(table, 4 * index, "L").unwrap_or(Value::Null);
        heap.set_value(&entry.contents, entry.next_at, first);
        heap.set_value(table, 4 * index, Value::Ref(ObjectId(entry.id)));
    }
}
