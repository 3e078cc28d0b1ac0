//! The classes that a capture has to know: those of its frames, and those whose static fields are looked at.

use crate::agent::Agent;
use crate::hook;
use crate::jvm::Jni;
use jvmti_bindings::sys::jni::{jclass, jobject};
use jvmti_bindings::sys::jvmti::{
    JVMTI_CLASS_STATUS_ARRAY, JVMTI_CLASS_STATUS_ERROR, JVMTI_CLASS_STATUS_INITIALIZED,
    JVMTI_CLASS_STATUS_PRIMITIVE,
};
use std::collections::{HashMap, HashSet};
use std::ptr;

/// Classes of the program, found in one pass over all there are.
pub struct KnownClasses {
    /// As the names were given; null for those that are not there any more.
    pub of_sites: Vec<jobject>,
    pub initialised: Vec<jobject>,
    pub own: Vec<jobject>,
}

/// `fields` are `class.field`.
pub fn known_classes(
    agent: &Agent,
    jni: Jni,
    names: &[Option<String>],
    fields: &[String],
) -> KnownClasses {
    let unusable =
        JVMTI_CLASS_STATUS_ARRAY | JVMTI_CLASS_STATUS_PRIMITIVE | JVMTI_CLASS_STATUS_ERROR;
    let mut by_name: HashMap<&str, jclass> = names
        .iter()
        .flatten()
        .map(|name| (name.as_str(), ptr::null_mut()))
        .collect();
    let with_fields: HashSet<&str> = fields
        .iter()
        .filter_map(|field| Some(field.rsplit_once('.')?.0))
        .collect();
    let mut found = KnownClasses {
        of_sites: Vec::new(),
        initialised: Vec::new(),
        own: Vec::new(),
    };
    for class in hook::program_classes(agent, jni, |_| true) {
        let Some(name) = agent.jvmti.class_name(class) else {
            continue;
        };
        let name = name.replace('/', ".");
        if let Some(slot) = by_name.get_mut(name.as_str()) {
            *slot = class;
        }
        let status = agent.jvmti.class_status(class);
        if status & JVMTI_CLASS_STATUS_INITIALIZED != 0 && status & unusable == 0 {
            found.initialised.push(class);
            if with_fields.contains(name.as_str()) || agent.own.owns(&name) {
                found.own.push(class);
            }
        }
    }
    let of_site = |name: &Option<String>| by_name.get(name.as_deref()?).copied();
    found.of_sites = names
        .iter()
        .map(|name| of_site(name).unwrap_or(ptr::null_mut()))
        .collect();
    found
}
