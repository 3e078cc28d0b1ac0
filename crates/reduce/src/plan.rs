//! What an order is to a reduction: groups to try, one after the other.

use crate::kept::Kept;

/// The groups to come. It is asked what it would try if everything failed, and told what became of the first of that.
pub(crate) trait Plan {
    /// The next groups, each without items that are gone, at least one and at most `most`; none at the end.
    fn ahead(&mut self, kept: &Kept, most: usize) -> Vec<Vec<usize>>;

    /// The first of the groups has gone, with all that goes along; or it stays.
    fn told(&mut self, went: bool);
}
