use super::settings;
use crate::arguments::SynthArguments;
use crate::console::Console;
use crate::exit;
use crate::interrupt::until_interrupted;
use anyhow::{Context, bail};
use recrash_capture::{Listener, tools};
use recrash_jvm::{ClassPath, Jdk, find_jdks};
use recrash_program::{Cache, Program};
use recrash_report::printable;
use recrash_synth::{
    Attempt, Given, LevelVerdict, Setting, Summaries, Verdict, attempt, solver_problem,
};
use recrash_trace::{Trace, foreign_language, parse};
use std::collections::{BTreeMap, HashSet};
use std::io::{Read, Write};
use std::num::NonZeroUsize;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

pub fn synth(typed: &SynthArguments, console: &Console) -> anyhow::Result<ExitCode> {
    let (text, name) = text_of(&typed.trace)?;
    let traces = traces(&text, &name)?;
    let jdk = jdk(typed.jdk.as_deref())?;
    let class_path = ClassPath::parse(&typed.classpath, &std::env::current_dir()?);
    if let Some(missing) = class_path.missing().first() {
        bail!(
            "{} does not exist; pass the jars and folders of the program with --classpath",
            missing.display()
        );
    }
    let opened = recrash_program::ClassPath::open(
        class_path.entries(),
        Some(&jdk.home),
        jdk.version.feature,
    )?;
    let program = Program::new(opened);
    let cache = Cache::at(settings::analysis_cache());
    let key = program.class_path().hash()?;
    let (summaries, note) = Summaries::load(&cache, key);
    if let Some(note) = note {
        console.line(&note);
    }
    let tools = tools(&recrash_bundle::unpack()?);
    let out = std::path::absolute(&typed.out)?;
    if let Some(problem) = solver_problem() {
        console.line(&format!(
            "{problem}; conditions are not solved, only searched for"
        ));
    }
    let stopped = until_interrupted()?;
    let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let jobs = typed
        .jobs
        .map_or(cores, NonZeroUsize::get)
        .min(traces.len());
    let threads = typed.threads.map_or(cores / jobs, NonZeroUsize::get);
    let mut given = Given::default();
    for file in &typed.snapshot {
        given.add_snapshot(&program, file)?;
    }
    for place in &typed.seeds {
        given.add_code(place, &jdk)?;
    }
    let try_one = |number: usize, trace: &Trace| {
        let heading = heading(trace);
        let place = format!("{name}:{}", trace.line);
        console.line(&format!("{place}: {heading}"));
        let setting = Setting {
            program: &program,
            class_path: &class_path,
            jdk: &jdk,
            tools: &tools,
            out: &out,
            number,
            budget: Duration::from_secs(typed.budget),
            seed: typed.seed,
            given: &given,
            summaries: &summaries,
            allow_reflection: typed.allow_reflection,
            threads,
            stop: &stopped,
            progress: &|text| console.progress(&format!("{place}: {text}")),
        };
        let tried = attempt(&setting, trace)?;
        if !typed.json {
            print(&place, &tried)?;
        }
        Ok(tried)
    };
    let attempts = in_parallel(&traces, jobs, &stopped, try_one)?;
    if let Some(note) = summaries.store(&program, &cache, key) {
        console.line(&note);
    }
    if typed.json {
        let mut out = std::io::stdout().lock();
        serde_json::to_writer_pretty(&mut out, &attempts)?;
        writeln!(out)?;
    }
    let reproduced = attempts
        .iter()
        .any(|one| one.verdict == Verdict::Reproduced);
    Ok(if reproduced {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(exit::NOT_REPRODUCED)
    })
}

/// As many at once as wanted; what was begun when somebody asked us to stop is finished early, and the rest is not begun.
fn in_parallel(
    traces: &[Trace],
    jobs: usize,
    stopped: &AtomicBool,
    try_one: impl Fn(usize, &Trace) -> anyhow::Result<Attempt> + Sync,
) -> anyhow::Result<Vec<Attempt>> {
    let next = AtomicUsize::new(0);
    let done: Mutex<BTreeMap<usize, anyhow::Result<Attempt>>> = Mutex::default();
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                while !stopped.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(trace) = traces.get(number) else {
                        return;
                    };
                    let tried = try_one(number + 1, trace);
                    if let Ok(mut done) = done.lock() {
                        done.insert(number, tried);
                    }
                }
            });
        }
    });
    let done = done.into_inner().unwrap_or_default();
    done.into_values().collect()
}

