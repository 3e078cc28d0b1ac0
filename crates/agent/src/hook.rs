//! A class is being loaded: decide, weave, remember the sites.

use crate::agent::{self, Agent, Origin};
use crate::jvm::{Jni, guarded};
use crate::log;
use crate::made::is_made;
use crate::sites::WovenClass;
use jvmti_bindings::sys::jni::{JNIEnv, jclass, jobject};
use jvmti_bindings::sys::jvmti::jvmtiEnv;
use recrash_weave::{Prepended, Reason, Woven, prepend_call, weave};
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

pub const GATES: [Gate; 2] = [
    // Every uncaught exception of every kind of thread passes here, before any handler of the program.
    Gate {
        class: "java/lang/Thread",
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
    let &Loaded { name, bytes, .. } = class;
    let origin = agent.origin(jni, class.loader);
    match origin {
        Origin::Jdk => GATES
            .iter()
            .find(|gate| gate.class == name)
            .and_then(|gate| gate.watched(bytes)),
        Origin::ClassPath if JDK_TOOLS.iter().any(|prefix| name.starts_with(prefix)) => None,
        _ if is_proxy(name) => None,
        _ => {
            keep_if_made(agent, jni, class, origin);
            woven(agent, name, bytes)
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

fn woven(agent: &Agent, name: &str, bytes: &[u8]) -> Option<Vec<u8>> {
    let woven = agent.sites.with_next_ids(|first| {
        let woven = weave(bytes, first, &agent.policy);
        let count = match &woven {
            Woven::Changed { sites, .. } => sites.len() as u32,
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
            agent.sites.add(WovenClass {
                hash: xxh3_64(bytes),
                sites,
            });
            Some(changed)
        }
        // Excluded on purpose, or nothing in it: not worth a line.
        Woven::Untouched(Reason::Excluded | Reason::NothingToMonitor | Reason::AlreadyWoven) => {
            None
        }
        Woven::Untouched(reason) => {
            agent.note_unwoven(class(), reason.to_string());
            None
        }
    }
}

/// Attached to a running program: the classes that are there already pass the hook again.
pub fn weave_loaded(agent: &Agent, jni: Jni) {
    let classes = program_classes(agent, jni, |_| true);
    for batch in classes.chunks(64) {
        if !agent.jvmti.retransform(batch) {
            for class in batch {
                agent.jvmti.retransform(std::slice::from_ref(class));
            }
        }
    }
}

/// The loaded classes that are neither the JDK's nor arrays, and whose status passes.
pub fn program_classes(agent: &Agent, jni: Jni, status: impl Fn(i32) -> bool) -> Vec<jclass> {
    const MOST_CLASSES: i32 = 1 << 16;
    jni.expect_references(MOST_CLASSES);
    let mut found = Vec::new();
    for class in agent.jvmti.loaded_classes() {
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
