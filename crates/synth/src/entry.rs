//! A place where a test may start.

use std::sync::Arc;

use crate::world::{Callable, Maker};

/// A call that may run a frame's method.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) callable: Arc<Callable>,
    /// Where its object comes from, if the test cannot write the name of the class: what makes one and hands it out.
    pub(crate) producers: Vec<Maker>,
}
