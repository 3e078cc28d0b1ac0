//! What the user gives to start from: snapshots of the same classes, and code that uses them, such as tests.

use std::collections::HashSet;
use std::path::Path;

use recrash_heap::manifest::FrameInfo;
use recrash_heap::{Heap, Kind, ObjectId, Snapshot, Value};
use recrash_jvm::Jdk;
use recrash_program::{ClassPath, Program, Ssa};
use recrash_symbolic::{Array, Input, Object, Precondition};

use crate::constants::Constants;
use crate::error::{Error, Result};

/// Deeper state is left out: calls could hardly make it.
const DEEPEST: usize = 6;
/// Elements of an array, and values of each kind.
const MOST_ELEMENTS: usize = 64;
const MOST_VALUES: usize = 2_000;
/// Longer texts are documents.
const LONGEST: usize = 200;

/// Values to try, and whole states at the entry of methods.
#[derive(Debug, Default)]
pub struct Given {
    pub(crate) constants: Constants,
    pub(crate) states: Vec<Precondition>,
}

impl Given {
    /// Every state that a frame of the snapshot was entered with, and all texts and numbers in it.
    pub fn add_snapshot(&mut self, program: &Program, file: &Path) -> Result<()> {
        let snapshot = Snapshot::read(file).map_err(|error| Error::Given(error.to_string()))?;
        for object in snapshot.heap.objects() {
            match &object.kind {
                Kind::String(text) if text.len() <= LONGEST => self.text(text.to_string()),
                Kind::Instance { fields } => {
                    for field in fields {
                        self.number(field.value);
                    }
                }
                _ => {}
            }
        }
        for frame in &snapshot.manifest.frames {
            self.states.extend(state(program, &snapshot.heap, frame));
        }
        Ok(())
    }

    /// The constants in the code of a jar or folder.
    pub fn add_code(&mut self, place: &Path, jdk: &Jdk) -> Result<()> {
        let opened = ClassPath::open([place], Some(&jdk.home), jdk.version.feature);
        let program = Program::new(opened.map_err(|error| Error::Given(error.to_string()))?);
        for name in program.class_path().application() {
            let Some(class) = program.class(program.class_id(name)) else {
                continue;
            };
            for method in &class.methods {
                if let Ok(Some(ssa)) = Ssa::of(&program, method.id) {
                    self.constants.add_values(&ssa);
                }
            }
        }
        Ok(())
    }

    fn text(&mut self, text: String) {
        if self.constants.texts.len() < MOST_VALUES {
            self.constants.texts.insert(text);
        }
    }

    fn number(&mut self, value: Value) {
        let number = match value {
            Value::Int(number) => i64::from(number),
            Value::Long(number) => number,
            _ => return,
        };
        if self.constants.integers.len() < MOST_VALUES {
            self.constants.integers.insert(number);
        }
    }
}

/// What a frame was entered with, if its method is in the program.
fn state(program: &Program, heap: &Heap, frame: &FrameInfo) -> Option<Precondition> {
    let captured = frame.captured.as_ref()?;
    let class = program.find(&frame.element.class.replace('.', "/"))?;
    let (name, descriptor) = (&frame.element.method, &captured.descriptor);
    let selector = program.selector_id(name.as_bytes(), descriptor.as_bytes());
    let method = class.method(selector)?;
    let mut reader = Reader {
        program,
        heap,
        seen: HashSet::new(),
    };
    let mut arguments = Vec::new();
    if !method.is_static() {
        arguments.push(reader.input(captured.receiver, 0));
    }
    for argument in &captured.arguments {
        arguments.push(reader.input(argument.value, 0));
    }
    Some(Precondition {
        method: method.id,
        text: String::new(),
        arguments,
        statics: Vec::new(),
        assumed: true,
    })
}

struct Reader<'a> {
    program: &'a Program,
    heap: &'a Heap,
    seen: HashSet<ObjectId>,
}

impl Reader<'_> {
    fn input(&mut self, value: Value, depth: usize) -> Input {
        match value {
            Value::Null => Input::Null,
            Value::Boolean(value) => Input::Int(i32::from(value)),
            Value::Byte(value) => Input::Int(i32::from(value)),
            Value::Char(value) => Input::Int(i32::from(value)),
            Value::Short(value) => Input::Int(i32::from(value)),
            Value::Int(value) => Input::Int(value),
            Value::Long(value) => Input::Long(value),
            Value::FloatBits(bits) => Input::Float(f32::from_bits(bits)),
            Value::DoubleBits(bits) => Input::Double(f64::from_bits(bits)),
            Value::Ref(id) => self.object(id, depth).unwrap_or(Input::Any),
        }
    }

    fn object(&mut self, id: ObjectId, depth: usize) -> Option<Input> {
        let object = self.heap.object(id)?;
        if let Kind::String(text) = &object.kind {
            return Some(Input::Text(text.to_string()));
        }
        if !self.seen.insert(id) {
            return Some(Input::Again(id.0));
        }
        if depth >= DEEPEST {
            return None;
        }
        let class = self
            .program
            .class_id(object.class.replace('.', "/").as_bytes());
        match object.kind {
            Kind::Instance { fields } => {
                let mut found = Vec::new();
                for field in fields {
                    let declaring = self.program.find(&field.declared_in.replace('.', "/"));
                    let selector = self
                        .program
                        .selector_id(field.name.as_bytes(), field.descriptor.as_bytes());
                    let known = declaring.and_then(|class| class.field(selector).copied());
                    if let Some(known) = known {
                        found.push((known.id, self.input(field.value, depth + 1)));
                    }
                }
                Some(Input::Object(Object {
                    id: id.0,
                    class,
                    not: Vec::new(),
                    fields: found,
                    results: Vec::new(),
                }))
            }
            Kind::Array { elements, .. } => {
                let length = i32::try_from(elements.len()).ok()?;
                let elements = (0..).zip(elements.into_iter().take(MOST_ELEMENTS));
                Some(Input::Array(Array {
                    id: id.0,
                    class,
                    length,
                    elements: elements
                        .map(|(at, value)| (at, self.input(value, depth + 1)))
                        .collect(),
                }))
            }
            _ => None,
        }
    }
}
