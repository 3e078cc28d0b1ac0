//! Names as people read them: `apiKey`, `API_KEY` and `api-key` are the words *api*, *key*.
//!
//! A name is about what its last word says: a `passwordEncoder` is an encoder, a `tokenizer` no token. Words that only say in
//! which form something is there (`passwordHash`, `secretBytes`) do not count as last.

/// Words behind which the thing itself stands.
const CARRIERS: [&str; 34] = [
    "value",
    "values",
    "text",
    "string",
    "str",
    "data",
    "number",
    "no",
    "nr",
    "num",
    "code",
    "hash",
    "digest",
    "bytes",
    "chars",
    "array",
    "buffer",
    "plain",
    "raw",
    "hex",
    "base64",
    "encoded",
    "decoded",
    "encrypted",
    "decrypted",
    "header",
    "headers",
    "param",
    "parameter",
    "property",
    "prop",
    "arg",
    "list",
    "map",
];

/// Lower-case words; digits at the end of a word do not count.
pub(crate) fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut characters = name.chars().peekable();
    let mut before: Option<char> = None;
    while let Some(character) = characters.next() {
        let starts = match before {
            // fooBar, and the last capital of HTTPServer.
            Some(before) if character.is_uppercase() => {
                !before.is_uppercase() || characters.peek().is_some_and(|next| next.is_lowercase())
            }
            _ => false,
        };
        if !character.is_alphanumeric() || starts {
            finish(&mut word, &mut words);
        }
        if character.is_alphanumeric() {
            word.extend(character.to_lowercase());
        }
        before = character.is_alphanumeric().then_some(character);
    }
    finish(&mut word, &mut words);
    words
}

fn finish(word: &mut String, words: &mut Vec<String>) {
    let taken = std::mem::take(word);
    let bare = taken.trim_end_matches(|digit: char| digit.is_ascii_digit());
    let kept = if bare.is_empty() || CARRIERS.contains(&taken.as_str()) {
        taken.as_str()
    } else {
        bare
    };
    if !kept.is_empty() {
        words.push(kept.to_owned());
    }
}

/// The words without what separates them, which is how rules are kept.
pub(crate) fn joined(name: &str) -> String {
    words(name).concat()
}

/// What the name may be about, longest first within each step: the ends of it, then the same without a carrier word.
pub(crate) fn readings(name: &str) -> Vec<String> {
    let mut words = words(name);
    // `secretsByTenant` are secrets.
    if let Some(by) = words.iter().skip(1).position(|word| word == "by") {
        words.truncate(by + 1);
    }
    let mut readings = Vec::new();
    loop {
        for start in 0..words.len() {
            let end = words.get(start..).unwrap_or_default().concat();
            if let Some(one) = singular(&end) {
                readings.push(one.to_owned());
            }
            readings.push(end);
        }
        let is_carrier = |word: &String| CARRIERS.contains(&word.as_str());
        if words.len() < 2 || !words.last().is_some_and(is_carrier) {
            return readings;
        }
        words.pop();
    }
}

fn singular(word: &str) -> Option<&str> {
    word.strip_suffix('s').filter(|one| !one.ends_with('s'))
}

/// Whether a name matches a glob; both without separators and case.
pub(crate) fn is_like(name: &str, glob: &str) -> bool {
    let mut parts = glob.split('*');
    let Some(mut rest) = parts.next().and_then(|first| name.strip_prefix(first)) else {
        return false;
    };
    let mut last = None;
    for part in parts {
        if let Some(middle) = last.replace(part) {
            let Some((_, behind)) = rest.split_once(middle) else {
                return false;
            };
            rest = behind;
        }
    }
    last.map_or(rest.is_empty(), |end| rest.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_and_separators_do_not_matter() {
        for name in [
            "apiKey",
            "API_KEY",
            "api-key",
            "api.key",
            "ApiKey",
            "APIKey",
            "val$apiKey",
            "api key2",
        ] {
            assert!(
                readings(name).contains(&"apikey".to_owned()),
                "{name}: {:?}",
                readings(name)
            );
        }
    }

    #[test]
    fn a_name_is_about_its_last_word() {
        let about = |name: &str, what: &str| readings(name).contains(&what.to_owned());
        assert!(about("userPassword", "password"));
        assert!(about("passwordHash", "password"));
        assert!(about("passwords", "password"));
        assert!(about("secretsByTenant", "secret"));
        assert!(about("cardNumber", "cardnumber"));
        assert!(about("X-Auth-Token", "authtoken"));
        for (name, what) in [
            ("monkey", "key"),
            ("tokenizer", "token"),
            ("keySet", "key"),
            ("cardinality", "card"),
            ("passwordEncoder", "password"),
            ("tokenCount", "token"),
            ("discard", "card"),
            ("compass", "pass"),
        ] {
            assert!(!about(name, what), "{name}: {:?}", readings(name));
        }
    }

    #[test]
    fn globs_stand_for_anything() {
        assert!(is_like("mysecretthing", "*secret*"));
        assert!(is_like("secret", "*secret*"));
        assert!(is_like("secretthing", "secret*"));
        assert!(!is_like("mysecretthing", "secret*"));
        assert!(is_like("abab", "*ab"));
        assert!(is_like("exact", "exact") && !is_like("exactly", "exact"));
    }
}
