//! Numbers and texts worth trying: those of the code on the way, those the message tells of, and those at the borders.

use std::collections::BTreeSet;
use std::rc::Rc;

use recrash_classfile::text;
use recrash_program::{Constant, MethodId, Op, Program, Ssa};
use recrash_trace::Evidence;

use crate::random::Random;

#[derive(Debug, Default)]
pub(crate) struct Seeds {
    /// From the code and the message.
    integers: Vec<i64>,
    texts: Vec<Rc<str>>,
    doubles: Vec<f64>,
    /// Numbers of the code that may be letters it looks for.
    letters: Vec<char>,
    /// How long texts have to be, as far as the message tells.
    lengths: Vec<usize>,
}

const BORDERS: [i64; 12] = [
    0,
    1,
    -1,
    2,
    3,
    10,
    16,
    100,
    i32::MAX as i64,
    i32::MIN as i64,
    i64::MAX,
    i64::MIN,
];
const TEXTS: [&str; 10] = ["", " ", "a", "A", "abc", "0", "1", "-1", "a b", "/"];

impl Seeds {
    /// Of the methods on the way, and of what an exception's message gives away.
    pub(crate) fn of(
        program: &Program,
        methods: impl IntoIterator<Item = MethodId>,
        evidence: Option<&Evidence>,
        message: Option<&str>,
    ) -> Seeds {
        let mut integers = BTreeSet::new();
        let mut texts = BTreeSet::new();
        let mut doubles: Vec<f64> = Vec::new();
        for method in methods {
            let Ok(Some(ssa)) = Ssa::of(program, method) else {
                continue;
            };
            for value in &ssa.values {
                match &value.op {
                    Op::Constant(Constant::Int(number)) => {
                        integers.insert(i64::from(*number));
                    }
                    Op::Constant(Constant::Long(number)) => {
                        integers.insert(*number);
                    }
                    Op::Constant(Constant::Float(number)) => doubles.push(f64::from(*number)),
                    Op::Constant(Constant::Double(number)) => doubles.push(*number),
                    Op::Constant(Constant::String(string)) => {
                        texts.insert(text(string));
                    }
                    _ => {}
                }
            }
        }
        match evidence {
            Some(Evidence::Index(limits)) => {
                integers.extend([limits.index]);
                integers.extend(limits.length);
            }
            Some(Evidence::Range { begin, end, length }) => {
                integers.extend([begin, end, length].into_iter().flatten());
            }
            Some(Evidence::NegativeLength(length)) => {
                integers.insert(*length);
            }
            Some(Evidence::NoNumber(Some(number))) => {
                texts.insert(number.clone());
            }
            _ => {}
        }
        for part in message.into_iter().flat_map(quoted) {
            texts.insert(part);
        }
        let lengths = match evidence {
            // One too far is the commonest way out of bounds.
            Some(Evidence::Index(limits)) => {
                vec![limits.index, limits.length.unwrap_or(limits.index)]
            }
            Some(Evidence::Range { begin, end, length }) => [begin, end, length]
                .into_iter()
                .flatten()
                .copied()
                .collect(),
            _ => Vec::new(),
        };
        let lengths = lengths
            .into_iter()
            .filter_map(|length| usize::try_from(length).ok());
        let letter = |number: &i64| {
            u8::try_from(*number)
                .ok()
                .filter(|byte| (b' '..=b'~').contains(byte))
        };
        Seeds {
            letters: integers.iter().filter_map(letter).map(char::from).collect(),
            integers: integers.into_iter().collect(),
            texts: texts.into_iter().map(Rc::from).collect(),
            doubles,
            lengths: lengths.filter(|length| *length < 100).collect(),
        }
    }

    pub(crate) fn integer(&self, random: &mut Random) -> i64 {
        let near = |number: Option<&i64>, random: &mut Random| {
            let by = *random.choose(&[0, 0, 0, 1, -1]).unwrap_or(&0);
            number.map_or(0, |number| number.wrapping_add(by))
        };
        match random.below(10) {
            0..4 if !self.integers.is_empty() => {
                let number = random.choose(&self.integers).copied();
                near(number.as_ref(), random)
            }
            4..8 => random.choose(&BORDERS).copied().unwrap_or(0),
            8 => random.below(256) as i64 - 128,
            _ => random.next() as i64,
        }
    }

    pub(crate) fn double(&self, random: &mut Random) -> f64 {
        const BORDERS: [f64; 9] = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.5,
            f64::NAN,
            f64::INFINITY,
            f64::MAX,
            f64::MIN_POSITIVE,
        ];
        match random.below(10) {
            0..4 if !self.doubles.is_empty() => {
                random.choose(&self.doubles).copied().unwrap_or(0.0)
            }
            4..8 => random.choose(&BORDERS).copied().unwrap_or(0.0),
            _ => f64::from(self.integer(random) as i32),
        }
    }

    pub(crate) fn text(&self, random: &mut Random) -> Rc<str> {
        match random.below(10) {
            0..4 if !self.texts.is_empty() => {
                random.choose(&self.texts).cloned().unwrap_or_default()
            }
            4..7 => Rc::from(*random.choose(&TEXTS).unwrap_or(&"")),
            7 => {
                // Two together: a prefix and what follows it.
                let one = random.choose(&self.texts).cloned().unwrap_or_default();
                let other = random.choose(&TEXTS).copied().unwrap_or_default();
                format!("{one}{other}").into()
            }
            _ => {
                let known = random
                    .choose(&self.lengths)
                    .copied()
                    .filter(|_| random.chance(60));
                let length = known.unwrap_or_else(|| random.below(8));
                (0..length)
                    .map(|_| self.letter(random))
                    .collect::<String>()
                    .into()
            }
        }
    }

    /// One that the code looks for, or any.
    pub(crate) fn letter(&self, random: &mut Random) -> char {
        match random.choose(&self.letters) {
            Some(letter) if random.chance(70) => *letter,
            _ => char::from(b' ' + random.below(95) as u8),
        }
    }
}

/// What stands in quotes or brackets in a message, and the words at its end: values of the program.
fn quoted(message: &str) -> Vec<String> {
    let mut parts = Vec::new();
    for (open, close) in [('"', '"'), ('\'', '\''), ('[', ']'), ('<', '>'), ('(', ')')] {
        let mut rest = message;
        while let Some((_, behind)) = rest.split_once(open) {
            let Some((part, after)) = behind.split_once(close) else {
                break;
            };
            parts.push(part.to_owned());
            rest = after;
        }
    }
    if let Some((_, last)) = message.rsplit_once(": ") {
        parts.push(last.trim().to_owned());
    }
    parts.retain(|part| !part.is_empty() && part.len() <= 200);
    parts
}
