//! A program that was instrumented beforehand loads the library itself, as `recrash.start.Start` does.

use crate::jvm::Jni;
use jvmti_bindings::sys::jni::{JavaVM, jvalue};

/// Set by `recrash.start.Start` while it loads the library, to the agent's options; a library takes no arguments.
const PROPERTY: &str = "recrash.starting";

/// The options, if it is an instrumented program that loads the library.
pub fn options(vm: *mut JavaVM) -> Option<String> {
    let jni = Jni::of_current_thread(vm)?;
    let name = jvalue {
        l: jni.new_text(PROPERTY)?,
    };
    let value = jni.call_static(
        jni.find_class("java/lang/System")?,
        c"getProperty",
        c"(Ljava/lang/String;)Ljava/lang/String;",
        &[name],
    )?;
    jni.text(value)
}
