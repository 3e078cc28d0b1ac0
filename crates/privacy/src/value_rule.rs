//! What a rule for values names: one of the known patterns, or an expression of the user's.

use crate::error::Error;

/// The patterns that rules can name.
pub(crate) const KNOWN: [&str; 11] = [
    "email",
    "iban",
    "card",
    "bearer",
    "basic",
    "jwt",
    "private-key",
    "aws-key",
    "provider-token",
    "url-password",
    "assignment",
];

fn known(name: &str) -> Option<&'static str> {
    KNOWN.into_iter().find(|known| *known == name)
}

/// What values look like that a rule is about: a pattern by its name, or an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ValueRule {
    Known(&'static str),
    Expression(String),
}

impl ValueRule {
    /// As it stands after `value` in a line of a file.
    pub(crate) fn parse(line: usize, what: &str) -> Result<Self, Error> {
        if let Some(expression) = what.strip_prefix('/') {
            let expression = expression.strip_suffix('/').unwrap_or(expression);
            let usable = regex::bytes::Regex::new(&format!("(?-u){expression}"));
            if let Err(error) = usable {
                let reason = error.to_string();
                let last = reason.lines().last().unwrap_or_default();
                return Err(Error::BadExpression {
                    line,
                    reason: last.trim_start_matches("error: ").to_owned(),
                });
            }
            return Ok(Self::Expression(expression.to_owned()));
        }
        known(what)
            .map(Self::Known)
            .ok_or_else(|| Error::UnknownPattern {
                line,
                name: what.to_owned(),
                known: KNOWN.join(", "),
            })
    }
}
