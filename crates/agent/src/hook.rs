//! A class is being loaded: decide, weave, remember the sites.

use crate::agent::{self, Agent, Origin, Start};
use crate::jvm::{Jni, guarded};
use crate::made::is_made;
use crate::sites::WovenClass;
use crate::{gates, log, runtime};
use jvmti_bindings::sys::jni::{JNIEnv, jclass, jobject};
use jvmti_bindings::sys::jvmti::jvmtiEnv;
use recrash_heap::manifest::Manifest;
use recrash_weave::{
    Adopted, Passed, Policy, Prepended, Reason, Waking, Woven, adopt, keeps_writes, prepend_call,
    weave, weave_jdk,
};
use std::collections::HashSet;
use std::ffi::{CStr, c_char};
use xxhash_rust::xxh3::xxh3_64;

/// A method of the JDK through which uncaught exceptions pass.
pub struct Gate {
    pub class: &'static str,
    method: &'static str,
    descriptor: &'static str,
    /// Of the method of `$Recrash` that is told.
    told: &'static str,
}

const THREAD: &str = "java/lang/Thread";

pub const GATES: [Gate; 2] = [
    // Every uncaught exception of every kind of thread passes here, before any handler of the program.
    Gate {
        class: THREAD,
        method: "dispatchUncaughtException",
        descriptor: "(Ljava/lang/Throwable;)V",
        told: "(Ljava/lang/Thread;Ljava/lang/Throwable;)V",
    },
    // Libraries that run tasks (coroutines, reactive streams) hand on what a task threw as if it were uncaught.
    Gate {
        class: "java/lang/ThreadGroup",
        method: "uncaughtException",
        descriptor: "(Ljava/lang/Thread;Ljava/lang/Throwable;)V",
        told: "(Ljava/lang/ThreadGroup;Ljava/lang/Thread;Ljava/lang/Throwable;)V",
    },
];

impl Gate {
    fn watched(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        let call = Prepended {
            owner: "java/lang/$Recrash",
            name: "uncaught",
            descriptor: self.told,
            passed: Passed::Everything,
            guarded: false,
        };
        prepend_call(bytes, self.method, self.descriptor, call)
            .inspect_err(|error| {
                log::say(&format!(
                    "uncaught exceptions cannot be observed in this JVM: {error}"
                ));
            })
            .ok()
    }
}

/// How a thread says that it ends; the first is there since virtual threads are.
const LAST_WORDS: [&str; 2] = ["clearReferences", "exit"];

/// `java.lang.Thread`, made to give up its journal of writes when it ends.
fn told_of_ends(bytes: &[u8]) -> Option<Vec<u8>> {
    let call = Prepended {
        owner: "java/lang/$RecrashJournal",
        name: "end",
        descriptor: "(Ljava/lang/Thread;)V",
        passed: Passed::Everything,
        guarded: false,
    };
    LAST_WORDS
        .iter()
        .find_map(|method| prepend_call(bytes, method, "()V", call).ok())
}

/// Tools of the JDK that the system loader brings although they are not the program's.
const JDK_TOOLS: [&str; 4] = ["jdk/", "sun/", "com/sun/", "META-INF/"];

#[allow(clippy::too_many_arguments)] // The JVM's signature.
pub unsafe extern "system" fn class_file_load_hook(
    _: *mut jvmtiEnv,
    env: *mut JNIEnv,
    redefined: jclass,
    loader: jobject,
    name: *const c_char,
    domain: jobject,
    length: i32,
    data: *const u8,
    new_length: *mut i32,
    new_data: *mut *mut u8,
) {
    guarded(|| {
        let (Some(agent), Some(jni)) = (agent::get(), Jni::new(env)) else {
            return;
        };
        if data.is_null() || length <= 0 {
            return;
        }
        let name = if name.is_null() {
            ""
        } else {
            // SAFETY: the JVM passes a NUL-terminated name that lives during the call.
            unsafe { CStr::from_ptr(name) }.to_str().unwrap_or_default()
        };
        // SAFETY: the JVM passes `length` bytes that live and stay unchanged during the call.
        let bytes = unsafe { std::slice::from_raw_parts(data, length as usize) };
        let class = Loaded {
            loader,
            name,
            domain,
            is_new: redefined.is_null(),
            bytes,
        };
        let Some(changed) = changed(agent, jni, &class) else {
            return;
        };
        if let Some(memory) = agent.jvmti.allocate(&changed) {
            // SAFETY: both are the JVM's out parameters; the memory comes from its own allocator, as it demands.
            unsafe {
                *new_length = changed.len() as i32;
                *new_data = memory;
            }
        }
    });
}

