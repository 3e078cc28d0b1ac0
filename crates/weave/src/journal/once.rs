//! Where a field is noted once instead of at every write: the first note of a frame has the value that it and all frames
//! further out saw on entry, and what it writes later adds nothing.
//!
//! A field that is written every time around a loop is noted in front of it, where control comes to it from above only, or
//! else on entry; a write that every way comes to by a first one is not noted at all.

use crate::find::flow::Flow;
use crate::journal::note::{Note, Sparse};

/// The same, as few as needed. Notes are in the order of their pcs.
pub(crate) fn sparse(flow: &Flow, notes: Vec<(usize, Note)>) -> Sparse {
    let mut sparse = Sparse::default();
    if !notes.iter().any(|(_, note)| note.stays()) {
        sparse.at_writes = notes;
        return sparse;
    }
    let written_at = |pc: usize| notes.iter().any(|(at, _)| *at == pc);
    for &(pc, note) in notes.iter().filter(|(_, note)| note.stays()) {
        let mut loops = flow.repeating(pc).peekable();
        if loops.peek().is_none() {
            continue;
        }
        // Only one thing can be put in front of an instruction.
        let free = loops.find(|around| {
            around.entered_from_above && around.start != 0 && !written_at(around.start)
        });
        match free.map(|around| (around.start, note)) {
            Some(place) if sparse.before_loops.contains(&place) => {}
            Some(place) => sparse.before_loops.push(place),
            None if sparse.on_entry.contains(&note) => {}
            None => sparse.on_entry.push(note),
        }
    }
    sparse
        .before_loops
        .retain(|(_, note)| !sparse.on_entry.contains(note));
    let loops = std::mem::take(&mut sparse.before_loops);
    let mut passed = Passed::new(flow, &sparse.on_entry, loops);
    for (pc, note) in notes {
        if passed.is_first(pc, note) {
            sparse.at_writes.push((pc, note));
        }
    }
    sparse.before_loops = passed.before_loops;
    sparse
}

/// The notes that every way to an instruction has passed, from the first instruction to the last. A frame never has to note
/// again what it has noted, so this only grows along a way, and jumps back need not be looked at.
struct Passed<'f> {
    flow: &'f Flow,
    on_entry: &'f [Note],
    /// What could be noted in front of loops.
    loops: Vec<(usize, Note)>,
    /// Those of them that have to be.
    before_loops: Vec<(usize, Note)>,
    /// Where it is now.
    notes: Vec<Note>,
    /// What jumps forward had passed, by where they lead.
    waiting: Vec<(usize, Vec<Note>)>,
    /// The places where ways part or meet that lie ahead, in order.
    ahead: std::vec::IntoIter<usize>,
    next: Option<usize>,
}

impl<'f> Passed<'f> {
    fn new(flow: &'f Flow, on_entry: &'f [Note], loops: Vec<(usize, Note)>) -> Self {
        let jumps = flow.jumps.iter().flat_map(|&(from, to)| [from, to]);
        let mut places: Vec<usize> = jumps.collect();
        places.sort_unstable();
        places.dedup();
        let mut ahead = places.into_iter();
        Passed {
            flow,
            on_entry,
            loops,
            before_loops: Vec::new(),
            notes: on_entry.to_vec(),
            waiting: Vec::new(),
            next: ahead.next(),
            ahead,
        }
    }

    /// Whether some way to the instruction has not passed the note yet; from there on every way has.
    fn is_first(&mut self, pc: usize, note: Note) -> bool {
        while let Some(place) = self.next.filter(|place| *place <= pc) {
            self.step(place);
            self.next = self.ahead.next();
        }
        let first = !self.notes.contains(&note);
        if first && note.stays() {
            self.notes.push(note);
        }
        first
    }

    fn step(&mut self, place: usize) {
        if self.flow.is_target(place) {
            let mut ways: Vec<Vec<Note>> = Vec::new();
            if self.flow.is_fallen_into(place) {
                ways.push(std::mem::take(&mut self.notes));
            }
            let (here, elsewhere) = std::mem::take(&mut self.waiting)
                .into_iter()
                .partition::<Vec<_>, _>(|(target, _)| *target == place);
            self.waiting = elsewhere;
            ways.extend(here.into_iter().map(|(_, notes)| notes));
            // Where control only comes back to, nothing is known.
            self.notes = ways.pop().unwrap_or_else(|| self.on_entry.to_vec());
            self.notes
                .retain(|note| ways.iter().all(|way| way.contains(note)));
            for &(start, note) in self.loops.iter().filter(|(start, _)| *start == place) {
                if !self.notes.contains(&note) {
                    self.notes.push(note);
                    self.before_loops.push((start, note));
                }
            }
        }
        let from_here = self
            .flow
            .jumps
            .iter()
            .filter(|(from, to)| *from == place && to > from);
        self.waiting
            .extend(from_here.map(|(_, to)| (*to, self.notes.clone())));
    }
}
