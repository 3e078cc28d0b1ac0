//! Kinds of failures: by what a failure is recognised.

use recrash_wire::report;

/// The runtime knows these by their bits, which `wire` declares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// It ended a thread, or was handed on as if it had.
    Uncaught,
    /// Given to a logger at error level.
    Logged,
    /// Stored in a future.
    Futures,
    /// Caught by a web server or framework.
    Web,
    /// A test failed by it.
    Tests,
    /// Its stack trace was printed.
    Printed,
    /// An operator, a pipeline, an actor or an event thread dropped it.
    Dropped,
    /// The program ended with a status other than 0 soon after it was caught.
    Exit,
    /// The user named it; it may have been caught.
    Named,
    /// `Recrash.capture`.
    Point,
    /// A method was entered that a second look waits for; nothing has failed.
    Entry,
}

impl Kind {
    const ALL: [Self; 11] = [
        Self::Uncaught,
        Self::Logged,
        Self::Futures,
        Self::Web,
        Self::Tests,
        Self::Named,
        Self::Point,
        Self::Entry,
        Self::Printed,
        Self::Dropped,
        Self::Exit,
    ];

    /// Whether the thread, and perhaps the program, ends with it: then nobody waits for an answer.
    pub fn ends_a_thread(self) -> bool {
        matches!(self, Self::Uncaught | Self::Entry)
    }

    fn bit(self) -> u32 {
        match self {
            Self::Uncaught => report::UNCAUGHT,
            Self::Logged => report::LOGGED,
            Self::Futures => report::FUTURES,
            Self::Web => report::WEB,
            Self::Tests => report::TESTS,
            Self::Named => report::NAMED,
            Self::Point => report::POINT,
            Self::Entry => report::ENTRY,
            Self::Printed => report::PRINTED,
            Self::Dropped => report::DROPPED,
            Self::Exit => report::EXIT,
        }
    }

    pub fn of_bit(bit: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.bit() == bit)
    }

    /// As it is chosen by `failures=`; the others are not a matter of choice.
    fn name(self) -> Option<&'static str> {
        match self {
            Self::Uncaught => Some("uncaught"),
            Self::Logged => Some("logged"),
            Self::Futures => Some("futures"),
            Self::Web => Some("web"),
            Self::Tests => Some("tests"),
            Self::Printed => Some("printed"),
            Self::Dropped => Some("dropped"),
            Self::Exit => Some("exit"),
            Self::Named | Self::Point | Self::Entry => None,
        }
    }

    /// What is said of a failure of this kind.
    pub fn remark(self) -> &'static str {
        match self {
            Self::Uncaught | Self::Point | Self::Entry => "",
            Self::Logged => ", logged as an error,",
            Self::Futures => ", stored in a future,",
            Self::Web => ", thrown by a request,",
            Self::Tests => ", of a failed test,",
            Self::Printed => ", printed with its stack trace,",
            Self::Dropped => ", dropped without being handled,",
            Self::Exit => ", caught before the program ended with an error,",
            Self::Named => ", named by --on,",
        }
    }
}

/// A set of kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kinds(u32);

impl Kinds {
    pub fn all() -> Self {
        let named = Kind::ALL.iter().filter(|kind| kind.name().is_some());
        Self(named.fold(0, |bits, kind| bits | kind.bit()))
    }

    pub fn only(kind: Kind) -> Self {
        Self(kind.bit())
    }

    pub fn with(self, kind: Kind) -> Self {
        Self(self.0 | kind.bit())
    }

    pub fn contain(self, kind: Kind) -> bool {
        self.0 & kind.bit() != 0
    }

    pub fn bits(self) -> u32 {
        self.0
    }

    /// `uncaught:logged`; the first part that is no kind is the error.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut kinds = Self(0);
        for part in text.split(':').filter(|part| !part.is_empty()) {
            let kind = Kind::ALL
                .into_iter()
                .find(|kind| kind.name() == Some(part))
                .ok_or_else(|| part.to_owned())?;
            kinds = kinds.with(kind);
        }
        Ok(kinds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_chosen_by_name() {
        let chosen = Kinds::parse("logged:tests").unwrap();
        assert!(chosen.contain(Kind::Logged) && chosen.contain(Kind::Tests));
        assert!(!chosen.contain(Kind::Uncaught));
        assert_eq!(
            Kinds::parse("uncaught:logged:futures:web:tests:printed:dropped:exit"),
            Ok(Kinds::all())
        );
        assert_eq!(Kinds::parse("logged:loud"), Err("loud".to_owned()));
        assert_eq!(Kinds::parse("named"), Err("named".to_owned()));
    }

    #[test]
    fn bits_are_those_of_the_runtime() {
        assert_eq!(Kind::ALL.len(), report::KINDS.len());
        for (kind, (name, bit)) in Kind::ALL.into_iter().zip(report::KINDS) {
            assert_eq!(format!("{kind:?}").to_uppercase(), *name);
            assert_eq!(kind.bit(), *bit);
            assert_eq!(Kind::of_bit(*bit), Some(kind));
        }
    }
}
