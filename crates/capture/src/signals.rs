//! Signals: the child's while it runs, ours before and after.
//!
//! A handler once installed stays, and the signal's default action is lost with it. So one thread listens for the rest
//! of the process and decides by the state: with a child, the signal goes to the child; without, what is under
//! construction is removed and the signal does what it would have done.

use crate::error::{Error, Result};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open, pidfd_send_signal};
use signal_hook::consts::signal;
use signal_hook::iterator::SignalsInfo;
use signal_hook::iterator::exfiltrator::origin::{Origin, WithOrigin};
use signal_hook::low_level::emulate_default_handler;
use signal_hook::low_level::siginfo::Cause;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The signals a user or supervisor sends to end or poke a program.
const HEARD: [i32; 7] = [
    signal::SIGINT,
    signal::SIGTERM,
    signal::SIGHUP,
    signal::SIGQUIT,
    signal::SIGUSR1,
    signal::SIGUSR2,
    signal::SIGWINCH,
];

static STATE: Mutex<State> = Mutex::new(State {
    listening: false,
    child: None,
    unfinished: Vec::new(),
});

struct State {
    listening: bool,
    child: Option<Target>,
    /// Folders that are moved to their place when they are whole.
    unfinished: Vec<PathBuf>,
}

/// A thread that panicked while holding the lock left a state that is still good.
fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts to listen, unless that is done. Signals our parent told us to ignore (`nohup`) stay ignored, here and in the
/// child, which inherits that only while we install no handler.
pub(crate) fn listen() -> Result<()> {
    let mut state = state();
    if state.listening {
        return Ok(());
    }
    let ignored = ignored_signals();
    let wanted: Vec<i32> = HEARD
        .into_iter()
        .filter(|number| !is_in(ignored, *number))
        .collect();
    let mut signals = SignalsInfo::<WithOrigin>::new(&wanted).map_err(Error::Signals)?;
    std::thread::spawn(move || {
        for origin in &mut signals {
            handle(&origin);
        }
    });
    state.listening = true;
    Ok(())
}

fn handle(origin: &Origin) {
    let state = state();
    match &state.child {
        // The terminal has sent it to the child, too: it is in our process group.
        Some(_) if matches!(origin.cause, Cause::Kernel) => {}
        Some(child) => child.send(origin.signal),
        None => {
            if origin.signal != signal::SIGWINCH {
                for folder in &state.unfinished {
                    let _ = std::fs::remove_dir_all(folder);
                }
            }
            let _ = emulate_default_handler(origin.signal);
        }
    }
}

/// Starts a child; from here on signals are the child's, those that arrive while it starts included.
pub(crate) fn pass_to(spawn: impl FnOnce() -> Result<Child>) -> Result<Child> {
    let mut state = state();
    let child = spawn()?;
    state.child = Some(Target::of(&child));
    Ok(child)
}

/// The child is gone; signals are ours again.
pub(crate) fn keep() {
    state().child = None;
}

/// `folder` is to disappear if a signal ends us before [`finished`].
pub(crate) fn unfinished(folder: &Path) {
    state().unfinished.push(folder.to_owned());
}

pub(crate) fn finished(folder: &Path) {
    state().unfinished.retain(|unfinished| unfinished != folder);
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

    #[test]
    fn masks_count_from_signal_one() {
        assert!(is_in(1 << 12, signal::SIGPIPE));
        assert!(!is_in(0, signal::SIGHUP));
    }
}
