//! What has to happen again.

use recrash_classfile::is_of_jdk;
use recrash_wire::synth::Line;

/// An exception as it came out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Thrown {
    pub(crate) class: String,
    pub(crate) message: Option<String>,
    /// The innermost first.
    pub(crate) trace: Vec<Place>,
}

/// A line of a trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) class: String,
    pub(crate) method: String,
    pub(crate) line: i32,
}

impl Thrown {
    pub(crate) fn new(class: String, message: Option<String>, trace: &[Line]) -> Thrown {
        let place = |line: &Line| Place {
            class: line.class_name.clone(),
            method: line.method.clone(),
            line: line.line,
        };
        Thrown {
            class,
            message,
            trace: trace.iter().map(place).collect(),
        }
    }

    /// The first frame outside of the JDK.
    pub(crate) fn place(&self) -> Option<&Place> {
        self.trace.iter().find(|place| !is_of_jdk(&place.class))
    }

    /// The same exception at the same place. What is recursive fails at any depth; messages may tell values.
    pub(crate) fn is_like(&self, other: &Thrown) -> bool {
        self.class == other.class
            && self.place() == other.place()
            && self.trace.first() == other.trace.first()
    }

    /// The JVM throws it by itself where code does what it cannot have meant. Others are thrown on purpose, and rightly so where the
    /// arguments are other ones.
    pub(crate) fn is_of_the_jvm(&self) -> bool {
        let thrown_by_itself = match self.class.as_str() {
            "java.lang.ArithmeticException" => self.message.as_deref() == Some("/ by zero"),
            class => BY_ITSELF.contains(&class),
        };
        thrown_by_itself && self.trace.first().is_some_and(|top| !is_of_jdk(&top.class))
    }
}

const BY_ITSELF: [&str; 6] = [
    "java.lang.NullPointerException",
    "java.lang.ArrayIndexOutOfBoundsException",
    "java.lang.ClassCastException",
    "java.lang.NegativeArraySizeException",
    "java.lang.ArrayStoreException",
    "java.lang.StackOverflowError",
];
