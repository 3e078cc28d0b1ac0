//! Numbers that look random and are the same in every run: a search can be repeated.

/// SplitMix64 (Steele, Lea, Flood 2014).
#[derive(Debug, Clone)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Below `end`, 0 if that is 0.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        if end == 0 {
            return 0;
        }
        (self.next() % end as u64) as usize
    }

    pub(crate) fn chance(&mut self, percent: u64) -> bool {
        self.next() % 100 < percent
    }

    pub(crate) fn choose<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        from.get(self.below(from.len()))
    }

    /// The place of one of `weights`, the heavier the likelier.
    pub(crate) fn weighted(&mut self, weights: &[f64]) -> Option<usize> {
        let sum: f64 = weights.iter().sum();
        let mut left = f64::from((self.next() >> 32) as u32) / f64::from(u32::MAX) * sum;
        for (at, weight) in weights.iter().enumerate() {
            if left < *weight {
                return Some(at);
            }
            left -= weight;
        }
        weights.len().checked_sub(1)
    }
}
