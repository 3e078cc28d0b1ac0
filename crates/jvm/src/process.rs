use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use crate::error::{Error, Result};

/// Output beyond this many bytes per stream is dropped: the beginning of a compiler's or runner's output says why.
const OUTPUT_LIMIT: u64 = 4 << 20;

/// Variables that make a JVM behave unlike the recorded one, or load an agent into our own helpers.
pub const FOREIGN_OPTIONS: [&str; 3] = ["JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS"];

/// For JVMs that live for seconds: the quick compiler and the simplest collector start them fastest.
pub const SHORT_LIVED: [&str; 2] = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"];

/// A process to run to its end.
#[derive(Debug, Clone)]
pub struct Launch {
    command: PathBuf,
    arguments: Vec<OsString>,
    directory: Option<PathBuf>,
    input: Vec<u8>,
    limit: Duration,
}

/// How a process ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finished {
    /// `None` when a signal ended it.
    pub status: Option<i32>,
    pub stdout: String,
    pub stderr: String,
    /// It was killed because its time was up.
    pub timed_out: bool,
}

impl Launch {
    pub fn new(command: &Path) -> Launch {
        Launch {
            command: command.to_owned(),
            arguments: Vec::new(),
            directory: None,
            input: Vec::new(),
            limit: Duration::from_secs(60),
        }
    }

    #[must_use]
    pub fn argument(mut self, argument: impl Into<OsString>) -> Launch {
        self.arguments.push(argument.into());
        self
    }

    #[must_use]
    pub fn arguments<A: Into<OsString>>(
        mut self,
        arguments: impl IntoIterator<Item = A>,
    ) -> Launch {
        self.arguments.extend(arguments.into_iter().map(Into::into));
        self
    }

    /// Runs in `directory` when it exists, where we are otherwise.
    #[must_use]
    pub fn directory(mut self, directory: &Path) -> Launch {
        self.directory = directory.is_dir().then(|| directory.to_owned());
        self
    }

    /// What the process finds on its standard input.
    #[must_use]
    pub fn input(mut self, bytes: Vec<u8>) -> Launch {
        self.input = bytes;
        self
    }

    #[must_use]
    pub fn limit(mut self, limit: Duration) -> Launch {
        self.limit = limit;
        self
    }

    pub(crate) fn spawn(&self, stdin: Stdio) -> Result<Child> {
        let mut command = Command::new(&self.command);
        command
            .args(&self.arguments)
            .stdin(stdin)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some(directory) = &self.directory {
            command.current_dir(directory);
        }
        for variable in FOREIGN_OPTIONS {
            command.env_remove(variable);
        }
        command.spawn().map_err(|source| Error::Start {
            command: self.command.clone(),
            source,
        })
    }
}

/// Runs a process to its end, or kills it when its time is up.
pub fn run(launch: &Launch) -> Result<Finished> {
    let input = if launch.input.is_empty() {
        Stdio::null()
    } else {
        Stdio::piped()
    };
    let mut child = launch.spawn(input)?;
    feed(child.stdin.take(), &launch.input);
    let stdout = drain(child.stdout.take());
    let stderr = drain(child.stderr.take());
    let (status, timed_out) = wait(&mut child, launch.limit).map_err(|source| Error::Watch {
        command: launch.command.clone(),
        source,
    })?;
    Ok(Finished {
        status,
        stdout: collect(&stdout),
        stderr: collect(&stderr),
        timed_out,
    })
}

/// On a thread of its own: a process that reads nothing must not hold us up.
fn feed(stream: Option<ChildStdin>, bytes: &[u8]) {
    if let Some(mut stream) = stream {
        let bytes = bytes.to_vec();
        // One that ends before it has read everything has said why by its status.
        thread::spawn(move || stream.write_all(&bytes));
    }
}

/// Polls, because the standard library has no wait with a time limit; the step grows to 20 ms.
pub(crate) fn wait(child: &mut Child, limit: Duration) -> std::io::Result<(Option<i32>, bool)> {
    let end = Instant::now() + limit;
    let mut step = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok((status.code(), false));
        }
        if Instant::now() >= end {
            child.kill()?;
            return Ok((child.wait()?.code(), true));
        }
        thread::sleep(step);
        step = (step * 2).min(Duration::from_millis(20));
    }
}

fn drain<R: Read + Send + 'static>(stream: Option<R>) -> mpsc::Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    if let Some(mut stream) = stream {
        thread::spawn(move || {
            let mut bytes = Vec::new();
            let complete = (&mut stream).take(OUTPUT_LIMIT).read_to_end(&mut bytes);
            let _ = sender.send(bytes);
            // Keep reading, or the process would block on a full pipe.
            if complete.is_ok() {
                let _ = std::io::copy(&mut stream, &mut std::io::sink());
            }
        });
    }
    receiver
}

/// A grandchild may hold the pipe open after the process ended, so this waits only a moment.
fn collect(receiver: &mpsc::Receiver<Vec<u8>>) -> String {
    let bytes = receiver
        .recv_timeout(Duration::from_secs(2))
        .unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Launch {
        Launch::new(Path::new("/bin/sh"))
            .argument("-c")
            .argument(script)
    }

    #[test]
    fn both_streams_and_the_status_come_back() {
        let finished = run(&shell("echo out; echo err >&2; exit 3")).unwrap();
        assert_eq!(
            finished,
            Finished {
                status: Some(3),
                stdout: "out\n".into(),
                stderr: "err\n".into(),
                timed_out: false
            }
        );
    }

    #[test]
    fn a_process_finds_its_input_whether_it_reads_it_or_not() {
        let input = vec![b'x'; 200_000];
        let counted = run(&shell("wc -c").input(input.clone())).unwrap();
        assert_eq!(counted.stdout.trim(), "200000");
        assert_eq!(run(&shell("exit 4").input(input)).unwrap().status, Some(4));
    }

    #[test]
    fn a_process_over_its_time_is_killed() {
        let finished = run(&shell("exec sleep 60").limit(Duration::from_millis(50))).unwrap();
        assert!(finished.timed_out);
        assert_eq!(finished.status, None);
    }

    #[test]
    fn endless_output_is_cut_and_does_not_block_the_process() {
        let finished = run(&shell("head -c 9000000 /dev/zero; exit 0")).unwrap();
        assert_eq!(finished.status, Some(0));
        assert_eq!(finished.stdout.len() as u64, OUTPUT_LIMIT);
    }

    #[test]
    fn a_command_that_does_not_exist_is_named() {
        let error = run(&Launch::new(Path::new("/nowhere/java"))).unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("/nowhere/java could not be started"),
            "{error}"
        );
    }
}
