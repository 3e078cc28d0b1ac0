//! The ways to keep what methods were given, side by side: what each costs, and what it reproduces.

mod costs;
mod reproduced;

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::place::{Place, jdks};
use crate::rounds::{Program, programs};
use costs::costs;
use reproduced::reproduced;

#[derive(Args)]
pub struct Options {
    /// Also run the crash drivers of this folder with each strategy, see `./x bench corpus`
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,
    /// Only what is reproduced, not what it costs
    #[arg(long, requires = "corpus")]
    only_corpus: bool,
    /// Only this row (`auto`, `undo`, `second chance`, …); may be repeated
    #[arg(long, value_name = "NAME")]
    strategy: Vec<String>,
    /// Only this program (ecj, h2, closure, calls); may be repeated. The real ones when not given
    #[arg(long, value_name = "NAME")]
    program: Vec<String>,
    /// Only this JDK; may be repeated. The corpus runs on the first one
    #[arg(long, value_name = "HOME")]
    jdk: Vec<PathBuf>,
    /// So many runs of everything
    #[arg(long, value_name = "N", default_value_t = 3)]
    repetitions: usize,
    /// A process that needs longer to get warm is measured as it is then
    #[arg(long, value_name = "SECONDS", default_value_t = 150)]
    limit: u64,
    /// Where snapshots, tests and logs of each crash are left
    #[arg(long, value_name = "DIR", default_value = "target/strategies")]
    keep: PathBuf,
}

/// A way to keep what methods were given.
struct Row {
    name: &'static str,
    way: Way,
    /// What the ReCrash paper measured for it (ECOOP'08, figure 13): whole runs, as ratios.
    paper: &'static str,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Strategy(&'static str),
    /// Second chance, with an empty list or with one stack of the program on it.
    SecondChance {
        watching: bool,
    },
    ShadowStack,
    /// Nothing: what chance alone does to a ratio.
    Plain,
}

const ROWS: [Row; 10] = [
    Row {
        name: "reference",
        way: Way::Strategy("reference"),
        paper: "1.11-1.42x",
    },
    Row {
        name: "auto",
        way: Way::Strategy("auto"),
        paper: "-",
    },
    Row {
        name: "shallow+used-fields",
        way: Way::Strategy("shallow+used-fields"),
        paper: "1.13-1.60x",
    },
    Row {
        name: "deep",
        way: Way::Strategy("deep"),
        paper: "120-6,380x",
    },
    Row {
        name: "undo",
        way: Way::Strategy("undo"),
        paper: "-",
    },
    Row {
        name: "undo+hot",
        way: Way::Strategy("undo+hot"),
        paper: "-",
    },
    Row {
        name: "second chance",
        way: Way::SecondChance { watching: false },
        paper: "1.00x",
    },
    Row {
        name: "second chance, after a failure",
        way: Way::SecondChance { watching: true },
        paper: "1.00-1.02x",
    },
    Row {
        name: "classic shadow stack",
        way: Way::ShadowStack,
        paper: "1.11-1.42x",
    },
    Row {
        name: "plain, once more",
        way: Way::Plain,
        paper: "-",
    },
];

pub fn run(place: &Place, options: &Options) -> Result<()> {
    let recrash = place.recrash()?;
    if let Some(unknown) = options
        .strategy
        .iter()
        .find(|name| !ROWS.iter().any(|row| row.name == **name))
    {
        let known: Vec<&str> = ROWS.iter().map(|row| row.name).collect();
        bail!("there is no row '{unknown}': {}", known.join(", "));
    }
    let rows: Vec<&Row> = ROWS
        .iter()
        .filter(|row| {
            options.strategy.is_empty() || options.strategy.iter().any(|name| name == row.name)
        })
        .collect();
    let jdks = jdks(&options.jdk)?;
    if !options.only_corpus {
        let chosen: Vec<&Program> = programs(&options.program)?
            .into_iter()
            .filter(|program| program.real || !options.program.is_empty())
            .collect();
        print!("{}", costs(place, recrash, &jdks, &chosen, &rows, options)?);
    }
    if let Some(corpus) = &options.corpus {
        let jdk = jdks.into_iter().next().context("no JDK")?;
        print!("{}", reproduced(recrash, corpus, jdk, &rows, options)?);
    }
    Ok(())
}