fn text_of(trace: &Path) -> anyhow::Result<(String, String)> {
    let mut bytes = Vec::new();
    if trace == Path::new("-") {
        std::io::stdin().lock().read_to_end(&mut bytes)?;
        return Ok((
            String::from_utf8_lossy(&bytes).into_owned(),
            "standard input".to_owned(),
        ));
    }
    let name = trace.display().to_string();
    let bytes = std::fs::read(trace).with_context(|| name.clone())?;
    Ok((String::from_utf8_lossy(&bytes).into_owned(), name))
}

/// A log repeats itself: each crash once.
fn traces(text: &str, name: &str) -> anyhow::Result<Vec<Trace>> {
    let mut seen = HashSet::new();
    let mut traces = parse(text);
    traces.retain(|trace| {
        let root = trace.root();
        let frames: Vec<String> = root.frames.iter().map(ToString::to_string).collect();
        seen.insert((root.class, frames))
    });
    if traces.is_empty() {
        match foreign_language(text) {
            Some(language) => bail!(
                "{name} holds a stack trace of {language}; recrash reads those that a JVM prints"
            ),
            None => bail!(
                "{name} holds no stack trace; pass a text with lines like `at com.acme.Shop.open(Shop.java:12)`"
            ),
        }
    }
    Ok(traces)
}

/// One that can keep programs from the network and from files, if there is one.
fn jdk(typed: Option<&Path>) -> anyhow::Result<Jdk> {
    if typed.is_some() {
        return settings::jdk(typed);
    }
    let found = find_jdks();
    let guarded = found
        .iter()
        .find(|jdk| (17..24).contains(&jdk.version.feature));
    match guarded.or(found.first()) {
        Some(jdk) => Ok(jdk.clone()),
        None => Err(recrash_jvm::Error::NoJdk.into()),
    }
}

fn heading(trace: &Trace) -> String {
    let root = trace.root();
    let class = root.class.unwrap_or_else(|| "an exception".to_owned());
    let plural = if root.frames.len() == 1 { "" } else { "s" };
    printable(&format!("{class}, {} frame{plural}", root.frames.len()))
}

fn print(place: &str, attempt: &Attempt) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    let verdict = match attempt.verdict {
        Verdict::Reproduced => "reproduced",
        Verdict::NotFound => "not found",
        Verdict::Misfit => "the class path does not fit",
        Verdict::NothingToCall => "nothing to call",
    };
    let place = printable(place);
    writeln!(out, "{place}: {verdict}: {}", printable(&attempt.reason))?;
    for level in &attempt.levels {
        let verdict = match level.verdict {
            LevelVerdict::Reproduced => "reproduced",
            LevelVerdict::Elsewhere => "same exception elsewhere",
            LevelVerdict::NotThrown => "reached, but nothing thrown",
            LevelVerdict::NotReached => "not reached",
            LevelVerdict::Unreachable => "proved unreachable",
            LevelVerdict::NotCalled => "cannot be called",
            LevelVerdict::EnvironmentNeeded => "environment needed",
            LevelVerdict::Misfit => "class path does not fit",
            // They would only fill the screen.
            LevelVerdict::NotTried => continue,
        };
        let frame = printable(&level.frame);
        writeln!(out, "  {:>2} {frame}: {verdict}", level.level)?;
        if let Some(condition) = &level.condition {
            writeln!(out, "     when {}", printable(condition))?;
        }
    }
    for note in &attempt.notes {
        writeln!(out, "note: {}", printable(note))?;
    }
    if let Some(test) = &attempt.test {
        writeln!(out, "test: {}", printable(&test.display().to_string()))?;
    }
    writeln!(
        out,
        "{} programs in {:.1} s",
        attempt.programs, attempt.seconds
    )?;
    out.flush()?;
    Ok(())
}
