//! The application: compiled, started, asked, and what it took.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use recrash_jvm::Jdk;

use crate::place::{Place, class_path};
use crate::programs::succeed;
use crate::sample::cpu_in;

/// Below `.deps`, beside everything in `bench/spring`.
const JARS: [&str; 5] = [
    "frameworks/slf4j-api.jar",
    "frameworks/logback-classic.jar",
    "frameworks/logback-core.jar",
    "frameworks/tomcat-embed-core.jar",
    "frameworks/tomcat-annotations-api.jar",
];

pub const HEALTHY: &str = "/order?customer=somebody&lines=12";

/// How long the application may take to answer its first request.
const START: Duration = Duration::from_secs(120);

/// Names of HotSpot's threads, as far as the kernel keeps them.
const COMPILERS: [&str; 2] = ["C1 CompilerThre", "C2 CompilerThre"];

/// The compiled application.
pub struct Application {
    java: PathBuf,
    class_path: String,
    pub folder: PathBuf,
}

impl Application {
    pub fn compile(place: &Place, jdk: &Jdk, folder: &Path) -> Result<Self> {
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
    pub fn start(&self, agent: Option<&str>) -> Result<Server> {
        let port = TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port();
        let mut command = Command::new(&self.java);
        command.args(agent);
        command
            .args(["-Xms1g", "-Xmx1g", "-cp", &self.class_path])
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
pub struct Server {
    process: Child,
    pub port: u16,
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Server {
    pub fn status_of(&self, path: &str) -> Result<u16> {
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

    /// User and system time so far.
    pub fn cpu(&self) -> Result<Duration> {
        cpu_in(&self.folder().join("stat"))
    }

    /// The part of it that the JVM's compilers took.
    pub fn compilers_cpu(&self) -> Result<Duration> {
        let mut sum = Duration::ZERO;
        for entry in std::fs::read_dir(self.folder().join("task"))? {
            let task = entry?.path();
            // A compiler thread that has nothing to do ends.
            let name = std::fs::read_to_string(task.join("comm")).unwrap_or_default();
            if COMPILERS.iter().any(|compiler| name.starts_with(compiler)) {
                sum += cpu_in(&task.join("stat")).unwrap_or_default();
            }
        }
        Ok(sum)
    }

    fn folder(&self) -> PathBuf {
        Path::new("/proc").join(self.process.id().to_string())
    }
}
