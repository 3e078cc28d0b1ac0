//! The fingerprint of a failure as it is described.

use crate::description::{Description, Thrown};
use crate::frames::Names;
use crate::kinds::Kind;
use recrash_heap::{Unwound, Way};

/// Of a failure that something caught only the frames it has left count: who called the catcher has nothing to do with it.
pub fn fingerprint(description: &Description, names: &impl Names) -> u64 {
    let was_caught = matches!(
        description.recognised.kind,
        Some(Kind::Logged | Kind::Futures | Kind::Web | Kind::Tests)
    );
    let chain = description.throwables.iter();
    recrash_heap::fingerprint(chain.map(|thrown| Unwound {
        class: &thrown.class,
        message: thrown.message.as_deref(),
        way: way(thrown, names, was_caught),
    }))
}

fn way<'a>(thrown: &'a Thrown, names: &impl Names, only_recorded: bool) -> Way<'a> {
    if only_recorded || thrown.trace.is_empty() {
        let recorded = thrown.recorded.iter().filter_map(|&site| names.name(site));
        return Way::Left(recorded.map(|name| (name.class, name.method)).collect());
    }
    Way::Trace(&thrown.trace)
}
