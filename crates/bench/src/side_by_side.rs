//! A warm program and the same one watched, at the same time, each on a core of its own: whatever slows the machine down
//! meanwhile slows down both, and is not in their ratio. Cores are not alike, so the two change places every few seconds.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::affinity;
use crate::rounds::{Company, Round, Stage};

/// What came of it.
pub enum Pair {
    /// CPU seconds of a round.
    Warm { plain: f64, watched: f64 },
    /// The watched one was not warm in time. Its rounds take so many times as long.
    Cold(f64),
    /// The same, and it did not even end a round.
    MoreThan(f64),
}

/// An even number of stretches between which the two change places.
const STRETCHES: usize = 8;
const STRETCH: Duration = Duration::from_secs(2);

/// Runs both until both are warm, or for `limit`, and then counts.
pub fn side_by_side(stage: &Stage<'_>, company: &Company, limit: Duration) -> Result<Pair> {
    let (sender, receiver) = channel();
    let plain = Side::start(stage, &Company::Nobody, 0, sender.clone())?;
    let watched = Side::start(stage, company, 1, sender)?;
    let mut heard = Heard {
        stage: *stage,
        receiver,
        rounds: Default::default(),
        warm: [false; 2],
    };
    heard.listen(limit, |heard| heard.warm == [true; 2])?;
    let [plain_is_warm, watched_is_warm] = heard.warm;
    if !plain_is_warm {
        bail!("{stage} is not warm after --limit, without recrash");
    }
    let before = heard.rounds.each_ref().map(Vec::len);
    for stretch in 1..=STRETCHES {
        affinity::move_group(plain.group(), stretch % 2)?;
        affinity::move_group(watched.group(), (stretch + 1) % 2)?;
        heard.listen(STRETCH, |_| false)?;
    }
    let [plain, watched] = &heard.rounds;
    if plain
        .iter()
        .zip(watched)
        .any(|(plain, watched)| plain.checksum != watched.checksum)
    {
        bail!("{stage} computes something else when it is monitored");
    }
    let [plain_before, watched_before] = before;
    let plain = mean(plain.get(plain_before..).unwrap_or_default())
        .with_context(|| format!("a round of {stage} takes too long to be measured"))?;
    Ok(
        match mean(watched.get(watched_before..).unwrap_or_default()) {
            Some(watched) if watched_is_warm => Pair::Warm { plain, watched },
            Some(watched) => Pair::Cold(watched / plain),
            None => Pair::MoreThan(STRETCH.as_secs_f64() * STRETCHES as f64 / plain),
        },
    )
}

/// CPU seconds of one of these rounds.
fn mean(rounds: &[Round]) -> Option<f64> {
    let sum: Duration = rounds.iter().map(|round| round.cpu).sum();
    (!rounds.is_empty()).then(|| sum.as_secs_f64() / rounds.len() as f64)
}

/// What both have said so far.
struct Heard<'a> {
    stage: Stage<'a>,
    receiver: Receiver<(usize, Said)>,
    rounds: [Vec<Round>; 2],
    warm: [bool; 2],
}

enum Said {
    Round(Round),
    Warm,
    /// With what it said on standard error.
    End(PathBuf),
}

impl Said {
    fn of(line: &str) -> Option<Said> {
        if line == "warm" {
            return Some(Said::Warm);
        }
        Round::of(line).map(Said::Round)
    }
}

impl Heard<'_> {
    fn listen(&mut self, limit: Duration, enough: fn(&Self) -> bool) -> Result<()> {
        let started = Instant::now();
        while !enough(self) {
            let left = limit.saturating_sub(started.elapsed());
            let (side, said) = match self.receiver.recv_timeout(left) {
                Ok(said) => said,
                Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) => bail!("{} is gone", self.stage),
            };
            let (Some(rounds), Some(warm)) = (self.rounds.get_mut(side), self.warm.get_mut(side))
            else {
                continue;
            };
            match said {
                Said::Round(round) => rounds.push(round),
                Said::Warm => *warm = true,
                Said::End(stderr) => {
                    let said = std::fs::read_to_string(&stderr)?;
                    bail!("{} ended by itself: {}", self.stage, said.trim_end());
                }
            }
        }
        Ok(())
    }
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
        sender: Sender<(usize, Said)>,
    ) -> Result<Side> {
        let folder = stage.programs.folder.join(format!("side-{number}"));
        std::fs::create_dir_all(&folder)?;
        let stderr = folder.join("err");
        let mut process = stage
            .on_core(number, company, &folder)
            .current_dir(&folder)
            // A group of its own: what `recrash run` starts moves and ends with it.
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(File::create(&stderr)?)
            .spawn()
            .with_context(|| format!("{stage} could not be started"))?;
        let output = process.stdout.take().context("a pipe was asked for")?;
        thread::spawn(move || {
            let lines = BufReader::new(output).lines().map_while(Result::ok);
            for said in lines.filter_map(|line| Said::of(&line)) {
                // Nobody listens any more when enough was heard.
                let _ = sender.send((number, said));
            }
            let _ = sender.send((number, Said::End(stderr)));
        });
        Ok(Side { process })
    }

    fn group(&self) -> u32 {
        self.process.id()
    }
}

impl Drop for Side {
    fn drop(&mut self) {
        let group = format!("-{}", self.group());
        // It may have ended already.
        let _ = Command::new("kill")
            .args(["-KILL", "--", &group])
            .stderr(Stdio::null())
            .status();
        let _ = self.process.wait();
    }
}
