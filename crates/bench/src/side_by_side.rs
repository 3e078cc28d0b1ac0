//! A program and the same one watched, at the same time, each on a core of its own: whatever slows the machine down meanwhile
//! slows down both, and is not in their ratio.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::rounds::{Company, Round, Stage};

/// What came of it.
pub enum Pair {
    /// CPU seconds of the counted rounds.
    Both { plain: f64, watched: f64 },
    /// The watched one takes more than so many times as long.
    MoreThan(f64),
}

/// Runs both until both have done the program's rounds, or the watched one has taken `limit`.
pub fn side_by_side(
    stage: &Stage<'_>,
    company: &Company,
    swapped: bool,
    limit: Duration,
) -> Result<Pair> {
    let wanted = stage.program.rounds;
    let cores = if swapped { [1, 0] } else { [0, 1] };
    let (sender, heard) = channel();
    let started = Instant::now();
    let _plain = Side::start(stage, &Company::Nobody, 0, cores[0], sender.clone())?;
    let _watched = Side::start(stage, company, 1, cores[1], sender)?;
    let mut rounds: [Vec<Round>; 2] = Default::default();
    let mut plain_took = None;
    while rounds.iter().any(|rounds| rounds.len() < wanted) {
        let left = limit.saturating_sub(started.elapsed());
        match (heard.recv_timeout(left), plain_took) {
            (Ok((side, Heard::Round(round))), _) => {
                if let Some(rounds) = rounds.get_mut(side) {
                    rounds.push(round);
                }
                let [plain, _] = &rounds;
                if plain.len() == wanted {
                    plain_took.get_or_insert(started.elapsed());
                }
            }
            (Ok((_, Heard::End(stderr))), _) => {
                let said = std::fs::read_to_string(&stderr)?;
                bail!("{stage} ended by itself: {}", said.trim_end());
            }
            (Err(RecvTimeoutError::Timeout), Some(plain)) => {
                let times = limit.as_secs_f64() / plain.as_secs_f64();
                return Ok(Pair::MoreThan(times));
            }
            (Err(_), _) => bail!("{stage} took longer than --limit without recrash"),
        }
    }
    let [plain, watched] = rounds.map(|mut rounds| {
        rounds.truncate(wanted);
        stage.program.warm(&rounds)
    });
    if plain.checksum != watched.checksum {
        bail!("{stage} computes something else when it is monitored");
    }
    Ok(Pair::Both {
        plain: plain.cost.cpu.as_secs_f64(),
        watched: watched.cost.cpu.as_secs_f64(),
    })
}

enum Heard {
    Round(Round),
    /// With what it said on standard error.
    End(PathBuf),
}

/// One of the two processes; it ends with this value.
struct Side {
    process: Child,
}

impl Side {
    fn start(
        stage: &Stage<'_>,
        company: &Company,
        number: usize,
        core: usize,
        sender: Sender<(usize, Heard)>,
    ) -> Result<Side> {
        let folder = stage.programs.folder.join(format!("side-{number}"));
        std::fs::create_dir_all(&folder)?;
        let stderr = folder.join("err");
        let mut process = stage
            .on_core(core, company, &folder)
            .current_dir(&folder)
            // A group of its own: what `recrash run` starts ends with it.
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(File::create(&stderr)?)
            .spawn()
            .with_context(|| format!("{stage} could not be started"))?;
        let output = process.stdout.take().context("a pipe was asked for")?;
        thread::spawn(move || {
            let lines = BufReader::new(output).lines().map_while(Result::ok);
            for round in lines.filter_map(|line| Round::of(&line)) {
                // Nobody listens any more when both have done their rounds.
                let _ = sender.send((number, Heard::Round(round)));
            }
            let _ = sender.send((number, Heard::End(stderr)));
        });
        Ok(Side { process })
    }
}

impl Drop for Side {
    fn drop(&mut self) {
        let group = format!("-{}", self.process.id());
        // It may have ended already.
        let _ = Command::new("kill")
            .args(["-KILL", "--", &group])
            .stderr(Stdio::null())
            .status();
        let _ = self.process.wait();
    }
}
