//! Subsets: whatever the order, what is needed stays and the rest goes.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::oracle::{Oracle, oracles, orders};
use proptest::prelude::*;
use recrash_reduce::{Budget, Ended, Kept, Needs, Order, Outcome, Reduced, Repeats, Subset};

type Never = std::convert::Infallible;

fn reduce(subset: Subset<'_>, oracle: &Oracle) -> Reduced {
    let mut budget = Budget::unlimited();
    subset
        .run(&mut budget, |candidate| {
            Ok::<_, Never>(oracle.ask(&candidate.kept))
        })
        .unwrap()
}

fn items(kept: &Kept) -> BTreeSet<usize> {
    kept.iter().collect()
}

proptest! {
    #[test]
    fn a_monotone_oracle_gives_the_one_minimal_set(
        count in 0_usize..80,
        needed in prop::collection::btree_set(0_usize..80, 0..12),
        order in orders(80),
    ) {
        let needed: BTreeSet<usize> = needed.into_iter().filter(|item| *item < count).collect();
        let oracle = Oracle::Needs(needed.clone());
        let reduced = reduce(Subset::new(count, order.within(count)).minimal(), &oracle);
        prop_assert_eq!(items(&reduced.kept), needed);
        prop_assert!(reduced.minimal);
        prop_assert_eq!(reduced.ended, None);
    }

    #[test]
    fn any_oracle_leaves_something_that_holds_and_of_which_nothing_can_go(
        oracle in oracles(24),
        order in orders(24),
    ) {
        prop_assume!(oracle.ask(&Kept::all(24)) == Outcome::Holds);
        let reduced = reduce(Subset::new(24, order.within(24)).minimal(), &oracle);
        let kept = items(&reduced.kept);
        prop_assert_eq!(oracle.ask_set(&kept), Outcome::Holds);
        for item in &kept {
            let mut without = kept.clone();
            without.remove(item);
            prop_assert_ne!(oracle.ask_set(&without), Outcome::Holds, "without {}", item);
        }
    }

    #[test]
    fn the_plain_ddmin_is_minimal_by_itself(oracle in oracles(24)) {
        prop_assume!(oracle.ask(&Kept::all(24)) == Outcome::Holds);
        let plain = reduce(Subset::new(24, Order::Ddmin), &oracle);
        let asked_again = reduce(Subset::new(24, Order::Ddmin).minimal(), &oracle);
        prop_assert!(plain.minimal);
        prop_assert_eq!(&plain.kept, &asked_again.kept);
        prop_assert_eq!(plain.count.trials, asked_again.count.trials);
    }

    #[test]
    fn however_many_are_tried_at_a_time_the_answer_is_the_same(
        oracle in oracles(32),
        order in orders(32),
        at_a_time in 2_usize..9,
        most in prop::option::of(0_u64..60),
        unresolved in prop::option::of(0_u64..6),
        answered in 1_usize..9,
    ) {
        let budget = || {
            let budget = Budget::unlimited();
            let budget = most.map_or(budget.clone(), |most| budget.trials(most));
            unresolved.map_or(budget.clone(), |most| budget.unresolved(most))
        };
        let subset = || Subset::new(32, order.within(32)).minimal();
        let one = subset()
            .run(&mut budget(), |candidate| Ok::<_, Never>(oracle.ask(&candidate.kept)))
            .unwrap();
        let several = subset()
            .run_together(at_a_time, &mut budget(), |candidates| {
                prop_assert!(candidates.len() <= at_a_time);
                let asked = candidates.iter().take(answered);
                Ok(asked.map(|candidate| oracle.ask(&candidate.kept)).collect::<Vec<_>>())
            })?;
        prop_assert_eq!(&one.kept, &several.kept);
        prop_assert_eq!(&one.taken, &several.taken);
        prop_assert_eq!(one.ended, several.ended);
        prop_assert_eq!(one.minimal, several.minimal);
        prop_assert_eq!(one.count.trials, several.count.trials);
        prop_assert_eq!(one.count.unresolved, several.count.unresolved);
        prop_assert!(several.count.runs >= one.count.runs);
    }

    #[test]
    fn no_set_is_tried_twice(
        oracle in oracles(32),
        order in orders(32),
        at_a_time in 1_usize..6,
    ) {
        let seen = RefCell::new(HashSet::new());
        let mut budget = Budget::unlimited();
        let reduced = Subset::new(32, order.within(32))
            .minimal()
            .run_together(at_a_time, &mut budget, |candidates| {
                for candidate in candidates {
                    let new = seen.borrow_mut().insert(items(&candidate.kept));
                    prop_assert!(new, "{:?} again", candidate.kept);
                }
                Ok(candidates.iter().map(|candidate| oracle.ask(&candidate.kept)).collect())
            })?;
        prop_assert_eq!(reduced.count.runs, seen.borrow().len() as u64);
    }

    #[test]
    fn what_a_budget_leaves_holds_and_is_not_called_minimal(
        oracle in oracles(32),
        order in orders(32),
        most in 0_u64..40,
    ) {
        prop_assume!(oracle.ask(&Kept::all(32)) == Outcome::Holds);
        let mut budget = Budget::unlimited().trials(most);
        let reduced = Subset::new(32, order.within(32))
            .minimal()
            .run(&mut budget, |candidate| Ok::<_, Never>(oracle.ask(&candidate.kept)))
            .unwrap();
        prop_assert_eq!(oracle.ask(&reduced.kept), Outcome::Holds);
        prop_assert!(reduced.count.trials <= most);
        prop_assert_eq!(reduced.minimal, reduced.ended.is_none());
        let all = reduce(Subset::new(32, order.within(32)).minimal(), &oracle);
        prop_assert_eq!(reduced.ended.is_some(), all.count.trials > most);
    }

    #[test]
    fn sets_that_are_not_closed_are_never_tried(
        needs in prop::collection::vec((1_usize..40, 0_usize..40), 0..60),
        needed in prop::collection::btree_set(0_usize..40, 0..6),
        order in orders(40),
    ) {
        let needs: Vec<(usize, usize)> =
            needs.into_iter().map(|(item, of)| (item, of % item)).collect();
        let mut closure = Needs::new(40);
        for (item, of) in &needs {
            closure.add(*item, *of);
        }
        let is_closed = |kept: &Kept| {
            needs.iter().all(|(item, of)| !kept.contains(*item) || kept.contains(*of))
        };
        let mut wanted = needed.clone();
        for item in (0..40).rev() {
            if wanted.contains(&item) {
                let of = needs.iter().filter(|(user, _)| *user == item);
                wanted.extend(of.map(|(_, of)| *of));
            }
        }
        let mut budget = Budget::unlimited();
        let reduced = Subset::new(40, order.within(40))
            .closure(&closure)
            .minimal()
            .run(&mut budget, |candidate| {
                prop_assert!(is_closed(&candidate.kept));
                Ok(Outcome::of(needed.iter().all(|item| candidate.kept.contains(*item))))
            })?;
        prop_assert_eq!(items(&reduced.kept), wanted);
        let gone = reduced.taken.iter().chain(&reduced.along).copied();
        prop_assert_eq!(gone.chain(reduced.kept.iter()).collect::<BTreeSet<_>>().len(), 40);
    }

    #[test]
    fn a_flickering_trial_has_to_hold_as_often_as_agreed(
        needed in prop::collection::btree_set(0_usize..30, 1..6),
        order in orders(30),
        at_a_time in 1_usize..5,
    ) {
        // Of the runs of one set, every third holds by luck.
        let asked: RefCell<HashMap<u128, u32>> = RefCell::default();
        let mut budget = Budget::unlimited();
        let reduced = Subset::new(30, order.within(30))
            .repeats(Repeats { holding: 2, runs: 3 })
            .minimal()
            .run_together(at_a_time, &mut budget, |candidates| {
                let answer = |kept: &Kept| {
                    let mut asked = asked.borrow_mut();
                    let runs = asked.entry(kept.content()).or_default();
                    *runs += 1;
                    Outcome::of(needed.iter().all(|item| kept.contains(*item)) || *runs == 1)
                };
                Ok::<_, Never>(candidates.iter().map(|candidate| answer(&candidate.kept)).collect())
            })
            .unwrap();
        prop_assert_eq!(items(&reduced.kept), needed);
    }
}

