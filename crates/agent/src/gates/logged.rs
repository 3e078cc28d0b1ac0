//! Failures given to a logger as an error, of whatever make the logger is.
//!
//! Re-implementations of `java.util.logging` make its records, so all of them pass `LogRecord.setThrown`. Of other loggers, the
//! classes are named so, and an error is what goes to a method that says so, or that takes a level which does.

use super::gate::{OBJECT, Rule, Shape, THIS, THROWABLE, Telling, Told, is_throwable, known};
use super::name;
use crate::kinds::Kind;

pub const RULE: Rule = Rule {
    kind: Kind::Logged,
    known: &[
        known(
            "java/util/logging/Logger",
            "log",
            &["Ljava/util/logging/LogRecord;"],
            told("julLogs"),
        ),
        // Before the record gets to whichever manager, and on the thread that makes it.
        known(
            "java/util/logging/LogRecord",
            "setThrown",
            &[THIS, THROWABLE],
            told("recordGets"),
        ),
        // The fluent way and the classic one meet only here.
        known(
            "ch/qos/logback/classic/Logger",
            "callAppenders",
            &["Lch/qos/logback/classic/spi/ILoggingEvent;"],
            told("logbackLogs"),
        ),
        // On the thread that logs, before an asynchronous logger hands the event on.
        known(
            "org/apache/logging/log4j/spi/AbstractLogger",
            "logMessageTrackRecursion",
            &[LOG4J_2_LEVEL, LOG4J_2_MESSAGE, THROWABLE],
            told("log4j2Logs"),
        ),
        // What the builders of log events call.
        known(
            "org/apache/logging/log4j/spi/AbstractLogger",
            "logMessage",
            &[LOG4J_2_LEVEL, LOG4J_2_MESSAGE, THROWABLE],
            told("log4j2Logs"),
        ),
        known(
            "org/apache/log4j/Category",
            "forcedLog",
            &["Lorg/apache/log4j/Priority;", OBJECT, THROWABLE],
            told("log4j1Logs"),
        ),
    ],
    shape: Some(Shape {
        concerns: |class, _| is_logger(class),
        gate: by_shape,
    }),
};

const LOG4J_2_LEVEL: &str = "Lorg/apache/logging/log4j/Level;";
const LOG4J_2_MESSAGE: &str = "Lorg/apache/logging/log4j/message/Message;";

/// Names of methods that log an error, and nothing less.
const LOUD: [&str; 14] = [
    "error",
    "severe",
    "fatal",
    "critical",
    "alert",
    "emergency",
    "errorf",
    "errorv",
    "fatalf",
    "fatalv",
    "logError",
    "logFatal",
    "logSevere",
    "logException",
];

/// The types of levels, without their packages.
const LEVELS: [&str; 5] = ["Level", "Priority", "LogLevel", "Severity", "LogSeverity"];

const fn told(method: &'static str) -> Told {
    Told {
        class: "java/lang/$RecrashLogGate",
        method,
    }
}

fn is_logger(class: &str) -> bool {
    name::has_word(name::simple(class), "Log", &["ger", "gers", "ging", "back"])
}

fn by_shape(method: &str, parameters: &[&str]) -> Option<Telling> {
    let thrown = thrown(parameters)?;
    if LOUD.contains(&method) {
        return Some(told("logsError").of(&[thrown]));
    }
    let level = parameters
        .iter()
        .position(|parameter| LEVELS.contains(&name::of_type(parameter)))?;
    // The exception comes last, or among other arguments.
    (level < thrown).then(|| told("logsAtLevel").of(&[level, thrown]))
}

/// The parameter that is an exception, or where a logger finds one: the last argument of a message.
fn thrown(parameters: &[&str]) -> Option<usize> {
    let typed = parameters.iter().position(|one| is_throwable(one));
    typed.or_else(|| {
        let last = parameters.last()?;
        [OBJECT, "[Ljava/lang/Object;"]
            .contains(last)
            .then(|| parameters.len() - 1)
    })
}
