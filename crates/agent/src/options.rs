//! What follows `=` in `-agentpath:…/librecrash.so=key=value,key=value`.

use crate::kinds::{Kind, Kinds};
use crate::privacy::Wanted;
use recrash_weave::{Strategy, UnknownStrategy};
use std::path::PathBuf;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// Folder for snapshots.
    pub out: PathBuf,
    /// File for messages; standard error without it.
    pub log: Option<PathBuf>,
    pub include: Vec<String>,
    pub exclude: Vec<String>,
    pub strategy: Strategy,
    pub label: Option<String>,
    pub session: Option<String>,
    pub verbose: bool,
    /// Capture a failure again although the same fingerprint was captured in this run.
    pub repeat: bool,
    pub max_objects: u32,
    pub max_bytes: u64,
    pub max_millis: u32,
    /// Bytes that the snapshots in the folder may take together; 0 for any number.
    pub max_disk: u64,
    /// Which failures are captured, where the user has chosen.
    pub failures: Option<Kinds>,
    /// Exceptions to be captured even if they are caught: globs on types, and on the classes or methods they come from.
    pub on: Vec<String>,
    /// The list of a second look.
    pub look: Option<PathBuf>,
    /// The watch list of second chance.
    pub watch: Option<PathBuf>,
    /// What must not leave the program.
    pub privacy: Wanted,
    /// The folder of what `recrash analyze` found out about programs.
    pub advice: Option<PathBuf>,
    /// The snapshot that a second look is taken at: what it shows may be seen.
    pub known: Option<PathBuf>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            out: PathBuf::from("recrash-out"),
            log: None,
            include: Vec::new(),
            exclude: Vec::new(),
            strategy: Strategy::default(),
            label: None,
            session: None,
            verbose: false,
            repeat: false,
            max_objects: 5_000_000,
            max_bytes: 512 << 20,
            max_millis: 10_000,
            max_disk: 1 << 30,
            failures: None,
            on: Vec::new(),
            look: None,
            watch: None,
            privacy: Wanted::Defaults,
            advice: None,
            known: None,
        }
    }
}

/// A defect of the option string. The rest of the options still count.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    #[error("agent option \"{0}\" is not of the form key=value; it is ignored")]
    NotAPair(String),
    #[error(
        "agent option \"{0}\" is unknown and ignored; known are out, log, include, exclude, strategy, label, session, verbose, repeat, max-objects, max-bytes, max-millis, max-disk, failures, on, look, watch, privacy, rules, advice, known"
    )]
    Unknown(String),
    #[error("agent option {key}=\"{value}\" is not a number; it is ignored")]
    NotANumber { key: String, value: String },
    #[error(
        "agent option failures names \"{0}\"; known are uncaught, logged, futures, web, tests, with a colon between; all of them count"
    )]
    UnknownKind(String),
    #[error("{0}; the usual one is used")]
    Strategy(#[from] UnknownStrategy),
}

impl Options {
    pub fn parse(text: &str) -> (Self, Vec<OptionError>) {
        let mut options = Self::default();
        let mut errors = Vec::new();
        for pair in text.split(',').filter(|pair| !pair.is_empty()) {
            if let Err(error) = options.set(pair) {
                errors.push(error);
            }
        }
        (options, errors)
    }

    /// The kinds of failures that are captured.
    pub fn kinds(&self) -> Kinds {
        let chosen = match self.failures {
            // What is run again at the desk fails as it did; nothing else is of interest.
            _ if self.look.is_some() => return Kinds::only(Kind::Uncaught),
            Some(chosen) => chosen,
            // To hear of the others, every class would have to be looked at while it loads.
            None if self.watch.is_some() => Kinds::only(Kind::Uncaught),
            None => Kinds::all(),
        };
        if self.on.is_empty() {
            chosen
        } else {
            chosen.with(Kind::Named)
        }
    }

