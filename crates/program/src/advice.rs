//! What the effects of a program advise those who watch it to keep when methods are entered.

use std::collections::BTreeMap;

use recrash_advice::{Advice, MethodAdvice, Step, Way};
use recrash_classfile::{Parameters, text};

use crate::effects::{AccessPath, Effects, MethodName, SlotName, View};
use crate::error::{Error, Result};
use crate::ids::ClassId;
use crate::program::Program;

/// More than a method ever keeps.
const MOST_WAYS: usize = 8;

/// The content of the file, for what was analysed under this key.
pub(crate) fn advice(program: &Program, effects: &Effects, key: u64) -> Result<Vec<u8>> {
    let mut classes: BTreeMap<&str, Vec<MethodAdvice>> = BTreeMap::new();
    for (name, view) in effects.methods().filter(|(_, view)| view.of_application()) {
        let ways = ways(program, effects, name, view);
        if !ways.is_empty() {
            classes.entry(&name.class).or_default().push(MethodAdvice {
                name: name.name.clone(),
                descriptor: name.descriptor.clone(),
                ways,
            });
        }
    }
    let known = classes
        .into_iter()
        .filter_map(|(class, methods)| Some((program.find(class)?.hash(), methods)));
    let advice = Advice::new(key, known).and_then(|advice| advice.encode());
    advice.map_err(Error::Encode)
}

/// The shortest first: what is near is what the method deals with.
fn ways(program: &Program, effects: &Effects, name: &MethodName, view: View<'_>) -> Vec<Way> {
    let paths = view.access_paths().iter();
    let mut ways: Vec<Way> = paths
        .filter(|path| path.before_throw)
        .filter_map(|path| way(program, effects, name, view, path))
        .collect();
    ways.sort_by_key(|way| way.fields.len());
    ways.truncate(MOST_WAYS);
    ways
}

/// `None` where a field on the way is not one of the declared type: the object may have none.
fn way(
    program: &Program,
    effects: &Effects,
    name: &MethodName,
    view: View<'_>,
    path: &AccessPath,
) -> Option<Way> {
    let mut object = input(program, name, view, path.parameter);
    let mut fields = Vec::with_capacity(path.through.len() + 1);
    for &slot in path.through.iter().chain([&path.slot]) {
        let SlotName::Field {
            class,
            name,
            descriptor,
            is_static: false,
            // Half of the fields of a collection are worse than none.
            of_jdk: false,
        } = effects.slot(slot)
        else {
            return None;
        };
        let declared = object?;
        let selector = program.selector_id(name.as_bytes(), descriptor.as_bytes());
        let found = program.hierarchy().resolve_field(declared, selector)?;
        if *program.class_name(found.class) != *class.as_bytes() {
            return None;
        }
        object = class_of(program, descriptor.as_bytes());
        fields.push(Step {
            class: text(&program.class_name(declared)),
            name: name.clone(),
            descriptor: descriptor.clone(),
        });
    }
    Some(Way {
        input: path.parameter,
        fields,
    })
}

/// The class that an input is declared with.
fn input(program: &Program, name: &MethodName, view: View<'_>, parameter: u16) -> Option<ClassId> {
    let declared = Parameters::of(name.descriptor.as_bytes());
    let has_receiver = usize::from(view.parameters()) > declared.count();
    let Some(place) = parameter.checked_sub(u16::from(has_receiver)) else {
        return Some(program.class_id(name.class.as_bytes()));
    };
    let parameter = Parameters::of(name.descriptor.as_bytes()).nth(usize::from(place))?;
    class_of(program, parameter.ok()?.descriptor)
}

fn class_of(program: &Program, descriptor: &[u8]) -> Option<ClassId> {
    let name = descriptor.strip_prefix(b"L")?.strip_suffix(b";")?;
    Some(program.class_id(name))
}
