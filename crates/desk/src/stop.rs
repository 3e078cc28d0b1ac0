use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// When a job at the desk has to end before it is done: at an order, which any thread may give, or at a time.
#[derive(Debug, Clone, Default)]
pub struct Stop {
    ordered: Arc<AtomicBool>,
    until: Option<Instant>,
}

impl Stop {
    /// The same order, and an end at `until` at the latest.
    #[must_use]
    pub fn not_after(&self, until: Instant) -> Self {
        Self {
            ordered: Arc::clone(&self.ordered),
            until: Some(self.until.map_or(until, |known| known.min(until))),
        }
    }

    /// Ends the job, and all that share the order, at the next trial.
    pub fn order(&self) {
        self.ordered.store(true, Ordering::Release);
    }

    pub fn is_due(&self) -> bool {
        self.ordered.load(Ordering::Acquire) || self.left() == Some(Duration::ZERO)
    }

    /// The time until the end, where there is one.
    pub(crate) fn left(&self) -> Option<Duration> {
        let until = self.until?;
        Some(until.saturating_duration_since(Instant::now()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_reaches_all_that_share_it_and_a_time_only_its_own() {
        let stop = Stop::default();
        let short = stop.not_after(Instant::now());
        assert!(short.is_due());
        assert!(!stop.is_due());
        let long = stop.not_after(Instant::now() + Duration::from_secs(1000));
        assert!(!long.is_due());
        stop.order();
        assert!(long.is_due() && stop.is_due());
    }
}
