//! From a snapshot to a folder of tests: verify, generate, compile and run, keep what held.

use crate::Listener;
use crate::bench::{Bench, Ran, candidate, compile_troubles};
use crate::error::{Error, Result};
use crate::folder::{Folder, VERDICTS, place_of};
use crate::hints::hint;
use crate::options::TestsOptions;
use crate::oracle::ClassPathOracle;
use crate::signals;
use crate::source_alone::SourceAlone;
use crate::stored::StoredTests;
use crate::verdicts::Verdicts;
use recrash_bundle::Paths;
use recrash_desk::{
    Desk, Event, Order, Settings, Stop, Verification, between_states, own_code, second_look,
    targets_for_proxies, verify_frames,
};
use recrash_heap::Crash;
use recrash_heap::manifest::Privacy;
use recrash_javagen::{Candidate, Classes, Form, JUnit, TestClass, TestMethod};
use recrash_judge::Verdict;
use recrash_jvm::{Compilers, Tools};
use recrash_privacy::{Redactor, Rules};
use recrash_program::Program;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Made {
    pub folder: PathBuf,
    /// The generated source, when anything was reproduced.
    pub source: Option<PathBuf>,
    /// What the source reads, beside it.
    pub files: Vec<PathBuf>,
    pub verdicts: Verdicts,
}

/// Makes the folder of tests for one snapshot.
pub fn tests(options: &TestsOptions, listener: &dyn Listener) -> Result<Made> {
    let mut crash = Crash::read(&options.snapshot)?;
    let manifest = &mut crash.snapshot.manifest;
    if manifest.application.is_none() {
        manifest.application = Some(own_code(manifest));
    }
    let frames = &crash.snapshot.manifest.frames;
    if frames.iter().all(|frame| frame.captured.is_none()) {
        return Err(Error::NothingCaptured(options.snapshot.clone()));
    }
    let file = crash.file_name();
    // Compilers and second looks need room; that it is missing is better said at once.
    tempfile::tempfile().map_err(|source| Error::Scratch {
        path: std::env::temp_dir(),
        source,
    })?;
    signals::listen()?;
    let folder = Folder::start(&place(options))?;
    let place = place(options);
    let settings = Settings {
        tools: tools(&options.bundle),
        class_path: options.class_path.clone(),
        jdk: options.jdk.clone(),
        limit: options.limit,
        unpacked: beside(&place).to_owned(),
        stop: Stop::default(),
    };
    let desk = Desk::new(&crash, settings)?;
    let mut bench = Bench {
        options,
        crash,
        file: &file,
        folder: &folder,
        desk: &desk,
        oracle: ClassPathOracle::new(desk.class_path(), desk.jdk().version.feature),
        junit: options.junit.unwrap_or_else(|| runner(&desk)),
        taken: StoredTests::classes_beside(&place),
    };
    let mut verdicts = bench.verify(listener)?;
    let emitted = bench.emit(&mut verdicts, listener)?;
    hint(
        &mut verdicts,
        &bench.crash.snapshot.manifest.strategy,
        &bench.crash.snapshot.manifest.limits,
        options.second_look,
    );
    if let Some(privacy) = &bench.crash.snapshot.manifest.privacy {
        withhold(&mut verdicts, privacy);
    }
    let json = serde_json::to_vec_pretty(&verdicts).unwrap_or_default();
    folder.write(VERDICTS, &json)?;
    if options.self_contained {
        folder.remove(&file)?;
    }
    let place = folder.finish()?;
    if !options.self_contained {
        share_runtime(options, &place)?;
    }
    Ok(Made {
        source: emitted.source.map(|name| place.join(name)),
        files: emitted.files.iter().map(|name| place.join(name)).collect(),
        folder: place,
        verdicts,
    })
}

