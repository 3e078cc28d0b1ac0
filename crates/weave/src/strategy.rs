//! How what a method was given is kept as it was on entry, while the method runs and changes it.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

/// `Display` and `FromStr` are the spelling of `--strategy`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Strategy {
    /// Only references: objects are as they are at the failure.
    Reference,
    /// Fields that the code may overwrite are kept in local variables.
    #[default]
    Auto,
    /// The objects behind the references are copied on every entry (paper 2.2.1).
    Copy(Copying),
    /// Every write keeps the old value in a journal, and a frame remembers its place in it.
    Undo {
        /// Also in classes that write all the time, whatever it costs.
        hot: bool,
    },
}

impl Strategy {
    pub fn keeps_journal(self) -> bool {
        matches!(self, Strategy::Undo { .. })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Copying {
    /// So many references are followed, 1 for the fields of the argument itself; `None` for all there are.
    pub depth: Option<NonZeroU32>,
    /// One level more for the fields that the method's own code reads or writes.
    pub used_fields: bool,
}

const SHALLOW: &str = "shallow";
const DEEP: &str = "deep";
const DEPTH: &str = "depth=";
const USED_FIELDS: &str = "+used-fields";
const UNDO: &str = "undo";
const UNDO_HOT: &str = "undo+hot";

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Strategy::Reference => f.write_str("reference"),
            Strategy::Auto => f.write_str("auto"),
            Strategy::Undo { hot: false } => f.write_str(UNDO),
            Strategy::Undo { hot: true } => f.write_str(UNDO_HOT),
            Strategy::Copy(copying) => {
                match copying.depth {
                    None => f.write_str(DEEP)?,
                    Some(NonZeroU32::MIN) => f.write_str(SHALLOW)?,
                    Some(depth) => write!(f, "{DEPTH}{depth}")?,
                }
                f.write_str(if copying.used_fields { USED_FIELDS } else { "" })
            }
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "there is no strategy \"{0}\"; known are reference, auto, shallow, depth=N, deep and undo, \
     shallow, depth=N, deep with +used-fields behind, and undo+hot"
)]
pub struct UnknownStrategy(String);

impl FromStr for Strategy {
    type Err = UnknownStrategy;

    fn from_str(text: &str) -> Result<Self, UnknownStrategy> {
        let unknown = || UnknownStrategy(text.to_owned());
        let (base, used_fields) = match text.strip_suffix(USED_FIELDS) {
            Some(base) => (base, true),
            None => (text, false),
        };
        let depth = match base {
            "reference" if !used_fields => return Ok(Strategy::Reference),
            "auto" if !used_fields => return Ok(Strategy::Auto),
            UNDO if !used_fields => return Ok(Strategy::Undo { hot: false }),
            UNDO_HOT if !used_fields => return Ok(Strategy::Undo { hot: true }),
            DEEP => None,
            SHALLOW => Some(NonZeroU32::MIN),
            _ => {
                let depth = base.strip_prefix(DEPTH).ok_or_else(unknown)?;
                Some(depth.parse().map_err(|_| unknown())?)
            }
        };
        Ok(Strategy::Copy(Copying { depth, used_fields }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_comes_back() {
        for text in [
            "reference",
            "auto",
            "undo",
            "undo+hot",
            "shallow",
            "depth=3",
            "deep",
            "shallow+used-fields",
            "depth=2+used-fields",
            "deep+used-fields",
        ] {
            assert_eq!(text.parse::<Strategy>().unwrap().to_string(), text);
        }
        assert_eq!("depth=1".parse(), "shallow".parse::<Strategy>());
    }

    #[test]
    fn what_is_none_is_refused_by_name() {
        for text in [
            "",
            "depth=0",
            "depth=",
            "depth=-1",
            "undo+used-fields",
            "undo+hot+used-fields",
            "deep+hot",
            "Deep",
        ] {
            let refused = text.parse::<Strategy>().unwrap_err();
            assert!(
                refused.to_string().contains(&format!("\"{text}\"")),
                "{refused}"
            );
        }
    }
}
