use super::settings;
use crate::arguments::SynthArguments;
use crate::console::Console;
use crate::exit;
use anyhow::{Context, bail};
use recrash_capture::{Listener, tools};
use recrash_jvm::{ClassPath, Jdk, find_jdks};
use recrash_program::Program;
use recrash_report::printable;
use recrash_synth::{Attempt, Setting, Verdict, attempt};
use recrash_trace::{Trace, foreign_language, parse};
use std::io::{Read, Write};
use std::path::Path;
use std::process::ExitCode;
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
    let tools = tools(&recrash_bundle::unpack()?);
    let out = std::path::absolute(&typed.out)?;
    let mut attempts = Vec::new();
    for trace in &traces {
        console.line(&format!("{name}:{}: {}", trace.line, heading(trace)));
        let setting = Setting {
            program: &program,
            class_path: &class_path,
            jdk: &jdk,
            tools: &tools,
            out: &out,
            budget: Duration::from_secs(typed.budget),
            seed: typed.seed,
        };
        let tried = attempt(&setting, trace)?;
        if !typed.json {
            print(&tried)?;
        }
        attempts.push(tried);
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

fn traces(text: &str, name: &str) -> anyhow::Result<Vec<Trace>> {
    let traces = parse(text);
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
    let chain = trace.chain();
    let root = chain.last();
    let class = root.and_then(|thrown| thrown.class.clone());
    let frames = root.map_or(0, |thrown| thrown.frames.len());
    let class = class.unwrap_or_else(|| "an exception".to_owned());
    printable(&format!("{class}, {frames} frames"))
}

fn print(attempt: &Attempt) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    let verdict = match attempt.verdict {
        Verdict::Reproduced => "reproduced",
        Verdict::NotFound => "not found",
        Verdict::Misfit => "the class path does not fit",
        Verdict::NothingToCall => "nothing to call",
    };
    writeln!(out, "{verdict}: {}", printable(&attempt.reason))?;
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
