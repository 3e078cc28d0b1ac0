//! The steps: read, find where the program starts, weave, add what it needs, write.

use crate::archive::{Archive, Content, Entry};
use crate::starters::{self, Place, Starters};
use crate::template::Templates;
use crate::weaving::{Job, weave_all};
use crate::{Error, Result, manifest};
use recrash_classfile::ClassFile;
use recrash_weave::{Policy, Strategy};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64;

/// Where `recrash.start.Start` looks, below the class path.
const FOLDER: &str = "META-INF/recrash/";
/// The platform of the library that is put in, as `recrash.start.Library` names it.
const PLATFORM: &str = "linux-x86_64";

#[derive(Debug, Clone)]
pub struct Options {
    /// Jar, WAR or folder.
    pub input: PathBuf,
    pub output: PathBuf,
    /// Globs on class names, as everywhere.
    pub include: Vec<String>,
    pub exclude: Vec<String>,
    /// One that needs no recorder while nothing fails.
    pub strategy: Strategy,
    /// What the agent is told when the program starts, `out=…,label=…`.
    pub agent_options: String,
    /// The agent library.
    pub library: PathBuf,
    /// The jar with `recrash.start.Start`.
    pub start: PathBuf,
}

/// What was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instrumented {
    pub classes: usize,
    pub woven: usize,
    /// Archives whose signature no longer holds and was taken out.
    pub unsigned: Vec<String>,
    /// Classes in which the program may start.
    pub starters: usize,
    /// Nothing looks like the start of a program, so static initialisers start the recorder.
    pub guessed: bool,
    /// Classes and methods that had to stay as they are, each with the reason.
    pub left: Vec<String>,
}

/// Instruments a program. `progress` hears of classes done and classes in all, from several threads.
pub fn instrument(
    options: &Options,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<Instrumented> {
    let is_folder = check_paths(options)?;
    let read = |path: &Path| {
        fs::read(path).map_err(|source| Error::Read {
            path: path.to_owned(),
            source,
        })
    };
    if !matches!(options.strategy, Strategy::Reference | Strategy::Auto) {
        return Err(Error::NeedsRecorder(options.strategy));
    }
    let library = read(&options.library)?;
    let templates = Templates::read(&options.start)?;
    let mut input = Archive::open(&options.input)?;
    let place = options.input.display().to_string();

    let mut program = Program::default();
    program.enter(&mut input, &place)?;
    if program.classes == 0 {
        return Err(Error::NoClasses(options.input.clone()));
    }
    let mut plan = Plan::of(&input, Place::Program, is_folder);
    let guessed = plan.starters() == 0;
    if guessed {
        plan.starters = starters::find_initialisers(&input);
    }
    let policy = Policy {
        include: options.include.clone(),
        exclude: options.exclude.clone(),
        strategy: options.strategy,
        ..Policy::default()
    };
    let mut jobs = Vec::new();
    collect(&mut input, &plan, &mut jobs);
    let outcome = weave_all(jobs, &policy, program.seed, progress);
    let carried = Carried {
        templates,
        settings: format!("{}\n{}\n", version(&library), options.agent_options),
        library,
    };
    carried.add(&mut input, &plan)?;
    if is_folder {
        input.unfold(&options.output)?;
    } else {
        input.write(&options.output, &options.input)?;
    }
    Ok(Instrumented {
        classes: program.classes,
        woven: outcome.woven,
        unsigned: program.unsigned,
        starters: plan.starters(),
        guessed,
        left: outcome.left,
    })
}

/// Tells a library from others and from torn ones, as `recrash.start.Start` computes it.
fn version(library: &[u8]) -> String {
    format!("{:x}-{:x}", library.len(), crc32fast::hash(library))
}

/// Whether the input is a folder; refuses outputs that would destroy something.
fn check_paths(options: &Options) -> Result<bool> {
    let (input, output) = (&options.input, &options.output);
    let metadata = fs::metadata(input).map_err(|source| Error::Read {
        path: input.clone(),
        source,
    })?;
    let same = |path: &Path| fs::canonicalize(path).ok();
    if same(output).is_some_and(|output| Some(output) == same(input)) {
        return Err(Error::OutputIsInput(output.clone()));
    }
    let is_folder = metadata.is_dir();
    if output.exists() && (is_folder || !output.is_file()) {
        return Err(Error::OutputExists(output.clone()));
    }
    Ok(is_folder)
}

/// What is found out on the way through all archives.
#[derive(Default)]
struct Program {
    classes: usize,
    unsigned: Vec<String>,
    seed: u64,
}

impl Program {
    fn enter(&mut self, archive: &mut Archive, place: &str) -> Result<()> {
        let before = archive.entries.len();
        archive.entries.retain(|entry| !is_signature(&entry.name));
        if archive.entries.len() < before {
            self.unsigned.push(place.to_owned());
        }
        // An index of packages would hide what is added; class loaders do without.
        archive
            .entries
            .retain(|entry| entry.name != "META-INF/INDEX.LIST");
        for entry in &mut archive.entries {
            let inside = format!("{place}!/{}", entry.name);
            if entry
                .name
                .strip_prefix(starters::root(&entry.name))
                .is_some_and(|name| name.starts_with(FOLDER))
            {
                return Err(Error::AlreadyInstrumented {
                    place: place.to_owned(),
                });
            }
            let is_class = entry.is_class();
            match &mut entry.content {
                Content::Archive(archive) => self.enter(archive, &inside)?,
                Content::File(bytes) => {
                    self.classes += usize::from(is_class);
                    self.seed = self.seed.rotate_left(5) ^ xxh3_64(bytes);
                }
                Content::Folder => {}
            }
        }
        Ok(())
    }
}

fn is_signature(name: &str) -> bool {
    let file = name.strip_prefix("META-INF/").map(str::to_ascii_uppercase);
    file.is_some_and(|file| {
        !file.contains('/')
            && (file.starts_with("SIG-")
                || [".SF", ".RSA", ".DSA", ".EC"]
                    .iter()
                    .any(|ending| file.ends_with(ending)))
    })
}

/// Where an archive and the archives inside it start, in the order of their entries.
struct Plan {
    starters: Starters,
    inside: Vec<Plan>,
}

impl Plan {
    fn of(archive: &Archive, place: Place, is_folder: bool) -> Self {
        let below = if is_folder { place } else { Place::Library };
        let inside = archive
            .entries
            .iter()
            .filter_map(|entry| match &entry.content {
                Content::Archive(archive) => Some(Plan::of(archive, below, false)),
                _ => None,
            })
            .collect();
        Plan {
            starters: starters::find(archive, place),
            inside,
        }
    }

    fn starters(&self) -> usize {
        self.starters.len() + self.inside.iter().map(Plan::starters).sum::<usize>()
    }
}

fn collect<'a>(archive: &'a mut Archive, plan: &Plan, jobs: &mut Vec<Job<'a>>) {
    let mut inside = plan.inside.iter();
    for entry in &mut archive.entries {
        let is_class = entry.is_class();
        match &mut entry.content {
            Content::File(bytes) if is_class => {
                let starters = plan.starters.get(&entry.name).cloned().unwrap_or_default();
                jobs.push(Job::new(&entry.name, bytes, starters));
            }
            Content::Archive(archive) => {
                if let Some(plan) = inside.next() {
                    collect(archive, plan, jobs);
                }
            }
            _ => {}
        }
    }
}

