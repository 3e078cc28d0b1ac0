//! What is sensitive, and what is done about it: one rule per line.
//!
//! ```text
//! # comments and empty lines are skipped
//! mask field password            fields, variables, parameters, map keys, headers, properties of this name
//! drop field *internal*          a * stands for anything
//! hash value email               a known pattern, or a regular expression between slashes
//! mask value /EMP-[0-9]{6}/
//! hash type com.acme.Customer    and its sub classes; a * stands for anything
//! drop package com.acme.secret.*
//! mask annotation com.acme.Pii
//! keep field tokenizer           an exception
//! no defaults                    only these rules
//! ```
//!
//! The first rule that fits decides. Those that recrash brings come last.

use crate::defaults;
use crate::error::Error;
use crate::name::{is_like, joined, readings, words};
use crate::value_rule::ValueRule;
use recrash_heap::manifest::RedactionKind;
use std::collections::HashMap;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Action {
    Keep,
    Redact(RedactionKind),
}

/// Which values of a sensitive name count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum When {
    Always,
    /// The name has harmless meanings, too: only texts that look made by a random generator, in the program's own classes.
    LooksRandom,
    /// `pwd`, which is a working directory as often.
    NotAPath,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rule {
    pub(crate) action: Action,
    /// As it stands in a file.
    pub(crate) text: String,
    pub(crate) when: When,
    /// Whether numbers of the name count, or texts only.
    pub(crate) numbers: bool,
}

/// Index of a rule; the smaller one decides.
pub(crate) type RuleIndex = usize;

/// Rules, ready to be asked.
#[derive(Debug, Clone, Default)]
pub struct Rules {
    list: Vec<Rule>,
    own: Vec<String>,
    /// By name without separators and case.
    names: HashMap<String, RuleIndex>,
    name_globs: Vec<(String, RuleIndex)>,
    /// The last word of each name: a text without any of them is none of the names.
    last_words: Vec<String>,
    /// Globs on class names with dots.
    types: Vec<(String, RuleIndex)>,
    /// Class names with dots.
    annotations: Vec<(String, RuleIndex)>,
    /// Names of known patterns, and expressions.
    values: Vec<(ValueRule, RuleIndex)>,
}

enum Subject {
    Field,
    Value,
    Type,
    Package,
    Annotation,
}

impl Rules {
    /// Those that recrash brings.
    pub fn defaults() -> Self {
        let mut rules = Self::default();
        rules.add_defaults();
        rules
    }

