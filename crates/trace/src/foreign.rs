//! Traces of other languages, so that nobody searches a jar for them.

/// A sign that stands at the start of a line, after blanks, and whose it is.
const SIGNS: [(&str, &str); 8] = [
    ("Traceback (most recent call last)", "Python"),
    ("goroutine ", "Go"),
    ("panic: runtime error:", "Go"),
    ("stack backtrace:", "Rust"),
    ("Unhandled exception. ", ".NET"),
    ("Unhandled Exception: System.", ".NET"),
    ("PHP Fatal error:", "PHP"),
    ("Fatal error: Uncaught ", "PHP"),
];

/// The language of a trace that no JVM printed, where it can be told.
pub fn foreign_language(text: &str) -> Option<&'static str> {
    text.lines().find_map(|line| {
        let line = line.trim();
        let sign = SIGNS.iter().find(|(sign, _)| line.starts_with(sign));
        sign.map(|(_, language)| *language)
            .or_else(|| by_form(line))
    })
}

/// What lines of its kind look like.
fn by_form(line: &str) -> Option<&'static str> {
    let is_rust = line.starts_with("thread '") && line.contains("' panicked at");
    let is_dotnet = (line.starts_with("at ") && line.contains(":line "))
        || (line.starts_with("System.") && line.contains("Exception"));
    let is_ruby = line.contains(".rb:") && line.contains(":in ");
    let is_native = line.starts_with('#') && line.contains(" in ") && line.contains("0x");
    [
        (is_rust, "Rust"),
        (is_dotnet, ".NET"),
        (is_ruby, "Ruby"),
        (is_native, "native code"),
        (script_frame(line), "JavaScript"),
    ]
    .into_iter()
    .find_map(|(is, language)| is.then_some(language))
}

/// `at f (/srv/app.js:10:5)`, `at /srv/app.js:10:5`, `f@http://acme.com/app.js:10:5`: a place with two numbers.
fn script_frame(line: &str) -> bool {
    let place = match line.strip_prefix("at ") {
        Some(frame) => match frame.strip_suffix(')') {
            Some(frame) => frame.rsplit_once(" (").map(|(_, place)| place),
            None => Some(frame),
        },
        None => line.split_once('@').map(|(_, place)| place),
    };
    let place = place.filter(|place| !place.contains(' '));
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
        for (text, language) in [
            (
                "Traceback (most recent call last):\n  File \"a.py\", line 3, in <module>",
                "Python",
            ),
            (
                "TypeError: x is undefined\n    at shop.open (/srv/shop.js:10:5)",
                "JavaScript",
            ),
            ("Error: no\n    at file:///srv/shop.mjs:10:5", "JavaScript"),
            ("open@https://acme.com/shop.js:10:5", "JavaScript"),
            (
                "panic: runtime error: index out of range [3]\n\ngoroutine 1 [running]:\nmain.main()",
                "Go",
            ),
            (
                "System.InvalidOperationException: no\n   at Acme.Shop.Open(String name)",
                ".NET",
            ),
            (
                "   at Acme.Shop.Open(String name) in C:\\Shop.cs:line 12",
                ".NET",
            ),
            ("thread 'worker' panicked at src/main.rs:3:5:\nno", "Rust"),
            ("shop.rb:3:in `open': no (RuntimeError)", "Ruby"),
            ("#1  0x00007f in open () at shop.c:12", "native code"),
        ] {
            assert_eq!(foreign_language(text), Some(language), "{text}");
            assert_eq!(crate::parse(text), [], "{text}");
        }
        let java = "java.lang.Error\n\tat com.acme.Shop.open(Shop.java:12)";
        assert_eq!(foreign_language(java), None);
        assert_eq!(foreign_language("mail me@acme.com at 10:30:15"), None);
    }
}
