//! The life of the agent in one JVM: loaded, started once the JVM is up, told when it dies.

use crate::agent::{self, Agent, Start};
use crate::jvm::{Jni, Jvmti, guarded};
use crate::look::Look;
use crate::options::Options;
use crate::places::Places;
use crate::privacy::Privacy;
use crate::{advice, failure, hook, log, natives, passing, recorder, runtime, second_chance};
use jvmti_bindings::sys::jni::{JNIEnv, JavaVM, jthread};
use jvmti_bindings::sys::jvmti::{
    JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, JVMTI_EVENT_VM_DEATH, JVMTI_EVENT_VM_INIT, jvmtiCapabilities,
    jvmtiEnv, jvmtiEventCallbacks,
};
use recrash_weave::{Policy, Strategy};

pub fn load(vm: *mut JavaVM, options: &str, start: Start) {
    if agent::get().is_some() {
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
    let agent = agent::set(Agent::new(jvmti, start, options, look, policy, privacy));
    if !listen(agent) {
        log::say("this JVM does not let classes be woven; nothing will be captured");
        return;
    }
    if start != Start::WithJvm
        && let Some(jni) = Jni::of_current_thread(vm)
    {
        begin(agent, jni);
    }
}

/// Once the JVM can run Java code: the runtime classes, then `Thread`, then the program's classes as they load.
fn begin(agent: &Agent, jni: Jni) {
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
    agent.know_loaders(platform, system);
    if let Some(places) = Places::find(jni) {
        let _ = agent.places.set(places);
    }
    agent.own.started(jni);
    if agent.start == Start::Offline && !natives::register(jni) {
        log::say("this JVM refuses the recorder's functions; nothing will be captured");
        return;
    }
    let planned = agent
        .look
        .as_ref()
        .is_none_or(|look| runtime::plan_look(jni, &look.due));
    let copies = matches!(agent.policy.strategy, Strategy::Copy(_));
    if !planned
        || !runtime::start(jni, &agent.options)
        || !runtime::listen(jni, agent.kinds, &agent.options)
        || copies && !runtime::rehearse_copies(jni)
        || agent.policy.strategy == Strategy::Auto && !runtime::prepare_reads(jni)
    {
        log::say("the recorder does not start in this JVM; nothing will be captured");
        return;
    }
    if agent.policy.strategy.keeps_journal() && !runtime::open_journal(jni) {
        log::say("the journal of writes does not start in this JVM; nothing will be captured");
        return;
    }
    let gates = hook::GATES.iter().map(|gate| jni.find_class(gate.class));
    let Some(gates) = gates.collect::<Option<Vec<_>>>() else {
        return;
    };
    if !agent.jvmti.enable(JVMTI_EVENT_CLASS_FILE_LOAD_HOOK) || !agent.jvmti.retransform(&gates) {
        log::say(
            "this JVM does not let java.lang.Thread be observed; uncaught exceptions will not be captured",
        );
    }
    hook::change_loaded_jdk(agent, jni);
    if let Some(watch) = &agent.watch {
        second_chance::begin(agent, jni, watch);
    }
    recorder::begin(agent, jni);
    match agent.start {
        Start::Attached if agent.watch.is_none() => hook::weave_loaded(agent, jni),
        Start::WithJvm | Start::Attached => {}
        Start::Offline => hook::adopt_loaded(agent, jni),
    }
    log::detail(|| "watching".to_owned());
}

fn listen(agent: &Agent) -> bool {
    let mut capabilities = jvmtiCapabilities::default();
    capabilities.set_can_generate_all_class_hook_events(true);
    capabilities.set_can_retransform_classes(true);
    capabilities.set_can_retransform_any_class(true);
    capabilities.set_can_get_constant_pool(agent.start == Start::Offline);
    capabilities.set_can_generate_garbage_collection_events(agent.options.record.is_some());
    let mut callbacks = jvmtiEventCallbacks::default();
    callbacks.GarbageCollectionFinish = Some(recorder::collected);
    callbacks.VMInit = Some(vm_init);
    callbacks.VMDeath = Some(vm_death);
    callbacks.ClassFileLoadHook = Some(hook::class_file_load_hook);
    // The class hook is switched on only when the JVM is up: earlier it would slow down the start of every JVM,
    // whose shared archive of JDK classes it disturbs.
    agent.jvmti.add_capabilities(&capabilities)
        && agent.jvmti.set_callbacks(&callbacks)
        && agent.jvmti.enable(JVMTI_EVENT_VM_INIT)
        && agent.jvmti.enable(JVMTI_EVENT_VM_DEATH)
}

unsafe extern "system" fn vm_init(_: *mut jvmtiEnv, env: *mut JNIEnv, _: jthread) {
    guarded(|| {
        if let (Some(agent), Some(jni)) = (agent::get(), Jni::new(env)) {
            begin(agent, jni);
        }
    });
}

unsafe extern "system" fn vm_death(_: *mut jvmtiEnv, env: *mut JNIEnv) {
    guarded(|| {
        if let Some(agent) = agent::get() {
            if let Some(jni) = Jni::new(env) {
                recorder::end(agent, jni);
            }
            let unfinished = agent.captures.await_end();
            if unfinished > 0 {
                failure::abandon(agent, unfinished);
            } else if let Some(jni) = Jni::new(env) {
                passing::tell(agent, jni);
            }
            log::detail(|| format!("{} classes woven", agent.sites.classes()));
        }
    });
}
