//! What has to be alike for two failures to be the same crash.

use recrash_heap::manifest::Manifest;
use recrash_jvm::{Outcome, Thrown};

use crate::judge::{Expected, judge};
use crate::verdict::Verdict;

/// What another failure must have to be the same crash: the types and the place of [`Expected`], and these words.
#[derive(Debug, Clone)]
pub struct Sameness<'a> {
    pub expected: Expected<'a>,
    pub words: Words,
}

impl Sameness<'_> {
    /// The verdict by types and place, and a sentence where it is not `Reproduced`. Words have no part in it: a test's
    /// reader wants the exception and the line, while messages may hold what differs in each run.
    pub fn judge(&self, outcome: &Outcome) -> (Verdict, Option<String>) {
        judge(&self.expected, outcome)
    }

    /// Types, place and words are all the same. Whoever changes the state of a crash asks for this.
    pub fn holds(&self, outcome: &Outcome) -> bool {
        self.judge(outcome).0 == Verdict::Reproduced && self.words.are_those_of(outcome)
    }
}

/// What the innermost cause has to say. One line may fail in several ways: where state was taken away, a null that was put
/// there may fail on the line of the one that was found there.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Words {
    #[default]
    Any,
    /// What the JVM itself says was null, or could not be cast; `None` where it says nothing of the kind. Messages with
    /// values in them change as state does, and do not count.
    OfTheJvm(Option<String>),
    /// The message, whole.
    Message(Option<String>),
}

impl Words {
    /// The JVM's own words in what was thrown.
    pub fn of_the_jvm(outcome: &Outcome) -> Self {
        Words::OfTheJvm(root(outcome).and_then(said_by_the_jvm))
    }

    /// The recorded message of the innermost cause.
    pub fn recorded(manifest: &Manifest) -> Self {
        Words::Message(
            manifest
                .throwables
                .last()
                .and_then(|root| root.message.clone()),
        )
    }

    pub fn are_those_of(&self, outcome: &Outcome) -> bool {
        match self {
            Words::Any => true,
            Words::OfTheJvm(said) => *said == root(outcome).and_then(said_by_the_jvm),
            Words::Message(message) => root(outcome).is_some_and(|root| root.message == *message),
        }
    }
}

fn root(outcome: &Outcome) -> Option<&Thrown> {
    match outcome {
        Outcome::Threw(chain) => chain.last(),
        _ => None,
    }
}

fn said_by_the_jvm(root: &Thrown) -> Option<String> {
    let message = root.message.as_deref()?;
    match root.class.as_str() {
        "java.lang.NullPointerException" => {
            message.starts_with("Cannot ").then(|| message.to_owned())
        }
        // Behind the classes stand their loaders, with a hash code.
        "java.lang.ClassCastException" => message.split(" (").next().map(str::to_owned),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn threw(class: &str, message: Option<&str>) -> Outcome {
        Outcome::Threw(vec![Thrown {
            class: format!("java.lang.{class}"),
            message: message.map(str::to_owned),
            ..Thrown::default()
        }])
    }

    #[test]
    fn the_jvms_words_count_and_values_do_not() {
        let said =
            |class: &str, message: &str| match Words::of_the_jvm(&threw(class, Some(message))) {
                Words::OfTheJvm(said) => said,
                _ => None,
            };
        let null = "Cannot read field \"name\" because \"item\" is null";
        assert_eq!(said("NullPointerException", null).as_deref(), Some(null));
        assert_eq!(
            said("NullPointerException", "customer 27 has no name"),
            None
        );
        let cast =
            "class A cannot be cast to class B (A and B are in unnamed module of loader x @1b2c)";
        assert_eq!(
            said("ClassCastException", cast).as_deref(),
            Some("class A cannot be cast to class B")
        );
        assert_eq!(
            said("ArrayIndexOutOfBoundsException", "Index 5 out of bounds"),
            None
        );
    }

    #[test]
    fn a_message_is_the_same_when_it_is_equal_or_missing_on_both_sides() {
        let one = Words::Message(Some("one".to_owned()));
        assert!(one.are_those_of(&threw("Error", Some("one"))));
        assert!(!one.are_those_of(&threw("Error", Some("two"))));
        assert!(!one.are_those_of(&Outcome::Returned));
        assert!(Words::Message(None).are_those_of(&threw("Error", None)));
        assert!(!Words::Message(None).are_those_of(&threw("Error", Some("one"))));
        assert!(Words::Any.are_those_of(&Outcome::Returned));
    }
}
