//! What is sensitive by its name, type, package or annotation, with everything below it that is text or a number.

use crate::classes::{ClassPlan, Nature, PlannedSlot, plans};
use crate::copies::{Needle, Needles};
use crate::credential::looks_random;
use crate::notes::ProgramNotes;
use crate::number::{digits_of, replaced_number};
use crate::remarks::Remarks;
use crate::rules::{Action, RuleIndex, When};
use crate::text;
use crate::treatment::Treatment;
use aho_corasick::AhoCorasick;
use recrash_heap::manifest::RedactionKind;
use recrash_heap::{Contents, Form, Heap, ObjectId, Value};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// A sensitive value may be an object with fields; so many of them below each other are part of it. Containers of the JDK
/// do not count.
const OWN_LEVELS: u8 = 2;

/// A number with fewer digits is no evidence wherever else it stands.
const TELLING_NUMBER: u64 = 100_000;

/// Longer texts are no names.
const LONGEST_NAME: usize = 64;

/// A snapshot while it is redacted.
pub(crate) struct Work<'a> {
    pub(crate) treatment: &'a Treatment,
    pub(crate) heap: &'a mut Heap,
    plans: Vec<Rc<ClassPlan>>,
    pub(crate) remarks: Remarks,
    pub(crate) needles: Needles,
    /// Replacements of large numbers.
    pub(crate) numbers: HashMap<i64, (i64, RuleIndex, RedactionKind)>,
    /// Redacted as a whole.
    pub(crate) done: HashSet<u32>,
    /// Something of it is not what it was.
    pub(crate) changed: HashSet<u32>,
    /// Have an equivalent, so that they need not be taken out.
    replaced: HashSet<u32>,
    /// Taken out wherever something refers to them.
    pub(crate) unwanted: HashMap<u32, RuleIndex>,
    pub(crate) dropped: bool,
    pub(crate) searched_in_part: bool,
    /// How many own levels deep each object was met, by rule.
    visited: HashMap<(RuleIndex, u32), u8>,
    name_filter: Option<AhoCorasick>,
    names: HashMap<Vec<u16>, Option<RuleIndex>>,
}

/// A value's way down.
#[derive(Clone, Copy)]
struct Step {
    id: u32,
    own_levels: u8,
    /// The keys of maps are what counts: those of sets.
    keys: bool,
    /// Inside of a number.
    in_number: bool,
}

impl<'a> Work<'a> {
    pub(crate) fn new(
        treatment: &'a Treatment,
        heap: &'a mut Heap,
        program: &ProgramNotes,
    ) -> Self {
        let words = treatment.rules.last_words();
        let name_filter = words.and_then(|words| {
            AhoCorasick::builder()
                .ascii_case_insensitive(true)
                .build(words)
                .ok()
        });
        Self {
            plans: plans(heap, &treatment.rules, program),
            treatment,
            heap,
            remarks: Remarks::default(),
            needles: Needles::default(),
            numbers: HashMap::new(),
            done: HashSet::new(),
            changed: HashSet::new(),
            replaced: HashSet::new(),
            unwanted: HashMap::new(),
            dropped: false,
            searched_in_part: false,
            visited: HashMap::new(),
            name_filter,
            names: HashMap::new(),
        }
    }

    pub(crate) fn ids(&self) -> impl Iterator<Item = u32> + use<> {
        1..=self.heap.len()
    }

    pub(crate) fn plan(&self, contents: &Contents) -> Option<Rc<ClassPlan>> {
        self.plans.get(contents.class.0 as usize).cloned()
    }

    fn is_drop(&self, rule: RuleIndex) -> bool {
        let rule = self.treatment.rule(rule);
        rule.is_some_and(|rule| rule.action == Action::Redact(RedactionKind::Drop))
    }

    pub(crate) fn remark(
        &mut self,
        object: u32,
        place: String,
        rule: RuleIndex,
        kind: RedactionKind,
    ) {
        if let Some(rule) = self.treatment.rule(rule) {
            self.remarks.add(object, place, rule, kind);
        }
    }

    /// A setting of the process: nothing changes yet, but its value is looked for.
    pub(crate) fn setting(&mut self, name: &str, value: &str) {
        let rules = &self.treatment.rules;
        let units: Vec<u16> = value.encode_utf16().collect();
        if let Some(rule) = rules.for_name(name)
            && self.counts(&units, rule)
            && let Some(needle) = self.treatment.needle(&units, rule)
        {
            self.needles.add(needle);
        }
    }

