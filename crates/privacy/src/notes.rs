//! What class files say that snapshots do not: annotations that rules name, and the names of what lambdas captured.

use crate::Rules;
use aho_corasick::AhoCorasick;
use memchr::memmem::{Finder, find};
use recrash_classfile::{
    Budget, ClassFile, Member, Parameters, access, dotted, is_of_jdk, local_variables_from,
    read_entries, text,
};
use recrash_heap::{Heap, Manifest};
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// What matters of one class. Annotations by their names with dots.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ClassNotes {
    /// Annotations of the class itself.
    pub class: Vec<String>,
    /// Field and annotation.
    pub fields: Vec<(String, String)>,
    /// Method, its descriptor, which parameter, and the annotation.
    pub parameters: Vec<(String, String, usize, String)>,
    /// Bodies of lambdas with the names of their parameters, the first of which are captured variables.
    pub lambdas: Vec<(String, String, Vec<String>)>,
}

/// The notes on the classes of a program, by their names with dots.
pub type ProgramNotes = HashMap<String, ClassNotes>;

/// Looks for them. Every class that is loaded passes here: of most it is seen that they have none without reading them.
#[derive(Debug, Clone, Default)]
pub struct Notes {
    annotations: Vec<Finder<'static>>,
    /// Words of which one is in every sensitive name, but not the commonest of them.
    names: Option<AhoCorasick>,
}

/// How compilers begin the names of lambdas' bodies.
const LAMBDA: &[u8] = b"lambda$";

/// Last words of sensitive names that are in nearly every class.
const COMMON: [&str; 6] = ["id", "code", "string", "header", "number", "security"];

impl Notes {
    pub fn of(rules: &Rules) -> Self {
        let descriptor = |name: &str| format!("L{};", name.replace('.', "/"));
        let finder = |name| Finder::new(descriptor(name).as_bytes()).into_owned();
        let words = rules.last_words().map(|words| {
            let telling = words.iter().filter(|word| !COMMON.contains(&word.as_str()));
            telling.collect::<Vec<_>>()
        });
        // Where a rule fits any name, so does every class: an empty word is everywhere.
        let words = words.unwrap_or_default();
        let names = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .build(words);
        Self {
            annotations: rules.annotations().map(finder).collect(),
            names: names.ok(),
        }
    }

    /// What a class file says; `None` where that is nothing, or it cannot be read.
    pub fn read(&self, file: &[u8]) -> Option<ClassNotes> {
        let annotations: Vec<&[u8]> = self
            .annotations
            .iter()
            .filter(|finder| finder.find(file).is_some())
            .map(Finder::needle)
            .collect();
        let lambdas = self.names.as_ref().is_some_and(|names| {
            find(file, LAMBDA).is_some() && (names.patterns_len() == 0 || names.is_match(file))
        });
        if annotations.is_empty() && !lambdas {
            return None;
        }
        ClassNotes::of(file, &annotations, lambdas)
    }

    /// What the class files of a snapshot say that are found on a class path. Places that cannot be read have none.
    pub fn on_class_path<'p>(
        &self,
        class_path: impl Iterator<Item = &'p Path>,
        manifest: &Manifest,
        heap: &Heap,
    ) -> ProgramNotes {
        let frames = manifest.frames.iter().filter(|f| f.captured.is_some());
        let statics = manifest.statics.iter();
        let wanted: HashSet<String> = heap
            .classes()
            .iter()
            .map(|class| class.name.split("$$Lambda").next().unwrap_or_default())
            .chain(frames.map(|frame| frame.element.class.as_str()))
            .chain(statics.map(|field| field.class.as_str()))
            .filter(|class| is_own(class))
            .map(|class| format!("{}.class", class.replace('.', "/")))
            .collect();
        let mut found = HashMap::new();
        for entry in class_path {
            let classes = read_entries(entry, Budget::default(), |name| wanted.contains(name));
            for class in classes.unwrap_or_default() {
                if let Some(notes) = self.read(&class.bytes) {
                    let name = class.name.trim_end_matches(".class").replace('/', ".");
                    found.entry(name).or_insert(notes);
                }
            }
        }
        found
    }
}

/// Whether a class is one of the program or its libraries: those of the JDK have nothing to note.
pub(crate) fn is_own(class: &str) -> bool {
    !class.starts_with('[') && !is_of_jdk(class)
}

impl ClassNotes {
    fn of(file: &[u8], wanted: &[&[u8]], lambdas: bool) -> Option<Self> {
        let class = ClassFile::read(file).ok()?;
        let known = |types: Vec<&[u8]>| -> Vec<String> {
            types
                .into_iter()
                .filter(|found| wanted.contains(found))
                .map(|descriptor| {
                    let name = dotted(descriptor);
                    name.trim_start_matches('L')
                        .trim_end_matches(';')
                        .to_owned()
                })
                .collect()
        };
        let mut notes = Self {
            class: known(class.annotations(&class.attributes).unwrap_or_default()),
            ..Self::default()
        };
        for field in &class.fields {
            for annotation in known(class.annotations(&field.attributes).unwrap_or_default()) {
                notes.fields.push((text(field.name), annotation));
            }
        }
        for (name, types) in class.record_annotations().unwrap_or_default() {
            for annotation in known(types) {
                let field = (text(name), annotation);
                if !notes.fields.contains(&field) {
                    notes.fields.push(field);
                }
            }
        }
        for method in &class.methods {
            let listed = class.parameter_annotations(&method.attributes);
            let listed = listed.unwrap_or_default();
            let parameters = Parameters::of(method.descriptor).count();
            let added = parameters.saturating_sub(listed.len());
            for (index, types) in listed.into_iter().enumerate() {
                for annotation in known(types) {
                    notes.parameters.push((
                        text(method.name),
                        text(method.descriptor),
                        added + index,
                        annotation,
                    ));
                }
            }
            if lambdas && method.name.starts_with(LAMBDA) {
                notes.lambdas.extend(names_of(&class, method));
            }
        }
        (notes != Self::default()).then_some(notes)
    }
}

/// The names of a method's parameters; an empty one where the class file has none.
fn names_of(class: &ClassFile<'_>, method: &Member<'_>) -> Option<(String, String, Vec<String>)> {
    let code = class.code(method).ok()??;
    let table = code.attributes.find(&class.pool, b"LocalVariableTable");
    let table = table.ok()??;
    let mut slot = u16::from(!method.is(access::STATIC));
    let mut names = Vec::new();
    for parameter in Parameters::of(method.descriptor) {
        let mut variables = local_variables_from(0, &table);
        let variable = variables.find(|variable| variable.local == slot);
        let name = variable.and_then(|variable| class.pool.utf8(variable.name).ok());
        names.push(name.map(text).unwrap_or_default());
        slot += parameter.ok()?.kind().slots();
    }
    Some((text(method.name), text(method.descriptor), names))
}
