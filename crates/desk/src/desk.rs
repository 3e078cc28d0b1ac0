//! The desk: what all trials of one crash have in common, chosen once.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use recrash_heap::manifest::Environment;
use recrash_heap::{Crash, Manifest};
use recrash_judge::{Expected, Sameness, Words};
use recrash_jvm::{
    ClassPath, Jdk, Launch, SHORT_LIVED, Tools, Worker, WorkerOptions, choose, find_jdks,
    unpack_nested,
};

use crate::environment::{jvm_arguments, recorded_class_path};
use crate::error::{Error, Result};
use crate::stop::Stop;

/// What a person may say about how frames are tried.
#[derive(Debug, Clone)]
pub struct Settings {
    pub tools: Tools,
    /// The program's class path; `None` for the recorded one.
    pub class_path: Option<ClassPath>,
    /// `None` for the recorded JDK, or the nearest one found.
    pub jdk: Option<Jdk>,
    /// Per trial.
    pub limit: Duration,
    /// Gets what the program's jars carry inside, where a frame's class is nowhere else.
    pub unpacked: PathBuf,
    pub stop: Stop,
}

/// Where the frames of one crash are tried: JDK, class path, tools, limits and the end, each chosen once.
#[derive(Debug, Clone)]
pub struct Desk {
    tools: Tools,
    jdk: Jdk,
    note: Option<String>,
    /// The JDK is exactly the recorded one: lines inside the JDK count, too.
    same_jdk: bool,
    class_path: ClassPath,
    environment: Environment,
    limit: Duration,
    stop: Stop,
}

impl Desk {
    pub fn new(crash: &Crash, settings: Settings) -> Result<Self> {
        let environment = &crash.snapshot.manifest.environment;
        let (jdk, note) = choose_jdk(environment, settings.jdk)?;
        let class_path = settings
            .class_path
            .unwrap_or_else(|| recorded_class_path(environment));
        let feature = jdk.version.feature;
        let class_path = whole(class_path, crash, feature, &settings.unpacked)?;
        Ok(Self {
            tools: settings.tools,
            same_jdk: jdk.version.text == environment.java_version,
            jdk,
            note,
            class_path,
            environment: environment.clone(),
            limit: settings.limit,
            stop: settings.stop,
        })
    }

    /// The same desk, cleared at `until` at the latest.
    #[must_use]
    pub fn not_after(&self, until: Instant) -> Self {
        Self {
            stop: self.stop.not_after(until),
            ..self.clone()
        }
    }

    pub fn tools(&self) -> &Tools {
        &self.tools
    }

    pub fn jdk(&self) -> &Jdk {
        &self.jdk
    }

    /// Why the JDK is not the recorded one.
    pub fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }

    /// What is the recorded crash, when something at this desk fails in the place of `frame`.
    pub fn same_crash<'m>(&self, manifest: &'m Manifest, frame: usize) -> Sameness<'m> {
        let expected = Expected {
            manifest,
            frame,
            same_jdk: self.same_jdk,
        };
        Sameness {
            expected,
            words: Words::Any,
        }
    }

    /// The program's.
    pub fn class_path(&self) -> &ClassPath {
        &self.class_path
    }

    /// How long one trial may take.
    pub fn limit(&self) -> Duration {
        self.limit
    }

    pub fn stop(&self) -> &Stop {
        &self.stop
    }

    /// The recorded JVM options that decide behaviour.
    pub fn jvm_arguments(&self) -> Vec<String> {
        jvm_arguments(&self.environment)
    }

    /// Where the program ran.
    pub fn directory(&self) -> &Path {
        Path::new(&self.environment.working_directory)
    }

    /// A JVM that runs trials; with `program` its system class loader has the program's classes.
    pub(crate) fn worker(&self, program: bool) -> Worker {
        let class_path = if program {
            &self.class_path
        } else {
            &ClassPath::default()
        };
        let mut arguments = self.jvm_arguments();
        arguments.extend(SHORT_LIVED.map(str::to_owned));
        arguments.push(self.library());
        Worker::new(WorkerOptions {
            jdk: self.jdk.clone(),
            class_path: self.with_tools(class_path),
            jvm_arguments: arguments,
            directory: self.directory().to_owned(),
        })
    }

    /// A JVM for one run, with the program's classes in its system class loader and these options.
    pub(crate) fn launch(&self, option: String) -> Launch {
        Launch::new(&self.jdk.java())
            .arguments(self.jvm_arguments())
            .arguments(SHORT_LIVED)
            .argument(self.library())
            .argument(option)
            .argument("-cp")
            .argument(self.with_tools(&self.class_path).joined())
            .directory(self.directory())
    }

    fn with_tools(&self, class_path: &ClassPath) -> ClassPath {
        class_path.after(&[&self.tools.worker, &self.tools.junit_runtime])
    }

    fn library(&self) -> String {
        format!("-Drecrash.library={}", self.tools.library.display())
    }
}

/// The given JDK, else the recorded one, else the nearest found; and why it is another.
fn choose_jdk(environment: &Environment, given: Option<Jdk>) -> Result<(Jdk, Option<String>)> {
    if let Some(jdk) = given {
        let note = (jdk.version.text != environment.java_version).then(|| {
            format!(
                "the failure was recorded on Java {}, the tests run on {}",
                environment.java_version, jdk.version
            )
        });
        return Ok((jdk, note));
    }
    let home = Path::new(&environment.java_home);
    let chosen = choose(&find_jdks(), home, &environment.java_version);
    let chosen = chosen.ok_or_else(|| Error::NoJdk {
        version: environment.java_version.clone(),
        home: environment.java_home.clone(),
    })?;
    Ok((chosen.jdk, chosen.note))
}

/// The class path, with what its jars carry inside where a frame's class is nowhere else.
fn whole(class_path: ClassPath, crash: &Crash, feature: u32, unpacked: &Path) -> Result<ClassPath> {
    let Manifest { frames, .. } = &crash.snapshot.manifest;
    let carried = &crash.snapshot.classes;
    let absent = frames
        .iter()
        .filter(|frame| frame.captured.is_some())
        .map(|frame| frame.element.class.as_str())
        .filter(|class| carried.iter().all(|carried| carried.name != *class))
        .any(|class| matches!(class_path.find_class(class, feature), Ok(None)));
    if !absent {
        return Ok(class_path);
    }
    Ok(unpack_nested(&class_path, unpacked)?)
}
