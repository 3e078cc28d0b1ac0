//! What goes along with something that goes.

use crate::kept::Kept;

/// Tells which items make no sense without others, so that no candidate is tried that could not be made.
pub trait Closure {
    /// The items of `kept`, which is what would be left without `going`, that have to go along.
    fn along(&self, kept: &Kept, going: &[usize]) -> Vec<usize>;
}

/// Items that need others, as an event needs the one that made the object it uses.
#[derive(Debug, Clone, Default)]
pub struct Needs {
    /// By item, those that need it.
    needed_by: Vec<Vec<u32>>,
}

impl Needs {
    pub fn new(count: usize) -> Self {
        Needs {
            needed_by: vec![Vec::new(); count],
        }
    }

    /// When `needed` goes, `item` goes along.
    pub fn add(&mut self, item: usize, needed: usize) {
        if let Some(users) = self.needed_by.get_mut(needed)
            && let Ok(item) = u32::try_from(item)
        {
            users.push(item);
        }
    }

    /// None of these goes without the others.
    pub fn together(&mut self, items: &[usize]) {
        let next = items.iter().cycle().skip(1);
        for (item, needed) in items.iter().zip(next) {
            if item != needed {
                self.add(*item, *needed);
            }
        }
    }
}

impl Closure for Needs {
    fn along(&self, kept: &Kept, going: &[usize]) -> Vec<usize> {
        let mut left = kept.clone();
        let mut along: Vec<usize> = Vec::new();
        let mut at = 0;
        loop {
            let gone = if at < going.len() {
                going.get(at)
            } else {
                along.get(at - going.len())
            };
            let Some(gone) = gone else {
                return along;
            };
            at += 1;
            let users = self.needed_by.get(*gone).into_iter().flatten();
            for user in users.map(|user| *user as usize) {
                if left.remove(user) {
                    along.push(user);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn without(count: usize, going: &[usize]) -> Kept {
        let mut kept = Kept::all(count);
        for item in going {
            kept.remove(*item);
        }
        kept
    }

    #[test]
    fn whoever_needs_it_goes_along_however_far() {
        let mut needs = Needs::new(6);
        needs.add(1, 0);
        needs.add(2, 1);
        needs.add(4, 3);
        assert_eq!(needs.along(&without(6, &[0]), &[0]), [1, 2]);
        assert_eq!(needs.along(&without(6, &[3, 1]), &[3, 1]), [4, 2]);
        assert_eq!(needs.along(&without(6, &[5]), &[5]), [0; 0]);
    }

    #[test]
    fn what_belongs_together_goes_together() {
        let mut needs = Needs::new(5);
        needs.together(&[0, 2, 4]);
        for item in [0, 2, 4] {
            let mut gone = needs.along(&without(5, &[item]), &[item]);
            gone.push(item);
            gone.sort_unstable();
            assert_eq!(gone, [0, 2, 4]);
        }
    }
}
