//! What an exception's message gives away about the values that were there.

/// A fact about the values at the throw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Evidence {
    /// An index that was not within its bounds.
    Index(Limits),
    /// `begin` or `end` of a part was not within its bounds.
    Range {
        begin: Option<i64>,
        end: Option<i64>,
        length: Option<i64>,
    },
    /// The length that an array was to have.
    NegativeLength(i64),
    /// The text that is no number; `None` for null.
    NoNumber(Option<String>),
    Cast {
        /// Class names as in Java source, arrays as in descriptors.
        from: String,
        to: String,
    },
    /// The class of what does not fit into an array.
    Store(String),
    DivisionByZero,
    Null {
        used: NullUse,
        /// What was null, in the words of the JVM: `this.name`, `<parameter1>`, `the return value of "A.b()"`.
        what: Option<String>,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    pub index: i64,
    pub length: Option<i64>,
}

/// What was done with a null.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NullUse {
    /// `java.lang.String.length()`
    Invoke(String),
    ReadField(String),
    WriteField(String),
    ReadElement,
    WriteElement,
    ArrayLength,
    Throw,
    Lock,
}

impl Evidence {
    /// What `message` of an exception of the JDK's `class` gives away.
    pub fn of(class: &str, message: Option<&str>) -> Option<Evidence> {
        match class {
            "java.lang.ArrayIndexOutOfBoundsException"
            | "java.lang.IndexOutOfBoundsException"
            | "java.lang.StringIndexOutOfBoundsException" => bounds(message?),
            "java.lang.NegativeArraySizeException" => {
                Some(Evidence::NegativeLength(number_at(message?)?))
            }
            "java.lang.NumberFormatException" => no_number(message),
            "java.lang.ClassCastException" => cast(message?),
            "java.lang.ArrayStoreException" => Some(Evidence::Store(message?.trim().to_owned())),
            "java.lang.ArithmeticException" => message?
                .contains("by zero")
                .then_some(Evidence::DivisionByZero),
            "java.lang.NullPointerException" => null(message?),
            _ => None,
        }
    }
}

/// The first number at the start of `text`.
fn number_at(text: &str) -> Option<i64> {
    let text = text.trim_start();
    let digits = text.strip_prefix('-').unwrap_or(text);
    let end = digits
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(digits.len());
    let sign = text.len() - digits.len();
    text.get(..sign + end)?.parse().ok()
}

/// The number behind the first of `words` that occurs, whatever stands between them.
fn number_behind(text: &str, words: &[&str]) -> Option<i64> {
    let lower = text.to_ascii_lowercase();
    words.iter().find_map(|word| {
        let at = lower.find(word)? + word.len();
        let rest = text.get(at..)?;
        number_at(rest.trim_start_matches([':', '=', ' ', '(']))
    })
}

/// `Index 5 out of bounds for length 3`, `Index: 3, Size: 2`, `String index out of range: -1`, `begin 0, end 9, length 3`,
/// `Range [0, 5) out of bounds for length 3`, and only `28` from older JVMs.
fn bounds(message: &str) -> Option<Evidence> {
    let length = number_behind(message, &["length", "size"]);
    if let Some((_, range)) = message.split_once("Range [") {
        let (begin, end) = range.split_once(',')?;
        return Some(Evidence::Range {
            begin: number_at(begin),
            end: number_at(end),
            length,
        });
    }
    let begin = number_behind(message, &["begin", "fromindex", "start", "offset"]);
    let end = number_behind(message, &["end", "toindex"]);
    if begin.is_some() || end.is_some() {
        return Some(Evidence::Range { begin, end, length });
    }
    let index =
        number_at(message).or_else(|| number_behind(message, &["out of range", "index"]))?;
    Some(Evidence::Index(Limits { index, length }))
}

/// `For input string: "12x"`, with a radix behind it in newer JVMs; `null`; `empty String`.
fn no_number(message: Option<&str>) -> Option<Evidence> {
    let message = message?;
    if let Some((_, rest)) = message.split_once("For input string: \"") {
        let (text, _) = rest.rsplit_once('"')?;
        return Some(Evidence::NoNumber(Some(text.to_owned())));
    }
    match message.trim() {
        "null" | "Cannot parse null string" | "Cannot parse null string: null" => {
            Some(Evidence::NoNumber(None))
        }
        "empty String" | "Zero length BigInteger" => Some(Evidence::NoNumber(Some(String::new()))),
        _ => None,
    }
}

/// `class A cannot be cast to class B (A is in …)`, `A cannot be cast to B`.
fn cast(message: &str) -> Option<Evidence> {
    let (from, rest) = message.split_once(" cannot be cast to ")?;
    let name = |text: &str| {
        let text = text.trim();
        let text = text.strip_prefix("class ").unwrap_or(text);
        let end = text.find(' ').unwrap_or(text.len());
        text.get(..end).map(str::to_owned)
    };
    Some(Evidence::Cast {
        from: name(from)?,
        to: name(rest)?,
    })
}

