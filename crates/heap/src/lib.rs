//! The snapshot model and the `.recrash` file format.

pub mod manifest;

pub use manifest::{Manifest, ObjectId, Value};
