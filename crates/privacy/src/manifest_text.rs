//! The manifest's own values and texts: arguments, static fields, messages, properties, what the command line said.

use crate::copies::{Needle, Search};
use crate::descent::Work;
use crate::notes::ProgramNotes;
use crate::rules::RuleIndex;
use recrash_heap::manifest::RedactionKind;
use recrash_heap::{Manifest, Value};

impl Work<'_> {
    /// Arguments, static fields and patches by their names and annotations.
    pub(crate) fn manifest_values(&mut self, manifest: &mut Manifest, program: &ProgramNotes) {
        let rules = &self.treatment.rules;
        for (number, frame) in manifest.frames.iter_mut().enumerate() {
            let Some(captured) = &mut frame.captured else {
                continue;
            };
            let annotated = program.get(&frame.element.class);
            let annotated = annotated.map_or(&[][..], |annotated| &annotated.parameters);
            for (index, argument) in captured.arguments.iter_mut().enumerate() {
                let named = argument.name.as_deref();
                let by_name = named.and_then(|name| rules.for_name(name));
                let by_annotation = annotated
                    .iter()
                    .filter(|(method, descriptor, parameter, _)| {
                        *method == frame.element.method
                            && *descriptor == captured.descriptor
                            && *parameter == index
                    })
                    .filter_map(|(_, _, _, annotation)| rules.for_annotation(annotation));
                let name = named.map_or_else(|| format!("[{index}]"), |name| format!(".{name}"));
                if let Some(rule) = by_name.into_iter().chain(by_annotation).min() {
                    self.manifest_value(
                        format!("frames[{number}]{name}"),
                        &mut argument.value,
                        rule,
                    );
                }
            }
            for patch in &mut captured.patches {
                if let Some(rule) = self.rule_of_field(&patch.class, &patch.field, program) {
                    let place = format!("frames[{number}].patches.{}", patch.field);
                    self.manifest_value(place, &mut patch.value, rule);
                }
            }
        }
        for field in &mut manifest.statics {
            if let Some(rule) = self.rule_of_field(&field.class, &field.field, program) {
                let place = format!("{}.{}", field.class, field.field);
                self.manifest_value(place, &mut field.value, rule);
            }
        }
    }

    fn rule_of_field(&self, class: &str, field: &str, program: &ProgramNotes) -> Option<RuleIndex> {
        let rules = &self.treatment.rules;
        let annotated = program.get(class);
        let by_annotation = annotated
            .iter()
            .flat_map(|annotated| &annotated.fields)
            .filter(|(name, _)| name == field)
            .filter_map(|(_, annotation)| rules.for_annotation(annotation));
        by_annotation.chain(rules.for_name(field)).min()
    }

    fn manifest_value(&mut self, place: String, value: &mut Value, rule: RuleIndex) {
        if let Some((other, kind)) = self.replacement(*value, rule) {
            *value = other;
            self.remark_manifest(place, rule, kind);
        }
    }

    fn remark_manifest(&mut self, place: String, rule: RuleIndex, kind: RedactionKind) {
        if let Some(rule) = self.treatment.rule(rule) {
            self.remarks.add(0, place, rule, kind);
        }
    }

    fn found(&mut self, place: &str, needle: Needle) {
        self.remark_manifest(place.to_owned(), needle.rule, needle.kind);
        self.needles.add(needle);
    }
}

/// Every value that stands in the manifest itself, with its place.
pub(crate) fn each_value(manifest: &mut Manifest, mut visit: impl FnMut(String, &mut Value)) {
    for (number, frame) in manifest.frames.iter_mut().enumerate() {
        let Some(captured) = &mut frame.captured else {
            continue;
        };
        visit(format!("frames[{number}].this"), &mut captured.receiver);
        for (index, argument) in captured.arguments.iter_mut().enumerate() {
            visit(format!("frames[{number}][{index}]"), &mut argument.value);
        }
        for patch in &mut captured.patches {
            let place = format!("frames[{number}].patches.{}", patch.field);
            visit(place, &mut patch.value);
        }
    }
    for field in &mut manifest.statics {
        visit(format!("{}.{}", field.class, field.field), &mut field.value);
    }
    for local in &mut manifest.thread_locals {
        visit("thread local".to_owned(), &mut local.value);
    }
}

/// Every text of the manifest that is not a name of the program's code or a path to it. What goes by a name comes with it.
fn each_text(manifest: &mut Manifest, mut visit: impl FnMut(&str, Option<&str>, &mut String)) {
    for thrown in &mut manifest.throwables {
        if let Some(message) = &mut thrown.message {
            visit("message", None, message);
        }
    }
    visit("thread", None, &mut manifest.thread.name);
    if let Some(label) = &mut manifest.label {
        visit("label", None, label);
    }
    let environment = &mut manifest.environment;
    for argument in &mut environment.jvm_arguments {
        visit("jvm argument", None, argument);
    }
    for (name, value) in &mut environment.system_properties {
        if !is_path(name) {
            let place = format!("system property {name}");
            visit(&place, Some(name), value);
        }
    }
}

/// Without these the classes are not found.
fn is_path(property: &str) -> bool {
    let (_, last) = property.rsplit_once('.').unwrap_or_default();
    last == "path" || ["java.home", "user.dir", "user.home", "java.io.tmpdir"].contains(&property)
}

/// What is sensitive by the name of a property or an option, and by what it looks like.
pub(crate) fn names_and_patterns(work: &mut Work<'_>, manifest: &mut Manifest) {
    each_text(manifest, |place, name, text| {
        // `-Ddb.password=…`, `--db.password=…`
        let (option, value) = match (name, text.split_once('=')) {
            (Some(name), _) => (name.to_owned(), text.clone()),
            (None, Some((option, value))) if option.starts_with('-') => {
                (option.trim_start_matches("-D").to_owned(), value.to_owned())
            }
            _ => (String::new(), String::new()),
        };
        let units: Vec<u16> = value.encode_utf16().collect();
        if let Some(rule) = work.treatment.rules.for_name(&option)
            && work.counts(&units, rule)
            && let Some(needle) = work.treatment.needle(&units, rule)
        {
            let kept = text.len() - value.len();
            text.truncate(kept);
            text.push_str(&String::from_utf16_lossy(&needle.replacement));
            work.found(place, needle);
            return;
        }
        let units: Vec<u16> = text.encode_utf16().collect();
        let (without, needles) = work.treatment.without_patterns(&units);
        if !needles.is_empty() {
            *text = String::from_utf16_lossy(&without);
        }
        for (needle, _) in needles {
            work.found(place, needle);
        }
    });
}

pub(crate) fn copies(work: &mut Work<'_>, manifest: &mut Manifest, search: &Search<'_>) {
    each_text(manifest, |place, _, text| {
        if let Some((without, needles)) = search.without(text) {
            *text = without;
            for needle in needles {
                work.remark_manifest(place.to_owned(), needle.rule, needle.kind);
            }
        }
    });
}
