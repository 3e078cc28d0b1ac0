//! The life of the agent in one JVM: loaded, started once the JVM is up, told when it dies.

use crate::capture::Captures;
use crate::hot::Hot;
use crate::jvm::{Jni, Jvmti, guarded};
use crate::kinds::{Kind, Kinds};
use crate::look::Look;
use crate::made::MadeClasses;
use crate::options::Options;
use crate::places::Places;
use crate::privacy::Privacy;
use crate::sites::Sites;
use crate::visitor::Visitor;
use crate::watch::{self, Watch};
use crate::{advice, failure, hook, log, natives, runtime};
use jvmti_bindings::sys::jni::{JNIEnv, JavaVM, jobject, jthread};
use jvmti_bindings::sys::jvmti::{
    JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, JVMTI_EVENT_VM_DEATH, JVMTI_EVENT_VM_INIT, jvmtiCapabilities,
    jvmtiEnv, jvmtiEventCallbacks,
};
use recrash_heap::manifest::Unwoven;
use recrash_weave::{Policy, Strategy};
use std::borrow::Cow;
use std::sync::{Mutex, OnceLock, PoisonError};

/// Everything the agent knows; there is one JVM per process, and so one agent.
pub struct Agent {
    pub jvmti: Jvmti,
    pub start: Start,
    pub options: Options,
    pub policy: Policy,
    look: Option<Look>,
    /// Second chance: nothing is woven but what its list names.
    pub watch: Option<Watch>,
    /// With undo: who writes too often for notes.
    pub hot: Hot,
    pub sites: Sites,
    pub made: MadeClasses,
    pub privacy: Privacy,
    pub places: OnceLock<Places>,
    pub captures: Captures,
    kinds: Kinds,
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

impl Agent {
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

