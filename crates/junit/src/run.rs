//! The last word: the emitted source, compiled by javac and run by JUnit itself.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use recrash_jvm::{ClassPath, Compilation, Finished, Jdk, Launch, SHORT_LIVED, Tools, run};
use tempfile::TempDir;

use crate::error::{Error, Result};
use crate::outcome::{TestOutcome, TestResult};
use crate::report::{is_complete, parse_console, parse_fatal, parse_text, parse_xml};
use crate::testng;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum JunitVersion {
    Four,
    #[default]
    Five,
    /// The program's own, from its class path.
    TestNg,
}

/// Test sources to compile and run.
#[derive(Debug, Clone)]
pub struct JunitRun<'a> {
    pub tools: &'a Tools,
    pub jdk: &'a Jdk,
    pub version: JunitVersion,
    /// Every `.java` file below it is compiled; snapshots lie beside them.
    pub source_dir: PathBuf,
    /// Fully qualified names of the test classes.
    pub test_classes: Vec<String>,
    /// The program's.
    pub class_path: ClassPath,
    /// Options of the recorded JVM that decide behaviour, see `jvm_arguments` of the desk.
    pub jvm_arguments: Vec<String>,
    pub working_directory: PathBuf,
    /// For the whole run.
    pub limit: Duration,
    /// Set for tests that are only tried: each is abandoned after this time (JUnit 5 only, on a thread of its own), and
    /// those that compare objects find the comparison.
    pub trial: Option<Duration>,
}

/// Compiles the sources and runs the tests with the real runner, one JVM for all of them.
///
/// A test whose class initialiser an earlier test has spoilt runs again in a JVM of its own, and so does every test if
/// the run did not come to its end (JUnit lets an `OutOfMemoryError` end it); one that says nothing even so has no
/// result.
pub fn run_junit(run: &JunitRun<'_>) -> Result<Vec<TestResult>> {
    let compiled = Compiled::new(run)?;
    let tests = compiled.tests()?;
    let together = compiled.run(None)?.unwrap_or_default();
    let mut results = Vec::new();
    for (class, method) in tests {
        let found = together
            .iter()
            .find(|result| result.class == class && result.method == method);
        match found {
            Some(result) if !spoilt_by_another(result) => results.push(result.clone()),
            _ => {
                let alone = compiled.run(Some((&class, &method)))?.unwrap_or_default();
                results.extend(alone.into_iter().find(|result| result.method == method));
            }
        }
    }
    Ok(results)
}

/// The JVM initialises a class once, and defines one of each name; whoever comes second is told so by one of these.
fn spoilt_by_another(result: &TestResult) -> bool {
    let TestOutcome::Failed(thrown) = &result.outcome else {
        return false;
    };
    thrown
        .iter()
        .any(|thrown| SPOILT.contains(&thrown.class.as_str()))
}

const SPOILT: [&str; 2] = ["java.lang.NoClassDefFoundError", "java.lang.LinkageError"];

/// What is on the launcher's class path.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Beside {
    Program,
    Nothing,
}

struct Compiled<'a> {
    run: &'a JunitRun<'a>,
    sources: Vec<PathBuf>,
    class_path: ClassPath,
    folder: TempDir,
}