#[test]
fn everything_goes_at_once_where_nothing_is_needed() {
    for order in [
        Order::Counters {
            largest: usize::MAX,
        },
        Order::Halving,
    ] {
        let reduced = reduce(Subset::new(1000, order), &Oracle::Needs(BTreeSet::new()));
        assert!(reduced.kept.is_empty());
        assert_eq!(reduced.count.trials, 1);
    }
}

#[test]
fn what_is_needed_among_many_is_found_in_few_trials() {
    let needed = Oracle::Needs([7, 307, 607, 907].into());
    let counters = Order::Counters {
        largest: usize::MAX,
    };
    let reduced = reduce(Subset::new(1000, counters), &needed);
    assert_eq!(reduced.kept.iter().collect::<Vec<_>>(), [7, 307, 607, 907]);
    assert!(reduced.count.trials < 150, "{}", reduced.count.trials);
}

#[test]
fn where_all_is_needed_there_are_a_few_trials_for_each() {
    let counters = Order::Counters {
        largest: usize::MAX,
    };
    let reduced = reduce(
        Subset::new(200, counters),
        &Oracle::Needs((0..200).collect()),
    );
    assert_eq!(reduced.kept.len(), 200);
    assert!(reduced.count.trials < 4 * 200, "{}", reduced.count.trials);
}

