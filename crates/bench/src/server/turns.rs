//! Requests by turns, now of one server, now of the other, one at a time: what disturbs the machine meanwhile, a compiler
//! thread, a collector, a neighbour, disturbs both alike. wrk asks one server for a whole second, and the 99th percentile
//! of a second is whether such a thing came.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::BUG;
use super::application::HEALTHY;
use super::load::Load;
use crate::statistics::Random;

/// Requests of each server in a block: twenty are slower than its 99th percentile.
const BLOCK: usize = 2_000;
/// One request of so many meets the bug, as in `mixed.lua`.
const FAILS: usize = 50;

/// The 99th percentiles of two servers, in milliseconds, for each of so many blocks.
pub fn take_turns(ports: (u16, u16), load: Load, blocks: usize) -> Result<Vec<(f64, f64)>> {
    let mut first = Connection::to(ports.0);
    let mut second = Connection::to(ports.1);
    let mut random = Random(0x7075);
    (0..blocks)
        .map(|_| {
            let mut took = (Vec::with_capacity(BLOCK), Vec::with_capacity(BLOCK));
            for number in 1..=BLOCK {
                let fails = load == Load::SomeFail && number % FAILS == 0;
                let path = if fails { BUG } else { HEALTHY };
                // What comes second finds the caches as the first has left them; each has that place as often.
                if random.below(2) == 0 {
                    took.0.push(first.ask(path)?);
                    took.1.push(second.ask(path)?);
                } else {
                    took.1.push(second.ask(path)?);
                    took.0.push(first.ask(path)?);
                }
            }
            Ok((p99(took.0), p99(took.1)))
        })
        .collect()
}

/// In milliseconds.
fn p99(mut took: Vec<Duration>) -> f64 {
    took.sort_unstable();
    let slow = took.get(took.len() * 99 / 100).copied();
    slow.unwrap_or_default().as_secs_f64() * 1000.0
}

/// Kept open as long as the server does: it closes one after an answer of 500.
struct Connection {
    port: u16,
    stream: Option<BufReader<TcpStream>>,
}

impl Connection {
    fn to(port: u16) -> Connection {
        Connection { port, stream: None }
    }

    /// How long the answer took.
    fn ask(&mut self, path: &str) -> Result<Duration> {
        if self.stream.is_none() {
            let stream = TcpStream::connect(("127.0.0.1", self.port))?;
            stream.set_nodelay(true)?;
            stream.set_read_timeout(Some(Duration::from_secs(10)))?;
            self.stream = Some(BufReader::new(stream));
            // The first answer takes the server's acceptor, too.
            self.exchange(HEALTHY)?;
        }
        let begin = Instant::now();
        self.exchange(path)?;
        Ok(begin.elapsed())
    }

    fn exchange(&mut self, path: &str) -> Result<()> {
        let stream = self.stream.as_mut().context("the connection is closed")?;
        let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n");
        stream.get_mut().write_all(request.as_bytes())?;
        let closed = read_answer(stream)?;
        if closed {
            self.stream = None;
        }
        Ok(())
    }
}

/// Reads one answer; whether the server closes the connection after it.
fn read_answer(stream: &mut impl BufRead) -> Result<bool> {
    let (mut length, mut chunked, mut closed) = (0, false, false);
    let mut line = String::new();
    loop {
        line.clear();
        if stream.read_line(&mut line)? == 0 {
            bail!("the server closed the connection instead of an answer");
        }
        let header = line.trim_end().to_ascii_lowercase();
        if header.is_empty() {
            break;
        }
        match header.split_once(": ") {
            Some(("content-length", value)) => length = value.parse()?,
            Some(("transfer-encoding", "chunked")) => chunked = true,
            Some(("connection", "close")) => closed = true,
            _ => {}
        }
    }
    if !chunked {
        skip(stream, length)?;
        return Ok(closed);
    }
    loop {
        line.clear();
        stream.read_line(&mut line)?;
        let length = u64::from_str_radix(line.trim_end(), 16)
            .with_context(|| format!("not the length of a chunk: {line}"))?;
        // A line break follows each.
        skip(stream, length + 2)?;
        if length == 0 {
            return Ok(closed);
        }
    }
}

fn skip(stream: &mut impl Read, length: u64) -> Result<()> {
    let skipped = std::io::copy(&mut stream.take(length), &mut std::io::sink())?;
    if skipped < length {
        bail!("the answer is cut off");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_to_their_ends() {
        let answers = "HTTP/1.1 200 \r\nContent-Length: 3\r\n\r\nabcHTTP/1.1 500 \r\nTransfer-Encoding: chunked\r\n\
                       Connection: close\r\n\r\n3\r\nabc\r\n0\r\n\r\n";
        let mut stream = answers.as_bytes();
        assert!(!read_answer(&mut stream).unwrap());
        assert!(read_answer(&mut stream).unwrap());
        assert!(stream.is_empty());
        assert!(read_answer(&mut stream).is_err());
    }

    #[test]
    fn the_99th_percentile_is_what_one_of_a_hundred_exceeds() {
        let took = (1..=2000).map(Duration::from_millis).collect();
        assert!((p99(took) - 1981.0).abs() < 1e-9);
    }
}
