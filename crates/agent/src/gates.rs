//! Where failures are recognised that something catches: the narrowest methods of the JDK and of libraries through which
//! every failure of a kind passes. Each begins with a call that tells the runtime (`$RecrashGate`).
//!
//! Libraries change their signatures from release to release, so a gate is known by the name of its method and the types
//! of the parameters that are handed on; a class without such a method is left alone.

use crate::agent::Agent;
use crate::kinds::Kind;
use crate::log;
use recrash_classfile::{ClassFile, Error, Parameters, access, text};
use recrash_weave::{Passed, Prepended, prepend_call};

struct Gate {
    kind: Kind,
    /// With slashes.
    class: &'static str,
    method: &'static str,
    /// Of the parameters that are handed on, in their order; each is the first one of its type.
    takes: &'static [&'static str],
    /// The method of `$RecrashGate` that is told; it takes objects.
    told: &'static str,
}

const THROWABLE: &str = "Ljava/lang/Throwable;";
const OBJECT: &str = "Ljava/lang/Object;";

const fn gate(
    kind: Kind,
    class: &'static str,
    method: &'static str,
    takes: &'static [&'static str],
    told: &'static str,
) -> Gate {
    Gate {
        kind,
        class,
        method,
        takes,
        told,
    }
}

const fn future(class: &'static str, method: &'static str) -> Gate {
    gate(Kind::Futures, class, method, &[THROWABLE], "futureStores")
}

const fn server(class: &'static str, method: &'static str) -> Gate {
    gate(Kind::Web, class, method, &[THROWABLE], "serverAnswers")
}

const GATES: [Gate; 22] = [
    gate(
        Kind::Logged,
        "java/util/logging/Logger",
        "log",
        &["Ljava/util/logging/LogRecord;"],
        "julLogs",
    ),
    // The fluent way and the classic one meet only here.
    gate(
        Kind::Logged,
        "ch/qos/logback/classic/Logger",
        "callAppenders",
        &["Lch/qos/logback/classic/spi/ILoggingEvent;"],
        "logbackLogs",
    ),
    // On the thread that logs, before an asynchronous logger hands the event on.
    gate(
        Kind::Logged,
        "org/apache/logging/log4j/spi/AbstractLogger",
        "logMessageTrackRecursion",
        &[LOG4J_2_LEVEL, LOG4J_2_MESSAGE, THROWABLE],
        "log4j2Logs",
    ),
    // What the builders of log events call.
    gate(
        Kind::Logged,
        "org/apache/logging/log4j/spi/AbstractLogger",
        "logMessage",
        &[LOG4J_2_LEVEL, LOG4J_2_MESSAGE, THROWABLE],
        "log4j2Logs",
    ),
    gate(
        Kind::Logged,
        "org/apache/log4j/Category",
        "forcedLog",
        &["Lorg/apache/log4j/Priority;", OBJECT, THROWABLE],
        "log4j1Logs",
    ),
    // Executors, scheduled ones too.
    future("java/util/concurrent/FutureTask", "setException"),
    // Virtual threads' executors, and whoever completes a future by hand.
    future(
        "java/util/concurrent/CompletableFuture",
        "completeExceptionally",
    ),
    // What the functions of a stage throw.
    future("java/util/concurrent/CompletableFuture", "encodeThrowable"),
    // One of them, depending on the JDK.
    future("java/util/concurrent/ForkJoinTask", "trySetThrown"),
    future("java/util/concurrent/ForkJoinTask", "trySetException"),
    server("org/apache/catalina/core/StandardWrapperValve", "exception"),
    server("org/apache/catalina/core/StandardHostValve", "throwable"),
    // Jetty 9 to 11.
    server("org/eclipse/jetty/server/HttpChannel", "handleException"),
    // Jetty 12, by the version of the servlet API, and without servlets.
    server(
        "org/eclipse/jetty/ee8/nested/HttpChannel",
        "handleException",
    ),
    server(
        "org/eclipse/jetty/ee9/nested/HttpChannel",
        "handleException",
    ),
    server(
        "org/eclipse/jetty/ee10/servlet/ServletChannel",
        "handleException",
    ),
    server(
        "org/eclipse/jetty/ee11/servlet/ServletChannel",
        "handleException",
    ),
    server("org/eclipse/jetty/server/Response", "writeError"),
    gate(
        Kind::Web,
        "org/springframework/web/servlet/DispatcherServlet",
        "processHandlerException",
        &["Ljava/lang/Exception;"],
        "serverAnswers",
    ),
    // Every engine of the JUnit Platform makes its failures here.
    gate(
        Kind::Tests,
        "org/junit/platform/engine/TestExecutionResult",
        "failed",
        &[THROWABLE],
        "testFails",
    ),
    gate(
        Kind::Tests,
        "org/junit/runner/notification/RunNotifier",
        "fireTestFailure",
        &["Lorg/junit/runner/notification/Failure;"],
        "junit4Fails",
    ),
    gate(
        Kind::Tests,
        "org/testng/TestRunner",
        "addFailedTest",
        &["Lorg/testng/ITestResult;"],
        "testNgFails",
    ),
];