/// `Cannot invoke "String.length()" because "this.name" is null`.
fn null(message: &str) -> Option<Evidence> {
    let message = message.trim();
    let (done, reason) = match message.split_once(" because ") {
        Some((done, reason)) => (done, reason.strip_suffix(" is null")),
        None => (message, None),
    };
    let done = done.strip_prefix("Cannot ")?;
    let quoted = || {
        let (_, rest) = done.split_once('"')?;
        let (name, _) = rest.rsplit_once('"')?;
        Some(name.to_owned())
    };
    let used = if done.starts_with("invoke ") {
        NullUse::Invoke(quoted()?)
    } else if done.starts_with("read field ") {
        NullUse::ReadField(quoted()?)
    } else if done.starts_with("assign field ") {
        NullUse::WriteField(quoted()?)
    } else if done.starts_with("load from ") {
        NullUse::ReadElement
    } else if done.starts_with("store to ") {
        NullUse::WriteElement
    } else if done.starts_with("read the array length") {
        NullUse::ArrayLength
    } else if done.starts_with("throw exception") {
        NullUse::Throw
    } else if done.contains("synchronized block") {
        NullUse::Lock
    } else {
        return None;
    };
    let what = reason.map(|reason| {
        let bare = reason.strip_prefix('"').and_then(|it| it.strip_suffix('"'));
        bare.unwrap_or(reason).to_owned()
    });
    Some(Evidence::Null { used, what })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(class: &str, message: &str) -> Option<Evidence> {
        Evidence::of(&format!("java.lang.{class}"), Some(message))
    }

    #[test]
    fn bounds_of_all_jvms_are_read() {
        let index = |index, length| Some(Evidence::Index(Limits { index, length }));
        let array = "ArrayIndexOutOfBoundsException";
        assert_eq!(of(array, "28"), index(28, None));
        assert_eq!(
            of(array, "Index 5 out of bounds for length 3"),
            index(5, Some(3))
        );
        assert_eq!(
            of("IndexOutOfBoundsException", "Index: 3, Size: 2"),
            index(3, Some(2))
        );
        let string = "StringIndexOutOfBoundsException";
        assert_eq!(of(string, "String index out of range: -1"), index(-1, None));
        assert_eq!(of(string, "index -1,length 0"), index(-1, Some(0)));
        assert_eq!(
            of(string, "begin 0, end -1, length 3"),
            Some(Evidence::Range {
                begin: Some(0),
                end: Some(-1),
                length: Some(3)
            })
        );
        assert_eq!(
            of(string, "Range [2, 5) out of bounds for length 4"),
            Some(Evidence::Range {
                begin: Some(2),
                end: Some(5),
                length: Some(4)
            })
        );
        assert_eq!(of(array, "no such thing"), None);
    }

    #[test]
    fn numbers_casts_and_stores_name_their_values() {
        let number = |text: &str| Some(Evidence::NoNumber(Some(text.to_owned())));
        let format = "NumberFormatException";
        assert_eq!(of(format, "For input string: \"a\"b\""), number("a\"b"));
        assert_eq!(
            of(format, "For input string: \"xyz\" under radix 16"),
            number("xyz")
        );
        assert_eq!(of(format, "null"), Some(Evidence::NoNumber(None)));
        let cast = Some(Evidence::Cast {
            from: "java.lang.String".to_owned(),
            to: "com.acme.Shop".to_owned(),
        });
        let old = "java.lang.String cannot be cast to com.acme.Shop";
        let new = "class java.lang.String cannot be cast to class com.acme.Shop (java.lang.String is in module java.base)";
        assert_eq!(of("ClassCastException", old), cast);
        assert_eq!(of("ClassCastException", new), cast);
        assert_eq!(
            of("NegativeArraySizeException", "-7"),
            Some(Evidence::NegativeLength(-7))
        );
        assert_eq!(
            of("ArithmeticException", "/ by zero"),
            Some(Evidence::DivisionByZero)
        );
    }

    #[test]
    fn helpful_messages_name_the_null() {
        let null = |message: &str| of("NullPointerException", message);
        assert_eq!(
            null("Cannot invoke \"String.length()\" because \"this.name\" is null"),
            Some(Evidence::Null {
                used: NullUse::Invoke("String.length()".to_owned()),
                what: Some("this.name".to_owned())
            })
        );
        assert_eq!(
            null(
                "Cannot read field \"next\" because the return value of \"com.acme.Shop.door(int)\" is null"
            ),
            Some(Evidence::Null {
                used: NullUse::ReadField("next".to_owned()),
                what: Some("the return value of \"com.acme.Shop.door(int)\"".to_owned())
            })
        );
        assert_eq!(
            null("Cannot load from int array because \"<local4>\" is null"),
            Some(Evidence::Null {
                used: NullUse::ReadElement,
                what: Some("<local4>".to_owned())
            })
        );
        assert_eq!(null("name must not be null"), None);
    }
}