/// What is put into every archive that has a start.
struct Carried {
    templates: Templates,
    settings: String,
    library: Vec<u8>,
}

impl Carried {
    fn add(&self, archive: &mut Archive, plan: &Plan) -> Result<()> {
        let mut inside = plan.inside.iter();
        for entry in &mut archive.entries {
            if let Content::Archive(archive) = &mut entry.content
                && let Some(plan) = inside.next()
            {
                self.add(archive, plan)?;
            }
        }
        let (mut roots, mut packages) = (BTreeSet::new(), BTreeSet::new());
        for name in plan.starters.keys() {
            let package = archive.file(name).and_then(|bytes| {
                ClassFile::read(bytes)
                    .ok()
                    .map(|class| starters::package(class.name))
            });
            let root = starters::root(name).to_owned();
            packages.extend(package.map(|package| (root.clone(), package)));
            roots.insert(root);
        }
        for (root, package) in packages {
            for (path, bytes) in self.templates.placed(&package)? {
                archive
                    .entries
                    .push(Entry::new(format!("{root}{path}"), bytes));
            }
        }
        for root in &roots {
            let files = [
                ("settings".to_owned(), self.settings.clone().into_bytes()),
                (format!("{PLATFORM}/librecrash.so"), self.library.clone()),
            ];
            for (name, bytes) in files {
                archive
                    .entries
                    .push(Entry::new(format!("{root}{FOLDER}{name}"), bytes));
            }
        }
        if !roots.is_empty() {
            allow_native_access(archive);
        }
        Ok(())
    }
}

/// Without it newer JVMs print a warning when a library is loaded.
fn allow_native_access(archive: &mut Archive) {
    const ATTRIBUTE: &str = "Enable-Native-Access";
    for entry in &mut archive.entries {
        if let Content::File(bytes) = &mut entry.content
            && entry.name == manifest::NAME
            && manifest::attribute(bytes, ATTRIBUTE).is_none()
        {
            *bytes = manifest::with_attribute(bytes, ATTRIBUTE, "ALL-UNNAMED");
        }
    }
}
