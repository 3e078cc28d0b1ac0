//! Code names a field by the class that it deals with; a place is known by the class that declares the field.

use std::collections::{HashMap, HashSet};

use recrash_heap::Class;
use recrash_heap::manifest::{Manifest, Patch};

/// Names the fields of all patches by their declaring classes, and keeps the last word on each place in a frame.
///
/// Two frames may see one field through different classes: what the outer one tells has to take the place of what the inner
/// one did.
pub fn declare(manifest: &mut Manifest, classes: &[Class]) {
    let table = Table::of(classes);
    let captured = manifest.frames.iter_mut();
    for frame in captured.filter_map(|frame| frame.captured.as_mut()) {
        table.declare(&mut frame.patches);
    }
}

struct Table<'c> {
    classes: &'c [Class],
    by_name: HashMap<&'c str, &'c Class>,
}

impl<'c> Table<'c> {
    fn of(classes: &'c [Class]) -> Self {
        let named = classes.iter().map(|class| (class.name.as_str(), class));
        Table {
            classes,
            by_name: named.collect(),
        }
    }

    fn declare(&self, patches: &mut Vec<Patch>) {
        for patch in patches.iter_mut() {
            if let Some(declaring) = self.declaring(patch) {
                patch.class.clone_from(&declaring.name);
            }
        }
        let mut told = HashSet::new();
        patches.reverse();
        patches
            .retain(|patch| told.insert((patch.object, patch.class.clone(), patch.field.clone())));
        patches.reverse();
    }

    /// The class itself or the first one above it; `None` for elements of arrays and fields that are not captured.
    fn declaring(&self, patch: &Patch) -> Option<&'c Class> {
        let mut class = self.by_name.get(patch.class.as_str()).copied();
        // No chain is longer than the table.
        for _ in self.classes {
            let this = class?;
            let mut fields = this.fields.iter();
            if fields.any(|f| f.name == patch.field && f.descriptor == patch.descriptor) {
                return Some(this);
            }
            class = self.classes.get(this.super_class?.0 as usize);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use recrash_heap::{ClassSpec, HeapBuilder, ObjectId, Value, class_table};

    #[test]
    fn a_field_is_the_same_through_whatever_class_it_is_seen() {
        let mut heap = HeapBuilder::new();
        let scanner = heap.class(&ClassSpec {
            name: "Scanner",
            fields: &[("at", "I"), ("end", "I")],
            ..ClassSpec::default()
        });
        heap.class(&ClassSpec {
            name: "Reader",
            super_class: Some(scanner),
            fields: &[("end", "I")],
            ..ClassSpec::default()
        });
        let classes = class_table(&[&heap.finish()]).unwrap();
        let patch = |class: &str, field: &str, value| Patch {
            object: ObjectId(1),
            class: class.to_owned(),
            field: field.to_owned(),
            descriptor: "I".to_owned(),
            value: Value::Int(value),
        };
        let mut patches = vec![
            patch("Scanner", "at", 9),
            patch("Scanner", "end", 1),
            patch("Reader", "at", 3),
            patch("Reader", "end", 2),
            patch("[I", "[0]", 4),
            patch("Gone", "at", 5),
        ];
        Table::of(&classes).declare(&mut patches);
        let expected = [
            patch("Scanner", "end", 1),
            patch("Scanner", "at", 3),
            patch("Reader", "end", 2),
            patch("[I", "[0]", 4),
            patch("Gone", "at", 5),
        ];
        assert_eq!(patches, expected);
    }
}
