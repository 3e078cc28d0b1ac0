//! What follows `=` in `-agentpath:…/librecrash.so=key=value,key=value`.

use crate::kinds::{Kind, Kinds};
use crate::privacy::Wanted;
use recrash_weave::{Strategy, UnknownStrategy};
use recrash_wire::options::{self as wire, Defect, Key};
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
    /// Where not chosen, all objects count, but only those that are near the application's data.
    pub max_objects: Option<u32>,
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
    /// Whether what crosses the border of the driver is recorded, and which classes are on the inside; all but the driver's
    /// where none is named.
    pub record: Option<Vec<String>>,
    /// Bytes of a recording at most.
    pub max_record: u64,
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
            max_objects: None,
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
            record: None,
            max_record: 1 << 30,
        }
    }
}

/// A defect of the option string. The rest of the options still count.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    #[error("agent option \"{0}\" is not of the form key=value; it is ignored")]
    NotAPair(String),
    #[error("agent option \"{0}\" is unknown and ignored; known are {names}", names = wire::names())]
    Unknown(String),
    #[error("agent option {key}=\"{value}\" is not a number; it is ignored")]
    NotANumber { key: &'static str, value: String },
    #[error(
        "agent option failures names \"{0}\"; known are uncaught, logged, futures, web, tests, printed, dropped, exit, with a colon between; all of them count"
    )]
    UnknownKind(String),
    #[error("{0}; the usual one is used")]
    Strategy(#[from] UnknownStrategy),
}

impl From<Defect> for OptionError {
    fn from(defect: Defect) -> Self {
        match defect {
            Defect::NotAPair(text) => Self::NotAPair(text),
            Defect::Unknown(key) => Self::Unknown(key),
        }
    }
}

impl Options {
    pub fn parse(text: &str) -> (Self, Vec<OptionError>) {
        let mut options = Self::default();
        let mut errors = Vec::new();
        for option in wire::read(text) {
            let set = option
                .map_err(OptionError::from)
                .and_then(|(key, value)| options.set(key, value));
            errors.extend(set.err());
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

    fn set(&mut self, key: Key, value: String) -> Result<(), OptionError> {
        match key {
            Key::Out => self.out = PathBuf::from(value),
            Key::Log => self.log = Some(PathBuf::from(value)),
            Key::Include => self.include = globs(&value),
            Key::Exclude => self.exclude = globs(&value),
            Key::Strategy => self.strategy = value.parse()?,
            Key::Label => self.label = Some(value),
            Key::Session => self.session = Some(value),
            Key::Verbose => self.verbose = value == "1",
            Key::Repeat => self.repeat = value == "1",
            Key::MaxObjects => self.max_objects = Some(number(key, &value)?),
            Key::MaxBytes => self.max_bytes = number(key, &value)?,
            Key::Look => self.look = Some(PathBuf::from(value)),
            Key::Watch => self.watch = Some(PathBuf::from(value)),
            Key::MaxMillis => self.max_millis = number(key, &value)?,
            Key::MaxDisk => self.max_disk = number(key, &value)?,
            Key::Failures => {
                self.failures = Some(Kinds::parse(&value).map_err(OptionError::UnknownKind)?);
            }
            Key::On => self.on = globs(&value),
            Key::Privacy if value == "off" => self.privacy = Wanted::Off,
            Key::Privacy => self.privacy = Wanted::File(PathBuf::from(value)),
            Key::Rules => self.privacy = Wanted::Rules(value),
            Key::Advice => self.advice = Some(PathBuf::from(value)),
            Key::Known => self.known = Some(PathBuf::from(value)),
            Key::Record => self.record = Some(globs(&value)),
            Key::MaxRecord => self.max_record = number(key, &value)?,
        }
        Ok(())
    }
}

fn globs(value: &str) -> Vec<String> {
    wire::split(value).map(str::to_owned).collect()
}

fn number<N: std::str::FromStr>(key: Key, value: &str) -> Result<N, OptionError> {
    value.parse().map_err(|_| OptionError::NotANumber {
        key: key.name(),
        value: value.to_owned(),
    })
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
                    key: "max-objects",
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
}
