//! What each strategy costs: CPU time of warm programs, side by side with the same ones without it.

use std::fmt;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::Result;
use recrash_jvm::Jdk;

use super::{Options, Row, Way};
use crate::place::Place;
use crate::programs::{Programs, succeed};
use crate::progress;
use crate::rounds::{Company, Program, Stage};
use crate::shadow;
use crate::side_by_side::{Pair, side_by_side};
use crate::statistics::{Random, median, ratio};
use crate::table::Table;

pub fn costs(
    place: &Place,
    recrash: &Path,
    jdks: &[Jdk],
    chosen: &[&Program],
    rows: &[&Row],
    options: &Options,
) -> Result<String> {
    let scratch = tempfile::tempdir()?;
    let mut prepared = Vec::new();
    for jdk in jdks {
        let folder = scratch.path().join(jdk.version.feature.to_string());
        std::fs::create_dir_all(&folder)?;
        let programs = Programs::prepare(place, jdk, &folder)?;
        prepared.push((jdk, programs, shadow::agent(place, jdk, &folder)?));
    }
    let mut cells = Vec::new();
    for (jdk, programs, shadow) in &prepared {
        for program in chosen {
            let stage = Stage {
                recrash,
                jdk,
                programs,
                program,
            };
            let companies = rows.iter().map(|row| company(row.way, &stage, shadow));
            cells.push(Cell {
                stage,
                limit: Duration::from_secs(options.limit),
                companies: companies.collect::<Result<_>>()?,
                by_row: vec![Measured::Pairs(Vec::new()); rows.len()],
            });
        }
    }
    let mut random = Random(0x5eed);
    for repetition in 1..=options.repetitions {
        for cell in &mut cells {
            progress::show(&format!("repetition {repetition}: {}", cell.stage));
            cell.repeat(&mut random)?;
        }
        if repetition < options.repetitions {
            // It takes an hour and more: whoever has to stop it keeps what there is.
            progress::clear();
            eprintln!("after repetition {repetition}:\n{}", table(&cells, rows));
        }
    }
    progress::clear();
    Ok(table(&cells, rows))
}

fn company(way: Way, stage: &Stage<'_>, shadow: &Path) -> Result<Company> {
    Ok(match way {
        Way::Plain => Company::Nobody,
        Way::Strategy(name) => Company::Recrash(vec![format!("--strategy={name}")]),
        Way::ShadowStack => Company::Options(vec![format!("-javaagent:{}", shadow.display())]),
        Way::SecondChance { watching } => {
            let what = if watching { "watching" } else { "empty" };
            let list = stage
                .programs
                .folder
                .join(format!("{}-{what}.txt", stage.program.name));
            if watching {
                watch_one_stack(stage, &list)?;
            }
            Company::Recrash(vec![format!("--second-chance={}", list.display())])
        }
    })
}

/// Enough to be seen in the middle of everything it does.
const ROUNDS_OF_A_SAMPLE: usize = 15;

/// Puts the deepest stack that the program was seen with on the list: as if it had failed in the middle of its work.
fn watch_one_stack(stage: &Stage<'_>, list: &Path) -> Result<()> {
    let trace = list.with_extension("trace");
    let option = format!("-Dbench.trace={}", trace.display());
    stage.run(&Company::Options(vec![option]), ROUNDS_OF_A_SAMPLE)?;
    let mut command = Command::new(stage.recrash);
    command.args(["watch", "add"]).arg(&trace).arg(list);
    succeed(&mut command, &stage.programs.folder)?;
    Ok(())
}

/// A program on a JDK, and what was measured of it, by row.
struct Cell<'a> {
    stage: Stage<'a>,
    /// How long one process may take until it is warm.
    limit: Duration,
    companies: Vec<Company>,
    by_row: Vec<Measured>,
}

#[derive(Clone)]
enum Measured {
    /// CPU seconds of a round, of the plain one first.
    Pairs(Vec<(f64, f64)>),
    /// So many times the plain one, or more than that, in a process that was not warm in time.
    Cold(f64),
    MoreThan(f64),
}

