//! Failures that nobody is left to be told of: an operator drops them, a pipeline ends, an actor or a coroutine has no handler.
//! Methods for them are named so, in libraries nobody has heard of, too.

use super::gate::{Known, Rule, Shape, THROWABLE, gate, is_throwable, known};
use crate::kinds::Kind;
use memchr::memmem;

pub const RULE: Rule = Rule {
    kind: Kind::Dropped,
    known: &[
        // An actor fails, whatever its supervisor makes of it.
        actor("akka/actor/ActorCell"),
        actor("org/apache/pekko/actor/ActorCell"),
        dropped("io/reactivex/rxjava3/plugins/RxJavaPlugins", "onError"),
        dropped("io/reactivex/plugins/RxJavaPlugins", "onError"),
        // The event thread goes on, whoever is told.
        dropped("java/awt/EventDispatchThread", "processException"),
    ],
    shape: Some(Shape {
        concerns: |_, bytes| {
            PARTS
                .iter()
                .any(|part| memmem::find(bytes, part.as_bytes()).is_some())
        },
        gate: |method, parameters| {
            // The exception itself, not one among others.
            let thrown = parameters.iter().position(|one| is_throwable(one))?;
            PARTS
                .iter()
                .any(|part| method.contains(part))
                .then(|| gate("drops").of(&[thrown]))
        },
    }),
};

/// Of the names of such methods: `onErrorDropped`, `onUnhandledInboundException`, `handleUncaughtCoroutineException`.
const PARTS: [&str; 3] = ["Dropped", "nhandled", "ncaught"];

const fn actor(class: &'static str) -> Known {
    dropped(class, "handleInvokeFailure")
}

const fn dropped(class: &'static str, method: &'static str) -> Known {
    known(class, method, &[THROWABLE], gate("drops"))
}
