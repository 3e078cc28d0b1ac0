//! The user's program as our child: streams inherited, signals passed on, its ending told as it was.

use crate::error::{Error, Result};
use crate::signals;
use recrash_jvm::is_java;
use std::ffi::{OsStr, OsString};
use std::os::unix::process::ExitStatusExt;
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
        if is_java(command) {
            Entrance::Argument
        } else {
            Entrance::Variable
        }
    }
}

/// Starts `command` and waits for its end. Signals that another process sends to us go to the child; those of the
/// terminal reach it anyway, because it is in our process group.
pub(crate) fn run(
    program: &OsStr,
    arguments: &[OsString],
    tool_options: Option<&str>,
) -> Result<Ending> {
    signals::listen()?;
    let mut child = signals::pass_to(|| spawn(program, arguments, tool_options))?;
    let status = child.wait();
    signals::keep();
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
}
