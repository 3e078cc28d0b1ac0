use super::settings;
use crate::arguments::AnalyzeArguments;
use crate::console::Console;
use recrash_capture::Listener;
use recrash_jvm::Jdk;
use recrash_program::{Analysis, Cache, ClassPath};
use serde_json::json;
use std::io::Write;
use std::process::ExitCode;
use std::time::{Duration, Instant};

pub fn analyze(typed: &AnalyzeArguments, console: &Console) -> anyhow::Result<ExitCode> {
    let jdk = settings::jdk(typed.jdk.as_deref())?;
    let begin = Instant::now();
    let class_path = ClassPath::open(&typed.entries, Some(&jdk.home), jdk.version.feature)?;
    let analysis = Cache::at(settings::analysis_cache()).analyze(class_path)?;
    let summary = Summary::of(&analysis, &jdk, begin.elapsed());
    if let Some(note) = &analysis.note {
        console.line(note);
    }
    let mut out = std::io::stdout().lock();
    if typed.json {
        serde_json::to_writer_pretty(&mut out, &summary.json())?;
        writeln!(out)?;
    } else {
        write!(out, "{}", summary.text())?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// What the command prints, counted once for both ways of printing.
struct Summary<'a> {
    analysis: &'a Analysis,
    jdk: &'a Jdk,
    took: Duration,
    application: Counts,
    platform: Counts,
}

#[derive(Default)]
struct Counts {
    methods: usize,
    pure: usize,
    unknown: usize,
    parameters: usize,
    unchanged: usize,
}

impl Summary<'_> {
    fn of<'a>(analysis: &'a Analysis, jdk: &'a Jdk, took: Duration) -> Summary<'a> {
        let mut summary = Summary {
            analysis,
            jdk,
            took,
            application: Counts::default(),
            platform: Counts::default(),
        };
        for (_, method) in analysis.effects.methods() {
            let counts = if method.of_application() {
                &mut summary.application
            } else {
                &mut summary.platform
            };
            counts.methods += 1;
            counts.pure += usize::from(method.is_pure());
            counts.unknown += usize::from(method.runs_unknown_code());
            counts.parameters += usize::from(method.parameters());
            counts.unchanged += (0..method.parameters())
                .filter(|&parameter| method.leaves_parameter(parameter))
                .count();
        }
        summary
    }

    fn text(&self) -> String {
        use std::fmt::Write as _;
        let effects = &self.analysis.effects;
        let (mine, jdk) = (&self.application, &self.platform);
        let mut text = String::new();
        let mut row = |what: &str, application: usize, platform: Option<usize>| {
            let platform = platform.map_or_else(String::new, |count| count.to_string());
            let _ = writeln!(text, "{what:<34}{application:>12}{platform:>12}");
        };
        row(
            "classes",
            effects.application_classes,
            Some(effects.jdk_classes),
        );
        row("methods", mine.methods, Some(jdk.methods));
        row("  that change nothing", mine.pure, Some(jdk.pure));
        row(
            "  that may run unknown code",
            mine.unknown,
            Some(jdk.unknown),
        );
        row("parameters", mine.parameters, Some(jdk.parameters));
        row(
            "  that are left as they are",
            mine.unchanged,
            Some(jdk.unchanged),
        );
        row("immutable classes", effects.immutable_classes().len(), None);
        let mut text = format!(
            "{:<34}{:>12}{:>12}\n{text}",
            "", "application", "JDK reached"
        );
        let _ = writeln!(
            text,
            "\nJava {} ({})",
            self.jdk.version,
            recrash_report::printable(&self.jdk.home.display().to_string())
        );
        if let Some(first) = effects.problems.first() {
            let _ = writeln!(
                text,
                "{} classes or methods could not be read and count as unknown code; the first: {}",
                effects.problems.len(),
                recrash_report::printable(first)
            );
        }
        let how = if self.analysis.from_cache {
            "from the cache"
        } else {
            "computed anew"
        };
        let _ = writeln!(text, "{how} in {:.2} s", self.took.as_secs_f64());
        if let Some(file) = &self.analysis.file {
            let file = recrash_report::printable(&file.display().to_string());
            let _ = writeln!(text, "cache: {file}");
        }
        if let Some(file) = &self.analysis.advice {
            let file = recrash_report::printable(&file.display().to_string());
            let _ = writeln!(text, "read when it runs under recrash: {file}");
        }
        text
    }

    fn json(&self) -> serde_json::Value {
        let effects = &self.analysis.effects;
        let counts = |counts: &Counts, classes: usize| {
            json!({
                "classes": classes,
                "methods": counts.methods,
                "pure": counts.pure,
                "unknownCode": counts.unknown,
                "parameters": counts.parameters,
                "unchangedParameters": counts.unchanged,
            })
        };
        json!({
            "application": counts(&self.application, effects.application_classes),
            "jdk": counts(&self.platform, effects.jdk_classes),
            "immutableClasses": effects.immutable_classes(),
            "java": self.jdk.version.text,
            "problems": effects.problems,
            "fromCache": self.analysis.from_cache,
            "seconds": self.took.as_secs_f64(),
            "cache": self.analysis.file,
            "advice": self.analysis.advice,
        })
    }
}
