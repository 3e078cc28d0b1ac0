//! The function tables of the JVM, by version.

use jvmti_bindings::sys::jni::{JNI_OK, JavaVM};
use std::ffi::c_void;
use std::ptr;

/// The table of this version for the current thread; `None` where the JVM has none.
pub(super) fn environment(vm: *mut JavaVM, version: i32) -> Option<*mut c_void> {
    if vm.is_null() {
        return None;
    }
    let mut env = ptr::null_mut();
    // SAFETY: `vm` is what the JVM handed to the library's entry point; it lives as long as the JVM.
    let result = unsafe { ((**vm).GetEnv)(vm, &raw mut env, version) };
    (result == JNI_OK && !env.is_null()).then_some(env)
}
