//! What is left of many items.

/// The items that are left of `0..count`: one bit each, and a hash of all that follows every change, so that a million items
/// can lose one in no time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    words: Vec<u64>,
    len: usize,
    content: u128,
}

impl Kept {
    /// All of `0..count`.
    pub fn all(count: usize) -> Self {
        let word = |at: usize| match count - at * 64 {
            rest @ 0..64 => (1 << rest) - 1,
            _ => u64::MAX,
        };
        Kept {
            words: (0..count.div_ceil(64)).map(word).collect(),
            len: count,
            content: (0..count).fold(0, |content, item| content ^ mark(item)),
        }
    }

    pub fn contains(&self, item: usize) -> bool {
        let word = self.words.get(item / 64);
        word.is_some_and(|word| word >> (item % 64) & 1 == 1)
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// In ascending order.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        self.words.iter().enumerate().flat_map(|(at, word)| {
            let mut rest = *word;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
                rest &= rest - 1;
                Some(at * 64 + bit)
            })
        })
    }

    /// The same for the same items; for others another, but for one chance in 2^128.
    pub fn content(&self) -> u128 {
        self.content
    }

    /// Whether it was there.
    pub(crate) fn remove(&mut self, item: usize) -> bool {
        if !self.contains(item) {
            return false;
        }
        if let Some(word) = self.words.get_mut(item / 64) {
            *word &= !(1 << (item % 64));
        }
        self.len -= 1;
        self.content ^= mark(item);
        true
    }
}

/// A number that stands for an item; those of all items of a set, by exclusive or, stand for the set (Zobrist hashing).
fn mark(item: usize) -> u128 {
    let half = |seed: u64| {
        // SplitMix64.
        let mut mixed = (item as u64).wrapping_add(1).wrapping_mul(seed);
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    };
    u128::from(half(0x9e37_79b9_7f4a_7c15)) << 64 | u128::from(half(0xd1b5_4a32_d192_ed03))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_go_one_by_one() {
        for count in [0, 1, 63, 64, 65, 200] {
            let mut kept = Kept::all(count);
            assert_eq!(
                kept.iter().collect::<Vec<_>>(),
                (0..count).collect::<Vec<_>>()
            );
            for item in (0..count).filter(|item| item % 3 == 0) {
                assert!(kept.remove(item));
                assert!(!kept.remove(item));
            }
            let left: Vec<usize> = (0..count).filter(|item| item % 3 != 0).collect();
            assert_eq!(kept.iter().collect::<Vec<_>>(), left);
            assert_eq!(kept.len(), left.len());
        }
    }

    #[test]
    fn what_has_the_same_content_has_the_same_hash_whatever_the_way() {
        let without = |items: &[usize]| {
            let mut kept = Kept::all(100);
            for item in items {
                assert!(kept.remove(*item));
            }
            kept.content()
        };
        assert_eq!(without(&[3, 70, 9]), without(&[70, 9, 3]));
        assert_ne!(without(&[3]), without(&[4]));
        assert_ne!(without(&[]), 0);
    }
}
