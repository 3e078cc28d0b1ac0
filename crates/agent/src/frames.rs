//! Where what was recorded meets the stack traces: which recorded frame is which element, and which elements were not
//! monitored.

use crate::description::{Description, Thrown};
use recrash_heap::manifest::TraceElement;

/// A class and a method, as a site and a trace element both name them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MethodName {
    pub class: String,
    pub method: String,
}

/// Names the method of a site; unknown sites have none.
pub trait Names {
    fn name(&self, site: u32) -> Option<MethodName>;
}

/// Which record a frame's values are in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Record {
    /// Index into [`Thrown::recorded`].
    Frame(usize),
    /// Index into [`Thrown::constructors`].
    Constructor(usize),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// Index into [`Description::throwables`].
    pub throwable: usize,
    pub element: TraceElement,
    pub record: Option<Record>,
}

/// The frames of the whole failure: those of the root cause innermost first, then those of what wrapped it, outward.
pub fn frames(description: &Description, names: &impl Names) -> Vec<Frame> {
    let mut all = Vec::new();
    for (index, thrown) in description.throwables.iter().enumerate().rev() {
        let wrapper = index
            .checked_sub(1)
            .and_then(|outer| description.throwables.get(outer));
        let own = wrapper.map_or(thrown.trace.len(), |wrapper| own_part(thrown, wrapper));
        all.extend(Alignment::of(thrown, names).frames(index, thrown, own, names));
    }
    all
}

/// How much of a cause's trace is its own: the rest is where its wrapper came from, too.
///
/// Unlike `printStackTrace` this ignores line numbers: the method that caught the cause and threw the wrapper stands in
/// both traces, and only the wrapper unwound it.
fn own_part(cause: &Thrown, wrapper: &Thrown) -> usize {
    let same = |one: &TraceElement, other: &TraceElement| {
        one.class == other.class && one.method == other.method
    };
    let common = cause
        .trace
        .iter()
        .rev()
        .zip(wrapper.trace.iter().rev())
        .take_while(|(one, other)| same(one, other))
        .count();
    cause.trace.len() - common
}

/// For each trace element the record it got, and the recorded frames that are in no trace.
struct Alignment {
    by_element: Vec<Option<Record>>,
    /// Recorded frame, and the number of elements that stand before it.
    unplaced: Vec<(usize, usize)>,
}

impl Alignment {
    fn of(thrown: &Thrown, names: &impl Names) -> Self {
        let recorded: Vec<Option<MethodName>> = thrown
            .recorded
            .iter()
            .map(|&site| names.name(site))
            .collect();
        let mut alignment = Self {
            by_element: vec![None; thrown.trace.len()],
            unplaced: Vec::new(),
        };
        // Beyond the limit of the recorder only the last frames were kept: they belong to the end of the trace, if
        // the trace has its end (HotSpot keeps 1024 elements).
        let gap = thrown.total > recorded.len();
        let head = if gap {
            recorded.len().min(HEAD)
        } else {
            recorded.len()
        };
        let (first, last) = recorded.split_at(head);
        let old = if gap { 0 } else { earlier_ways(thrown, first) };
        let first = first.get(old..).unwrap_or_default();
        let cursor = alignment.place(first, old, &thrown.trace, 0, thrown.trace.len());
        if !last.is_empty() {
            let start = if thrown.trace.len() >= thrown.total {
                cursor.max(thrown.trace.len().saturating_sub(last.len() * 2))
            } else {
                thrown.trace.len()
            };
            alignment.place(last, head, &thrown.trace, start, thrown.trace.len());
        }
        alignment.place_constructors(thrown, names);
        alignment
    }

    /// Places `recorded` (whose first index is `base`) on elements `from..to`; returns where the last one went.
    fn place(
        &mut self,
        recorded: &[Option<MethodName>],
        base: usize,
        trace: &[TraceElement],
        from: usize,
        to: usize,
    ) -> usize {
        let part = trace.get(from..to).unwrap_or_default();
        let mut cursor = from;
        for (offset, place) in matching(recorded, part).into_iter().enumerate() {
            match place {
                Some(place) => {
                    if let Some(slot) = self.by_element.get_mut(from + place) {
                        *slot = Some(Record::Frame(base + offset));
                    }
                    cursor = from + place + 1;
                }
                None => self.unplaced.push((base + offset, cursor)),
            }
        }
        cursor
    }

    /// From the innermost outward, `<init>` elements that no handler saw get the newest entry of their class.
    fn place_constructors(&mut self, thrown: &Thrown, names: &impl Names) {
        let mut entries = thrown.constructors.iter().enumerate().rev();
        for (element, slot) in thrown.trace.iter().zip(&mut self.by_element) {
            if element.method != "<init>" || slot.is_some() {
                continue;
            }
            let mut ahead = entries.clone();
            if let Some((index, _)) = ahead.find(|&(_, &site)| {
                names
                    .name(site)
                    .is_some_and(|name| name.class == element.class)
            }) {
                *slot = Some(Record::Constructor(index));
                entries = ahead;
            }
        }
    }

