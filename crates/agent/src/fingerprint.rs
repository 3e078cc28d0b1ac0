//! When two failures are the same.

use crate::description::{Description, Thrown};
use crate::frames::Names;
use crate::kinds::Kind;
use recrash_heap::manifest::{CAPTURE_POINT, TraceElement};
use xxhash_rust::xxh3::xxh3_64;

/// The types of the chain (of capture points, the label, too) and the program's own frames, without lines: small edits keep the fingerprint.
///
/// Of a failure that something caught only the frames it has left: who called the catcher has nothing to do with it.
pub fn fingerprint(description: &Description, names: &impl Names) -> u64 {
    let was_caught = matches!(
        description.recognised.kind,
        Some(Kind::Logged | Kind::Futures | Kind::Web | Kind::Tests)
    );
    let mut parts: Vec<String> = Vec::new();
    for thrown in &description.throwables {
        parts.push(thrown.class.clone());
        if thrown.class == CAPTURE_POINT {
            parts.extend(thrown.message.clone());
        }
        let mut methods = methods(thrown, names, was_caught);
        // A stack overflow is the same at every depth.
        methods.dedup();
        parts.append(&mut methods);
    }
    xxh3_64(parts.join("\n").as_bytes())
}

fn methods(thrown: &Thrown, names: &impl Names, only_recorded: bool) -> Vec<String> {
    if only_recorded || thrown.trace.is_empty() {
        let recorded = thrown.recorded.iter().filter_map(|&site| names.name(site));
        return recorded
            .map(|name| format!("{}.{}", name.class, name.method))
            .collect();
    }
    let of_program = thrown.trace.iter().filter(|element| is_of_program(element));
    of_program
        .map(|element| format!("{}.{}", stable(&element.class), element.method))
        .collect()
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
    use crate::description::Recognised;
    use crate::frames::MethodName;
    use recrash_heap::manifest::ThreadInfo;

    struct NoNames;

    impl Names for NoNames {
        fn name(&self, _: u32) -> Option<MethodName> {
            None
        }
    }

    fn of(trace: &[(&str, &str, i32)]) -> u64 {
        let element = |&(class, method, line): &(&str, &str, i32)| TraceElement {
            class: class.to_owned(),
            method: method.to_owned(),
            file: None,
            line,
            module: class.starts_with("java.").then(|| "java.base".to_owned()),
        };
        let thrown = Thrown {
            class: "java.lang.Error".to_owned(),
            message: None,
            trace: trace.iter().map(element).collect(),
            total: 0,
            recorded: Vec::new(),
            constructors: Vec::new(),
        };
        let thread = ThreadInfo {
            name: String::new(),
            id: 1,
            daemon: false,
            is_virtual: false,
        };
        fingerprint(
            &Description {
                recognised: Recognised::default(),
                thread,
                throwables: vec![thrown],
            },
            &NoNames,
        )
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
}
