//! A solution: what has to hold at the entry of a method, and one state in which it does.

use recrash_program::{ClassId, FieldId, MemberRef, MethodId};

/// What makes the crash happen when it holds at the entry of a method.
#[derive(Debug, Clone, PartialEq)]
pub struct Precondition {
    pub method: MethodId,
    /// The conditions as Java would write them.
    pub text: String,
    /// The receiver, unless the method is static, and the arguments.
    pub arguments: Vec<Input>,
    pub statics: Vec<(FieldId, Input)>,
    /// On the way, calls were taken to change nothing, or to mean one method, without knowing.
    pub assumed: bool,
}

impl Precondition {
    /// Whether the other one says nothing new; what was cut off their texts may differ.
    pub(crate) fn says(&self, other: &Precondition) -> bool {
        let whole = !self.text.ends_with('…');
        self.text == other.text && (whole || self.arguments == other.arguments)
    }

    /// Every value in the state, those in objects, arrays and what methods give included: numbers and texts to try.
    pub fn values(&self) -> Vec<&Input> {
        let statics = self.statics.iter().map(|(_, value)| value);
        let mut found: Vec<&Input> = self.arguments.iter().chain(statics).collect();
        let mut at = 0;
        while let Some(&value) = found.get(at) {
            at += 1;
            match value {
                Input::Object(object) => {
                    found.extend(object.fields.iter().map(|(_, value)| value));
                    found.extend(object.results.iter().map(|(_, value)| value));
                }
                Input::Array(array) => {
                    found.extend(array.elements.iter().map(|(_, value)| value));
                }
                _ => {}
            }
        }
        found
    }
}

/// A value in the state at the entry.
#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    /// Nothing is asked of it.
    Any,
    Null,
    /// Also of the types that are an `int` to the JVM.
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
    Text(String),
    Object(Object),
    Array(Array),
    /// The object or array with this number, seen before.
    Again(u32),
}

#[derive(Debug, Clone, PartialEq)]
pub struct Object {
    pub id: u32,
    /// It is of this class or one below it.
    pub class: ClassId,
    /// It is none of these.
    pub not: Vec<ClassId>,
    pub fields: Vec<(FieldId, Input)>,
    /// What its methods have to give when called.
    pub results: Vec<(MemberRef, Input)>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Array {
    pub id: u32,
    pub class: ClassId,
    pub length: i32,
    pub elements: Vec<(i32, Input)>,
}
