//! Whether a text can be a secret at all.

/// What stands in a place for secrets without being one.
const PLACEHOLDERS: [&str; 16] = [
    "null",
    "none",
    "nil",
    "true",
    "false",
    "yes",
    "empty",
    "undefined",
    "unknown",
    "default",
    "password",
    "secret",
    "changeit",
    "changeme",
    "redacted",
    "string",
];

/// Nothing that anybody must not see: empty, a placeholder, or masked already.
pub(crate) fn is_placeholder(text: &str) -> bool {
    let is_masked = |character: char| "xX*0#•-. ".contains(character);
    text.chars().all(is_masked)
        || PLACEHOLDERS
            .iter()
            .any(|known| text.eq_ignore_ascii_case(known))
}

/// Whether a text looks made by a random generator: long, without spaces, of letters and digits that take turns as they do
/// in no word and no identifier.
pub(crate) fn looks_random(text: &str) -> bool {
    const SHORTEST: usize = 16;
    const LONGEST: usize = 4096;
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"+/=_-.~:".contains(&byte);
    if !(SHORTEST..=LONGEST).contains(&text.len()) || !text.bytes().all(allowed) {
        return false;
    }
    let class = |byte: u8| match byte {
        b'0'..=b'9' => 0,
        b'a'..=b'z' => 1,
        b'A'..=b'Z' => 2,
        _ => 3,
    };
    let classes: Vec<u8> = text.bytes().map(class).collect();
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let letters = text.bytes().filter(u8::is_ascii_alphabetic).count();
    // Between letters and digits, or between small letters and capitals; separators do not count.
    let turns = classes
        .windows(2)
        .filter(|pair| matches!(pair, [a, b] if a != b && *a != 3 && *b != 3))
        .count();
    digits >= 2 && letters >= 2 && turns * 4 >= classes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_looking_texts_are_told_from_words_and_identifiers() {
        for secret in [
            "9f86d081884c7d659a2feaa0c55ad015",
            "c2VjcmV0LXRva2VuLTEyMzQ1Ng",
            "Zx9-Qw3rT7_uI1oP5aS8dF2g",
        ] {
            assert!(looks_random(secret), "{secret}");
        }
        for other in [
            "identifier",
            "getValueOfColumn2",
            "com.acme.orders.OrderLine2",
            "/usr/lib/jvm/java-17/lib/modules",
            "2024-02-29T12:34:56.789",
            "https://example.org/items/17",
            "the key of the house",
            "12345678901234567890",
            "NullPointerException-1",
            // The key of a row, more often than not.
            "550e8400-e29b-41d4-a716-446655440000",
        ] {
            assert!(!looks_random(other), "{other}");
        }
    }

    #[test]
    fn placeholders_are_no_secrets() {
        for nothing in ["", "null", "xxxx", "****", "Xxxx-0000", "CHANGEIT"] {
            assert!(is_placeholder(nothing), "{nothing}");
        }
        assert!(!is_placeholder("hunter2"));
    }
}
