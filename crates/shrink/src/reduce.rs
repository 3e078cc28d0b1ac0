//! Delta debugging by counters: which of many simplifications can be made together?
//!
//! Probabilistic delta debugging keeps for each item a chance that it is needed, and tries the set whose removal gains
//! most on average. Counting how often an item was tried gives the same sets without the arithmetic (Zhang et al.,
//! "Toward a Better Understanding of Probabilistic Delta Debugging", ICSE 2025): in each round all items that are left
//! are tried in groups of one size, and the size falls from round to round.

/// How large the groups of the next round are, in thousandths: 1 - 1/e, the factor that the probabilities lead to.
const FALL: usize = 632;

/// Offers groups of `items`, of `largest` at first, to `try_group`, which says whether it could do without a group and has
/// done so. At the end each item that is left was tried on its own.
pub(crate) fn reduce<T: Clone, E>(
    mut items: Vec<T>,
    largest: usize,
    try_group: &mut impl FnMut(&[T]) -> Result<bool, E>,
) -> Result<Vec<T>, E> {
    let mut size = items.len().min(largest);
    while size > 0 && !items.is_empty() {
        let mut left = Vec::new();
        for group in items.chunks(size) {
            if !try_group(group)? {
                left.extend_from_slice(group);
            }
        }
        items = left;
        if size == 1 {
            break;
        }
        size = (size.min(items.len()) * FALL / 1000).max(1);
    }
    Ok(items)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is left when the items for which `needed` holds cannot go, and the number of groups tried.
    fn left(count: u32, needed: impl Fn(u32) -> bool) -> (Vec<u32>, usize) {
        let mut tried = 0;
        let left = reduce((0..count).collect(), usize::MAX, &mut |group: &[u32]| {
            tried += 1;
            Ok::<_, ()>(!group.iter().any(|item| needed(*item)))
        });
        (left.unwrap(), tried)
    }

    #[test]
    fn everything_goes_at_once_where_nothing_is_needed() {
        assert_eq!(left(1000, |_| false), (vec![], 1));
        assert_eq!(left(0, |_| true), (vec![], 0));
    }

    #[test]
    fn what_is_needed_stays_and_nothing_else() {
        let (kept, tried) = left(1000, |item| item % 300 == 7);
        assert_eq!(kept, [7, 307, 607, 907]);
        assert!(tried < 150, "{tried} groups");
    }

    #[test]
    fn the_worst_case_is_a_few_times_the_number_of_items() {
        let (kept, tried) = left(200, |_| true);
        assert_eq!(kept.len(), 200);
        assert!(tried < 4 * 200, "{tried} groups");
    }

    #[test]
    fn an_error_ends_it() {
        let stopped = reduce(vec![1, 2, 3], 1, &mut |_: &[i32]| Err("enough"));
        assert_eq!(stopped, Err("enough"));
    }
}