/// A class as the hook gets it.
struct Loaded<'a> {
    loader: jobject,
    /// With slashes.
    name: &'a str,
    domain: jobject,
    /// Not one that is there already and is redefined.
    is_new: bool,
    bytes: &'a [u8],
}

fn changed(agent: &Agent, jni: Jni, class: &Loaded<'_>) -> Option<Vec<u8>> {
    let observed = observed(agent, jni, class);
    let bytes = observed.as_deref().unwrap_or(class.bytes);
    gates::gated(agent, class.name, bytes).or(observed)
}

fn observed(agent: &Agent, jni: Jni, class: &Loaded<'_>) -> Option<Vec<u8>> {
    let &Loaded { name, bytes, .. } = class;
    let origin = agent.origin(jni, class.loader);
    match origin {
        Origin::Jdk => match GATES.iter().find(|gate| gate.class == name) {
            Some(gate) => {
                let watched = gate.watched(bytes);
                let bytes = watched.as_deref().unwrap_or(bytes);
                let ends = agent.keeps_jdk_writes() && gate.class == THREAD;
                ends.then(|| told_of_ends(bytes)).flatten().or(watched)
            }
            None if agent.keeps_jdk_writes() && keeps_writes(name) => noted(agent, class),
            None => None,
        },
        Origin::ClassPath if JDK_TOOLS.iter().any(|prefix| name.starts_with(prefix)) => None,
        _ if is_proxy(name) => None,
        _ => {
            agent.privacy.note(name, bytes);
            let is_own = agent.own.note(jni, agent.places.get(), name, class.domain);
            keep_if_made(agent, jni, class, origin);
            woven(agent, class, is_own)
        }
    }
}

fn keep_if_made(agent: &Agent, jni: Jni, class: &Loaded<'_>, origin: Origin) {
    let has_a_place = agent.places.get().is_none_or(|places| match origin {
        // Looking for the file of every class would cost each start; what is made here bears a generator's name.
        Origin::ClassPath => places.names_one(jni, class.domain),
        _ => places.has(jni, class.domain, class.name),
    });
    if is_made(class.name, has_a_place) && (class.is_new || !agent.made.knows(class.name)) {
        agent.made.keep(class.name, class.bytes);
    }
}

/// `$Proxy7`, in whatever package: nothing in it is the user's.
fn is_proxy(name: &str) -> bool {
    let simple = name.rsplit('/').next().unwrap_or_default();
    simple.strip_prefix("$Proxy").is_some_and(|number| {
        !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit())
    })
}

fn woven(agent: &Agent, loaded: &Loaded<'_>, is_own: bool) -> Option<Vec<u8>> {
    let &Loaded { name, bytes, .. } = loaded;
    if agent.start == Start::Offline {
        // Only what was instrumented is watched.
        return adopted(agent, bytes);
    }
    let mut policy = agent.policy_for(name)?;
    if is_own {
        policy.to_mut().is_own = true;
    }
    if let Some(watch) = &agent.watch {
        watch.compare(name, bytes);
    }
    if policy.gives_way {
        let noting = Policy {
            gives_way: false,
            ..policy.as_ref().clone()
        };
        agent.hot.note_written(&weave(bytes, 0, &noting));
    }
    let class = || name.replace('/', ".");
    let recording = agent.recording.get();
    match recording.filter(|recording| !recording.sides.is_runner(&class())) {
        Some(recording) => recording.weave(name, bytes, |border| {
            registered_as(agent, loaded, |first| {
                border.weave(bytes, first, &policy, &agent.privacy)
            })
        }),
        None => registered_as(agent, loaded, |first| weave(bytes, first, &policy)),
    }
}

