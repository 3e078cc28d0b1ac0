use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::str::SplitAsciiWhitespace;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use recrash_jvm::FOREIGN_OPTIONS;

/// What one process took, its waited-for children included.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cost {
    pub wall: Duration,
    /// User and system time. In steps of 10 ms, the kernel's tick, so only for processes that run for seconds.
    pub cpu: Duration,
}

/// One process that ran to its end with its output in files, which cost the same whoever writes them.
pub struct Sample {
    pub cost: Cost,
    pub status: Option<i32>,
    pub stdout: PathBuf,
    pub stderr: PathBuf,
}

/// Runs `command` to its end; its output goes to `out` and `err` in `folder`.
pub fn measure(command: &mut Command, folder: &Path) -> Result<Sample> {
    let stdout = folder.join("out");
    let stderr = folder.join("err");
    without_foreign_options(command);
    command
        .stdin(Stdio::null())
        .stdout(File::create(&stdout)?)
        .stderr(File::create(&stderr)?);
    let cpu = children_cpu()?;
    let start = Instant::now();
    let status = command.status().with_context(|| {
        format!(
            "{} could not be started",
            command.get_program().to_string_lossy()
        )
    })?;
    let cost = Cost {
        wall: start.elapsed(),
        cpu: children_cpu()?.saturating_sub(cpu),
    };
    Ok(Sample {
        cost,
        status: status.code(),
        stdout,
        stderr,
    })
}

/// Nothing changes the measured JVMs behind our back.
pub fn without_foreign_options(command: &mut Command) {
    for variable in FOREIGN_OPTIONS {
        command.env_remove(variable);
    }
}

/// `cutime` and `cstime` of proc(5): the CPU time of every descendant waited for so far.
fn children_cpu() -> Result<Duration> {
    let stat = std::fs::read_to_string("/proc/self/stat")
        .context("CPU times are read from /proc/self/stat")?;
    ticks(&stat, OF_CHILDREN)
        .map(|ticks| Duration::from_millis(ticks * 10))
        .context("/proc/self/stat has an unknown form")
}

/// `utime` and `stime` of proc(5): what the process or thread of this file has taken so far.
pub fn cpu_in(stat: &Path) -> Result<Duration> {
    let text = std::fs::read_to_string(stat)?;
    ticks(&text, OF_ITSELF)
        .map(|ticks| Duration::from_millis(ticks * 10))
        .with_context(|| format!("{} has an unknown form", stat.display()))
}

/// What proc(5) counts from 3 on: the command name before it may hold blanks and parentheses.
pub fn fields_behind_name(stat: &str) -> Option<SplitAsciiWhitespace<'_>> {
    Some(stat.rsplit_once(')')?.1.split_ascii_whitespace())
}

/// Fields 14 and 15, and 16 and 17, counted after the command name.
const OF_ITSELF: usize = 11;
const OF_CHILDREN: usize = 13;

fn ticks(stat: &str, skipped: usize) -> Option<u64> {
    let mut fields = fields_behind_name(stat)?.skip(skipped);
    let user: u64 = fields.next()?.parse().ok()?;
    let system: u64 = fields.next()?.parse().ok()?;
    Some(user + system)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_found_behind_a_name_with_blanks() {
        let stat = "42 (a ) b) S 1 42 42 0 -1 4194304 1 2 3 4 5 6 70 8 20 0 1 0 9";
        assert_eq!(ticks(stat, OF_ITSELF), Some(11));
        assert_eq!(ticks(stat, OF_CHILDREN), Some(78));
    }

    #[test]
    fn a_busy_child_costs_cpu_time_and_its_output_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new("sh");
        command.args([
            "-c",
            "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; echo done; exit 3",
        ]);
        let sample = measure(&mut command, folder.path()).unwrap();
        assert!(sample.cost.cpu > Duration::ZERO);
        assert_eq!(sample.status, Some(3));
        assert_eq!(std::fs::read_to_string(sample.stdout).unwrap(), "done\n");
    }
}
