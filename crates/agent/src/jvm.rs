//! Wrappers around the JNI and JVMTI function tables: the narrow, typed part of them that recrash uses.
//!
//! Every method that calls into the JVM leaves no exception pending behind: what it could not do, it returns as `None`.

mod jni;
mod jvmti;
mod tables;

pub use jni::Jni;
pub use jvmti::Jvmti;

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs `body`; a panic ends here instead of unwinding into the JVM, which would abort the program.
pub fn guarded<R: Default>(body: impl FnOnce() -> R) -> R {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_default()
}