/// A class of the JDK that takes note of what it writes, unless it gave way.
fn noted(agent: &Agent, loaded: &Loaded<'_>) -> Option<Vec<u8>> {
    if agent.hot.gave_way(loaded.name) {
        agent.hot.note_written(&weave_jdk(loaded.bytes, 0));
        return None;
    }
    registered_as(agent, loaded, |first| weave_jdk(loaded.bytes, first))
}

/// Weaves with the next free numbers and makes known what they mean.
fn registered_as(
    agent: &Agent,
    loaded: &Loaded<'_>,
    weave: impl Fn(u32) -> Woven,
) -> Option<Vec<u8>> {
    let &Loaded { name, bytes, .. } = loaded;
    let woven = agent.sites.with_next_ids(|first| {
        let woven = weave(first);
        let count = match &woven {
            Woven::Changed { sites, .. } => sites.numbers() as u32,
            Woven::Untouched(_) => 0,
        };
        (woven, count)
    });
    let class = || name.replace('/', ".");
    match woven {
        Woven::Changed {
            bytes: changed,
            sites,
            skipped,
        } => {
            for method in skipped {
                let reason = format!("{}{}: {}", method.method, method.descriptor, method.why);
                agent.note_unwoven(class(), reason);
            }
            let hash = xxh3_64(bytes);
            // Of a class that it has changed before, the JVM keeps the very bytes; of others it makes new ones.
            let is_original =
                loaded.is_new || agent.hot.gave_way(name) && agent.sites.knows(&class(), hash);
            agent.sites.add(WovenClass {
                hash: is_original.then_some(hash),
                sites,
            });
            Some(changed)
        }
        Woven::Untouched(Reason::AlreadyWoven) => adopted(agent, bytes),
        // Excluded on purpose, or nothing in it: not worth a line.
        Woven::Untouched(Reason::Excluded | Reason::NothingToMonitor) => None,
        Woven::Untouched(reason) => {
            agent.note_unwoven(class(), reason.to_string());
            None
        }
    }
}

/// A class that was woven before the program started.
fn adopted(agent: &Agent, bytes: &[u8]) -> Option<Vec<u8>> {
    match registered(agent, adopt(bytes)?) {
        Some(Waking::Bytes(bytes)) => Some(bytes),
        _ => None,
    }
}

/// Makes its sites known; `None` when that cannot be.
fn registered(agent: &Agent, adopted: Adopted) -> Option<Waking> {
    let name = adopted.sites.class();
    let known = agent.sites.add(WovenClass {
        hash: Some(adopted.hash),
        sites: adopted.sites,
    });
    if known {
        return Some(adopted.waking);
    }
    let reason = "its numbers belong to a class of another jar; instrument both jars as one folder";
    agent.note_unwoven(name, reason.to_owned());
    None
}

/// Attached to a running program: the classes that are there already pass the hook again.
pub fn weave_loaded(agent: &Agent, jni: Jni) {
    retransform(agent, &program_classes(agent, jni, |_| true));
}

/// The JDK's classes that are there already tell of failures and take note of what they write, as those that come later.
pub fn change_loaded_jdk(agent: &Agent, jni: Jni) {
    let wanted =
        |name: &str| gates::has_some(agent, name) || agent.keeps_jdk_writes() && keeps_writes(name);
    let classes = of_names(agent, jni, all_classes(agent, jni), wanted);
    retransform(agent, &classes);
}

/// Classes whose internal names pass go through the hook again, whichever loaders brought them.
pub fn weave_again(agent: &Agent, jni: Jni, wanted: impl Fn(&str) -> bool) {
    let found = || of_names(agent, jni, all_classes(agent, jni), &wanted);
    let classes = found();
    retransform(agent, &classes);
    // A class that was half loaded all the while passed the hook too early and was not in the JVM's list yet.
    let mut later = found();
    later.retain(|&class| !classes.iter().any(|&known| jni.same(known, class)));
    retransform(agent, &later);
    for class in classes.into_iter().chain(later) {
        jni.release(class);
    }
}

