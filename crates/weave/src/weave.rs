//! From a class to a woven class: chooses the methods and collects their sites.

use recrash_classfile::Error;

use crate::{Policy, Reason, Woven};

/// Weaves one class. Site ids count up from `first_site`.
pub fn weave(class: &[u8], first_site: u32, policy: &Policy) -> Woven {
    let _ = (class, first_site, policy);
    Woven::Untouched(Reason::NothingToMonitor)
}

/// The static method a class is made to call, `owner` in internal form (slashes).
///
/// It is given `this` (instance methods) and every parameter of the method that calls it, so its descriptor must fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Prepended<'a> {
    pub owner: &'a str,
    pub name: &'a str,
    pub descriptor: &'a str,
}

/// Makes a method begin with a call of a static method that gets the receiver and the parameters.
///
/// `recrash` uses it on `Thread.dispatchUncaughtException(Throwable)`.
pub fn prepend_call(
    class: &[u8],
    method: &str,
    descriptor: &str,
    call: Prepended<'_>,
) -> Result<Vec<u8>, Error> {
    let _ = (method, descriptor, call);
    Ok(class.to_vec())
}
