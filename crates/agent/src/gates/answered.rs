//! Failures that end a request with a status of 500 or more: whatever the server is, there is an object for the answer that
//! is given the status, on the thread that caught the exception a moment ago.

use super::gate::{Rule, Shape, gate, known};
use super::name;
use crate::kinds::Kind;

pub const RULE: Rule = Rule {
    kind: Kind::Web,
    known: &[
        known(
            "sun/net/httpserver/ExchangeImpl",
            "sendResponseHeaders",
            &["I"],
            gate("answersNumber"),
        ),
        // Calls have statuses of their own.
        known(
            "io/grpc/internal/ServerCallImpl",
            "close",
            &["Lio/grpc/Status;"],
            gate("endsCall"),
        ),
    ],
    shape: Some(Shape {
        concerns: |class, _| {
            let simple = name::simple(class);
            name::has_word(simple, "Response", &[]) || name::has_word(simple, "Exchange", &[])
        },
        gate: |method, parameters| {
            let first = parameters.first()?;
            if !SETS_STATUS.contains(&method) {
                return None;
            }
            match *first {
                "I" => Some(gate("answersNumber").of(&[0])),
                object if name::of_type(object).contains("Status") => {
                    Some(gate("answersStatus").of(&[0]))
                }
                _ => None,
            }
        },
    }),
};

const SETS_STATUS: [&str; 7] = [
    "setStatus",
    "sendError",
    "setStatusCode",
    "setRawStatusCode",
    "status",
    "statusCode",
    "sendResponseHeaders",
];
