use thiserror::Error;

/// Why rules cannot be used, or a snapshot cannot be redacted.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Error {
    #[error(
        "line {line}: \"{word}\" is no kind of redaction; a rule begins with drop, mask, hash or keep"
    )]
    UnknownKind { line: usize, word: String },
    #[error(
        "line {line}: \"{word}\" is nothing that a rule can name; after its kind comes field, value, type, package or annotation"
    )]
    UnknownSubject { line: usize, word: String },
    #[error("line {line}: the rule ends too early; write for example \"mask field password\"")]
    Incomplete { line: usize },
    #[error("line {line}: \"{rest}\" is more than a rule has; a name has no spaces")]
    TooLong { line: usize, rest: String },
    #[error(
        "line {line}: \"{name}\" is no value pattern; known are {known}, and regular expressions between slashes: /EMP-[0-9]+/"
    )]
    UnknownPattern {
        line: usize,
        name: String,
        known: String,
    },
    #[error("line {line}: the regular expression cannot be used: {reason}")]
    BadExpression { line: usize, reason: String },
    #[error("line {line}: \"{name}\" has no letter to be recognised by")]
    EmptyName { line: usize, name: String },
    #[error(transparent)]
    Heap(#[from] recrash_heap::Error),
}
