//! The Java classes of the recorder, defined inside `java.lang` of the running JVM.

use crate::jvm::Jni;
use crate::kinds::Kinds;
use crate::options::Options;
use jvmti_bindings::sys::jni::{jclass, jvalue};
use recrash_weave::{consumed_sources, no_consumed_sources};

mod embedded {
    include!(concat!(env!("OUT_DIR"), "/classes.rs"));
}
use embedded::CLASSES;

/// Objects in a snapshot, unless another number is given.
const MOST_OBJECTS: u32 = 5_000_000;

const START_CLASS: &str = "java/lang/$RecrashStart";

/// Defines the classes that are not there yet; false when the JVM refuses one.
///
/// A class whose superclass is another of ours can only follow it, hence several rounds.
pub fn define(jni: Jni) -> bool {
    jni.expect_references(2 * CLASSES.len() as i32 + 32);
    let mut missing: Vec<&(&str, &[u8])> = CLASSES.iter().collect();
    while !missing.is_empty() {
        let before = missing.len();
        missing.retain(|(name, bytes)| {
            jni.define_class(name, bytes).is_none() && jni.find_class(name).is_none()
        });
        if missing.len() == before {
            return false;
        }
    }
    true
}

/// Tells the recorder the budgets and lets it rehearse.
pub fn start(jni: Jni, options: &Options) -> bool {
    let started = || {
        let arguments = [
            jvalue {
                i: options
                    .max_objects
                    .unwrap_or(MOST_OBJECTS)
                    .min(i32::MAX as u32) as i32,
            },
            jvalue {
                j: options.max_bytes.min(i64::MAX as u64) as i64,
            },
            jvalue {
                i: options.max_millis.min(i32::MAX as u32) as i32,
            },
            // What is run again at the desk has what was captured before, and no more.
            jvalue {
                z: (options.max_objects.is_none() && options.look.is_none()).into(),
            },
        ];
        // Without a Java caller these look-ups go through the system class loader, which thereby knows the classes:
        // woven code resolves them later without running any Java, even when the heap is full.
        jni.find_class("java/lang/$Recrash")?;
        jni.find_class("java/lang/$RecrashFrames")?;
        jni.call_static(
            jni.find_class(START_CLASS)?,
            c"start",
            c"(IJIZ)V",
            &arguments,
        )
    };
    started().is_some()
}

/// Lets the recorder rehearse what methods that copy on entry will call.
pub fn rehearse_copies(jni: Jni) -> bool {
    let rehearsed = || {
        let class = jni.find_class("java/lang/$RecrashCopy")?;
        jni.call_static(class, c"rehearse", c"()V", &[])
    };
    rehearsed().is_some()
}

/// Makes what reads streams, parsers and far fields on entry, and looks around on the way out, ready before any code asks.
pub fn prepare_reads(jni: Jni) -> bool {
    let prepared = || {
        for part in ["Cursor", "DistantReads", "Unwound"] {
            let class = jni.find_class(&format!("java/lang/$Recrash{part}"))?;
            jni.call_static(class, c"prepare", c"()V", &[])?;
        }
        let list = |ends: Vec<String>| {
            let l = jni.new_text(&ends.join(" "))?;
            Some(jvalue { l })
        };
        let lists = [list(consumed_sources())?, list(no_consumed_sources())?];
        let class = jni.find_class("java/lang/$RecrashConsumed")?;
        let descriptor = c"(Ljava/lang/String;Ljava/lang/String;)V";
        jni.call_static(class, c"prepare", descriptor, &lists)
    };
    prepared().is_some()
}

/// Makes the journal of writes ready before any code calls it: a note must not be what loads a class.
pub fn open_journal(jni: Jni) -> bool {
    const USED: [&str; 4] = ["UnsafeWrites", "Chunk", "Offsets", "LongValue"];
    let opened = || {
        for part in USED {
            jni.find_class(&format!("java/lang/$Recrash{part}"))?;
        }
        jni.call_static(
            jni.find_class("java/lang/$RecrashJournal")?,
            c"current",
            c"()Ljava/lang/$RecrashJournal;",
            &[],
        )
    };
    opened().is_some()
}

/// What threads have noted up to now can no longer be told.
pub fn forget_journals(jni: Jni) {
    if let Some(class) = jni.find_class("java/lang/$RecrashJournal") {
        jni.call_static(class, c"forget", c"()V", &[]);
    }
}

/// Tells the recorder which failures count.
pub fn listen(jni: Jni, kinds: Kinds, options: &Options) -> bool {
    let told = || {
        let flag = |set: bool| jvalue { z: set.into() };
        let arguments = [
            jvalue {
                i: kinds.bits() as i32,
            },
            flag(options.repeat),
            flag(options.watch.is_some()),
        ];
        let class = jni.find_class("java/lang/$RecrashHandledFailures")?;
        jni.call_static(class, c"listen", c"(IZZ)V", &arguments)
    };
    told().is_some()
}

/// What the recorder has to say when the JVM ends.
pub fn at_the_end(jni: Jni) -> Option<Vec<String>> {
    let class = jni.find_class("java/lang/$RecrashEnd")?;
    let told = jni.call_static(class, c"tell", c"()[Ljava/lang/String;", &[])?;
    let told = jni.elements(told).into_iter();
    Some(told.filter_map(|text| jni.text(text)).collect())
}

/// Tells the recorder which entries a second look captures.
pub fn plan_look(jni: Jni, due: &str) -> bool {
    let planned = || {
        let due = jvalue {
            l: jni.new_text(due)?,
        };
        let class = jni.find_class("java/lang/$RecrashLook")?;
        jni.call_static(class, c"plan", c"(Ljava/lang/String;)V", &[due])
    };
    planned().is_some()
}

/// Whether nobody knows where a class was loaded from.
pub fn is_placeless(jni: Jni, class: jclass) -> bool {
    let source = || {
        jni.call_static(
            jni.find_class("java/lang/$RecrashEnvironment")?,
            c"source",
            c"(Ljava/lang/Class;)Ljava/lang/String;",
            &[jvalue { l: class }],
        )
    };
    source().is_none()
}
