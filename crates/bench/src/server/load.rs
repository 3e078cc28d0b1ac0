//! What the clients ask for, and what they say.

use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};

use super::application::{HEALTHY, Server};
use crate::place::Place;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Load {
    Healthy,
    /// Two percent: the 99th percentile is the middle of the answers with 500. With less it would be now one of them, now
    /// the first answer on the connection that follows, now any other.
    SomeFail,
}

impl Load {
    pub fn name(self) -> &'static str {
        match self {
            Load::Healthy => "healthy",
            Load::SomeFail => "2 % fail",
        }
    }
}

#[derive(Clone, Copy)]
pub struct Answer {
    pub per_second: f64,
    /// Milliseconds.
    pub p99: f64,
    /// CPU time of the server per request, in microseconds: what a busy machine disturbs least.
    pub cpu: f64,
}

/// The clients: one thread of wrk.
#[derive(Clone, Copy)]
pub struct Clients<'a> {
    pub place: &'a Place,
    pub connections: usize,
}

impl Clients<'_> {
    pub fn run(&self, server: &Server, load: Load, seconds: u64) -> Result<Answer> {
        let mut wrk = Command::new("wrk");
        wrk.args(["-t1", "--latency"])
            .arg(format!("-c{}", self.connections))
            .arg(format!("-d{seconds}s"));
        if load == Load::SomeFail {
            let script = self.place.root.join("bench/server/mixed.lua");
            wrk.arg("-s").arg(script);
        }
        wrk.arg(format!("http://127.0.0.1:{}{HEALTHY}", server.port));
        let before = server.cpu()?;
        let output = wrk.output().context("wrk could not be started")?;
        let cpu = server.cpu()?.saturating_sub(before);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        answer(&said, cpu).with_context(|| format!("wrk said:\n{said}"))
    }
}

/// `    99%    1.23ms`, `  61728 requests in 5.00s` and `Requests/sec:  12345.67`.
fn answer(said: &str, cpu: Duration) -> Option<Answer> {
    let lines = || said.lines().map(str::trim);
    let value = |label: &str| {
        lines()
            .find_map(|line| line.strip_prefix(label))
            .map(str::trim)
    };
    let requests: f64 = lines()
        .find_map(|line| line.split_once(" requests in "))
        .and_then(|(count, _)| count.parse().ok())?;
    Some(Answer {
        per_second: value("Requests/sec:")?.parse().ok()?,
        p99: milliseconds(value("99%")?)?,
        cpu: cpu.as_secs_f64() * 1e6 / requests,
    })
}

fn milliseconds(text: &str) -> Option<f64> {
    let units = [("us", 0.001), ("ms", 1.0), ("s", 1000.0)];
    units
        .into_iter()
        .find_map(|(unit, factor)| Some(text.strip_suffix(unit)?.parse::<f64>().ok()? * factor))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn throughput_latency_and_cpu_are_read_from_what_wrk_says() {
        let said = "  Latency Distribution\n     90%  800.00us\n     99%    1.25ms\n  50000 requests in 4.05s, 9.00MB read\nRequests/sec:  12345.67\n";
        let answer = answer(said, Duration::from_secs(2)).unwrap();
        assert!((answer.per_second - 12345.67).abs() < 1e-9);
        assert!((answer.p99 - 1.25).abs() < 1e-9);
        assert!((answer.cpu - 40.0).abs() < 1e-9);
        assert_eq!(milliseconds("750.00us"), Some(0.75));
        assert_eq!(milliseconds("2.00s"), Some(2000.0));
    }
}
