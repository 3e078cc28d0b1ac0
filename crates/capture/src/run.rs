//! `recrash run`: a program with the agent inside.

use crate::Listener;
use crate::child::{self, Ending, Entrance};
use crate::error::{Error, Result};
use crate::messages::{self, Messages};
use recrash_bundle::Paths;
use recrash_heap::Snapshot;
use recrash_jvm::{AgentSettings, agent_option, appended};
use recrash_watchlist::WatchFile;
use recrash_wire::passed::sentence;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tempfile::NamedTempFile;

#[derive(Debug, Clone)]
pub struct RunOptions {
    /// The command and its arguments.
    pub command: Vec<OsString>,
    /// What the agent is told; `log` and `session` are set here.
    pub settings: AgentSettings,
    pub bundle: Paths,
}

/// What became of the run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ran {
    pub ending: Ending,
    /// The agent said something, be it only why nothing was captured.
    pub heard: bool,
    /// The snapshots of this run, oldest first.
    pub snapshots: Vec<PathBuf>,
    /// Of exceptions that were caught without a word, where there is no snapshot: a sentence with the options that get them.
    pub unheard: Option<String>,
}

/// Runs the command to its end.
pub fn run(options: &RunOptions, listener: &dyn Listener) -> Result<Ran> {
    let out = writable(&options.settings.out)?;
    let watch = options.settings.watch.as_deref().map(followed);
    let watch = watch.transpose()?;
    let log = message_file(&out)?;
    let session = session();
    let settings = AgentSettings {
        out: out.clone(),
        log: Some(log.path().to_owned()),
        session: Some(session.clone()),
        watch,
        ..options.settings.clone()
    };
    let option = agent_option(&options.bundle.agent, &settings);
    let started = SystemTime::now();
    let (ending, messages) =
        with_messages(log.path(), listener, || start(&options.command, &option));
    sweep(&out);
    let snapshots = snapshots_of(&out, &session, started);
    let unheard = if snapshots.is_empty() {
        sentence(messages.passed)
    } else {
        None
    };
    Ok(Ran {
        ending: ending?,
        heard: messages.lines > 0,
        snapshots,
        unheard,
    })
}

/// Where temporary files go, or where that cannot be written, as in some containers, among the snapshots.
fn message_file(out: &Path) -> Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    let named = builder.prefix(".recrash-messages-");
    named
        .tempfile()
        .or_else(|_| named.tempfile_in(out))
        .map_err(Error::out(out))
}

fn start(command: &[OsString], option: &str) -> Result<Ending> {
    let Some((program, arguments)) = command.split_first() else {
        return Err(Error::NotFound {
            command: String::new(),
        });
    };
    match Entrance::of(program) {
        Entrance::Argument => {
            let with_agent: Vec<OsString> = std::iter::once(OsString::from(option))
                .chain(arguments.iter().cloned())
                .collect();
            child::run(program, &with_agent, None)
        }
        Entrance::Variable => {
            let existing = std::env::var("JAVA_TOOL_OPTIONS").ok();
            child::run(
                program,
                arguments,
                Some(&appended(existing.as_deref(), option)),
            )
        }
    }
}

/// The result of `work`, and the messages that the agent gave meanwhile.
fn with_messages<T>(
    log: &Path,
    listener: &dyn Listener,
    work: impl FnOnce() -> T,
) -> (T, Messages) {
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let follower = scope.spawn(|| messages::follow(log, &done, listener));
        let result = work();
        done.store(true, Ordering::Release);
        follower.thread().unpark();
        (result, follower.join().unwrap_or_default())
    })
}

/// The folder, created, absolute (the child may change directory) and proven writable before anything starts.
fn writable(out: &Path) -> Result<PathBuf> {
    std::fs::create_dir_all(out).map_err(Error::out(out))?;
    let out = out.canonicalize().map_err(Error::out(out))?;
    tempfile::tempfile_in(&out).map_err(Error::out(&out))?;
    Ok(out)
}

/// The watch list, absolute as above. One that can only be read will do.
fn followed(list: &Path) -> Result<PathBuf> {
    let file = WatchFile::at(list);
    match file.prepare() {
        Err(error) if file.stamp().is_none() || file.read().is_err() => Err(error.into()),
        _ => std::path::absolute(list).map_err(Error::io(list)),
    }
}

/// Tells this run's snapshots from those of runs before it and beside it.
fn session() -> String {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    format!("{:x}-{:x}", std::process::id(), since.as_nanos())
}

fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    entries.filter_map(|entry| entry.ok().map(|entry| entry.path()))
}

fn snapshots_of(out: &Path, session: &str, started: SystemTime) -> Vec<PathBuf> {
    /// Clocks of file systems are coarse.
    const TOLERANCE: Duration = Duration::from_secs(2);
    let is_recent = |path: &Path| {
        let written = path.metadata().and_then(|metadata| metadata.modified());
        written.is_ok_and(|written| written + TOLERANCE >= started)
    };
    let mut found: Vec<(u64, PathBuf)> = entries(out)
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "recrash")
                && is_recent(path)
        })
        .filter_map(|path| {
            let manifest = Snapshot::read(&path).ok()?.manifest;
            (manifest.session.as_deref() == Some(session)).then_some((manifest.captured_at, path))
        })
        .collect();
    found.sort();
    found.into_iter().map(|(_, path)| path).collect()
}

/// Removes what a JVM that was killed while writing left behind: files under construction that no process has open.
fn sweep(out: &Path) {
    let mut abandoned: Vec<PathBuf> = entries(out)
        .filter(|path| is_under_construction(path))
        .collect();
    if abandoned.is_empty() {
        return;
    }
    for process in entries(Path::new("/proc")) {
        let open: Vec<PathBuf> = entries(&process.join("fd"))
            .filter_map(|link| link.read_link().ok())
            .collect();
        abandoned.retain(|path| !open.contains(path));
    }
    for path in abandoned {
        // Not ours to insist on: the file is hidden and harmless.
        let _ = std::fs::remove_file(path);
    }
}

fn is_under_construction(path: &Path) -> bool {
    let named = |name: &OsStr| name.to_string_lossy().starts_with(".recrash-");
    path.extension() == Some(OsStr::new("part")) && path.file_name().is_some_and(named)
}