#[test]
fn an_error_ends_it() {
    let mut budget = Budget::unlimited();
    let stopped = Subset::new(3, Order::Halving).run(&mut budget, |_| Err("enough"));
    assert_eq!(stopped, Err("enough"));
}

#[test]
fn the_first_guess_that_holds_is_the_only_one_that_is_taken() {
    let oracle = Oracle::Needs([0, 9].into());
    let guesses = vec![vec![8, 9], vec![5, 6, 7, 8], vec![1]];
    let mut tried = Vec::new();
    let mut budget = Budget::unlimited().trials(2);
    let reduced = Subset::new(10, Order::Halving)
        .guesses(guesses)
        .run(&mut budget, |candidate| {
            tried.push(candidate.going.clone());
            Ok::<_, Never>(oracle.ask(&candidate.kept))
        })
        .unwrap();
    assert_eq!(tried, [vec![8, 9], vec![5, 6, 7, 8]]);
    assert_eq!(reduced.taken, [5, 6, 7, 8]);
    assert_eq!(reduced.ended, Some(Ended::Trials));
}

#[test]
fn a_stop_from_outside_leaves_the_best_so_far() {
    let stop = Arc::new(AtomicBool::new(false));
    let mut budget = Budget::unlimited().stop(Arc::clone(&stop));
    let mut trials = 0;
    let reduced = Subset::new(100, Order::Halving)
        .run(&mut budget, |candidate| {
            trials += 1;
            stop.store(trials == 3, Ordering::Relaxed);
            Ok::<_, Never>(Outcome::of(candidate.kept.contains(99)))
        })
        .unwrap();
    assert_eq!(trials, 3);
    assert_eq!(reduced.ended, Some(Ended::Stopped));
    assert!(reduced.kept.contains(99) && !reduced.kept.contains(0));
    assert!(!reduced.minimal);
}

#[test]
fn answers_that_cannot_be_had_are_counted_and_bounded() {
    let mut budget = Budget::unlimited().unresolved(5);
    let reduced = Subset::new(100, Order::Halving)
        .run(&mut budget, |_| Ok::<_, Never>(Outcome::Unresolved))
        .unwrap();
    assert_eq!(reduced.kept.len(), 100);
    assert_eq!(reduced.ended, Some(Ended::Unresolved));
    assert_eq!((reduced.count.unresolved, reduced.count.trials), (5, 5));
}

#[test]
fn levels_take_branches_with_what_hangs_on_them() {
    // A tree in which item n hangs on (n - 1) / 10: the root, ten branches, a hundred twigs, a thousand leaves.
    let mut needs = Needs::new(1111);
    for item in 1..1111 {
        needs.add(item, (item - 1) / 10);
    }
    let levels = vec![
        (1..11).collect::<Vec<usize>>(),
        (11..111).collect(),
        (111..1111).collect(),
    ];
    let needed = Oracle::Needs([555].into());
    let by_level = reduce(
        Subset::new(1111, Order::Levels(levels)).closure(&needs),
        &needed,
    );
    assert_eq!(by_level.kept.iter().collect::<Vec<_>>(), [0, 5, 55, 555]);
    let plain = reduce(Subset::new(1111, Order::Ddmin), &needed);
    assert!(by_level.count.trials < 50, "{}", by_level.count.trials);
    assert_eq!(plain.kept.iter().collect::<Vec<_>>(), [555]);
}

#[test]
fn a_million_items_are_no_matter() {
    let needed = Oracle::Needs([0, 77_777, 999_999].into());
    let counters = Order::Counters {
        largest: usize::MAX,
    };
    let reduced = reduce(Subset::new(1_000_000, counters).minimal(), &needed);
    assert_eq!(items(&reduced.kept), [0, 77_777, 999_999].into());
    assert!(reduced.count.trials < 400, "{}", reduced.count.trials);
}
