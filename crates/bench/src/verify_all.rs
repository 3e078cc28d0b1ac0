use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;
use clap::Args;

use crate::folder;
use crate::place::{Place, class_path, jdks};
use crate::programs::Programs;
use crate::progress;
use crate::sample::measure;
use crate::table::Table;

#[derive(Args)]
pub struct Options {
    /// Only this JDK; may be repeated
    #[arg(long, value_name = "HOME")]
    jdk: Vec<PathBuf>,
    /// Only this program (ecj, h2, closure, ant, log4j); may be repeated
    #[arg(long, value_name = "NAME")]
    program: Vec<String>,
    /// Weave for this strategy of `recrash run`
    #[arg(long, value_name = "NAME", default_value = "auto")]
    strategy: String,
}

/// A program run in a folder of its own: what it prints, how it ends and the files it leaves are compared.
struct Program {
    name: &'static str,
    /// Everything behind `java -Xverify:all`.
    arguments: Vec<OsString>,
}

pub fn run(place: &Place, options: &Options) -> Result<()> {
    let recrash = place.recrash()?;
    let mut table = Table::new(&["program", "JDK ", "files ", "woven classes ", "result"]);
    let mut differences = 0;
    for jdk in jdks(&options.jdk)? {
        let scratch = tempfile::tempdir()?;
        let programs = Programs::prepare(place, &jdk, scratch.path())?;
        for program in all(place, &programs)? {
            if !options.program.is_empty()
                && !options.program.iter().any(|name| name == program.name)
            {
                continue;
            }
            progress::show(&format!("{} on Java {}", program.name, jdk.version));
            let plain = run_one(
                &mut Command::new(jdk.java()),
                &program,
                &scratch.path().join("plain"),
            )?;
            let mut command = Command::new(recrash);
            let out = scratch.path().join("crashes");
            command
                .args(["run", "--no-tests", "--verbose", "--strategy"])
                .args([&options.strategy, "--out"])
                .arg(&out)
                .arg("--")
                .arg(jdk.java());
            let woven = run_one(&mut command, &program, &scratch.path().join("woven"))?;
            let found = compare(&plain, &woven)?;
            differences += usize::from(found.is_some());
            table.row(vec![
                program.name.to_owned(),
                jdk.version.feature.to_string(),
                folder::files(&plain.folder)?.len().to_string(),
                woven.woven.clone().unwrap_or_else(|| "?".to_owned()),
                found.map_or_else(
                    || "identical".to_owned(),
                    |found| format!("DIFFERENT: {found}"),
                ),
            ]);
        }
    }
    progress::clear();
    print!("{}", table.text());
    anyhow::ensure!(
        differences == 0,
        "{differences} programs behave differently when they are woven"
    );
    Ok(())
}

fn all(place: &Place, programs: &Programs) -> Result<Vec<Program>> {
    let program = |name, arguments: &[&str]| Program {
        name,
        arguments: arguments.iter().map(OsString::from).collect(),
    };
    let sources = programs.library_sources().display().to_string();
    let script = programs.script().display().to_string();
    let ant = class_path(&place.jars(&["subjects/ant.jar", "subjects/ant-launcher.jar"])?);
    let build = place
        .root
        .join("bench/verify/build.xml")
        .display()
        .to_string();
    let closure = place
        .jar("subjects/closure-compiler.jar")?
        .display()
        .to_string();
    let ecj = place.jar("subjects/ecj.jar")?.display().to_string();
    let cp = programs.class_path.as_str();
    Ok(vec![
        program(
            "ecj",
            &[
                "-jar",
                &ecj,
                "-11",
                "-nowarn",
                "-proc:none",
                "-g",
                "-encoding",
                "UTF-8",
                "-d",
                "out",
                &sources,
            ],
        ),
        program("h2", &["-cp", cp, "H2Rounds", "2"]),
        program(
            "closure",
            &[
                "-jar",
                &closure,
                "--compilation_level",
                "SIMPLE",
                "--warning_level",
                "VERBOSE",
                "--js",
                &script,
                "--js_output_file",
                "script.js",
            ],
        ),
        program(
            "ant",
            &["-cp", &ant, "org.apache.tools.ant.Main", "-f", &build, "-q"],
        ),
        program("log4j", &["-cp", cp, "LogLines", "lines.log"]),
    ])
}