    /// By name, type and annotation, all objects.
    pub(crate) fn names(&mut self) {
        for id in self.ids() {
            let Some(contents) = self.heap.contents(ObjectId(id)) else {
                continue;
            };
            if contents.form != Form::Fields {
                continue;
            }
            let Some(plan) = self.plan(&contents) else {
                continue;
            };
            if let Some(rule) = plan.whole {
                if self.is_drop(rule) {
                    self.unwanted.insert(id, rule);
                }
                self.descend(id, rule, true);
            }
            if plan.has_rules {
                for slot in &plan.slots {
                    if let Some(rule) = slot.rule {
                        self.slot(
                            id,
                            &contents,
                            slot.offset,
                            &slot.descriptor,
                            &slot.name,
                            rule,
                        );
                    }
                }
            }
            for (name, value) in &plan.entries {
                if let (Some(name), Some(value)) = (plan.slots.get(*name), plan.slots.get(*value))
                    && name.is_reference()
                {
                    let key = self.heap.value_at(&contents, name.offset, &name.descriptor);
                    if let Some(rule) = key.and_then(|key| self.rule_by_key(key, 1)) {
                        self.slot(
                            id,
                            &contents,
                            value.offset,
                            &value.descriptor,
                            &value.name,
                            rule,
                        );
                    }
                }
            }
            for index in &plan.alternating {
                if let Some(slot) = plan.slots.get(*index)
                    && let Some(array) =
                        self.heap.value_at(&contents, slot.offset, &slot.descriptor)
                {
                    self.alternating(array);
                }
            }
        }
    }

    /// Names and values in turn.
    fn alternating(&mut self, array: Value) {
        let Some(array) = id_of(array) else { return };
        let Some(contents) = self.heap.contents(ObjectId(array)) else {
            return;
        };
        let length = self.heap.bytes_of(&contents).len() / 4;
        for index in (0..length.saturating_sub(1)).step_by(2) {
            let key = self.heap.value_at(&contents, 4 * index, "L");
            if let Some(rule) = key.and_then(|key| self.rule_by_key(key, 0)) {
                let place = format!("[{}]", index + 1);
                self.slot(array, &contents, 4 * (index + 1), "L", &place, rule);
            }
        }
    }

    /// The rule that fits what a key says: a text, or an object around one.
    fn rule_by_key(&mut self, key: Value, around: u8) -> Option<RuleIndex> {
        let contents = self.heap.contents(ObjectId(id_of(key)?))?;
        match contents.form {
            Form::Latin1 | Form::Utf16 => self.rule_by_text(&contents),
            Form::Fields if around > 0 => {
                let plan = self.plan(&contents)?;
                let text = plan
                    .slots
                    .iter()
                    .find(|slot| slot.descriptor == "Ljava/lang/String;")?;
                let text = self.heap.value_at(&contents, text.offset, "L")?;
                self.rule_by_key(text, around - 1)
            }
            _ => None,
        }
    }

    fn rule_by_text(&mut self, contents: &Contents) -> Option<RuleIndex> {
        let bytes = self.heap.bytes_of(contents);
        if bytes.len() > 2 * LONGEST_NAME {
            return None;
        }
        if let Some(filter) = &self.name_filter
            && !filter.is_match(text::narrow(contents.form, bytes).as_ref())
        {
            return None;
        }
        let units = text::units(contents.form, bytes);
        if let Some(known) = self.names.get(&units) {
            return *known;
        }
        let name = String::from_utf16_lossy(&units);
        let rule = self.treatment.rules.for_name(&name);
        self.names.insert(units, rule);
        rule
    }

    /// A slot whose value a rule is about.
    fn slot(
        &mut self,
        id: u32,
        contents: &Contents,
        offset: usize,
        descriptor: &str,
        place: &str,
        rule: RuleIndex,
    ) {
        let Some(value) = self.heap.value_at(contents, offset, descriptor) else {
            return;
        };
        if let Some((other, kind)) = self.replacement(value, rule) {
            self.heap.set_value(contents, offset, other);
            self.remark(id, place.to_owned(), rule, kind);
        }
    }

