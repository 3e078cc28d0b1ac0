//! What recrash costs a program from its start to its end; `strategies` has what it costs a warm one.

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;

use crate::place::{Place, jdks};
use crate::programs::Programs;
use crate::progress;
use crate::rounds::{Company, Stage, programs};
use crate::sample::Cost;
use crate::statistics::{Random, Ratio, median, ratio};
use crate::table::Table;

#[derive(Args)]
pub struct Options {
    /// Two repetitions of everything: shows that it runs, not what it costs
    #[arg(long)]
    quick: bool,
    /// Only this program (ecj, h2, closure, calls); may be repeated
    #[arg(long, value_name = "NAME")]
    program: Vec<String>,
    /// Only this JDK; may be repeated
    #[arg(long, value_name = "HOME")]
    jdk: Vec<PathBuf>,
    /// An option for `recrash run`, as in `--with=--second-chance`; may be repeated
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    with: Vec<String>,
    /// A figure is done when its spread (CPU) is below this share
    #[arg(long, value_name = "SHARE", default_value_t = 0.05)]
    spread: f64,
    /// ... or when it was repeated so often (H2 compiles in two ways, and needs the most)
    #[arg(long, value_name = "N", default_value_t = 80)]
    repetitions: usize,
}

/// Fewer pairs than this have no spread worth printing.
const LEAST_REPETITIONS: usize = 7;

/// One line of the table: a program, a JDK, and the pairs measured so far.
struct Cell<'a> {
    stage: Stage<'a>,
    pairs: Vec<(Cost, Cost)>,
    checksums: Option<Vec<String>>,
}

impl Cell<'_> {
    fn cpu(&self) -> Ratio {
        ratio(
            &self
                .pairs
                .iter()
                .map(|(plain, woven)| (plain.cpu.as_secs_f64(), woven.cpu.as_secs_f64()))
                .collect::<Vec<_>>(),
        )
    }

    fn wall(&self) -> Ratio {
        ratio(
            &self
                .pairs
                .iter()
                .map(|(plain, woven)| (plain.wall.as_secs_f64(), woven.wall.as_secs_f64()))
                .collect::<Vec<_>>(),
        )
    }

    fn done(&self, options: &Options) -> bool {
        if options.quick {
            return self.pairs.len() >= 2;
        }
        self.pairs.len() >= options.repetitions
            || self.pairs.len() >= LEAST_REPETITIONS && self.cpu().spread < options.spread
    }

    /// Both variants, one right after the other, in the order given.
    fn measure_pair(&mut self, woven: &Company, woven_first: bool) -> Result<()> {
        let (plain, woven) = if woven_first {
            let woven = self.measure_one(woven)?;
            (self.measure_one(&Company::Nobody)?, woven)
        } else {
            (
                self.measure_one(&Company::Nobody)?,
                self.measure_one(woven)?,
            )
        };
        self.pairs.push((plain, woven));
        Ok(())
    }

    fn measure_one(&mut self, company: &Company) -> Result<Cost> {
        let run = self.stage.run(company, 1)?;
        let expected = self.checksums.get_or_insert_with(|| run.checksums.clone());
        if *expected != run.checksums {
            bail!(
                "{} computes something else when it is monitored",
                self.stage.program.name
            );
        }
        Ok(run.cost)
    }
}

pub fn run(place: &Place, options: &Options) -> Result<()> {
    let recrash = place.recrash()?;
    let chosen = programs(&options.program)?;
    let jdks = jdks(&options.jdk)?;
    let scratch = tempfile::tempdir()?;
    let mut prepared = Vec::new();
    for jdk in &jdks {
        let folder = scratch.path().join(jdk.version.feature.to_string());
        std::fs::create_dir_all(&folder)?;
        prepared.push((jdk, Programs::prepare(place, jdk, &folder)?));
    }
    let mut cells = Vec::new();
    for (jdk, programs) in &prepared {
        for program in &chosen {
            cells.push(Cell {
                stage: Stage {
                    recrash,
                    jdk,
                    programs,
                    program,
                },
                pairs: Vec::new(),
                checksums: None,
            });
        }
    }
    repeat(&mut cells, options)?;
    print!("{}", report(&cells));
    Ok(())
}

/// Repetition by repetition over every unfinished cell, in a new order each time, so that no cell owns a quiet hour.
fn repeat(cells: &mut [Cell<'_>], options: &Options) -> Result<()> {
    let woven = Company::Recrash(options.with.clone());
    let mut random = Random(0x5eed);
    for repetition in 1.. {
        let mut open: Vec<&mut Cell<'_>> = cells
            .iter_mut()
            .filter(|cell| !cell.done(options))
            .collect();
        if open.is_empty() {
            break;
        }
        random.shuffle(&mut open);
        for cell in open {
            progress::show(&format!("repetition {repetition}: {}", cell.stage));
            cell.measure_pair(&woven, random.below(2) == 0)?;
        }
    }
    progress::clear();
    Ok(())
}

fn report(cells: &[Cell<'_>]) -> String {
    let mut table = Table::new(&[
        "program",
        "JDK ",
        "plain CPU s ",
        "CPU ",
        "± ",
        "plain wall s ",
        "wall ",
        "± ",
        "pairs ",
    ]);
    for cell in cells {
        let (cpu, wall) = (cell.cpu(), cell.wall());
        let plain = |of: fn(&Cost) -> f64| {
            median(
                &cell
                    .pairs
                    .iter()
                    .map(|(plain, _)| of(plain))
                    .collect::<Vec<_>>(),
            )
        };
        table.row(vec![
            cell.stage.program.name.to_owned(),
            cell.stage.jdk.version.feature.to_string(),
            format!("{:.2}", plain(|cost| cost.cpu.as_secs_f64())),
            format!("{:.3}x", cpu.value),
            format!("{:.1} %", cpu.spread * 100.0),
            format!("{:.2}", plain(|cost| cost.wall.as_secs_f64())),
            format!("{:.3}x", wall.value),
            format!("{:.1} %", wall.spread * 100.0),
            cell.pairs.len().to_string(),
        ]);
    }
    let mut text = table.text();
    text.push('\n');
    let real: Vec<&Cell<'_>> = cells
        .iter()
        .filter(|cell| cell.stage.program.real)
        .collect();
    if !real.is_empty() {
        let over = |of: fn(&Cell<'_>) -> f64| {
            median(&real.iter().map(|cell| of(cell)).collect::<Vec<_>>())
        };
        let (cpu, wall) = (
            over(|cell| cell.cpu().value),
            over(|cell| cell.wall().value),
        );
        let _ = writeln!(
            text,
            "median over the real programs: CPU {cpu:.3}x, wall {wall:.3}x"
        );
    }
    text.push_str("Whole cold runs. Ratios of medians, woven over plain; ± is half the 90 % bootstrap interval over the pairs.\n");
    text
}
