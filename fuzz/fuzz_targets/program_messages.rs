//! `cargo fuzz run program_messages fuzz/corpus/program_messages`
//!
//! What is accepted of what travels to and from the JVM that runs programs is written again as it was read. Compared as
//! bytes: a float may be no number.

#![no_main]

use libfuzzer_sys::fuzz_target;
use recrash_wire::record::Wire;
use recrash_wire::synth::{Command, Greeting, Ran, Statement, WHAT};

fn again<T: Wire>(bytes: &[u8]) {
    if let Ok(message) = T::decode(WHAT, bytes) {
        let written = message.encode();
        let read = T::decode(WHAT, &written).map(|message| message.encode());
        assert_eq!(read, Ok(written));
    }
}

fuzz_target!(|bytes: &[u8]| {
    again::<Greeting>(bytes);
    again::<Command>(bytes);
    again::<Vec<Statement>>(bytes);
    again::<Ran>(bytes);
});