    fn set(&mut self, pair: &str) -> Result<(), OptionError> {
        let (key, value) = pair
            .split_once('=')
            .ok_or_else(|| OptionError::NotAPair(decoded(pair)))?;
        let value = decoded(value);
        match key {
            "out" => self.out = PathBuf::from(value),
            "log" => self.log = Some(PathBuf::from(value)),
            "include" => self.include = globs(&value),
            "exclude" => self.exclude = globs(&value),
            "strategy" => self.strategy = value.parse()?,
            "label" => self.label = Some(value),
            "session" => self.session = Some(value),
            "verbose" => self.verbose = value == "1",
            "repeat" => self.repeat = value == "1",
            "max-objects" => self.max_objects = number(key, &value)?,
            "max-bytes" => self.max_bytes = number(key, &value)?,
            "look" => self.look = Some(PathBuf::from(value)),
            "watch" => self.watch = Some(PathBuf::from(value)),
            "max-millis" => self.max_millis = number(key, &value)?,
            "max-disk" => self.max_disk = number(key, &value)?,
            "failures" => {
                self.failures = Some(Kinds::parse(&value).map_err(OptionError::UnknownKind)?);
            }
            "on" => self.on = globs(&value),
            "privacy" if value == "off" => self.privacy = Wanted::Off,
            "privacy" => self.privacy = Wanted::File(PathBuf::from(value)),
            "rules" => self.privacy = Wanted::Rules(value),
            "advice" => self.advice = Some(PathBuf::from(value)),
            "known" => self.known = Some(PathBuf::from(value)),
            _ => return Err(OptionError::Unknown(key.to_owned())),
        }
        Ok(())
    }
}

fn globs(value: &str) -> Vec<String> {
    value
        .split(':')
        .filter(|glob| !glob.is_empty())
        .map(str::to_owned)
        .collect()
}

fn number<N: std::str::FromStr>(key: &str, value: &str) -> Result<N, OptionError> {
    value.parse().map_err(|_| OptionError::NotANumber {
        key: key.to_owned(),
        value: value.to_owned(),
    })
}

/// Undoes percent-encoding; a `%` that starts no code stands for itself.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        let code = (first == b'%')
            .then(|| tail.get(..2))
            .flatten()
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(code.unwrap_or(first));
        rest = tail
            .get(if code.is_some() { 2 } else { 0 }..)
            .unwrap_or_default();
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_percent_decoded_and_globs_are_split() {
        let (options, errors) =
            Options::parse("out=/a%20b%2Cc,include=com.acme.*:org.x.Y,verbose=1,max-bytes=10");
        assert_eq!(errors, []);
        assert_eq!(options.out, PathBuf::from("/a b,c"));
        assert_eq!(options.include, ["com.acme.*", "org.x.Y"]);
        assert!(options.verbose);
        assert_eq!(options.max_bytes, 10);
    }

    #[test]
    fn a_bad_option_is_named_and_the_others_count() {
        let (options, errors) = Options::parse("colour=red,max-objects=many,label=1.2,naked");
        assert_eq!(
            errors,
            [
                OptionError::Unknown("colour".into()),
                OptionError::NotANumber {
                    key: "max-objects".into(),
                    value: "many".into()
                },
                OptionError::NotAPair("naked".into()),
            ]
        );
        assert_eq!(options.label.as_deref(), Some("1.2"));
        assert_eq!(options.max_objects, Options::default().max_objects);
    }

    #[test]
    fn second_chance_listens_to_more_only_when_asked_and_a_second_look_never() {
        let kinds = |text| Options::parse(text).0.kinds();
        assert_eq!(kinds(""), Kinds::all());
        assert_eq!(kinds("watch=list"), Kinds::only(Kind::Uncaught));
        assert_eq!(
            kinds("watch=list,failures=logged"),
            Kinds::only(Kind::Logged)
        );
        assert_eq!(kinds("on=com.acme.*"), Kinds::all().with(Kind::Named));
        assert_eq!(kinds("look=list,on=*"), Kinds::only(Kind::Uncaught));
        assert_eq!(
            Options::parse("failures=loud").1,
            [OptionError::UnknownKind("loud".to_owned())]
        );
    }

    #[test]
    fn a_percent_sign_without_a_code_stands_for_itself() {
        assert_eq!(decoded("50%,100%zz%4"), "50%,100%zz%4");
    }
}