/// Classes that a failure needs, made at run time before the hook was listening, pass it now, to be kept.
pub fn keep_made(agent: &Agent, jni: Jni, manifest: &Manifest, heap: &[&[u8]]) {
    let mut asked = HashSet::new();
    loop {
        let mut unknown = agent.made.unknown(manifest, heap);
        unknown.retain(|name| asked.insert(name.clone()));
        let wanted =
            |name: &str| is_made(name, false) && unknown.contains(name.replace('/', ".").as_str());
        let loaded = program_classes(agent, jni, |_| true);
        let mut classes = of_names(agent, jni, loaded, wanted);
        classes.retain(|&class| runtime::is_placeless(jni, class));
        if classes.is_empty() {
            return;
        }
        retransform(agent, &classes);
    }
}

/// Those of the classes whose internal name passes and that the JVM lets be changed: not hidden ones.
fn of_names(
    agent: &Agent,
    jni: Jni,
    mut classes: Vec<jclass>,
    wanted: impl Fn(&str) -> bool,
) -> Vec<jclass> {
    classes.retain(|&class| {
        let name = agent.jvmti.class_name(class);
        let wanted = name.is_some_and(|name| wanted(&name)) && agent.jvmti.is_modifiable(class);
        if !wanted {
            jni.release(class);
        }
        wanted
    });
    classes
}

/// An instrumented program has started: classes that are there already are woken, unless they are running.
pub fn adopt_loaded(agent: &Agent, jni: Jni) {
    let running = agent.jvmti.classes_on_stacks();
    let mut sleeping = Vec::new();
    for class in program_classes(agent, jni, |_| true) {
        let signature = agent.jvmti.class_signature(class).unwrap_or_default();
        let name = signature.trim_start_matches('L').trim_end_matches(';');
        let Some(constants) = agent.jvmti.constants(class) else {
            // Not linked yet, so it is not running either.
            sleeping.push(class);
            continue;
        };
        let waking = recrash_weave::adopt_loaded(name, &constants)
            .and_then(|adopted| registered(agent, adopted));
        if waking != Some(Waking::Needed) {
            continue;
        }
        if running.iter().any(|&running| jni.same(running, class)) {
            agent.note_unwoven(
                name.replace('/', "."),
                "it was running when recrash started".to_owned(),
            );
        } else {
            sleeping.push(class);
        }
    }
    retransform(agent, &sleeping);
}

/// In batches, because each stops the program for a moment; one class that cannot be changed must not cost the others.
pub fn retransform(agent: &Agent, classes: &[jclass]) {
    for batch in classes.chunks(64) {
        if !agent.jvmti.retransform(batch) {
            for &class in batch {
                if !agent.jvmti.retransform(&[class]) {
                    let name = agent.jvmti.class_name(class).unwrap_or_default();
                    let reason = "the JVM does not let it be changed while it runs".to_owned();
                    agent.note_unwoven(name.replace('/', "."), reason);
                }
            }
        }
    }
}

/// Everything that is loaded. There may be many, and each is a reference.
pub fn all_classes(agent: &Agent, jni: Jni) -> Vec<jclass> {
    const MOST_CLASSES: i32 = 1 << 16;
    jni.expect_references(MOST_CLASSES);
    agent.jvmti.loaded_classes()
}

/// The loaded classes that are neither the JDK's nor arrays, and whose status passes.
pub fn program_classes(agent: &Agent, jni: Jni, status: impl Fn(i32) -> bool) -> Vec<jclass> {
    let mut found = Vec::new();
    for class in all_classes(agent, jni) {
        let loader = agent.jvmti.class_loader(class);
        let wanted = !loader.is_null()
            && agent.origin(jni, loader) != Origin::Jdk
            && status(agent.jvmti.class_status(class));
        if wanted {
            found.push(class);
        } else {
            jni.release(class);
        }
        if !loader.is_null() {
            jni.release(loader);
        }
    }
    found
}
