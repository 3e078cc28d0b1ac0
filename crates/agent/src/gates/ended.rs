//! Failures after which the program ends with a status other than 0, having caught them a moment ago.

use super::gate::{Known, Rule, gate, known};
use crate::kinds::Kind;

pub const RULE: Rule = Rule {
    kind: Kind::Exit,
    // A signal takes another way.
    known: &[ends("exit"), ends("halt")],
    shape: None,
};

const fn ends(method: &'static str) -> Known {
    known("java/lang/Runtime", method, &["I"], gate("ends"))
}
