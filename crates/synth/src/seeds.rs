//! Numbers and texts worth trying: those of the code on the way, those the message tells of, and those at the borders.

use std::collections::HashSet;
use std::sync::Arc;

use recrash_program::{MethodId, Program, Ssa};
use recrash_symbolic::{Input, Precondition};
use recrash_trace::Evidence;

use crate::constants::Constants;
use crate::random::Random;

#[derive(Debug, Default)]
pub(crate) struct Seeds {
    /// From the code and the message.
    integers: Vec<i64>,
    texts: Vec<Arc<str>>,
    doubles: Vec<f64>,
    /// Numbers of the code that may be letters it looks for.
    letters: Vec<char>,
    /// Classes that the code casts to or asks for, by descriptor.
    types: Vec<Arc<str>>,
    /// Classes that the code names as objects, by descriptor.
    classes: Vec<Arc<str>>,
    /// From snapshots and code that the user gave.
    given_texts: Vec<Arc<str>>,
    given_integers: Vec<i64>,
    /// From messages of exceptions that programs met.
    learned: Vec<Arc<str>>,
    heard: HashSet<String>,
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
/// Learned texts beyond these are too many to try.
const MOST_LEARNED: usize = 100;
const TEXTS: [&str; 10] = ["", " ", "a", "A", "abc", "0", "1", "-1", "a b", "/"];

impl Seeds {
    /// Of the methods on the way, and of what an exception's message gives away.
    pub(crate) fn of(
        program: &Program,
        methods: impl IntoIterator<Item = MethodId>,
        evidence: Option<&Evidence>,
        message: Option<&str>,
    ) -> Seeds {
        let mut constants = Constants::default();
        for method in methods {
            if let Ok(Some(ssa)) = Ssa::of(program, method) {
                constants.add(program, &ssa);
            }
        }
        let Constants {
            mut integers,
            mut texts,
            doubles,
            types,
            classes,
        } = constants;
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
            given_texts: Vec::new(),
            given_integers: Vec::new(),
            learned: Vec::new(),
            heard: HashSet::new(),
            letters: integers.iter().filter_map(letter).map(char::from).collect(),
            integers: integers.into_iter().collect(),
            texts: texts.into_iter().map(Arc::from).collect(),
            doubles,
            types: types.into_iter().map(Arc::from).collect(),
            classes: classes.into_iter().map(Arc::from).collect(),
            lengths: lengths.filter(|length| *length < 100).collect(),
        }
    }

    /// Messages tell what code wants: names of settings, formats, choices.
    pub(crate) fn learn(&mut self, message: &str) {
        if self.learned.len() >= MOST_LEARNED || !self.heard.insert(message.to_owned()) {
            return;
        }
        let is_name = |word: &&str| {
            let inside = word.get(1..word.len().saturating_sub(1)).unwrap_or("");
            inside.contains(['.', '-', '_']) && word.len() < 60
        };
        let words = message
            .split(|c: char| c.is_whitespace() || "[]()'\",;:".contains(c))
            .filter(is_name)
            .map(str::to_owned);
        for text in quoted(message).into_iter().chain(words) {
            let text: Arc<str> = text.into();
            if !self.texts.contains(&text) && !self.learned.contains(&text) {
                self.learned.push(text);
            }
        }
    }

    /// What the user gave.
    pub(crate) fn give(&mut self, given: &Constants) {
        self.given_texts = given
            .texts
            .iter()
            .map(|text| text.as_str().into())
            .collect();
        self.given_integers = given.integers.iter().copied().collect();
    }

    /// What the solver found to be worth trying.
    pub(crate) fn take(&mut self, precondition: &Precondition) {
        for value in precondition.values() {
            match value {
                Input::Int(number) => self.integers.push(i64::from(*number)),
                Input::Long(number) => self.integers.push(*number),
                Input::Float(number) => self.doubles.push(f64::from(*number)),
                Input::Double(number) => self.doubles.push(*number),
                Input::Text(text) => self.texts.push(text.as_str().into()),
                _ => {}
            }
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
            4 if !self.given_integers.is_empty() => {
                random.choose(&self.given_integers).copied().unwrap_or(0)
            }
            4..8 => random.choose(&BORDERS).copied().unwrap_or(0),
            8 => random.below(256) as i64 - 128,
            _ => random.next() as i64,
        }
    }

    pub(crate) fn types(&self) -> &[Arc<str>] {
        &self.types
    }

    /// Descriptor of a class that is wanted as an object.
    pub(crate) fn class(&self, random: &mut Random) -> Arc<str> {
        const ANY: [&str; 4] = ["Ljava/lang/String;", "Ljava/lang/Object;", "I", "[I"];
        let known = [&self.classes, &self.types].into_iter().flatten();
        let known: Vec<&Arc<str>> = known.collect();
        match random.choose(&known) {
            Some(known) if random.chance(60) => Arc::clone(known),
            _ => (*random.choose(&ANY).unwrap_or(&"I")).into(),
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

    pub(crate) fn text(&self, random: &mut Random) -> Arc<str> {
        match random.below(10) {
            0..4 if !self.texts.is_empty() => {
                random.choose(&self.texts).cloned().unwrap_or_default()
            }
            4 if !self.learned.is_empty() => {
                random.choose(&self.learned).cloned().unwrap_or_default()
            }
            5 if !self.given_texts.is_empty() => random
                .choose(&self.given_texts)
                .cloned()
                .unwrap_or_default(),
            4..7 => Arc::from(*random.choose(&TEXTS).unwrap_or(&"")),
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
