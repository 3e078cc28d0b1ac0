//! Values that are sensitive wherever they stand, recognised by what they look like.
//!
//! Texts are looked at as one byte per UTF-16 unit, so that places in the bytes are places in the text. Most texts of a heap
//! hold nothing: one pass over their bytes tells which patterns are worth trying.

use crate::check_digits::{has_luhn_digit, iban_bytes};
use crate::credential::is_placeholder;
use crate::rules::{RuleIndex, Rules};
use crate::value_rule::ValueRule;
use aho_corasick::AhoCorasick;
use regex::bytes::{Captures, Regex};
use std::ops::Range;

/// Shorter texts hold none of them.
const SHORTEST: usize = 6;

/// What must be in a text for a pattern to be tried.
mod hint {
    pub(super) const AT: u16 = 1;
    pub(super) const DIGITS: u16 = 1 << 1;
    pub(super) const BEARER: u16 = 1 << 3;
    pub(super) const BASIC: u16 = 1 << 4;
    pub(super) const JWT: u16 = 1 << 5;
    pub(super) const PEM: u16 = 1 << 6;
    pub(super) const AWS: u16 = 1 << 7;
    pub(super) const PROVIDER: u16 = 1 << 8;
    pub(super) const ASSIGNMENT: u16 = 1 << 9;
    pub(super) const NONE: u16 = 0;
}

/// Words that hint at a pattern, in any case.
const WORDS: [(&str, u16); 25] = [
    ("bearer", hint::BEARER),
    ("basic ", hint::BASIC),
    ("eyj", hint::JWT),
    ("private key", hint::PEM),
    ("akia", hint::AWS),
    ("asia", hint::AWS),
    ("ghp_", hint::PROVIDER),
    ("gho_", hint::PROVIDER),
    ("ghu_", hint::PROVIDER),
    ("ghs_", hint::PROVIDER),
    ("ghr_", hint::PROVIDER),
    ("github_pat_", hint::PROVIDER),
    ("xox", hint::PROVIDER),
    ("aiza", hint::PROVIDER),
    ("glpat-", hint::PROVIDER),
    ("sk_live_", hint::PROVIDER),
    ("sk_test_", hint::PROVIDER),
    ("passw", hint::ASSIGNMENT),
    ("passphrase", hint::ASSIGNMENT),
    ("secret", hint::ASSIGNMENT),
    ("token", hint::ASSIGNMENT),
    ("key=", hint::ASSIGNMENT),
    ("key:", hint::ASSIGNMENT),
    ("key\"", hint::ASSIGNMENT),
    ("authorization", hint::ASSIGNMENT),
];

/// The sensitive part of a match, if it is one.
type Part = fn(&Captures<'_>) -> Option<Range<usize>>;

struct Pattern {
    expression: Regex,
    /// Which of the hints must be there; any text where none is named.
    needs: u16,
    part: Part,
    rule: RuleIndex,
}

/// All patterns of a set of rules, compiled.
pub(crate) struct Patterns {
    all: Vec<Pattern>,
    words: Option<AhoCorasick>,
    /// Some expression of the user's must be tried on every text.
    everywhere: bool,
}

/// A sensitive part of a text, in units.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) range: Range<usize>,
    pub(crate) rule: RuleIndex,
}

impl Patterns {
    pub(crate) fn of(rules: &Rules) -> Self {
        let all: Vec<Pattern> = rules
            .values()
            .into_iter()
            .filter_map(|(value, rule)| Pattern::of(value, rule))
            .collect();
        let words = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .build(WORDS.map(|(word, _)| word))
            .ok();
        Self {
            everywhere: all.iter().any(|pattern| pattern.needs == hint::NONE),
            all,
            words,
        }
    }

    /// The sensitive parts of a text, in order, none over another.
    pub(crate) fn find(&self, text: &[u8]) -> Vec<Found> {
        if self.all.is_empty() || text.len() < SHORTEST && !self.everywhere {
            return Vec::new();
        }
        let hints = self.hints(text);
        if hints == hint::NONE && !self.everywhere {
            return Vec::new();
        }
        let mut found: Vec<Found> = Vec::new();
        for pattern in &self.all {
            if pattern.needs != hint::NONE && hints & pattern.needs == 0 {
                continue;
            }
            for captures in pattern.expression.captures_iter(text) {
                let Some(range) = (pattern.part)(&captures).filter(|range| !range.is_empty())
                else {
                    continue;
                };
                let overlaps =
                    |other: &Found| other.range.start < range.end && range.start < other.range.end;
                if !found.iter().any(overlaps) {
                    found.push(Found {
                        range,
                        rule: pattern.rule,
                    });
                }
            }
        }
        found.sort_by_key(|found| found.range.start);
        found
    }

