//! The files beside a test.

use crate::names::{self, Unique};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// The files of a test class.
pub(crate) struct Files {
    /// The class whose files they are.
    test: String,
    found: RefCell<Found>,
}

#[derive(Default)]
struct Found {
    contents: BTreeMap<String, Vec<u8>>,
    stems: Unique,
}

impl Files {
    pub(crate) fn of(test: &str) -> Self {
        Files {
            test: test.to_owned(),
            found: RefCell::default(),
        }
    }

    /// The name of the file with these contents: one for all frames that need them.
    pub(super) fn add(&self, hint: &str, extension: &str, contents: Vec<u8>) -> String {
        let mut found = self.found.borrow_mut();
        let known = found.contents.iter().find(|(name, known)| {
            **known == contents && name.rsplit('.').next() == Some(extension)
        });
        if let Some((name, _)) = known {
            return name.clone();
        }
        let stem = found.stems.take(&names::variable(hint));
        let name = format!("{}-{stem}.{extension}", self.test);
        found.contents.insert(name.clone(), contents);
        name
    }

    /// Those that the source reads; ways that were tried and given up have left others behind.
    pub(crate) fn read_in(self, source: &str) -> BTreeMap<String, Vec<u8>> {
        let mut contents = self.found.into_inner().contents;
        contents.retain(|name, _| source.contains(&format!("(\"{name}\")")));
        contents
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_contents_are_one_file_and_others_get_another_name() {
        let files = Files::of("OrderCrashTest");
        let add = |contents: &str| files.add("page", "txt", contents.as_bytes().to_vec());
        assert_eq!(add("one"), "OrderCrashTest-page.txt");
        assert_eq!(add("two"), "OrderCrashTest-page2.txt");
        assert_eq!(add("one"), "OrderCrashTest-page.txt");
        let read = files.read_in("String page = text(\"OrderCrashTest-page2.txt\");");
        assert_eq!(
            read.into_keys().collect::<Vec<_>>(),
            ["OrderCrashTest-page2.txt"]
        );
    }
}
