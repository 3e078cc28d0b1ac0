//! Wrappers around the JNI and JVMTI function tables: the narrow, typed part of them that recrash uses.
//!
//! Every method that calls into the JVM leaves no exception pending behind: what it could not do, it returns as `None`.

mod jni;
mod jvmti;

pub use jni::Jni;
pub use jvmti::Jvmti;

use jvmti_bindings::sys::jni::{JNI_OK, JavaVM};
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

/// Runs `body`; a panic ends here instead of unwinding into the JVM, which would abort the program.
pub fn guarded<R: Default>(body: impl FnOnce() -> R) -> R {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_default()
}

fn environment(vm: *mut JavaVM, version: i32) -> Option<*mut c_void> {
    if vm.is_null() {
        return None;
    }
    let mut env = ptr::null_mut();
    // SAFETY: `vm` is what the JVM handed to the library's entry point; it lives as long as the JVM.
    let result = unsafe { ((**vm).GetEnv)(vm, &raw mut env, version) };
    (result == JNI_OK && !env.is_null()).then_some(env)
}