    fn hints(&self, text: &[u8]) -> u16 {
        let (mut digits, mut at, mut assigns) = (0_usize, false, false);
        for byte in text {
            digits += usize::from(byte.is_ascii_digit());
            at |= *byte == b'@';
            assigns |= matches!(byte, b'=' | b':' | b' ');
        }
        let mut hints = if at { hint::AT } else { 0 };
        if digits >= 10 {
            hints |= hint::DIGITS;
        }
        // Longer than any word in front of what it hints at, a text without separators is one word.
        if let Some(words) = &self.words
            && (assigns || text.len() >= 16)
        {
            for word in words.find_iter(text) {
                let word = WORDS.get(word.pattern().as_usize());
                hints |= word.map_or(0, |(_, hint)| *hint);
            }
        }
        hints
    }
}

impl Pattern {
    fn of(value: &ValueRule, rule: RuleIndex) -> Option<Self> {
        let (expression, needs, part): (&str, u16, Part) = match value {
            ValueRule::Expression(expression) => (expression, hint::NONE, whole),
            ValueRule::Known(name) => expression_of(name)?,
        };
        Some(Self {
            expression: Regex::new(&format!("(?-u){expression}")).ok()?,
            needs,
            part,
            rule,
        })
    }
}

fn expression_of(name: &str) -> Option<(&'static str, u16, Part)> {
    let known: (&'static str, u16, Part) = match name {
        "email" => (
            r"[A-Za-z0-9._%+\-]{1,64}@(?:[A-Za-z0-9\-]{1,63}\.){1,8}([A-Za-z]{2,24})\b",
            hint::AT,
            email,
        ),
        "iban" => (
            r"\b[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]){11,40}",
            hint::DIGITS,
            iban,
        ),
        "card" => (r"\b[2-6][0-9](?:[ \-]?[0-9]){11,17}\b", hint::DIGITS, card),
        "bearer" => (
            r"(?i)\bbearer[ \t]+([A-Za-z0-9._~+/\-]{8,}=*)",
            hint::BEARER,
            bearer,
        ),
        "basic" => (
            r"(?i)\bbasic[ \t]+([A-Za-z0-9+/]{8,}={0,2})",
            hint::BASIC,
            basic,
        ),
        "jwt" => (
            r"\beyJ[A-Za-z0-9_\-]{5,}\.[A-Za-z0-9_\-]{5,}\.[A-Za-z0-9_\-]*",
            hint::JWT,
            whole,
        ),
        "private-key" => (
            r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----([\s\S]+?)(?:-----END|\z)",
            hint::PEM,
            first,
        ),
        "aws-key" => (r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b", hint::AWS, whole),
        "provider-token" => (
            r"\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{22,}|xox[abprs]-[A-Za-z0-9\-]{10,}|AIza[A-Za-z0-9_\-]{35}|glpat-[A-Za-z0-9_\-]{20,}|sk_(?:live|test)_[A-Za-z0-9]{16,})",
            hint::PROVIDER,
            whole,
        ),
        "url-password" => (
            r"[a-z][a-z0-9+.\-]{1,20}://[^\s/:@]{0,64}:([^\s/@]{1,128})@",
            hint::AT,
            first,
        ),
        "assignment" => (
            r#"(?i)(?:password|passwd|passphrase|secret|(?:api|access|private|secret|account)[_\-. ]?key|(?:access|auth|refresh|api|session)?[_\-. ]?token|authorization)["']?(?:[ \t]*[=:][ \t]*|[ \t]+)(?:["']([^"']{4,})["']|([^\s"'&,;]{4,}))"#,
            hint::ASSIGNMENT,
            assignment,
        ),
        _ => return None,
    };
    Some(known)
}

fn whole(captures: &Captures<'_>) -> Option<Range<usize>> {
    Some(captures.get(0)?.range())
}

fn first(captures: &Captures<'_>) -> Option<Range<usize>> {
    Some(captures.get(1)?.range())
}

/// `logo@2x.png` is a picture.
fn email(captures: &Captures<'_>) -> Option<Range<usize>> {
    const FILES: [&str; 12] = [
        "png", "jpg", "jpeg", "gif", "svg", "webp", "jar", "class", "java", "js", "css", "xml",
    ];
    let top = captures.get(1)?.as_bytes();
    let is_file = FILES
        .iter()
        .any(|end| top.eq_ignore_ascii_case(end.as_bytes()));
    if is_file { None } else { whole(captures) }
}

fn iban(captures: &Captures<'_>) -> Option<Range<usize>> {
    let all = captures.get(0)?;
    let bytes = iban_bytes(all.as_bytes())?;
    Some(all.start()..all.start() + bytes)
}

fn card(captures: &Captures<'_>) -> Option<Range<usize>> {
    let all = captures.get(0)?;
    has_luhn_digit(all.as_bytes()).then(|| all.range())
}

/// Not `Bearer authentication`.
fn bearer(captures: &Captures<'_>) -> Option<Range<usize>> {
    let token = captures.get(1)?;
    let is_word = token.as_bytes().iter().all(u8::is_ascii_alphabetic);
    (!is_word || token.len() > 24).then(|| token.range())
}

/// Not `Basic authentication`: what is meant is a name, a colon and a password in base64.
fn basic(captures: &Captures<'_>) -> Option<Range<usize>> {
    let token = captures.get(1)?;
    let decoded = base64(token.as_bytes());
    decoded.contains(&b':').then(|| token.range())
}

fn base64(text: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let (mut bits, mut count) = (0_u32, 0);
    for byte in text {
        let six = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => break,
        };
        bits = (bits << 6) | u32::from(six);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    bytes
}

/// `password=hunter2`, `--api-key abc123`, `"secret": "a b c"`; not code, prose and placeholders.
fn assignment(captures: &Captures<'_>) -> Option<Range<usize>> {
    const SCHEMES: [&str; 3] = ["bearer", "basic", "digest"];
    let all = captures.get(0)?;
    let value = captures.get(1).or_else(|| captures.get(2))?;
    let text = std::str::from_utf8(value.as_bytes()).ok()?;
    let between = value.start() - all.start();
    let in_front = all.as_bytes().get(..between)?;
    let is_assigned = in_front.iter().any(|byte| b"=:\"'".contains(byte));
    // Without a sign in between it may be prose: `password required`.
    let has_digit = text.bytes().any(|byte| byte.is_ascii_digit());
    // An unambiguous word, or a value that no word is: `token: identifier` is a parser's.
    let word = String::from_utf8_lossy(in_front).to_ascii_lowercase();
    let bare_token = ![
        "pass", "secret", "key", "access", "auth", "refresh", "session", "api",
    ]
    .iter()
    .any(|sure| word.contains(sure));
    let is_code = text.contains(['(', '{', '<', '[', '$']) || text.starts_with("this.");
    let is_secret = !is_placeholder(text)
        && !is_code
        && (is_assigned || has_digit)
        && (!bare_token || crate::credential::looks_random(text))
        && !SCHEMES
            .iter()
            .any(|scheme| text.eq_ignore_ascii_case(scheme));
    is_secret.then(|| value.range())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let patterns = Patterns::of(&Rules::defaults());
        patterns
            .find(text.as_bytes())
            .into_iter()
            .map(|found| text[found.range].to_owned())
            .collect()
    }

    #[test]
    fn only_the_sensitive_part_of_a_text_is_found() {
        for (text, part) in [
            (
                "mail to bob.smith+x@mail.example.org, please",
                "bob.smith+x@mail.example.org",
            ),
            (
                "IBAN DE89 3704 0044 0532 0130 00 THANKS",
                "DE89 3704 0044 0532 0130 00",
            ),
            ("card 4111-1111-1111-1111 declined", "4111-1111-1111-1111"),
            ("Authorization: Bearer abc.DEF-123456", "abc.DEF-123456"),
            ("Basic dXNlcjpodW50ZXIy", "dXNlcjpodW50ZXIy"),
            ("key AKIAIOSFODNN7EXAMPLE used", "AKIAIOSFODNN7EXAMPLE"),
            ("jdbc:postgresql://bob:hunter2@db/x", "hunter2"),
            ("url?user=bob&password=hunter2&x=1", "hunter2"),
            ("Main --db-password hunter2 --verbose", "hunter2"),
            (r#"{"apiKey": "a b c d"}"#, "a b c d"),
            (
                "ghp_0123456789abcdefghijABCDEFGHIJ012345",
                "ghp_0123456789abcdefghijABCDEFGHIJ012345",
            ),
        ] {
            assert_eq!(found(text), [part], "{text}");
        }
        let jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dBjftJeZ4CVP";
        assert_eq!(found(&format!("token {jwt}!")), [jwt]);
        // In two pieces, so that nobody's scanner takes it for a key.
        let pem = concat!(
            "-----BEGIN RSA ",
            "PRIVATE KEY-----\nMIIEabc\n-----END RSA PRIVATE KEY-----"
        );
        assert_eq!(found(pem), ["\nMIIEabc\n"]);
    }

    #[test]
    fn what_only_resembles_them_is_left_alone() {
        for text in [
            "logo@2x.png",
            "com.acme.Order@1a2b3c4d",
            "4111-1111-1111-1112",
            "1700000000000",
            "DE88370400440532013000",
            "Bearer authentication",
            "Basic authentication is off",
            "password required",
            "password: String",
            "password=null",
            "password = getPassword()",
            "unexpected token: identifier",
            "token 'endif' expected",
            "key=value",
            "@Override public String toString()",
        ] {
            assert_eq!(found(text), Vec::<String>::new(), "{text}");
        }
    }
}
