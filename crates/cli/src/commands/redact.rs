use super::settings;
use crate::arguments::RedactArguments;
use crate::console::Console;
use crate::exit;
use recrash_capture::{RedactOptions, Redacted};
use recrash_jvm::{ClassPath, Jdk};
use recrash_report::printable;
use std::fmt::Write as _;
use std::io::Write;
use std::process::ExitCode;

pub fn redact(typed: &RedactArguments, console: &Console) -> anyhow::Result<ExitCode> {
    // Read first: bad input needs neither JDK nor cache to be refused.
    let rules = settings::rules(typed.privacy.as_deref())?;
    recrash_heap::Snapshot::read(&typed.file)?;
    let here = std::env::current_dir()?;
    let class_path = typed.desk.classpath.as_deref();
    let options = RedactOptions {
        snapshot: typed.file.clone(),
        output: typed.output.clone().unwrap_or_else(|| typed.file.clone()),
        rules,
        equivalent: typed.equivalent,
        class_path: class_path.map(|text| ClassPath::parse(text, &here)),
        jdk: typed.desk.jdk.as_deref().map(Jdk::at).transpose()?,
        limit: typed.desk.timeout,
        bundle: recrash_bundle::unpack()?,
    };
    console.begin();
    let done = recrash_capture::redact(&options, console);
    console.clear();
    let done = done?;
    let mut out = std::io::stdout().lock();
    write!(out, "{}", report(&done))?;
    out.flush()?;
    let lost_all = done.reproduced_before > 0 && done.lost.len() == done.reproduced_before;
    Ok(if lost_all {
        ExitCode::from(exit::NOT_REPRODUCED)
    } else {
        ExitCode::SUCCESS
    })
}

fn report(done: &Redacted) -> String {
    let mut text = format!(
        "{}: places redacted: {}, different values: {}\n",
        printable(&done.path.display().to_string()),
        done.redactions,
        done.values
    );
    let before = done.reproduced_before;
    let kept = before - done.lost.len();
    let _ = match (before, done.lost.len()) {
        (0, _) => writeln!(
            text,
            "no frame reproduced the crash before, so nothing is known about it now{}",
            done.trouble
                .as_ref()
                .map_or_else(String::new, |trouble| format!(": {}", printable(trouble)))
        ),
        _ => writeln!(
            text,
            "{kept} of {before} frames that reproduced the crash still do"
        ),
    };
    if done.equivalents > 0 {
        let _ = writeln!(
            text,
            "{} values were replaced by others with which the crash remains",
            done.equivalents
        );
    }
    for lost in &done.lost {
        let _ = writeln!(
            text,
            "  no longer: frame {} {}: {}",
            lost.frame,
            printable(&lost.method),
            printable(&lost.reason)
        );
    }
    if let Some(tests) = &done.stale_tests {
        let _ = writeln!(
            text,
            "{} holds tests made before; `recrash tests` makes them anew without the redacted values",
            printable(&tests.display().to_string())
        );
    }
    text
}