    /// What to put where the value stands, if it is to be another one; below a reference, things change in place.
    pub(crate) fn replacement(
        &mut self,
        value: Value,
        rule: RuleIndex,
    ) -> Option<(Value, RedactionKind)> {
        let Some(id) = id_of(value) else {
            let numbers = self.treatment.rule(rule).is_some_and(|rule| rule.numbers);
            return numbers.then(|| self.other_number(value, rule)).flatten();
        };
        let redacted = self.descend(id, rule, false);
        if redacted == Descended::Replaced {
            self.replaced.insert(id);
        }
        if !self.is_drop(rule) || self.replaced.contains(&id) {
            return None;
        }
        self.dropped = true;
        Some((Value::Null, RedactionKind::Drop))
    }

    fn other_number(&mut self, value: Value, rule: RuleIndex) -> Option<(Value, RedactionKind)> {
        let digits = digits_of(value);
        if digits.as_deref() == Some("0") || matches!(value, Value::Null) {
            return None;
        }
        let digits: Vec<u16> = digits.unwrap_or_default().encode_utf16().collect();
        let (shape, kind) = self.treatment.shape(&digits, rule);
        let other = replaced_number(value, shape, &self.treatment.salt);
        if other == value {
            return None;
        }
        if let (Some(from), Some(to)) = (whole_number(value), whole_number(other))
            && from.unsigned_abs() >= TELLING_NUMBER
        {
            self.numbers.entry(from).or_insert((to, rule, kind));
            let replacement: Vec<u16> = digits_of(other)
                .filter(|other| other.len() == digits.len())
                .unwrap_or_else(|| "0".repeat(digits.len()))
                .encode_utf16()
                .collect();
            self.needles.add(Needle {
                original: digits,
                replacement,
                rule,
                kind,
                by_value: false,
            });
        }
        Some((other, kind))
    }

    /// Whether a text of a sensitive name is one of those that the rule means.
    pub(crate) fn counts(&self, units: &[u16], rule: RuleIndex) -> bool {
        let text = String::from_utf16_lossy(units);
        match self.treatment.rule(rule).map(|rule| rule.when) {
            Some(When::Always) => true,
            Some(When::LooksRandom) => looks_random(&text),
            Some(When::NotAPath) => !text.starts_with('/'),
            None => false,
        }
    }

    /// Redacts what is below an object. `every_number`: those in fields of the program's objects, too.
    fn descend(&mut self, id: u32, rule: RuleIndex, every_number: bool) -> Descended {
        let Some((when, numbers)) = self
            .treatment
            .rule(rule)
            .map(|rule| (rule.when, rule.numbers))
        else {
            return Descended::AsRuled;
        };
        let mut outcome = Descended::AsRuled;
        let mut waiting = vec![Step {
            id,
            own_levels: 0,
            keys: false,
            in_number: false,
        }];
        while let Some(step) = waiting.pop() {
            let deeper = self.visited.get(&(rule, step.id));
            if deeper.is_some_and(|levels| *levels <= step.own_levels) {
                continue;
            }
            self.visited.insert((rule, step.id), step.own_levels);
            let Some(contents) = self.heap.contents(ObjectId(step.id)) else {
                continue;
            };
            match contents.form {
                Form::StandIn => {}
                Form::References => {
                    let ids = self.heap.bytes_of(&contents).chunks_exact(4);
                    waiting.extend(
                        ids.map(|id| u32::from_le_bytes(id.try_into().unwrap_or_default()))
                            .filter(|id| *id != 0)
                            .map(|id| Step { id, ..step }),
                    );
                }
                Form::Fields => {
                    let Some(plan) = self.plan(&contents) else {
                        continue;
                    };
                    let is_level = matches!(plan.nature, Nature::Other | Nature::Function);
                    let own_levels = step.own_levels + u8::from(is_level);
                    // An ambiguous name tells nothing of what is inside of an object.
                    let stops =
                        plan.nature == Nature::Function || when == When::LooksRandom && plan.is_own;
                    if stops || own_levels > OWN_LEVELS {
                        continue;
                    }
                    let keys = step.keys || plan.nature == Nature::Set;
                    for (index, slot) in plan.slots.iter().enumerate() {
                        let is_key = plan.entries.iter().any(|(key, _)| *key == index);
                        if slot.is_reference() {
                            let value = self.heap.value_at(&contents, slot.offset, "L");
                            if let Some(id) = value.and_then(id_of)
                                && (keys || !is_key || plan.is_own)
                            {
                                waiting.push(Step {
                                    id,
                                    own_levels,
                                    keys,
                                    in_number: plan.nature == Nature::BigNumber,
                                });
                            }
                            if slot.name == "stringCache" {
                                self.heap.set_value(&contents, slot.offset, Value::Null);
                            }
                        } else if plan.nature == Nature::BigNumber {
                            self.big_number(step.id, &contents, slot, rule);
                        } else if numbers
                            && (plan.nature == Nature::Number || every_number && plan.is_own)
                        {
                            let value =
                                self.heap.value_at(&contents, slot.offset, &slot.descriptor);
                            let other = value.and_then(|value| self.other_number(value, rule));
                            if let Some((other, kind)) = other {
                                self.heap.set_value(&contents, slot.offset, other);
                                self.remark(step.id, slot.name.clone(), rule, kind);
                                self.changed.insert(step.id);
                            }
                        }
                    }
                }
                form if text::is_text(form) => {
                    let done = self.whole_text(step.id, &contents, rule);
                    if done == Some(RedactionKind::Equivalent) {
                        outcome = Descended::Replaced;
                    }
                }
                Form::Primitives(kind) if numbers || step.in_number => {
                    self.elements(step.id, &contents, kind, rule);
                }
                _ => {}
            }
        }
        outcome
    }

