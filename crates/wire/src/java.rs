//! The Java side of the formats, as sources.

mod messages;
mod reports;

use crate::frame::Kind;
use crate::heap::{self, StandInReason, class_kind, tag};
use crate::record::{Java, Shape, Wire};
use crate::{compiler, plan, recording, report, retrace, synth, worker};
use std::fmt::Write as _;

/// A class to compile: its path below the folder of sources, and its text.
pub type Source = (String, String);

/// The classes of the runtime inside `java.lang`, each in the room that it is compiled with.
pub fn runtime() -> Vec<Source> {
    vec![
        heap_tags(),
        plan_format(),
        failure_kinds(),
        value_kinds(),
        recording_tags(),
        reports::writers(),
    ]
}

/// The classes of package `recrash.wire`, which the jar of the worker has.
pub fn worker() -> Vec<Source> {
    let mut numbers = vec![("VERSION", worker::VERSION as i32)];
    numbers.extend(worker::LOADERS.map(|(name, code)| (name, code.into())));
    let mut sources = vec![messages::numbers(
        "Worker",
        "The numbers in messages of the worker.",
        &numbers,
    )];
    let records = [
        worker::Request::JAVA,
        worker::Subject::JAVA,
        worker::Surroundings::JAVA,
        worker::Property::JAVA,
        worker::TraceLine::JAVA,
        worker::Thrown::JAVA,
    ];
    sources.extend(records.into_iter().filter_map(shape).map(messages::record));
    sources.push(messages::written(
        "Answer",
        " The messages of the worker.",
        worker::Answer::ALTERNATIVES,
    ));
    sources.extend(compilers());
    sources.extend(programs());
    sources.extend(retraced());
    sources
}

/// Those of the JVM that keeps a compiler warm.
fn compilers() -> Vec<Source> {
    let mut sources = vec![messages::numbers(
        "Compilers",
        "The numbers in messages of the compiler.",
        &[("VERSION", compiler::VERSION as i32)],
    )];
    let records = [compiler::Compile::JAVA, compiler::Compiled::JAVA];
    sources.extend(records.into_iter().filter_map(shape).map(messages::record));
    sources
}

/// Those of the JVM that retraces a run, which is in the same jar.
fn retraced() -> Vec<Source> {
    let about = "The numbers in messages of the JVM that retraces a run.";
    vec![
        messages::numbers(
            "RetraceNumbers",
            about,
            &[("VERSION", retrace::VERSION as i32)],
        ),
        messages::read(
            "Retrace",
            " What the JVM is told.",
            retrace::Retrace::ALTERNATIVES,
        ),
        messages::written(
            "Retraced",
            " What became of it.",
            retrace::Retraced::ALTERNATIVES,
        ),
        messages::written(
            "Operand",
            " Values and objects.",
            retrace::Operand::ALTERNATIVES,
        ),
        messages::written(
            "Origin",
            " Where values are from.",
            retrace::Origin::ALTERNATIVES,
        ),
    ]
}

/// Those of the JVM that runs programs, which is in the same jar.
fn programs() -> Vec<Source> {
    let mut numbers = vec![("VERSION", synth::VERSION as i32)];
    numbers.extend(synth::MEMBERS.map(|(name, code)| (name, code.into())));
    let about = "The numbers in messages of the JVM that runs programs.";
    let mut sources = vec![messages::numbers("Programs", about, &numbers)];
    let records = [
        synth::Greeting::JAVA,
        synth::Prepared::JAVA,
        synth::Progress::JAVA,
        synth::Line::JAVA,
    ];
    sources.extend(records.into_iter().filter_map(shape).map(messages::record));
    sources.push(messages::read(
        "Command",
        " What the JVM is told.",
        synth::Command::ALTERNATIVES,
    ));
    sources.push(messages::read(
        "Statement",
        " The statements of a program.",
        synth::Statement::ALTERNATIVES,
    ));
    sources.push(messages::written(
        "Ran",
        " What became of a program.",
        synth::Ran::ALTERNATIVES,
    ));
    sources
}

fn shape(java: Java) -> Option<&'static Shape> {
    match java {
        Java::Record(shape) => Some(shape),
        _ => None,
    }
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

fn failure_kinds() -> Source {
    let about = "The kinds of failures, by where they are recognised.";
    let mut class = Constants::new("base", "$RecrashFailureKind", about);
    for (name, bit) in report::KINDS {
        class.int(name, *bit as i32);
    }
    class.source()
}

fn value_kinds() -> Source {
    let about = "The kinds of values in the layout of a frame, as the agent tells them.";
    let mut class = Constants::new("base", "$RecrashValueKind", about);
    for (name, letter) in Kind::NAMES {
        class.character(name, *letter);
    }
    class.source()
}

fn recording_tags() -> Source {
    let about = "The numbers in the log of a failing run.";
    let mut class = Constants::new("base", "$RecrashLogTag", about);
    for (prefix, all) in recording::FAMILIES {
        for (name, code) in *all {
            class.int(&format!("{prefix}_{name}"), (*code).into());
        }
    }
    class.int("SMALL_ZERO", recording::SMALL_ZERO.into());
    class.int("SMALLEST", recording::SMALLEST.into());
    class.int("LARGEST", recording::LARGEST.into());
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

    fn character(&mut self, name: &str, value: char) {
        let _ = writeln!(self.text, "    static final char {name} = '{value}';");
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
