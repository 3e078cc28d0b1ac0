//! Ctrl-C for work that can stop early and still show what it has.

use signal_hook::consts::signal;
use signal_hook::flag;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// True after the first signal that asks us to end; the second one ends us.
pub fn until_interrupted() -> anyhow::Result<Arc<AtomicBool>> {
    let stopped = Arc::new(AtomicBool::new(false));
    for number in [signal::SIGINT, signal::SIGTERM, signal::SIGHUP] {
        flag::register_conditional_default(number, Arc::clone(&stopped))?;
        flag::register(number, Arc::clone(&stopped))?;
    }
    Ok(stopped)
}
