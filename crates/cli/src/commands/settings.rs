//! Arguments that several subcommands share, given their meaning.

use crate::arguments::{CaptureArguments, Failure, GenerationArguments};
use anyhow::Context;
use clap::ValueEnum;
use recrash_capture::TestsOptions;
use recrash_javagen::JUnit;
use recrash_jvm::{AgentSettings, ClassPath, Jdk, Privacy, find_jdks};
use recrash_privacy::Rules;
use recrash_weave::Strategy;
use std::path::{Path, PathBuf};

pub fn agent_settings(out: &Path, typed: &CaptureArguments) -> anyhow::Result<AgentSettings> {
    // The JVM may run in another folder than ours.
    let watch = typed.second_chance.as_deref().map(std::path::absolute);
    Ok(AgentSettings {
        out: out.to_owned(),
        include: typed.include.clone(),
        exclude: typed.exclude.clone(),
        strategy: (typed.strategy != Strategy::default()).then(|| typed.strategy.to_string()),
        failures: typed.failures.iter().copied().filter_map(name).collect(),
        on: typed.on.clone(),
        label: typed.label.clone(),
        verbose: typed.verbose,
        repeat: typed.repeat,
        max_objects: typed.max_objects,
        max_bytes: typed.max_bytes,
        max_millis: typed.max_millis,
        max_disk: typed.max_disk,
        watch: watch.transpose()?,
        privacy: privacy(typed)?,
        advice: advice(typed.strategy),
        ..AgentSettings::default()
    })
}

/// Where the agent finds what was analysed; it need not look where nothing was.
fn advice(strategy: Strategy) -> Option<PathBuf> {
    let folder = std::path::absolute(analysis_cache()).ok()?;
    let is_advice = |name: &std::ffi::OsStr| name.as_encoded_bytes().starts_with(b"advice-");
    let mut files = std::fs::read_dir(&folder).ok()?.flatten();
    let any = strategy == Strategy::Auto && files.any(|file| is_advice(&file.file_name()));
    any.then_some(folder)
}

/// The rules travel with the agent's options: the file need not be where the program runs.
fn privacy(typed: &CaptureArguments) -> anyhow::Result<Privacy> {
    Ok(match &typed.privacy {
        _ if typed.no_privacy => Privacy::Off,
        None => Privacy::Defaults,
        Some(file) => Privacy::Rules(rules(Some(file))?.own().to_vec()),
    })
}

/// The rules of a file, or those that recrash brings.
pub fn rules(file: Option<&Path>) -> anyhow::Result<Rules> {
    let Some(file) = file else {
        return Ok(Rules::defaults());
    };
    let place = || file.display().to_string();
    let text = std::fs::read_to_string(file).with_context(place)?;
    Rules::parse(&text).with_context(place)
}

fn name(kind: Failure) -> Option<String> {
    Some(kind.to_possible_value()?.get_name().to_owned())
}

/// Everything about making tests but the snapshot.
pub fn generation(
    typed: &GenerationArguments,
    bundle: &recrash_bundle::Paths,
) -> anyhow::Result<impl Fn(PathBuf, Option<PathBuf>) -> TestsOptions> {
    let jdk = typed.desk.jdk.as_deref().map(Jdk::at).transpose()?;
    let here = std::env::current_dir()?;
    let class_path = typed
        .desk
        .classpath
        .as_deref()
        .map(|text| ClassPath::parse(text, &here));
    let junit = typed.junit.as_deref().map(|named| match named {
        "4" => JUnit::Four,
        "testng" => JUnit::TestNg,
        _ => JUnit::Five,
    });
    let (package, expect_crash, limit) = (
        typed.package.clone(),
        typed.expect_crash,
        typed.desk.timeout,
    );
    let self_contained = typed.self_contained;
    let all_frames = typed.all_frames;
    let second_look = !typed.no_second_look;
    let bundle = bundle.clone();
    Ok(
        move |snapshot: PathBuf, out: Option<PathBuf>| TestsOptions {
            snapshot,
            out,
            class_path: class_path.clone(),
            jdk: jdk.clone(),
            junit,
            package: package.clone(),
            expect_crash,
            self_contained,
            all_frames,
            second_look,
            limit,
            bundle: bundle.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        },
    )
}

/// The JDK in a folder, or the first one found.
pub fn jdk(typed: Option<&Path>) -> anyhow::Result<Jdk> {
    match typed {
        Some(home) => Ok(Jdk::at(home)?),
        None => Ok(find_jdks()
            .into_iter()
            .next()
            .ok_or(recrash_jvm::Error::NoJdk)?),
    }
}

/// Where the results of the analysis are kept.
pub fn analysis_cache() -> PathBuf {
    let named = std::env::var_os("RECRASH_CACHE").filter(|name| !name.is_empty());
    named.map_or_else(
        || {
            let usual = recrash_bundle::cache_folders().into_iter().next();
            let folder = usual.unwrap_or_else(|| std::env::temp_dir().join("recrash-cache"));
            folder.join("effects")
        },
        PathBuf::from,
    )
}
