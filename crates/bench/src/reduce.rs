use std::convert::Infallible;

use clap::Args;
use recrash_reduce::{Budget, Kept, Needs, Order, Outcome, Subset};

use crate::random::Random;
use crate::statistics::median;
use crate::table::Table;

#[derive(Args)]
pub struct Options {
    /// No reduction makes more trials than this
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    trials: u64,
    /// So many problems of each family, each by chance; the median is shown
    #[arg(long, value_name = "N", default_value_t = 3)]
    problems: u64,
}

/// Items of which some are needed, and which may hang on each other.
struct Problem {
    count: usize,
    needed: Vec<Vec<usize>>,
    /// By item, those it needs; a set without them cannot be tried.
    uses: Vec<Vec<usize>>,
    levels: Vec<Vec<usize>>,
}

impl Problem {
    /// Nothing hangs on anything, and any of these sets will do.
    fn flat(count: usize, needed: Vec<Vec<usize>>) -> Self {
        Problem {
            count,
            needed,
            uses: vec![Vec::new(); count],
            levels: vec![(0..count).collect()],
        }
    }

    fn ask(&self, kept: &Kept) -> Outcome {
        let stands = |item: usize| {
            let uses = self.uses.get(item).into_iter().flatten();
            uses.copied().all(|used| kept.contains(used))
        };
        if !kept.iter().all(stands) {
            return Outcome::Unresolved;
        }
        let there = |set: &Vec<usize>| set.iter().all(|item| kept.contains(*item));
        Outcome::of(self.needed.iter().any(there))
    }

    fn closure(&self) -> Needs {
        let mut needs = Needs::new(self.count);
        for (item, uses) in self.uses.iter().enumerate() {
            for used in uses {
                needs.add(item, *used);
            }
        }
        needs
    }

    /// Trials and items left.
    fn solve(&self, order: Order, closed: bool, most: u64) -> (u64, usize, bool) {
        let closure = self.closure();
        let mut subset = Subset::new(self.count, order).minimal();
        if closed {
            subset = subset.closure(&closure);
        }
        let mut budget = Budget::unlimited().trials(most);
        let reduced = subset.run(&mut budget, |candidate| {
            Ok::<_, Infallible>(self.ask(&candidate.kept))
        });
        match reduced {
            Ok(reduced) => (reduced.count.trials, reduced.kept.len(), reduced.minimal),
            Err(never) => match never {},
        }
    }
}