    fn frames(
        self,
        throwable: usize,
        thrown: &Thrown,
        own: usize,
        names: &impl Names,
    ) -> Vec<Frame> {
        let placed = self
            .by_element
            .iter()
            .rposition(|record| matches!(record, Some(Record::Frame(_))));
        // A trace that knows none of the frames was made elsewhere: it is not the way the exception took.
        let end = match placed {
            None if !self.unplaced.is_empty() => 0,
            None => own,
            Some(last) => own.max(last + 1),
        };
        // What it left after the last frame of its trace, it left on another thread, which threw it again.
        let whole = thrown.trace.len();
        let unplaced = self
            .unplaced
            .into_iter()
            .map(|(index, before)| match placed {
                Some(last) if before > last => (index, whole),
                _ => (index, before),
            });
        let mut unplaced = unplaced.peekable();
        let mut all = Vec::new();
        for (at, (element, record)) in thrown.trace.iter().zip(self.by_element).enumerate() {
            while let Some((index, _)) = unplaced.next_if(|&(_, before)| before <= at) {
                all.extend(without_element(throwable, thrown, index, names));
            }
            if at < end {
                all.push(Frame {
                    throwable,
                    element: element.clone(),
                    record,
                });
            }
        }
        all.extend(
            unplaced.filter_map(|(index, _)| without_element(throwable, thrown, index, names)),
        );
        all
    }
}

/// The recorder keeps so many frames from the start, see `$RecrashFrames.FIRST`.
const HEAD: usize = 256;

/// A frame that unwound but is in no trace: the trace was cut, switched off or made elsewhere.
fn without_element(
    throwable: usize,
    thrown: &Thrown,
    index: usize,
    names: &impl Names,
) -> Option<Frame> {
    let name = names.name(*thrown.recorded.get(index)?)?;
    Some(Frame {
        throwable,
        element: TraceElement {
            class: name.class,
            method: name.method,
            file: None,
            line: -1,
            module: None,
        },
        record: Some(Record::Frame(index)),
    })
}

/// How many recorded frames belong to earlier throws of a shared exception, whose trace tells of none of them.
///
/// Only the last way counts; it is the longest end of the record in which no method comes twice.
fn earlier_ways(thrown: &Thrown, recorded: &[Option<MethodName>]) -> usize {
    let placed = matching(recorded, &thrown.trace);
    // Where the trace begins as the record does, it tells of this throw: what it does not know of are frames that caught
    // the exception and threw it again.
    if placed.first().is_some_and(Option::is_some)
        || placed.iter().all(Option::is_some)
        || thrown.trace.is_empty()
    {
        return 0;
    }
    let repeated = |&at: &usize| {
        let site = thrown.recorded.get(at);
        thrown
            .recorded
            .iter()
            .skip(at + 1)
            .any(|later| Some(later) == site)
    };
    (0..recorded.len())
        .rev()
        .find(repeated)
        .map_or(0, |at| at + 1)
}

/// For each recorded frame the element it matches, in order: the longest common subsequence, innermost matches first.
fn matching(recorded: &[Option<MethodName>], trace: &[TraceElement]) -> Vec<Option<usize>> {
    let fits = |name: &Option<MethodName>, element: &TraceElement| {
        name.as_ref()
            .is_some_and(|name| name.method == element.method && name.class == element.class)
    };
    let mut greedy = Vec::with_capacity(recorded.len());
    let mut from = 0;
    for name in recorded {
        let found = trace
            .iter()
            .skip(from)
            .position(|element| fits(name, element))
            .map(|offset| from + offset);
        from = found.map_or(from, |place| place + 1);
        greedy.push(found);
    }
    if greedy.iter().all(Option::is_some) {
        return greedy;
    }
    // lengths[r][t]: the most matches of recorded[r..] on trace[t..].
    let width = trace.len() + 1;
    let mut lengths = vec![0_u32; (recorded.len() + 1) * width];
    let at = |lengths: &[u32], r: usize, t: usize| lengths.get(r * width + t).copied().unwrap_or(0);
    for (r, name) in recorded.iter().enumerate().rev() {
        for (t, element) in trace.iter().enumerate().rev() {
            let best = if fits(name, element) {
                at(&lengths, r + 1, t + 1) + 1
            } else {
                at(&lengths, r + 1, t).max(at(&lengths, r, t + 1))
            };
            if let Some(cell) = lengths.get_mut(r * width + t) {
                *cell = best;
            }
        }
    }
    let mut places = Vec::with_capacity(recorded.len());
    let mut t = 0;
    for (r, name) in recorded.iter().enumerate() {
        let place = loop {
            match trace.get(t) {
                None => break None,
                Some(element) if fits(name, element) => break Some(t),
                Some(_) if at(&lengths, r + 1, t) >= at(&lengths, r, t + 1) => break None,
                Some(_) => t += 1,
            }
        };
        t = place.map_or(t, |place| place + 1);
        places.push(place);
    }
    places
}

#[cfg(test)]
#[path = "frames_tests.rs"]
mod tests;
