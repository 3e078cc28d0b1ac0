//! What the tests of one snapshot are generated, compiled and run with.

use crate::error::Result;
use crate::folder::Folder;
use crate::options::TestsOptions;
use crate::oracle::ClassPathOracle;
use crate::verdicts::FrameReport;
use recrash_desk::Desk;
use recrash_heap::Crash;
use recrash_javagen::{Building, Candidate, Form, JUnit, Options, TestClass, TestMethod, generate};
use recrash_judge::Verdict;
use recrash_junit::{JunitRun, JunitVersion, TestOutcome, TestResult, run_junit};
use recrash_jvm::Outcome;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

/// Everything one snapshot's tests are made with.
pub(crate) struct Bench<'a> {
    pub(crate) options: &'a TestsOptions,
    pub(crate) crash: Crash,
    pub(crate) file: &'a str,
    pub(crate) folder: &'a Folder,
    pub(crate) desk: &'a Desk,
    pub(crate) oracle: ClassPathOracle<'a>,
    /// What runs the tests.
    pub(crate) junit: JUnit,
    /// What the test classes of other crashes in the same folder are called.
    pub(crate) taken: BTreeSet<String>,
}

impl Bench<'_> {
    pub(crate) fn generate(
        &self,
        candidates: &[Candidate],
        building: Option<&Building<'_>>,
        proof: bool,
    ) -> Result<TestClass> {
        let options = Options {
            junit: self.junit,
            package: self.options.package.clone(),
            expect_crash: self.options.expect_crash,
            snapshot: self.file.to_owned(),
            version: self.options.version.clone(),
            taken: self.taken.clone(),
            proof,
        };
        Ok(generate(
            &self.crash.snapshot,
            &self.crash.looks,
            candidates,
            &self.oracle,
            &options,
            building,
        )?)
    }

    /// Compiles everything in a folder and runs the tests of some classes, in the order of their names. What is only a
    /// trial may hang without the state that it lacks.
    pub(crate) fn run(&self, folder: &Path, tests: &[&TestClass], trial: bool) -> Result<Ran> {
        let methods: usize = tests.iter().map(|test| test.methods.len()).sum();
        let run = JunitRun {
            tools: self.desk.tools(),
            jdk: self.desk.jdk(),
            version: match self.junit {
                JUnit::Four => JunitVersion::Four,
                JUnit::Five => JunitVersion::Five,
                JUnit::TestNg => JunitVersion::TestNg,
            },
            source_dir: folder.to_owned(),
            test_classes: tests.iter().map(|test| test.qualified()).collect(),
            class_path: self.desk.class_path().clone(),
            jvm_arguments: self.desk.jvm_arguments(),
            working_directory: self.desk.directory().to_owned(),
            limit: self.options.limit * methods.max(1) as u32 + Duration::from_secs(60),
            trial: trial.then_some(self.options.limit),
        };
        match run_junit(&run) {
            Ok(results) => Ok(Ran::Results(results)),
            Err(recrash_junit::Error::Jvm(recrash_jvm::Error::Compile(output))) => {
                Ok(Ran::NotCompiled(output))
            }
            Err(error) => Err(error.into()),
        }
    }

    pub(crate) fn trouble(&self, frame: usize, outcome: Option<&TestOutcome>) -> Option<String> {
        let thrown = match (outcome, self.options.expect_crash) {
            (Some(TestOutcome::Passed), true) => return None,
            (Some(TestOutcome::Passed), false) => return Some("the JUnit test passes".to_owned()),
            (Some(TestOutcome::Skipped), _) => return Some("JUnit skipped the test".to_owned()),
            (None, _) => return Some("JUnit did not run the test".to_owned()),
            (Some(TestOutcome::Failed(thrown)), _) => thrown,
        };
        if self.options.expect_crash {
            let message = thrown.first().and_then(|thrown| thrown.message.clone());
            return Some(message.unwrap_or_else(|| "the JUnit test fails".to_owned()));
        }
        let same = self.desk.same_crash(&self.crash.snapshot.manifest, frame);
        match same.judge(&Outcome::Threw(thrown.clone())) {
            (Verdict::Reproduced, _) => None,
            (_, reason) => {
                Some(reason.unwrap_or_else(|| "the JUnit test fails differently".to_owned()))
            }
        }
    }
}

/// What became of sources.
pub(crate) enum Ran {
    Results(Vec<TestResult>),
    /// javac's own words.
    NotCompiled(String),
}

pub(crate) fn candidate(frame: &FrameReport, form: Form) -> Candidate {
    Candidate {
        frame: frame.frame,
        restore: frame.variant.plan_options(),
        form,
    }
}

/// The tests that javac complains about, by name; none when it does not say where.
pub(crate) fn compile_troubles(test: &TestClass, output: &str) -> BTreeMap<String, String> {
    let marker = format!("{}.java:", test.name);
    let mut troubles = BTreeMap::new();
    for line in output.lines() {
        let Some((_, rest)) = line.split_once(&marker) else {
            continue;
        };
        let Some((number, message)) = rest.split_once(": error: ") else {
            continue;
        };
        let Ok(number) = number.parse::<usize>() else {
            continue;
        };
        if let Some(method) = method_at(test, number) {
            troubles
                .entry(method.name.clone())
                .or_insert_with(|| format!("javac: {message}"));
        }
    }
    troubles
}

fn method_at(test: &TestClass, line: usize) -> Option<&TestMethod> {
    let mut current = None;
    for text in test.source.lines().take(line) {
        let mut methods = test.methods.iter();
        let declared =
            methods.find(|method| text.contains(&format!(" void {}() throws ", method.name)));
        current = declared.or(current);
    }
    current
}

#[cfg(test)]
mod unit {
    use super::*;

    fn test_class() -> TestClass {
        let method = |name: &str, frame| TestMethod {
            name: name.into(),
            frame,
            trivial: false,
            form: Form::Plain,
            self_contained: false,
            blocked: None,
        };
        TestClass {
            package: String::new(),
            name: "ATest".into(),
            files: BTreeMap::new(),
            source: "class ATest {\n    void a() throws Throwable {\n    }\n    void b() throws Throwable {\n    }\n}\n".into(),
            methods: vec![method("a", 3), method("b", 1)],
        }
    }

    #[test]
    fn a_compile_error_is_the_trouble_of_the_method_it_stands_in() {
        let troubles = compile_troubles(
            &test_class(),
            "/x/ATest.java:5: error: cannot find symbol\n    foo\n",
        );
        assert_eq!(
            troubles,
            BTreeMap::from([("b".to_owned(), "javac: cannot find symbol".to_owned())])
        );
    }

    #[test]
    fn an_error_without_a_place_is_nobodys() {
        let troubles = compile_troubles(&test_class(), "error: out of memory");
        assert!(troubles.is_empty());
    }
}
