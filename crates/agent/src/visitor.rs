//! A thread of ours that enters the JVM only while it has something to do there: the program, which may list its threads
//! or wait for them, hardly ever meets it.

use crate::agent::{self, Agent};
use crate::jvm::{Jni, Jvmti};
use jvmti_bindings::sys::jni::{JNI_OK, JNI_VERSION_1_8, JavaVM, JavaVMAttachArgs, jobject};
use std::ffi::c_void;
use std::time::Duration;
use std::{io, ptr, thread};

pub struct Visitor {
    vm: *mut JavaVM,
    /// The JVM's own group, above the program's, as a global reference.
    group: jobject,
}

// SAFETY: the JVM's invocation table and global references may be used from every thread.
unsafe impl Send for Visitor {}

impl Visitor {
    /// `jni` must be that of the current thread.
    pub fn new(jvmti: Jvmti, jni: Jni) -> Option<Self> {
        Some(Self {
            vm: jni.vm()?,
            group: jni.global(jvmti.top_thread_group()?)?,
        })
    }

    /// Does `work` on a thread of that name, outside the JVM, again after each interval until the JVM ends.
    pub fn every(
        self,
        interval: Duration,
        name: &str,
        work: impl Fn(&'static Agent, &Self) + Send + 'static,
    ) -> io::Result<()> {
        let visits = move || {
            while let Some(agent) = agent::get().filter(|agent| !agent.captures.is_over()) {
                work(agent, &self);
                thread::sleep(interval);
            }
        };
        let thread = thread::Builder::new().name(name.to_owned()).spawn(visits);
        thread.map(drop)
    }

    /// Runs `work` on the current thread inside the JVM; not at all when the JVM refuses, as it does while it ends.
    pub fn visit(&self, work: impl FnOnce(Jni)) {
        let mut env: *mut c_void = ptr::null_mut();
        let mut arguments = JavaVMAttachArgs {
            version: JNI_VERSION_1_8,
            name: c"recrash".as_ptr().cast_mut(),
            group: self.group,
        };
        // SAFETY: the table lives as long as the JVM; the arguments are read during the call.
        let attached = unsafe {
            ((**self.vm).AttachCurrentThreadAsDaemon)(
                self.vm,
                &raw mut env,
                (&raw mut arguments).cast(),
            )
        };
        if attached != JNI_OK {
            return;
        }
        if let Some(jni) = Jni::new(env.cast()) {
            work(jni);
        }
        // SAFETY: this thread was attached above and has no Java frames.
        unsafe { ((**self.vm).DetachCurrentThread)(self.vm) };
    }
}
