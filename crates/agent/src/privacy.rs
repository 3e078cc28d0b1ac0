//! What the user does not want to leave the program is taken out between the walker and the file.

use crate::log;
use recrash_heap::{Heap, Manifest, Snapshot};
use recrash_privacy::{Notes, Outcome, ProgramNotes, Redactor, Rules};
use recrash_recording::with_texts;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Shorter values are not searched for in other texts.
const SHORTEST_SECRET: usize = 8;

/// How rules are told: in the options, or in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    Defaults,
    Off,
    File(PathBuf),
    /// Lines of a rules file.
    Rules(String),
}

pub struct Privacy {
    /// `None`: everything may be seen.
    rules: Option<Rules>,
    /// Made at the first failure: a program that does not fail needs no patterns.
    redactor: OnceLock<Redactor>,
    finder: Notes,
    notes: Mutex<ProgramNotes>,
    /// The redacted snapshot whose second look this is.
    known: Option<PathBuf>,
}

impl Privacy {
    /// An error where the rules cannot be read: then nothing may be written at all.
    pub fn of(wanted: &Wanted, known: Option<PathBuf>) -> Result<Self, String> {
        let rules = match wanted {
            Wanted::Off => None,
            Wanted::Defaults => Some(Rules::defaults()),
            Wanted::Rules(text) => Some(Rules::parse(text).map_err(|error| error.to_string())?),
            Wanted::File(path) => {
                let told = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
                let text = std::fs::read_to_string(path).map_err(|error| told(&error))?;
                Some(Rules::parse(&text).map_err(|error| told(&error))?)
            }
        };
        Ok(Self {
            finder: rules.as_ref().map(Notes::of).unwrap_or_default(),
            rules,
            redactor: OnceLock::new(),
            notes: Mutex::default(),
            known,
        })
    }

    /// A class is being loaded, under its internal name.
    pub fn note(&self, class: &str, bytes: &[u8]) {
        if let Some(found) = self.finder.read(bytes) {
            let mut known = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
            known.insert(class.replace('/', "."), found);
        }
    }

    fn redactor(&self) -> Option<&Redactor> {
        let rules = self.rules.as_ref()?;
        Some(self.redactor.get_or_init(|| {
            let mut redactor = Redactor::new(rules.clone());
            match self.known.as_deref().map(Snapshot::read) {
                Some(Ok(snapshot)) => redactor.know(&snapshot),
                Some(Err(error)) => log::say(&error.to_string()),
                None => {}
            }
            for (name, value) in std::env::vars_os() {
                if let (Ok(name), Ok(value)) = (name.into_string(), value.into_string()) {
                    redactor.setting(name, value);
                }
            }
            redactor
        }))
    }

    /// A text for the log, before anything is known of the objects behind it.
    pub fn text(&self, text: String) -> String {
        match self.redactor() {
            Some(redactor) => redactor.text(&text),
            None => text,
        }
    }

    /// Whether what has that name is not to be kept, whatever it looks like.
    pub fn is_secret_name(&self, name: &str) -> bool {
        let rules = self.rules.as_ref();
        rules.is_some_and(|rules| rules.is_secret_name(name))
    }

    /// The definitions of a recording without what looks sensitive in their texts; nothing where nothing does.
    pub fn definitions(&self, content: &[u8]) -> Option<Vec<u8>> {
        let redactor = self.redactor()?;
        let changed = |text: &str| {
            let redacted = redactor.text(text);
            (redacted != text).then_some(redacted)
        };
        // Most chunks have nothing in them, which one look at all texts together shows.
        let whole = String::from_utf8_lossy(content);
        changed(&whole)?;
        with_texts(content, changed)
    }

    /// The values of environment variables that are not to be kept.
    pub fn secret_variables(&self) -> Vec<String> {
        let all = std::env::vars_os();
        let secret = all.filter_map(|(name, value)| {
            let name = name.into_string().ok()?;
            let value = value.into_string().ok()?;
            (self.is_secret_name(&name) && value.len() >= SHORTEST_SECRET).then_some(value)
        });
        secret.collect()
    }

    /// Redacts both parts of a snapshot. The heap part is one piece afterwards. `all_noted` says whether all classes of the
    /// program were [noted](Self::note).
    pub fn redact(
        &self,
        manifest: &mut Manifest,
        heap: &mut Vec<Vec<u8>>,
        all_noted: bool,
    ) -> Result<Option<Outcome>, String> {
        let Some(redactor) = self.redactor() else {
            return Ok(None);
        };
        let mut whole = Vec::with_capacity(heap.iter().map(Vec::len).sum());
        for piece in heap.drain(..) {
            whole.extend(piece);
        }
        let told = |error: &dyn std::fmt::Display| format!("it could not be redacted: {error}");
        let mut parsed = Heap::parse(whole, u32::MAX).map_err(|error| told(&error))?;
        let notes = self.notes(all_noted, manifest, &parsed);
        let outcome = redactor
            .redact(manifest, &mut parsed, &notes)
            .map_err(|error| told(&error))?;
        heap.push(parsed.into_bytes());
        Ok(Some(outcome))
    }

    /// Where classes loaded unseen, those of the failure are read from where they came from.
    fn notes(&self, all_noted: bool, manifest: &Manifest, heap: &Heap) -> ProgramNotes {
        let noted = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        if all_noted {
            return noted.clone();
        }
        let directory = Path::new(&manifest.environment.working_directory);
        let class_path = manifest.environment.class_path.iter();
        let places: Vec<PathBuf> = class_path.map(|entry| directory.join(entry)).collect();
        let places = places.iter().map(PathBuf::as_path);
        let mut found = self.finder.on_class_path(places, manifest, heap);
        found.extend(noted.clone());
        found
    }
}