struct Run {
    status: Option<i32>,
    stdout: String,
    stderr: String,
    folder: PathBuf,
    /// What `--verbose` said about the number of woven classes.
    woven: Option<String>,
}

fn run_one(command: &mut Command, program: &Program, around: &Path) -> Result<Run> {
    if around.exists() {
        std::fs::remove_dir_all(around)?;
    }
    let folder = around.join("work");
    std::fs::create_dir_all(&folder)?;
    command
        .args(["-Xverify:all", "-Xmx1g"])
        .args(&program.arguments)
        .current_dir(&folder);
    let sample = measure(command, around)?;
    let read =
        |file: &Path| std::fs::read(file).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let (stdout, stderr) = (read(&sample.stdout)?, read(&sample.stderr)?);
    let (ours, theirs): (Vec<&str>, Vec<&str>) = stderr
        .lines()
        .partition(|line| line.starts_with("recrash: "));
    let woven = ours.iter().find_map(|line| woven_classes(line));
    // Ant prints how long it took, the rounds print their times: neither belongs to the result.
    let timeless = |line: &&str| !line.starts_with("Total time:");
    let stdout = stdout
        .lines()
        .filter(timeless)
        .map(without_times)
        .collect::<Vec<_>>()
        .join("\n");
    let stderr = theirs
        .into_iter()
        .filter(timeless)
        .collect::<Vec<_>>()
        .join("\n");
    Ok(Run {
        status: sample.status,
        stdout,
        stderr,
        folder,
        woven,
    })
}

/// `recrash: 512 classes woven, …` → `512`.
fn woven_classes(line: &str) -> Option<String> {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    words.windows(3).find_map(|window| match window {
        [count, "classes", next] if next.starts_with("woven") && count.parse::<u64>().is_ok() => {
            Some((*count).to_owned())
        }
        _ => None,
    })
}

/// `round WALL CPU CHECKSUM` keeps its checksum.
fn without_times(line: &str) -> String {
    match line
        .strip_prefix("round ")
        .and_then(|rest| rest.rsplit_once(' '))
    {
        Some((_, checksum)) => format!("round {checksum}"),
        None => line.to_owned(),
    }
}

fn compare(plain: &Run, woven: &Run) -> Result<Option<String>> {
    if plain.status != woven.status {
        return Ok(Some(format!(
            "exit status {:?}, not {:?}",
            woven.status, plain.status
        )));
    }
    for (stream, plain, woven) in [
        ("output", &plain.stdout, &woven.stdout),
        ("error output", &plain.stderr, &woven.stderr),
    ] {
        if plain != woven {
            let line = woven
                .lines()
                .zip(plain.lines())
                .find(|(woven, plain)| woven != plain);
            let line = line.map_or_else(
                || "one is longer".to_owned(),
                |(woven, plain)| format!("'{woven}', not '{plain}'"),
            );
            return Ok(Some(format!("{stream}: {line}")));
        }
    }
    folder::difference(&plain.folder, &woven.folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_rounds_are_not_part_of_the_result() {
        assert_eq!(without_times("round 12 34 -5"), "round -5");
        assert_eq!(without_times("a round thing"), "a round thing");
    }

    #[test]
    fn the_number_of_woven_classes_is_read_from_the_agents_message() {
        assert_eq!(
            woven_classes("recrash: 512 classes woven, 3 left as they are"),
            Some("512".to_owned())
        );
        assert_eq!(woven_classes("recrash: nothing happened"), None);
    }
}
