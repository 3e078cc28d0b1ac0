//! Rounds of the driver's loops are left out as long as its own check fails in the same place.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use recrash_reduce::{Budget, Order, Outcome, Subset};

use crate::error::Result;
use crate::player::{Drove, Player};

/// So many thinned runs in a row may pass.
const MOST_REFUSED: usize = 96;
/// So few rounds are looked at one by one.
const FEWEST: usize = 12;
const THINNING: Duration = Duration::from_secs(40);

/// Leaves out what can be; gives the run that is left, with its events.
pub(crate) fn reduce(
    player: &mut Player,
    budget: &mut Budget,
    first: &Drove,
    progress: &(dyn Fn(&str) + Sync),
) -> Result<Option<Drove>> {
    let count = first.rounds.len();
    let mut guess = last_rounds(player, budget, first)?;
    thinned(player, budget, first, &mut guess)?;
    let reduced = Subset::new(count, Order::Counters { largest: count })
        .guesses(
            Some(guess)
                .filter(|guess| !guess.is_empty())
                .into_iter()
                .collect(),
        )
        .minimal()
        .run(budget, |candidate| {
            player.trials += 1;
            if player.trials.is_multiple_of(16) {
                progress(&format!("{} rounds of loops left", candidate.kept.len()));
            }
            let left = left_out(count, |round| candidate.kept.contains(round));
            let drove = player.drive(Some(&left), false, false, None)?;
            Ok::<_, crate::error::Error>(match drove {
                Some(drove) => Outcome::of(is_same(first, &drove)),
                None => Outcome::Unresolved,
            })
        })?;
    let left = left_out(count, |round| reduced.kept.contains(round));
    let drove = player.drive(Some(&left), true, true, None)?;
    Ok(drove.filter(|drove| is_same(first, drove)))
}

/// The rounds that can go if only the last ones of each loop are run: what failed at the end has often begun not long before. Few rounds
/// are run in no time, so that many numbers of them can be tried.
fn last_rounds(player: &mut Player, budget: &Budget, first: &Drove) -> Result<Vec<usize>> {
    let rounds = &first.rounds;
    let mut behind: Vec<usize> = Vec::with_capacity(rounds.len());
    let mut counts: HashMap<u16, usize> = HashMap::new();
    for of in rounds.iter().rev() {
        let count = counts.entry(*of).or_default();
        *count += 1;
        behind.push(*count);
    }
    behind.reverse();
    let most = counts.iter().filter(|(of, _)| **of > 0);
    let most = most.map(|(_, count)| *count).max().unwrap_or(0);
    let goes = |last: usize, round: usize| {
        rounds.get(round).is_some_and(|of| *of > 0)
            && behind.get(round).is_some_and(|behind| *behind > last)
    };
    let mut last = 0;
    while last < most / 2 && budget.over().is_none() {
        player.trials += 1;
        let left = left_out(rounds.len(), |round| !goes(last, round));
        let drove = player.drive(Some(&left), false, false, None)?;
        if drove.is_some_and(|drove| is_same(first, &drove)) {
            return Ok((0..rounds.len())
                .filter(|round| goes(last, *round))
                .collect());
        }
        last += 1 + last / 16;
    }
    Ok(Vec::new())
}

/// Leaves out every other round, at random, again and again. Where the state that fails comes about in many ways, a failure of half as many
/// rounds is found in a few trials, and no way leads there round by round.
fn thinned(
    player: &mut Player,
    budget: &Budget,
    first: &Drove,
    gone: &mut Vec<usize>,
) -> Result<()> {
    let count = first.rounds.len();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let begun = Instant::now();
    let mut refused = 0;
    while refused < MOST_REFUSED && begun.elapsed() < THINNING && budget.over().is_none() {
        let mut is_gone = vec![false; count];
        for round in gone.iter() {
            if let Some(slot) = is_gone.get_mut(*round) {
                *slot = true;
            }
        }
        let stay = is_gone.iter().zip(&first.rounds);
        let stay = stay.filter(|(gone, of)| !**gone && **of > 0).count();
        if stay < FEWEST {
            return Ok(());
        }
        // At first half of them, then fewer.
        let share = 2 + refused as u64 / 16;
        for (slot, of) in is_gone.iter_mut().zip(&first.rounds) {
            if *of > 0 && !*slot && random.next().is_multiple_of(share) {
                *slot = true;
            }
        }
        player.trials += 1;
        let left = left_out(count, |round| is_gone.get(round) == Some(&false));
        let drove = player.drive(Some(&left), false, false, None)?;
        if drove.is_some_and(|drove| is_same(first, &drove)) {
            *gone = (0..count)
                .filter(|round| is_gone.get(*round) == Some(&true))
                .collect();
            refused = 0;
        } else {
            refused += 1;
        }
    }
    Ok(())
}

/// Numbers that are the same in every run (Marsaglia, "Xorshift RNGs", 2003).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 11
    }
}

/// The driver threw the same from the same place.
fn is_same(first: &Drove, drove: &Drove) -> bool {
    let class = |drove: &Drove| drove.thrown.as_ref().map(|thrown| thrown.class.clone());
    drove.by_driver && drove.site == first.site && class(drove) == class(first)
}

fn left_out(count: usize, kept: impl Fn(usize) -> bool) -> Vec<u8> {
    let mut bits = vec![0; count.div_ceil(8)];
    for round in (0..count).filter(|round| !kept(*round)) {
        if let Some(byte) = bits.get_mut(round / 8) {
            *byte |= 1 << (round % 8);
        }
    }
    bits
}
