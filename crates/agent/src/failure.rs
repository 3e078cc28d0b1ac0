//! From the runtime's two reports to a manifest, and from there to a file.

use crate::agent::Agent;
use crate::capture::Pending;
use crate::declared::declare;
use crate::description::{Contents, Description, Static, World};
use crate::fingerprint::fingerprint;
use crate::frames::{self, Frame, MethodName, Names, Record};
use crate::jvm::Jni;
use crate::kinds::Kind;
use crate::places::decoded;
use crate::sites::Sites;
use crate::value::{reference, value};
use crate::values::Decoded;
use crate::{disk, hook, log, second_chance};
use recrash_classfile::{Budget, Manifest as JarManifest, entry_names, read_entry};
use recrash_heap::manifest::{
    CAPTURE_POINT, CapturedFrame, Cause, Environment, FORMAT, FrameInfo, FramePlace, Manifest,
    StaticField, ThreadLocalEntry, ThrowableInfo,
};
use recrash_heap::{ObjectId, class_table, write_parts};
use recrash_weave::Place;
use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// A stack overflow keeps so many frames at both ends; everything between is more of the same.
const OVERFLOW_ENDS: usize = 50;

/// Any other failure keeps so many frames, innermost first.
const FRAMES_KEPT: usize = 1100;

impl Names for Sites {
    fn name(&self, site: u32) -> Option<MethodName> {
        let (_, site) = self.get(site)?;
        Some(MethodName {
            class: site.class,
            method: site.method,
        })
    }
}

/// What the user knows a failure by.
fn called(description: &Description) -> Option<String> {
    let thrown = description.throwables.first()?;
    Some(match &thrown.message {
        _ if description.is_entry() => "an entry".to_owned(),
        Some(label) if thrown.class == CAPTURE_POINT => format!("capture point \"{label}\""),
        _ => thrown.class.clone(),
    })
}

/// The first report. Says whether the failure is to be captured: if so, which static fields its frames read.
pub fn wanted(agent: &Agent, jni: Jni, bytes: &[u8]) -> Option<Vec<String>> {
    let since = Instant::now();
    let description = match Description::read(bytes) {
        Ok(description) => description,
        Err(error) => {
            log::say(&format!("a failure was not captured: {error}"));
            return None;
        }
    };
    let uncaught = called(&description)?;
    let mut reads = BTreeSet::new();
    let mut recorded = 0;
    for &site in description
        .throwables
        .iter()
        .flat_map(|thrown| thrown.recorded.iter().chain(&thrown.constructors))
    {
        if let Some((_, site)) = agent.sites.get(site) {
            recorded += 1;
            reads.extend(
                site.reads
                    .iter()
                    .map(|read| format!("{}.{}", read.class, read.field)),
            );
        }
    }
    let watched = second_chance::note(agent, jni, &description);
    if recorded == 0 {
        say_not_recorded(agent, &agent.privacy.text(uncaught), watched);
        return None;
    }
    let fingerprint = fingerprint(&description, &agent.sites);
    let pending = Pending {
        description,
        fingerprint,
        whole: watched == 0,
        since,
    };
    if !agent.captures.accept(pending) {
        log::detail(|| {
            let uncaught = agent.privacy.text(uncaught);
            format!("{uncaught} was captured before in this run ({fingerprint:016x})")
        });
        return None;
    }
    Some(reads.into_iter().collect())
}

/// Nothing monitored was on the stack: second chance has begun to watch it, or cannot.
fn say_not_recorded(agent: &Agent, uncaught: &str, watched: usize) {
    let unmonitored = format!("{uncaught} was not captured: no monitored method was on its stack");
    match &agent.watch {
        None => log::say(&unmonitored),
        Some(watch) if watched == 0 => watch.say_once(unmonitored),
        Some(watch) => log::say(&format!(
            "{uncaught} was not captured, but the next one will be: {watched} methods of its stack are watched from now on ({})",
            watch.path().display()
        )),
    }
}

/// The second report: everything else. Writes the file or says why not; where the program goes on, beside it.
pub fn store(agent: &'static Agent, jni: Jni, values: Vec<u8>, heap: Vec<Vec<u8>>) {
    let Some(pending) = agent.captures.take() else {
        return;
    };
    let waits = pending
        .description
        .recognised
        .kind
        .is_none_or(Kind::ends_a_thread);
    if waits || agent.watch.is_some() {
        agent.captures.await_written();
        complete(agent, Some(jni), &pending, &values, heap);
        return;
    }
    let waited = pending.since.elapsed();
    log::detail(|| {
        format!(
            "the program waited {} ms for its capture",
            waited.as_millis()
        )
    });
    let work = move || complete(agent, None, &pending, &values, heap);
    agent.captures.beside(Box::new(work));
}

