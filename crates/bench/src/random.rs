/// Numbers by chance, the same for the same seed (SplitMix64).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) % bound.max(1) as u64) as usize
    }

    /// So many different numbers below `count`, in ascending order.
    pub fn sample(&mut self, count: usize, size: usize) -> Vec<usize> {
        let mut all: Vec<usize> = (0..count).collect();
        let mut chosen: Vec<usize> = (0..size)
            .map(|_| all.swap_remove(self.below(all.len())))
            .collect();
        chosen.sort_unstable();
        chosen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_has_different_numbers() {
        let mut sample = Random::new(3).sample(50, 50);
        sample.dedup();
        assert_eq!(sample, (0..50).collect::<Vec<_>>());
    }
}
