//! A Spring Boot application under load, plain and watched; what it answers with 500 becomes a test.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::Args;
use recrash_jvm::Jdk;

use crate::place::{Place, class_path, jdks};
use crate::programs::succeed;
use crate::progress;
use crate::statistics::{Ratio, median, ratio};
use crate::table::Table;

#[derive(Args)]
pub struct Options {
    /// Only this JDK; may be repeated
    #[arg(long, value_name = "HOME")]
    jdk: Vec<PathBuf>,
    /// Pairs of runs, one plain and one watched
    #[arg(long, value_name = "N", default_value_t = 9)]
    repetitions: usize,
    /// Length of a run
    #[arg(long, value_name = "SECONDS", default_value_t = 5)]
    seconds: u64,
    /// Seconds of load before anything is measured
    #[arg(long, value_name = "SECONDS", default_value_t = 40)]
    warm_up: u64,
    /// Connections kept open
    #[arg(long, value_name = "N", default_value_t = 8)]
    connections: usize,
}

/// Below `.deps`, beside everything in `bench/spring`.
const JARS: [&str; 5] = [
    "frameworks/slf4j-api.jar",
    "frameworks/logback-classic.jar",
    "frameworks/logback-core.jar",
    "frameworks/tomcat-embed-core.jar",
    "frameworks/tomcat-annotations-api.jar",
];

const HEALTHY: &str = "/order?customer=somebody&lines=12";
const BUG: &str = "/order?customer=somebody&lines=0";

/// How long the application may take to answer its first request.
const START: Duration = Duration::from_secs(120);

const LEAST_THROUGHPUT: f64 = 0.95;
const MOST_LATENCY: f64 = 1.1;

/// What the clients ask for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Load {
    Healthy,
    OneInAHundredFails,
}

impl Load {
    fn name(self) -> &'static str {
        match self {
            Load::Healthy => "healthy",
            Load::OneInAHundredFails => "1 % fail",
        }
    }
}

#[derive(Clone, Copy)]
struct Answer {
    per_second: f64,
    p99: f64,
}

