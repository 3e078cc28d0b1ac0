//! Which core processes run on.

use std::path::Path;

use anyhow::{Context, Result};
use rustix::process::Pid;
use rustix::thread::{CpuSet, sched_setaffinity};

use crate::sample::fields_behind_name;

/// Moves all threads of the processes in a group to a core.
pub fn move_group(group: u32, core: usize) -> Result<()> {
    let mut cores = CpuSet::new();
    cores.set(core);
    // A thread that is started meanwhile inherits the core of the one that starts it, which may be the old one.
    for _ in 0..2 {
        for process in numbers_in(Path::new("/proc"))? {
            if group_of(process) == Some(group) {
                move_process(process, &cores);
            }
        }
    }
    Ok(())
}

/// Threads may end at any moment, and need no moving then.
fn move_process(process: u32, cores: &CpuSet) {
    let threads = format!("/proc/{process}/task");
    for thread in numbers_in(Path::new(&threads)).unwrap_or_default() {
        let _ = sched_setaffinity(Pid::from_raw(thread as i32), cores);
    }
}

fn numbers_in(folder: &Path) -> Result<Vec<u32>> {
    let entries = std::fs::read_dir(folder)
        .with_context(|| format!("{} could not be read", folder.display()))?;
    Ok(entries
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .collect())
}

fn group_of(process: u32) -> Option<u32> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    fields_behind_name(&stat)?.nth(2)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::CommandExt;
    use std::process::{Command, Stdio};

    #[test]
    fn a_group_runs_on_the_core_that_it_was_moved_to() {
        let mut process = Command::new("cat")
            .process_group(0)
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        move_group(process.id(), 0).unwrap();
        let status = format!("/proc/{}/status", process.id());
        let status = std::fs::read_to_string(status).unwrap();
        assert!(status.contains("Cpus_allowed_list:\t0\n"), "{status}");
        drop(process.stdin.take());
        process.wait().unwrap();
    }
}
