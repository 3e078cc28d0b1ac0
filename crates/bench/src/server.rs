//! A Spring Boot application under load, plain and watched; what it answers with 500 becomes a test.

mod application;
mod load;
mod turns;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args;
use recrash_jvm::Jdk;

use crate::place::{Place, jdks};
use crate::programs::succeed;
use crate::progress;
use crate::statistics::{Ratio, median, ratio};
use crate::table::Table;
use application::{Application, Server};
use load::{Answer, Clients, Load};
use turns::take_turns;

#[derive(Args)]
pub struct Options {
    /// Only this JDK; may be repeated
    #[arg(long, value_name = "HOME")]
    jdk: Vec<PathBuf>,
    /// Pairs of servers, one plain and one watched: no two JVMs compile alike
    #[arg(long, value_name = "N", default_value_t = 3)]
    servers: usize,
    /// Pairs of runs on each pair of servers, for each kind of load
    #[arg(long, value_name = "N", default_value_t = 30)]
    repetitions: usize,
    /// Length of a run: short ones, so that a slow minute of the machine hits both of a pair
    #[arg(long, value_name = "SECONDS", default_value_t = 1)]
    seconds: u64,
    /// Blocks of 2,000 requests of each server, made by turns, for each kind of load
    #[arg(long, value_name = "N", default_value_t = 12)]
    blocks: usize,
    /// Watch neither of the two: what the figures say of servers that are alike
    #[arg(long)]
    alike: bool,
    /// Least time under load before anything is measured; it goes on until the compilers have little left to do
    #[arg(long, value_name = "SECONDS", default_value_t = 20)]
    warm_up: u64,
    /// Connections kept open, by default one for two cores: the clients need some, too, and with more connections than that
    /// latency is how the kernel shares them out
    #[arg(long, value_name = "N")]
    connections: Option<usize>,
}

const BUG: &str = "/order?customer=somebody&lines=0";

const LEAST_THROUGHPUT: f64 = 0.95;
const MOST_LATENCY: f64 = 1.1;

/// A server is warm when its compilers take less than this share of its CPU time.
const COMPILING: f64 = 0.03;
/// After so many times the least warm-up it is taken as it is.
const PATIENCE: u64 = 4;

pub fn run(place: &Place, options: &Options) -> Result<()> {
    let recrash = place.recrash()?;
    let cores = std::thread::available_parallelism()?.get();
    let clients = Clients {
        place,
        connections: options.connections.unwrap_or((cores / 2).max(1)),
    };
    let mut table = Table::new(&[
        "JDK ",
        "load",
        "plain req/s ",
        "throughput ",
        "p99 ms, wrk ",
        "p99, wrk ",
        "p99 ms, by turns ",
        "p99, by turns ",
        "plain CPU us/req ",
        "CPU/req ",
    ]);
    let mut missed = Vec::new();
    let mut made = Vec::new();
    for jdk in jdks(&options.jdk)? {
        progress::show(&format!("Spring Boot on Java {}", jdk.version));
        let scratch = tempfile::tempdir()?;
        let application = Application::compile(place, &jdk, scratch.path())?;
        made.push(reproduce(recrash, &jdk, &application)?);
        let mut measured = [Load::Healthy, Load::SomeFail].map(Measured::of);
        for number in 1..=options.servers {
            let plain = application.start(None)?;
            let agent = agent_option(recrash, &application.folder.join("load"))?;
            let woven = application.start((!options.alike).then_some(agent.as_str()))?;
            let both = Pair { plain, woven };
            progress::show(&format!(
                "Java {}, servers {number} of {}",
                jdk.version, options.servers
            ));
            // Warm for both kinds of load.
            both.warm_up(clients, Load::SomeFail, options)?;
            for measured in &mut measured {
                let load = measured.load;
                measured.runs.extend(both.measure(clients, load, options)?);
                let ports = (both.plain.port, both.woven.port);
                measured
                    .turns
                    .extend(take_turns(ports, load, options.blocks)?);
            }
        }
        for measured in &measured {
            let (row, within) = row(&jdk, measured);
            table.row(row);
            if !within {
                let load = measured.load.name();
                missed.push(format!("Java {}, {load}", jdk.version.feature));
            }
        }
    }
    progress::clear();
    print!("{}", table.text());
    println!(
        "Medians of {} pairs of runs of wrk, {} s each, connections: {}, and of {} blocks of requests by turns, on {} pairs \
         of servers; ± half of the 90 % interval. Of p99, that by turns is judged: it is chance what disturbs a second of wrk.",
        options.servers * options.repetitions,
        options.seconds,
        clients.connections,
        options.servers * options.blocks,
        options.servers,
    );
    for made in made {
        println!("{made}");
    }
    if missed.is_empty() {
        println!("Throughput is at least {LEAST_THROUGHPUT}x, p99 at most {MOST_LATENCY}x.");
        Ok(())
    } else {
        bail!(
            "throughput below {LEAST_THROUGHPUT}x or p99 above {MOST_LATENCY}x: {}",
            missed.join("; ")
        )
    }
}