    /// The rules of a file, and behind them the defaults unless it says otherwise.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let mut rules = Self::default();
        let mut with_defaults = true;
        for (index, line) in text.lines().enumerate() {
            let bare = without_comment(line).trim();
            if bare.is_empty() {
                continue;
            }
            let words: Vec<&str> = bare.split_whitespace().collect();
            rules.own.push(words.join(" "));
            if words == ["no", "defaults"] {
                with_defaults = false;
            } else {
                rules.line(index + 1, bare)?;
            }
        }
        if with_defaults {
            rules.add_defaults();
        }
        Ok(rules)
    }

    /// The user's own lines, without comments.
    pub fn own(&self) -> &[String] {
        &self.own
    }

    fn line(&mut self, line: usize, text: &str) -> Result<(), Error> {
        let (kind, rest) = word(text);
        let action = match kind {
            "keep" => Action::Keep,
            "drop" => Action::Redact(RedactionKind::Drop),
            "mask" => Action::Redact(RedactionKind::Mask),
            "hash" => Action::Redact(RedactionKind::Hash),
            _ => {
                return Err(Error::UnknownKind {
                    line,
                    word: kind.to_owned(),
                });
            }
        };
        let (subject, what) = word(rest);
        let subject = match subject {
            "field" => Subject::Field,
            "value" => Subject::Value,
            "type" => Subject::Type,
            "package" => Subject::Package,
            "annotation" => Subject::Annotation,
            "" => return Err(Error::Incomplete { line }),
            _ => {
                return Err(Error::UnknownSubject {
                    line,
                    word: subject.to_owned(),
                });
            }
        };
        if what.is_empty() {
            return Err(Error::Incomplete { line });
        }
        let is_expression = matches!(subject, Subject::Value) && what.starts_with('/');
        let (_, more) = word(what);
        if !is_expression && !more.is_empty() {
            return Err(Error::TooLong {
                line,
                rest: more.to_owned(),
            });
        }
        self.rule(line, action, &subject, what, When::Always, true)
    }

    fn rule(
        &mut self,
        line: usize,
        action: Action,
        subject: &Subject,
        what: &str,
        when: When,
        numbers: bool,
    ) -> Result<(), Error> {
        let index = self.list.len();
        let empty = || Error::EmptyName {
            line,
            name: what.to_owned(),
        };
        let subject_word = match subject {
            Subject::Field if what.contains('*') => {
                let parts: Vec<String> = what.split('*').map(joined).collect();
                if parts.iter().all(String::is_empty) {
                    return Err(empty());
                }
                self.name_globs.push((parts.join("*"), index));
                "field"
            }
            Subject::Field => {
                let name = joined(what);
                if name.is_empty() {
                    return Err(empty());
                }
                self.names.entry(name).or_insert(index);
                self.last_words.extend(words(what).pop());
                "field"
            }
            Subject::Value => {
                self.values.push((ValueRule::parse(line, what)?, index));
                "value"
            }
            Subject::Type => {
                self.types.push((what.to_owned(), index));
                "type"
            }
            Subject::Package => {
                let package = what.trim_end_matches(".*");
                self.types.push((format!("{package}.*"), index));
                "package"
            }
            Subject::Annotation => {
                self.annotations
                    .push((what.trim_start_matches('@').to_owned(), index));
                "annotation"
            }
        };
        let kind = match action {
            Action::Keep => "keep",
            Action::Redact(RedactionKind::Drop) => "drop",
            Action::Redact(RedactionKind::Hash) => "hash",
            Action::Redact(_) => "mask",
        };
        self.list.push(Rule {
            action,
            text: format!("{kind} {subject_word} {what}"),
            when,
            numbers,
        });
        Ok(())
    }

    fn add_defaults(&mut self) {
        let mask = Action::Redact(RedactionKind::Mask);
        let hash = Action::Redact(RedactionKind::Hash);
        let mut add = |action, subject: Subject, what: &str, when, numbers| {
            // The tests parse every one of them.
            let _ = self.rule(0, action, &subject, what, when, numbers);
        };
        for name in defaults::SECRET_NAMES {
            let when = if name == "pwd" {
                When::NotAPath
            } else {
                When::Always
            };
            add(mask, Subject::Field, name, when, false);
        }
        for name in defaults::SECRET_NUMBERS {
            add(mask, Subject::Field, name, When::Always, true);
        }
        for name in defaults::AMBIGUOUS_NAMES {
            add(mask, Subject::Field, name, When::LooksRandom, false);
        }
        for name in defaults::SECRET_TYPES {
            add(mask, Subject::Type, name, When::Always, false);
        }
        add(
            mask,
            Subject::Annotation,
            defaults::ANNOTATION,
            When::Always,
            true,
        );
        for name in defaults::MASKED_VALUES {
            add(mask, Subject::Value, name, When::Always, false);
        }
        for name in defaults::HASHED_VALUES {
            add(hash, Subject::Value, name, When::Always, false);
        }
    }

    pub(crate) fn get(&self, index: RuleIndex) -> Option<&Rule> {
        self.list.get(index)
    }

    /// The rule for a name, unless it says to keep the value.
    pub(crate) fn for_name(&self, name: &str) -> Option<RuleIndex> {
        let mut first: Option<RuleIndex> = None;
        let mut take = |index: RuleIndex| {
            first = Some(first.map_or(index, |known| known.min(index)));
        };
        for reading in readings(name) {
            if let Some(index) = self.names.get(&reading) {
                take(*index);
            }
        }
        if !self.name_globs.is_empty() {
            let whole = joined(name);
            for (glob, index) in &self.name_globs {
                if is_like(&whole, glob) {
                    take(*index);
                }
            }
        }
        self.unless_kept(first)
    }

    /// Whether texts of that name are redacted whatever they look like.
    pub fn is_secret_name(&self, name: &str) -> bool {
        let rule = self.for_name(name).and_then(|index| self.get(index));
        rule.is_some_and(|rule| {
            matches!(rule.action, Action::Redact(_)) && matches!(rule.when, When::Always)
        })
    }

    /// Words of which one is in every name that a rule fits; `None` where a rule fits any name.
    pub(crate) fn last_words(&self) -> Option<&[String]> {
        self.name_globs.is_empty().then_some(&self.last_words)
    }

    /// The rule for a class by its name alone; super classes are asked for one by one.
    pub(crate) fn for_type(&self, class: &str) -> Option<RuleIndex> {
        let found = self.types.iter().find(|(glob, _)| is_like(class, glob));
        self.unless_kept(found.map(|(_, index)| *index))
    }

    pub(crate) fn for_annotation(&self, annotation: &str) -> Option<RuleIndex> {
        let mut all = self.annotations.iter();
        let found = all.find(|(name, _)| name == annotation);
        self.unless_kept(found.map(|(_, index)| *index))
    }

    /// The annotations that rules name, with dots.
    pub fn annotations(&self) -> impl Iterator<Item = &str> {
        self.annotations.iter().map(|(name, _)| name.as_str())
    }

    /// The value patterns in their order, each once, without those to keep.
    pub(crate) fn values(&self) -> Vec<(&ValueRule, RuleIndex)> {
        let mut seen: Vec<&ValueRule> = Vec::new();
        let mut values = Vec::new();
        for (value, index) in &self.values {
            if seen.contains(&value) {
                continue;
            }
            seen.push(value);
            if self.unless_kept(Some(*index)).is_some() {
                values.push((value, *index));
            }
        }
        values
    }

    fn unless_kept(&self, index: Option<RuleIndex>) -> Option<RuleIndex> {
        index.filter(|index| {
            self.get(*index)
                .is_some_and(|rule| rule.action != Action::Keep)
        })
    }
}

