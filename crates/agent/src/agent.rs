//! The agent's knowledge in one JVM: settings, tables and counts. What is done with it is in `life.rs`.

use crate::capture::Captures;
use crate::hot::Hot;
use crate::jvm::{Jni, Jvmti};
use crate::kinds::{Kind, Kinds};
use crate::log;
use crate::look::Look;
use crate::made::MadeClasses;
use crate::options::Options;
use crate::own::Own;
use crate::places::Places;
use crate::privacy::Privacy;
use crate::recording::Recording;
use crate::sites::Sites;
use crate::watch::Watch;
use jvmti_bindings::sys::jni::jobject;
use recrash_heap::manifest::Unwoven;
use recrash_weave::Policy;
use std::borrow::Cow;
use std::sync::{Mutex, OnceLock, PoisonError};

/// Everything the agent knows; there is one JVM per process, and so one agent.
pub struct Agent {
    pub jvmti: Jvmti,
    pub start: Start,
    pub options: Options,
    pub policy: Policy,
    pub look: Option<Look>,
    /// Second chance: nothing is woven but what its list names.
    pub watch: Option<Watch>,
    /// With undo: who writes too often for notes.
    pub hot: Hot,
    pub sites: Sites,
    pub made: MadeClasses,
    pub privacy: Privacy,
    pub places: OnceLock<Places>,
    pub own: Own,
    /// The log of this run, where one is wanted and there is something to log.
    pub recording: OnceLock<Recording>,
    pub captures: Captures,
    pub kinds: Kinds,
    unwoven: Mutex<Vec<Unwoven>>,
    loaders: OnceLock<Loaders>,
}

/// The JDK's own class loaders, as global references.
struct Loaders {
    platform: jobject,
    system: jobject,
}

// SAFETY: global references may be used from every thread.
unsafe impl Send for Loaders {}
// SAFETY: as above.
unsafe impl Sync for Loaders {}

/// Whose classes a class loader brings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The boot and the platform loader.
    Jdk,
    /// The system loader: the program's class path, and some of the JDK's tools.
    ClassPath,
    /// A loader of the program.
    Elsewhere,
}

/// By which door the agent came in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// With the JVM, before anything runs.
    WithJvm,
    /// Attached to a running program.
    Attached,
    /// Loaded by a program that was instrumented beforehand.
    Offline,
}

/// The manifest names so many classes at most; the log names all.
const UNWOVEN_KEPT: usize = 200;

static AGENT: OnceLock<Agent> = OnceLock::new();

pub fn get() -> Option<&'static Agent> {
    AGENT.get()
}

/// Makes this the agent of the JVM, where there is none yet.
pub fn set(agent: Agent) -> &'static Agent {
    AGENT.get_or_init(|| agent)
}

impl Agent {
    pub fn new(
        jvmti: Jvmti,
        start: Start,
        options: Options,
        look: Option<Look>,
        policy: Policy,
        privacy: Privacy,
    ) -> Self {
        Self {
            jvmti,
            start,
            captures: Captures::new(&options),
            kinds: options.kinds(),
            watch: options.watch.as_deref().map(Watch::of),
            options,
            look,
            policy,
            hot: Hot::default(),
            sites: Sites::default(),
            made: MadeClasses::default(),
            privacy,
            places: OnceLock::new(),
            own: Own::default(),
            recording: OnceLock::new(),
            unwoven: Mutex::default(),
            loaders: OnceLock::new(),
        }
    }

    /// The JDK's own class loaders, as global references, which are known once the JVM is up.
    pub fn know_loaders(&self, platform: jobject, system: jobject) {
        let _ = self.loaders.set(Loaders { platform, system });
    }

    pub fn origin(&self, jni: Jni, loader: jobject) -> Origin {
        match self.loaders.get() {
            _ if loader.is_null() => Origin::Jdk,
            Some(loaders) if jni.same(loader, loaders.platform) => Origin::Jdk,
            Some(loaders) if jni.same(loader, loaders.system) => Origin::ClassPath,
            _ => Origin::Elsewhere,
        }
    }

    /// What to weave in a class of this internal name; nothing where second chance does not watch it.
    pub fn policy_for(&self, class: &str) -> Option<Cow<'_, Policy>> {
        let only = match &self.watch {
            Some(watch) => Some(watch.methods_of(class)?),
            None => None,
        };
        let gives_way = self.hot.gave_way(class);
        if only.is_none() && !gives_way {
            return Some(Cow::Borrowed(&self.policy));
        }
        Some(Cow::Owned(Policy {
            only,
            gives_way,
            ..self.policy.clone()
        }))
    }

    /// Whether the JDK's own classes take note of what they write. Second chance leaves everything alone that it does not
    /// watch.
    pub fn keeps_jdk_writes(&self) -> bool {
        self.policy.strategy.keeps_journal()
            && self.look.is_none()
            && self.watch.is_none()
            && self.start != Start::Offline
    }

    /// Whether all classes of the program pass the hook: with second chance they load unseen, and so do the first ones of an
    /// instrumented program.
    pub fn sees_all_classes(&self) -> bool {
        self.watch.is_none() && self.start != Start::Offline
    }

    /// Whether failures of this kind are captured.
    pub fn listens_to(&self, kind: Kind) -> bool {
        self.kinds.contain(kind)
    }

    pub fn note_unwoven(&self, class: String, reason: String) {
        log::detail(|| format!("{class} is not woven: {reason}"));
        let mut unwoven = self.unwoven.lock().unwrap_or_else(PoisonError::into_inner);
        let noted = Unwoven { class, reason };
        // A class that is woven anew comes with the same reasons.
        if unwoven.len() < UNWOVEN_KEPT && !unwoven.contains(&noted) {
            unwoven.push(noted);
        }
    }

    pub fn unwoven(&self) -> Vec<Unwoven> {
        self.unwoven
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}
