//! `cargo fuzz run worker_messages fuzz/corpus/worker_messages`
//!
//! A message to or from the worker JVM that is accepted is written again as it was read.

#![no_main]

use libfuzzer_sys::fuzz_target;
use recrash_wire::record::Wire;
use recrash_wire::worker::{Answer, Request, WHAT};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(answer) = Answer::decode(WHAT, bytes) {
        assert_eq!(Answer::decode(WHAT, &answer.encode()), Ok(answer));
    }
    if let Ok(request) = Request::decode(WHAT, bytes) {
        assert_eq!(Request::decode(WHAT, &request.encode()), Ok(request));
    }
});