    /// Once the JVM can run Java code: the runtime classes, then `Thread`, then the program's classes as they load.
    fn begin(&self, jni: Jni) {
        if !runtime::define(jni) {
            log::say("this JVM refuses the recorder's classes; nothing will be captured");
            return;
        }
        let loader = |name| {
            let loader = jni.call_static(
                jni.find_class("java/lang/ClassLoader")?,
                name,
                c"()Ljava/lang/ClassLoader;",
                &[],
            )?;
            jni.global(loader)
        };
        // At start-up the JVM refuses the public getSystemClassLoader(), but the builtin loader is there already.
        let (Some(platform), Some(system)) = (
            loader(c"getBuiltinPlatformClassLoader"),
            loader(c"getBuiltinAppClassLoader"),
        ) else {
            log::say("this JVM hides its class loaders; nothing will be captured");
            return;
        };
        let _ = self.loaders.set(Loaders { platform, system });
        if let Some(places) = Places::find(jni) {
            let _ = self.places.set(places);
        }
        if self.start == Start::Offline && !natives::register(jni) {
            log::say("this JVM refuses the recorder's functions; nothing will be captured");
            return;
        }
        let planned = self
            .look
            .as_ref()
            .is_none_or(|look| runtime::plan_look(jni, &look.due));
        let copies = matches!(self.policy.strategy, Strategy::Copy(_));
        if !planned
            || !runtime::start(jni, &self.options)
            || !runtime::listen(jni, self.kinds, &self.options)
            || copies && !runtime::rehearse_copies(jni)
            || self.policy.strategy == Strategy::Auto && !runtime::prepare_reads(jni)
        {
            log::say("the recorder does not start in this JVM; nothing will be captured");
            return;
        }
        if self.policy.strategy.keeps_journal() && !runtime::open_journal(jni) {
            log::say("the journal of writes does not start in this JVM; nothing will be captured");
            return;
        }
        let gates = hook::GATES.iter().map(|gate| jni.find_class(gate.class));
        let Some(gates) = gates.collect::<Option<Vec<_>>>() else {
            return;
        };
        if !self.jvmti.enable(JVMTI_EVENT_CLASS_FILE_LOAD_HOOK) || !self.jvmti.retransform(&gates) {
            log::say(
                "this JVM does not let java.lang.Thread be observed; uncaught exceptions will not be captured",
            );
        }
        hook::change_loaded_jdk(self, jni);
        if let Some(watch) = &self.watch {
            watch.read(self, jni);
            match Visitor::new(self.jvmti, jni) {
                Some(visitor) => watch::follow(visitor),
                None => log::say("this JVM does not let the watch list be followed"),
            }
        }
        match self.start {
            Start::Attached if self.watch.is_none() => hook::weave_loaded(self, jni),
            Start::WithJvm | Start::Attached => {}
            Start::Offline => hook::adopt_loaded(self, jni),
        }
        log::detail(|| "watching".to_owned());
    }
}

pub fn load(vm: *mut JavaVM, options: &str, start: Start) {
    if AGENT.get().is_some() {
        // Named twice, say in JAVA_TOOL_OPTIONS and on the command line: the first one counts.
        return;
    }
    let (options, errors) = Options::parse(options);
    log::configure(options.log.clone(), options.verbose);
    for error in errors {
        log::say(&error.to_string());
    }
    let Some(jvmti) = Jvmti::new(vm) else {
        log::say("this JVM has no tool interface (JVMTI); nothing will be captured");
        return;
    };
    let privacy = match Privacy::of(&options.privacy, options.known.clone()) {
        Ok(privacy) => privacy,
        Err(sentence) => {
            log::say(&format!(
                "{sentence}; nothing will be captured without the rules"
            ));
            return;
        }
    };
    let look = options
        .look
        .as_deref()
        .map(|list| Look::read(list).map_err(|sentence| log::say(&sentence)))
        .and_then(Result::ok);
    let policy = Policy {
        look: look.as_ref().map(|look| look.methods.clone()),
        include: options.include.clone(),
        exclude: options.exclude.clone(),
        named: options.on.clone(),
        strategy: options.strategy,
        advice: advice::advice(jvmti, &options),
        ..Policy::default()
    };
    let agent = AGENT.get_or_init(|| Agent {
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
        unwoven: Mutex::default(),
        loaders: OnceLock::new(),
    });
    if !agent.listen() {
        log::say("this JVM does not let classes be woven; nothing will be captured");
        return;
    }
    if start != Start::WithJvm
        && let Some(jni) = Jni::of_current_thread(vm)
    {
        agent.begin(jni);
    }
}

impl Agent {
    fn listen(&self) -> bool {
        let mut capabilities = jvmtiCapabilities::default();
        capabilities.set_can_generate_all_class_hook_events(true);
        capabilities.set_can_retransform_classes(true);
        capabilities.set_can_retransform_any_class(true);
        capabilities.set_can_get_constant_pool(self.start == Start::Offline);
        let mut callbacks = jvmtiEventCallbacks::default();
        callbacks.VMInit = Some(vm_init);
        callbacks.VMDeath = Some(vm_death);
        callbacks.ClassFileLoadHook = Some(hook::class_file_load_hook);
        // The class hook is switched on only when the JVM is up: earlier it would slow down the start of every JVM,
        // whose shared archive of JDK classes it disturbs.
        self.jvmti.add_capabilities(&capabilities)
            && self.jvmti.set_callbacks(&callbacks)
            && self.jvmti.enable(JVMTI_EVENT_VM_INIT)
            && self.jvmti.enable(JVMTI_EVENT_VM_DEATH)
    }
}

unsafe extern "system" fn vm_init(_: *mut jvmtiEnv, env: *mut JNIEnv, _: jthread) {
    guarded(|| {
        if let (Some(agent), Some(jni)) = (get(), Jni::new(env)) {
            agent.begin(jni);
        }
    });
}

unsafe extern "system" fn vm_death(_: *mut jvmtiEnv, _: *mut JNIEnv) {
    guarded(|| {
        if let Some(agent) = get() {
            if !agent.captures.await_end() {
                failure::abandon(agent);
            }
            log::detail(|| format!("{} classes woven", agent.sites.classes()));
        }
    });
}