pub fn run(place: &Place, options: &Options) -> Result<()> {
    let recrash = place.recrash()?;
    let mut table = Table::new(&[
        "JDK ",
        "load",
        "plain req/s ",
        "throughput ",
        "plain p99 ms ",
        "p99 ",
    ]);
    let mut missed = Vec::new();
    let mut made = Vec::new();
    for jdk in jdks(&options.jdk)? {
        progress::show(&format!("Spring Boot on Java {}", jdk.version));
        let scratch = tempfile::tempdir()?;
        let application = Application::compile(place, &jdk, scratch.path())?;
        made.push(reproduce(recrash, &jdk, &application)?);
        for load in [Load::Healthy, Load::OneInAHundredFails] {
            progress::show(&format!("{} requests, Java {}", load.name(), jdk.version));
            let pairs = measure(place, options, &application, recrash, load)?;
            let of = |figure: fn(Answer) -> f64| {
                let pairs: Vec<(f64, f64)> = pairs
                    .iter()
                    .map(|&(plain, woven)| (figure(plain), figure(woven)))
                    .collect();
                let plain: Vec<f64> = pairs.iter().map(|&(plain, _)| plain).collect();
                (median(&plain), ratio(&pairs))
            };
            let (plain_rate, rate) = of(|answer| answer.per_second);
            let (plain_p99, p99) = of(|answer| answer.p99);
            if rate.value < LEAST_THROUGHPUT || p99.value > MOST_LATENCY {
                missed.push(format!("Java {}, {}", jdk.version.feature, load.name()));
            }
            table.row(vec![
                jdk.version.feature.to_string(),
                load.name().to_owned(),
                format!("{plain_rate:.0}"),
                text(rate),
                format!("{plain_p99:.2}"),
                text(p99),
            ]);
        }
    }
    progress::clear();
    print!("{}", table.text());
    println!(
        "Medians of {} pairs of runs, {} s each, {} connections; ± half of the 90 % interval.",
        options.repetitions, options.seconds, options.connections
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

fn text(ratio: Ratio) -> String {
    format!("{:.3}x ± {:.0} %", ratio.value, ratio.spread * 100.0)
}

/// The compiled application.
struct Application {
    java: PathBuf,
    class_path: String,
    folder: PathBuf,
}

impl Application {
    fn compile(place: &Place, jdk: &Jdk, folder: &Path) -> Result<Self> {
        let mut jars = place.jars(&JARS)?;
        let spring = place.root.join(".deps/bench/spring");
        for entry in std::fs::read_dir(&spring)
            .with_context(|| format!("{} does not exist; ./x bench fetches it", spring.display()))?
        {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "jar") {
                jars.push(path);
            }
        }
        jars.sort();
        let classes = folder.join("classes");
        let mut javac = Command::new(jdk.javac()?);
        javac
            .args([
                "-g",
                "-parameters",
                // What this Spring reads.
                "--release",
                "17",
                "-nowarn",
                "-proc:none",
                "-encoding",
                "UTF-8",
                "-d",
            ])
            .arg(&classes)
            .arg("-cp")
            .arg(class_path(&jars));
        for entry in std::fs::read_dir(place.root.join("bench/server/shop"))? {
            javac.arg(entry?.path());
        }
        succeed(&mut javac, folder)?;
        jars.insert(0, classes);
        Ok(Application {
            java: jdk.java(),
            class_path: class_path(&jars),
            folder: folder.to_owned(),
        })
    }

    /// Starts it, with the agent where its option is given, and waits for its first answer.
    fn start(&self, agent: Option<&str>) -> Result<Server> {
        let port = TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port();
        let mut command = Command::new(&self.java);
        command.args(agent);
        command
            .args(["-Xms512m", "-Xmx512m", "-cp", &self.class_path])
            .arg("shop.ShopApplication")
            .args([
                &format!("--server.port={port}"),
                "--server.address=127.0.0.1",
                "--spring.main.banner-mode=off",
                "--logging.level.root=ERROR",
            ])
            .current_dir(&self.folder)
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let mut server = Server {
            process: command.spawn()?,
            port,
        };
        let since = Instant::now();
        while !matches!(server.status_of(HEALTHY), Ok(200)) {
            if let Some(status) = server.process.try_wait()? {
                bail!("the application ended by itself: {status}");
            }
            if since.elapsed() > START {
                bail!("the application does not answer");
            }
            sleep(Duration::from_millis(100));
        }
        Ok(server)
    }
}

/// A running application; it ends with this value.
struct Server {
    process: Child,
    port: u16,
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Server {
    fn status_of(&self, path: &str) -> Result<u16> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        )?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        let status = answer.split(' ').nth(1).and_then(|text| text.parse().ok());
        status.with_context(|| format!("not an answer: {answer}"))
    }

    fn load(&self, place: &Place, options: &Options, load: Load, seconds: u64) -> Result<Answer> {
        let mut wrk = Command::new("wrk");
        wrk.args(["-t1", "--latency"])
            .arg(format!("-c{}", options.connections))
            .arg(format!("-d{seconds}s"));
        if load == Load::OneInAHundredFails {
            wrk.arg("-s").arg(place.root.join("bench/server/mixed.lua"));
        }
        wrk.arg(format!("http://127.0.0.1:{}{HEALTHY}", self.port));
        let output = wrk.output().context("wrk could not be started")?;
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        answer(&said).with_context(|| format!("wrk said:\n{said}"))
    }
}

/// Pairs of runs one right after the other, on two servers that are warm; the other one is idle meanwhile.
fn measure(
    place: &Place,
    options: &Options,
    application: &Application,
    recrash: &Path,
    load: Load,
) -> Result<Vec<(Answer, Answer)>> {
    let plain = application.start(None)?;
    let agent = agent_option(recrash, &application.folder.join("load"))?;
    let woven = application.start(Some(&agent))?;
    for server in [&plain, &woven] {
        server.load(place, options, load, options.warm_up)?;
    }
    (0..options.repetitions)
        .map(|number| {
            let run = |server: &Server| server.load(place, options, load, options.seconds);
            // What comes second finds the machine warmer; each has that place as often.
            if number % 2 == 0 {
                Ok((run(&plain)?, run(&woven)?))
            } else {
                let woven = run(&woven)?;
                Ok((run(&plain)?, woven))
            }
        })
        .collect()
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

/// `    99%    1.23ms` and `Requests/sec:  12345.67`.
fn answer(said: &str) -> Option<Answer> {
    let value = |label: &str| {
        said.lines()
            .find_map(|line| line.trim().strip_prefix(label))
            .map(str::trim)
    };
    Some(Answer {
        per_second: value("Requests/sec:")?.parse().ok()?,
        p99: milliseconds(value("99%")?)?,
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
    fn throughput_and_latency_are_read_from_what_wrk_says() {
        let said = "  Latency Distribution\n     90%  800.00us\n     99%    1.25ms\nRequests/sec:  12345.67\n";
        let answer = answer(said).unwrap();
        assert!((answer.per_second - 12345.67).abs() < 1e-9);
        assert!((answer.p99 - 1.25).abs() < 1e-9);
        assert_eq!(milliseconds("750.00us"), Some(0.75));
        assert_eq!(milliseconds("2.00s"), Some(2000.0));
    }
}