/// What a frame throws at the desk may tell what it found there, in files and variables.
fn withhold(verdicts: &mut Verdicts, privacy: &Privacy) {
    let rules = Rules::parse(&privacy.rules.join("\n"));
    let redactor = Redactor::new(rules.unwrap_or_else(|_| Rules::defaults()));
    for frame in &mut verdicts.frames {
        for text in frame.reason.iter_mut().chain(&mut frame.notes) {
            *text = redactor.text(text);
        }
    }
    let places = privacy.redactions.len() as u64 + privacy.unlisted;
    if places > 0 && verdicts.reproduced() < verdicts.frames.len() {
        verdicts.notes.push(format!(
            "private data was taken out of the snapshot in {places} places, and frames may need it to fail as they did; \
             recrash show --redactions lists them"
        ));
    }
}

fn place(options: &TestsOptions) -> PathBuf {
    place_of(&options.snapshot, options.out.as_deref())
}

/// The folder of the place; of a bare name that is the one that recrash runs in.
fn beside(place: &Path) -> &Path {
    let parent = place.parent();
    parent
        .filter(|parent| !parent.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

/// What the program's own tests are run by, as far as its class path tells.
fn runner(desk: &Desk) -> JUnit {
    let feature = desk.jdk().version.feature;
    let has = |class| matches!(desk.class_path().find_class(class, feature), Ok(Some(_)));
    if has("org.testng.annotations.Test") && !has("org.junit.jupiter.api.Test") {
        JUnit::TestNg
    } else {
        JUnit::Five
    }
}

/// Once per folder of snapshots: what the tests need beside JUnit.
fn share_runtime(options: &TestsOptions, place: &Path) -> Result<()> {
    const RUNTIME: &str = "recrash-junit.jar";
    let to = beside(place).join(RUNTIME);
    let from = &options.bundle.junit_runtime;
    let same_size = |a: &Path, b: &Path| Some(a.metadata().ok()?.len() == b.metadata().ok()?.len());
    if same_size(from, &to) == Some(true) {
        return Ok(());
    }
    let folder = beside(&to);
    let temporary = tempfile::Builder::new()
        .prefix(".recrash-")
        .tempfile_in(folder)
        .map_err(Error::out(folder))?;
    std::fs::copy(from, temporary.path()).map_err(Error::out(&to))?;
    temporary
        .persist(&to)
        .map(drop)
        .map_err(|error| Error::Out {
            path: to,
            source: error.error,
        })
}

/// What candidates and tests are run with.
pub fn tools(bundle: &Paths) -> Tools {
    Tools {
        library: bundle.agent.clone(),
        junit_runtime: bundle.junit_runtime.clone(),
        worker: bundle.worker.clone(),
        junit5: bundle.junit5.clone(),
        junit4: bundle.junit4.clone(),
        compilers: Compilers::new(bundle.worker.clone()),
    }
}

impl Bench<'_> {
    fn verify(&mut self, listener: &dyn Listener) -> Result<Verdicts> {
        let Order { mut first, aside } = Order::of(&self.crash.snapshot.manifest);
        let mut left_out = aside;
        if self.options.all_frames {
            first.append(&mut left_out);
        }
        listener.progress(&format!("verifying {} candidates", first.len()));
        let mut tell = |event: &Event<'_>| listener.progress(&event.to_string());
        let mut verification = verify_frames(self.desk, &self.crash, &first, &mut tell)?;
        let mut changed = self.other_states(&mut verification, &mut tell)?;
        if !left_out.is_empty() && !self.reproduces_own(&verification) {
            let rest = verify_frames(self.desk, &self.crash, &left_out, &mut tell)?;
            left_out.clear();
            verification.frames.extend(rest.frames);
            changed |= self.other_states(&mut verification, &mut tell)?;
        }
        verification.notes.extend(of_left_out(left_out.len()));
        changed |= targets_for_proxies(self.desk, &mut self.crash, &mut verification)?;
        if changed {
            self.crash.write(&self.folder.path().join(self.file))?;
        } else {
            let path = self.options.snapshot.canonicalize();
            let path = path.map_err(Error::io(&self.options.snapshot))?;
            self.folder.link(&path, self.file)?;
        }
        let manifest = &self.crash.snapshot.manifest;
        Ok(Verdicts::new(self.file, manifest, &verification))
    }

    /// States that frames which did not reproduce may have had. Whether the crash knows more for it.
    fn other_states(
        &mut self,
        verification: &mut Verification,
        tell: &mut dyn FnMut(&Event<'_>),
    ) -> Result<bool> {
        // They were tried in the order of their worth; a second look starts at the outermost.
        verification.frames.sort_by_key(|verdict| verdict.frame);
        let mut changed = between_states(self.desk, &mut self.crash, verification, tell)?;
        if self.options.second_look {
            let helped = second_look(self.desk, &mut self.crash, verification, tell)?;
            changed |= !helped.is_empty();
        }
        Ok(changed)
    }

    fn reproduces_own(&self, verification: &Verification) -> bool {
        let own = self.crash.snapshot.manifest.own_frames();
        let mut frames = verification.frames.iter();
        frames.any(|it| it.verdict == Verdict::Reproduced && own.contains(&it.frame))
    }

    /// Generates, compiles and runs until every test that is left behaves.
    fn emit(&self, verdicts: &mut Verdicts, listener: &dyn Listener) -> Result<Emitted> {
        let program = self.program();
        let classes = program.as_ref().map(Classes::new);
        let mut alone = match &classes {
            Some(classes) => self.without_snapshot(verdicts, classes, listener)?,
            None => SourceAlone::default(),
        };
        let self_contained = self.options.self_contained;
        let mut forms: BTreeMap<usize, Form> = verdicts
            .frames
            .iter()
            .filter(|frame| frame.verdict == Verdict::Reproduced)
            .filter_map(|frame| match alone.chosen.get(&frame.frame) {
                Some(style) => Some((frame.frame, Form::Built(*style))),
                None => (!self_contained).then_some((frame.frame, Form::Plain)),
            })
            .collect();
        loop {
            let candidates = candidates(verdicts, &forms);
            if candidates.is_empty() {
                tell_obstacles(verdicts, &alone);
                return Ok(Emitted::default());
            }
            let building = classes
                .as_ref()
                .map(|classes| alone.building(classes, self_contained));
            let test = self.generate(&candidates, building.as_ref(), false)?;
            let name = format!("{}.java", test.name);
            self.folder.write(&name, test.source.as_bytes())?;
            for (file, contents) in &test.files {
                self.folder.write_private(file, contents)?;
            }
            listener.progress(&format!("compiling and running {name}"));
            let troubles = match self.troubles(&test)? {
                Checked::Ran(troubles) => troubles,
                Checked::NotCompiled(note) => {
                    verdicts.notes.push(note);
                    BTreeMap::new()
                }
            };
            if troubles.is_empty() {
                adopt(verdicts, &test);
                tell_obstacles(verdicts, &alone);
                return Ok(Emitted {
                    source: Some(name),
                    files: test.files.into_keys().collect(),
                });
            }
            for file in test.files.keys().chain([&name]) {
                self.folder.remove(file)?;
            }
            for (frame, trouble) in troubles {
                match forms.get(&frame).copied() {
                    Some(Form::Built(_)) => {
                        alone.obstacles.entry(frame).or_insert(trouble);
                        if self_contained {
                            forms.remove(&frame)
                        } else {
                            forms.insert(frame, Form::Plain)
                        }
                    }
                    Some(Form::Plain) => forms.insert(frame, Form::Objects),
                    Some(Form::Objects) => forms.insert(frame, Form::Loaded),
                    _ if leave_out_statics(verdicts, frame) => forms.insert(frame, Form::Plain),
                    _ => {
                        reject(verdicts, frame, &trouble);
                        forms.remove(&frame)
                    }
                };
            }
        }
    }

    /// The classes as code to be read; `None` when the class path cannot be opened, and then objects are loaded.
    fn program(&self) -> Option<Program> {
        let (entries, jdk) = (self.desk.class_path().entries(), self.desk.jdk());
        let there = entries.iter().filter(|entry| entry.exists());
        let opened = recrash_program::ClassPath::open(there, Some(&jdk.home), jdk.version.feature);
        opened.ok().map(Program::new)
    }

    /// What is wrong with the tests, by frame, under the real compiler and the real JUnit.
    fn troubles(&self, test: &TestClass) -> Result<Checked> {
        if self.desk.jdk().javac.is_none() {
            return Ok(Checked::NotCompiled(format!(
                "{} has no javac, so the tests were not compiled; pass a full JDK with --jdk",
                self.desk.jdk().home.display()
            )));
        }
        let by_frame = |of: &dyn Fn(&TestMethod) -> Option<String>| {
            let troubles = test.methods.iter();
            troubles
                .filter_map(|method| Some((method.frame, of(method)?)))
                .collect()
        };
        Ok(Checked::Ran(
            match self.run(self.folder.path(), &[test], false)? {
                Ran::NotCompiled(output) => {
                    let mut troubles = compile_troubles(test, &output);
                    if troubles.is_empty() {
                        let first = output.lines().next().unwrap_or("javac failed");
                        let all = test.methods.iter();
                        troubles = all
                            .map(|method| (method.name.clone(), first.to_owned()))
                            .collect();
                    }
                    by_frame(&|method| troubles.get(&method.name).cloned())
                }
                Ran::Results(results) => by_frame(&|method| {
                    let mut of_method =
                        results.iter().filter(|result| result.method == method.name);
                    self.trouble(method.frame, of_method.next().map(|result| &result.outcome))
                }),
            },
        ))
    }
}

fn of_left_out(count: usize) -> Option<String> {
    let frames = match count {
        0 => return None,
        1 => "1 frame of libraries that called the application was".to_owned(),
        count => format!("{count} frames of libraries that called the application were"),
    };
    Some(format!("{frames} not tried; --all-frames tries them"))
}

/// The names of what was written.
#[derive(Default)]
struct Emitted {
    source: Option<String>,
    files: Vec<String>,
}

enum Checked {
    Ran(BTreeMap<usize, String>),
    NotCompiled(String),
}

fn candidates(verdicts: &Verdicts, forms: &BTreeMap<usize, Form>) -> Vec<Candidate> {
    let frames = verdicts.frames.iter();
    frames
        .filter_map(|frame| {
            let form = *forms.get(&frame.frame)?;
            Some(candidate(frame, form))
        })
        .collect()
}

/// Why tests load the snapshot, or, where none may, why there are none.
fn tell_obstacles(verdicts: &mut Verdicts, alone: &SourceAlone) {
    for frame in &mut verdicts.frames {
        if frame.verdict == Verdict::Reproduced && !frame.self_contained {
            frame.obstacle = alone.obstacles.get(&frame.frame).cloned();
        }
    }
}

fn adopt(verdicts: &mut Verdicts, test: &TestClass) {
    verdicts.test_class = Some(test.qualified());
    // What the reader sees first in the source comes first in the table, too.
    if let Some(first) = test.methods.first() {
        verdicts
            .frames
            .sort_by_key(|report| report.frame != first.frame);
    }
    for frame in &mut verdicts.frames {
        let method = test
            .methods
            .iter()
            .find(|method| method.frame == frame.frame);
        frame.test = method.map(|method| method.name.clone());
        frame.self_contained = method.is_some_and(|method| method.self_contained);
    }
}

/// Static state that the worker can do with may not fit into JUnit's JVM: reflection, say, that only works where it was
/// made. Whether the frame is to be tried once more, with static state as the JVM makes it.
fn leave_out_statics(verdicts: &mut Verdicts, frame: usize) -> bool {
    let mut reports = verdicts.frames.iter_mut();
    let report = reports.find(|report| report.frame == frame && report.variant.statics());
    report.is_some_and(|report| {
        report.variant = report.variant.without_statics();
        true
    })
}

/// It ran in the worker but not as a JUnit test: no test, and the reason.
fn reject(verdicts: &mut Verdicts, frame: usize, reason: &str) {
    if let Some(report) = verdicts
        .frames
        .iter_mut()
        .find(|report| report.frame == frame)
    {
        report.verdict = Verdict::NotRunnable;
        report.reason = Some(format!(
            "reproduced in the worker, but not by JUnit: {reason}"
        ));
    }
}

#[cfg(test)]
mod unit {
    use super::*;

    #[test]
    fn beside_a_bare_name_is_the_folder_that_recrash_runs_in() {
        assert_eq!(beside(Path::new("small")), Path::new("."));
        assert_eq!(beside(Path::new("/a/small")), Path::new("/a"));
    }
}