impl<'a> Compiled<'a> {
    fn new(run: &'a JunitRun<'a>) -> Result<Compiled<'a>> {
        let sources = java_files(&run.source_dir)?;
        if sources.is_empty() {
            return Err(Error::NoSource(run.source_dir.clone()));
        }
        let folder = TempDir::with_prefix("recrash-junit-").map_err(|source| Error::Io {
            path: std::env::temp_dir(),
            source,
        })?;
        let classes = folder.path().join("classes");
        let mut first: Vec<&Path> = vec![&classes, &run.source_dir, &run.tools.junit_runtime];
        if run.trial.is_some() {
            first.push(&run.tools.worker);
        }
        match run.version {
            JunitVersion::Five => first.push(&run.tools.junit5),
            JunitVersion::Four => first.extend(run.tools.junit4.iter().map(PathBuf::as_path)),
            JunitVersion::TestNg => {}
        }
        let class_path = run.class_path.after(&first);
        let mut compiled = sources.clone();
        if run.version == JunitVersion::TestNg {
            compiled.push(testng::write_runner(folder.path())?);
        }
        run.tools.compilers.compile(
            run.jdk,
            &Compilation {
                sources: &compiled,
                class_path: &class_path,
                output: &classes,
                options: &exports(&run.jvm_arguments),
                limit: Duration::from_secs(120),
            },
        )?;
        Ok(Compiled {
            run,
            sources,
            class_path,
            folder,
        })
    }

    /// Runs all tests, or one; `None` when the JVM did not come to its end.
    fn run(&self, only: Option<(&str, &str)>) -> Result<Option<Vec<TestResult>>> {
        match self.run.version {
            JunitVersion::Five => self.launch_five(only),
            JunitVersion::Four => self.launch_four(only),
            JunitVersion::TestNg => self.launch_testng(only),
        }
    }

    /// TestNG writes a report per class, as JUnit's are, beside those of its own. A single test comes out of a run of its
    /// class, as with JUnit 4.
    fn launch_testng(&self, only: Option<(&str, &str)>) -> Result<Option<Vec<TestResult>>> {
        if only.is_some() {
            return Ok(None);
        }
        let reports = self.reports()?;
        let mut arguments: Vec<OsString> = vec![testng::RUNNER.into(), reports.path().into()];
        arguments.extend(self.run.test_classes.iter().map(OsString::from));
        let finished = self.java(self.class_path.joined(), &arguments)?;
        let mut results = Vec::new();
        for class in &self.run.test_classes {
            let report = std::fs::read_to_string(testng::report(reports.path(), class));
            // One whose tests were not run has none.
            if let Ok(text) = report {
                results.extend(parse_xml(&testng::as_printed(&text))?);
            }
        }
        if results.is_empty() && finished.status != Some(0) {
            return Err(Error::DidNotRun(finished.stderr.trim().to_owned()));
        }
        Ok(Some(results))
    }

    fn reports(&self) -> Result<TempDir> {
        let reports = TempDir::with_prefix_in("reports-", self.folder.path());
        reports.map_err(|source| Error::Io {
            path: self.folder.path().to_owned(),
            source,
        })
    }

    /// The launcher reads its command line with code that looks at what else is on its class path, old Groovy for instance,
    /// and may fail of it. Then it gets a class path of its own.
    fn launch_five(&self, only: Option<(&str, &str)>) -> Result<Option<Vec<TestResult>>> {
        match self.console(only, Beside::Program)? {
            Some(results) => Ok(Some(results)),
            None => self.console(only, Beside::Nothing),
        }
    }

    fn console(
        &self,
        only: Option<(&str, &str)>,
        beside: Beside,
    ) -> Result<Option<Vec<TestResult>>> {
        let reports = self.reports()?;
        let mut arguments: Vec<OsString> = vec![
            "org.junit.platform.console.ConsoleLauncher".into(),
            "execute".into(),
            "--disable-banner".into(),
            "--disable-ansi-colors".into(),
            "--details=none".into(),
            // The whole trace: what JUnit prunes may be the place of the throw.
            "--config=junit.platform.stacktrace.pruning.enabled=false".into(),
            // Classes in the order of their names, whatever the order of discovery.
            "--config=junit.jupiter.testclass.order.default=org.junit.jupiter.api.ClassOrderer$ClassName".into(),
            "--reports-dir".into(),
            reports.path().into(),
        ];
        if beside == Beside::Nothing {
            arguments.push("--class-path".into());
            arguments.push(self.class_path.joined());
        }
        if let Some(limit) = self.run.trial {
            let timeout = "--config=junit.jupiter.execution.timeout";
            let seconds = limit.as_secs().max(1);
            arguments.push(format!("{timeout}.testable.method.default={seconds}s").into());
            arguments.push(format!("{timeout}.thread.mode.default=SEPARATE_THREAD").into());
        }
        match only {
            Some((class, method)) => {
                arguments.push(format!("--select-method={class}#{method}()").into());
            }
            None => arguments.extend(
                self.run
                    .test_classes
                    .iter()
                    .map(|class| format!("--select-class={class}").into()),
            ),
        }
        let class_path = match beside {
            Beside::Program => self.class_path.joined(),
            Beside::Nothing => self.run.tools.junit5.clone().into(),
        };
        let finished = self.java(class_path, &arguments)?;
        let report = std::fs::read_to_string(reports.path().join("TEST-junit-jupiter.xml")).ok();
        // An exception whose own methods fail leaves a torn report behind.
        if let Some(results) = report.and_then(|text| parse_xml(&text).ok()) {
            return Ok(Some(results));
        }
        // Status 1 means failed tests, -1 that the launcher itself did not understand us.
        if finished.status == Some(255) {
            return Err(Error::DidNotRun(finished.stderr.trim().to_owned()));
        }
        Ok(only.and_then(|(class, method)| {
            let thrown =
                parse_console(&finished.stdout).or_else(|| parse_fatal(&finished.stderr))?;
            let (class, method) = (class.to_owned(), method.to_owned());
            Some(vec![TestResult {
                class,
                method,
                outcome: TestOutcome::Failed(thrown),
            }])
        }))
    }

    /// JUnitCore takes classes only, so a single test comes out of a run of its class: one that was spoilt stays so.
    fn launch_four(&self, only: Option<(&str, &str)>) -> Result<Option<Vec<TestResult>>> {
        if only.is_some() {
            return Ok(None);
        }
        let mut arguments: Vec<OsString> = vec!["org.junit.runner.JUnitCore".into()];
        arguments.extend(self.run.test_classes.iter().map(OsString::from));
        let finished = self.java(self.class_path.joined(), &arguments)?;
        if !is_complete(&finished.stdout) {
            return Ok(None);
        }
        let mut results = parse_text(&finished.stdout);
        for (class, method) in self.tests()? {
            if !results
                .iter()
                .any(|result| result.class == class && result.method == method)
            {
                results.push(TestResult {
                    class,
                    method,
                    outcome: TestOutcome::Passed,
                });
            }
        }
        Ok(Some(results))
    }

    fn java(&self, class_path: OsString, arguments: &[OsString]) -> Result<Finished> {
        let mut launch = Launch::new(&self.run.jdk.java())
            .arguments(&self.run.jvm_arguments)
            .arguments(SHORT_LIVED);
        if self.run.jdk.version.feature >= 22 {
            launch = launch.argument("--enable-native-access=ALL-UNNAMED");
        }
        launch = launch
            .argument(format!(
                "-Drecrash.library={}",
                self.run.tools.library.display()
            ))
            .argument("-classpath")
            .argument(class_path)
            .arguments(arguments)
            .directory(&self.run.working_directory)
            .limit(self.run.limit);
        Ok(run(&launch)?)
    }

    /// The test methods of the sources, by class: `void name(` after `@Test`.
    fn tests(&self) -> Result<Vec<(String, String)>> {
        let mut tests = Vec::new();
        for source in &self.sources {
            let text = std::fs::read_to_string(source).map_err(|error| Error::Io {
                path: source.clone(),
                source: error,
            })?;
            let stem = source.file_stem().unwrap_or_default().to_string_lossy();
            let class = self
                .run
                .test_classes
                .iter()
                .find(|class| class.rsplit('.').next() == Some(&stem));
            if let Some(class) = class {
                tests.extend(test_methods(&text).map(|method| (class.clone(), method.to_owned())));
            }
        }
        Ok(tests)
    }
}

fn test_methods(source: &str) -> impl Iterator<Item = &str> {
    let annotated = source.split("@Test").skip(1);
    annotated.filter_map(|text| {
        let (_, declaration) = text.split_once("void ")?;
        Some(declaration.split_once('(')?.0.trim())
    })
}

/// What the JVM exports at run time javac must know at compile time.
fn exports(jvm_arguments: &[String]) -> Vec<String> {
    let known = ["--add-exports=", "--add-modules="];
    jvm_arguments
        .iter()
        .filter(|argument| known.iter().any(|start| argument.starts_with(start)))
        .cloned()
        .collect()
}

fn java_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut pending = vec![folder.to_owned()];
    while let Some(folder) = pending.pop() {
        let entries = std::fs::read_dir(&folder).map_err(|source| Error::Io {
            path: folder.clone(),
            source,
        })?;
        for path in entries.filter_map(|entry| entry.ok().map(|entry| entry.path())) {
            if path.is_dir() {
                pending.push(path);
            } else if path
                .extension()
                .is_some_and(|extension| extension == "java")
            {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}