/// Redacts and writes.
fn complete(agent: &Agent, jni: Option<Jni>, pending: &Pending, values: &[u8], heap: Vec<Vec<u8>>) {
    let called = called(&pending.description).unwrap_or_default();
    let mut uncaught = agent.privacy.text(called);
    let written = match Contents::read(values, &pending.description) {
        Ok(contents) => {
            let mut manifest = manifest(agent, pending, contents);
            let pieces: Vec<&[u8]> = heap.iter().map(Vec::as_slice).collect();
            declare(&mut manifest, &class_table(&pieces).unwrap_or_default());
            withheld(agent, &mut manifest, heap, &mut uncaught)
                .and_then(|heap| write(agent, jni, &manifest, &heap))
        }
        Err(error) => Err(error.to_string()),
    };
    if agent.captures.is_over() && written.is_err() {
        // The end of the program has been reported already.
        return;
    }
    match written {
        Ok((path, manifest_frames)) => {
            let recognised = pending.description.recognised;
            let former = agent.captures.written(recognised, &path);
            let remark = former.map_or_else(String::new, |former| {
                // Where it cannot be removed, there is one more snapshot.
                let _ = fs::remove_file(&former);
                format!(" (instead of {})", former.display())
            });
            log::say(&format!(
                "captured {uncaught}{} with {manifest_frames} frame{} in {} ms: {}{remark}",
                recognised.kind.map_or("", Kind::remark),
                if manifest_frames == 1 { "" } else { "s" },
                pending.since.elapsed().as_millis(),
                path.display()
            ));
        }
        Err(reason) => log::say(&format!("{uncaught} was not captured: {reason}")),
    }
}

