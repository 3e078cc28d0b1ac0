use crate::arguments::ShrinkArguments;
use crate::console::Console;
use crate::exit;
use crate::interrupt::until_interrupted;
use recrash_capture::{Listener, tools};
use recrash_jvm::{ClassPath, Jdk};
use recrash_report::printable;
use recrash_shrink::{Error, Frames, Options, Progress, Shrinking};
use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;

pub fn shrink(typed: &ShrinkArguments, console: &Console) -> anyhow::Result<ExitCode> {
    // Read first: a bad file needs neither JDK nor cache to be refused.
    recrash_heap::Snapshot::read(&typed.file)?;
    let options = options(typed)?;
    let stopped = until_interrupted()?;
    console.begin();
    let done = recrash_shrink::shrink(
        &options,
        &|| stopped.load(Ordering::Relaxed),
        &mut |progress| console.progress(&so_far(progress)),
    );
    console.clear();
    let done = match done {
        Err(error @ (Error::NothingReproduces { .. } | Error::FrameDoesNotReproduce { .. })) => {
            console.line(&error.to_string());
            return Ok(ExitCode::from(exit::NOT_REPRODUCED));
        }
        done => done?,
    };
    let mut out = std::io::stdout().lock();
    if typed.json {
        serde_json::to_writer_pretty(&mut out, &json(&done, &options.out))?;
        writeln!(out)?;
    } else {
        write!(out, "{}", report(&done, &options.out))?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn options(typed: &ShrinkArguments) -> anyhow::Result<Options> {
    let bundle = recrash_bundle::unpack()?;
    let here = std::env::current_dir()?;
    let class_path = typed.desk.classpath.as_deref();
    Ok(Options {
        file: typed.file.clone(),
        out: typed.output.clone().unwrap_or_else(|| beside(&typed.file)),
        frames: typed.frame.map_or(Frames::Reproducing, Frames::One),
        limit: Some(typed.limit),
        resume: typed.resume,
        tools: tools(&bundle),
        class_path: class_path.map(|text| ClassPath::parse(text, &here)),
        jdk: typed.desk.jdk.as_deref().map(Jdk::at).transpose()?,
        trial_limit: typed.desk.timeout,
    })
}

/// `crash-shrunk.recrash` for `crash.recrash`.
fn beside(file: &Path) -> PathBuf {
    let stem = file.file_stem().unwrap_or_default();
    let mut name = stem.to_owned();
    name.push("-shrunk");
    if let Some(extension) = file.extension() {
        name.push(".");
        name.push(extension);
    }
    file.with_file_name(name)
}

fn so_far(progress: &Progress) -> String {
    format!(
        "shrinking: {} of {} objects left, {} trials, {} per second",
        progress.objects,
        progress.objects_before,
        progress.trials,
        per_second(progress)
    )
}

fn per_second(progress: &Progress) -> u64 {
    progress.trials * 1000 / (progress.elapsed.as_millis() as u64).max(1)
}

fn report(done: &Shrinking, out: &Path) -> String {
    let progress = &done.progress;
    let cut = progress.objects_before.saturating_sub(progress.objects);
    let tenths = u64::from(cut) * 1000 / u64::from(progress.objects_before.max(1));
    let mut text = format!(
        "{}: {} of {} objects left, {}.{} % cut; {} trials in {:.1} s\n",
        printable(&out.display().to_string()),
        progress.objects,
        progress.objects_before,
        tenths / 10,
        tenths % 10,
        progress.trials,
        progress.elapsed.as_secs_f64(),
    );
    let numbers = |frames: &[usize]| {
        let numbers: Vec<String> = frames.iter().map(ToString::to_string).collect();
        numbers.join(", ")
    };
    let one = done.frames.len() == 1;
    let _ = writeln!(
        text,
        "{} {} {} the crash as before{}",
        if one { "frame" } else { "frames" },
        numbers(&done.frames),
        if one { "reproduces" } else { "reproduce" },
        if done.minimal {
            "; nothing more can go"
        } else {
            ""
        }
    );
    for left in &done.left {
        let _ = writeln!(
            text,
            "frame {} was left out: {}",
            left.frame,
            printable(&left.reason)
        );
    }
    for note in &done.notes {
        let _ = writeln!(text, "note: {}", printable(note));
    }
    if let Some(path) = &done.unfinished {
        let _ = writeln!(
            text,
            "ended early; --resume goes on from {}",
            printable(&path.display().to_string())
        );
    }
    text
}

fn json(done: &Shrinking, out: &Path) -> serde_json::Value {
    let progress = &done.progress;
    serde_json::json!({
        "out": out.display().to_string(),
        "objects_before": progress.objects_before,
        "objects": progress.objects,
        "trials": progress.trials,
        "milliseconds": progress.elapsed.as_millis() as u64,
        "frames": done.frames,
        "left_out": done.left.iter().map(|left| serde_json::json!({
            "frame": left.frame,
            "reason": left.reason,
        })).collect::<Vec<_>>(),
        "notes": done.notes,
        "minimal": done.minimal,
        "unfinished": done.unfinished.as_ref().map(|path| path.display().to_string()),
    })
}
