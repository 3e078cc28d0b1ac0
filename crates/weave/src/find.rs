//! What a method is and does, as its class alone shows it. Nothing here changes anything, or knows what for it is asked.

pub(crate) mod callees;
pub(crate) mod constructor;
mod effect;
pub(crate) mod flow;
pub(crate) mod heights;
pub(crate) mod jdk;
pub(crate) mod method;
pub(crate) mod names;
pub(crate) mod origin;
pub(crate) mod receiver;
pub(crate) mod scan;
pub(crate) mod tracer;
