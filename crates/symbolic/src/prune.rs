//! Static path pruning (STAR 3.2.1): conditional blocks and loops that can change nothing a condition is about are left out.

use std::collections::BTreeSet;

use recrash_program::{BlockId, End, ValueId};

use crate::code::Code;
use crate::state::State;
use crate::term::{Node, Terms};
use crate::writes::{Touch, WritesOf};

/// How many dominators up a loop may begin.
const STEPS: usize = 3;

/// Where the walk may go on from the start of the innermost block, and whether that assumes something.
pub(crate) fn skip(
    terms: &Terms<'_>,
    writes: &WritesOf<'_, '_>,
    state: &State,
) -> Option<(BlockId, bool)> {
    let context = state.top()?;
    let (code, bottom) = (&context.code, context.block);
    let ways = &code.block(bottom)?.predecessors;
    let parts = |from: BlockId| code.block(from).is_some_and(|it| it.successors.len() > 1);
    // Where one way leads here, only the end of a loop can be left out.
    let interesting = ways.len() > 1 || ways.iter().any(|way| parts(way.from));
    if !interesting || ways.iter().any(|way| way.exceptional) {
        return None;
    }
    let conditions = state.terms();
    let mentioned = values_of(terms, state);
    let mut top = bottom;
    for _ in 0..STEPS {
        top = code.dominator(top)?;
        let region = code.between(top, bottom);
        if !is_closed(code, top, bottom, &region) {
            continue;
        }
        if defines(code, bottom, &region, &mentioned) {
            return None;
        }
        return match writes.blocks(code, &region).touch(terms, &conditions) {
            Touch::Yes => None,
            Touch::Perhaps => Some((top, true)),
            Touch::No => Some((top, false)),
        };
    }
    None
}

fn values_of(terms: &Terms<'_>, state: &State) -> BTreeSet<ValueId> {
    let mut found = BTreeSet::new();
    let frame = state.top().map(|context| context.frame);
    terms.each(&state.terms(), &mut |_, node| {
        if let Node::Local(of, value, _) = node
            && Some(*of) == frame
        {
            found.insert(*value);
        }
    });
    found
}

/// All ways on from `top` and the blocks between come to `bottom`, as long as nothing throws by itself.
fn is_closed(code: &Code, top: BlockId, bottom: BlockId, region: &BTreeSet<BlockId>) -> bool {
    let inside = |block: &BlockId| *block == bottom || region.contains(block);
    region.iter().chain([&top]).all(|&block| {
        code.block(block).is_some_and(|block| {
            !matches!(block.end, End::Throw(_) | End::Return(_))
                && !block.successors.is_empty()
                && block.successors.iter().all(inside)
        })
    })
}

/// What is defined on the way is of interest: in a block between, or by which way is taken.
fn defines(
    code: &Code,
    bottom: BlockId,
    region: &BTreeSet<BlockId>,
    mentioned: &BTreeSet<ValueId>,
) -> bool {
    let phis = code.block(bottom).map(|block| &block.phis);
    phis.into_iter()
        .flatten()
        .any(|phi| mentioned.contains(phi))
        || mentioned.iter().any(|&value| {
            code.value(value)
                .is_some_and(|value| region.contains(&value.block))
        })
}
