//! Answers of the solver: lists of words.

use std::fmt::Write as _;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Sexp {
    Word(String),
    Text(String),
    List(Vec<Sexp>),
}

impl Sexp {
    /// The first expression of the text; `None` if it is not complete.
    pub(crate) fn parse(text: &str) -> Option<Sexp> {
        let mut open: Vec<Vec<Sexp>> = Vec::new();
        let mut characters = text.chars().peekable();
        loop {
            let next = characters.next()?;
            let done = match next {
                '(' => {
                    open.push(Vec::new());
                    continue;
                }
                ')' => Sexp::List(open.pop()?),
                '"' => {
                    let mut content = String::new();
                    loop {
                        match characters.next()? {
                            '"' if characters.peek() == Some(&'"') => {
                                characters.next();
                                content.push('"');
                            }
                            '"' => break,
                            other => content.push(other),
                        }
                    }
                    Sexp::Text(unescaped(&content))
                }
                space if space.is_whitespace() => continue,
                first => {
                    let mut word = String::from(first);
                    while let Some(&next) = characters.peek() {
                        if next.is_whitespace() || matches!(next, '(' | ')' | '"') {
                            break;
                        }
                        word.push(next);
                        characters.next();
                    }
                    Sexp::Word(word)
                }
            };
            match open.last_mut() {
                Some(list) => list.push(done),
                None => return Some(done),
            }
        }
    }

    pub(crate) fn list(&self) -> &[Sexp] {
        match self {
            Sexp::List(list) => list,
            _ => &[],
        }
    }

    pub(crate) fn word(&self) -> &str {
        match self {
            Sexp::Word(word) => word,
            _ => "",
        }
    }

    /// `5`, `(- 5)`
    pub(crate) fn integer(&self) -> Option<i64> {
        match self {
            Sexp::Word(word) => word.parse().ok(),
            Sexp::List(list) => match list.as_slice() {
                [Sexp::Word(minus), Sexp::Word(value)] if minus == "-" => {
                    let value: i128 = value.parse().ok()?;
                    i64::try_from(-value).ok()
                }
                _ => None,
            },
            Sexp::Text(_) => None,
        }
    }

    /// The bits of a floating point number: `(fp #b0 #b01111111111 #x0…)`, `(_ NaN 11 53)`, `(_ +zero 11 53)`.
    pub(crate) fn float_bits(&self, exponent: u32, mantissa: u32) -> Option<u64> {
        let infinity = ((1_u64 << exponent) - 1) << mantissa;
        let sign = 1_u64 << (exponent + mantissa);
        match self.list() {
            [underscore, name, ..] if underscore.word() == "_" => Some(match name.word() {
                "+oo" => infinity,
                "-oo" => infinity | sign,
                "-zero" => sign,
                "NaN" => infinity | (1 << (mantissa - 1)),
                _ => 0,
            }),
            [fp, sign, e, m] if fp.word() == "fp" => {
                let bits = |part: &Sexp| match part.word().split_at_checked(2) {
                    Some(("#b", digits)) => u64::from_str_radix(digits, 2).ok(),
                    Some(("#x", digits)) => u64::from_str_radix(digits, 16).ok(),
                    _ => None,
                };
                Some(bits(sign)? << (exponent + mantissa) | bits(e)? << mantissa | bits(m)?)
            }
            _ => None,
        }
    }
}

/// `\u{1f}` and `\x1f` are characters.
fn unescaped(text: &str) -> String {
    let mut result = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("\\u{") {
        let (before, behind) = rest.split_at(at);
        result.push_str(before);
        let code = behind.get(3..).and_then(|it| it.split_once('}'));
        let Some((digits, after)) = code else {
            rest = behind;
            break;
        };
        let character = u32::from_str_radix(digits, 16)
            .ok()
            .and_then(char::from_u32);
        result.push(character.unwrap_or('?'));
        rest = after;
    }
    result.push_str(rest);
    result
}

/// A text as the solver reads it.
pub(crate) fn quoted(text: &str) -> String {
    let mut result = String::from("\"");
    for unit in text.encode_utf16() {
        match u8::try_from(unit) {
            Ok(b'"') => result.push_str("\"\""),
            Ok(plain @ b' '..=b'~') if plain != b'\\' => result.push(char::from(plain)),
            _ => {
                let _ = write!(result, "\\u{{{unit:x}}}");
            }
        }
    }
    result.push('"');
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read() {
        let answer = Sexp::parse("((a (- 5))\n (b \"x\"\"\\u{e9}\")) rest").unwrap();
        let pairs = answer.list();
        assert_eq!(pairs[0].list()[1].integer(), Some(-5));
        assert_eq!(pairs[1].list()[1], Sexp::Text("x\"é".to_owned()));
        assert_eq!(Sexp::parse("(a (b"), None);
        let two = Sexp::parse("(fp #b0 #b10000000000 #x0000000000000)").unwrap();
        assert_eq!(two.float_bits(11, 52).map(f64::from_bits), Some(2.0));
    }

    #[test]
    fn texts_survive() {
        assert_eq!(quoted("a\"\\é"), "\"a\"\"\\u{5c}\\u{e9}\"");
    }
}
