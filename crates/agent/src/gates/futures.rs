//! Mistakes that a future keeps, of the JDK and of libraries that have their own: nobody may ever ask for them.

use super::gate::{Known, Rule, Shape, THIS, THROWABLE, gate, is_throwable, known};
use super::name;
use crate::kinds::Kind;

pub const RULE: Rule = Rule {
    kind: Kind::Futures,
    known: &[
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
        // What a forked subtask throws.
        future(
            "java/util/concurrent/StructuredTaskScopeImpl$SubtaskImpl$AltResult",
            "<init>",
        ),
        future(
            "java/util/concurrent/StructuredTaskScope$SubtaskImpl$AltResult",
            "<init>",
        ),
        // Whether the coroutine is one that has a result, only it itself knows.
        known(
            "kotlinx/coroutines/AbstractCoroutine",
            "onCancelled",
            &[THIS, THROWABLE],
            gate("coroutineEnds"),
        ),
        // What the functions of a Scala future throw.
        future(
            "scala/concurrent/impl/Promise$Transformation",
            "handleFailure",
        ),
    ],
    shape: Some(Shape {
        concerns: |class, _| {
            let simple = name::simple(class);
            ["Future", "Promise", "Deferred"]
                .iter()
                .any(|word| simple.contains(word))
        },
        gate: |method, parameters| {
            let thrown = parameters.iter().position(|one| is_throwable(one))?;
            STORES
                .contains(&method)
                .then(|| gate("futureStores").of(&[thrown]))
        },
    }),
};

/// Names of the methods by which futures are given an exception.
const STORES: [&str; 9] = [
    "setException",
    "setFailure",
    "tryFailure",
    "tryFail",
    "fail",
    "failed",
    "failure",
    "tryFailureInternal",
    "completeExceptionally",
];

const fn future(class: &'static str, method: &'static str) -> Known {
    known(class, method, &[THROWABLE], gate("futureStores"))
}
