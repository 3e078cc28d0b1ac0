//! Medians, and how far a ratio of medians can be trusted.

/// The middle value; the mean of the two middle ones of an even number; NaN of nothing.
pub fn median(values: &[f64]) -> f64 {
    let sorted = sorted(values);
    let middle = sorted.len() / 2;
    let upper = sorted.get(middle).copied().unwrap_or(f64::NAN);
    if sorted.len() % 2 == 1 {
        return upper;
    }
    middle
        .checked_sub(1)
        .and_then(|lower| sorted.get(lower))
        .map_or(f64::NAN, |lower| f64::midpoint(*lower, upper))
}

fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

/// A ratio of medians, with half the width of its 90 % bootstrap interval as a share of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ratio {
    pub value: f64,
    pub spread: f64,
}

/// Resamples drawn for an interval: its ends move by less than a tenth of a percent beyond that.
const RESAMPLES: usize = 1_000;

/// `(baseline, measured)` pairs taken one right after the other; pairs are resampled whole, so that a slow minute of the
/// machine, which hits both halves of a pair, does not count as a difference.
pub fn ratio(pairs: &[(f64, f64)]) -> Ratio {
    let value = quotient(pairs.iter().copied());
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut resampled: Vec<f64> = (0..RESAMPLES)
        .map(|_| {
            quotient((0..pairs.len()).filter_map(|_| pairs.get(random.below(pairs.len())).copied()))
        })
        .collect();
    resampled.sort_by(f64::total_cmp);
    let quantile = |share: f64| {
        resampled
            .get((share * RESAMPLES as f64) as usize)
            .copied()
            .unwrap_or(f64::NAN)
    };
    Ratio {
        value,
        spread: (quantile(0.95) - quantile(0.05)) / 2.0 / value,
    }
}

fn quotient(pairs: impl Iterator<Item = (f64, f64)>) -> f64 {
    let (baseline, measured): (Vec<f64>, Vec<f64>) = pairs.unzip();
    median(&measured) / median(&baseline)
}

/// xorshift64*: orders of runs and resamples need no better source, and repeat from run to run.
pub struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below `bound`, 0 when there is none.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() >> 33).checked_rem(bound as u64).unwrap_or(0) as usize
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_an_even_number_lies_between_the_middle_two() {
        assert!((median(&[4.0, 1.0, 3.0, 2.0]) - 2.5).abs() < 1e-12);
        assert!((median(&[9.0, 1.0, 3.0]) - 3.0).abs() < 1e-12);
        assert!(median(&[]).is_nan());
    }

    #[test]
    fn equal_pairs_have_ratio_one_and_no_spread() {
        let ratio = ratio(&[(2.0, 2.0); 9]);
        assert!((ratio.value - 1.0).abs() < 1e-12);
        assert!(ratio.spread.abs() < 1e-12);
    }

    #[test]
    fn noise_widens_the_spread_and_repetition_narrows_it() {
        let noisy: Vec<(f64, f64)> = (0..8)
            .map(|i| (10.0 + f64::from(i % 4), 11.0 + f64::from((i * 3) % 5)))
            .collect();
        let longer: Vec<(f64, f64)> = noisy.iter().copied().cycle().take(80).collect();
        assert!(ratio(&noisy).spread > ratio(&longer).spread);
    }

    #[test]
    fn shuffling_keeps_every_item() {
        let mut items: Vec<u32> = (0..20).collect();
        Random(7).shuffle(&mut items);
        assert_ne!(items, (0..20).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..20).collect::<Vec<_>>());
    }
}
