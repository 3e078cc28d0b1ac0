//! The end of a JVM in which failures went by: those that were let go are counted, and where nothing was captured, the
//! exceptions of the program are told that something caught without a word.

use crate::agent::Agent;
use crate::jvm::Jni;
use crate::{log, runtime};
use recrash_wire::passed::{Passed, sentence};

/// Said when the JVM ends.
pub fn tell(agent: &Agent, jni: Jni) {
    let Some(told) = runtime::at_the_end(jni) else {
        return;
    };
    let mut told = told.iter();
    let let_go: u64 = told
        .next()
        .and_then(|count| count.parse().ok())
        .unwrap_or(0);
    if let_go > 0 {
        let failures = if let_go == 1 {
            "failure was"
        } else {
            "failures were"
        };
        log::say(&format!(
            "{let_go} more {failures} not captured, because too many came at once"
        ));
    }
    if agent.captures.has_some() || agent.look.is_some() || agent.watch.is_some() {
        return;
    }
    let passed: Vec<Passed> = told.filter_map(|line| passed(agent, line)).collect();
    if agent.options.session.is_some() {
        // The command that started this JVM, and perhaps others, makes one sentence of all.
        for one in passed {
            log::say(&one.line());
        }
    } else if agent.options.verbose
        && let Some(sentence) = sentence(passed)
    {
        log::say(&sentence);
    }
}

/// The runtime tells the type, the site of the application's method, whether it is unchecked, how often it came and when.
fn passed(agent: &Agent, line: &str) -> Option<Passed> {
    let mut parts = line.split(' ');
    let class = parts.next()?.to_owned();
    let (_, site) = agent.sites.get(parts.next()?.parse().ok()?)?;
    Some(Passed {
        class,
        method: format!("{}.{}", site.class, site.method),
        is_unchecked: parts.next()? == "1",
        times: parts.next()?.parse().ok()?,
        latest: parts.next()?.parse().ok()?,
    })
}