/// A kind of problem: its name, and a problem made by chance.
type Family = (&'static str, fn(&mut Random) -> Problem);

const FAMILIES: [Family; 9] = [
    ("1 of 1,000", |random| scattered(random, 1000, 1)),
    ("8 of 1,000", |random| scattered(random, 1000, 8)),
    ("64 of 1,000", |random| scattered(random, 1000, 64)),
    ("3 clusters of 12 in 1,000", clusters),
    ("all of 200", |random| scattered(random, 200, 200)),
    ("either of two sets of 6 in 500", |random| {
        let sets = [random.sample(500, 6), random.sample(500, 6)];
        Problem::flat(500, sets.to_vec())
    }),
    ("3 leaves of a tree of 1,111", tree),
    ("members of objects: 5 in 1,500", objects),
    ("20 events of a recording of 14,628", recording),
];

fn scattered(random: &mut Random, count: usize, needed: usize) -> Problem {
    Problem::flat(count, vec![random.sample(count, needed)])
}

fn clusters(random: &mut Random) -> Problem {
    let starts = random.sample(80, 3).into_iter();
    let needed = starts.flat_map(|start| start * 12..start * 12 + 12);
    Problem::flat(1000, vec![needed.collect()])
}

/// Ten branches, of which each has ten twigs with ten leaves.
fn tree(random: &mut Random) -> Problem {
    let leaves = random.sample(1000, 3).into_iter();
    Problem {
        count: 1111,
        needed: vec![leaves.map(|leaf| leaf + 111).collect()],
        uses: (0..1111_usize)
            .map(|item| {
                item.checked_sub(1)
                    .map(|item| item / 10)
                    .into_iter()
                    .collect()
            })
            .collect(),
        levels: vec![
            (0..1).collect(),
            (1..11).collect(),
            (11..111).collect(),
            (111..1111).collect(),
        ],
    }
}

/// A graph as the heap of a program is: each object is held by one before, mostly one of the last.
fn objects(random: &mut Random) -> Problem {
    let count = 1500;
    let mut depths = vec![0_usize];
    let mut uses = vec![Vec::new()];
    for item in 1..count {
        let holder = item - 1 - random.below(item.min(60));
        depths.push(depths.get(holder).map_or(0, |depth| depth + 1));
        uses.push(vec![holder]);
    }
    let deepest = depths.iter().copied().max().unwrap_or(0);
    let mut levels = vec![Vec::new(); deepest + 1];
    for (item, depth) in depths.into_iter().enumerate() {
        if let Some(level) = levels.get_mut(depth) {
            level.push(item);
        }
    }
    Problem {
        count,
        needed: vec![random.sample(count, 5)],
        levels,
        uses,
    }
}

/// Calls that use what earlier calls gave.
fn recording(random: &mut Random) -> Problem {
    let count = 14_628;
    let mut uses = Vec::new();
    for item in 0..count {
        let earlier = |random: &mut Random| item - 1 - random.below(item.min(2000));
        let number = if item == 0 { 0 } else { random.below(3) };
        uses.push((0..number).map(|_| earlier(random)).collect());
    }
    let mut needed = random.sample(count - 100, 19);
    needed.push(count - 1);
    Problem {
        count,
        needed: vec![needed],
        uses,
        // What nobody uses goes first.
        levels: (0..15)
            .rev()
            .map(|part| (part * 1000..count.min(part * 1000 + 1000)).rev().collect())
            .collect(),
    }
}

pub fn run(options: &Options) {
    let mut table = Table::new(&[
        "what is needed",
        "plain ddmin ",
        "ddmin, closed ",
        "halving ",
        "counters ",
        "levels ",
    ]);
    for (name, family) in FAMILIES {
        let mut random = Random::new(7);
        let problems: Vec<Problem> = (0..options.problems).map(|_| family(&mut random)).collect();
        let cell = |order: &dyn Fn(&Problem) -> Order, closed: bool| {
            let solved: Vec<(u64, usize, bool)> = problems
                .iter()
                .map(|problem| problem.solve(order(problem), closed, options.trials))
                .collect();
            cell(&solved)
        };
        let counters = |_: &Problem| Order::Counters {
            largest: usize::MAX,
        };
        table.row(vec![
            name.to_owned(),
            cell(&|_| Order::Ddmin, false),
            cell(&|_| Order::Ddmin, true),
            cell(&|_| Order::Halving, true),
            cell(&counters, true),
            cell(&|problem| Order::Levels(problem.levels.clone()), true),
        ]);
    }
    print!("{}", table.text());
    println!(
        "\nTrials until nothing that is left can go by itself, and in brackets what is left; medians of {} problems. \
         Closed: no set is tried in which something lacks what it needs; the plain ddmin tries such sets and learns nothing.",
        options.problems
    );
}

fn cell(solved: &[(u64, usize, bool)]) -> String {
    let of = |value: &dyn Fn(&(u64, usize, bool)) -> f64| {
        median(&solved.iter().map(value).collect::<Vec<_>>())
    };
    let ended = solved.iter().any(|(_, _, minimal)| !minimal);
    format!(
        "{}{:.0} ({:.0})",
        if ended { ">" } else { "" },
        of(&|solved| solved.0 as f64),
        of(&|solved| solved.1 as f64)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_family_can_be_solved_and_its_levels_are_all_items() {
        for (name, family) in FAMILIES {
            let problem = family(&mut Random::new(1));
            assert_eq!(
                problem.ask(&Kept::all(problem.count)),
                Outcome::Holds,
                "{name}"
            );
            let mut items = problem.levels.concat();
            items.sort_unstable();
            assert_eq!(items, (0..problem.count).collect::<Vec<_>>(), "{name}");
        }
    }
}
