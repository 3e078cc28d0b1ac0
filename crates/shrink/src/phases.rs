//! The phases: big cuts near the roots first, then whatever is left, one by one at the end.

use recrash_heap::Snapshot;
use std::time::Duration;

use crate::error::Result;
use crate::scene::Scene;
use crate::session::{Halt, Session};
use crate::step::Step;
use crate::texts::{pieces, plainer, shorter, texts, with_plainer};

/// Levels of references that are looked at one after the other; what lies deeper is taken together.
const LEVELS: u32 = 10;
/// Trying everything once more in class loaders of their own is worth so much time.
const COLD_TIME: Duration = Duration::from_secs(30);

/// States that held, each smaller than the one before; and whether nothing more can go.
pub(crate) fn phases(
    session: &mut Session<'_>,
    focused: Snapshot,
) -> Result<(Vec<Snapshot>, bool)> {
    let mut states = vec![focused];
    let ended = all_phases(session, &mut states);
    // What is to be confirmed still counts when the time is up.
    session.confirm()?;
    keep(&mut states, session);
    match ended {
        Ok(()) => Ok((states, true)),
        Err(Halt::Error(error)) => Err(error),
        Err(Halt::Stop | Halt::Lost) => Ok((states, false)),
    }
}

fn keep(states: &mut Vec<Snapshot>, session: &Session<'_>) {
    if states.last() != Some(session.confirmed()) {
        states.push(session.confirmed().clone());
    }
}

fn all_phases(
    session: &mut Session<'_>,
    states: &mut Vec<Snapshot>,
) -> std::result::Result<(), Halt> {
    around(session)?;
    levels(session)?;
    session.confirm()?;
    keep(states, session);
    details(session, usize::MAX)?;
    while one_by_one(session)? || !session.confirm()? {}
    keep(states, session);
    // The kept class loader may have refused what would have held.
    session.oracle.renew();
    session.cold = session.count(singles) as u32 * session.oracle.cold_time() < COLD_TIME;
    while one_by_one(session)? || !session.confirm()? {}
    Ok(())
}

/// How many simplifications [`one_by_one`] tries.
fn singles(scene: &Scene) -> usize {
    let arrays = scene.arrays().len() * 4;
    let texts = pieces(&scene.texts(), |_| true).len() * 2;
    let objects = scene.level(&scene.depths(), |of| of < u32::MAX).len();
    let others = scene.around().len() + scene.references().len() + scene.values().len();
    arrays + texts + objects + others
}

/// The state around the frames: nothing of it, else class by class, else field by field.
fn around(session: &mut Session<'_>) -> std::result::Result<(), Halt> {
    session.pass(1, |scene| vec![scene.around()], all_of)?;
    session.pass(usize::MAX, Scene::statics_by_class, all_of)?;
    session.pass(usize::MAX, Scene::around, <[Step]>::to_vec)?;
    Ok(())
}

fn all_of(groups: &[Vec<Step>]) -> Vec<Step> {
    groups.concat()
}

/// Whole branches, those near the frames first.
fn levels(session: &mut Session<'_>) -> std::result::Result<(), Halt> {
    for depth in 1..=LEVELS {
        session.pass(
            usize::MAX,
            |scene| scene.level(&scene.depths(), |of| of == depth),
            <[Step]>::to_vec,
        )?;
    }
    session.pass(
        usize::MAX,
        |scene| scene.level(&scene.depths(), |of| of > LEVELS && of < u32::MAX),
        <[Step]>::to_vec,
    )?;
    Ok(())
}

/// References, numbers, texts, arrays.
fn details(session: &mut Session<'_>, largest: usize) -> std::result::Result<bool, Halt> {
    let mut gained = session.pass(largest, Scene::references, <[Step]>::to_vec)?;
    gained |= session.pass(largest, Scene::values, <[Step]>::to_vec)?;
    gained |= session.pass(
        largest,
        |scene| pieces(&scene.texts(), |_| true),
        |gone| texts(gone, shorter),
    )?;
    gained |= session.pass(
        largest,
        |scene| pieces(&scene.texts(), |unit| plainer(unit) != unit),
        |gone| texts(gone, with_plainer),
    )?;
    for part in [Length::Half, Length::ThreeQuarters, Length::AllButOne] {
        gained |= session.pass(
            largest,
            |scene| {
                let arrays = scene.arrays().into_iter();
                arrays
                    .map(|(id, length)| Step::Cut(id, part.of(length)))
                    .collect()
            },
            <[Step]>::to_vec,
        )?;
    }
    gained |= session.pass(
        largest,
        |scene| {
            let arrays = scene.arrays().into_iter();
            arrays.flat_map(|(id, _)| scene.elements(id)).collect()
        },
        all_of,
    )?;
    Ok(gained)
}

/// Every simplification on its own.
fn one_by_one(session: &mut Session<'_>) -> std::result::Result<bool, Halt> {
    let mut gained = session.pass(1, Scene::around, <[Step]>::to_vec)?;
    gained |= session.pass(
        1,
        |scene| scene.level(&scene.depths(), |of| of < u32::MAX),
        <[Step]>::to_vec,
    )?;
    Ok(gained | details(session, 1)?)
}

/// What an array is cut to.
#[derive(Debug, Clone, Copy)]
enum Length {
    Half,
    ThreeQuarters,
    AllButOne,
}

impl Length {
    fn of(self, length: u32) -> u32 {
        match self {
            Length::Half => length / 2,
            Length::ThreeQuarters => (length - length / 4).min(length.saturating_sub(1)),
            Length::AllButOne => length.saturating_sub(1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_array_becomes_shorter_whatever_its_length() {
        for part in [Length::Half, Length::ThreeQuarters, Length::AllButOne] {
            for length in 1..9 {
                assert!(part.of(length) < length, "{part:?} of {length}");
            }
        }
    }
}
