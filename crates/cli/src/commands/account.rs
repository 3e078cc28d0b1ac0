//! What is told about tests that were made, where other programs shall read it.

use super::made::report;
use crate::arguments::{Format, ReportArguments};
use anyhow::{Context, bail};
use recrash_capture::Made;
use recrash_heap::{Manifest, Snapshot};
use recrash_report::{
    Crash, Findings, Style, TestSource, check_sources, excerpts, github, junit_xml, sarif,
};
use std::fs::OpenOptions;
use std::path::{Path, PathBuf};

/// What became of each snapshot, until all of it is told.
pub struct Account {
    format: Format,
    file: Option<PathBuf>,
    sources: Vec<PathBuf>,
    /// The folder that readers of the report call theirs.
    base: PathBuf,
    told: Vec<(Crash, Option<Made>)>,
}

impl Account {
    /// Fails when it could not be written in the end: a typing error must not cost a run.
    pub fn new(typed: &ReportArguments, json: bool) -> anyhow::Result<Self> {
        check_sources(&typed.sources)?;
        if let Some(file) = &typed.report {
            OpenOptions::new()
                .create(true)
                .append(true)
                .open(file)
                .with_context(|| unwritable(file))?;
        }
        Ok(Account {
            format: if json { Format::Json } else { typed.format },
            file: typed.report.clone(),
            sources: typed.sources.clone(),
            base: base()?,
            told: Vec::new(),
        })
    }

    /// The program has standard output to itself, so what programs read needs a file.
    pub fn beside_a_program(typed: &ReportArguments) -> anyhow::Result<Self> {
        if typed.report.is_none() && !matches!(typed.format, Format::Text | Format::Github) {
            bail!(
                "this format needs a file of its own, because the program's output goes where recrash's does; name one with --report FILE"
            );
        }
        Self::new(typed, false)
    }

    /// Remembers a snapshot, and what was made of it unless that failed or was not asked for.
    pub fn add(
        &mut self,
        snapshot: &Path,
        manifest: Manifest,
        made: Option<Made>,
    ) -> anyhow::Result<()> {
        let mut findings = Findings {
            excerpts: excerpts(&manifest, &self.sources)?,
            ..Findings::default()
        };
        for excerpt in &mut findings.excerpts {
            excerpt.path = self.named(Path::new(&excerpt.path));
        }
        let mut test_class = None;
        if let Some(made) = &made {
            findings.rows = made.verdicts.rows();
            findings.notes.clone_from(&made.verdicts.notes);
            test_class.clone_from(&made.verdicts.test_class);
            findings
                .tests
                .extend(made.source.iter().map(|source| TestSource {
                    path: self.named(source),
                    text: String::new(),
                }));
        }
        let crash = Crash {
            snapshot: self.named(snapshot),
            manifest,
            findings,
            test_class,
        };
        self.told.push((crash, made));
        Ok(())
    }

    /// As [`Self::add`], for a snapshot that was not read yet. Text needs no more of it than what was made.
    pub fn add_file(&mut self, snapshot: &Path, made: Option<Made>) -> anyhow::Result<()> {
        if self.format == Format::Text && self.file.is_none() {
            return Ok(());
        }
        self.add(snapshot, Snapshot::read(snapshot)?.manifest, made)
    }

    /// Whether text goes to the terminal, one snapshot after the other.
    pub fn is_text(&self) -> bool {
        self.format == Format::Text || self.file.is_some()
    }

    /// Once all snapshots are known: what goes to the terminal beside the text, where it does not go to a file.
    pub fn finish(self) -> anyhow::Result<Vec<u8>> {
        let (crashes, made): (Vec<Crash>, Vec<Option<Made>>) = self.told.into_iter().unzip();
        let made: Vec<Made> = made.into_iter().flatten().collect();
        let document = match self.format {
            Format::Text if self.file.is_none() => Vec::new(),
            Format::Text => {
                let texts = made.iter().map(|made| report(made, Style::default()));
                texts.collect::<String>().into_bytes()
            }
            // One document after the other, as `recrash show --json` has it.
            Format::Json => {
                let mut documents = Vec::new();
                for made in &made {
                    serde_json::to_writer_pretty(&mut documents, &made.verdicts)?;
                    documents.push(b'\n');
                }
                documents
            }
            Format::Github => github(&crashes).into_bytes(),
            Format::Sarif => {
                let mut log = serde_json::to_vec_pretty(&sarif(&crashes))?;
                log.push(b'\n');
                log
            }
            Format::Junit => junit_xml(&crashes)?,
        };
        let Some(file) = &self.file else {
            return Ok(document);
        };
        std::fs::write(file, document).with_context(|| unwritable(file))?;
        Ok(Vec::new())
    }

    /// A path as the reader of the report has it: from the top of the checkout.
    fn named(&self, path: &Path) -> String {
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let below = absolute.strip_prefix(&self.base);
        below.unwrap_or(&absolute).display().to_string()
    }
}

fn unwritable(file: &Path) -> String {
    format!("{} cannot be written", file.display())
}

/// The top of the checkout where a workflow tells it, else where we are.
fn base() -> anyhow::Result<PathBuf> {
    let here = std::env::current_dir()?;
    let workspace = std::env::var_os("GITHUB_WORKSPACE").map(PathBuf::from);
    Ok(workspace
        .filter(|workspace| here.starts_with(workspace))
        .unwrap_or(here))
}
