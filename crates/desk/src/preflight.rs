//! What can be said about a frame before it runs: is its class on the desk, and is it the class that ran?

use std::collections::{BTreeMap, BTreeSet};

use recrash_heap::manifest::FrameInfo;
use recrash_judge::is_numbered;
use recrash_jvm::ClassPath;
use recrash_weave::class_hash;

/// Looks classes up on the class path, each once.
#[derive(Debug)]
pub(crate) struct Preflight<'a> {
    class_path: &'a ClassPath,
    feature: u32,
    /// The classes that travel with the snapshot.
    carried: BTreeSet<String>,
    found: BTreeMap<String, Result<Found, String>>,
}

#[derive(Debug, Clone)]
struct Found {
    entry: String,
    hash: u64,
}

impl<'a> Preflight<'a> {
    pub(crate) fn new(
        class_path: &'a ClassPath,
        feature: u32,
        carried: impl IntoIterator<Item = String>,
    ) -> Preflight<'a> {
        Preflight {
            class_path,
            feature,
            carried: carried.into_iter().collect(),
            found: BTreeMap::new(),
        }
    }

    /// `Err` with a reason when frame `number` cannot be run; else a note when its class is not the one that ran.
    pub(crate) fn examine(
        &mut self,
        number: usize,
        frame: &FrameInfo,
    ) -> Result<Option<String>, String> {
        let class = &frame.element.class;
        let carried = self.carried.contains(class);
        if is_numbered(class) && !carried {
            return Err(format!(
                "{class} (frame {number}) was made at run time, and no other run has a class of this name"
            ));
        }
        let found = match self.find(class) {
            Ok(found) => found,
            Err(_) if carried => return Ok(None),
            Err(reason) => {
                return Err(format!(
                    "{reason} (frame {number}); pass the jar that ran with --classpath"
                ));
            }
        };
        let captured = frame.captured.as_ref();
        let recorded = captured
            .and_then(|captured| captured.class_hash.as_deref())
            .and_then(parse_hash);
        if recorded.is_some_and(|recorded| recorded != found.hash) {
            return Ok(Some(format!(
                "{class} in {} differs from the class that ran",
                found.entry
            )));
        }
        Ok(None)
    }

    fn find(&mut self, class: &str) -> Result<Found, String> {
        if let Some(known) = self.found.get(class) {
            return known.clone();
        }
        let found = match self.class_path.find_class(class, self.feature) {
            Ok(Some(origin)) => Ok(Found {
                entry: origin.entry.display().to_string(),
                hash: class_hash(&origin.bytes),
            }),
            Ok(None) => Err(self.absent(class)),
            Err(error) => Err(error.to_string()),
        };
        self.found.insert(class.to_owned(), found.clone());
        found
    }

    fn absent(&self, class: &str) -> String {
        if let Some(missing) = self.class_path.missing().first() {
            return format!(
                "{} does not exist and no other entry contains {class}",
                missing.display()
            );
        }
        match self.class_path.entries() {
            [] => format!("the class path is empty and does not contain {class}"),
            [only] => format!("{} does not contain {class}", only.display()),
            several => format!(
                "none of the {} entries of the class path contains {class}",
                several.len()
            ),
        }
    }
}

fn parse_hash(text: &str) -> Option<u64> {
    u64::from_str_radix(text.trim_start_matches("xxh3:"), 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use recrash_heap::Value;
    use recrash_heap::manifest::{CapturedFrame, FramePlace, TraceElement};
    use std::path::Path;

    fn frame(class: &str, hash: Option<String>) -> FrameInfo {
        FrameInfo {
            throwable: 0,
            element: TraceElement {
                class: class.into(),
                method: "m".into(),
                file: None,
                line: 1,
                module: None,
            },
            captured: Some(CapturedFrame {
                descriptor: "()V".into(),
                access: 0,
                place: FramePlace::Body,
                receiver: Value::Null,
                arguments: vec![],
                patches: vec![],
                back_to: None,
                reads: vec![],
                class_hash: hash,
                source: None,
                entry: None,
            }),
        }
    }

    #[test]
    fn a_missing_class_names_the_jar_the_class_and_the_way_out() {
        let folder = tempfile::tempdir().unwrap();
        let class_path = ClassPath::new([""], folder.path());
        let reason = Preflight::new(&class_path, 17, [])
            .examine(2, &frame("com.acme.Order", None))
            .unwrap_err();
        let expected = format!(
            "{} does not contain com.acme.Order (frame 2); pass the jar that ran with --classpath",
            folder.path().display()
        );
        assert_eq!(reason, expected);
    }

    #[test]
    fn an_entry_that_is_gone_is_named_first() {
        let class_path = ClassPath::new(["gone.jar"], Path::new("/nowhere"));
        let reason = Preflight::new(&class_path, 17, [])
            .examine(0, &frame("A", None))
            .unwrap_err();
        assert!(
            reason.starts_with("/nowhere/gone.jar does not exist"),
            "{reason}"
        );
    }

    #[test]
    fn a_class_that_differs_is_a_note_and_the_same_class_is_none() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("A.class"), "bytes").unwrap();
        let class_path = ClassPath::new([""], folder.path());
        let mut preflight = Preflight::new(&class_path, 17, []);
        let same = format!("{:016x}", class_hash(b"bytes"));
        assert_eq!(preflight.examine(0, &frame("A", Some(same))), Ok(None));
        let note = preflight
            .examine(0, &frame("A", Some("00000000deadbeef".into())))
            .unwrap()
            .unwrap();
        assert!(note.contains("differs from the class that ran"), "{note}");
        assert_eq!(preflight.examine(0, &frame("A", None)), Ok(None));
    }

    #[test]
    fn a_class_that_travels_with_the_snapshot_needs_no_jar() {
        let class_path = ClassPath::default();
        let made = "app.Order$$EnhancerByCGLIB$$1a2b";
        let mut preflight = Preflight::new(&class_path, 17, [made.to_owned()]);
        assert_eq!(preflight.examine(1, &frame(made, None)), Ok(None));
        assert!(
            preflight
                .examine(1, &frame("app.Other$$EnhancerByCGLIB$$1", None))
                .is_err()
        );
    }

    #[test]
    fn a_hidden_class_cannot_be_found_by_name() {
        let class_path = ClassPath::default();
        let reason = Preflight::new(&class_path, 17, [])
            .examine(1, &frame("app.Main$$Lambda/0x1", None))
            .unwrap_err();
        assert!(reason.contains("was made at run time"), "{reason}");
    }
}
