//! The benchmarks behind `./x bench`: each prints what it measured, the spread of it, and the figure it is compared with.
//!
//! What is measured as a whole runs through the command, as its users run it; single steps (weaving, conditions, synthesis,
//! reduction) through the public surface of their crates. Start reading at [`sample`] (one measured process) and [`statistics`]
//! (what is made of many), then the module named after the benchmark.
//!
//! Never uses: `capture`, `desk`, `heap`.

#![allow(clippy::cast_precision_loss, reason = "counts here are far below 2^52")]

mod ablation;
mod affinity;
mod apps;
mod artifacts;
mod corpus;
mod crash;
mod folder;
mod heap;
mod minimize;
mod overhead;
mod place;
mod programs;
mod progress;
mod random;
mod reduce;
mod rounds;
mod sample;
mod server;
mod shadow;
mod shrink;
mod side_by_side;
mod statistics;
mod strategies;
mod synth;
mod table;
mod verdicts;
mod verify_all;
mod weave;

use anyhow::Result;
use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(
    name = "./x bench",
    about = "Measures recrash",
    disable_help_subcommand = true
)]
struct Arguments {
    #[command(subcommand)]
    benchmark: Benchmark,
}

#[derive(Subcommand)]
enum Benchmark {
    /// Run everyday applications plain and under `recrash run`; a row for each bug that they meet
    Apps(apps::Options),
    /// Run the crash drivers of a folder under `recrash run`; a table of what was reproduced
    Corpus(corpus::Options),
    /// From a crash to the written file, in milliseconds
    Crash(crash::Options),
    /// What recrash costs a program that does not crash, as ratios to the plain run
    Overhead(overhead::Options),
    /// What each strategy costs, and what it reproduces
    Strategies(strategies::Options),
    /// A Spring Boot application under load, plain and watched, and its failure as a test
    Server(server::Options),
    /// Published stack traces, and those of a corpus, as tests
    Synth(synth::Options),
    /// How much state `recrash shrink` takes out of the crashes of a corpus, and how fast
    Shrink(shrink::Options),
    /// What `recrash minimize` leaves of long failing runs, how fast, and whether the tests are green with the fix
    Minimize(minimize::Options),
    /// How many trials each order of taking things away needs, against the plain ddmin
    Reduce(reduce::Options),
    /// Milliseconds per 1,000 classes, against ASM doing the same job
    Weave(weave::Options),
    /// Objects per second captured and restored, against XStream and Kryo
    Heap(heap::Options),
    /// Real programs with every class woven, under -Xverify:all, give the output of the plain run
    VerifyAll(verify_all::Options),
}

fn main() -> Result<()> {
    let place = place::Place::find()?;
    match Arguments::parse().benchmark {
        Benchmark::Apps(options) => apps::run(&place, &options),
        Benchmark::Corpus(options) => corpus::run(&place, &options),
        Benchmark::Crash(options) => crash::run(&place, &options),
        Benchmark::Overhead(options) => overhead::run(&place, &options),
        Benchmark::Strategies(options) => strategies::run(&place, &options),
        Benchmark::Server(options) => server::run(&place, &options),
        Benchmark::Synth(options) => synth::run(&place, &options),
        Benchmark::Shrink(options) => shrink::run(&place, &options),
        Benchmark::Minimize(options) => minimize::run(&place, &options),
        Benchmark::Reduce(options) => {
            reduce::run(&options);
            Ok(())
        }
        Benchmark::Weave(options) => weave::run(&place, &options),
        Benchmark::Heap(options) => heap::run(&place, &options),
        Benchmark::VerifyAll(options) => verify_all::run(&place, &options),
    }
}