/// The JVM ends in the middle of a capture: nothing half-written stays behind.
pub fn abandon(agent: &Agent, failures: usize) {
    log::say(&match failures {
        1 => "the program ended while a failure was being captured; there is no snapshot of it"
            .to_owned(),
        _ => format!(
            "the program ended while {failures} failures were being captured; there are no snapshots of them"
        ),
    });
    let ours = format!(".recrash-{}-", std::process::id());
    for entry in fs::read_dir(&agent.options.out)
        .into_iter()
        .flatten()
        .flatten()
    {
        if entry.file_name().to_string_lossy().starts_with(&ours) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The heap part without what must not leave the program, which goes from the manifest and from the line to be said, too.
fn withheld(
    agent: &Agent,
    manifest: &mut Manifest,
    mut heap: Vec<Vec<u8>>,
    line: &mut String,
) -> Result<Vec<Vec<u8>>, String> {
    if let Some(outcome) = agent
        .privacy
        .redact(manifest, &mut heap, agent.sees_all_classes())?
    {
        *line = outcome.without_secrets(line);
        if outcome.redactions > 0 {
            log::detail(|| format!("{} places were redacted", outcome.redactions));
        }
    }
    Ok(heap)
}

fn write(
    agent: &Agent,
    jni: Option<Jni>,
    manifest: &Manifest,
    heap: &[Vec<u8>],
) -> Result<(PathBuf, usize), String> {
    let captured = manifest
        .frames
        .iter()
        .filter(|frame| frame.captured.is_some())
        .count();
    if captured == 0 {
        return Err("the Java heap is full, and what its frames held had to make room".to_owned());
    }
    let out = &agent.options.out;
    fs::create_dir_all(out).map_err(|error| {
        format!(
            "{}: {error}; name a folder that can be written with --out",
            out.display()
        )
    })?;
    let path = free_name(out, manifest);
    let pieces: Vec<&[u8]> = heap.iter().map(Vec::as_slice).collect();
    if let (Some(jni), Some(_)) = (jni, &agent.watch) {
        hook::keep_made(agent, jni, manifest, &pieces);
    }
    let classes = agent.made.needed(manifest, &pieces);
    write_parts(&path, manifest, &pieces, &classes).map_err(|error| error.to_string())?;
    make_room(agent, &path)?;
    Ok((path, captured))
}

/// Keeps the folder within its budget; an error when that leaves no room for this one.
fn make_room(agent: &Agent, newest: &Path) -> Result<(), String> {
    let budget = agent.options.max_disk;
    if budget == 0 {
        return Ok(());
    }
    for dropped in disk::make_room(&agent.options.out, budget, newest) {
        if dropped == newest {
            return Err(format!(
                "its snapshot alone takes more than {budget} bytes; allow more with --max-disk"
            ));
        }
        log::say(&format!(
            "removed {}: the snapshots in its folder take more than {budget} bytes (--max-disk)",
            dropped.display()
        ));
    }
    Ok(())
}

/// `NullPointerException-1a2b3c4d5e6f7081-4711.recrash`, with a number where that is taken.
fn free_name(folder: &Path, manifest: &Manifest) -> PathBuf {
    let class = match (manifest.cause, manifest.throwables.first()) {
        (Cause::Entry, _) => "Entry",
        (_, thrown) => thrown.map_or("", |thrown| thrown.class.as_str()),
    };
    let simple: String = class
        .rsplit(['.', '$', '/'])
        .find(|part| part.starts_with(char::is_alphabetic))
        .unwrap_or("Failure")
        .chars()
        .filter(|letter| letter.is_alphanumeric() || *letter == '_')
        .collect();
    let stem = format!("{simple}-{}-{}", manifest.fingerprint, std::process::id());
    let mut path = folder.join(format!("{stem}.recrash"));
    let mut number = 2;
    while path.exists() {
        path = folder.join(format!("{stem}-{number}.recrash"));
        number += 1;
    }
    path
}

fn manifest(agent: &Agent, pending: &Pending, contents: Contents) -> Manifest {
    let description = &pending.description;
    let aligned = frames::frames(description, &agent.sites);
    let recorded: usize = description
        .throwables
        .iter()
        .map(|thrown| thrown.total)
        .sum();
    let frames_total = aligned.len().max(recorded) as u32;
    let overflow = description
        .throwables
        .last()
        .is_some_and(|root| root.class == "java.lang.StackOverflowError");
    let kept = if overflow {
        both_ends(aligned)
    } else {
        aligned.into_iter().take(FRAMES_KEPT).collect()
    };
    let sources: HashMap<u32, Option<String>> = contents.sources.iter().cloned().collect();
    let frames: Vec<FrameInfo> = kept
        .into_iter()
        .map(|frame| FrameInfo {
            throwable: frame.throwable as u32,
            captured: captured(agent, description, &contents, &sources, &frame),
            element: frame.element,
        })
        .collect();
    let throwables = description
        .throwables
        .iter()
        .zip(&contents.objects)
        .filter(|_| !description.is_entry())
        .map(|(thrown, &object)| ThrowableInfo {
            class: thrown.class.clone(),
            message: thrown.message.clone(),
            object,
            trace: thrown.trace.clone(),
        })
        .collect();
    let local = |inheritable| {
        move |&(key, value): &(u32, u32)| ThreadLocalEntry {
            key: ObjectId(key),
            value: reference(value),
            inheritable,
        }
    };
    let thread_locals = contents
        .thread_locals
        .iter()
        .map(local(false))
        .chain(contents.inheritable_thread_locals.iter().map(local(true)))
        .filter(|local| local.key.0 != 0)
        .collect();
    Manifest {
        format: FORMAT,
        cause: match description.recognised.kind {
            Some(Kind::Entry) => Cause::Entry,
            Some(Kind::Point) => Cause::Point,
            _ => Cause::Crash,
        },
        recrash: env!("CARGO_PKG_VERSION").to_owned(),
        label: agent.options.label.clone(),
        session: agent.options.session.clone(),
        strategy: agent.policy.strategy.to_string(),
        captured_at: SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |since| since.as_millis() as u64),
        fingerprint: format!("{:016x}", pending.fingerprint),
        throwables,
        thread: description.thread.clone(),
        frames_total,
        statics: contents
            .statics
            .into_iter()
            .filter_map(static_field)
            .collect(),
        thread_locals,
        application: Some(agent.own.of_frames(&frames)),
        frames,
        environment: environment(contents.environment),
        limits: contents
            .limits
            .into_iter()
            .chain(agent.hot.limit())
            .collect(),
        unwoven: agent.unwoven(),
        shrunk: None,
        privacy: None,
    }
}

fn both_ends(mut frames: Vec<Frame>) -> Vec<Frame> {
    if frames.len() > 2 * OVERFLOW_ENDS {
        let end = frames.split_off(frames.len() - OVERFLOW_ENDS);
        frames.truncate(OVERFLOW_ENDS);
        frames.extend(end);
    }
    frames
}

fn captured(
    agent: &Agent,
    description: &Description,
    contents: &Contents,
    sources: &HashMap<u32, Option<String>>,
    frame: &Frame,
) -> Option<CapturedFrame> {
    let thrown = description.throwables.get(frame.throwable)?;
    let (id, values) = match frame.record? {
        Record::Frame(index) => (
            *thrown.recorded.get(index)?,
            contents.recorded.get(frame.throwable)?.get(index)?,
        ),
        Record::Constructor(index) => (
            *thrown.constructors.get(index)?,
            contents.constructors.get(frame.throwable)?.get(index)?,
        ),
    };
    let (class, site) = agent.sites.get(id)?;
    let decoded = Decoded::of(&site, values, &agent.sites, agent.policy.look.is_some())?;
    Some(CapturedFrame {
        descriptor: site.descriptor,
        access: site.access,
        place: match site.place {
            Place::Body => FramePlace::Body,
            Place::BeforeSuper => FramePlace::BeforeSuper,
            Place::InsideSuper => FramePlace::InsideSuper,
        },
        receiver: decoded.receiver,
        arguments: decoded.arguments,
        patches: decoded.patches,
        back_to: None,
        reads: site
            .reads
            .iter()
            .map(|read| format!("{}.{}", read.class, read.field))
            .collect(),
        class_hash: class.hash.map(|hash| format!("{hash:016x}")),
        source: sources.get(&id).cloned().flatten(),
        entry: decoded.entry,
    })
}

fn static_field(field: Static) -> Option<StaticField> {
    let value = value(&field.descriptor, field.reference, field.bits)?;
    Some(StaticField {
        class: field.class,
        field: field.field,
        descriptor: field.descriptor,
        value,
        is_final: field.is_final,
    })
}

/// The places that classes came from although no class path names them: loaders of the program found them there.
fn beside(class_path: &[String], world: &World) -> Vec<String> {
    let directory = Path::new(&world.working_directory);
    let known: Vec<PathBuf> = class_path
        .iter()
        .map(|entry| directory.join(entry))
        .collect();
    let mut places: Vec<String> = world
        .places
        .iter()
        .filter_map(|place| Some(decoded(place.strip_prefix("file:")?)))
        .filter(|place| {
            Path::new(place).exists() && !known.iter().any(|entry| entry == Path::new(place))
        })
        .collect();
    places.sort();
    places
}

/// The class path in the manifest of a jar that has nothing else. Build tools make such a jar for a single run, and then it
/// is gone.
fn behind(class_path: &[String], directory: &Path) -> Vec<String> {
    let [only] = class_path else {
        return Vec::new();
    };
    let jar = directory.join(only);
    let names = entry_names(&jar, Budget::default()).unwrap_or_default();
    if names.is_empty() || !names.iter().all(|name| name.starts_with("META-INF/")) {
        return Vec::new();
    }
    let manifest = read_entry(&jar, JarManifest::NAME, Budget::default());
    let manifest = JarManifest::read(&manifest.ok().flatten().unwrap_or_default());
    let folder = jar.parent().unwrap_or(directory);
    let listed = manifest.class_path().into_iter();
    let places = listed.map(|name| folder.join(decoded(&name)));
    let places = places.filter_map(|place| place.canonicalize().ok());
    places.map(|place| place.display().to_string()).collect()
}

fn environment(world: World) -> Environment {
    let entries = |path: &str| {
        path.split(':')
            .filter(|entry| !entry.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let mut class_path: Vec<String> = entries(&world.class_path);
    class_path.extend(behind(&class_path, Path::new(&world.working_directory)));
    class_path.extend(beside(&class_path, &world));
    let ours =
        |argument: &String| argument.starts_with("-agentpath:") && argument.contains("librecrash");
    Environment {
        java_home: world.java_home,
        java_version: world.java_version,
        class_path,
        module_path: entries(&world.module_path),
        jvm_arguments: world
            .jvm_arguments
            .into_iter()
            .filter(|argument| !ours(argument))
            .collect(),
        working_directory: world.working_directory,
        locale: world.locale,
        time_zone: world.time_zone,
        charset: world.charset,
        system_properties: world.properties,
    }
}
