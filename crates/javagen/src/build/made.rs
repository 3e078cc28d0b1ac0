//! What planning comes to: an expression for an object, statements for a frame, or what stands in the way.

use super::helpers::Helpers;
use crate::value::descriptor_of;
use recrash_heap::manifest::ObjectId;

/// A field of an object, or an element of an array (`[3]`): object, declaring class, name.
pub type Place = (ObjectId, String, String);

/// Why objects cannot be made by source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Blocked {
    /// The object is needed to make itself.
    Cycle,
    /// It could be made, but nobody would read it.
    TooMuch(String),
    Because(Obstacle),
}

/// What stands in the way of a test in source alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Obstacle {
    /// In the user's words.
    pub reason: String,
    /// The object, last, behind those through which it is reached; empty when it is not one object.
    pub path: Vec<ObjectId>,
    /// There is too much of it, which less state would cure.
    pub too_much: bool,
}

impl Blocked {
    pub(crate) fn because(reason: impl Into<String>) -> Self {
        Blocked::Because(Obstacle {
            reason: reason.into(),
            path: Vec::new(),
            too_much: false,
        })
    }

    pub(crate) fn obstacle(self) -> Obstacle {
        match self {
            Blocked::Because(obstacle) => obstacle,
            Blocked::Cycle => Obstacle {
                reason: "objects need each other to be made".to_owned(),
                path: Vec::new(),
                too_much: true,
            },
            Blocked::TooMuch(reason) => Obstacle {
                reason,
                path: Vec::new(),
                too_much: true,
            },
        }
    }
}

pub(crate) type Result<T> = std::result::Result<T, Blocked>;

/// What source knows of an expression's type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Known {
    /// Takes the type of its target: `null`, raw collections.
    Anything,
    /// A descriptor; wherever the captured object was, its class fits.
    Exactly(String),
    /// A descriptor that the captured object's class may be more special than.
    Declared(String),
    /// Its class cannot be named here, so it is an `Object`.
    ObjectOnly,
}

#[derive(Debug, Clone)]
pub(crate) struct Made {
    pub(crate) text: String,
    pub(crate) known: Known,
}

impl Made {
    /// Whether a call that takes a `descriptor` is meant, whatever its overloads take.
    pub(crate) fn is_exactly(&self, descriptor: &str) -> bool {
        match &self.known {
            Known::Exactly(known) | Known::Declared(known) => known == descriptor,
            Known::Anything | Known::ObjectOnly => false,
        }
    }

    pub(super) fn of(text: impl Into<String>, class: &str) -> Self {
        Made {
            text: text.into(),
            known: Known::Exactly(descriptor_of(class)),
        }
    }

    pub(super) fn anything(text: impl Into<String>) -> Self {
        Made {
            text: text.into(),
            known: Known::Anything,
        }
    }
}

/// Statements that make the objects of a frame.
pub(crate) struct Plan {
    pub(crate) lines: Vec<String>,
    pub(crate) helpers: Helpers,
    pub(crate) generic: bool,
    /// Not all captured state is there.
    pub(crate) incomplete: bool,
}
