//! A recording begins with the JVM and ends with it.

use crate::agent::{Agent, Start};
use crate::jvm::Jni;
use crate::log;
use crate::recording::Recording;
use crate::sides::{Sides, main_class, property};
use jvmti_bindings::sys::jni::jvalue;
use jvmti_bindings::sys::jvmti::{JVMTI_EVENT_GARBAGE_COLLECTION_FINISH, jvmtiEnv};
use recrash_recording::beginning;
use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::sync::atomic::{AtomicU64, Ordering};

/// How often objects may have been moved. The runtime reads it where it is.
static COLLECTIONS: AtomicU64 = AtomicU64::new(0);

pub unsafe extern "system" fn collected(_: *mut jvmtiEnv) {
    COLLECTIONS.fetch_add(1, Ordering::SeqCst);
}

/// Starts the log, if one is wanted of this JVM.
pub fn begin(agent: &Agent, jni: Jni) {
    let Some(inside) = agent.options.record.clone() else {
        return;
    };
    if agent.start != Start::WithJvm || agent.watch.is_some() || agent.look.is_some() {
        log::say("only a program that recrash run starts without --second-chance is recorded");
        return;
    }
    let Some(main) = main_class(jni) else {
        log::say("nothing is recorded: it is not known which class is the program's main class");
        return;
    };
    let sides = Sides::new(main.clone(), inside);
    if sides.is_starter() {
        return;
    }
    let simple = main.rsplit('.').next().unwrap_or(&main);
    let path = agent
        .options
        .out
        .join(format!("{simple}-{}.recording", std::process::id()));
    // Where it cannot be had, opening the file says why.
    let _ = std::fs::create_dir_all(&agent.options.out);
    let opened = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(&path)
        .and_then(|mut file| {
            let start = beginning(&header(agent, jni, main));
            file.write_all(&start)?;
            Ok((file, start.len() as u64))
        });
    let (file, written) = match opened {
        Ok(opened) => opened,
        Err(error) => {
            log::say(&format!("nothing is recorded: {}: {error}", path.display()));
            return;
        }
    };
    let recording = Recording::new(sides, path, file, written, agent.options.max_record);
    let counts = agent.jvmti.enable(JVMTI_EVENT_GARBAGE_COLLECTION_FINISH);
    let _ = agent.recording.set(recording);
    let counter = jvalue {
        j: if counts {
            COLLECTIONS.as_ptr() as i64
        } else {
            0
        },
    };
    if let Some(class) = jni.find_class("java/lang/$RecrashBorder") {
        jni.find_class("java/lang/$RecrashTalk");
        jni.call_static(class, c"begin", c"(J)V", &[counter]);
    }
}

/// The program is over: what its threads hold yet is written.
pub fn end(agent: &Agent, jni: Jni) {
    let Some(recording) = agent.recording.get() else {
        return;
    };
    if let Some(class) = jni.find_class("java/lang/$RecrashBorder") {
        jni.call_static(class, c"end", c"()V", &[]);
    }
    log::say(&format!("recorded: {}", recording.path.display()));
}

fn header(agent: &Agent, jni: Jni, main: String) -> Vec<(String, String)> {
    let mut header = vec![("main".to_owned(), main)];
    let properties = [
        ("class-path", "java.class.path"),
        ("folder", "user.dir"),
        ("jdk", "java.home"),
        ("java.version", "java.version"),
        ("command", "sun.java.command"),
    ];
    for (name, of) in properties {
        header.extend(property(jni, of).map(|value| (name.to_owned(), value)));
    }
    for argument in arguments(jni).unwrap_or_default() {
        if let Some(set) = argument.strip_prefix("-D") {
            let (name, value) = set.split_once('=').unwrap_or((set, ""));
            let value = if agent.privacy.is_secret_name(name) {
                "x".repeat(value.len())
            } else {
                value.to_owned()
            };
            header.push(("property".to_owned(), format!("{name}={value}")));
        }
    }
    for glob in agent.options.record.iter().flatten() {
        header.push(("observe".to_owned(), glob.clone()));
    }
    let redacted = header.into_iter();
    let redacted = redacted.map(|(name, value)| (name, agent.privacy.text(value)));
    redacted.collect()
}

/// The options that the JVM was started with.
fn arguments(jni: Jni) -> Option<Vec<String>> {
    let class = jni.find_class("jdk/internal/misc/VM")?;
    let descriptor = c"()[Ljava/lang/String;";
    let array = jni.call_static(class, c"getRuntimeArguments", descriptor, &[])?;
    let all = jni.elements(array);
    Some(all.into_iter().filter_map(|text| jni.text(text)).collect())
}
