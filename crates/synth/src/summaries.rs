//! The summaries of a program's methods: worked out when asked for, callees first, and kept on disk for the next time.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use recrash_classfile::{modified, text};
use recrash_program::{Cache, Graph, Kind, MethodId, Program, SelectorId};
use serde::{Deserialize, Serialize};

use crate::summary::{Body, Summary};

#[cfg(test)]
#[allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]
mod tests;

/// Raised whenever summaries come out otherwise.
const KIND: Kind = Kind {
    name: "summaries",
    version: 1,
};
/// What is reached from one method is cut off there.
const MOST_METHODS: usize = 4_000;
/// Methods that call each other settle long before.
const MOST_ROUNDS: usize = 8;

/// Shared by all searches in a program.
#[derive(Default)]
pub struct Summaries {
    known: RwLock<HashMap<MethodId, Arc<Summary>>>,
    /// Those of earlier times.
    stored: BTreeMap<Name, Summary<FieldName>>,
    /// Something was worked out that is not stored.
    grown: AtomicBool,
}

/// Class, name, descriptor.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Name(String, String, String);

/// Name, descriptor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct FieldName(String, String);

impl Summaries {
    /// Those that were stored for this hash of the class path, and a line about what could not be read.
    pub fn load(cache: &Cache, key: u64) -> (Summaries, Option<String>) {
        let (stored, note) = match cache.read::<BTreeMap<Name, Summary<FieldName>>>(KIND, key) {
            Ok(stored) => (stored.unwrap_or_default(), None),
            Err(note) => (BTreeMap::new(), Some(note)),
        };
        let summaries = Summaries {
            stored,
            ..Summaries::default()
        };
        (summaries, note)
    }

    /// Keeps what was worked out; a line about what could not be written.
    pub fn store(&self, program: &Program, cache: &Cache, key: u64) -> Option<String> {
        if !self.grown.load(Ordering::Relaxed) {
            return None;
        }
        let mut all = self.stored.clone();
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        for (method, summary) in known.iter() {
            let field = |field: &SelectorId| field_name(program, *field);
            let named = name(program, *method).zip(summary.named(field));
            all.extend(named);
        }
        match cache.write(KIND, key, &all) {
            Ok(written) => written.err(),
            Err(error) => Some(error.to_string()),
        }
    }

    pub(crate) fn of(&self, program: &Program, method: MethodId) -> Arc<Summary> {
        match self.find(program, method) {
            Some(known) => known,
            None => self.work_out(program, method),
        }
    }

    fn find(&self, program: &Program, method: MethodId) -> Option<Arc<Summary>> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known.get(&method) {
            return Some(Arc::clone(known));
        }
        drop(known);
        if self.stored.is_empty() {
            return None;
        }
        let stored = self.stored.get(&name(program, method)?)?;
        let field = |FieldName(name, descriptor): &FieldName| {
            Some(program.selector_id(&modified(name), &modified(descriptor)))
        };
        let summary = Arc::new(stored.named(field)?);
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        known.insert(method, Arc::clone(&summary));
        Some(summary)
    }

    /// Of the method and all it calls that are not known yet: callees first, and those that call each other until nothing
    /// changes any more.
    fn work_out(&self, program: &Program, method: MethodId) -> Arc<Summary> {
        let mut methods = vec![method];
        let mut numbers = HashMap::from([(method, 0_u32)]);
        let mut found: HashMap<MethodId, Arc<Summary>> = HashMap::new();
        let mut bodies: Vec<Option<Body>> = Vec::new();
        let mut edges: Vec<Vec<u32>> = Vec::new();
        while let Some(&next) = methods.get(bodies.len()) {
            let body = Body::of(program, next);
            let mut callees: Vec<MethodId> = body
                .iter()
                .flat_map(|body| body.calls.values().copied())
                .collect();
            callees.sort_unstable();
            callees.dedup();
            let mut leads_to = Vec::new();
            for callee in callees {
                if let Some(known) = self.find(program, callee) {
                    found.insert(callee, known);
                } else if let Some(&number) = numbers.get(&callee) {
                    leads_to.push(number);
                } else if methods.len() < MOST_METHODS {
                    let number = methods.len() as u32;
                    numbers.insert(callee, number);
                    methods.push(callee);
                    leads_to.push(number);
                }
            }
            bodies.push(body);
            edges.push(leads_to);
        }
        for component in Graph::new(edges).components() {
            let mut members: Vec<(String, MethodId, &Body)> = component
                .iter()
                .filter_map(|number| {
                    let method = *methods.get(*number as usize)?;
                    let body = bodies.get(*number as usize)?.as_ref()?;
                    Some((program.method_text(method), method, body))
                })
                .collect();
            // Numbers differ from run to run; what comes out must not.
            members.sort_by(|one, other| one.0.cmp(&other.0));
            let recurs = |(_, method, body): &(String, MethodId, &Body)| {
                members.len() > 1 || body.calls.values().any(|callee| callee == method)
            };
            let rounds = if members.iter().any(recurs) {
                MOST_ROUNDS
            } else {
                1
            };
            for _ in 0..rounds {
                let mut changed = false;
                for (_, method, body) in &members {
                    let summary = body.summary(|callee| found.get(&callee).map(Arc::clone));
                    let before = found.insert(*method, Arc::new(summary.clone()));
                    changed |= before.is_none_or(|before| *before != summary);
                }
                if !changed {
                    break;
                }
            }
        }
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        for method in methods.iter().copied() {
            let summary = found.remove(&method).unwrap_or_default();
            known.insert(method, summary);
        }
        self.grown.store(true, Ordering::Relaxed);
        known.get(&method).map(Arc::clone).unwrap_or_default()
    }
}

fn name(program: &Program, method: MethodId) -> Option<Name> {
    let found = program.method(method)?;
    let FieldName(name, descriptor) = field_name(program, found.selector)?;
    Some(Name(
        text(&program.class_name(method.class)),
        name,
        descriptor,
    ))
}

fn field_name(program: &Program, selector: SelectorId) -> Option<FieldName> {
    let selector = program.selector(selector)?;
    Some(FieldName(text(&selector.name), text(&selector.descriptor)))
}
