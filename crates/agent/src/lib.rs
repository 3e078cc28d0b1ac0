//! The JVMTI agent, `librecrash.so`: weaves classes while they load, writes a snapshot when the program fails, and
//! restores objects for tests.
//!
//! The only crate with `unsafe`: it is where C function tables meet Rust. It knows nothing of how snapshots are turned
//! into tests. What runs on every thrown
//! exception is not here but in `java/runtime`, whose classes this library defines inside `java.lang` of the JVM that
//! loads it.
//!
//! Start reading at [`life`] (the life of the agent) and [`agent`] (what it knows), then [`hook`] (a class is loaded), [`gates`] (where failures are
//! recognised that something catches), [`failure`] (a failure becomes a file, without what [`privacy`] withholds) and [`frames`] (what was recorded meets the
//! stack traces). [`recording`] is the log of a failing run. [`jvm`] holds the wrappers around the tables.
//!
//! Three doors lead in: `Agent_OnLoad` (`-agentpath`), `Agent_OnAttach` (a running JVM) and `JNI_OnLoad`
//! (instrumented programs, see [`offline`], and generated tests, which load the library only to restore objects). A panic
//! never crosses into the JVM, and whatever goes wrong costs a snapshot, never the program.
//!
//! Never uses: `std::net`, `std::process::Command`, `program`, `desk`, `jvm`.

mod advice;
mod agent;
mod capture;
mod cursor;
mod declared;
mod description;
mod disk;
mod environment;
mod failure;
mod fingerprint;
mod frames;
mod gates;
mod give_way;
mod hook;
mod hot;
mod jvm;
mod kinds;
mod life;
mod loaded;
mod log;
mod look;
mod made;
mod named;
mod natives;
mod offline;
mod options;
mod own;
mod passing;
mod places;
mod privacy;
mod recorder;
mod recording;
mod restore;
mod runtime;
mod second_chance;
mod sides;
mod sites;
mod value;
mod values;
mod visitor;
mod watch;

use jvmti_bindings::sys::jni::{JNI_OK, JNI_VERSION_1_8, JavaVM, jint};
use std::ffi::{CStr, c_char, c_void};

/// Called by the JVM for `-agentpath:…/librecrash.so=options`, before anything runs. Never fails: a JVM whose agent
/// refuses to load does not start.
#[unsafe(no_mangle)]
pub extern "system" fn Agent_OnLoad(
    vm: *mut JavaVM,
    options: *const c_char,
    _: *mut c_void,
) -> jint {
    jvm::guarded(|| {
        let asked = std::env::var(environment::VARIABLE).ok();
        if let Some(options) = environment::with(&option_text(options), asked.as_deref()) {
            life::load(vm, &options, agent::Start::WithJvm);
        }
    });
    JNI_OK
}

/// Called by the JVM when the library is attached to a running program.
#[unsafe(no_mangle)]
pub extern "system" fn Agent_OnAttach(
    vm: *mut JavaVM,
    options: *const c_char,
    _: *mut c_void,
) -> jint {
    jvm::guarded(|| life::load(vm, &option_text(options), agent::Start::Attached));
    JNI_OK
}

/// Called by `System.load`: an instrumented program starts, or a generated test wants to restore a snapshot.
#[unsafe(no_mangle)]
pub extern "system" fn JNI_OnLoad(vm: *mut JavaVM, _: *mut c_void) -> jint {
    jvm::guarded(|| match offline::options(vm) {
        Some(options) => life::load(vm, &options, agent::Start::Offline),
        None => restore::load(vm),
    });
    JNI_VERSION_1_8
}

fn option_text(options: *const c_char) -> String {
    if options.is_null() {
        return String::new();
    }
    // SAFETY: the JVM passes a NUL-terminated string that lives during the call.
    let text = unsafe { CStr::from_ptr(options) };
    text.to_string_lossy().into_owned()
}
