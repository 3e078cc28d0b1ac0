//! Has the classes give way that [`Hot`](crate::hot::Hot) finds writing too often for notes.

use crate::agent::Agent;
use crate::hot::{Hot, outermost};
use crate::jvm::Jni;
use crate::visitor::Visitor;
use crate::{hook, log, runtime};
use jvmti_bindings::sys::jni::jmethodID;
use recrash_weave::Strategy;
use std::time::Duration;

/// Classes give way together, because each time the program stops for a moment and compiles them anew.
const INTERVAL: Duration = Duration::from_secs(1);

/// The current thread makes one of many notes.
pub fn meet(agent: &Agent, jni: Jni) {
    if agent.policy.strategy != (Strategy::Undo { hot: false }) || !Hot::is_fast() {
        return;
    }
    for method in agent.jvmti.own_stack() {
        // The innermost method that is not recrash's is the one that writes.
        if agent.hot.count(method, || class_of(agent, jni, method)) {
            break;
        }
    }
    agent
        .hot
        .follow_once(|| match Visitor::new(agent.jvmti, jni) {
            Some(visitor) => follow(visitor),
            None => log::detail(|| "this JVM lets no class give way".to_owned()),
        });
}

/// `None` for recrash itself.
fn class_of(agent: &Agent, jni: Jni, method: jmethodID) -> Option<String> {
    let class = agent.jvmti.declaring_class(method)?;
    let name = agent.jvmti.class_name(class);
    jni.release(class);
    name.filter(|name| !name.starts_with("java/lang/$Recrash"))
}

/// Starts the thread that weaves anew what gives way, until the JVM ends.
fn follow(visitor: Visitor) {
    let started = visitor.every(INTERVAL, "recrash-hot", end_interval);
    if let Err(error) = started {
        log::detail(|| {
            format!("classes that write often keep their notes, there is no thread: {error}")
        });
    }
}

fn end_interval(agent: &Agent, visitor: &Visitor) {
    let due = agent.hot.end_interval();
    if due.is_empty() {
        return;
    }
    for name in &due {
        log::detail(|| format!("{} writes too often for notes", name.replace('/', ".")));
    }
    visitor.visit(|jni| {
        hook::weave_again(agent, jni, |class| due.contains(outermost(class)));
        runtime::forget_journals(jni);
    });
}
