//! The library as a test sees it: `recrash.junit.Native` turns a snapshot into a restore plan.

use crate::jvm::{Jni, guarded};
use crate::runtime;
use jvmti_bindings::sys::jni::{JNIEnv, JavaVM, jclass, jint, jobject};
use recrash_heap::{PlanOptions, Snapshot};
use std::path::Path;
use std::ptr;

/// Bits of the flags, as `recrash.junit.Plan` sets them: what to leave out.
const NO_STATICS: jint = 1;
const NO_PATCHES: jint = 2;

/// The restorer lives in `java.lang`, too; without the agent it is defined here.
pub fn load(vm: *mut JavaVM) {
    if let Some(jni) = Jni::of_current_thread(vm) {
        runtime::define(jni);
    }
}

/// `static native byte[] plan(String path, int frame, int flags)` of `recrash.junit.Native`.
#[unsafe(no_mangle)]
pub extern "system" fn Java_recrash_junit_Native_plan(
    env: *mut JNIEnv,
    _: jclass,
    path: jobject,
    frame: jint,
    flags: jint,
) -> jobject {
    let Some(jni) = Jni::new(env) else {
        return ptr::null_mut();
    };
    let planned = guarded(|| Some(plan(&jni.text(path)?, frame, flags)));
    let bytes = match planned {
        Some(Ok(bytes)) => bytes,
        Some(Err(reason)) => {
            jni.throw("recrash/junit/SnapshotException", &reason);
            return ptr::null_mut();
        }
        None => {
            jni.throw(
                "recrash/junit/SnapshotException",
                "the snapshot could not be read: internal error of recrash",
            );
            return ptr::null_mut();
        }
    };
    jni.new_bytes(&bytes).unwrap_or_else(|| {
        jni.throw(
            "java/lang/OutOfMemoryError",
            "restore plan of a recrash snapshot",
        );
        ptr::null_mut()
    })
}

fn plan(path: &str, frame: jint, flags: jint) -> Result<Vec<u8>, String> {
    let frame = usize::try_from(frame).map_err(|_| format!("{path} has no frame {frame}"))?;
    let snapshot =
        Snapshot::read_for_frame(Path::new(path), frame).map_err(|error| error.to_string())?;
    let options = PlanOptions {
        statics: flags & NO_STATICS == 0,
        patches: flags & NO_PATCHES == 0,
    };
    recrash_heap::plan(&snapshot, frame, options).map_err(|error| error.to_string())
}
