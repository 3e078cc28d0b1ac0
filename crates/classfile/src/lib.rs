//! Class files, versions 45 to 69: read, patch, write back without loss; jars.
//!
//! What this crate may not know: what anybody patches classes for, the JVM, the class hierarchy (it never loads a class
//! to understand another one).

mod error;

pub use error::Error;
