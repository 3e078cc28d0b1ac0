//! Rounds of the driver's loops are left out as long as its own check fails in the same place.

use recrash_reduce::{Budget, Order, Outcome, Subset};

use crate::error::Result;
use crate::player::{Drove, Player};

/// Leaves out what can be; gives the run that is left, with its events.
pub(crate) fn reduce(
    player: &mut Player,
    budget: &mut Budget,
    first: &Drove,
    progress: &(dyn Fn(&str) + Sync),
) -> Result<Option<Drove>> {
    let count = first.rounds;
    let reduced = Subset::new(count, Order::Counters { largest: count })
        .minimal()
        .run(budget, |candidate| {
            player.trials += 1;
            if player.trials % 16 == 0 {
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
