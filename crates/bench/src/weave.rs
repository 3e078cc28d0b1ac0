use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::Args;
use recrash_jvm::Jdk;
use recrash_weave::{Policy, Woven, weave};

use crate::place::{Place, class_path, jdks};
use crate::programs::succeed;
use crate::table::Table;

#[derive(Args)]
pub struct Options {
    /// Passes over the classes; the first is the cold one, the fastest of the later half the warm one
    #[arg(long, value_name = "N", default_value_t = 30)]
    passes: usize,
    /// The JDK that runs ASM; the first one found when not given
    #[arg(long, value_name = "HOME")]
    jdk: Option<PathBuf>,
    /// The jars to weave; ecj and H2 when none is given
    #[arg(value_name = "JAR")]
    jars: Vec<PathBuf>,
}

/// Times of whole passes over the same classes.
struct Passes {
    woven: usize,
    times: Vec<Duration>,
}

impl Passes {
    fn cold(&self) -> f64 {
        self.times.first().map_or(f64::NAN, Duration::as_secs_f64)
    }

    /// The fastest of the later half: nothing but a busy machine makes a pass over the same classes slower.
    fn warm(&self) -> f64 {
        let later = self.times.iter().skip(self.times.len() / 2);
        later.min().map_or(f64::NAN, Duration::as_secs_f64)
    }
}

pub fn run(place: &Place, options: &Options) -> Result<()> {
    let jdk = jdks(options.jdk.as_slice())?
        .into_iter()
        .next()
        .context("no JDK")?;
    let jars = if options.jars.is_empty() {
        place.jars(&["subjects/ecj.jar", "subjects/h2.jar"])?
    } else {
        options.jars.clone()
    };
    let classes = read_classes(&jars)?;
    let ours = weave_passes(&classes, options.passes.max(2));
    let asm = Asm::compile(place, &jdk)?;
    let passes = options.passes.max(2);
    let same = asm.passes(&jars, passes, false)?;
    let less = asm.passes(&jars, passes, true)?;
    let mut table = Table::new(&["weaver", "classes woven ", "cold ms/1000 ", "warm ms/1000 "]);
    let per_thousand = |seconds: f64| format!("{:.1}", seconds * 1e6 / classes.len() as f64);
    let asm_name = format!("ASM 9.8 on Java {}", jdk.version.feature);
    let less_name = format!("{asm_name}, no fields of arguments");
    let rows = [
        ("recrash", &ours),
        (asm_name.as_str(), &same),
        (less_name.as_str(), &less),
    ];
    for (name, passes) in rows {
        table.row(vec![
            name.to_owned(),
            passes.woven.to_string(),
            per_thousand(passes.cold()),
            per_thousand(passes.warm()),
        ]);
    }
    println!(
        "{} classes of {} jars, {} passes",
        classes.len(),
        jars.len(),
        options.passes
    );
    print!("{}", table.text());
    println!(
        "ASM takes {:.1}x as long cold (the first pass of a process), {:.1}x warm; without its analysis of \
         whose fields are written, {:.1}x cold, {:.1}x warm.",
        same.cold() / ours.cold(),
        same.warm() / ours.warm(),
        less.cold() / ours.cold(),
        less.warm() / ours.warm()
    );
    Ok(())
}

fn weave_passes(classes: &[Vec<u8>], passes: usize) -> Passes {
    let policy = Policy::default();
    let mut result = Passes {
        woven: 0,
        times: Vec::with_capacity(passes),
    };
    for _ in 0..passes {
        let mut site = 0;
        let mut woven = 0;
        let start = Instant::now();
        for class in classes {
            if let Woven::Changed { bytes, sites, .. } = weave(class, site, &policy) {
                site += sites.len() as u32;
                woven += 1;
                std::hint::black_box(bytes);
            }
        }
        result.times.push(start.elapsed());
        result.woven = woven;
    }
    result
}

/// The same job done with ASM, compiled.
struct Asm<'a> {
    jdk: &'a Jdk,
    class_path: String,
    folder: tempfile::TempDir,
}

impl<'a> Asm<'a> {
    fn compile(place: &Place, jdk: &'a Jdk) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let mut path = place.jars(&[
            "bench/asm.jar",
            "bench/asm-tree.jar",
            "bench/asm-analysis.jar",
        ])?;
        let mut compile = Command::new(jdk.javac()?);
        compile
            .args(["-nowarn", "-proc:none", "-encoding", "UTF-8", "-d"])
            .arg(folder.path())
            .arg("-cp")
            .arg(class_path(&path))
            .arg(place.root.join("bench/asm/AsmWeaver.java"));
        succeed(&mut compile, folder.path())?;
        path.push(folder.path().to_owned());
        Ok(Self {
            jdk,
            class_path: class_path(&path),
            folder,
        })
    }

    fn passes(&self, jars: &[PathBuf], passes: usize, receiver_only: bool) -> Result<Passes> {
        let mut command = Command::new(self.jdk.java());
        command
            .args(["-Xms1g", "-Xmx1g", "-cp", &self.class_path, "AsmWeaver"])
            .args(receiver_only.then_some("-receiver"))
            .arg(passes.to_string())
            .args(jars);
        asm_output(&succeed(&mut command, self.folder.path())?)
            .context("bench/asm/AsmWeaver.java prints no passes")
    }
}

fn asm_output(output: &str) -> Option<Passes> {
    let number = |line: &str| line.split(' ').next()?.parse::<u64>().ok();
    let woven = number(
        output
            .lines()
            .find_map(|line| line.strip_prefix("woven "))?,
    )?;
    let times: Option<Vec<Duration>> = output
        .lines()
        .filter_map(|line| line.strip_prefix("pass "))
        .map(|line| number(line).map(Duration::from_micros))
        .collect();
    times.map(|times| Passes {
        woven: woven as usize,
        times,
    })
}

/// Every class of the jars but module descriptors and the copies for other Java versions, as `AsmWeaver` reads them.
fn read_classes(jars: &[PathBuf]) -> Result<Vec<Vec<u8>>> {
    let mut classes = Vec::new();
    for jar in jars {
        read_jar(jar, &mut classes)
            .with_context(|| format!("{} could not be read", jar.display()))?;
    }
    if classes.is_empty() {
        bail!("the jars hold no classes");
    }
    Ok(classes)
}

fn read_jar(jar: &Path, classes: &mut Vec<Vec<u8>>) -> Result<()> {
    let mut archive = zip::ZipArchive::new(std::fs::File::open(jar)?)?;
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index)?;
        let name = entry.name();
        let class = Path::new(name)
            .extension()
            .is_some_and(|extension| extension == "class");
        if class && !name.starts_with("META-INF/") && !name.ends_with("module-info.class") {
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes)?;
            classes.push(bytes);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_pass_is_cold_and_the_fastest_of_the_later_half_is_warm() {
        let passes =
            asm_output("classes 3\nwoven 2 bytes 99\npass 900\npass 500\npass 100\npass 300\n")
                .unwrap();
        assert_eq!(passes.woven, 2);
        assert!((passes.cold() - 0.0009).abs() < 1e-9);
        assert!((passes.warm() - 0.0001).abs() < 1e-9);
    }
}
