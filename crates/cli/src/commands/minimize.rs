use super::settings;
use crate::arguments::MinimizeArguments;
use crate::console::Console;
use crate::exit;
use crate::interrupt::until_interrupted;
use anyhow::{Context, bail};
use recrash_capture::{Listener, tools};
use recrash_jvm::{ClassPath, Jdk, Main, class_path_of, is_java, jdk_of, started_by};
use recrash_minimize::{Minimized, PlayerOptions, Setting, Verdict, minimize as run};
use recrash_program::Program;
use recrash_report::printable;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

/// A trial is a part of a run that took less.
const TRIAL: Duration = Duration::from_secs(20);

pub fn minimize(typed: &MinimizeArguments, console: &Console) -> anyhow::Result<ExitCode> {
    let Some((java, arguments)) = typed
        .command
        .split_first()
        .filter(|(java, _)| is_java(java))
    else {
        bail!(
            "COMMAND has to be java with its arguments: recrash minimize -- java -cp app.jar Main"
        );
    };
    let here = std::env::current_dir()?;
    let variable = std::env::var_os("CLASSPATH");
    let class_path = class_path_of(arguments, variable.as_deref(), &here);
    if let Some(missing) = class_path.missing().first() {
        bail!("{} of the class path does not exist", missing.display());
    }
    let started = started_by(arguments).context("the command starts no main class and no jar")?;
    let main = match started.main {
        Main::Class(main) => main,
        Main::Jar(jar) => main_of(&jar, &class_path)?,
    };
    let jdk = match jdk_of(Path::new(java)).filter(|jdk| jdk.javac.is_some()) {
        Some(jdk) => jdk,
        None => settings::jdk(None)?,
    };
    let opened = recrash_program::ClassPath::open(
        class_path.entries(),
        Some(&jdk.home),
        jdk.version.feature,
    )?;
    let program = Program::new(opened);
    let tools = tools(&recrash_bundle::unpack()?);
    let out = std::path::absolute(&typed.out)?;
    std::fs::create_dir_all(&out).with_context(|| out.display().to_string())?;
    let stop = until_interrupted()?;
    console.begin();
    let done = run(&Setting {
        program: &program,
        class_path: &class_path,
        jdk: &jdk,
        tools: &tools,
        player: PlayerOptions {
            java: jdk.java(),
            worker: tools.worker.clone(),
            class_path: class_path.entries().to_vec(),
            directory: here,
            guarded: is_guarded(&jdk),
            jvm_arguments: started.options,
            main,
            arguments: started.arguments,
        },
        out: &out,
        budget: Duration::from_secs(typed.budget),
        run_limit: Duration::from_secs(typed.timeout),
        trial_limit: TRIAL,
        stop,
        progress: &|text| console.progress(text),
    });
    console.clear();
    let done = done?;
    let mut out = std::io::stdout().lock();
    if typed.json {
        serde_json::to_writer_pretty(&mut out, &done)?;
        writeln!(out)?;
    } else {
        write!(out, "{}", report(&done))?;
    }
    out.flush()?;
    Ok(match done.verdict {
        Verdict::Reproduced => ExitCode::SUCCESS,
        Verdict::NotReproduced => ExitCode::from(exit::NOT_REPRODUCED),
    })
}

/// A JDK that can keep the program from the network and from files when it runs again.
fn is_guarded(jdk: &Jdk) -> bool {
    (17..24).contains(&jdk.version.feature)
}

fn main_of(jar: &Path, class_path: &ClassPath) -> anyhow::Result<String> {
    let opened = recrash_program::ClassPath::open(class_path.entries(), None::<&Path>, 8)?;
    let manifest = opened
        .jars()
        .next()
        .and_then(|archive| archive.read("META-INF/MANIFEST.MF").ok().flatten());
    let manifest = manifest.unwrap_or_default();
    let text = String::from_utf8_lossy(&manifest)
        .replace("\r\n ", "")
        .replace("\n ", "");
    let main = text
        .lines()
        .find_map(|line| line.strip_prefix("Main-Class:"));
    let main = main.map(|main| main.trim().to_owned());
    main.with_context(|| format!("{} names no Main-Class", jar.display()))
}

fn report(done: &Minimized) -> String {
    let verdict = match done.verdict {
        Verdict::Reproduced => "reproduced",
        Verdict::NotReproduced => "not reproduced",
    };
    let reason: Vec<String> = done.reason.lines().map(printable).collect();
    let test = done.test.as_ref().map_or_else(String::new, |test| {
        format!("test: {}\n", printable(&test.display().to_string()))
    });
    format!(
        "{}\n{verdict}: {}\n{test}{} trials in {:.1} s\n",
        printable(&done.failure),
        reason.join("\n"),
        done.trials,
        done.seconds
    )
}
