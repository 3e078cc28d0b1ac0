//! How one object could come about.

use recrash_heap::Field;
use recrash_heap::manifest::Value;

/// Where an object comes from, and what is set afterwards.
pub(super) struct Way<'o> {
    pub(super) origin: Origin,
    /// Fields to set afterwards.
    pub(super) rest: Vec<(&'o Field<'o>, How)>,
    pub(super) cost: usize,
}

pub(super) enum Origin {
    Constructor(Construction),
    Builder(Gathering),
    /// Without constructor.
    Nothing,
}

pub(super) struct Construction {
    pub(super) factory: Option<String>,
    /// It cannot be named here.
    pub(super) by_reflection: bool,
    pub(super) parameters: Vec<String>,
    /// A value per parameter, and the name of the field it was found in.
    pub(super) arguments: Vec<(Value, String)>,
}

/// The calls that make one object with a builder.
pub(super) struct Gathering {
    /// `Order.builder` or `new Order.Builder`.
    pub(super) start: Called,
    /// The builder's type.
    pub(super) builder: String,
    pub(super) steps: Vec<Called>,
    /// Each step answers with the builder.
    pub(super) chained: bool,
    pub(super) finish: String,
    /// The class that the last call answers with.
    pub(super) result: String,
}

pub(super) struct Called {
    pub(super) owner: String,
    /// `<init>` of a constructor.
    pub(super) name: String,
    pub(super) parameters: Vec<String>,
    /// A value per parameter, and the name of the field it was found in.
    pub(super) arguments: Vec<(Value, String)>,
}

/// How a field is set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum How {
    Named,
    Setter(String),
    Reflection,
    /// By reflection in the class that declares it: one below has a field of the same name.
    ReflectionIn(String),
}

impl How {
    pub(super) fn cost(&self) -> usize {
        match self {
            How::Named | How::Setter(_) => 2,
            How::Reflection | How::ReflectionIn(_) => 4,
        }
    }
}
