//! Over everything once more: values that look sensitive, copies of what was redacted, references to what is taken out.

use crate::copies::Search;
use crate::descent::{Work, id_of, whole_number};
use crate::manifest_text;
use crate::text;
use recrash_heap::manifest::RedactionKind;
use recrash_heap::{Contents, Form, Manifest, ObjectId, Value};

impl Work<'_> {
    /// Values that look sensitive, in every text.
    pub(crate) fn patterns(&mut self) {
        for id in self.ids() {
            let Some(contents) = self.heap.contents(ObjectId(id)) else {
                continue;
            };
            if !text::is_text(contents.form) || self.done.contains(&id) {
                continue;
            }
            let bytes = self.heap.bytes_of(&contents);
            let found = self
                .treatment
                .patterns
                .find(&text::narrow(contents.form, bytes));
            if found.is_empty() {
                continue;
            }
            let units = text::units(contents.form, bytes);
            for found in found {
                let original = units.get(found.range.clone()).unwrap_or_default();
                let Some(needle) = self.treatment.needle_by_value(original, found.rule) else {
                    continue;
                };
                let bytes = text::bytes(contents.form, &needle.replacement);
                let offset = found.range.start * text::width(contents.form);
                self.overwrite(&contents, offset, &bytes);
                self.changed.insert(id);
                let place = format!("[{}..{}]", found.range.start, found.range.end);
                self.remark(id, place, found.rule, needle.kind);
                self.needles.add(needle);
            }
        }
    }

    /// Keeps what tells stand-ins apart UTF-8, whatever is put into it.
    fn overwrite(&mut self, contents: &Contents, offset: usize, bytes: &[u8]) {
        if contents.form == Form::StandIn {
            let mut whole = self.heap.bytes_of(contents).to_vec();
            if let Some(place) = whole.get_mut(offset..offset + bytes.len()) {
                place.copy_from_slice(bytes);
            }
            if std::str::from_utf8(&whole).is_err() {
                whole.fill(b'*');
            }
            self.heap.overwrite(contents, 0, &whole);
        } else {
            self.heap.overwrite(contents, offset, bytes);
        }
    }

    /// Copies of what was redacted, in every text and among numbers.
    pub(crate) fn copies(&mut self, manifest: &mut Manifest) {
        let needles = std::mem::take(&mut self.needles);
        let search = Search::of(&needles);
        if !search.is_empty() {
            for id in self.ids() {
                if let Some(contents) = self.heap.contents(ObjectId(id))
                    && text::is_text(contents.form)
                    && !self.done.contains(&id)
                {
                    self.copies_in(id, &contents, &search);
                }
            }
            manifest_text::copies(self, manifest, &search);
        }
        self.searched_in_part = search.is_partial();
        self.needles = needles;
        if !self.numbers.is_empty() {
            self.number_copies(manifest);
        }
    }

    fn copies_in(&mut self, id: u32, contents: &Contents, search: &Search<'_>) {
        let bytes = self.heap.bytes_of(contents);
        let width = text::width(contents.form);
        let hits = search.find(contents.form, bytes);
        if hits.is_empty() {
            // Too many to be searched for are still compared.
            if let Some(needle) = search.whole(contents.form, bytes) {
                let bytes = text::bytes(contents.form, &needle.replacement);
                self.overwrite(contents, 0, &bytes);
                self.changed.insert(id);
                self.remark(id, String::new(), needle.rule, needle.kind);
            }
            return;
        }
        for hit in hits {
            let bytes = hit.encoding.replacement(hit.needle, hit.range.len());
            self.overwrite(contents, hit.range.start, &bytes);
            let place = format!("[{}..{}]", hit.range.start / width, hit.range.end / width);
            self.remark(id, place, hit.needle.rule, hit.needle.kind);
        }
        self.changed.insert(id);
    }

    fn number_copies(&mut self, manifest: &mut Manifest) {
        let numbers = std::mem::take(&mut self.numbers);
        let other = |value: Value| {
            let (to, rule, kind) = numbers.get(&whole_number(value)?)?;
            let other = match value {
                Value::Int(_) => Value::Int(i32::try_from(*to).ok()?),
                Value::Long(_) => Value::Long(*to),
                _ => return None,
            };
            Some((other, *rule, *kind))
        };
        for id in self.ids() {
            let Some(contents) = self.heap.contents(ObjectId(id)) else {
                continue;
            };
            let places: Vec<(usize, String, String)> = match contents.form {
                Form::Fields => {
                    let plan = self.plan(&contents);
                    let slots = plan.iter().flat_map(|plan| &plan.slots);
                    let numbers =
                        slots.filter(|slot| slot.descriptor == "J" || slot.descriptor == "I");
                    numbers
                        .map(|slot| (slot.offset, slot.descriptor.clone(), slot.name.clone()))
                        .collect()
                }
                Form::Primitives(b'J') => (0..self.heap.bytes_of(&contents).len())
                    .step_by(8)
                    .map(|offset| (offset, "J".to_owned(), format!("[{}]", offset / 8)))
                    .collect(),
                _ => continue,
            };
            for (offset, descriptor, place) in places {
                let value = self.heap.value_at(&contents, offset, &descriptor);
                if let Some((other, rule, kind)) = value.and_then(other) {
                    self.heap.set_value(&contents, offset, other);
                    self.remark(id, place, rule, kind);
                }
            }
        }
        manifest_text::each_value(manifest, |place, value| {
            if let Some((other, rule, kind)) = other(*value) {
                *value = other;
                self.remark(0, place, rule, kind);
            }
        });
    }

    /// References to objects that are taken out wherever they are.
    pub(crate) fn drops(&mut self, manifest: &mut Manifest) {
        if self.unwanted.is_empty() {
            return;
        }
        let unwanted = std::mem::take(&mut self.unwanted);
        for id in self.ids() {
            let Some(contents) = self.heap.contents(ObjectId(id)) else {
                continue;
            };
            let places: Vec<(usize, String)> = match contents.form {
                Form::Fields => {
                    let plan = self.plan(&contents);
                    let slots = plan.iter().flat_map(|plan| &plan.slots);
                    let references = slots.filter(|slot| slot.is_reference());
                    references
                        .map(|slot| (slot.offset, slot.name.clone()))
                        .collect()
                }
                Form::References => (0..self.heap.bytes_of(&contents).len())
                    .step_by(4)
                    .map(|offset| (offset, format!("[{}]", offset / 4)))
                    .collect(),
                _ => continue,
            };
            for (offset, place) in places {
                let target = self.heap.value_at(&contents, offset, "L").and_then(id_of);
                if let Some(rule) = target.and_then(|target| unwanted.get(&target)) {
                    self.heap.set_value(&contents, offset, Value::Null);
                    self.remark(id, place, *rule, RedactionKind::Drop);
                }
            }
        }
        manifest_text::each_value(manifest, |place, value| {
            if let Some(rule) = id_of(*value).and_then(|id| unwanted.get(&id)) {
                *value = Value::Null;
                self.remark(0, place, *rule, RedactionKind::Drop);
            }
        });
        self.dropped = true;
    }
}
