//! The user's program as our child: streams inherited, signals passed on, its ending told as it was.

use crate::error::{Error, Result};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open, pidfd_send_signal};
use signal_hook::consts::signal;
use signal_hook::iterator::SignalsInfo;
use signal_hook::iterator::exfiltrator::origin::{Origin, WithOrigin};
use signal_hook::low_level::siginfo::Cause;
use std::ffi::{OsStr, OsString};
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus};

/// How the program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    Exited(i32),
    Signalled(i32),
}

impl From<ExitStatus> for Ending {
    fn from(status: ExitStatus) -> Self {
        match (status.code(), status.signal()) {
            (Some(code), _) => Ending::Exited(code),
            (None, Some(signal)) => Ending::Signalled(signal),
            (None, None) => Ending::Exited(1),
        }
    }
}

/// How the agent gets into the JVM.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Entrance {
    /// The command is `java` itself.
    Argument,
    /// Something that starts a JVM sooner or later.
    Variable,
}

impl Entrance {
    pub(crate) fn of(command: &OsStr) -> Self {
        let name = Path::new(command).file_name().unwrap_or(command);
        if name == "java" {
            Entrance::Argument
        } else {
            Entrance::Variable
        }
    }
}

/// The signals a user or supervisor sends to end or poke a program.
const PASSED_ON: [i32; 7] = [
    signal::SIGINT,
    signal::SIGTERM,
    signal::SIGHUP,
    signal::SIGQUIT,
    signal::SIGUSR1,
    signal::SIGUSR2,
    signal::SIGWINCH,
];

/// Starts `command` and waits for its end. Signals that another process sends to us go to the child; those of the
/// terminal reach it anyway, because it is in our process group.
pub(crate) fn run(
    program: &OsStr,
    arguments: &[OsString],
    tool_options: Option<&str>,
) -> Result<Ending> {
    let ignored = ignored_signals();
    let wanted: Vec<i32> = PASSED_ON
        .into_iter()
        .filter(|number| !is_in(ignored, *number))
        .collect();
    let mut signals = SignalsInfo::<WithOrigin>::new(&wanted).map_err(Error::Signals)?;
    let mut child = spawn(program, arguments, tool_options)?;
    let handle = signals.handle();
    let target = Target::of(&child);
    let passing = std::thread::spawn(move || {
        for origin in &mut signals {
            if !from_terminal(&origin) {
                target.send(origin.signal);
            }
        }
    });
    let status = child.wait();
    handle.close();
    // The thread holds nothing but the closed handle; a panic there must not become ours.
    let _ = passing.join();
    let command = program.to_string_lossy().into_owned();
    status
        .map(Ending::from)
        .map_err(|source| Error::NotStarted { command, source })
}

fn spawn(program: &OsStr, arguments: &[OsString], tool_options: Option<&str>) -> Result<Child> {
    let mut command = Command::new(program);
    command.args(arguments);
    if let Some(options) = tool_options {
        command.env("JAVA_TOOL_OPTIONS", options);
    }
    command.spawn().map_err(|source| {
        let command = program.to_string_lossy().into_owned();
        if source.kind() == std::io::ErrorKind::NotFound {
            Error::NotFound { command }
        } else {
            Error::NotStarted { command, source }
        }
    })
}

fn from_terminal(origin: &Origin) -> bool {
    matches!(origin.cause, Cause::Kernel)
}

/// The child, by a handle that never means another process where the kernel has such handles (Linux 5.3).
enum Target {
    Handle(OwnedFd),
    Number(Pid),
    Gone,
}

impl Target {
    fn of(child: &Child) -> Self {
        let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        match pid {
            None => Target::Gone,
            Some(pid) => {
                pidfd_open(pid, PidfdFlags::empty()).map_or(Target::Number(pid), Target::Handle)
            }
        }
    }

    fn send(&self, number: i32) {
        let Some(signal) = Signal::from_named_raw(number) else {
            return;
        };
        // A child that has just ended needs no signal.
        let _ = match self {
            Target::Handle(handle) => pidfd_send_signal(handle, signal),
            Target::Number(pid) => kill_process(*pid, signal),
            Target::Gone => Ok(()),
        };
    }
}

/// Signals our parent told us to ignore (`nohup`) stay ignored in the child only while we install no handler.
fn ignored_signals() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .unwrap_or(0)
}

fn is_in(mask: u64, number: i32) -> bool {
    u32::try_from(number - 1)
        .ok()
        .and_then(|bit| mask.checked_shr(bit))
        .is_some_and(|shifted| shifted & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Result<Ending> {
        run(OsStr::new("/bin/sh"), &["-c".into(), script.into()], None)
    }

    #[test]
    fn the_ending_of_the_child_is_told_as_it_was() {
        assert_eq!(shell("exit 42").unwrap(), Ending::Exited(42));
        assert_eq!(shell("kill -9 $$").unwrap(), Ending::Signalled(9));
    }

    #[test]
    fn a_command_that_does_not_exist_is_not_found() {
        let error = run(OsStr::new("no-such-command"), &[], None).unwrap_err();
        assert_eq!(error.to_string(), "no-such-command: command not found");
    }

    #[test]
    fn only_java_itself_takes_the_agent_as_an_argument() {
        assert_eq!(
            Entrance::of(OsStr::new("/opt/jdk/bin/java")),
            Entrance::Argument
        );
        assert_eq!(Entrance::of(OsStr::new("java")), Entrance::Argument);
        assert_eq!(Entrance::of(OsStr::new("./gradlew")), Entrance::Variable);
        assert_eq!(Entrance::of(OsStr::new("javac")), Entrance::Variable);
    }

    #[test]
    fn masks_count_from_signal_one() {
        assert!(is_in(1 << 12, signal::SIGPIPE));
        assert!(!is_in(0, signal::SIGHUP));
    }
}