    /// The digits of a `BigDecimal`, and what a `BigInteger` remembers of its own.
    fn big_number(&mut self, id: u32, contents: &Contents, slot: &PlannedSlot, rule: RuleIndex) {
        if slot.name.ends_with("PlusOne") || slot.name.ends_with("PlusTwo") {
            // Not computed yet.
            self.heap.set_value(contents, slot.offset, Value::Int(0));
        }
        let value = self.heap.value_at(contents, slot.offset, &slot.descriptor);
        // The smallest one says that the digits are elsewhere.
        if slot.name == "intCompact"
            && value != Some(Value::Long(i64::MIN))
            && let Some((other, kind)) = value.and_then(|value| self.other_number(value, rule))
        {
            self.heap.set_value(contents, slot.offset, other);
            self.remark(id, slot.name.clone(), rule, kind);
        }
    }

    /// Numbers in an array.
    fn elements(&mut self, id: u32, contents: &Contents, kind: u8, rule: RuleIndex) {
        let descriptor = char::from(kind).to_string();
        let width = match kind {
            b'J' | b'D' => 8,
            b'S' => 2,
            b'Z' => 1,
            _ => 4,
        };
        let bytes = self.heap.bytes_of(contents).len();
        let mut changed = None;
        for offset in (0..bytes).step_by(width) {
            let value = self.heap.value_at(contents, offset, &descriptor);
            if let Some((other, kind)) = value.and_then(|value| self.other_number(value, rule)) {
                self.heap.set_value(contents, offset, other);
                changed = Some(kind);
            }
        }
        if let Some(kind) = changed {
            self.remark(id, String::new(), rule, kind);
        }
    }

    fn whole_text(
        &mut self,
        id: u32,
        contents: &Contents,
        rule: RuleIndex,
    ) -> Option<RedactionKind> {
        let units = text::units(contents.form, self.heap.bytes_of(contents));
        // A buffer is longer than what is in it.
        let used = units.iter().rposition(|unit| *unit != 0)? + 1;
        let units = units.get(..used)?;
        if self.done.contains(&id) || !self.counts(units, rule) {
            return None;
        }
        let needle = self.treatment.needle(units, rule)?;
        let kind = needle.kind;
        let bytes = text::bytes(contents.form, &needle.replacement);
        self.heap.overwrite(contents, 0, &bytes);
        self.done.insert(id);
        self.changed.insert(id);
        self.remark(id, String::new(), rule, kind);
        if contents.form == Form::Primitives(b'B') {
            for other in text::other_readings(units) {
                self.needles.extend(self.treatment.needle(&other, rule));
            }
        }
        self.needles.add(needle);
        Some(kind)
    }
}

/// What came of a way down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Descended {
    AsRuled,
    /// Something has an equivalent, so that nothing needs to be taken out.
    Replaced,
}

/// The object of a reference.
pub(crate) fn id_of(value: Value) -> Option<u32> {
    match value {
        Value::Ref(ObjectId(id)) => Some(id),
        _ => None,
    }
}

pub(crate) fn whole_number(value: Value) -> Option<i64> {
    match value {
        Value::Int(v) => Some(i64::from(v)),
        Value::Long(v) => Some(v),
        _ => None,
    }
}
