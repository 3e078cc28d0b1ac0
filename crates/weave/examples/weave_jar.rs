//! `weave_jar IN.jar [OUT.jar] [--repeat N] [--verbose]`: weaves every class of a jar and says how long it took.
//!
//! Signatures of signed jars are dropped, since they no longer hold.

use std::error::Error;
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use recrash_classfile::{Budget, JarEntry, read_entries};
use recrash_weave::{Policy, Reason, Woven, weave};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

struct Arguments {
    input: PathBuf,
    output: Option<PathBuf>,
    repeat: usize,
    verbose: bool,
}

fn parse() -> Result<Arguments, Box<dyn Error>> {
    let (mut paths, mut repeat, mut verbose) = (Vec::new(), 1, false);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--repeat" => repeat = arguments.next().ok_or("--repeat needs a number")?.parse()?,
            "--verbose" => verbose = true,
            _ => paths.push(PathBuf::from(argument)),
        }
    }
    let mut paths = paths.into_iter();
    let input = paths
        .next()
        .ok_or("usage: weave_jar IN.jar [OUT.jar] [--repeat N] [--verbose]")?;
    Ok(Arguments {
        input,
        output: paths.next(),
        repeat,
        verbose,
    })
}

/// One pass over all classes: the results, and how many sites there are.
fn pass<'e>(entries: &'e [JarEntry], policy: &Policy) -> (Vec<(&'e JarEntry, Woven)>, u32) {
    let mut next = 0;
    let mut results = Vec::with_capacity(entries.len());
    for entry in entries.iter().filter(|entry| entry.is_class()) {
        let woven = weave(&entry.bytes, next, policy);
        if let Woven::Changed { sites, .. } = &woven {
            next += sites.len() as u32;
        }
        results.push((entry, woven));
    }
    (results, next)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = parse()?;
    let entries = read_entries(&arguments.input, Budget::default(), |name| {
        !is_signature(name)
    })?;
    let policy = Policy::everything();
    let mut times: Vec<Duration> = Vec::with_capacity(arguments.repeat);
    for _ in 0..arguments.repeat {
        let start = Instant::now();
        for entry in entries.iter().filter(|entry| entry.is_class()) {
            // Dropped at once, as in a JVM that has taken the bytes over.
            std::hint::black_box(weave(&entry.bytes, 0, &policy));
        }
        times.push(start.elapsed());
    }
    let (results, sites) = pass(&entries, &policy);
    times.sort();
    let median = times
        .get(times.len() / 2)
        .copied()
        .unwrap_or_default()
        .as_secs_f64()
        * 1000.0;

    let (mut changed, mut skipped, mut saved, mut old_bytes, mut new_bytes) = (0, 0, 0, 0, 0);
    for (entry, woven) in &results {
        old_bytes += entry.bytes.len();
        match woven {
            Woven::Changed {
                bytes,
                skipped: left,
                sites,
            } => {
                changed += 1;
                saved += sites.iter().map(|site| site.saved.len()).sum::<usize>();
                skipped += left.len();
                new_bytes += bytes.len();
                for method in left.iter().filter(|_| arguments.verbose) {
                    println!(
                        "{}: {}{} left alone: {}",
                        entry.name, method.method, method.descriptor, method.why
                    );
                }
            }
            Woven::Untouched(reason) => {
                new_bytes += entry.bytes.len();
                if arguments.verbose && !matches!(reason, Reason::NothingToMonitor) {
                    println!("{} left alone: {reason}", entry.name);
                }
            }
        }
    }
    let classes = results.len();
    println!(
        "classes {classes} changed {changed} sites {sites} saved-fields {saved} skipped-methods {skipped} bytes {old_bytes} -> {new_bytes} \
         ms {median:.2} ms-per-1000-classes {:.2}",
        median * 1000.0 / f64::from(u32::try_from(classes.max(1)).unwrap_or(u32::MAX))
    );
    match arguments.output {
        Some(output) => write_jar(&output, &entries, &results),
        None => Ok(()),
    }
}

fn is_signature(name: &str) -> bool {
    name.starts_with("META-INF/")
        && [".SF", ".RSA", ".DSA", ".EC"]
            .iter()
            .any(|ending| name.ends_with(ending))
}

fn write_jar(
    output: &PathBuf,
    entries: &[JarEntry],
    results: &[(&JarEntry, Woven)],
) -> Result<(), Box<dyn Error>> {
    let mut jar = ZipWriter::new(File::create(output)?);
    let options = SimpleFileOptions::default();
    let mut woven = results.iter().peekable();
    for entry in entries {
        let replaced = woven.next_if(|(original, _)| std::ptr::eq(*original, entry));
        let bytes = match replaced {
            Some((_, Woven::Changed { bytes, .. })) => bytes,
            _ => &entry.bytes,
        };
        jar.start_file(entry.name.as_str(), options)?;
        jar.write_all(bytes)?;
    }
    jar.finish()?;
    Ok(())
}
