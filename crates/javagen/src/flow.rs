//! Where a value came from that a call was made with: the parameters, and the fields on the way, that the code of a stack's
//! frames hands down to it. Read from the code, so only what data flow supports is told.

use recrash_classfile::{ClassFile, Code, access, text};
use recrash_heap::manifest::{CapturedFrame, FrameInfo, Manifest};
use recrash_program::{InvokeKind, Op, Program, Ssa, ValueId};
use std::collections::HashSet;

/// A value that a frame was entered with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Source {
    /// Counted from 0, the receiver included.
    pub(crate) parameter: usize,
    /// The fields that lead on from there.
    pub(crate) fields: Vec<String>,
    /// Methods of strings made another text of it on the way.
    pub(crate) changed: bool,
}

/// More sources than this explain nothing.
const MOST_SOURCES: usize = 32;

/// The sources, in `frame`, of the text that a method of the JDK was called with by the innermost frame of the program.
/// Empty where the way down leads through code that is not known, as through a callback.
pub(crate) fn sources_of_text(program: &Program, manifest: &Manifest, frame: usize) -> Vec<Source> {
    let root = manifest.throwables.len().checked_sub(1);
    let frames = manifest.frames.get(..=frame);
    root.zip(frames)
        .and_then(|(root, frames)| trace(program, frames, root))
        .unwrap_or_default()
}

/// Through `frames`, all of which the throwable of the number `root` has left, to the last of them.
fn trace(program: &Program, frames: &[FrameInfo], root: usize) -> Option<Vec<Source>> {
    let innermost = frames.iter().position(|info| info.captured.is_some())?;
    let callee = frames.get(innermost.checked_sub(1)?)?;
    let is_text = |ssa: &Ssa, value: ValueId| is_string(program, ssa, value);
    let mut known = inner_sources(program, frames.get(innermost)?, callee, is_text)?;
    for pair in frames.get(innermost..)?.windows(2) {
        let [inner, outer] = pair else { break };
        if outer.throwable as usize != root {
            return None;
        }
        known = outer_sources(program, inner, outer, &known)?;
    }
    Some(known)
}

fn inner_sources(
    program: &Program,
    frame: &FrameInfo,
    callee: &FrameInfo,
    wanted: impl Fn(&Ssa, ValueId) -> bool,
) -> Option<Vec<Source>> {
    let calls = Calls::of(program, frame, callee)?;
    let mut found = Vec::new();
    for arguments in &calls.made {
        for argument in arguments.iter().filter(|value| wanted(&calls.ssa, **value)) {
            calls.follow(program, *argument, &mut found);
        }
    }
    Some(found)
}

/// What the caller's own values are behind those that the frame inside it was entered with.
fn outer_sources(
    program: &Program,
    inner: &FrameInfo,
    outer: &FrameInfo,
    known: &[Source],
) -> Option<Vec<Source>> {
    let calls = Calls::of(program, outer, inner)?;
    let mut found: Vec<Source> = Vec::new();
    for arguments in &calls.made {
        for source in known {
            let mut of_argument = Vec::new();
            if let Some(value) = arguments.get(source.parameter) {
                calls.follow(program, *value, &mut of_argument);
            }
            for mut before in of_argument {
                if before.changed && !source.fields.is_empty() {
                    continue;
                }
                before.fields.extend(source.fields.iter().cloned());
                before.changed |= source.changed;
                if !found.contains(&before) && found.len() < MOST_SOURCES {
                    found.push(before);
                }
            }
        }
    }
    Some(found)
}

/// The calls of a method on the line that the frame stood on.
struct Calls {
    ssa: Ssa,
    made: Vec<Vec<ValueId>>,
}

impl Calls {
    fn of(program: &Program, frame: &FrameInfo, callee: &FrameInfo) -> Option<Calls> {
        let captured: &CapturedFrame = frame.captured.as_ref()?;
        let class = program.find(&frame.element.class.replace('.', "/"))?;
        let selector = program.selector_id(
            frame.element.method.as_bytes(),
            captured.descriptor.as_bytes(),
        );
        let method = class.method(selector)?;
        let file = class.file().ok()?;
        let member = file.methods.iter().find(|member| {
            text(member.name) == frame.element.method
                && text(member.descriptor) == captured.descriptor
        })?;
        let code = file.code(member).ok()??;
        let lines = lines(&file, &code);
        let wanted = u16::try_from(frame.element.line).ok()?;
        let on_line = |pc: u16| {
            let mut before = lines.iter().rev();
            before
                .find(|(start, _)| *start <= pc)
                .map(|(_, line)| *line)
                == Some(wanted)
        };
        let ssa = Ssa::of_file(program, &file, method.id).ok()??;
        let made = ssa
            .values
            .iter()
            .filter(|value| on_line(value.pc))
            .filter_map(|value| match &value.op {
                Op::Invoke {
                    method, arguments, ..
                } => {
                    let selector = program.selector(method.selector)?;
                    (text(&selector.name) == callee.element.method).then(|| arguments.clone())
                }
                _ => None,
            })
            .collect();
        Some(Calls { ssa, made })
    }