/// What was measured with one kind of load, plain and watched.
struct Measured {
    load: Load,
    /// Of wrk, one right after the other.
    runs: Vec<(Answer, Answer)>,
    /// 99th percentiles by turns.
    turns: Vec<(f64, f64)>,
}

impl Measured {
    fn of(load: Load) -> Measured {
        Measured {
            load,
            runs: Vec::new(),
            turns: Vec::new(),
        }
    }
}

/// A row of the table, and whether it is within the limits.
fn row(jdk: &Jdk, measured: &Measured) -> (Vec<String>, bool) {
    let load = measured.load;
    let plain_and_ratio = |pairs: &[(f64, f64)]| {
        let plain: Vec<f64> = pairs.iter().map(|&(plain, _)| plain).collect();
        (median(&plain), ratio(pairs))
    };
    let of = |figure: fn(Answer) -> f64| {
        let runs = measured.runs.iter();
        let pairs: Vec<(f64, f64)> = runs.map(|&(p, w)| (figure(p), figure(w))).collect();
        plain_and_ratio(&pairs)
    };
    let (plain_rate, rate) = of(|answer| answer.per_second);
    let (plain_p99, p99) = of(|answer| answer.p99);
    let (plain_turns, turns) = plain_and_ratio(&measured.turns);
    let (plain_cpu, cpu) = of(|answer| answer.cpu);
    let cells = vec![
        jdk.version.feature.to_string(),
        load.name().to_owned(),
        format!("{plain_rate:.0}"),
        text(rate),
        format!("{plain_p99:.2}"),
        text(p99),
        format!("{plain_turns:.2}"),
        text(turns),
        format!("{plain_cpu:.1}"),
        text(cpu),
    ];
    let within = rate.value >= LEAST_THROUGHPUT && turns.value <= MOST_LATENCY;
    (cells, within)
}

fn text(ratio: Ratio) -> String {
    format!("{:.3}x ± {:.0} %", ratio.value, ratio.spread * 100.0)
}

/// Two servers that run at the same time; while wrk asks one, the other is idle.
struct Pair {
    plain: Server,
    woven: Server,
}

impl Pair {
    /// Both get the same time, so that neither has compiled more than the other only because it was asked longer.
    fn warm_up(&self, clients: Clients<'_>, load: Load, options: &Options) -> Result<()> {
        let slice = options.warm_up.div_ceil(4).max(1);
        let mut slices = 0;
        loop {
            let mut warm = true;
            for server in [&self.plain, &self.woven] {
                let before = (server.cpu()?, server.compilers_cpu()?);
                clients.run(server, load, slice)?;
                let took = |now: Duration, before| now.saturating_sub(before).as_secs_f64();
                let compiling = took(server.compilers_cpu()?, before.1);
                warm &= compiling < COMPILING * took(server.cpu()?, before.0);
            }
            slices += 1;
            if slices >= 4 && warm || slices >= 4 * PATIENCE {
                return Ok(());
            }
        }
    }

    /// Pairs of runs one right after the other.
    fn measure(
        &self,
        clients: Clients<'_>,
        load: Load,
        options: &Options,
    ) -> Result<Vec<(Answer, Answer)>> {
        (0..options.repetitions)
            .map(|number| {
                let run = |server: &Server| clients.run(server, load, options.seconds);
                // What comes second finds the machine warmer; each has that place as often.
                if number % 2 == 0 {
                    Ok((run(&self.plain)?, run(&self.woven)?))
                } else {
                    let woven = run(&self.woven)?;
                    Ok((run(&self.plain)?, woven))
                }
            })
            .collect()
    }
}

/// One request that meets the bug, and what `recrash tests` makes of the snapshot.
fn reproduce(recrash: &Path, jdk: &Jdk, application: &Application) -> Result<String> {
    let out = application.folder.join("crashes");
    let agent = agent_option(recrash, &out)?;
    let server = application.start(Some(&agent))?;
    let status = server.status_of(BUG)?;
    if status != 500 {
        bail!("the bug answers with {status}");
    }
    drop(server);
    let snapshot = std::fs::read_dir(&out)
        .context("there is no snapshot of the bug")?
        .flatten()
        .map(|entry| entry.path())
        .find(|path| {
            path.extension()
                .is_some_and(|extension| extension == "recrash")
        })
        .context("there is no snapshot of the bug")?;
    let mut command = Command::new(recrash);
    command.arg("tests").arg(&snapshot).arg("--out").arg(&out);
    let said = succeed(&mut command, &application.folder)?;
    let reproduced = |method: &str| {
        said.lines()
            .any(|line| line.contains(method) && line.contains("reproduced"))
    };
    if !reproduced("ShopApplication.order") {
        bail!("the controller's method does not reproduce the bug:\n{said}");
    }
    let summary = said
        .lines()
        .find(|line| line.contains("frames reproduce"))
        .unwrap_or_default();
    Ok(format!(
        "Java {}: answered 500, {summary}",
        jdk.version.feature
    ))
}

fn agent_option(recrash: &Path, out: &Path) -> Result<String> {
    let output = Command::new(recrash)
        .arg("agent-path")
        .arg("--out")
        .arg(out)
        .output()?;
    Ok(String::from_utf8(output.stdout)?.trim_end().to_owned())
}