const LOG4J_2_LEVEL: &str = "Lorg/apache/logging/log4j/Level;";
const LOG4J_2_MESSAGE: &str = "Lorg/apache/logging/log4j/message/Message;";

/// The class with its gates; `None` where it has none that the program is listened to at.
pub fn gated(agent: &Agent, name: &str, bytes: &[u8]) -> Option<Vec<u8>> {
    let mut gates = gates_of(agent, name).peekable();
    gates.peek()?;
    let mut changed = None;
    for gate in gates {
        let before = changed.as_deref().unwrap_or(bytes);
        match gate.put_in(before) {
            Ok(after) => changed = after.or(changed),
            Err(error) => log::detail(|| {
                format!(
                    "failures cannot be heard of at {name}.{}: {error}",
                    gate.method
                )
            }),
        }
    }
    changed
}

fn gates_of<'a>(agent: &'a Agent, name: &'a str) -> impl Iterator<Item = &'static Gate> + 'a {
    GATES
        .iter()
        .filter(move |gate| gate.class == name && agent.listens_to(gate.kind))
}

/// Whether the class of this internal name has gates that are listened at.
pub fn has_some(agent: &Agent, name: &str) -> bool {
    gates_of(agent, name).next().is_some()
}

impl Gate {
    /// Every method of that name that has what is to be handed on.
    fn put_in(&self, bytes: &[u8]) -> Result<Option<Vec<u8>>, Error> {
        let class = ClassFile::read(bytes)?;
        let mut changed = None;
        for method in &class.methods {
            let has_code = !method.is(access::ABSTRACT | access::NATIVE);
            if method.name != self.method.as_bytes() || !has_code {
                continue;
            }
            let first = usize::from(!method.is(access::STATIC));
            let Some(places) = self.places(method.descriptor, first) else {
                continue;
            };
            let descriptor = format!("({})V", OBJECT.repeat(places.len()));
            let call = Prepended {
                owner: "java/lang/$RecrashGate",
                name: self.told,
                descriptor: &descriptor,
                passed: Passed::Only(&places),
                guarded: true,
            };
            let before = changed.as_deref().unwrap_or(bytes);
            changed = Some(prepend_call(
                before,
                self.method,
                &text(method.descriptor),
                call,
            )?);
        }
        Ok(changed)
    }

    /// Where the parameters are that are handed on.
    fn places(&self, descriptor: &[u8], first: usize) -> Option<Vec<usize>> {
        let mut wanted = self.takes.iter().peekable();
        let mut places = Vec::with_capacity(self.takes.len());
        for (place, parameter) in Parameters::of(descriptor).enumerate() {
            let parameter = parameter.ok()?;
            if wanted
                .next_if(|wanted| wanted.as_bytes() == parameter.descriptor)
                .is_some()
            {
                places.push(first + place);
            }
        }
        wanted.peek().is_none().then_some(places)
    }
}