    /// Adds where the value comes from; where that is unknown code, nothing is added.
    fn follow(&self, program: &Program, value: ValueId, found: &mut Vec<Source>) {
        let mut seen = HashSet::new();
        let mut pending = vec![(value, Vec::new(), false)];
        while let Some((value, fields, changed)) = pending.pop() {
            if !seen.insert((value, fields.clone(), changed)) || seen.len() > 256 {
                continue;
            }
            let Some(made) = self.ssa.value(value) else {
                continue;
            };
            match &made.op {
                Op::Parameter(number) => {
                    let source = Source {
                        parameter: usize::from(*number),
                        fields: fields.iter().rev().cloned().collect(),
                        changed,
                    };
                    if !found.contains(&source) && found.len() < MOST_SOURCES {
                        found.push(source);
                    }
                }
                Op::Phi(values) => {
                    pending.extend(values.iter().map(|it| (*it, fields.clone(), changed)));
                }
                Op::Cast { value, .. } => pending.push((*value, fields, changed)),
                Op::GetField { field, object } => {
                    let Some(selector) = program.selector(field.selector) else {
                        continue;
                    };
                    let mut fields = fields;
                    fields.push(text(&selector.name));
                    pending.push((*object, fields, changed));
                }
                Op::Invoke {
                    kind: InvokeKind::Virtual,
                    method,
                    arguments,
                } if fields.is_empty() && &*program.class_name(method.class) == STRING => {
                    pending.extend(arguments.first().map(|text| (*text, Vec::new(), true)));
                }
                _ => {}
            }
        }
    }
}

const STRING: &[u8] = b"java/lang/String";

fn is_string(program: &Program, ssa: &Ssa, value: ValueId) -> bool {
    let made = ssa.value(value);
    made.is_some_and(|made| match made.ty {
        recrash_program::Type::Reference(class) => {
            matches!(
                &*program.class_name(class),
                STRING | b"java/lang/CharSequence"
            )
        }
        _ => false,
    })
}

/// First instruction and number of each line, in the order of instructions.
fn lines(file: &ClassFile<'_>, code: &Code<'_>) -> Vec<(u16, u16)> {
    let mut starts = Vec::new();
    for attribute in code.attributes.iter(&file.pool).flatten() {
        if attribute.name == b"LineNumberTable" {
            let entries = attribute.info.get(2..).unwrap_or_default().chunks_exact(4);
            starts.extend(entries.filter_map(|entry| match entry {
                [a, b, c, d] => Some((u16::from_be_bytes([*a, *b]), u16::from_be_bytes([*c, *d]))),
                _ => None,
            }));
        }
    }
    starts.sort_unstable();
    starts
}

/// What a frame calls its parameter: `this`, or the name where the class has it.
pub(crate) fn parameter(
    captured: &CapturedFrame,
    number: usize,
) -> Option<(String, recrash_heap::Value)> {
    let is_static = captured.access & access::STATIC != 0;
    match (number, is_static) {
        (0, false) => Some(("this".to_owned(), captured.receiver)),
        (number, is_static) => {
            let index = if is_static {
                number
            } else {
                number.checked_sub(1)?
            };
            let argument = captured.arguments.get(index)?;
            Some((argument.name.clone()?, argument.value))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use recrash_heap::Value;
    use recrash_heap::manifest::{FramePlace, TraceElement};
    use recrash_jvm::find_jdks;
    use std::process::Command;

    const CODES: &str = "
        class Codes {
            String code; Codes next; Object root = \"\";
            static int number(String code, String other) {
                return Integer.parseInt(code.trim().substring(1)) + other.length();
            }
            int plain(String text) {
                return Integer.parseInt(text);
            }
            int of(Codes codes) {
                return number(codes.next.code, code);
            }
            int unknown(java.util.Map<String, String> texts) {
                return plain(texts.get(code));
            }
        }";

    fn frame(class: &str, method: &str, descriptor: Option<&str>, line: i32) -> FrameInfo {
        FrameInfo {
            throwable: 0,
            element: TraceElement {
                class: class.to_owned(),
                method: method.to_owned(),
                file: None,
                line,
                module: None,
            },
            captured: descriptor.map(|descriptor| CapturedFrame {
                descriptor: descriptor.to_owned(),
                access: 0,
                place: FramePlace::Body,
                receiver: Value::Null,
                arguments: Vec::new(),
                patches: Vec::new(),
                back_to: None,
                reads: Vec::new(),
                class_hash: None,
                source: None,
                entry: None,
            }),
        }
    }

    #[test]
    fn a_text_is_followed_through_calls_fields_and_methods_of_strings_and_no_further() {
        let jdk = find_jdks()
            .into_iter()
            .find(|jdk| jdk.javac.is_some())
            .unwrap();
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("Codes.java");
        std::fs::write(&file, CODES).unwrap();
        let compiled = Command::new(jdk.javac().unwrap())
            .arg("-g")
            .arg("-d")
            .arg(folder.path())
            .arg(&file)
            .status()
            .unwrap();
        assert!(compiled.success());
        let opened =
            recrash_program::ClassPath::open([folder.path()], Some(&jdk.home), 17).unwrap();
        let program = Program::new(opened);
        let parse = || frame("java.lang.Integer", "parseInt", None, 652);
        let found = |frames: &[FrameInfo]| trace(&program, frames, 0).unwrap_or_default();
        let text = "(Ljava/lang/String;)I";
        let number = || {
            frame(
                "Codes",
                "number",
                Some("(Ljava/lang/String;Ljava/lang/String;)I"),
                5,
            )
        };
        let source = |parameter, fields: &[&str], changed| Source {
            parameter,
            fields: fields.iter().map(|&field| field.to_owned()).collect(),
            changed,
        };
        assert_eq!(found(&[parse(), number()]), [source(0, &[], true)]);
        let of = frame("Codes", "of", Some("(LCodes;)I"), 11);
        assert_eq!(
            found(&[parse(), number(), of]),
            [source(1, &["next", "code"], true)]
        );
        let plain = || frame("Codes", "plain", Some(text), 8);
        assert_eq!(found(&[parse(), plain()]), [source(1, &[], false)]);
        let unknown = frame("Codes", "unknown", Some("(Ljava/util/Map;)I"), 14);
        assert_eq!(found(&[parse(), plain(), unknown]), []);
    }
}
