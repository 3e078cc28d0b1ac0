//! Where failures are recognised that something catches: the narrowest methods of the JDK and of libraries through which
//! every failure of a kind passes. Each begins with a call that tells the runtime.
//!
//! A rule is one file: it says what its failures are called in `--failures`, which methods of known classes are its gates, and
//! which methods of any class are gates by their shape, because of what their names and parameters say of them. Libraries
//! change their signatures from release to release, so a known gate is found by the name of its method and the types of the
//! parameters that are handed on; a class without such a method is left alone.

mod answered;
mod dropped;
mod ended;
mod futures;
mod gate;
mod logged;
mod name;
mod printed;
mod tests;
mod web;

use crate::agent::Agent;
use crate::log;
use gate::{Gate, Rule};
use recrash_classfile::ClassFile;
use recrash_weave::{CallIn, Passed, Prepended, insert_calls};

const RULES: [&Rule; 8] = [
    &logged::RULE,
    &printed::RULE,
    &futures::RULE,
    &web::RULE,
    &answered::RULE,
    &dropped::RULE,
    &ended::RULE,
    &tests::RULE,
];

/// The class with its gates; `None` where it has none that the program is listened to at.
pub fn gated(agent: &Agent, name: &str, bytes: &[u8]) -> Option<Vec<u8>> {
    let mut rules = listened(agent)
        .filter(|rule| rule.concerns(name, bytes))
        .peekable();
    rules.peek()?;
    let class = ClassFile::read(bytes).ok()?;
    let gates: Vec<Gate> = rules.flat_map(|rule| rule.gates(name, &class)).collect();
    with_calls(name, bytes, &gates)
}

fn with_calls(name: &str, bytes: &[u8], gates: &[Gate]) -> Option<Vec<u8>> {
    if gates.is_empty() {
        return None;
    }
    let calls: Vec<CallIn<'_>> = gates
        .iter()
        .map(|gate| CallIn {
            method: &gate.method,
            descriptor: &gate.descriptor,
            moment: gate.moment,
            call: Prepended {
                owner: gate.told.class,
                name: gate.told.method,
                descriptor: &gate.told_types,
                passed: Passed::Only(&gate.places),
                guarded: gate.method != "<init>",
            },
        })
        .collect();
    match insert_calls(bytes, &calls) {
        Ok(rewritten) => {
            for skipped in rewritten.skipped {
                log::detail(|| {
                    let method = skipped.method;
                    format!(
                        "failures cannot be heard of at {name}.{method}: {}",
                        skipped.why
                    )
                });
            }
            Some(rewritten.bytes)
        }
        Err(reason) => {
            log::detail(|| format!("failures cannot be heard of at {name}: {reason}"));
            None
        }
    }
}

fn listened(agent: &Agent) -> impl Iterator<Item = &'static Rule> + '_ {
    let listens = |rule: &&Rule| agent.listens_to(rule.kind);
    RULES.into_iter().filter(listens)
}

/// Whether the class of this internal name, which may be there before the agent, has gates that are listened at.
pub fn has_some(agent: &Agent, name: &str) -> bool {
    listened(agent).any(|rule| rule.knows(name))
}

#[cfg(test)]
#[path = "gates/shapes_tests.rs"]
mod shapes_tests;
