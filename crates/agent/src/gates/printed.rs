//! Failures whose stack trace is printed, to whatever: all ways to print one meet in a private method of `Throwable`.
//!
//! A logger prints, too, also what is no error to it; its own gates say what is one, and the runtime looks who prints.

use super::gate::{Rule, THIS, gate, known};
use crate::kinds::Kind;

pub const RULE: Rule = Rule {
    kind: Kind::Printed,
    known: &[known(
        "java/lang/Throwable",
        "printStackTrace",
        &[THIS, "Ljava/lang/Throwable$PrintStreamOrWriter;"],
        gate("prints"),
    )],
    shape: None,
};
