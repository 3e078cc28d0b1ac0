//! Proxies give way to what they stand for, where the frames that reproduce do so without them.
//!
//! A frame that reads an entity reads the same from the entity itself as from the proxy that loads it late. So a test needs neither
//! the proxy's class nor the session behind it. A frame to which the difference matters keeps all of them as they were.

use recrash_heap::{Crash, in_their_places, needed, plan, targets};
use recrash_judge::Verdict;
use recrash_jvm::Loader;

use crate::desk::Desk;
use crate::error::Result;
use crate::trials::Trials;
use crate::verdict::Verification;

/// More frames than this are not tried again.
const MOST_FRAMES: usize = 40;

/// Puts targets in the places of proxies if every frame that reproduces does so then, too. Whether that changed the snapshot.
pub fn targets_for_proxies(
    desk: &Desk,
    crash: &mut Crash,
    verification: &mut Verification,
) -> Result<bool> {
    if !crash.looks.is_empty() {
        return Ok(false);
    }
    let targets = targets(&crash.snapshot);
    if targets.is_empty() {
        return Ok(false);
    }
    let mut concerned = Vec::new();
    for (index, verdict) in verification.frames.iter().enumerate() {
        if verdict.verdict == Verdict::Reproduced {
            let reached = needed(
                &crash.snapshot,
                verdict.frame,
                verdict.variant.plan_options(),
            )?;
            if targets.keys().any(|proxy| reached.contains(*proxy)) {
                concerned.push(index);
            }
        }
    }
    if concerned.is_empty() || concerned.len() > MOST_FRAMES {
        return Ok(false);
    }
    let changed = in_their_places(&crash.snapshot, &targets);
    let mut trials = Trials::new(desk, crash);
    for verdict in concerned
        .iter()
        .filter_map(|index| verification.frames.get(*index))
    {
        let plan = plan(&changed, verdict.frame, verdict.variant.plan_options())?;
        let trial = trials.run(verdict.frame, plan, Loader::Own, desk.limit())?;
        if trial.verdict != Verdict::Reproduced {
            return Ok(false);
        }
    }
    drop(trials);
    crash.snapshot = changed;
    for index in concerned {
        if let Some(verdict) = verification.frames.get_mut(index) {
            verdict
                .notes
                .push("with proxies replaced by what they stand for".to_owned());
        }
    }
    Ok(true)
}
