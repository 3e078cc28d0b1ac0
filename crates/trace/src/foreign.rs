//! Traces of other languages, so that nobody searches a jar for them.

/// A sign that stands at the start of a line, after blanks, and whose it is.
const SIGNS: [(&str, &str); 7] = [
    ("Traceback (most recent call last)", "Python"),
    ("goroutine ", "Go"),
    ("thread 'main' panicked at", "Rust"),
    ("stack backtrace:", "Rust"),
    ("Unhandled exception. System.", ".NET"),
    ("System.NullReferenceException", ".NET"),
    ("PHP Fatal error:", "PHP"),
];

/// The language of a trace that no JVM printed, where it can be told.
pub fn foreign_language(text: &str) -> Option<&'static str> {
    text.lines().find_map(|line| {
        let line = line.trim_start();
        let sign = SIGNS.iter().find(|(sign, _)| line.starts_with(sign));
        sign.map(|(_, language)| *language)
            .or_else(|| script_frame(line).then_some("JavaScript"))
    })
}

/// `at f (/srv/app.js:10:5)`: two numbers, and a name with a blank behind it.
fn script_frame(line: &str) -> bool {
    let place = line
        .strip_prefix("at ")
        .and_then(|frame| frame.trim_end().strip_suffix(')'))
        .and_then(|frame| frame.rsplit_once(" ("))
        .map(|(_, place)| place);
    place.is_some_and(|place| {
        let mut numbers = place.rsplit(':').map(|part| part.parse::<u32>().is_ok());
        numbers.next() == Some(true) && numbers.next() == Some(true)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_told_by_their_signs() {
        let python = "Traceback (most recent call last):\n  File \"a.py\", line 3, in <module>";
        assert_eq!(foreign_language(python), Some("Python"));
        let script = "TypeError: x is undefined\n    at shop.open (/srv/shop.js:10:5)";
        assert_eq!(foreign_language(script), Some("JavaScript"));
        let java = "java.lang.Error\n\tat com.acme.Shop.open(Shop.java:12)";
        assert_eq!(foreign_language(java), None);
    }
}
