//! What can be wrong about what a reader asks for.

use thiserror::Error;

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Error {
    #[error("there is no frame {frame}; captured are {known}")]
    NoFrame { frame: usize, known: String },
    #[error(
        "frame {frame}, {method}, was not captured (JDK, trivial or excluded method); captured are {known}"
    )]
    NotCaptured {
        frame: usize,
        method: String,
        known: String,
    },
    #[error("no frame was captured, so there is nothing to look into")]
    NothingCaptured,
    #[error("`{path}` is no path: {trouble}; one looks like receiver.items[3].name")]
    BadPath { path: String, trouble: &'static str },
    #[error("frame {frame} has no `{name}`; it has {known}")]
    NoRoot {
        frame: usize,
        name: String,
        known: String,
    },
    #[error("there is no object {name}; the snapshot's are #1 to #{objects}")]
    NoObject { name: String, objects: u32 },
    #[error("`{at}`, of class {class}, has no field `{name}`; it has {known}")]
    NoField {
        at: String,
        class: String,
        name: String,
        known: String,
    },
    #[error("`{at}` has no element [{index}]; it has {known}")]
    NoElement {
        at: String,
        index: String,
        known: String,
    },
    #[error("`{at}` is {value}, and nothing is inside of it")]
    NothingInside { at: String, value: String },
    #[error("{path} cannot be read: {reason}; --sources takes a folder of source files")]
    Sources { path: String, reason: String },
}
