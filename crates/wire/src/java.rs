//! The Java side of the formats, as sources.

use crate::heap::{self, StandInReason, class_kind, tag};
use crate::plan;
use std::fmt::Write as _;

/// A class to compile: its path below the folder of sources, and its text.
pub type Source = (String, String);

/// The classes of the runtime inside `java.lang`, each in the room that it is compiled with.
pub fn runtime() -> Vec<Source> {
    vec![heap_tags(), plan_format()]
}

fn heap_tags() -> Source {
    let mut class = Constants::new(
        "base",
        "$RecrashTag",
        "The numbers in the heap part of a snapshot.",
    );
    class.int("HEADER", heap::HEADER as i32);
    class.int("MAGIC", i32::from_le_bytes(heap::MAGIC));
    class.int("VERSION", heap::VERSION as i32);
    class.int("HAS_HASH", heap::HAS_HASH.into());
    for (name, code) in tag::ALL {
        class.byte(name, *code);
    }
    for (name, code) in class_kind::ALL {
        class.byte(&format!("{name}_CLASS"), *code);
    }
    for (name, code) in StandInReason::NAMES {
        class.int(name, (*code).into());
    }
    class.source()
}

fn plan_format() -> Source {
    let mut class = Constants::new(
        "restore",
        "$RecrashPlanFormat",
        "How a restore plan begins.",
    );
    class.int("MAGIC", i32::from_le_bytes(plan::MAGIC));
    class.int("VERSION", plan::VERSION as i32);
    class.source()
}

/// A class of constants in `java.lang`.
struct Constants {
    room: &'static str,
    name: &'static str,
    text: String,
}

impl Constants {
    fn new(room: &'static str, name: &'static str, about: &str) -> Self {
        let text = format!(
            "{}/** {about} */\nfinal class {name} {{\n",
            header("java.lang")
        );
        Self { room, name, text }
    }

    fn int(&mut self, name: &str, value: i32) {
        let _ = writeln!(self.text, "    static final int {name} = {value};");
    }

    fn byte(&mut self, name: &str, value: u8) {
        let _ = writeln!(self.text, "    static final byte {name} = {value};");
    }

    fn source(mut self) -> Source {
        let _ = write!(self.text, "\n    private {}() {{}}\n}}\n", self.name);
        let path = format!("{}/java/lang/{}.java", self.room, self.name);
        (path, self.text)
    }
}

fn header(package: &str) -> String {
    format!(
        "package {package};\n\n// Written by the build from the declarations of crates/wire.\n\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_have_the_values_that_rust_has() {
        let (path, text) = heap_tags();
        assert_eq!(path, "base/java/lang/$RecrashTag.java");
        for line in [
            "static final byte CUT = 11;",
            "static final byte OPAQUE_CLASS = 4;",
            "static final int JVM_INTERNAL = 16;",
            "static final int HAS_HASH = 128;",
        ] {
            assert!(text.contains(line), "{line}\n{text}");
        }
    }
}
