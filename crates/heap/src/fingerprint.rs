//! When two failures are the same: a fingerprint of what was seen of a failure, and a key that a printed trace has, too.

use crate::manifest::{Manifest, TraceElement};
use recrash_trace::{CAPTURE_POINT, Failed, FailureKey};
use xxhash_rust::xxh3::xxh3_64;

/// An exception of a failure, and the way it took.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unwound<'a> {
    pub class: &'a str,
    pub message: Option<&'a str>,
    pub way: Way<'a>,
}

/// Where an exception came by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Way<'a> {
    /// Its stack trace; frames of the JDK do not count.
    Trace(&'a [TraceElement]),
    /// The frames it has left, each as class and method: of a failure that something caught, all that has to do with it.
    Left(Vec<(String, String)>),
}

/// The types of the chain (of capture points, the label, too) and the program's own frames, without lines: small edits keep the
/// fingerprint. Outermost first.
pub fn fingerprint<'a>(chain: impl IntoIterator<Item = Unwound<'a>>) -> u64 {
    let mut parts: Vec<String> = Vec::new();
    for unwound in chain {
        parts.push(unwound.class.to_owned());
        if unwound.class == CAPTURE_POINT {
            parts.extend(unwound.message.map(str::to_owned));
        }
        let mut methods = unwound.way.methods();
        // A stack overflow is the same at every depth.
        methods.dedup();
        parts.append(&mut methods);
    }
    xxh3_64(parts.join("\n").as_bytes())
}

impl Way<'_> {
    fn methods(&self) -> Vec<String> {
        match self {
            Way::Left(frames) => frames
                .iter()
                .map(|(class, method)| format!("{class}.{method}"))
                .collect(),
            Way::Trace(trace) => trace
                .iter()
                .filter(|element| is_of_program(element))
                .map(|element| format!("{}.{}", stable(&element.class), element.method))
                .collect(),
        }
    }
}

impl Manifest {
    /// What a printed trace of the same failure has, too ([`recrash_trace::Trace::key`]).
    pub fn key(&self) -> FailureKey {
        FailureKey::of(self.throwables.iter().map(|thrown| {
            let trace = thrown.trace.iter();
            Failed {
                class: &thrown.class,
                message: thrown.message.as_deref(),
                frames: trace
                    .map(|element| (element.class.as_str(), element.method.as_str()))
                    .collect(),
            }
        }))
    }
}

/// Hidden classes carry an address in their names.
fn stable(class: &str) -> &str {
    class.split_once('/').map_or(class, |(stable, _)| stable)
}

fn is_of_program(element: &TraceElement) -> bool {
    let in_jdk_module = element
        .module
        .as_deref()
        .is_some_and(|module| module.starts_with("java.") || module.starts_with("jdk."));
    !in_jdk_module
        && !element.class.starts_with("java.")
        && !element.class.starts_with("jdk.internal.")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(trace: &[(&str, &str, i32)]) -> u64 {
        let element = |&(class, method, line): &(&str, &str, i32)| TraceElement {
            class: class.to_owned(),
            method: method.to_owned(),
            file: None,
            line,
            module: class.starts_with("java.").then(|| "java.base".to_owned()),
        };
        let trace: Vec<TraceElement> = trace.iter().map(element).collect();
        fingerprint([Unwound {
            class: "java.lang.Error",
            message: None,
            way: Way::Trace(&trace),
        }])
    }

    #[test]
    fn lines_and_jdk_frames_do_not_count() {
        assert_eq!(
            of(&[
                ("java.util.List", "get", 1),
                ("A", "f", 2),
                ("A", "main", 3)
            ]),
            of(&[("A", "f", 20), ("A", "main", 30)])
        );
        assert_ne!(
            of(&[("A", "f", 2), ("A", "main", 3)]),
            of(&[("A", "g", 2), ("A", "main", 3)])
        );
    }

    #[test]
    fn the_depth_of_a_recursion_and_the_address_of_a_hidden_class_do_not_count() {
        assert_eq!(
            of(&[
                ("A", "f", 2),
                ("A", "f", 2),
                ("A$$Lambda/0x12", "run", 1),
                ("A", "main", 3)
            ]),
            of(&[
                ("A", "f", 2),
                ("A$$Lambda/0x99", "run", 1),
                ("A", "main", 3)
            ])
        );
    }

    #[test]
    fn a_fingerprint_stays_what_it_was_in_files_of_before() {
        let one = of(&[("A", "f", 2), ("A", "main", 3)]);
        assert_eq!(one, xxh3_64(b"java.lang.Error\nA.f\nA.main"));
    }
}
