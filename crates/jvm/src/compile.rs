use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use recrash_wire::compiler::{Compile, Compiled, VERSION, WHAT};
use recrash_wire::record::Wire;

use crate::channel::{Channel, Received, framed};
use crate::class_path::ClassPath;
use crate::error::{Error, Result};
use crate::jdk::Jdk;
use crate::process::{Launch, SHORT_LIVED};

/// A run of javac.
#[derive(Debug, Clone)]
pub struct Compilation<'a> {
    pub sources: &'a [PathBuf],
    pub class_path: &'a ClassPath,
    /// Where the class files go; created when missing.
    pub output: &'a Path,
    /// Further options, `--add-exports …` for instance.
    pub options: &'a [String],
    pub limit: Duration,
}

/// Compilers that stay warm between runs, in JVMs of their own: a start costs several times what a second run does.
///
/// Clones share the JVMs, which end with the last of them.
#[derive(Debug, Clone)]
pub struct Compilers {
    /// recrash-worker.jar
    worker: PathBuf,
    idle: Arc<Mutex<Vec<Warm>>>,
}

#[derive(Debug)]
struct Warm {
    java: PathBuf,
    channel: Channel,
}

impl Compilers {
    /// Compilers that no run has started yet; `worker` is recrash-worker.jar.
    pub fn new(worker: PathBuf) -> Compilers {
        Compilers {
            worker,
            idle: Arc::default(),
        }
    }

    /// Compiles with debug information. The error carries javac's own lines.
    pub fn compile(&self, jdk: &Jdk, compilation: &Compilation<'_>) -> Result<()> {
        // Says by name what is missing where there is only a runtime.
        jdk.javac()?;
        std::fs::create_dir_all(compilation.output).map_err(|source| Error::Io {
            path: compilation.output.to_owned(),
            source,
        })?;
        let compile = Compile {
            version: VERSION,
            arguments: arguments(compilation),
        };
        let mut warm = self.warm(jdk)?;
        if warm.channel.send(&framed(&compile.encode())).is_err() {
            // It died since its last run, of something that is not ours: start afresh once.
            warm = self.start(jdk)?;
            let failed = |error: std::io::Error| Error::CompilerStart(error.to_string());
            warm.channel
                .send(&framed(&compile.encode()))
                .map_err(failed)?;
        }
        let compiled = match warm.channel.receive(compilation.limit)? {
            Received::Message(bytes) => Compiled::decode(WHAT, &bytes)
                .map_err(|error| Error::Protocol(error.to_string()))?,
            Received::Nothing => {
                return Err(Error::TimeLimit {
                    what: "javac".to_owned(),
                    limit: compilation.limit,
                });
            }
            Received::Closed(how) => return Err(Error::CompilerStart(how)),
        };
        if compiled.version != VERSION {
            return Err(Error::CompilerStart(format!(
                "it speaks version {} of the protocol and recrash version {VERSION}: they come from different builds",
                compiled.version
            )));
        }
        self.idle().push(warm);
        if compiled.status == 0 {
            return Ok(());
        }
        Err(Error::Compile(compiled.output.trim().to_owned()))
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Warm>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One that nobody uses, or a new one: runs at the same time have compilers of their own.
    fn warm(&self, jdk: &Jdk) -> Result<Warm> {
        let java = jdk.java();
        let mut idle = self.idle();
        if let Some(at) = idle.iter().position(|warm| warm.java == java) {
            return Ok(idle.swap_remove(at));
        }
        drop(idle);
        self.start(jdk)
    }

    fn start(&self, jdk: &Jdk) -> Result<Warm> {
        let java = jdk.java();
        let launch = Launch::new(&java)
            .arguments(SHORT_LIVED)
            .argument("-classpath")
            .argument(&self.worker)
            .argument("recrash.compiler.Main");
        let channel = Channel::open(launch)?;
        Ok(Warm { java, channel })
    }
}

fn arguments(compilation: &Compilation<'_>) -> Vec<String> {
    let text = |argument: OsString| argument.to_string_lossy().into_owned();
    let options = [
        "-g",
        "-nowarn",
        "-proc:none",
        "-encoding",
        "UTF-8",
        "-Xlint:none",
    ];
    let mut arguments: Vec<String> = options.map(str::to_owned).to_vec();
    arguments.extend_from_slice(compilation.options);
    arguments.push("-d".to_owned());
    arguments.push(text(compilation.output.into()));
    arguments.push("-classpath".to_owned());
    arguments.push(text(compilation.class_path.joined()));
    arguments.extend(compilation.sources.iter().map(|path| text(path.into())));
    arguments
}