/// How far a ratio is to be trusted, the least last.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Doubt {
    #[default]
    None,
    About,
    AtLeast,
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Doubt::None => "",
            Doubt::About => "~ ",
            Doubt::AtLeast => "> ",
        })
    }
}

impl Cell<'_> {
    /// Everything once, in a new order, except what was not warm in time before.
    fn repeat(&mut self, random: &mut Random) -> Result<()> {
        let mut rows: Vec<_> = self.companies.iter().zip(&mut self.by_row).collect();
        random.shuffle(&mut rows);
        for (company, measured) in rows {
            if let Measured::Pairs(pairs) = measured {
                match side_by_side(&self.stage, company, self.limit)? {
                    Pair::Warm { plain, watched } => pairs.push((plain, watched)),
                    Pair::Cold(times) => *measured = Measured::Cold(times),
                    Pair::MoreThan(times) => *measured = Measured::MoreThan(times),
                }
            }
        }
        Ok(())
    }

    /// What is to be said in front of a ratio. Among lower bounds, the median is one, too.
    fn doubt(&self, row: usize) -> Doubt {
        match self.by_row.get(row) {
            Some(Measured::Cold(_)) => Doubt::About,
            Some(Measured::MoreThan(_)) => Doubt::AtLeast,
            _ => Doubt::None,
        }
    }

    /// The ratio, and how it is printed.
    fn ratio(&self, row: usize) -> (f64, String) {
        let doubt = self.doubt(row);
        match self.by_row.get(row) {
            Some(Measured::Pairs(pairs)) => {
                let ratio = ratio(pairs);
                let spread = ratio.spread * 100.0;
                (ratio.value, format!("{:.3}x ±{spread:.0} %", ratio.value))
            }
            Some(Measured::Cold(times) | Measured::MoreThan(times)) => {
                (*times, format!("{doubt}{times:.1}x"))
            }
            None => (f64::NAN, String::new()),
        }
    }
}

/// The median of ratios, of which the least certain one is as doubtful as this.
fn middle(ratios: &[f64], doubt: Doubt) -> String {
    let middle = median(ratios);
    match doubt {
        Doubt::None => format!("{middle:.3}x"),
        Doubt::About | Doubt::AtLeast => format!("{doubt}{middle:.1}x"),
    }
}

fn table(cells: &[Cell<'_>], rows: &[&Row]) -> String {
    let mut headings = vec!["CPU, steady state".to_owned()];
    headings.extend(cells.iter().map(|cell| {
        let (program, jdk) = (cell.stage.program.name, cell.stage.jdk.version.feature);
        format!("{program} {jdk} ")
    }));
    headings.extend(["median ".to_owned(), "paper ".to_owned()]);
    let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
    let mut table = Table::new(&headings);
    for (number, row) in rows.iter().enumerate() {
        let ratios: Vec<(f64, String)> = cells.iter().map(|cell| cell.ratio(number)).collect();
        let values: Vec<f64> = ratios.iter().map(|(value, _)| *value).collect();
        let mut line = vec![row.name.to_owned()];
        line.extend(ratios.into_iter().map(|(_, text)| text));
        let doubts = cells.iter().map(|cell| cell.doubt(number));
        line.push(middle(&values, doubts.max().unwrap_or_default()));
        line.push(row.paper.to_owned());
        table.row(line);
    }
    format!(
        "{}Ratios of CPU seconds per round to plain processes that run at the same time, each on a core, changing places, once \
         both are warm: their compilers rest. ± is half the 90 % bootstrap interval over repetitions. ~: not warm by --limit; >: at least. \
         Paper: ReCrash (ECOOP'08), figure 13, whole runs, wall.\n",
        table.text()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn among_lower_bounds_the_median_is_one_too() {
        let doubt = [Doubt::None, Doubt::AtLeast, Doubt::About];
        let doubt = doubt.into_iter().max().unwrap();
        assert_eq!(middle(&[1.0, 7.25, 3.0], doubt), "> 3.0x");
        assert_eq!(middle(&[1.0, 1.5], Doubt::About), "~ 1.2x");
        assert_eq!(middle(&[1.0, 1.5], Doubt::None), "1.250x");
    }
}
