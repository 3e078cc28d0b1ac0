//! Single values: the lightest that neighbours lead to.

use std::cell::RefCell;
use std::collections::HashSet;

use proptest::prelude::*;
use recrash_reduce::{Budget, Ended, Outcome, Simpler, Simplification};

type Never = std::convert::Infallible;

/// Texts that lose a letter, or have one replaced by `a`.
struct Letters;

impl Simpler<String> for Letters {
    fn places(&self, value: &String) -> usize {
        value.len()
    }

    fn at(&self, value: &String, place: usize) -> Vec<String> {
        let (before, rest) = value.split_at(place);
        let without = format!("{before}{}", &rest[1..]);
        let plain = format!("{before}a{}", &rest[1..]);
        vec![without, plain]
    }

    fn weight(&self, value: &String) -> usize {
        let letter = |letter: char| 1 + usize::from(letter != 'a');
        value.chars().map(letter).sum()
    }

    fn content(&self, value: &String) -> Option<u128> {
        let mix = |content: u128, byte: u8| content << 5 | u128::from(byte - b'a' + 1);
        Some(value.bytes().fold(0, mix))
    }
}

/// Any subsequence of `wanted` in the value will do.
fn holds(value: &str, wanted: &str) -> Outcome {
    let mut letters = value.chars();
    Outcome::of(wanted.chars().all(|one| letters.any(|other| other == one)))
}

proptest! {
    #[test]
    fn the_lightest_is_found_where_steps_lead_there(
        wanted in "[a-c]{0,4}",
        around in prop::collection::vec("[a-f]{0,4}", 5),
    ) {
        let pieces = wanted.chars().map(String::from).chain([String::new()]);
        let value: String = around.iter().cloned().zip(pieces).map(|(a, b)| a + &b).collect();
        let mut budget = Budget::unlimited();
        let simplified = Simplification::new(&Letters)
            .run(value, &mut budget, |value| Ok::<_, Never>(holds(value, &wanted)))
            .unwrap();
        prop_assert_eq!(simplified.value, wanted);
        prop_assert!(simplified.minimal);
    }

    #[test]
    fn any_oracle_ends_where_no_lighter_neighbour_holds_and_no_value_is_tried_twice(
        value in "[a-d]{0,9}",
        seed in any::<u64>(),
        at_a_time in 1_usize..6,
        most in prop::option::of(0_u64..30),
    ) {
        let answer = |value: &str| {
            let mixed = value.bytes().fold(seed, |mixed, byte| {
                (mixed ^ u64::from(byte)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(7)
            });
            [Outcome::Holds, Outcome::Fails, Outcome::Unresolved][(mixed % 3) as usize]
        };
        let budget = || most.map_or(Budget::unlimited(), |most| Budget::unlimited().trials(most));
        let seen = RefCell::new(HashSet::new());
        let several = Simplification::new(&Letters)
            .run_together(value.clone(), at_a_time, &mut budget(), |values| {
                for value in values {
                    prop_assert!(seen.borrow_mut().insert((*value).clone()), "{} again", value);
                }
                Ok(values.iter().map(|value| answer(value)).collect())
            })?;
        let one = Simplification::new(&Letters)
            .run(value, &mut budget(), |value| Ok::<_, Never>(answer(value)))
            .unwrap();
        prop_assert_eq!(&one.value, &several.value);
        prop_assert_eq!(one.count.trials, several.count.trials);
        prop_assert_eq!(one.ended, several.ended);
        if one.minimal {
            for place in 0..Letters.places(&one.value) {
                for lighter in Letters.at(&one.value, place) {
                    let is_lighter = Letters.weight(&lighter) < Letters.weight(&one.value);
                    prop_assert!(!is_lighter || answer(&lighter) != Outcome::Holds);
                }
            }
        }
    }
}

#[test]
fn the_best_so_far_is_left_when_the_budget_ends() {
    let mut budget = Budget::unlimited().trials(2);
    let simplified = Simplification::new(&Letters)
        .run("ccc".to_owned(), &mut budget, |_| {
            Ok::<_, Never>(Outcome::Holds)
        })
        .unwrap();
    assert_eq!(simplified.value, "c");
    assert_eq!(simplified.ended, Some(Ended::Trials));
    assert!(!simplified.minimal);
}