/// A `#` in a regular expression is part of it unless a space stands before it.
fn without_comment(line: &str) -> &str {
    if line.trim_start().starts_with('#') {
        return "";
    }
    line.split_once(" #").map_or(line, |(rule, _)| rule)
}

fn word(text: &str) -> (&str, &str) {
    let text = text.trim();
    text.split_once(char::is_whitespace)
        .map_or((text, ""), |(first, rest)| (first, rest.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value_rule::KNOWN;

    fn rule_for(rules: &Rules, name: &str) -> Option<String> {
        let index = rules.for_name(name)?;
        rules.get(index).map(|rule| rule.text.clone())
    }

    #[test]
    fn rules_are_read_with_comments_and_the_first_that_fits_decides() {
        let rules = Rules::parse(
            "# ours\n\ndrop field password   # never needed\nkeep field secretSanta\nhash field *internal*\n",
        )
        .unwrap();
        assert_eq!(
            rule_for(&rules, "userPassword").unwrap(),
            "drop field password"
        );
        assert_eq!(rule_for(&rules, "secret_santa"), None);
        assert_eq!(
            rule_for(&rules, "clientSecret").unwrap(),
            "mask field secret"
        );
        assert_eq!(
            rule_for(&rules, "myInternalId").unwrap(),
            "hash field *internal*"
        );
        assert_eq!(
            rules.own(),
            [
                "drop field password",
                "keep field secretSanta",
                "hash field *internal*"
            ]
        );
    }

    #[test]
    fn without_defaults_only_the_files_own_rules_count() {
        let rules = Rules::parse("no defaults\nmask type com.acme.*\n").unwrap();
        assert_eq!(rule_for(&rules, "password"), None);
        assert!(rules.values().is_empty());
        assert!(rules.for_type("com.acme.Order$Line").is_some());
        assert!(rules.for_type("org.acme.Order").is_none());
    }

    #[test]
    fn a_bad_line_is_told_with_its_number() {
        let error = |text: &str| Rules::parse(text).unwrap_err();
        assert_eq!(
            error("\nredact field x"),
            Error::UnknownKind {
                line: 2,
                word: "redact".to_owned()
            }
        );
        assert_eq!(
            error("mask thing x"),
            Error::UnknownSubject {
                line: 1,
                word: "thing".to_owned()
            }
        );
        assert_eq!(error("mask field"), Error::Incomplete { line: 1 });
        assert_eq!(error("mask"), Error::Incomplete { line: 1 });
        assert_eq!(
            error("mask field a b"),
            Error::TooLong {
                line: 1,
                rest: "b".to_owned()
            }
        );
        assert!(matches!(
            error("mask value phone"),
            Error::UnknownPattern { line: 1, .. }
        ));
        assert!(matches!(
            error("mask value /(/"),
            Error::BadExpression { line: 1, .. }
        ));
        assert!(matches!(
            error("mask field *"),
            Error::EmptyName { line: 1, .. }
        ));
    }

    #[test]
    fn every_default_is_there() {
        let rules = Rules::defaults();
        for name in [
            "password",
            "secret",
            "authorization",
            "cookie",
            "ssn",
            "apiKey",
            "access_token",
            "card-number",
        ] {
            let index = rules.for_name(name).unwrap_or_else(|| panic!("{name}"));
            assert_eq!(rules.get(index).unwrap().when, When::Always, "{name}");
        }
        for name in ["token", "key", "card", "tokens"] {
            let index = rules.for_name(name).unwrap_or_else(|| panic!("{name}"));
            assert_eq!(rules.get(index).unwrap().when, When::LooksRandom, "{name}");
        }
        for name in [
            "monkey",
            "tokenizer",
            "keySet",
            "cardinality",
            "passwordEncoder",
            "discard",
            "author",
        ] {
            assert_eq!(rules.for_name(name), None, "{name}");
        }
        assert_eq!(rules.values().len(), KNOWN.len());
    }
}
