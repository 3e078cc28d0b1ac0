//! Second chance: only the methods on the watch list are woven, a failure puts its own there, and the list is followed
//! while the program runs.

use crate::agent::Agent;
use crate::description::Description;
use crate::jvm::Jni;
use crate::visitor::Visitor;
use crate::watch::{Change, Watch};
use crate::{hook, log};
use jvmti_bindings::sys::jvmti::JVMTI_EVENT_CLASS_FILE_LOAD_HOOK;
use std::time::Duration;

/// The time between two looks at the file, each one system call.
const INTERVAL: Duration = Duration::from_millis(500);

/// Puts the methods of a failure's stack on the list and weaves them. How many are watched from now on.
pub fn note(agent: &Agent, jni: Jni, failure: &Description) -> usize {
    agent.watch.as_ref().map_or(0, |watch| {
        watch.note(&agent.policy, failure, |change| {
            follow_up(agent, jni, watch, change);
        })
    })
}

/// Reads the list and weaves what it says.
fn read(agent: &Agent, jni: Jni, watch: &Watch) {
    watch.read(&agent.policy, |change| follow_up(agent, jni, watch, change));
}

fn follow_up(agent: &Agent, jni: Jni, watch: &Watch, change: &Change<'_>) {
    // With nothing on the list nobody asks for classes, and the JVM spares itself the trouble of offering them.
    if change.watched > 0 {
        agent.jvmti.enable(JVMTI_EVENT_CLASS_FILE_LOAD_HOOK);
    }
    if !change.classes.is_empty() {
        hook::weave_again(agent, jni, |class| change.classes.contains(class));
        let count = change.watched;
        log::detail(|| format!("{count} methods are watched ({})", watch.path().display()));
    }
    if change.watched == 0 && agent.options.failures.is_none() {
        agent.jvmti.disable(JVMTI_EVENT_CLASS_FILE_LOAD_HOOK);
    }
}

/// Reads the list for the first time, and has a thread follow it until the JVM ends.
pub fn begin(agent: &Agent, jni: Jni, watch: &Watch) {
    read(agent, jni, watch);
    let Some(visitor) = Visitor::new(agent.jvmti, jni) else {
        log::say("this JVM does not let the watch list be followed");
        return;
    };
    let started = visitor.every(INTERVAL, "recrash-watch", |agent, visitor| {
        if let Some(watch) = agent.watch.as_ref().filter(|watch| watch.has_changed()) {
            visitor.visit(|jni| read(agent, jni, watch));
        }
    });
    if let Err(error) = started {
        log::say(&format!(
            "the watch list is not followed, there is no thread for it: {error}"
        ));
    }
}
